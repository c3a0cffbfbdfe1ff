"""What an expression looks like: IR -> text."""

from __future__ import annotations

import pytest

from pullback import ir
from pullback.emit import Spelling, emit_expression
from pullback.ir import (
    BoolOp,
    Call,
    Compare,
    Const,
    Dict,
    IfExp,
    Name,
    Opaque,
    Ref,
    Slice,
    Span,
    Star,
    Tuple,
)

a, b, c, i = Name("a"), Name("b"), Name("c"), Name("i")


def op(name: str, *args: ir.Expr) -> Call:
    return Call(f"operator.{name}", args)


def item(value: ir.Expr, index: ir.Expr) -> Call:
    return op("getitem", value, index)


CASES = [
    # precedence and associativity
    (op("mul", op("add", a, b), c), "(a + b) * c"),
    (op("add", op("mul", a, b), c), "a * b + c"),
    (op("sub", a, op("sub", b, c)), "a - (b - c)"),
    (op("sub", op("sub", a, b), c), "a - b - c"),
    (op("truediv", a, op("mul", b, c)), "a / (b * c)"),
    (op("matmul", a, op("matmul", b, c)), "a @ (b @ c)"),
    (op("floordiv", op("mod", a, b), c), "a % b // c"),
    (op("pow", op("pow", a, b), c), "(a**b) ** c"),
    (op("pow", a, op("pow", b, c)), "a ** (b**c)"),
    (op("pow", op("neg", a), Const(2)), "(-a) ** 2"),
    (op("neg", op("pow", a, Const(2))), "-(a**2)"),
    (op("neg", op("mul", a, b)), "-(a * b)"),
    (op("mul", op("neg", a), b), "-a * b"),
    (op("mul", a, op("neg", b)), "a * -b"),
    (op("neg", op("neg", a)), "-(-a)"),
    (op("and_", op("or_", a, b), op("xor", b, c)), "(a | b) & (b ^ c)"),
    (op("lshift", op("add", a, b), c), "a + b << c"),
    (op("invert", a), "~a"),
    # powers hug plain operands only
    (op("pow", a, Const(2)), "a**2"),
    (op("pow", a, op("neg", Const(1))), "a**-1"),
    (op("pow", a, Const(-0.5)), "a**-0.5"),
    (op("pow", Call("attr.T", (a,)), Const(2)), "a.T**2"),
    (op("pow", item(a, i), Const(2)), "a[i] ** 2"),
    (op("pow", a, op("sub", b, Const(1))), "a ** (b - 1)"),
    # literals
    (Const(2.0), "2.0"),
    (Const(1e-9), "1e-09"),
    (Const(-3), "-3"),
    (Const(2j), "2j"),
    (Const(-2j), "-2j"),
    (Const(1 - 2j), "1.0 - 2j"),
    (op("mul", a, Const(1 + 2j)), "a * (1.0 + 2j)"),
    (Const(float("inf")), "np.inf"),
    (Const(float("-inf")), "-np.inf"),
    (Const(float("nan")), "np.nan"),
    (Const(None), "None"),
    (Const(True), "True"),
    (Const(Ellipsis), "..."),
    (Const("it's"), '"it\'s"'),
    (Const('a "b"'), "'a \"b\"'"),
    (Const("line\n"), '"line\\n"'),
    (Const(b"ab"), 'b"ab"'),
    (op("sub", a, Const(-1.0)), "a - -1.0"),
    (op("pow", Const(-2.0), a), "(-2.0) ** a"),
    # subscripts
    (item(a, i), "a[i]"),
    (item(a, Tuple((i, b))), "a[i, b]"),
    (item(a, Tuple((i,))), "a[i,]"),
    (item(a, Tuple(())), "a[()]"),
    (item(a, Tuple((i, b), "list")), "a[[i, b]]"),
    (item(a, Slice(None, None, None)), "a[:]"),
    (item(a, Slice(Const(1), Const(-1), None)), "a[1:-1]"),
    (item(a, Slice(None, None, Const(-1))), "a[::-1]"),
    (item(a, Slice(None, op("neg", i), None)), "a[:-i]"),
    (item(a, Slice(op("add", i, Const(1)), None, None)), "a[i + 1 :]"),
    (item(a, Slice(None, op("sub", i, Const(1)), None)), "a[: i - 1]"),
    (item(a, Slice(op("add", i, b), None, Const(2))), "a[i + b :: 2]"),
    (item(a, Slice(i, op("add", i, b), c)), "a[i : i + b : c]"),
    (item(a, Tuple((Const(Ellipsis), Const(None), Slice(None, i, None)))), "a[..., None, :i]"),
    (item(op("add", a, b), i), "(a + b)[i]"),
    # calls, attributes, methods
    (Call("numpy.exp", (op("neg", a),)), "np.exp(-a)"),
    (Call("numpy.linalg.solve", (a, b)), "np.linalg.solve(a, b)"),
    (Call("math.log", (a,)), "math.log(a)"),
    (Call("scipy.special.digamma", (a,)), "scipy.special.digamma(a)"),
    (Call("builtins.len", (a,)), "len(a)"),
    (Call(".mix", (a, b)), "mix(a, b)"),
    (Call("<helper>._unbroadcast", (a, b)), "_unbroadcast(a, b)"),
    (Call("method.sum", (a,), (("axis", Const(0)),)), "a.sum(axis=0)"),
    (Call("method.sum", (op("mul", a, b),)), "(a * b).sum()"),
    (Call("attr.T", (op("matmul", a, b),)), "(a @ b).T"),
    (Call("attr.real", (Const(1),)), "(1).real"),
    (Call("?", (a,), callee=item(b, i)), "b[i](a)"),
    (Call("?", (a,), callee=Opaque("lambda", "lambda x: x")), "(lambda x: x)(a)"),
    (Call("builtins.max", (Star(a),), (("**", b),)), "max(*a, **b)"),
    (Call("builtins.sum", (Opaque("generator", "(x for x in a)"),)), "sum(x for x in a)"),
    (Call("builtins.sum", (Opaque("generator", "(x for x in a)"), b)), "sum((x for x in a), b)"),
    # tests and choices
    (Compare(a, ("<", "is not"), (b, Const(None))), "a < b is not None"),
    (Compare(Compare(a, ("<",), (b,)), ("==",), (c,)), "(a < b) == c"),
    (BoolOp("or", (BoolOp("and", (a, b)), c)), "a and b or c"),
    (BoolOp("and", (BoolOp("or", (a, b)), op("not_", c))), "(a or b) and not c"),
    (op("not_", Compare(a, ("in",), (b,))), "a not in b"),
    (op("not_", Compare(a, ("<",), (b,))), "not a < b"),
    (op("not_", BoolOp("or", (a, b))), "not (a or b)"),
    (IfExp(a, b, IfExp(c, a, b)), "b if a else a if c else b"),
    (IfExp(IfExp(a, b, c), b, c), "b if (b if a else c) else c"),
    (op("add", IfExp(a, b, c), c), "(b if a else c) + c"),
    # displays
    (Tuple(()), "()"),
    (Tuple((a,)), "(a,)"),
    (Tuple((a, b)), "(a, b)"),
    (Tuple((a, Star(b)), "list"), "[a, *b]"),
    (Dict((Const("k"), None), (a, b)), '{"k": a, **b}'),
    (Dict((), ()), "{}"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "text"), CASES, ids=[t for _, t in CASES])
def test_text(expression: ir.Expr, text: str) -> None:
    assert emit_expression(expression) == text


def at(text: str, part: str) -> Span:
    return Span(text.index(part), text.index(part) + len(part))


def test_literals_keep_the_users_spelling() -> None:
    text = "y = 1e-3 + 0x10 + 1_000 + 'q'"
    for value, part in [(1e-3, "1e-3"), (16, "0x10"), (1000, "1_000"), ("q", "'q'")]:
        assert emit_expression(Const(value, at(text, part)), text) == part


def test_a_literal_that_was_changed_does_not_print_its_origin() -> None:
    text = "y = 1e-3"
    assert emit_expression(Const(2.0, at(text, "1e-3")), text) == "2.0"
    assert emit_expression(Const(1, at("y = 1.0", "1.0")), "y = 1.0") == "1"


def test_names_of_modules_keep_the_users_spelling() -> None:
    text = "y = xp.exp(x) + mod.SCALE"
    call = Call("numpy.exp", (a,), callee=Ref("numpy.exp", "xp.exp", at(text, "xp.exp")))
    assert emit_expression(call, text) == "xp.exp(a)"
    assert (
        emit_expression(Ref("other.SCALE", "mod.SCALE", at(text, "mod.SCALE")), text) == "mod.SCALE"
    )


def test_a_formulas_own_spelling_is_not_the_modules() -> None:
    call = Call("numpy.exp", (a,), callee=Ref("numpy.exp", "np.exp"))
    assert emit_expression(call, "", Spelling({"numpy": "numpy"})) == "numpy.exp(a)"


def test_a_function_that_was_replaced_does_not_print_its_old_callee() -> None:
    text = "y = np.sin(x)"
    call = Call("numpy.cos", (a,), callee=Ref("numpy.sin", "np.sin", at(text, "np.sin")))
    assert emit_expression(call, text) == "np.cos(a)"
