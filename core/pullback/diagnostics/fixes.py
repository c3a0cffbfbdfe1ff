"""How quick fixes change a text: each function gives the edits that mend a report, none where it cannot.

They read the few expressions that a report names, as text, and know nothing else of the program.

May not know: analyses, how a fix is offered.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable

from pullback.diagnostics.entry import Edits, Place
from pullback.ir import Span
from pullback.source.edits import Edit
from pullback.source.pragmas import closest
from pullback.source.text import UTF8, Lines

# where a dtype stands among the positional arguments of what makes arrays
_DTYPE = {
    "numpy.array": 1, "numpy.asarray": 1, "numpy.zeros": 1, "numpy.ones": 1, "numpy.empty": 1,
    "numpy.zeros_like": 1, "numpy.ones_like": 1, "numpy.empty_like": 1,
    "numpy.full": 2, "numpy.full_like": 2, "numpy.arange": 3,
}  # fmt: skip
# what may be followed by `.copy()` as it is
_PRIMARY = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def copied(place: Place) -> Edits:
    """`.copy()` behind each expression of role "made"; none where a binding is not an expression."""
    if place.spans("bound"):
        return ()
    return tuple(e for at in place.spans("made") for e in _copy(place, at))


def _copy(place: Place, at: Span) -> Edits:
    value = _expression(place.said(at))
    if isinstance(value, _PRIMARY):
        return (Edit(Span(at.end, at.end), ".copy()"),)
    return (Edit(Span(at.start, at.start), "("), Edit(Span(at.end, at.end), ").copy()"))


def annotated(kind: str) -> Callable[[Place], Edits]:
    """An annotation at the parameters of that role: `float`, or a dotted name such as `numpy.ndarray`."""

    def edits(place: Place) -> Edits:
        spelled = _spelled(kind, place)
        if spelled is None:
            return ()
        return tuple(e for at in place.spans("parameter") for e in _annotation(place, at, spelled))

    return edits


def _annotation(place: Place, at: Span, spelled: str) -> Edits:
    behind = place.text[at.end :]
    rest = behind.lstrip()
    if rest.startswith(":"):
        return ()
    if not rest.startswith("="):
        return (Edit(Span(at.end, at.end), f": {spelled}"),)
    # an annotated default has spaces around its `=`
    start = at.end + len(behind) - len(rest)
    after = start + 1 + len(rest[1:]) - len(rest[1:].lstrip(" "))
    return (Edit(Span(at.end, after), f": {spelled} = "),)


def _spelled(kind: str, place: Place) -> str | None:
    """How the module writes a dotted name, the last word unchanged; None where it imports nothing for it."""
    module, _, name = kind.rpartition(".")
    if not module:
        return kind
    for word, meaning in place.imports.items():
        if meaning == kind and word == name:
            return word
        if meaning == module:
            return f"{word}.{name}"
    return None


def with_dtype(dtype: str) -> Callable[[Place], Edits]:
    """`dtype=float` (or another) in each call of role "made", or in what is reported itself."""

    def edits(place: Place) -> Edits:
        found = [_with_dtype(place, at, dtype) for at in place.spans("made") or (place.span,)]
        return tuple(e for edits in found for e in edits) if all(found) else ()

    return edits


def _with_dtype(place: Place, at: Span, dtype: str) -> Edits:
    text = place.said(at)
    call = _expression(text)
    if not isinstance(call, ast.Call):
        return ()
    where = _dtype_position(call, place)
    plain = not any(isinstance(a, ast.Starred) for a in call.args)
    if where is None or not plain or not (call.args or call.keywords):
        return ()
    given = [k.value for k in call.keywords if k.arg == "dtype"] or call.args[where : where + 1]
    if given:
        span = _span(text, given[0])
        return (Edit(Span(at.start + span.start, at.start + span.end), dtype),)
    last, comma = _last_argument(text)
    there = at.start + last
    return (Edit(Span(there, there), f" dtype={dtype}" if comma else f", dtype={dtype}"),)


def _dtype_position(call: ast.Call, place: Place) -> int | None:
    if isinstance(call.func, ast.Attribute) and call.func.attr == "astype":
        return 0
    head, dot, rest = ast.unparse(call.func).partition(".")
    return _DTYPE.get(place.imports.get(head, head) + dot + rest)


def _last_argument(call: str) -> tuple[int, bool]:
    """Where the last token before a call's closing parenthesis ends, and whether it is a comma."""
    skipped = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER)
    tokens = tokenize.generate_tokens(io.StringIO(f"({call}\n)").readline)
    *_, last, _, _ = [t for t in tokens if t.type not in skipped]
    line, column = last.end
    return Lines(f"({call}").offset(line - 1, column) - 1, last.string == ","


def respelled(place: Place) -> Edits:
    """The first word of a `# pullback:` comment as the known one that is close to it."""
    found = re.match(r"#\s*pullback:\s*([\w-]+)", place.said(place.span))
    word = None if found is None else closest(found[1])
    if found is None or word in (None, found[1]):
        return ()
    return (Edit(Span(place.span.start + found.start(1), place.span.start + found.end(1)), word),)


def without_line(place: Place) -> Edits:
    """What is reported goes, with the rest of its line."""
    start = place.text.rfind("\n", 0, place.span.start) + 1
    end = place.text.find("\n", place.span.end) + 1
    return (Edit(Span(start, end or len(place.text)), ""),)


def _expression(text: str) -> ast.expr | None:
    """A piece of text as an expression, however many lines it takes."""
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _span(text: str, node: ast.expr) -> Span:
    """Where a node of `_expression(text)` stands in the text."""
    lines = Lines(f"({text}\n)")
    start = lines.offset(node.lineno - 1, node.col_offset, UTF8)
    end = lines.offset((node.end_lineno or 1) - 1, node.end_col_offset or 0, UTF8)
    return Span(start - 1, end - 1)
