"""Diagnostics in the protocol's form: made once for each statement, and moved with it.

May not know: how a diagnostic is found, when it is sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

import attrs
from lsprotocol import types

import pullback
from pullback.diagnostics import Diagnostic
from pullback_server import convert
from pullback_server.core import ide
from pullback_server.documents import Snapshot

if TYPE_CHECKING:
    from pullback_server.server import Server

SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
Place = tuple[int, int]  # the line and column at which a statement begins
Items: TypeAlias = "WeakKeyDictionary[ide.Report, tuple[Place, list[Item]]]"


class Item(types.Diagnostic):
    """A diagnostic whose JSON is made once, however often it is sent; it is not changed any more."""

    __slots__ = ("json",)
    json: str


# what carries the diagnostics of a whole document: where in a message, and by which name
_CARRIERS = {
    types.PublishDiagnosticsParams: ("params", "diagnostics"),
    types.RelatedFullDocumentDiagnosticReport: ("result", "items"),
}


def json_of(message: Any, plain: Callable[[Any], Any]) -> str | None:
    """The JSON of a message that carries diagnostics, made of theirs; None for any other message.

    A long file has hundreds, and a keystroke changes few. `plain` gives an object's JSON as Python has it.
    """
    carrier: Any = getattr(message, "params", None) or getattr(message, "result", None)
    if type(carrier) not in _CARRIERS:
        return None
    place, name = _CARRIERS[type(carrier)]
    empty = attrs.evolve(carrier, **{name: []})
    frame = json.dumps(attrs.evolve(message, **{place: empty}), default=plain)
    found = ", ".join(_json(item, plain) for item in getattr(carrier, name))
    return frame.replace(f'"{name}": []', f'"{name}": [{found}]', 1)  # no string has bare quotes


def _json(item: Item, plain: Callable[[Any], Any]) -> str:
    if not hasattr(item, "json"):
        item.json = json.dumps(item, default=plain)
    return item.json


def items(ls: Server, snapshot: Snapshot, reports: tuple[ide.Report, ...]) -> list[Item]:
    """All that reports on a document say and the user wants to see, in the order of the text."""
    out: list[Item] = []
    if snapshot.text.cells:
        return _of_cell(ls, snapshot, reports)
    for number, report in enumerate(reports):
        if report.found:
            out += _items(ls, snapshot, number, report)
    return out


def _of_cell(ls: Server, snapshot: Snapshot, reports: tuple[ide.Report, ...]) -> list[Item]:
    """What the reports on a notebook say of one of its cells."""
    settings = ls.settings.at(snapshot.text.uri)
    found = (d for n, r in enumerate(reports) for d in ide.absolute(snapshot.module, n, r))
    return [
        diagnostic(ls, snapshot, d)
        for d in found
        if convert.shows(snapshot.text, d.span) and settings.shows(d)
    ]


def _items(ls: Server, snapshot: Snapshot, number: int, report: ide.Report) -> list[Item]:
    chunk = snapshot.module.chunks[number]
    place = (chunk.first_line, chunk.column)
    kept = ls.reports.items.get(report)
    if kept is not None and report.near:
        (line, column), known = kept
        if (line, column) == place:
            return known
        if column == place[1]:
            known = [_down(item, place[0] - line) for item in known]
            ls.reports.items[report] = (place, known)
            return known
    found = ide.absolute(snapshot.module, number, report)
    settings = ls.settings.at(snapshot.text.uri)
    made = [diagnostic(ls, snapshot, d) for d in found if settings.shows(d)]
    ls.reports.items[report] = (place, made)
    return made


def _down(item: Item, by: int) -> Item:
    """The same diagnostic some lines further down, or up."""
    related = item.related_information and [
        attrs.evolve(r, location=types.Location(r.location.uri, _lower(r.location.range, by)))
        for r in item.related_information
    ]
    return attrs.evolve(item, range=_lower(item.range, by), related_information=related)


def _lower(place: types.Range, by: int) -> types.Range:
    start, end = place.start, place.end
    return types.Range(
        types.Position(start.line + by, start.character),
        types.Position(end.line + by, end.character),
    )


def diagnostic(ls: Server, snapshot: Snapshot, found: Diagnostic) -> Item:
    """A diagnostic in the protocol's form."""
    page = page_uri(found.code, ls.client.documentation) if ls.client.code_description else None
    return Item(
        range=convert.to_range(snapshot.text, found.span),
        message=found.message,
        severity=SEVERITY[found.severity],
        code=found.code,
        code_description=types.CodeDescription(page) if page else None,
        source="pullback",
        related_information=_related(snapshot, found) if ls.client.related_information else None,
    )


def _related(
    snapshot: Snapshot, found: Diagnostic
) -> list[types.DiagnosticRelatedInformation] | None:
    places = [
        types.DiagnosticRelatedInformation(convert.to_location(snapshot.text, r.span), r.message)
        for r in found.related
        if r.path is None or r.path == snapshot.module.path
    ]
    return places or None


@cache
def page_uri(code: str, folder: str | None) -> str | None:
    """Where the page of a diagnostic is: in the client's folder, or in the server's own copy."""
    if folder is not None:
        return f"{folder.rstrip('/')}/{code}.md"
    package = Path(pullback.__file__).parent
    installed, checkout = package / "diagnostics/pages", package.parents[1] / "docs/diagnostics"
    for place in (installed, checkout):
        if (page := place / f"{code}.md").is_file():
            return page.as_uri()
    return None
