"""Expressions as they are spelled: names, dots, brackets, operators, parentheses.

Between the IR, which says what is computed, and the layout, which says where lines end. A form knows
how tightly it binds, and nothing of lines.

May not know: the IR, line widths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

# How tightly a form binds, from the loosest.
STATEMENT, LAMBDA, CONDITIONAL, OR, AND, NOT, COMPARE = range(7)
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, SIGN, POWER, AWAIT, TIGHT = range(7, 17)

BINARY = {
    "|": BIT_OR,
    "^": BIT_XOR,
    "&": BIT_AND,
    "<<": SHIFT,
    ">>": SHIFT,
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    "//": PRODUCT,
    "%": PRODUCT,
    "@": PRODUCT,
    "**": POWER,
}


@dataclass(frozen=True)
class Atom:
    """One token, or text that is kept as it is. `kind`: "name", "number", "text" (strings) or "raw"."""

    text: str
    kind: str = "name"
    binding: int = TIGHT


@dataclass(frozen=True)
class Attr:
    value: Form
    name: str


@dataclass(frozen=True)
class Apply:
    """A call; `args` are forms, Keyword and Prefix("*") forms."""

    func: Form
    args: tuple[Form, ...]


@dataclass(frozen=True)
class Subscript:
    """`value[a, b]`; `comma` for a tuple of one index."""

    value: Form
    items: tuple[Form, ...]
    comma: bool = False


@dataclass(frozen=True)
class SliceForm:
    lower: Form | None
    upper: Form | None
    step: Form | None


@dataclass(frozen=True)
class Prefix:
    """`-x`, `~x`, `not x`, `*x`, `**x`: the operator with its space, if it has one."""

    op: str
    operand: Form


@dataclass(frozen=True)
class Chain:
    """Operands with operators between them: binary operations (two operands), comparisons, `and`, `or`."""

    operands: tuple[Form, ...]
    ops: tuple[str, ...]
    binding: int


@dataclass(frozen=True)
class Choice:
    """`body if test else orelse`"""

    body: Form
    test: Form
    orelse: Form


@dataclass(frozen=True)
class Display:
    """`(a, b)`, `[a, b]`, `{a: b}`; brackets "" for a tuple that stands bare."""

    left: str
    items: tuple[Form, ...]
    right: str


@dataclass(frozen=True)
class Pair:
    """`key: value` in a dict, `name=value` in a call: `sep` is ": " or "="."""

    key: Form
    sep: str
    value: Form


@dataclass(frozen=True)
class Paren:
    inner: Form


Form = Union[
    Atom, Attr, Apply, Subscript, SliceForm, Prefix, Chain, Choice, Display, Pair, Paren
]  # fmt: skip


def binding(form: Form) -> int:
    if isinstance(form, (Atom, Chain)):
        return form.binding
    if isinstance(form, Choice):
        return CONDITIONAL
    if isinstance(form, Prefix):
        return {"not ": NOT, "*": LAMBDA, "**": LAMBDA}.get(form.op, SIGN)
    if isinstance(form, Display) and not form.left:
        return STATEMENT
    return TIGHT


def tight(form: Form, least: int) -> Form:
    """`form`, in parentheses where it binds less tightly than `least`."""
    return form if binding(form) >= least else bracketed(form)


def bracketed(form: Form) -> Form:
    if isinstance(form, Display) and not form.left:
        return Display("(", form.items, ")")
    return Paren(form)


def dotted(text: str) -> Form:
    """The form of a dotted name."""
    head, *rest = text.split(".")
    form: Form = Atom(head)
    for name in rest:
        form = Attr(form, name)
    return form
