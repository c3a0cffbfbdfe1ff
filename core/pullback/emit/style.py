"""Where a form may break over lines, and how: the style of `ruff format`.

Each function gives the document of one kind of form. `level` says what encloses it: None (no bracket,
so nothing may break but inside brackets of its own), INSIDE (brackets), or the number of a group of
optional parentheses, which become real where nothing else makes the expression fit.

May not know: the IR, the user's file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pullback.emit.forms import (
    Apply,
    Atom,
    Attr,
    Chain,
    Choice,
    Display,
    Form,
    Pair,
    Paren,
    Prefix,
    SliceForm,
    Subscript,
)
from pullback.emit.layout import (
    HARD,
    SOFT,
    SPACE,
    BestFit,
    Choose,
    Doc,
    Expandable,
    Group,
    IfBroken,
    Indent,
    Line,
    one_line,
)
from pullback.emit.parentheses import by_own_brackets, is_fluent, left_spine, needs

INSIDE = -1
Level = int | None

_ids = iter(range(1, 2**62))


def expression(form: Form, level: Level = INSIDE) -> Doc:
    """The document of `form` at `level`."""
    return _DOCS[type(form)](form, level)


def value(form: Form) -> Doc:
    """The document of an expression that ends a statement or a header: parentheses come where they help."""
    if isinstance(form, Display) and not form.left:
        return _bare(form)
    need = needs(form)
    if need == "never":
        return expression(form, None)
    if need == "best":
        id = next(_ids)
        return BestFit(expression(form, id), id)
    if by_own_brackets(form):
        id = next(_ids)
        return Group(
            (
                IfBroken("("),
                Indent((SOFT, expression(form, id)), when=id),
                SOFT,
                IfBroken(")"),
            ),
            id,
        )
    return _if_expands(expression(form))


def assigned(target: Form, op: str, form: Form, *, chained: bool = False) -> Doc:
    """`target op value`: a target in brackets of its own breaks only where nothing else helps.

    `chained` where another target stands before.
    """
    left = target_of_several(target) if chained else target_alone(target)
    breaks = chained or _has_brackets(target)
    whole = isinstance(form, (Atom, Attr, Apply, Subscript)) and needs(form) == "best"
    if not (breaks and whole):
        return (left, op, value(form))
    flat = one_line(left)
    right = expression(form, None)
    wrapped: Doc = (flat, op, "(", Indent((HARD, right)), HARD, ")")
    plain = () if isinstance(form, Atom) else ((flat, op, right),)
    return Choose(((flat, op, right), *plain, wrapped, (left, op, right)))


def target_alone(target: Form) -> Doc:
    return value(target) if _is_bare(target) else expression(target, None)


def target_of_several(target: Form) -> Doc:
    """A target that follows another one: in parentheses where it does not fit."""
    if _has_brackets(target) or _is_bare(target):
        return target_alone(target)
    return _if_expands(expression(target))


def _is_bare(form: Form) -> bool:
    return isinstance(form, Display) and not form.left


def _has_brackets(target: Form) -> bool:
    return isinstance(target, (Subscript, Display))


def _if_expands(content: Doc) -> Doc:
    return Group((IfBroken("("), Indent((SOFT, content)), SOFT, IfBroken(")")))


def _bare(form: Display) -> Doc:
    if len(form.items) == 1:
        return (expression(form.items[0], None), ",")
    return _if_expands(sequence(form.items))


def bracket(left: str, content: Doc, right: str, level: Level) -> Doc:
    inner: Doc = (Indent((SOFT, content)), SOFT)
    if level is None or level == INSIDE:
        return Group((left, inner, right))
    return Expandable(left, inner, right, level)


def line(level: Level, space: bool) -> Doc:
    """A break that exists only inside brackets."""
    if level is None:
        return " " if space else ""
    if level == INSIDE:
        return SPACE if space else SOFT
    return IfBroken(Line(space), " " if space else "", of=level)


def group(content: Doc, level: Level) -> Doc:
    if level is None:
        return content
    return Group(content) if level == INSIDE else Group(content, when=level)


def sequence(items: tuple[Form, ...], comma: bool = False) -> Doc:
    """Items with commas; one after the last where lines break, after a single item only if `comma`."""
    parts: list[Doc] = []
    for i, item in enumerate(items):
        parts += [(",", SPACE) if i else "", expression(item)]
    return (*parts, IfBroken(",")) if comma or len(items) > 1 else tuple(parts)


# --- one kind of form each ------------------------------------------------------------------------


def _atom(form: Atom, level: Level) -> Doc:
    return form.text


def _paren(form: Paren, level: Level) -> Doc:
    return bracket("(", expression(form.inner), ")", level)


def _display(form: Display, level: Level) -> Doc:
    if not form.items:
        return form.left + form.right
    if form.left == "(" and len(form.items) == 1:
        content: Doc = (expression(form.items[0]), ",")
        return bracket("(", content, ")", level)
    return bracket(form.left, sequence(form.items), form.right, level)


def _pair(form: Pair, level: Level) -> Doc:
    if form.sep == ": ":
        return Group((expression(form.key), form.sep, expression(form.value)))
    return (expression(form.key), form.sep, expression(form.value))


def _prefix(form: Prefix, level: Level) -> Doc:
    return (form.op, expression(form.operand, level))


def _slice(form: SliceForm, level: Level) -> Doc:
    parts = (form.lower, form.upper, form.step)
    gap = "" if all(p is None or _is_simple_bound(p) for p in parts) else " "
    doc: list[Doc] = []
    if form.lower is not None:
        doc += [expression(form.lower), gap]
    doc.append(":")
    if form.upper is not None:
        doc += [gap, expression(form.upper)]
    if form.step is not None:
        doc += [gap if form.upper is not None else "", ":", gap, expression(form.step)]
    return tuple(doc)


def _is_simple_bound(form: Form) -> bool:
    if isinstance(form, Prefix):
        return form.op != "not " and _is_simple_bound(form.operand)
    return isinstance(form, Atom) and form.kind != "raw"


def _choice(form: Choice, level: Level) -> Doc:
    parts: list[Doc] = [expression(form.body, level)]
    rest: Form = form
    while isinstance(rest, Choice):
        parts += [
            line(level, True),
            "if ",
            expression(rest.test, level),
            line(level, True),
            "else ",
        ]
        rest = rest.orelse
        head = rest.body if isinstance(rest, Choice) else rest
        parts.append(expression(head, level))
    return group(tuple(parts), level)


# --- operators ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Flat:
    """Operands and operators in a row, of all precedences at once."""

    operands: list[Form] = field(default_factory=list)
    ops: list[tuple[str, int]] = field(default_factory=list)

    def add(self, form: Form) -> None:
        spine = left_spine(form)
        self.operands.append(spine[-1])
        for chain in reversed(spine[:-1]):
            assert isinstance(chain, Chain)
            for op, operand in zip(chain.ops, chain.operands[1:]):
                self.ops.append((op, chain.binding))
                self.add(operand)

    def part(self, start: int, end: int) -> _Flat:
        return _Flat(self.operands[start : end + 1], self.ops[start:end])


def _chain(form: Chain, level: Level) -> Doc:
    flat = _Flat()
    flat.add(form)
    return group(_operations(flat, level), level)


def _operations(flat: _Flat, level: Level) -> Doc:
    lowest = min(binding for _, binding in flat.ops)
    parts: list[Doc] = []
    start = 0
    for i, (op, op_binding) in enumerate(flat.ops):
        if op_binding != lowest:
            continue
        left = flat.part(start, i)
        hugs = op == "**" and _is_simple_power(left.operands[-1], flat.operands[i + 1])
        parts += [_operand(left, level), line(level, not hugs), op]
        parts.append(_power_gap(level) if hugs else " ")
        start = i + 1
    parts.append(_operand(flat.part(start, len(flat.ops)), level))
    return tuple(parts)


def _power_gap(level: Level) -> Doc:
    if level is None:
        return ""
    return IfBroken(" ") if level == INSIDE else IfBroken(" ", of=level)


def _operand(flat: _Flat, level: Level) -> Doc:
    if not flat.ops:
        return expression(flat.operands[0], level)
    return group(_operations(flat, level), level)


def _is_simple_power(base: Form, exponent: Form) -> bool:
    return _is_simple_operand(base) and _is_simple_operand(exponent)


def _is_simple_operand(form: Form) -> bool:
    """A name, a number, their attributes, each with a sign or without."""
    if isinstance(form, Prefix):
        return form.op != "not " and _is_simple_operand(form.operand)
    if isinstance(form, Attr):
        owner = form.value.inner if isinstance(form.value, Paren) else form.value
        return _is_simple_operand(owner)
    return isinstance(form, Atom) and form.kind in ("name", "number", "word") and form.text != "..."


# --- chains of calls, subscripts, attributes ------------------------------------------------------


def _arguments(args: tuple[Form, ...], level: Level) -> Doc:
    if not args:
        return "()"
    if (
        len(args) == 1
        and isinstance(args[0], Atom)
        and args[0].kind == "raw"
        and args[0].text[:1] == "("
    ):
        return args[0].text
    return bracket("(", Group(sequence(args)), ")", level)


def _link(form: Form, level: Level) -> Doc:
    """A whole chain; over lines it breaks before its dots where it has two calls or more."""
    fluent = level is not None and is_fluent(form)
    doc = _linked(form, level, fluent)
    return Group(doc) if fluent else doc


def _linked(form: Form, level: Level, fluent: bool) -> Doc:
    if isinstance(form, Attr):
        called = isinstance(form.value, (Apply, Subscript, Paren))
        gap = line(level, False) if fluent and called else ""
        return (_linked(form.value, level, fluent), gap, ".", form.name)
    if isinstance(form, Apply):
        return (_linked(form.func, level, fluent), _arguments(form.args, level))
    if isinstance(form, Subscript):
        return (_linked(form.value, level, fluent), _index(form, level))
    return expression(form, level)


def _index(form: Subscript, level: Level) -> Doc:
    if form.comma:
        return bracket("[", (expression(form.items[0]), ","), "]", level)
    if len(form.items) > 1:
        return bracket("[", Group(sequence(form.items)), "]", level)
    return bracket("[", expression(form.items[0]), "]", level)


_DOCS: dict[type, Callable[..., Doc]] = {
    Atom: _atom,
    Attr: _link,
    Apply: _link,
    Subscript: _link,
    SliceForm: _slice,
    Prefix: _prefix,
    Chain: _chain,
    Choice: _choice,
    Display: _display,
    Pair: _pair,
    Paren: _paren,
}
