"""Diagnostics: what the tool says about a place in the user's text.

`report` makes one from a code of the catalogue; the catalogue holds one file a code, with the
message, the severity and the text of the documentation page. Who finds the problem knows the place
and the names; how it is said is decided here.

May not know: the IR beyond spans, analyses, how a diagnostic is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pullback.ir import Span

if TYPE_CHECKING:
    from pullback.diagnostics.entry import Entry
    from pullback.source.edits import Edit

SEVERITIES = ("error", "warning", "info", "hint")


@dataclass(frozen=True)
class Related:
    """Another place that explains a diagnostic. `path` is None for the file itself."""

    span: Span
    message: str
    path: str | None = None


@dataclass(frozen=True)
class Fix:
    """A mechanical change that mends what is reported.

    `safe`: the program computes the same before and after, and it is surely what was meant.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


@dataclass(frozen=True)
class Source:
    """The text that a report is about, and what its imports mean: what quick fixes are made from."""

    text: str
    imports: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Diagnostic:
    """One report. "error": no derivative is given; "warning": one is, and there is something to check.

    `fixes` are other ways to mend it, the likeliest first: one of them is made, never several.
    """

    code: str
    severity: str
    message: str
    span: Span
    function: str | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    path: str | None = None

    @property
    def fix(self) -> Fix | None:
        """The likeliest fix."""
        return self.fixes[0] if self.fixes else None


def report(
    code: str,
    span: Span,
    *,
    function: str | None = None,
    places: tuple[tuple[str, Span], ...] = (),
    source: Source | None = None,
    severity: str | None = None,
    path: str | None = None,
    **values: object,
) -> Diagnostic:
    """The diagnostic `code` at `span`; `values` fill the braces of the catalogue's message.

    `places` are other places that explain it, each with its role, which the catalogue puts into words.
    Quick fixes are offered where the `source` is given.
    """
    from pullback.diagnostics.catalogue import entry

    known = entry(code)
    message = known.message.format_map(values)
    related = tuple(Related(at, known.places[role].format_map(values)) for role, at in places)
    fixes = () if source is None else _fixes(known, source, span, places, values)
    return Diagnostic(
        code, severity or known.severity, message, span, function, related, fixes, path
    )


def _fixes(
    known: Entry,
    source: Source,
    span: Span,
    places: tuple[tuple[str, Span], ...],
    values: Mapping[str, object],
) -> tuple[Fix, ...]:
    """What the entry's recipes make of this report."""
    from pullback.diagnostics.entry import Place

    place = Place(source.text, span, places, values, source.imports)
    made = ((recipe, recipe.edits(place)) for recipe in known.fixes)
    return tuple(Fix(r.title.format_map(values), edits, r.safe) for r, edits in made if edits)
