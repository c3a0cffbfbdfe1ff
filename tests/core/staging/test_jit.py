"""`jit="numba"`: what is written, and that it stays in step."""

from __future__ import annotations

import pytest

from pullback import derive
from pullback.emit.insert import insertion
from pullback.source.edits import apply_edits
from pullback.source.header import parse_header
from pullback.source.module import parse_module
from pullback.sync import out_of_step, synced

CALLED = """\
import numba
import numpy as np


@numba.njit
def mix(a, b):
    return a * b


@numba.njit
def loss(x, w):
    return np.sum(mix(x, w))
"""


def written(text: str, *compilers: str | None) -> str:
    """The module with a gradient for each of the compilers in it."""
    for jit in compilers:
        derived = derive(text, "loss", modules={}, jit=jit)
        assert derived.source is not None, derived.diagnostics
        text = apply_edits(text, insertion(parse_module(text), derived))
    return text


def test_the_header_says_the_compiler() -> None:
    derived = derive(CALLED, "loss", jit="numba")
    header = parse_header(derived.header)
    assert header is not None
    assert ("jit", "numba") in header.options


def test_every_function_is_compiled() -> None:
    source = derive(CALLED, "loss", jit="numba").source
    assert source is not None
    lines = source.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("def ")]
    assert len(starts) >= 3  # a helper, the derivative of mix, the gradient
    assert {lines[i - 1] for i in starts} == {"@numba.njit"}


def test_it_follows_its_function() -> None:
    stale = written(CALLED, "numba").replace("a * b", "a * b * b", 1)
    assert {d.code for d in out_of_step(parse_module(stale), {})} == {"PB401"}
    wanted = written(CALLED.replace("a * b", "a * b * b", 1), "numba")
    assert synced(parse_module(stale), {}).module.text == wanted
    assert out_of_step(parse_module(wanted), {}) == ()


def test_both_forms_stand_in_one_file() -> None:
    both = written(CALLED, None, "numba")
    for name in ("def loss_grad(", "def loss_grad_x_numba(", "def _mix_vjp(", "def _mix_vjp2("):
        assert both.count(name) == 1
    assert out_of_step(parse_module(both), {}) == ()
    assert written(both, None, "numba") == both


def test_helpers_that_nothing_uses_go_with_it() -> None:
    text = written(CALLED, "numba")
    start = text.index("# pullback: grad of loss")
    end = text.index("\n\n\n", start) if "\n\n\n" in text[start:] else len(text)
    left = synced(parse_module(text[:start] + text[end:].lstrip("\n")), {}).module.text
    assert "_unbroadcast_jit" not in left


def test_an_unknown_compiler() -> None:
    with pytest.raises(ValueError, match="'cython' is no compiler that is known"):
        derive(CALLED, "loss", jit="cython")


@pytest.mark.parametrize(
    ("loop", "backwards"),
    [
        ("range(n)", "range(n - 1, -1, -1)"),
        ("range(n + 1)", "range(n, -1, -1)"),
        ("range(1, n)", "range(n - 1, 0, -1)"),
        ("range(n - 1, -1, -1)", "range(n)"),
        ("range(n, 2, -1)", "range(3, n + 1)"),
        ("range(0, n, 2)", "range((n - 1) // 2 * 2, -1, -2)"),
        ("range(n, 0, -3)", "range(n - (n - 1) // 3 * 3, n + 1, 3)"),
    ],
)
def test_a_loop_backwards_without_reversed(loop: str, backwards: str) -> None:
    text = f"def f(x: float, n: int):\n    y = x\n    for i in {loop}:\n        y = y * (x + i)\n    return y\n"
    source = derive(text, "f", jit="numba").source
    assert source is not None
    assert f"for i in {backwards}:" in source
    for n in range(-4, 9):
        assert list(eval(backwards, {"n": n})) == list(eval(loop, {"n": n}))[::-1]
