"""Containers as parameters, as local variables and as results, against finite differences."""

from __future__ import annotations

import sys
import types
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import asked
from tests.core.structures import assert_right, assert_tangent, leaves
from tests.core.transform.containers import CONTAINERS, REFUSED, B, Made, W, X, instance

HEAD = """import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np


"""


# name: (text of the function f of a container, arguments); f gives an array
ARRAYS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a layer of a dict": (
        """
        def f(params: dict, x: np.ndarray):
            # pullback: x: (n,)
            return np.tanh(params["W"] @ x + params["b"])
        """,
        ({"W": W, "b": 0.2}, X),
    ),
    "weights in a list": (
        """
        def f(params: list[np.ndarray], x: np.ndarray):
            # pullback: x: (n,)
            for w in params:
                x = np.sin(w * x)
            return np.outer(x, x)
        """,
        ([X, 2.0 * X], X),
    ),
    "records in records": (
        """
        class Pair(NamedTuple):
            a: np.ndarray
            b: float

        @dataclass
        class Layer:
            W: np.ndarray
            pair: Pair
            size: int

        def f(layer: Layer, x: np.ndarray):
            # pullback: x: (n,)
            return layer.W @ x * layer.pair.b + layer.pair.a * layer.size
        """,
        (Made(("Layer", W, Made(("Pair", B, 0.8)), 3)), X),
    ),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_a_jacobian_has_the_form_of_a_container(name: str) -> None:
    module, given, wrt = _made(name, "jacobian")
    exec(derive(module.source, "f", "vjp", wrt=asked(wrt)).source or "", module.__dict__)
    seed = np.cos(np.arange(np.size(module.f(*given)))).reshape(np.shape(module.f(*given)))
    for block, bar, x in zip(module.f_jacobian(*given), module.f_vjp(*given, seed), given):
        assert type(block) is type(x)
        for got, want in zip(leaves(block), leaves(bar), strict=True):
            np.testing.assert_allclose(np.tensordot(seed, got, seed.ndim), want)


def _made(name: str, kind: str) -> tuple[Any, tuple[Any, ...], tuple[str, ...]]:
    """A module that holds a program and its derivative, the arguments, and what it is with respect to."""
    text, args = {**CONTAINERS, **ARRAYS}[name]
    source = HEAD + dedent(text).strip() + "\n"
    module = types.ModuleType("case")
    module.source = source
    sys.modules["case"] = module  # dataclasses look their module up
    exec(source, module.__dict__)
    given = tuple(instance(a, module.__dict__) for a in args)
    names = module.f.__code__.co_varnames[: len(given)]
    wrt = tuple(n for n, a in zip(names, given) if any(True for _ in leaves(a)))
    made = derive(source, "f", kind=kind, wrt=asked(wrt))
    assert made.source is not None, [d.message for d in made.diagnostics]
    exec(made.source, module.__dict__)
    return module, given, wrt


# writes into arrays that containers hold: reverse mode alone
REVERSE_ALONE = (
    "… and a list",
    "… and an object, by functions that it is passed to",
    "arrays in the caller's containers, which stay as they are",
)


@pytest.mark.parametrize("name", REVERSE_ALONE)
def test_what_forward_mode_leaves_out_is_refused(name: str) -> None:
    made = derive(HEAD + dedent(CONTAINERS[name][0]).strip() + "\n", "f", kind="jvp", wrt="*")
    assert made.source is None
    assert {d.code for d in made.diagnostics} <= {"PB109", "PB110", "PB202"}


@pytest.mark.parametrize("name", [name for name in CONTAINERS if name not in REVERSE_ALONE])
def test_a_container_has_a_tangent(name: str) -> None:
    module, given, wrt = _made(name, "jvp")
    names = module.f.__code__.co_varnames
    assert_tangent(module.f, module.f_jvp, given, [names.index(w) for w in wrt])


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_is_differentiated(name: str) -> None:
    module, given, wrt = _made(name, "vjp")

    def all_of(*given: object) -> tuple[object, ...]:
        got = module.f_vjp(*given)
        return got if len(wrt) > 1 else (got,)

    assert_right(module.f, all_of, given, wrt)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_told_is_refused(name: str) -> None:
    text, code, line = REFUSED[name]
    source = HEAD + dedent(text).strip() + "\n"
    made = derive(source, "f", kind="vjp", wrt="*")
    assert made.source is None
    found = [(d.code, source[: d.span.start].count("\n")) for d in made.diagnostics]
    lines = source.split("\n")
    assert (code, line) in [(c, lines[n].strip()) for c, n in found]
