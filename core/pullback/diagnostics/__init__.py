"""Diagnostics: what the tool says about a place in the user's text.

`report` makes one from a code of the catalogue; the catalogue holds one file a code, with the
message, the severity and the text of the documentation page. Who finds the problem knows the place
and the names; how it is said is decided here.

May not know: the IR beyond spans, analyses, how a diagnostic is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pullback.ir import Span

if TYPE_CHECKING:
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
    """A mechanical change that mends what is reported; `safe` if the program computes the same."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


@dataclass(frozen=True)
class Diagnostic:
    """One report. "error": no derivative is given; "warning": one is, and there is something to check."""

    code: str
    severity: str
    message: str
    span: Span
    function: str | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    path: str | None = None


def report(
    code: str,
    span: Span,
    *,
    function: str | None = None,
    related: tuple[Related, ...] = (),
    fix: Fix | None = None,
    severity: str | None = None,
    path: str | None = None,
    **values: object,
) -> Diagnostic:
    """The diagnostic `code` at `span`; `values` fill the braces of the catalogue's message."""
    from pullback.diagnostics.catalogue import entry

    known = entry(code)
    message = known.message.format_map(values)
    return Diagnostic(code, severity or known.severity, message, span, function, related, fix, path)
