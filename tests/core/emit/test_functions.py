"""Whole functions: signatures, docstrings, headers, and statements of ours among the user's."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from pullback import ir
from pullback.emit import Spelling, emit_block, emit_function
from pullback.ir import (
    Assign,
    AugAssign,
    Call,
    Const,
    For,
    If,
    Keep,
    Name,
    Note,
    Param,
    Return,
    Span,
)
from pullback.lower import lower_function
from pullback.source.module import parse_module

x = Name("x")


def signature(*params: Param, **changes: object) -> str:
    fn = replace(ir.Function("f", "f", params, (Return(x),)), **changes)  # type: ignore[arg-type]
    return emit_function(fn, "").text


SIGNATURES = [
    ((), "def f():"),
    ((Param("x"), Param("y", default="1")), "def f(x, y=1):"),
    ((Param("x", annotation="float", default="1.0"),), "def f(x: float = 1.0):"),
    ((Param("x", "positional-only"),), "def f(x, /):"),
    (
        (Param("x", "positional-only"), Param("y"), Param("z", "keyword-only")),
        "def f(x, /, y, *, z):",
    ),
    (
        (Param("a", "var-positional"), Param("k", "keyword-only", "2"), Param("w", "var-keyword")),
        "def f(*a, k=2, **w):",
    ),
]


@pytest.mark.parametrize(("params", "text"), SIGNATURES, ids=[t for _, t in SIGNATURES])
def test_signature(params: tuple[Param, ...], text: str) -> None:
    assert signature(*params) == f"{text}\n    return x\n"


def test_frame() -> None:
    text = signature(
        Param("x"), decorators=("staticmethod",), returns="float", docstring="Gradient of f."
    )
    assert text == ('@staticmethod\ndef f(x) -> float:\n    """Gradient of f."""\n    return x\n')


def test_docstrings_that_hold_quotes() -> None:
    for said in ('a "word"', 'three """ quotes', "back\\slash", "plain"):
        names: dict[str, object] = {}
        exec(signature(Param("x"), docstring=said), names)
        assert names["f"].__doc__ == said


def test_empty_bodies() -> None:
    body = (If(x, (), (Assign((x,), Const(1)),)), For(x, x, ()))
    assert emit_block(body, "").text == "if x:\n    pass\nelse:\n    x = 1\nfor x in x:\n    pass\n"


LONG = (
    Param("another_parameter", annotation="np.ndarray"),
    *(Param(f"parameter_number_{i}", default=str(i)) for i in range(3)),
)


@pytest.mark.parametrize("count", range(1, 5))
@pytest.mark.parametrize("returns", [None, "tuple[np.ndarray, np.ndarray]"])
@pytest.mark.parametrize("stretch", [0, 14, 40])
def test_long_signatures_are_what_ruff_makes_of_them(
    count: int, returns: str | None, stretch: int
) -> None:
    params = (*LONG[4 - count :], Param("k" * (stretch + 1), "keyword-only"))
    text = signature(*params, returns=returns, docstring="Doc.")
    for config in ((), ("--config", "format.skip-magic-trailing-comma=true")):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", "format", "--diff", "--isolated", *config, "-"],
            input=text, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


SOURCE = """\
def f(x, n):
    import math

    # steps
    y = x  # start
    for i in range(n):
        y *= math.sin(y)

        print(y)

    return y
"""


def changed() -> ir.Function:
    """f with a tape around its loop, as a transformation would change it."""
    fn = lower_function(parse_module(SOURCE), "f")
    assert fn is not None
    start, first, loop, end = fn.body
    assert isinstance(loop, For)
    push = Call("method.append", (Name("y_tape"), Name("y")))
    taped = replace(loop, body=(ir.ExprStmt(push, loop.body[0].origin, made=True), *loop.body))
    tape = Assign((Name("y_tape"),), ir.Tuple((), "list"), loop.origin, made=True)
    pop = Assign((Name("y"),), Call("method.pop", (Name("y_tape"),)), end.origin, made=True)
    return replace(fn, body=(start, first, tape, taped, Note("Backward pass"), pop, end))


def test_our_statements_among_the_users() -> None:
    assert emit_function(changed(), SOURCE).text == SOURCE.replace(
        "    for", "    y_tape = []\n    for"
    ).replace("        y *=", "        y_tape.append(y)\n        y *=").replace(
        "\n    return", "    # Backward pass\n    y = y_tape.pop()\n    return"
    )


def test_lines_point_to_the_statements_that_they_were_made_for() -> None:
    result = emit_function(changed(), SOURCE, header="# pullback: grad of f wrt x")
    lines = dict(zip(result.text.splitlines(), result.lines))
    assert lines["    y_tape = []"] == Span(SOURCE.index("for i"), SOURCE.index("print(y)") + 8)
    assert lines["        y_tape.append(y)"] == lines["        y *= math.sin(y)"]
    assert lines["    y = y_tape.pop()"] == lines["    return y"]
    assert lines["def f(x, n):"] is None


def test_blank_lines_that_ruff_wants_around_what_moved_together() -> None:
    text = "def f(x):\n    import math\n    y = 1\n\n    def g():\n        pass\n\n    return g\n"
    fn = lower_function(parse_module(text), "f")
    assert fn is not None
    load, _, inner, end = fn.body
    moved = (load, end, inner, Assign((x,), Const(1)))
    assert emit_block(moved, text).text == (
        "import math\n\nreturn g\n\ndef g():\n    pass\n\nx = 1\n"
    )


def test_elif_becomes_if_where_it_stands_alone() -> None:
    text = (
        "def f(x):\n    if x:\n        y = 1\n    elif x > 2:  # two\n        y = 2\n    return y\n"
    )
    fn = lower_function(parse_module(text), "f")
    assert fn is not None
    outer = fn.body[0]
    assert isinstance(outer, If)
    branch = outer.orelse[0]
    assert isinstance(branch, If)
    alone = replace(branch, is_elif=False)
    assert emit_block((alone,), text).text == "if x > 2:  # two\n    y = 2\n"
    nested = replace(outer, orelse=(Note("no"), alone))
    assert (
        "else:\n    # no\n    if x > 2:  # two\n        y = 2\n" in emit_block((nested,), text).text
    )


def test_statements_of_ours_for_every_kind() -> None:
    body = (
        Assign((x, Name("y")), Const(0.0)),
        AugAssign(x, "operator.matmul", x),
        ir.While(x, (Keep("break", "break"),), (Keep("pass", "pass"),)),
        Return(ir.Tuple((x, x))),
        Return(ir.Tuple((x,))),
        Return(None),
    )
    assert emit_block(body, "").text == (
        "x = y = 0.0\nx @= x\nwhile x:\n    break\nelse:\n    pass\nreturn x, x\nreturn (x,)\nreturn\n"
    )


REWRITTEN = """\
def f(z):
    # the probability
    p = (1.0 / (1.0 + np.exp(-z))) + z  # of y
    q = p + (p * p)  # squared, with a comment so long that there is no room for it beside the statement

    # the end
    return (q)
"""


def test_comments_stay_with_a_statement_that_is_taken_apart() -> None:
    fn = lower_function(parse_module(REWRITTEN), "f")
    assert fn is not None
    p, q, end = fn.body
    exp_z = Assign((Name("exp_z"),), Name("e"), p.origin, made=True)
    body = (exp_z, *(replace(s, verbatim=False) for s in (p, q, end)))
    back = Assign((Name("p_bar"),), Name("q_bar"), p.origin, made=True)
    text = emit_function(replace(fn, body=(*body, Note("Backward pass"), back)), REWRITTEN).text
    assert text == (
        "def f(z):\n"
        "    # the probability\n"
        "    exp_z = e\n"
        "    p = (1.0 / (1.0 + np.exp(-z))) + z  # of y\n"
        "    # squared, with a comment so long that there is no room for it beside the statement\n"
        "    q = p + (p * p)\n"
        "\n"
        "    # the end\n"
        "    return q\n"
        "    # Backward pass\n"
        "    p_bar = q_bar\n"
    )


def test_a_long_message_of_ours() -> None:
    said = 'raise ValueError("a_function_with_a_long_name does not return a scalar: use its vjp")'
    body = (If(x, (Keep("raise", said, made=True),)),)
    assert emit_block(body, "").text == (
        "if x:\n    raise ValueError(\n        "
        '"a_function_with_a_long_name does not return a scalar: use its vjp"\n    )\n'
    )


def test_a_function_of_another_module_takes_the_spelling_of_this_one() -> None:
    text = "import numpy as xp\n\nA = 1.0\n\n\ndef f(x):\n    y = x  # same\n    return xp.sin(y)  # sine\n"
    fn = lower_function(parse_module(text, name="other"), "f")
    assert fn is not None
    spell = Spelling({"np": "numpy"})
    assert emit_function(fn, text, spell=spell).text == (
        "def f(x):\n    y = x  # same\n    return np.sin(y)  # sine\n"
    )


def test_a_local_that_hides_a_module() -> None:
    text = "def f(np):\n    return np\n"
    fn = lower_function(parse_module(text), "f")
    assert fn is not None
    made = replace(fn, body=(Return(Call("numpy.exp", (Name("np"),))),))
    spell = Spelling({"np": "numpy"})
    assert emit_function(made, text, spell=spell).text == "def f(np):\n    return numpy.exp(np)\n"
    assert spell.missing == ["import numpy"]
    assert spell("numpy.exp") == "np.exp"
