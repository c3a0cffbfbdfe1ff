"""Text back to IR, for expressions that our own printer wrote: the other half of a round trip."""

from __future__ import annotations

import ast

from pullback import ir

BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and_", ast.BitOr: "or_",
    ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "not_"}
COMPARE = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
MODULES = {"np": "numpy", "math": "math", "scipy": "scipy"}
GLOBALS = {"len": "builtins.len", "mix": ".mix", "_unbroadcast": "<helper>._unbroadcast"}


def read(text: str) -> ir.Expr:
    return _expr(ast.parse(text.strip(), mode="eval").body)


def _expr(n: ast.expr) -> ir.Expr:
    if isinstance(n, ast.Constant):
        return ir.Const(n.value)
    if isinstance(n, ast.Name):
        return ir.Name(n.id)
    if isinstance(n, ast.BinOp):
        return ir.Call(f"operator.{BINARY[type(n.op)]}", (_expr(n.left), _expr(n.right)))
    if isinstance(n, ast.UnaryOp):
        return ir.Call(f"operator.{UNARY[type(n.op)]}", (_expr(n.operand),))
    if isinstance(n, ast.Compare):
        ops = tuple(COMPARE[type(o)] for o in n.ops)
        return ir.Compare(_expr(n.left), ops, tuple(map(_expr, n.comparators)))
    if isinstance(n, ast.BoolOp):
        return ir.BoolOp("and" if isinstance(n.op, ast.And) else "or", tuple(map(_expr, n.values)))
    if isinstance(n, ast.IfExp):
        return ir.IfExp(_expr(n.test), _expr(n.body), _expr(n.orelse))
    if isinstance(n, (ast.Tuple, ast.List)):
        return ir.Tuple(tuple(map(_expr, n.elts)), "tuple" if isinstance(n, ast.Tuple) else "list")
    if isinstance(n, ast.Dict):
        keys = tuple(None if k is None else _expr(k) for k in n.keys)
        return ir.Dict(keys, tuple(map(_expr, n.values)))
    if isinstance(n, ast.Slice):
        return ir.Slice(*(None if p is None else _expr(p) for p in (n.lower, n.upper, n.step)))
    if isinstance(n, ast.Subscript):
        return ir.Call("operator.getitem", (_expr(n.value), _expr(n.slice)))
    if isinstance(n, ast.Attribute):
        return ir.Call(f"attr.{n.attr}", (_expr(n.value),))
    assert isinstance(n, ast.Call), ast.dump(n)
    return _call(n)


def _call(n: ast.Call) -> ir.Expr:
    args = tuple(map(_expr, n.args))
    kwargs = tuple((k.arg or "**", _expr(k.value)) for k in n.keywords)
    head, _, rest = _dotted(n.func).partition(".")
    if isinstance(n.func, ast.Name):
        return ir.Call(GLOBALS[n.func.id], args, kwargs)
    if head in MODULES:
        return ir.Call(f"{MODULES[head]}.{rest}", args, kwargs)
    assert isinstance(n.func, ast.Attribute)
    return ir.Call(f"method.{n.func.attr}", (_expr(n.func.value), *args), kwargs)


def _dotted(n: ast.expr) -> str:
    if isinstance(n, ast.Attribute):
        owner = _dotted(n.value)
        return f"{owner}.{n.attr}" if owner else ""
    return n.id if isinstance(n, ast.Name) else ""
