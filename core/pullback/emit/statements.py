"""From statements to lines: the user's as they were written, ours in the style of ruff.

May not know: what a derivative is; where the lines will go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pullback import ir
from pullback.emit import source_lines as own
from pullback.emit.expressions import OPERATORS, Speller, bare
from pullback.emit.forms import Chain, Form
from pullback.emit.layout import Doc, columns, render
from pullback.emit.style import assigned, expression, target_alone, target_of_several, value
from pullback.ir.marks import INSERT
from pullback.lower import FORMULA, lower_expression

WIDTH = 88
_DEFINITION = re.compile(r"(async\s+def|def|class|@)\b|@")
_IMPORT = re.compile(r"(import|from)\b")
_AT = {"operator.add": "numpy.add.at", "operator.sub": "numpy.subtract.at"}
_ELSE = re.compile(r"else\s*:\s*(#.*)?\Z")


@dataclass
class Page:
    """Lines being written, each with the span that it comes from."""

    speller: Speller
    step: str = "    "
    width: int = WIDTH
    lines: list[str] = field(default_factory=list)
    spans: list[ir.Span | None] = field(default_factory=list)

    def put(self, text: str, margin: str, span: ir.Span | None) -> None:
        """Add the lines of `text`, the first one after `margin`, the others as they are."""
        for i, line in enumerate(text.split("\n")):
            self.lines.append(margin + line if i == 0 and line else line)
            self.spans.append(span)

    def layout(self, doc: Doc, margin: str, span: ir.Span | None) -> None:
        indent = len(margin.expandtabs(4))
        step = len(self.step.expandtabs(4))
        first, *rest = render(doc, self.width, indent, step)
        self.put(first, margin, span)
        for line in rest:
            body = line.lstrip(" ")
            extra = (len(line) - len(body) - indent) // step
            self.put(body, margin + self.step * extra, span)

    def comment(self, text: str, margin: str, since: int) -> None:
        """A comment that ends the statement which begins at line `since`, or stands above where it is too long."""
        one = since == len(self.lines) - 1
        if one and columns(self.lines[-1].expandtabs(4)) + 2 + columns(text) <= self.width:
            self.lines[-1] += f"  {text}"
            return
        self.lines.insert(since, margin + text)
        self.spans.insert(since, self.spans[since])

    def blank(self) -> None:
        if self.lines and self.lines[-1]:
            self.put("", "", None)


def block(page: Page, statements: ir.Block, margin: str, *, follows_header: bool = False) -> None:
    """The statements of one block; `follows_header` when the user's own header stands above them."""
    if not statements:
        page.put("pass", margin, None)
    elif isinstance(statements[0], ir.Define) and not page.lines[-1].lstrip().startswith("def "):
        page.blank()
    previous: ir.Stmt | None = None
    margins = [margin]
    for i, s in enumerate(statements):
        margin = margins[-1]
        if _is_end(s):
            margins = margins[:-1] or margins
            continue
        if previous is not None and not _adjacent(page, previous, s):
            _space(page, previous, s)
        if _begins(statements, i):
            apart = not isinstance(previous, ir.Note) if previous is not None else follows_header
            _above(page, s, margin, blank=apart)
        statement(page, s, margin)
        previous = s
        if isinstance(s, ir.Keep) and s.kind == "with":
            margins.append(margin + page.step)
            if all(map(_is_end, statements[i + 1 : i + 2])):
                page.put("pass", margins[-1], None)
    if previous is not None and _is_own(previous) and previous.origin is not None:
        for line in own.lines_below(page.speller.text, previous.origin.start, previous.origin.end):
            page.put(line, margin, previous.origin)


def _is_end(s: ir.Stmt) -> bool:
    return isinstance(s, ir.Keep) and s.kind == "end with"


def statement(page: Page, s: ir.Stmt, margin: str) -> None:
    """One statement, with its blocks."""
    since = len(page.lines)
    _STATEMENTS[type(s)](page, s, margin)
    printed = not s.verbatim or not page.speller.holds(s)
    changed = printed and not s.made and not ir.blocks(s)
    if changed and s.origin is not None and not isinstance(s, ir.Note):
        comment = own.comment_after(page.speller.text, s.origin.end)
        if comment:
            page.comment(comment, margin, since)


def _begins(statements: ir.Block, at: int) -> bool:
    """Whether what one statement of the user became begins here: itself, or ours that serve it."""
    origin = statements[at].origin
    if origin is None or (at and statements[at - 1].origin == origin):
        return False
    for s in statements[at:]:
        if s.origin != origin:
            return False
        if not s.made and not isinstance(s, ir.Note):
            return True
    return False


def _is_own(s: ir.Stmt) -> bool:
    return s.verbatim and not s.made and s.origin is not None


def _above(page: Page, s: ir.Stmt, margin: str, *, blank: bool) -> None:
    if s.origin is None:
        return
    lines = own.lines_above(page.speller.text, s.origin.start)
    if not blank or page.lines[-1:] == [""]:
        while lines and not lines[0]:
            lines.pop(0)
    for line in lines:
        page.put(line, margin, s.origin)


def _space(page: Page, previous: ir.Stmt, s: ir.Stmt) -> None:
    """The blank lines that ruff wants around imports and definitions."""
    if (
        _is_definition(previous)
        or _is_definition(s)
        or (_is_import(previous) and not _is_import(s))
    ):
        page.blank()


def _adjacent(page: Page, previous: ir.Stmt, s: ir.Stmt) -> bool:
    """Whether the user wrote these two one after the other."""
    if not (_is_own(previous) and _is_own(s)) or previous.origin is None or s.origin is None:
        return False
    between = page.speller.text[previous.origin.end : s.origin.start]
    return all(b.lstrip(" \t;")[:1] in ("", "#") for b in between.splitlines())


def _is_definition(s: ir.Stmt) -> bool:
    written = isinstance(s, (ir.Keep, ir.Barrier)) and bool(_DEFINITION.match(s.text))
    return written or isinstance(s, ir.Define)


def _is_import(s: ir.Stmt) -> bool:
    return isinstance(s, (ir.Keep, ir.Barrier)) and bool(_IMPORT.match(s.text))


# --- simple statements ----------------------------------------------------------------------------


def _verbatim(page: Page, s: ir.Stmt, margin: str) -> bool:
    """Print the user's own text, if it still says what `s` says."""
    if not _is_own(s) or s.origin is None or not page.speller.holds(s):
        return False
    text = page.speller.text
    written = own.own_text(text, s.origin.start, s.origin.end)
    page.put(own.reindent(written, own.margin_at(text, s.origin.start), margin), margin, s.origin)
    return True


def _assign(page: Page, s: ir.Assign, margin: str) -> None:
    if _verbatim(page, s, margin):
        return
    *first, last = (_bare(page, t) for t in s.targets)
    chain: list[Doc] = []
    for i, t in enumerate(first):
        chain += [target_of_several(t) if i else target_alone(t), " = "]
    doc = assigned(last, " = ", _bare(page, s.value), chained=bool(first))
    page.layout((*chain, doc), margin, s.origin)


def _bare(page: Page, e: ir.Expr) -> Form:
    return bare(page.speller.form(e))


def _aug_assign(page: Page, s: ir.AugAssign, margin: str) -> None:
    if _verbatim(page, s, margin):
        return
    if s.repeats and isinstance(s.target, ir.Call):
        call = ir.Call(_AT[s.op], (*s.target.args, s.value))
        page.layout(expression(page.speller.form(call), None), margin, s.origin)
        return
    target = page.speller.form(s.target)
    doc = assigned(target, f" {OPERATORS[s.op]}= ", _bare(page, s.value))
    page.layout(doc, margin, s.origin)


def _expr(page: Page, s: ir.ExprStmt, margin: str) -> None:
    if _verbatim(page, s, margin):
        return
    form = page.speller.form(s.value)
    doc = value(form) if isinstance(form, Chain) else expression(form, None)
    page.layout(doc, margin, s.origin)


def _return(page: Page, s: ir.Return, margin: str) -> None:
    if _verbatim(page, s, margin):
        return
    if s.value is None:
        page.put("return", margin, s.origin)
        return
    page.layout(("return ", value(_bare(page, s.value))), margin, s.origin)


def _kept(page: Page, s: ir.Keep | ir.Barrier, margin: str) -> None:
    if _verbatim(page, s, margin):
        return
    if s.made and s.text.startswith("raise "):
        page.layout(("raise ", expression(_own_form(page, s.text[6:]), None)), margin, s.origin)
        return
    old = "" if s.origin is None or s.made else own.margin_at(page.speller.text, s.origin.start)
    page.put(own.reindent(page.speller.spelled(s.text), old, margin), margin, s.origin)


def _own_form(page: Page, text: str) -> Form:
    """The form of an expression that we wrote as text."""
    return replace(page.speller, text=text).form(lower_expression(text, FORMULA))


def _note(page: Page, s: ir.Note, margin: str) -> None:
    page.put(f"# {s.text}", margin, s.origin)


# --- compound statements --------------------------------------------------------------------------


def _if(page: Page, s: ir.If, margin: str) -> None:
    word = "elif" if s.is_elif else "if"
    _header(page, s, margin, word, lambda: (f"{word} ", value(page.speller.form(s.test)), ":"))
    block(page, s.body, margin + page.step, follows_header=_is_own(s))
    if len(s.orelse) == 1 and isinstance(s.orelse[0], ir.If) and s.orelse[0].is_elif:
        branch = s.orelse[0]
        if _is_own(branch):
            _above(page, branch, margin, blank=True)
        _if(page, branch, margin)
        return
    _else(page, s, margin)


def _for(page: Page, s: ir.For, margin: str) -> None:
    def made() -> Doc:
        return (
            "for ",
            target_alone(_bare(page, s.target)),
            " in ",
            value(_bare(page, s.iter)),
            ":",
        )

    _header(page, s, margin, "for", made)
    block(page, s.body, margin + page.step, follows_header=_is_own(s))
    _else(page, s, margin)


def _while(page: Page, s: ir.While, margin: str) -> None:
    _header(page, s, margin, "while", lambda: ("while ", value(page.speller.form(s.test)), ":"))
    block(page, s.body, margin + page.step, follows_header=_is_own(s))
    _else(page, s, margin)


def _header(
    page: Page, s: ir.If | ir.For | ir.While, margin: str, word: str, made: Callable[[], Doc]
) -> None:
    text = page.speller.text
    if not _is_own(s) or s.origin is None or not page.speller.holds(s):
        page.layout(made(), margin, s.origin)
        return
    written = own.own_text(text, s.origin.start, own.header_end(text, s.origin.start))
    written = re.sub(r"\A(el)?if\b", word, written) if isinstance(s, ir.If) else written
    page.put(own.reindent(written, own.margin_at(text, s.origin.start), margin), margin, s.origin)


def _else(page: Page, s: ir.If | ir.For | ir.While, margin: str) -> None:
    if not s.orelse:
        return
    above, comment = _own_else(page, s)
    for line in above:
        page.put(line, margin, s.origin)
    page.put("else:" + comment, margin, s.origin)
    block(page, s.orelse, margin + page.step, follows_header=_is_own(s))


def _own_else(page: Page, s: ir.If | ir.For | ir.While) -> tuple[list[str], str]:
    """The comments above the user's `else:` and after it."""
    last, first = (s.body[-1:] or (None,))[0], s.orelse[0]
    if last is None or not (_is_own(s) and _is_own(last) and _is_own(first)):
        return [], ""
    if last.origin is None or first.origin is None:
        return [], ""
    text = page.speller.text
    ended = own.lines_below(text, last.origin.start, last.origin.end)
    gap = text[last.origin.end : first.origin.start].split("\n")[1:]
    above: list[str] = []
    for line in gap[len(ended) :]:
        found = _ELSE.match(line.strip())
        if found:
            return above, f"  {found[1]}" if found[1] else ""
        if line.strip().startswith("#"):
            above.append(line.strip())
        elif line.strip():
            above = []  # what stood here was left out, and its comments with it
    return [], ""


def _insert(page: Page, s: ir.Insert, margin: str) -> None:
    """As the user may write it: no derivative has one."""
    over = ir.Call(INSERT, (s.name,))
    _for(page, ir.For(ir.Name(s.bar), over, s.body, origin=s.origin), margin)


def _define(page: Page, s: ir.Define, margin: str) -> None:
    names = [("*" if isinstance(p, ir.Star) else "") + "".join(ir.bound(p)) for p in s.params]
    params = ", ".join([*names, *(f"{n}={n}" for n in s.held)])
    page.put(f"def {s.name}({params}):", margin, s.origin)
    block(page, s.body, margin + page.step)


_STATEMENTS: dict[type, Callable[..., None]] = {
    ir.Assign: _assign,
    ir.AugAssign: _aug_assign,
    ir.ExprStmt: _expr,
    ir.Return: _return,
    ir.Keep: _kept,
    ir.Barrier: _kept,
    ir.Note: _note,
    ir.If: _if,
    ir.For: _for,
    ir.While: _while,
    ir.Insert: _insert,
    ir.Define: _define,
}
