"""What is staged for JAX gives the values of its function, and under jax.vjp the gradients that Pullback writes."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pullback import derive
from pullback.stage import stage_text
from tests.core.differences import returning, space_of
from tests.core.programs import PROGRAMS, with_seeds
from tests.core.staging.comparing import same
from tests.core.staging.constructs import FORWARD_ONLY, REVERSIBLE
from tests.core.staging.expected import staged_on

jax = pytest.importorskip("jax", reason="JAX is not installed")
jax.config.update("jax_enable_x64", True)

TOP = "import numpy as np\n\n\n"
# programs with a loop that ends when it runs: PB506 says that reverse mode does not pass
FORWARD = ("channel_flow", "lid_cavity", "spmv_elements")
QUICK = ("garch", "trisolv", "logistic_regression", "hmm", "gmm")
STAGED = [
    pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow])
    for name in staged_on("jax")
]


def staged(source: str, func: str) -> Callable[..., Any]:
    derived = stage_text(source, func, "jax", modules={})
    assert derived.source is not None, derived.diagnostics
    made: Callable[..., Any] = space_of(source, derived.source)[derived.name]
    return made


def pulled_back(
    f: Callable[..., Any], args: tuple[Any, ...], wrt: tuple[str, ...], seed: Any
) -> Any:
    """The cotangents of `wrt` by JAX."""
    names = list(inspect.signature(f).parameters)
    places = [names.index(w) for w in wrt]

    def g(*values: Any) -> Any:
        given = list(args)
        for k, v in zip(places, values):
            given[k] = v
        return f(*given)

    out, back = jax.vjp(g, *(args[k] for k in places))
    return back(jax.tree.map(lambda o, s: np.asarray(s, o.dtype), out, seed))


@pytest.mark.parametrize("name", STAGED)
def test_a_program(name: str) -> None:
    p = PROGRAMS[name]
    f = staged(p.source, p.func)
    args = p.arguments()
    value = returning(p.space[p.func], p.source)(*copy.deepcopy(args))
    same(f(*args), value)
    if name in FORWARD:
        return
    made = space_of(p.source, p.golden.read_text(encoding="utf-8"))[f"{p.func}_{p.kind}"]
    seeded = with_seeds(p)
    wanted = made(*seeded)
    got = pulled_back(f, args, p.wrt, seeded[-1] if p.kind == "vjp" else 1.0)
    same(got, wanted if len(p.wrt) > 1 else (wanted,))


@pytest.mark.parametrize("what", REVERSIBLE)
def test_a_construct_and_its_gradient(what: str) -> None:
    text, args, wrt = REVERSIBLE[what]
    f = staged(TOP + text, "f")
    plain = returning(space_of(TOP + text)["f"], text)
    value = plain(*copy.deepcopy(args))
    same(f(*args), value)
    seed = np.ones(np.shape(value)) * 0.7
    derived = derive(TOP + text, "f", "vjp", wrt, modules={})
    assert derived.source is not None, derived.diagnostics
    wanted = space_of(TOP + text, derived.source)[derived.name](*copy.deepcopy(args), seed)
    same(pulled_back(f, args, wrt, seed), wanted)


@pytest.mark.parametrize("what", FORWARD_ONLY)
def test_turns_that_only_the_run_counts(what: str) -> None:
    text, args = FORWARD_ONLY[what]
    codes = {d.code for d in stage_text(TOP + text, "f", "jax", modules={}).diagnostics}
    assert "PB506" in codes
    f = staged(TOP + text, "f")
    same(f(*args), space_of(TOP + text)["f"](*args))
    with pytest.raises(ValueError, match="Reverse-mode differentiation does not work"):
        pulled_back(f, args, ("x",), 1.0)


@pytest.mark.parametrize("name", ["garch", "jacobi_1d", "seidel_2d", "trisolv"])
def test_a_gradient_of_ours_is_staged(name: str) -> None:
    p = PROGRAMS[name]
    text = p.source + "\n\n" + p.golden.read_text(encoding="utf-8")
    name = f"{p.func}_{p.kind}"
    given = with_seeds(p)
    same(staged(text, name)(*given), space_of(text)[name](*copy.deepcopy(given)))


def test_what_is_staged_is_exported_and_loaded_without_its_source() -> None:
    p = PROGRAMS["garch"]
    f = staged(p.source, p.func)
    args = tuple(map(np.asarray, p.arguments()))
    data = jax.export.export(f)(*args).serialize()
    same(jax.export.deserialize(data).call(*args), p.space[p.func](*args))


def test_a_live_function() -> None:
    from pullback import stage
    from tests.core.staging import live_functions

    made = stage(live_functions.settle, "jax")
    same(made(1.3, 6), live_functions.settle(1.3, 6))
    assert "lax.fori_loop" in made.source
