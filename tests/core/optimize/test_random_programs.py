"""Random small programs give the same results before and after each pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from textwrap import indent

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pullback import ir
from pullback.optimize.copies import drop_copies
from pullback.optimize.cse import share_common
from pullback.optimize.dead import remove_dead
from pullback.optimize.inline import inline_single_use

from .programs import body_of, function, run

_SCALARS = ["a", "b", "c_bar", "d_bar"]
_ARRAYS = ["h", "g_bar", "v"]
_START = """
a = x
b = 0.5
c_bar = 0.0
d_bar = 1.0
h = u.copy()
g_bar = np.zeros(3)
v = h
tape = []
"""
_RESULTS = ["a", "b", "c_bar", "d_bar", "h[0]", "h[1]", "g_bar[1]", "v[2]"]


class _Writer:
    """Writes random programs over four numbers, three arrays that may share memory, a tape and a log."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.results = ", ".join(self.random.sample(_RESULTS, 3))

    def program(self) -> str:
        body = self.block(self.random.randint(4, 10), 0)
        return f"{_START.strip()}\n{body}\nreturn {self.results}, log"

    def block(self, length: int, depth: int) -> str:
        return "\n".join(self.statement(depth) for _ in range(length))

    def statement(self, depth: int) -> str:
        if depth < 2 and self.random.random() < 0.2:
            return self.compound(depth)
        pick = self.random.choice
        return pick([
            lambda: f"{self.scalar()} = {self.value()}",
            lambda: f"{self.scalar()} = {self.value()}",
            lambda: f"{self.scalar()} {pick(['+=', '-='])} {self.value()}",
            lambda: f"{self.array()} = {self.array_value()}",
            lambda: f"{self.array()} += {self.array_value()}",
            lambda: f"{self.array()}[{pick('012i')}] = {self.value()}",
            lambda: f"{self.array()}[{pick('012i')}] += {self.value()}",
            lambda: f"a, b = {self.value()}, {self.value()}",
            lambda: f"tape.append({self.scalar()})",
            lambda: "if tape:\n    b = tape.pop()",
            lambda: f"log.append({self.scalar()})" if self.random.random() < 0.2 else "pass",
        ])()  # fmt: skip

    def compound(self, depth: int) -> str:
        def block() -> str:
            return indent(self.block(self.random.randint(1, 3), depth + 1), "    ")

        test = self.random.choice(["a > 0.5", "b < d_bar", "h[0] > 0.1", "i == 1"])
        kind = self.random.choice(["if", "else", "elif", "for", "leave", "while"])
        if kind == "while":
            return f"k = 0\nwhile k < 2:\n    k += 1\n{block()}"
        if kind == "for":
            return f"for i in range(3):\n{block()}"
        if kind == "leave":
            leave = self.random.choice(["break", "continue", f"return {self.results}, log"])
            return f"for i in range(3):\n{block()}\n    if {test}:\n        {leave}\n{block()}"
        tail = {"if": "", "else": f"\nelse:\n{block()}", "elif": f"\nelif i == 2:\n{block()}"}
        return f"if {test}:\n{block()}{tail[kind]}"

    def scalar(self) -> str:
        return self.random.choice(_SCALARS)

    def array(self) -> str:
        return self.random.choice(_ARRAYS)

    def value(self) -> str:
        pick = self.random.choice
        return pick([
            lambda: pick([*_SCALARS, "1.0", "0.0"]),
            lambda: pick(["h[i]", "g_bar[0]", "v[1]", "h[0] * 0.5"]),
            lambda: f"{self.scalar()} {pick('+-*')} {self.scalar()}",
            lambda: f"np.tanh({self.scalar()}) + 0.25",
            lambda: f"{self.scalar()} * np.tanh({self.scalar()})",
            lambda: f"np.sum(np.tanh({self.array()}))",
        ])()  # fmt: skip

    def array_value(self) -> str:
        pick = self.random.choice
        return pick([
            lambda: pick([*_ARRAYS, "h.copy()", "v[:]", "np.zeros(3)"]),
            lambda: f"np.tanh({self.array()})",
            lambda: f"{self.array()} {pick('+-*')} {pick([*_SCALARS, *_ARRAYS])}",
        ])()  # fmt: skip


def _mixed(fn: ir.Function, every: int) -> ir.Function:
    """`fn` with some statements as the user's and the others as made."""
    count = iter(range(10_000))

    def mark(block: ir.Block) -> ir.Block:
        out = []
        for s in block:
            made = next(count) % every != 0
            if isinstance(s, (ir.If, ir.For, ir.While)):
                s = replace(s, body=mark(s.body), orelse=mark(s.orelse))
            out.append(replace(s, made=made))
        return tuple(out)

    return replace(fn, body=mark(fn.body))


def _agree(seed: int, change: Callable[[ir.Function], ir.Function], every: int = 100) -> None:
    fn = _mixed(function(_Writer(seed).program(), "x, u, i, log"), every)
    new = change(fn)
    for x in (0.7, -1.3):
        before, _ = run(fn, x, np.array([0.3, -0.2, 1.1]), 1, [])
        after, _ = run(new, x, np.array([0.3, -0.2, 1.1]), 1, [])
        assert _close(before, after), f"{body_of(fn)}\n--- became ---\n{body_of(new)}"


def _close(a: object, b: object) -> bool:
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(_close, a, b))  # type: ignore[arg-type]
    return bool(np.allclose(a, b, rtol=1e-12, atol=1e-12, equal_nan=True))  # type: ignore[arg-type]


_seeds = st.integers(0, 2**32)


@settings(max_examples=60, deadline=None)
@given(_seeds)
def test_dead_code_changes_no_result(seed: int) -> None:
    _agree(seed, remove_dead)


@settings(max_examples=60, deadline=None)
@given(_seeds, st.integers(2, 20))
def test_inlining_changes_no_result(seed: int, every: int) -> None:
    _agree(seed, lambda fn: inline_single_use(fn, lambda name: True), every)


@settings(max_examples=60, deadline=None)
@given(_seeds, st.integers(2, 20))
def test_sharing_changes_no_result(seed: int, every: int) -> None:
    _agree(seed, share_common, every)


@settings(max_examples=60, deadline=None)
@given(_seeds)
def test_all_together_change_no_result(seed: int) -> None:
    def change(fn: ir.Function) -> ir.Function:
        fn = inline_single_use(remove_dead(fn), lambda name: name != "h")
        return remove_dead(drop_copies(share_common(fn), lambda name: name != "h"))

    _agree(seed, change)


@settings(max_examples=60, deadline=None)
@given(_seeds)
def test_dead_code_is_gone_at_once(seed: int) -> None:
    once = remove_dead(function(_Writer(seed).program(), "x, u, i, log"))
    assert remove_dead(once) is once
