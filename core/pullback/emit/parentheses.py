"""Whether a value that is too long gets parentheses around all of it, or breaks inside brackets of its own.

May not know: the IR, documents, widths.
"""

from __future__ import annotations

from pullback.emit.forms import (
    BINARY,
    TIGHT,
    Apply,
    Atom,
    Attr,
    Chain,
    Choice,
    Display,
    Form,
    Paren,
    Prefix,
    Subscript,
)


def is_fluent(form: Form) -> bool:
    """Two attributes of something called, indexed or in parentheses."""
    count = 0
    while True:
        if isinstance(form, Attr):
            count += isinstance(form.value, (Apply, Subscript, Paren))
            form = form.value
        elif isinstance(form, Apply):
            form = form.func
        elif isinstance(form, Subscript):
            form = form.value
        else:
            return count >= 2
        if isinstance(form, Paren):
            return count >= 2


def left_spine(form: Form) -> list[Form]:
    """`form`, its first operand, that one's first operand and so on, down to what is no operation."""
    spine = [form]
    while isinstance(form, Chain):
        form = form.operands[0]
        spine.append(form)
    return spine


def needs(form: Form) -> str:
    """Parentheses around a value that is too long: "lines" (add them), "best" (where they help), "never"."""
    if isinstance(form, Atom):
        if form.kind == "raw":
            return "lines" if form.binding < TIGHT else "never"
        return "never" if "\n" in form.text else "best"
    if isinstance(form, (Chain, Choice)):
        return "lines"
    if isinstance(form, Prefix):
        return "never" if isinstance(form.operand, Paren) else needs(form.operand)
    if isinstance(form, (Attr, Apply, Subscript)):
        return _link_needs(form)
    return "never"


def _link_needs(form: Attr | Apply | Subscript) -> str:
    if is_fluent(form):
        return "lines"
    inner = form.func if isinstance(form, Apply) else form.value
    if isinstance(inner, Paren):
        return "never"
    return needs(inner)


def by_own_brackets(form: Form) -> bool:
    """Whether breaking inside the brackets of `form` is tried before parentheses around all of it."""
    seen = _Seen()
    seen.visit(form)
    if not seen.brackets or seen.count > 1:
        return False
    if seen.loosest in (None, "."):
        return True
    return _ends_in_brackets(seen.last) or _ends_in_brackets(seen.first)


def _ends_in_brackets(form: Form | None) -> bool:
    if isinstance(form, Apply):
        return bool(form.args)
    if isinstance(form, Display):
        return bool(form.items)
    return isinstance(form, Paren)


class _Seen:
    """The loosest operator outside brackets, how often it stands there, and what is first and last."""

    ranks: tuple[str, ...] = (
        "if",
        "bool",
        "compare",
        "|",
        "^",
        "&",
        "<<",
        "+",
        "*",
        "~",
        "**",
        ".",
    )

    def __init__(self) -> None:
        self.brackets = False
        self.loosest: str | None = None
        self.count = 0
        self.first: Form | None = None
        self.started = False
        self.last: Form | None = None

    def operator(self, rank: str, count: int = 1) -> None:
        if self.loosest is None or self.ranks.index(rank) < self.ranks.index(self.loosest):
            self.loosest, self.count = rank, count
        elif rank == self.loosest:
            self.count += count

    def visit_inner(self, form: Form) -> None:
        self.last = form
        if isinstance(form, Paren):
            self.brackets = True
        else:
            self.visit(form)
        if not self.started:
            self.started, self.first = True, form

    def visit(self, form: Form) -> None:
        if isinstance(form, Display) and form.left:
            self.brackets = True
        elif isinstance(form, Chain):
            *chains, first = left_spine(form)
            self.visit_inner(first)
            for chain in reversed(chains):
                assert isinstance(chain, Chain)
                self.operator(_rank(chain), len(chain.ops))
                for operand in chain.operands[1:]:
                    self.visit_inner(operand)
        elif isinstance(form, Choice):
            self.operator("if", 2)
            for part in (form.body, form.test, form.orelse):
                self.visit_inner(part)
        elif isinstance(form, (Apply, Subscript)):
            self.brackets = True
            self.visit_inner(form.func if isinstance(form, Apply) else form.value)
            self.last = form
        elif isinstance(form, Attr):
            self.visit_inner(form.value)
            if isinstance(form.value, (Apply, Subscript, Paren)) or _is_display(form.value):
                self.operator(".")
            self.last = form
        elif isinstance(form, Prefix):
            if form.op == "~":
                self.operator("~")
            self.started = True
            self.visit_inner(form.operand)


def _is_display(form: Form) -> bool:
    return isinstance(form, Display) and bool(form.left)


def _rank(form: Chain) -> str:
    op = form.ops[0]
    if op in ("and", "or"):
        return "bool"
    if op not in BINARY:
        return "compare"
    return {"-": "+", "/": "*", "//": "*", "%": "*", "@": "*", ">>": "<<"}.get(op, op)
