"""A derivative's place in a file.

The imports that it needs join the module's imports, its helpers stand once before the first
derivative of the file, and it stands below its function and that one's other derivatives. One that is
in the file already is replaced, unless a person has changed it.

May not know: how a derivative is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from pullback.emit import source_lines as own
from pullback.emit.imports import import_edits, missing_imports
from pullback.ir import Span
from pullback.lower import Definition, definitions
from pullback.source.digest import digest
from pullback.source.edits import Edit
from pullback.source.header import Header, parse_header
from pullback.source.module import Module, parse_module
from pullback.source.text import has_crlf


class Derivative(Protocol):
    """What is asked of a result of `derive`."""

    @property
    def name(self) -> str: ...

    @property
    def header(self) -> str: ...

    @property
    def imports(self) -> tuple[str, ...]: ...

    @property
    def helpers(self) -> tuple[tuple[str, str], ...]: ...

    @property
    def function(self) -> str: ...


@dataclass(frozen=True)
class Standing:
    """A function of the file under the name that a generated one is to have.

    `span` reaches from its header or decorators to its end. `header` is None where Pullback did not
    write it, `edited` says that it is not any more what Pullback wrote.
    """

    name: str
    span: Span
    header: Header | None
    edited: bool


def insertion(
    module: Module, derived: Derivative, *, replace_edited: bool = False, at_end: bool = False
) -> tuple[Edit, ...]:
    """The edits that put a derivative into its file; none where `kept(module, derived)` stands in the way.

    `at_end` puts a new one at the end of the file instead of below its function; methods stay in their class.
    """
    if kept(module, derived) is not None and not replace_edited:
        return ()
    place = _place(module, derived, at_end)
    edits = [
        *import_edits(module, missing_imports(module, derived.imports)),
        *_helper_edits(module, derived, place),
        place,
    ]
    edits = _in_newlines_of(module, edits)
    return tuple(e for e in edits if e.text or e.span.start < e.span.end)


def insertion_below(
    module: Module, qualname: str, derived: Derivative, *, at_end: bool = False
) -> tuple[Edit, ...]:
    """The edits that put a function without a header below the one of that name, with what it calls directly above it.

    What the file holds already, word for word, is not put twice.
    """
    texts = (*derived.helpers, (derived.name, derived.function))
    block = "\n\n\n".join(text for name, text in texts if not holds(module, name, text))
    if not block:
        return ()
    primal = definitions(module)[qualname]
    at = _below(module, qualname, primal)
    place = _at_end(module.text, block) if at_end else Edit(Span(at, at), "\n\n\n" + block)
    imports = import_edits(module, missing_imports(module, derived.imports))
    return tuple(_in_newlines_of(module, [*imports, place]))


def _in_newlines_of(module: Module, edits: list[Edit]) -> list[Edit]:
    """Edits with the newlines that most lines of the file have."""
    if not has_crlf(module.text):
        return edits
    return [replace(e, text=e.text.replace("\r\n", "\n").replace("\n", "\r\n")) for e in edits]


def kept(module: Module, derived: Derivative) -> Standing | None:
    """The function that stands in the way: edited by hand, or not one that Pullback wrote.

    It has the derivative's name, or is a helper that the derivative calls and that is not what it should be.
    """
    found = standing(module, _qualname(derived))
    if found is not None and found.edited:
        return found
    for name, text in derived.helpers:
        found = standing(module, name)
        if found is not None and found.edited and not holds(module, name, text):
            return found
    return None


def printed(module: Module, derived: Derivative) -> str:
    """What makes the derivative run when it is appended to the module."""
    imports = "\n".join(missing_imports(module, derived.imports))
    helpers = [text for name, text in derived.helpers if not holds(module, name, text)]
    parts = [p.strip("\n") for p in (imports, *helpers, derived.function) if p.strip()]
    return "\n\n\n".join(parts) + "\n"


def standing(module: Module, qualname: str) -> Standing | None:
    """The last function of that name in the file."""
    found = definitions(module).get(qualname)
    if found is None:
        return None
    start, header = _start(module, found)
    edited = header is None or header.body != digest(found.node)
    name = qualname.rpartition(".")[2]
    return Standing(name, Span(start, _end(found)), header, edited)


# --- places ---------------------------------------------------------------------------------------


def _qualname(derived: Derivative) -> str:
    """The derivative's name with the class of its function."""
    header = parse_header(derived.header)
    owner = header.qualname.rpartition(".")[0] if header is not None and not header.module else ""
    return f"{owner}.{derived.name}" if owner and "." not in derived.name else derived.name


def _place(module: Module, derived: Derivative, at_end: bool) -> Edit:
    """The edit that puts the function itself."""
    text = derived.function.strip("\n")
    old = standing(module, _qualname(derived))
    if old is not None:
        return Edit(old.span, _indented(text, own.margin_at(module.text, old.span.start)).lstrip())
    header = parse_header(derived.header)
    primal = None if header is None else definitions(module).get(header.qualname)
    if header is None or header.module or primal is None:
        return _at_end(module.text, text)
    start, _ = _start(module, primal)
    margin = own.margin_at(module.text, start)
    if at_end and not margin:
        return _at_end(module.text, text)
    at = _below(module, header.qualname, primal)
    gap = "\n\n" if margin else "\n\n\n"
    return Edit(Span(at, at), gap + _indented(text, margin))


def _at_end(text: str, function: str) -> Edit:
    """Below all else; whether the file ends with a newline stays as it is."""
    end = len(text.rstrip())
    ending = "\n" if not end or text.endswith("\n") else ""
    return Edit(Span(end, len(text)), ("\n\n\n" if end else "") + function + ending)


def _indented(text: str, margin: str) -> str:
    return margin + own.reindent(text, "", margin) if margin else text


def _below(module: Module, qualname: str, primal: Definition) -> int:
    """The end of the line on which a function ends, or the last of its derivatives that follow it."""
    last = primal
    for found in definitions(module).values():
        start, header = _start(module, found)
        same = header is not None and header.qualname == qualname and not header.module
        if same and start > _end(last) and _sibling(found, primal):
            last = found
    return _after_comments(module.text, _end(last), own.margin_at(module.text, _code(last)))


def _sibling(found: Definition, primal: Definition) -> bool:
    return found.qualname.rpartition(".")[0] == primal.qualname.rpartition(".")[0]


def _after_comments(text: str, at: int, margin: str) -> int:
    """The end of the line of `at`, or of the last comment below that still belongs to the function."""
    end = _line_end(text, at)
    here = end
    while here < len(text):
        start = text.find("\n", here) + 1
        if not start:
            break
        here = _line_end(text, start)
        line = text[start:here].rstrip("\r")
        bare = line.strip()
        if bare and not (bare.startswith("#") and len(line) - len(line.lstrip()) > len(margin)):
            break
        end = here if bare else end
    return end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    return end - 1 if end > at and text[end - 1] == "\r" else end


def _start(module: Module, found: Definition) -> tuple[int, Header | None]:
    """Where a function begins, its decorators and header included; the header."""
    text, start = module.text, _first(found)
    above = text.rfind("\n", 0, start) + 1
    previous = text.rfind("\n", 0, max(above - 1, 0)) + 1
    line = text[previous:above].strip()
    header = parse_header(line) if above and line.startswith("# pullback:") else None
    if header is None:
        return start, None
    return previous + len(own.margin_at(text, previous)), header


def _code(found: Definition) -> int:
    parsed = found.chunk.parsed
    return found.chunk.start + parsed.offset(found.node.lineno, found.node.col_offset)


def _first(found: Definition) -> int:
    """Where a function begins, its decorators included."""
    if not found.node.decorator_list:
        return _code(found)
    parsed, decorator = found.chunk.parsed, found.node.decorator_list[0]
    at = parsed.offset(decorator.lineno, decorator.col_offset)
    return found.chunk.start + max(parsed.text.rfind("@", 0, at), 0)


def _end(found: Definition) -> int:
    parsed = found.chunk.parsed
    return found.chunk.start + parsed.offset(found.node.end_lineno, found.node.end_col_offset)


# --- helpers --------------------------------------------------------------------------------------


def _helper_edits(module: Module, derived: Derivative, place: Edit) -> Iterator[Edit]:
    """Helpers that the file lacks, before its first derivative; private derivatives that are out of date."""
    new: list[str] = []
    for name, text in derived.helpers:
        old = standing(module, name)
        if old is None:
            new.append(text.strip("\n"))
        elif not holds(module, name, text):
            yield Edit(old.span, text.strip("\n"))
    if new:
        yield _before_first(module, place, new)


def _before_first(module: Module, place: Edit, helpers: Iterable[str]) -> Edit:
    block = "\n\n\n".join(helpers)
    starts = [s for f in definitions(module).values() for s, h in [_start(module, f)] if h]
    first = min([*starts, place.span.start])
    if first == place.span.start and place.text.startswith("\n\n\n"):
        return Edit(Span(first, first), "\n\n\n" + block)
    chunk = module.chunk_at(first)
    if chunk is not None and own.margin_at(module.text, first):  # in a class
        first = chunk.start + _code_start(chunk.text)
    return Edit(Span(first, first), block + "\n\n\n")


def _code_start(text: str) -> int:
    """Where a statement begins, with the comments that stand directly above it."""
    place = here = 0
    for line in text.splitlines(keepends=True):
        here += len(line)
        bare = line.strip()
        if bare and not bare.startswith("#"):
            break
        place = place if bare else here
    return place


def holds(module: Module, name: str, text: str) -> bool:
    """Whether the module has this very helper."""
    found = definitions(module).get(name)
    if found is None:
        return False
    mine = definitions(parse_module(text)).get(name)
    return mine is not None and digest(mine.node) == digest(found.node)
