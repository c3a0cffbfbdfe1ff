"""Rules as a mathematician writes them, in plain text: `∂y/∂x = 1 − y²`, `ā = ȳ bᵀ`.

May not know: how rules are applied, where they are shown.
"""

from __future__ import annotations

import ast
import re

from pullback.rules import STRUCTURAL, table

_OR, _AND, _COMPARE, _SUM, _PRODUCT, _POWER, _ATOM = range(7)  # how tightly a text is bound
_MARKS = {"_bar": "\u0304", "_dot": "\u0307"}
_POWERS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_BETWEEN = {ast.Add: " + ", ast.Sub: " − ", ast.Mult: " · ", ast.MatMult: " ", ast.Div: " / "}
_COMPARED = {
    ast.Eq: "=",
    ast.NotEq: "≠",
    ast.Lt: "<",
    ast.LtE: "≤",
    ast.Gt: ">",
    ast.GtE: "≥",
    ast.In: "∈",
}
_LIBRARY = re.compile(r"\b(?:np|math|scipy)\.(?:\w+\.)*")
_TRANSPOSED, _INVERSE = "ᵀ", "⁻¹"


def _transposes(e: ast.Call) -> bool:
    """Whether `e` is `np.swapaxes(a, -1, -2)`: the transpose of each matrix of a stack."""
    function, *axes = (ast.unparse(x) for x in (e.func, *e.args[1:]))
    return function == "np.swapaxes" and axes == ["-1", "-2"]


def mathematical(fn: str) -> str:
    """The derivative of a function of the table, a line for each parameter; "" where that says nothing."""
    rule = None if fn in STRUCTURAL else table().get(fn)
    if rule is None:
        return ""
    partial = rule.kind == "elementwise"
    lines = []
    for name, formula in rule.reverse.items():
        left = f"∂y/∂{name}" if partial else _marked(f"{name}_bar")
        lines += _cases(left, ast.parse(formula, mode="eval").body)
    return "\n".join(lines)


def _cases(left: str, formula: ast.expr) -> list[str]:
    """One line for each branch of a conditional formula; a helper of ours has no notation."""
    if isinstance(formula, ast.IfExp):
        first = [f"{line}  if {_text(formula.test)}" for line in _cases(left, formula.body)]
        return first + _cases(left, formula.orelse)
    if isinstance(formula, ast.Call) and _name(formula.func).startswith("_"):
        return []
    return [f"{left} = {_text(formula)}"]


def _text(e: ast.expr) -> str:
    return _bound(e)[0]


def _bound(e: ast.expr) -> tuple[str, int]:
    """A formula, and how tightly its text is bound."""
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Pow):
        return _power(e)
    if isinstance(e, ast.BinOp) and type(e.op) in _BETWEEN:
        level = _SUM if isinstance(e.op, (ast.Add, ast.Sub)) else _PRODUCT
        right = level if isinstance(e.op, (ast.Add, ast.Mult, ast.MatMult)) else level + 1
        return _at(e.left, level) + _BETWEEN[type(e.op)] + _at(e.right, right), level
    if isinstance(e, ast.UnaryOp):
        word = {ast.USub: "−", ast.Not: "not "}.get(type(e.op), "")
        return word + _at(e.operand, _PRODUCT), _PRODUCT
    if isinstance(e, ast.Compare):
        parts = [_at(e.left, _SUM)]
        for op, other in zip(e.ops, e.comparators):
            parts += [_COMPARED.get(type(op), "is"), _at(other, _SUM)]
        return " ".join(parts), _COMPARE
    if isinstance(e, ast.BoolOp):
        word, level = (" and ", _AND) if isinstance(e.op, ast.And) else (" or ", _OR)
        return word.join(_at(v, level + 1) for v in e.values), level
    if isinstance(e, ast.Call) and _transposes(e):
        return _at(e.args[0], _ATOM) + _TRANSPOSED, _ATOM
    if isinstance(e, ast.Call):
        return _call(e)
    if isinstance(e, ast.Attribute) and e.attr in ("T", "mT"):
        return _at(e.value, _ATOM) + _TRANSPOSED, _ATOM
    if isinstance(e, (ast.Name, ast.Attribute)):
        return _marked(_name(e)), _ATOM
    if isinstance(e, ast.Constant) and isinstance(e.value, float) and e.value.is_integer():
        return str(int(e.value)), _ATOM
    return _LIBRARY.sub("", ast.unparse(e)), _ATOM


def _at(e: ast.expr, level: int) -> str:
    text, own = _bound(e)
    return text if own >= level else f"({text})"


def _power(e: ast.BinOp) -> tuple[str, int]:
    exponent = _text(e.right)
    if exponent.lstrip("-−").isdigit():
        return _at(e.left, _ATOM) + exponent.replace("−", "-").translate(_POWERS), _POWER
    return f"{_at(e.left, _ATOM)}^{_at(e.right, _ATOM)}", _POWER


def _call(e: ast.Call) -> tuple[str, int]:
    name = _name(e.func).rpartition(".")[2]
    parts = [_text(a) for a in e.args]
    if name == "sqrt":
        return f"√{_at(e.args[0], _ATOM)}", _ATOM
    if name in ("conj", "conjugate"):
        return f"{_at(e.args[0], _ATOM)}*", _ATOM
    if name in ("abs", "absolute"):
        return f"|{parts[0]}|", _ATOM
    if name == "inv":
        return _at(e.args[0], _ATOM) + _INVERSE, _ATOM
    if name == "solve":
        return f"{_at(e.args[0], _ATOM)}{_INVERSE} {_at(e.args[1], _PRODUCT)}", _PRODUCT
    if name == "outer":
        return f"{_at(e.args[0], _ATOM)} ⊗ {_at(e.args[1], _ATOM)}", _PRODUCT
    parts += [f"{k.arg}={_text(k.value)}" for k in e.keywords]
    return f"{name}({', '.join(parts)})", _ATOM


def _name(e: ast.expr) -> str:
    return ast.unparse(e)


def _marked(name: str) -> str:
    """`x_bar` as x̄, `x_dot` as ẋ; what belongs to a library by its last word."""
    last = name.rpartition(".")[2] if name.startswith(("np.", "math.", "scipy.")) else name
    for ending, mark in _MARKS.items():
        stem = last.removesuffix(ending)
        if stem != last and stem:
            return stem[0] + mark + stem[1:]
    return "π" if last == "pi" else last
