"""From a function to its text, with the span behind each line.

May not know: where the text will stand.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from pullback import ir
from pullback.emit import source_lines as own
from pullback.emit.expressions import Spell, Speller
from pullback.emit.forms import Atom, Form
from pullback.emit.layout import Doc, Group, one_line
from pullback.emit.spelling import Spelling
from pullback.emit.statements import WIDTH, Page, block
from pullback.emit.style import bracket, expression, sequence, value


@dataclass(frozen=True)
class Emitted:
    """`text` ends with a newline; `lines` has one entry a line: the span in the primal, None for our frame."""

    text: str
    lines: tuple[ir.Span | None, ...]


def emit_function(
    fn: ir.Function, module_text: str, *, header: str | None = None, spell: Spell | None = None
) -> Emitted:
    """The text of `fn` at the left margin, under the comment line `header`.

    `module_text` is what origins point into. `spell` says how the module that the text is for writes a
    qualified name; without it, as a module that imports nothing would after adding what it needs.
    """
    step, margin = indentation(fn, module_text)
    width = WIDTH - len(margin.expandtabs(4)) if "." in fn.qualname else WIDTH
    spell = spell or Spelling({})
    if isinstance(spell, Spelling):
        spell = spell.inside(_locals(fn))
    page = Page(Speller(module_text, spell, own=not fn.module), step, width)
    if header is not None:
        page.put(header if header.startswith("#") else f"# {header}", "", None)
    for decorator in fn.decorators:
        page.put(decorator if decorator.startswith("@") else f"@{decorator}", "", None)
    page.layout(_definition(fn, page.speller), "", None)
    said, body = _own_docstring(fn)
    if fn.docstring is not None and said != fn.docstring:
        page.put(_docstring(fn.docstring), step, None)
    else:
        body = fn.body
    if body or fn.docstring is None:
        block(page, body, step)
    return _emitted(page)


def emit_block(
    statements: ir.Block, module_text: str, *, spell: Spell | None = None, step: str = "    "
) -> Emitted:
    """The text of some statements at the left margin."""
    page = Page(Speller(module_text, spell or Spelling({})), step)
    block(page, statements, "")
    return _emitted(page)


def emit_expression(
    e: ir.Expr, module_text: str = "", spell: Callable[[str], str] | None = None
) -> str:
    """The text of `e` on one line."""
    return one_line(expression(Speller(module_text, spell or Spelling({})).form(e)))


def _locals(fn: ir.Function) -> set[str]:
    """The names that mean something of the function's own."""
    found = {p.name for p in fn.params}
    for s in ir.statements(fn.body):
        if isinstance(s, ir.Assign):
            found |= {n for t in s.targets for n in ir.bound(t)}
        elif isinstance(s, ir.For):
            found |= ir.bound(s.target)
        elif isinstance(s, ir.Define):
            found |= {s.name, *(n for p in s.params for n in ir.bound(p))}
        elif isinstance(s, (ir.Keep, ir.Barrier)):
            found |= set(s.writes) if s.kind != "import" else set()
    return found


def _emitted(page: Page) -> Emitted:
    return Emitted("\n".join(page.lines) + "\n", tuple(page.spans))


def indentation(fn: ir.Function, text: str) -> tuple[str, str]:
    """One step of the function's indentation, and the margin of its `def` line."""
    if fn.origin is None or fn.name_span is None or not text:
        return "    ", ""
    margin = own.margin_at(text, fn.origin.start)
    inner = own.first_margin(text, own.header_end(text, fn.name_span.start))
    if len(inner) > len(margin) and inner.startswith(margin):
        return inner[len(margin) :], margin
    return "    ", margin


def _definition(fn: ir.Function, speller: Speller) -> Doc:
    word = "async def" if "async" in fn.flags else "def"
    items = tuple(_parameters(fn.params, speller))
    params = bracket("(", Group(sequence(items, comma=True)), ")", None) if items else "()"
    returns: Doc = (" -> ", value(Atom(fn.returns, "raw"))) if fn.returns else ""
    return (f"{word} {fn.name}", params, returns, ":")


def _parameters(params: tuple[ir.Param, ...], speller: Speller) -> list[Form]:
    forms: list[Form] = []
    starred = False
    for i, p in enumerate(params):
        if i and params[i - 1].kind == "positional-only" != p.kind:
            forms.append(Atom("/"))
        if p.kind == "keyword-only" and not starred:
            forms.append(Atom("*"))
        starred = starred or p.kind in ("keyword-only", "var-positional")
        forms.append(Atom(speller.spelled(_parameter(p))))
    if params and params[-1].kind == "positional-only":
        forms.append(Atom("/"))
    return forms


def _parameter(p: ir.Param) -> str:
    text = {"var-positional": "*", "var-keyword": "**"}.get(p.kind, "") + p.name
    if p.annotation is not None:
        text += f": {p.annotation}"
    if p.default is not None:
        text += f" = {p.default}" if p.annotation is not None else f"={p.default}"
    return text


def _own_docstring(fn: ir.Function) -> tuple[str | None, ir.Block]:
    """The docstring that stands in the body, and the body without it."""
    first = fn.body[0] if fn.body else None
    if not isinstance(first, ir.Keep) or first.kind != "docstring":
        return None, fn.body
    try:
        return str(ast.literal_eval(first.text)), fn.body[1:]
    except (ValueError, SyntaxError):
        return None, fn.body[1:]


def _docstring(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if escaped.endswith('"'):
        escaped = escaped[:-1] + '\\"'
    return f'"""{escaped}"""'
