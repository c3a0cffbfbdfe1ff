"""Whatever the text is, it is read, checked and derived without an exception, and never without an end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pullback import ide
from pullback.check import check, check_module
from pullback.derive import derive_in
from pullback.diagnostics import Diagnostic
from pullback.source.module import parse_module
from pullback.source.outline import functions
from tests.core.programs import FOLDER

FUNCTION = """\
import numpy as np

def f(x):
    # pullback: differentiable
    y = x * 2.0
    return np.sum(y)
"""


def put(text: str) -> str:
    """The function with something else in the place of the number in it."""
    return FUNCTION.replace("2.0", text)


def body(text: str) -> str:
    return f"def f(x):\n    # pullback: differentiable\n    {text}\n    return x\n"


DEEP = 10_000
ODD = {
    "nothing": "",
    "a NUL": FUNCTION + "\0",
    "a NUL in a number": put("2\0.0"),
    "half a surrogate pair in a comment": put("2.0  # \ud800"),
    "half a surrogate pair in a string": put("len('\ud800')"),
    "a byte order mark": "\ufeff" + FUNCTION,
    "a byte order mark alone": "\ufeff",
    "form feeds": FUNCTION.replace("    y", "\f    y"),
    "mixed line ends": FUNCTION.replace("\n", "\r\n", 3).replace("\n    return", "\r    return"),
    "tabs and spaces": "def f(x):\n\tif x:\n        return x\n",
    "a backslash at the end": FUNCTION + "\\",
    "a string without an end": FUNCTION + "'''abc",
    "digits of other scripts": put("２.0 + ñ"),
    "Python 2": "print 'x'\nexec 'a' in b\nraise E, 'x'\n`x`\n" + FUNCTION,
    "newer syntax": "type X[T] = list[T]\ndef g[T](x: T) -> T: return x\nt'{x}'\n" + FUNCTION,
    "patterns": body(
        "match x:\n        case [a, *b]: return a\n        case {'k': v, **r}: return v\n"
        "        case P(1, y=2) | None: return x"
    ),
    "parentheses": put("(" * DEEP + "x" + ")" * DEEP),
    "minus signs": put("-" * DEEP + "x"),
    "a long sum": put(" + ".join(["x"] * DEEP)),
    "attributes of attributes": put("x" + ".T" * DEEP),
    "items of items": put("x" + "[0]" * DEEP),
    "calls of calls": put("np.sin(" * 90 + "x" + ")" * 90),
    "branches in branches": body(
        "".join(f"{' ' * k}if x > 0:\n    " for k in range(1, 95)) + " " * 95 + "x = x * 2.0"
    ),
    "many branches": body(
        "if x > 0:\n        x = x\n"
        + "".join(f"    elif x > {k}:\n        x = x * {k}.0\n" for k in range(DEEP))
    ),
    "a long line": f"x = '{'a' * 1_000_000}'\n" + FUNCTION,
    "many lines": "x = 1\n" * 100_000 + FUNCTION,
    "numbers that nobody computes": put("10 ** 10 ** 10 + (1 << 10 ** 12) + " + "9" * 5_000),
    "texts that nobody makes": put(
        "len('a' * 10 ** 12) + len([0] * 10 ** 12) + len('%9999999d' % 1)"
    ),
    "loops that nobody runs": put("sum(range(10 ** 12)) + (1 / 0) + 1e999"),
    "a function of itself": FUNCTION.replace("np.sum(y)", "f(f(f(y)))"),
    "functions of each other": body("return g(x)") + "def g(x):\n    return f(x) * h(x)\n"
    "h = lambda x: f(g(h(x)))\n",
    "an import of itself": "import odd\nfrom odd import *\n" + FUNCTION,
}


SLOW = ("calls of calls", "many lines")


@pytest.mark.parametrize(
    "text",
    [pytest.param(t, id=n, marks=[pytest.mark.slow] * (n in SLOW)) for n, t in ODD.items()],
)
def test_odd_text(text: str):
    answered(text)


def answered(text: str) -> None:
    """Asks all that the core can tell of a text; what fails inside is a PB002."""
    module = parse_module(text, "/nowhere/odd.py")
    found = list(check_module(module, {}))
    for f in functions(module)[:3]:
        for kind in ("vjp", "jvp"):
            found += derive_in(module, f.qualname, kind, "*", modules={}).diagnostics
    assert [d.message for d in found if d.code == "PB002"] == []
    assert all(0 <= d.span.start <= d.span.end <= len(text) for d in found if d.path is None)


@pytest.mark.parametrize(
    "read", [check, lambda text: ide.diagnostics(parse_module(text), no_module)]
)
def test_what_is_too_deep_for_us_is_no_error_unless_it_asks(
    read: Callable[[str], tuple[Diagnostic, ...]],
):
    """Tables of long formulas are Python, and there is nothing to mend in them."""
    table = f"TABLE = [lambda x: {' + '.join(['x'] * DEEP)}]\n"
    assert [(d.code, d.severity) for d in read(FUNCTION + table)] == [("PB001", "hint")]
    asked = table.replace("[lambda", "[  # pullback: differentiable\n    lambda")
    assert ("PB001", "error") in [(d.code, d.severity) for d in read(FUNCTION + asked)]


def no_module(name: str) -> None:
    """There is nothing beside."""


REAL = {p.stem: p.read_text(encoding="utf-8") for p in sorted(FOLDER.glob("*.py"))}


def marked(text: str) -> str:
    """The text with its functions asked for."""
    lines = text.split("\n")
    for k in reversed([k for k, line in enumerate(lines) if line.startswith("def ")]):
        lines.insert(k, "# pullback: differentiable")
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(REAL, key=lambda n: len(REAL[n]))[:50])
def test_half_typed(name: str, record_property: Callable[[str, object], None]):
    """Each prefix of a real module is parsed after the one before it, and checked at the ends of its lines."""
    text = marked(REAL[name])
    module = parse_module("")
    for end in range(len(text) + 1):
        module = parse_module(text[:end], previous=module)
        assert "".join(text[c.start : c.end] for c in module.chunks) == text[:end]
    record_property("inputs", len(text) + 1)
    starts = [k + 1 for k, c in enumerate(text) if c == "\n"]
    for end in starts[:: max(1, len(starts) // 12)]:
        assert [d.message for d in check(text[:end], modules={}) if d.code == "PB002"] == []


PIECES = st.sampled_from(
    [
        *"()[]{}:,.=*@\n\t\\'\"#\0\f\ud800é",
        "    ",
        "def ",
        "return ",
        "lambda x: ",
        "for i in x:\n",
        "x[0] = ",
    ]
)
EDITS = st.lists(
    st.tuples(st.integers(0, 9_999), st.integers(0, 40), PIECES), min_size=1, max_size=4
)


def mutated(name: str, edits: list[tuple[int, int, str]]) -> str:
    """A real module with something else in some places."""
    text = marked(REAL[name])
    for at, cut, new in edits:
        at = at % (len(text) + 1)
        text = text[:at] + new + text[at + cut :]
    return text


@settings(deadline=None, max_examples=25, derandomize=True)
@given(st.sampled_from(sorted(REAL)), EDITS)
def test_mutated(name: str, edits: list[tuple[int, int, str]]):
    text = mutated(name, edits)
    assert [d.message for d in check(text, modules={}) if d.code == "PB002"] == []
