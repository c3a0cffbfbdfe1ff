"""How diagnostics are printed: for people, for programs, for GitHub and for SARIF viewers.

A printer is a function from located diagnostics to text. SARIF is written as plain dicts: the part of
the format that is needed is small, and the libraries for it model the whole schema.

May not know: who found a diagnostic, files, the terminal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pullback.diagnostics import Diagnostic, Fix
from pullback.diagnostics.catalogue import entry
from pullback.ir import Span
from pullback.source.text import Lines

Point = tuple[int, int]
Other = Callable[[str], tuple[str, str]]
Paint = Callable[[str, str], str]

PAINTS = {"error": "red", "warning": "yellow", "info": "blue", "hint": "cyan"}


@dataclass(frozen=True)
class Note:
    """A related place: line and column count from 1."""

    file: str
    start: Point
    message: str


@dataclass(frozen=True)
class Located:
    """A diagnostic with its file and its place as people count them: from 1, in characters."""

    diagnostic: Diagnostic
    file: str
    start: Point
    end: Point
    lines: Lines
    notes: tuple[Note, ...] = ()


def locate(found: Sequence[Diagnostic], file: str, text: str, other: Other) -> list[Located]:
    """Diagnostics of `file` with their places.

    `other` gives name and text of another file that a diagnostic points into, by the diagnostic's path.
    """
    own = (file, Lines(text))
    known: dict[str | None, tuple[str, Lines]] = {None: own}

    def lines_of(path: str | None) -> tuple[str, Lines]:
        if path not in known and path is not None:
            name, there = other(path)
            known[path] = (name, Lines(there))
        return known[path]

    return [_located(d, lines_of) for d in found]


def _located(d: Diagnostic, lines_of: Callable[[str | None], tuple[str, Lines]]) -> Located:
    file, lines = lines_of(d.path)
    notes = []
    for r in d.related:
        path, there = lines_of(r.path or d.path)
        notes.append(Note(path, _point(there, r.span.start), r.message))
    start, end = _range(lines, d.span)
    return Located(d, file, start, end, lines, tuple(notes))


def _range(lines: Lines, span: Span) -> tuple[Point, Point]:
    return _point(lines, span.start), _point(lines, span.end)


def _point(lines: Lines, offset: int) -> Point:
    line, column = lines.position(offset)
    return line + 1, column + 1


# --- for people ------------------------------------------------------------------------------------


def line_of(item: Located) -> str:
    """`FILE:LINE:COL: CODE message`."""
    d = item.diagnostic
    return f"{item.file}:{item.start[0]}:{item.start[1]}: {d.code} {d.message}"


def concise(found: Sequence[Located], paint: Paint) -> str:
    return "".join(line_of(item) + "\n" for item in found)


def full(found: Sequence[Located], paint: Paint) -> str:
    blocks = [_block(item, paint) for item in found]
    if blocks:
        blocks.append(summary(found) + "\n")
    return "\n".join(blocks)


def summary(found: Sequence[Located]) -> str:
    """`2 errors, 1 hint`."""
    counts = dict.fromkeys(PAINTS, 0)
    for item in found:
        counts[item.diagnostic.severity] += 1
    return ", ".join(f"{n} {s}{'s' if n > 1 else ''}" for s, n in counts.items() if n)


def _block(item: Located, paint: Paint) -> str:
    d = item.diagnostic
    (line, column), (last, stop) = item.start, item.end
    text = item.lines.line(line - 1)
    length = (stop if last == line else len(text) + 1) - column
    gutter = " " * len(str(line))
    # a tab stays a tab, so that the marks stand below what they mark
    lead = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
    head = f"{item.file}:{line}:{column}: {paint(d.severity, d.severity)} {d.code}: {d.message}"
    rows = [
        head,
        f"{gutter} |",
        f"{line} | {text}",
        f"{gutter} | {lead}{paint('^' * max(length, 1), d.severity)}",
    ]
    rows += [f"{gutter} = {n.message}: {n.file}:{n.start[0]}:{n.start[1]}" for n in item.notes]
    rows += [f"{gutter} = help: {fix.title}" for fix in d.fixes]
    rows.append(f"{gutter} = more: pullback explain {d.code}")
    return "\n".join(rows) + "\n"


# --- for programs ----------------------------------------------------------------------------------


def as_json(found: Sequence[Located], paint: Paint) -> str:
    return json.dumps([_record(item) for item in found], indent=2, ensure_ascii=False) + "\n"


def _record(item: Located) -> dict[str, Any]:
    d = item.diagnostic
    return {
        "file": item.file,
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "range": _json_range(item.start, item.end),
        "function": d.function,
        "fix": _json_fix(item),
    }


def _json_range(start: Point, end: Point) -> dict[str, Any]:
    return {
        "start": {"line": start[0], "column": start[1]},
        "end": {"line": end[0], "column": end[1]},
    }


def _json_fix(item: Located) -> dict[str, Any] | None:
    fix = item.diagnostic.fix
    if fix is None:
        return None
    edits = [{"range": _json_range(*_range(item.lines, e.span)), "text": e.text} for e in fix.edits]
    return {"title": fix.title, "edits": edits}


def github(found: Sequence[Located], paint: Paint) -> str:
    """Workflow commands, which GitHub shows beside the changed lines."""
    return "".join(_command(item) + "\n" for item in found)


def _command(item: Located) -> str:
    d = item.diagnostic
    level = {"error": "error", "warning": "warning"}.get(d.severity, "notice")
    places = {
        "file": item.file,
        "line": item.start[0],
        "col": item.start[1],
        "endLine": item.end[0],
        "endColumn": item.end[1],
        "title": f"{d.code} {entry(d.code).name}",
    }
    settings = ",".join(f"{k}={_escape(str(v), ':,')}" for k, v in places.items())
    told = "\n".join([d.message, *(f"help: {fix.title}" for fix in d.fixes)])
    return f"::{level} {settings}::{_escape(told)}"


def _escape(text: str, more: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)


SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note", "hint": "note"}


def sarif(found: Sequence[Located], paint: Paint) -> str:
    """One SARIF 2.1.0 run."""
    from pullback import __version__

    codes = sorted({item.diagnostic.code for item in found})
    driver = {"name": "pullback", "version": __version__, "rules": [_sarif_rule(c) for c in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(item, codes) for item in found],
    }
    return json.dumps({"version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _sarif_rule(code: str) -> dict[str, Any]:
    from pullback.diagnostics.pages import page, placeholders

    e = entry(code)
    return {
        "id": code,
        "name": e.name,
        "shortDescription": {"text": placeholders(e.message)},
        "fullDescription": {"text": e.meaning.strip()},
        "help": {"text": e.why.strip(), "markdown": page(code)},
        "defaultConfiguration": {"level": SARIF_LEVELS[e.severity]},
    }


def _sarif_result(item: Located, codes: list[str]) -> dict[str, Any]:
    d = item.diagnostic
    result: dict[str, Any] = {
        "ruleId": d.code,
        "ruleIndex": codes.index(d.code),
        "level": SARIF_LEVELS[d.severity],
        "message": {"text": d.message},
        "locations": [_sarif_location(item.file, item.start, item.end)],
    }
    if item.notes:
        result["relatedLocations"] = [
            {**_sarif_location(n.file, n.start, n.start), "message": {"text": n.message}}
            for n in item.notes
        ]
    if d.fixes:
        result["fixes"] = [_sarif_fix(item, fix) for fix in d.fixes]
    return result


def _sarif_fix(item: Located, fix: Fix) -> dict[str, Any]:
    changes = [
        {
            "deletedRegion": _sarif_region(*_range(item.lines, e.span)),
            "insertedContent": {"text": e.text},
        }
        for e in fix.edits
    ]
    artifact = {"artifactLocation": _sarif_artifact(item.file), "replacements": changes}
    return {"description": {"text": fix.title}, "artifactChanges": [artifact]}


def _sarif_location(file: str, start: Point, end: Point) -> dict[str, Any]:
    place = {"artifactLocation": _sarif_artifact(file), "region": _sarif_region(start, end)}
    return {"physicalLocation": place}


def _sarif_artifact(file: str) -> dict[str, str]:
    return {"uri": file.replace("\\", "/")}


def _sarif_region(start: Point, end: Point) -> dict[str, int]:
    return {
        "startLine": start[0],
        "startColumn": start[1],
        "endLine": end[0],
        "endColumn": end[1],
    }


PRINTERS: dict[str, Callable[[Sequence[Located], Paint], str]] = {
    "full": full,
    "concise": concise,
    "json": as_json,
    "github": github,
    "sarif": sarif,
}
