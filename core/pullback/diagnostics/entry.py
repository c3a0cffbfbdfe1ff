"""One entry of the catalogue: everything that is said about a code, message, page and fixes alike.

May not know: who reports the code, or how it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pullback.ir import Span
from pullback.source.edits import Edit

Edits = tuple[Edit, ...]


@dataclass(frozen=True)
class Place:
    """What a fix is made from: the module's text, what is reported in it, and what its imports mean.

    `places` are the other places of the report, each with its role ("made", "parameter" …).
    """

    text: str
    span: Span
    places: tuple[tuple[str, Span], ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)

    def spans(self, role: str) -> tuple[Span, ...]:
        return tuple(at for said, at in self.places if said == role)

    def said(self, span: Span) -> str:
        return self.text[span.start : span.end]


@dataclass(frozen=True)
class Recipe:
    """A quick fix: `edits` gives the changes, none where they are not mechanical.

    `title` is a format string like the entry's message. `safe`: the program computes the same before and
    after, and the change is surely what was meant; `note` says why it is safe or not.
    """

    title: str
    edits: Callable[[Place], Edits]
    safe: bool
    note: str


@dataclass(frozen=True)
class Entry:
    """`name` reads after "allow". `message` is a format string; `report` fills its braces.

    `meaning` and `why` are Markdown paragraphs. `bad` and `mended` are modules whose last function
    is the one asked for; a test derives both: the first reports the code, the second does not. Both
    are empty where no short module shows it. `asked` is what the test asks for: a kind, or "check"
    for what only `pullback check` sees; `jit` is the compiler, `backend` the one that it is staged for.
    `places` says of each other place of a report, by its role, what it is. `fixes` are the quick
    fixes, the likeliest first.
    """

    code: str
    name: str
    severity: str
    message: str
    meaning: str
    why: str
    bad: str
    mended: str
    places: Mapping[str, str] = field(default_factory=dict)
    fixes: tuple[Recipe, ...] = ()
    asked: str = "grad"
    jit: str | None = None
    backend: str | None = None
