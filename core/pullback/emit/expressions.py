"""From what is computed to how it is spelled: an ir expression as a form.

Parentheses come from precedence, never from the source; literals and names keep the user's spelling
where their origin still shows it.

May not know: lines and their width, statements.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from pullback import ir
from pullback.emit.forms import (
    AND,
    BINARY,
    BIT_OR,
    COMPARE,
    CONDITIONAL,
    LAMBDA,
    NOT,
    OR,
    POWER,
    SIGN,
    STATEMENT,
    SUM,
    TIGHT,
    Apply,
    Atom,
    Attr,
    Chain,
    Choice,
    Display,
    Form,
    Pair,
    Prefix,
    SliceForm,
    Subscript,
    binding,
    bracketed,
    dotted,
    tight,
)
from pullback.emit.source_lines import joined
from pullback.ir.words import spelled

Spell = Callable[[str], str]  # qualified name -> how this module writes it

OPERATORS = {
    "operator.add": "+",
    "operator.sub": "-",
    "operator.mul": "*",
    "operator.truediv": "/",
    "operator.floordiv": "//",
    "operator.mod": "%",
    "operator.pow": "**",
    "operator.matmul": "@",
    "operator.and_": "&",
    "operator.or_": "|",
    "operator.xor": "^",
    "operator.lshift": "<<",
    "operator.rshift": ">>",
}
_SIGNS = {"operator.neg": "-", "operator.pos": "+", "operator.invert": "~", "operator.not_": "not "}

# Constructs kept as text that bind less tightly than a name.
_LOOSE = {
    "lambda": LAMBDA,
    "named-expression": STATEMENT,
    "yield": STATEMENT,
    "yield-from": STATEMENT,
    "await": SIGN,
}


@dataclass(frozen=True)
class Speller:
    """What spelling an expression takes: the text that origins point into, and the names of modules.

    `own` says that `text` is the text of the module that is written for, so that its names hold there.
    """

    text: str
    spell: Spell
    own: bool = True

    def form(self, e: ir.Expr) -> Form:
        return _FORMS[type(e)](self, e)

    def at_least(self, e: ir.Expr, least: int) -> Form:
        return tight(self.form(e), least)

    def operand(self, e: ir.Expr, least: int, whole: ir.Expr, form: Form | None = None) -> Form:
        """An operand of `whole`, in the parentheses that it needs or that the user gave it."""
        form = form or self.form(e)
        loose = isinstance(form, (Chain, Choice, Prefix))
        return bracketed(form) if loose and self.grouped(e, whole) else tight(form, least)

    def grouped(self, e: ir.Expr, whole: ir.Expr) -> bool:
        """Whether parentheses stand around `e` inside of `whole` in the source."""
        if e.origin is None or whole.origin is None:
            return False
        before = self.text[whole.origin.start : e.origin.start].rstrip()
        after = self.text[e.origin.end : whole.origin.end].lstrip()
        return before.endswith("(") and after.startswith(")")

    def name(self, e: ir.Ref) -> str:
        """A name from outside: as the user wrote it, if the user wrote it here."""
        if self.own and e.text and "".join(self.source(e.origin).split()) == e.text:
            return e.text
        return self.spell(e.qualname)

    def spelled(self, text: str) -> str:
        """Code that is kept as text, with the names of other modules as this one writes them."""
        return spelled(text, self.spell)

    def holds(self, s: ir.Stmt) -> bool:
        """Whether the names in the user's text of `s` mean here what they meant there."""
        if self.own:
            return True
        nodes = (s, *(n for e in ir.stmt_exprs(s) for n in ir.walk(e)))
        kept = (n for n in nodes if isinstance(n, (ir.Keep, ir.Barrier, ir.Opaque)))
        refs = (r for e in ir.stmt_exprs(s) for r in _refs(e))
        return all(self.name(r) == r.text for r in refs) and all(
            self.spelled(k.text) == self.source(k.origin) for k in kept
        )

    def source(self, origin: ir.Span | None) -> str:
        return "" if origin is None else self.text[origin.start : origin.end]


def _refs(e: ir.Expr) -> Iterator[ir.Ref]:
    for n in ir.walk(e):
        if isinstance(n, ir.Ref):
            yield n
        elif isinstance(n, ir.Call) and isinstance(n.callee, ir.Ref) and not ir.written_behind(n):
            yield n.callee


# --- leaves ---------------------------------------------------------------------------------------


def _const(sp: Speller, e: ir.Const) -> Form:
    written = sp.source(e.origin)
    if "\n" not in written and _is_literal(written, e.value):
        return _literal(written, e.value)
    minus = written.startswith("-") and isinstance(e.value, (int, float, complex))
    if minus and _is_literal(written[1:].lstrip(), -e.value):
        return Prefix("-", _literal(written[1:].lstrip(), -e.value))
    return _number_or_text(sp, e.value)


def _is_literal(text: str, value: Any) -> bool:
    """Whether `text` is a literal of this very value (an origin may have outlived a change)."""
    if not text or text[0].isspace() or text[0] in "([{+-":
        return False
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return type(found) is type(value) and repr(found) == repr(value)


def _literal(text: str, value: Any) -> Form:
    if isinstance(value, (str, bytes)):
        return Atom(text, "text")
    if value is None or value is Ellipsis or isinstance(value, bool):
        return Atom(text, "word")
    return Atom(text, "number")


def _number_or_text(sp: Speller, value: Any) -> Form:
    if value is Ellipsis:
        return Atom("...", "word")
    if isinstance(value, (str, bytes)):
        return Atom(quoted(value), "text")
    if value is None or isinstance(value, bool):
        return Atom(repr(value), "word")
    if isinstance(value, complex):
        return _complex(sp, value)
    if isinstance(value, float) and not math.isfinite(value):
        return _not_finite(sp, value)
    if math.copysign(1.0, value) < 0:
        return Prefix("-", _number_or_text(sp, -value))
    return Atom(repr(value), "number")


def _complex(sp: Speller, value: complex) -> Form:
    if not (math.isfinite(value.real) and math.isfinite(value.imag)):
        return Apply(
            Atom("complex"), tuple(_number_or_text(sp, v) for v in (value.real, value.imag))
        )
    unit = Atom(repr(complex(0.0, abs(value.imag))), "number")
    minus = math.copysign(1.0, value.imag) < 0
    if value.real == 0 and (math.copysign(1.0, value.real) < 0) == minus:
        return Prefix("-", unit) if minus else unit
    return Chain((_number_or_text(sp, value.real), unit), ("-" if minus else "+",), SUM)


def _not_finite(sp: Speller, value: float) -> Form:
    if math.isnan(value):
        return dotted(sp.spell("numpy.nan"))
    infinity = dotted(sp.spell("numpy.inf"))
    return Prefix("-", infinity) if value < 0 else infinity


def quoted(value: str | bytes) -> str:
    """The literal of a string, in double quotes unless that takes more escapes."""
    text = repr(value)
    prefix = "b" if isinstance(value, bytes) else ""
    body = text[len(prefix) :]
    if body[0] == '"' or '"' in body:
        return text
    return f'{prefix}"{body[1:-1]}"'


def _name(sp: Speller, e: ir.Name) -> Form:
    return Atom(e.id)


def _ref(sp: Speller, e: ir.Ref) -> Form:
    return dotted(sp.name(e))


def _opaque(sp: Speller, e: ir.Opaque) -> Form:
    return Atom(joined(sp.spelled(e.text)), "raw", _LOOSE.get(e.kind, TIGHT))


# --- calls ----------------------------------------------------------------------------------------


def _call(sp: Speller, e: ir.Call) -> Form:
    if _is_binary(e):
        return _power(sp, e) if e.fn == "operator.pow" else _binary(sp, e)
    if e.fn in _SIGNS and len(e.args) == 1:
        return _sign(sp, _SIGNS[e.fn], e.args[0])
    if e.fn == "operator.getitem":
        return _getitem(sp, e.args[0], e.args[1])
    if e.fn.startswith("attr."):
        return Attr(_owner(sp, e.args[0]), e.fn[len("attr.") :])
    if e.fn.startswith("method."):
        method = Attr(_owner(sp, e.args[0]), e.fn[len("method.") :])
        return Apply(method, _arguments(sp, e.args[1:], e.kwargs))
    behind = ir.written_behind(e)
    if behind:
        return _behind(sp, e, behind)
    return Apply(_callee(sp, e), _arguments(sp, e.args, e.kwargs))


def _behind(sp: Speller, e: ir.Call, text: str) -> Form:
    """A method of a known class, or its property, on its receiver."""
    name = text.strip(".()")
    owner = _owner(sp, e.args[0])
    form = Attr(owner, name) if name else owner
    return Apply(form, _arguments(sp, e.args[1:], e.kwargs)) if text.endswith("()") else form


def _callee(sp: Speller, e: ir.Call) -> Form:
    if e.fn == "?" and e.callee is not None:
        return sp.at_least(e.callee, TIGHT)
    if e.fn.startswith("<helper>."):
        return Atom(e.fn[len("<helper>.") :])
    if isinstance(e.callee, ir.Ref) and e.callee.qualname == e.fn:
        return _ref(sp, e.callee)
    if isinstance(e.callee, ir.Name):
        return Atom(e.callee.id)
    return dotted(sp.spell(e.fn))


def _owner(sp: Speller, e: ir.Expr) -> Form:
    """A receiver: something that a dot may follow."""
    form = sp.at_least(e, TIGHT)
    if isinstance(form, Atom) and form.kind == "number":
        return bracketed(form)
    return form


def _arguments(
    sp: Speller, args: tuple[ir.Expr, ...], kwargs: tuple[tuple[str, ir.Expr], ...]
) -> tuple[Form, ...]:
    forms = [sp.at_least(a, LAMBDA) for a in args]
    for name, value in kwargs:
        if name == "**":
            forms.append(Prefix("**", sp.at_least(value, BIT_OR)))
        else:
            forms.append(Pair(Atom(name), "=", sp.at_least(value, LAMBDA)))
    return tuple(forms)


def _is_binary(e: ir.Expr) -> TypeGuard[ir.Call]:
    return isinstance(e, ir.Call) and e.fn in OPERATORS and len(e.args) == 2 and not e.kwargs


def _power(sp: Speller, e: ir.Call) -> Form:
    exponent = sp.form(e.args[1])
    least = SIGN if isinstance(exponent, Prefix) else POWER + 1
    return Chain((sp.at_least(e.args[0], POWER + 1), tight(exponent, least)), ("**",), POWER)


def _binary(sp: Speller, e: ir.Call) -> Form:
    """A binary operation; those to its left are met in a loop, as sums may be very long."""
    spine: list[ir.Call] = []
    left: ir.Expr = e
    while _is_binary(left) and left.fn != "operator.pow":
        spine.append(left)
        left = left.args[0]
    form = sp.form(left)
    for call in reversed(spine):
        op = OPERATORS[call.fn]
        level = BINARY[op]
        first = sp.operand(call.args[0], level, call, form)
        form = Chain((first, sp.operand(call.args[1], level + 1, call)), (op,), level)
    return form


def _sign(sp: Speller, op: str, operand: ir.Expr) -> Form:
    negated = {"in": "not in", "is": "is not"}
    if op == "not " and isinstance(operand, ir.Compare) and operand.ops[0] in negated:
        if len(operand.ops) == 1:
            return _compare(sp, replace(operand, ops=(negated[operand.ops[0]],)))
    form = sp.at_least(operand, NOT if op == "not " else POWER + 1)
    # A power after a sign gets parentheses that Python does not need, as ruff and readers like it.
    return Prefix(op, bracketed(form) if binding(form) == POWER else form)


def _getitem(sp: Speller, value: ir.Expr, index: ir.Expr) -> Form:
    owner = sp.at_least(value, TIGHT)
    if isinstance(index, ir.Tuple) and index.kind == "tuple" and index.items:
        items = tuple(sp.at_least(i, LAMBDA) for i in index.items)
        if any(isinstance(i, ir.Star) for i in index.items):  # bare, only from Python 3.11 on
            return Subscript(owner, (Display("(", items, ")"),))
        return Subscript(owner, items, comma=len(items) == 1)
    return Subscript(owner, (sp.at_least(index, LAMBDA),))


# --- the rest -------------------------------------------------------------------------------------


def _compare(sp: Speller, e: ir.Compare) -> Form:
    operands = tuple(sp.operand(x, COMPARE + 1, e) for x in (e.first, *e.rest))
    return Chain(operands, e.ops, COMPARE)


def _bool(sp: Speller, e: ir.BoolOp) -> Form:
    level = AND if e.op == "and" else OR
    operands = tuple(sp.operand(v, level + 1, e) for v in e.values)
    return Chain(operands, (e.op,) * (len(operands) - 1), level)


def _choice(sp: Speller, e: ir.IfExp) -> Form:
    return Choice(
        sp.at_least(e.body, CONDITIONAL + 1),
        sp.at_least(e.test, CONDITIONAL + 1),
        sp.at_least(e.orelse, LAMBDA),
    )


def _tuple(sp: Speller, e: ir.Tuple) -> Form:
    items = tuple(sp.at_least(i, LAMBDA) for i in e.items)
    return Display("[", items, "]") if e.kind == "list" else Display("(", items, ")")


def _dict(sp: Speller, e: ir.Dict) -> Form:
    items: list[Form] = []
    for key, value in zip(e.keys, e.values):
        if key is None:
            items.append(Prefix("**", sp.at_least(value, BIT_OR)))
        else:
            items.append(Pair(sp.at_least(key, LAMBDA), ": ", sp.at_least(value, LAMBDA)))
    return Display("{", tuple(items), "}")


def _slice(sp: Speller, e: ir.Slice) -> Form:
    lower, upper, step = (
        None if p is None else sp.at_least(p, LAMBDA) for p in (e.lower, e.upper, e.step)
    )
    return SliceForm(lower, upper, step)


def _star(sp: Speller, e: ir.Star) -> Form:
    return Prefix("*", sp.at_least(e.value, BIT_OR))


_FORMS: dict[type, Callable[..., Form]] = {
    ir.Const: _const,
    ir.Name: _name,
    ir.Ref: _ref,
    ir.Call: _call,
    ir.Compare: _compare,
    ir.BoolOp: _bool,
    ir.IfExp: _choice,
    ir.Tuple: _tuple,
    ir.Dict: _dict,
    ir.Slice: _slice,
    ir.Star: _star,
    ir.Opaque: _opaque,
}


def bare(form: Form) -> Form:
    """A tuple without its parentheses, as a statement writes it; a tuple of one keeps them."""
    if isinstance(form, Display) and form.left == "(" and len(form.items) > 1:
        return replace(form, left="", right="")
    return form
