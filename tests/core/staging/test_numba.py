"""What is generated for Numba compiles in nopython mode wherever its primal does, and gives the same values."""

from __future__ import annotations

import copy
import os
from typing import Any

import numpy as np
import pytest

from pullback import derive
from pullback.stage import stage_text
from tests.core.differences import space_of
from tests.core.programs import PROGRAMS, Program, with_seeds
from tests.core.staging.expected import COMPILER_SAYS, staged_on
from tests.core.staging.numba_programs import (
    LONG,
    NOT_TAKEN,
    NOT_YET,
    REFUSED,
    TAKEN,
    compiled_space,
    compiling,
)
from tests.core.structures import leaves

numba = pytest.importorskip("numba", reason="Numba is not installed")
SKIPPED = pytest.mark.skipif(not os.environ.get("LONG"), reason="Numba compiles it for minutes")
QUICK = ("garch", "jacobi_1d", "kalman", "sir", "trisolv")
EVERY = [
    pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK) + [SKIPPED] * (name in LONG))
    for name in TAKEN
]


@pytest.mark.filterwarnings("ignore::numba.NumbaWarning")
@pytest.mark.parametrize("name", EVERY)
def test_a_program_and_its_derivative(name: str) -> None:
    p = PROGRAMS[name]
    args = with_seeds(p)
    wrt = p.wrt if len(p.wrt) > 1 else p.wrt[0]
    derived = derive(compiling(p), p.func, p.kind, wrt, modules={}, jit="numba")
    assert derived.source is not None, derived.diagnostics
    made = compiled_space(compiling(p), derived.source)[derived.name]
    given = copy.deepcopy(args)
    same(made(*given), plain(p)(*args))
    assert made.nopython_signatures
    same(given, args)


@pytest.mark.filterwarnings("ignore::numba.NumbaWarning")
@pytest.mark.slow
@pytest.mark.parametrize("name", staged_on("numba"))
def test_a_staged_program(name: str) -> None:
    p = PROGRAMS[name]
    derived = stage_text(p.source, p.func, "numba", modules={})
    f = compiled_space(p.source, derived.source or "")[derived.name]
    args, given = p.arguments(), p.arguments()
    if name in COMPILER_SAYS:
        with pytest.raises((numba.core.errors.NumbaError, AssertionError)):
            f(*args)
        return
    value = p.space[p.func](*args)
    got = f(*given)
    assert (got is None) == (value is None)
    same(tuple(leaves((*given, got))), tuple(leaves((*args, value))))


@pytest.mark.parametrize("name", REFUSED)
def test_a_program_whose_derivative_is_refused(name: str) -> None:
    p = PROGRAMS[name]
    derived = derive(compiling(p), p.func, p.kind, p.wrt, modules={}, jit="numba")
    assert derived.source is None
    assert derived.diagnostics[0].code == REFUSED[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_YET)
def test_what_does_not_compile_yet_says_so_when_it_is_compiled(name: str) -> None:
    p = PROGRAMS[name]
    derived = derive(compiling(p), p.func, p.kind, p.wrt, modules={}, jit="numba")
    made = compiled_space(compiling(p), derived.source or "")[derived.name]
    with pytest.raises(numba.core.errors.TypingError):
        made(*with_seeds(p))


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_TAKEN)
def test_what_numba_does_not_take(name: str) -> None:
    """The list of programs is no longer than it has to be."""
    p = PROGRAMS[name]
    with pytest.raises((numba.core.errors.NumbaError, AssertionError)):
        compiled_space(compiling(p))[p.func](*p.arguments())


def plain(p: Program) -> Any:
    """The derivative as it is without a compiler."""
    return space_of(p.source, p.golden.read_text(encoding="utf-8"))[f"{p.func}_{p.kind}"]


def same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted):
            same(one, other)
    else:
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-11)
