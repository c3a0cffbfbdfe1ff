"""Diagnostics in the protocol's form: made once for each statement, and moved with it.

May not know: how a diagnostic is found, when it is sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from lsprotocol import types

import pullback
from pullback.diagnostics import Diagnostic
from pullback_server import convert
from pullback_server.core import ide
from pullback_server.documents import Snapshot

if TYPE_CHECKING:
    from pullback_server.server import Server
    from pullback_server.settings import Settings

SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


class Item(types.Diagnostic):
    """A diagnostic that is not changed any more: its JSON is made once, however often it is sent.

    `rest` is the JSON of all but its range, for the same diagnostic further down.
    """

    __slots__ = ("json", "rest")
    json: str
    rest: str


@dataclass(frozen=True)
class Shown:
    """What was shown of a document last, to a user of these settings: its statements' items, and where they began."""

    settings: Settings
    reports: tuple[ide.Report, ...]
    lines: list[int]
    items: list[list[Item]]


@dataclass(frozen=True)
class _Shown:
    """What the report on a statement is to a user of these settings, where the statement begins there."""

    settings: Settings
    line: int
    column: int
    items: list[Item]


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
    found: list[Item] = getattr(carrier, name)
    for item in found:
        if not hasattr(item, "json"):
            _write(item, plain)
    items = ",".join([item.json for item in found])
    empty = attrs.evolve(carrier, **{name: []})
    frame = _compact(attrs.evolve(message, **{place: empty}), plain)
    return frame.replace(f'"{name}":[]', f'"{name}":[{items}]', 1)  # no string has bare quotes


def _write(item: Item, plain: Callable[[Any], Any]) -> None:
    if not hasattr(item, "rest"):
        said = plain(item)
        del said["range"]
        item.rest = _compact(said, plain).removeprefix("{")
    start, end = item.range.start, item.range.end
    item.json = (
        f'{{"range":{{"start":{{"line":{start.line},"character":{start.character}}},'
        f'"end":{{"line":{end.line},"character":{end.character}}}}},{item.rest}'
    )


def _compact(found: Any, plain: Callable[[Any], Any]) -> str:
    return json.dumps(found, default=plain, separators=(",", ":"))


def items(ls: Server, snapshot: Snapshot, reports: tuple[ide.Report, ...]) -> list[Item]:
    """All that reports on a document say and the user wants to see, in the order of the text."""
    if snapshot.text.cells:
        return _of_cell(ls, snapshot, reports)
    settings = ls.settings.at(snapshot.text.uri)
    lines = [c.first_line for c in snapshot.module.chunks]
    before = ls.reports.shown.get(snapshot.text.uri)
    if before is None or before.settings is not settings or len(before.lines) != len(lines):
        made = [_items(ls, snapshot, n, report, settings) for n, report in enumerate(reports)]
    else:
        made = list(before.items)
        for n, report in enumerate(reports):
            still = report is before.reports[n] and report.near and lines[n] == before.lines[n]
            if not still:
                made[n] = _items(ls, snapshot, n, report, settings)
    ls.reports.shown[snapshot.text.uri] = Shown(settings, reports, lines, made)
    return list(chain.from_iterable(made))


def _of_cell(ls: Server, snapshot: Snapshot, reports: tuple[ide.Report, ...]) -> list[Item]:
    """What the reports on a notebook say of one of its cells."""
    settings = ls.settings.at(snapshot.text.uri)
    found = (d for n, r in enumerate(reports) for d in ide.absolute(snapshot.module, n, r))
    return [
        diagnostic(ls, snapshot, d)
        for d in found
        if convert.shows(snapshot.text, d.span) and settings.shows(d)
    ]


def _items(
    ls: Server, snapshot: Snapshot, number: int, report: ide.Report, settings: Settings
) -> list[Item]:
    """What the report on one statement is, made again only where it is shown differently."""
    if not report.found:
        return []
    chunk = snapshot.module.chunks[number]
    line, column = chunk.first_line, chunk.column
    shown: _Shown | None = report.notes.get("items") if report.near else None
    if shown is None or shown.settings is not settings or shown.column != column:
        found = ide.absolute(snapshot.module, number, report)
        made = [diagnostic(ls, snapshot, d) for d in found if settings.shows(d)]
    elif shown.line == line:
        return shown.items
    else:
        made = [_down(item, line - shown.line) for item in shown.items]
    report.notes["items"] = _Shown(settings, line, column, made)
    return made


def _down(item: Item, by: int) -> Item:
    """The same diagnostic some lines further down, or up."""
    related = item.related_information and [
        attrs.evolve(r, location=types.Location(r.location.uri, _lower(r.location.range, by)))
        for r in item.related_information
    ]
    moved = attrs.evolve(item, range=_lower(item.range, by), related_information=related)
    if related is None and hasattr(item, "rest"):
        moved.rest = item.rest
    return moved


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
