"""The ways to have a program on a backend: staged, by hand, or as AutoGraph converts it; each run and compiled anew.

May not know: how times are compared.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pullback.stage import stage_text

from . import programs

BACKENDS = ("jax", "tensorflow")


@dataclass(frozen=True)
class Way:
    """`run` computes and waits for the value; `compiled` makes the function anew, and runs it for the first time."""

    run: Callable[[], Any]
    compiled: Callable[[], Any]


def ways_of(backend: str, name: str, size: int = 1) -> tuple[Way, Way]:
    """A program staged, and by hand."""
    args = arguments(backend, name, size)
    return way(backend, staged_text(backend, name), f"{name}_{backend}", args), way(
        backend, inspect.getsource(by_hand(backend)), name, args
    )


def way(backend: str, text: str, name: str, args: tuple[Any, ...]) -> Way:
    code = compile(text, f"<{name}>", "exec")
    wait = jax_done if backend == "jax" else tensorflow_done

    def made() -> Any:
        space: dict[str, Any] = {"__name__": name}
        exec(code, space)  # a text of our own, or what was made from one
        return space[name]

    f = made()
    return Way(lambda: wait(f(*args)), lambda: wait(made()(*args)))


def by_hand(backend: str) -> Any:
    return importlib.import_module(f".by_hand_{backend}", __package__)


def staged_text(backend: str, name: str) -> str:
    """The module of the programs with one of them staged behind it."""
    return f"{inspect.getsource(programs)}\n\n{staged_alone(backend, name)}"


def staged_alone(backend: str, name: str) -> str:
    """What staging writes for a program."""
    derived = stage_text(inspect.getsource(programs), name, backend, modules={})
    assert derived.source is not None, derived.diagnostics
    return derived.source


def arguments(backend: str, name: str, size: int) -> tuple[Any, ...]:
    """A program's arguments as the backend keeps them: arrays are its own, and what counts or sets stays Python's."""
    return tuple(
        on_backend(backend, a) if isinstance(a, (float, np.ndarray)) else a
        for a in programs.arguments(size)[name]
    )


def on_backend(backend: str, value: Any) -> Any:
    if backend == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        return jax.numpy.asarray(value)
    import tensorflow as tf

    return tf.convert_to_tensor(np.asarray(value))


def jax_done(value: Any) -> Any:
    return value.block_until_ready()


def tensorflow_done(value: Any) -> Any:
    return value.numpy()


def same(one: Any, other: Any) -> bool:
    return bool(np.allclose(np.asarray(one), np.asarray(other), rtol=1e-9, atol=1e-9))
