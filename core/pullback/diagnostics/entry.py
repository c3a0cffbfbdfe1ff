"""One entry of the catalogue: everything that is said about a code, message and page alike.

May not know: who reports the code, or how it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """`name` reads after "allow". `message` is a format string; `report` fills its braces.

    `meaning` and `why` are Markdown paragraphs. `bad` and `mended` are modules whose last function
    is the one asked for; a test derives both: the first reports the code, the second does not. Both
    are empty where no short module shows it. `asked` is what the test asks for: a kind, or "check"
    for what only `pullback check` sees.
    `fix` is the title of the quick fix where there is one, `fix_note` says why it is safe or not.
    """

    code: str
    name: str
    severity: str
    message: str
    meaning: str
    why: str
    bad: str
    mended: str
    fix: str | None = None
    fix_safe: bool = True
    fix_note: str = ""
    asked: str = "grad"
