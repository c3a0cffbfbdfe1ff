"""The documentation pages of diagnostics, made from the catalogue.

`python -m pullback.diagnostics.pages [FOLDER]` writes them (FOLDER is docs/diagnostics by default).

May not know: who reports a code.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pullback.diagnostics.catalogue import codes, entry
from pullback.diagnostics.entry import Entry, Recipe

FAMILIES = {
    "PB0": "The tool itself",
    "PB1": "Constructs that stop differentiation",
    "PB2": "Dataflow hazards",
    "PB3": "Derivative hazards",
    "PB4": "Generated source",
    "PB5": "Compilers and backends",
}

SEVERITY = {
    "error": "**error**: no derivative is given.",
    "warning": "**warning**: a derivative is given; check what this page says.",
    "hint": "**hint**: a derivative is given, and it is right; a point to know.",
}


def page(code: str) -> str:
    """The Markdown page of a diagnostic."""
    e = entry(code)
    parts = [
        f"# {e.code}: {e.name}",
        f"> {placeholders(e.message)}",
        f"Severity {SEVERITY[e.severity]}",
        f"## What it means\n\n{e.meaning.strip()}",
        f"## Why\n\n{e.why.strip()}",
    ]
    if e.bad:
        parts.append(f"## Example\n\n{_block(e.bad)}")
    if e.mended:
        parts.append(f"## Instead\n\n{_block(e.mended)}")
    if e.fixes:
        parts.append("## Quick fix\n\n" + "\n".join(_fix(recipe) for recipe in e.fixes))
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """The Markdown page that lists all diagnostics by family."""
    parts = ["# Diagnostics"]
    for prefix, title in FAMILIES.items():
        rows = [_row(entry(c)) for c in codes() if c.startswith(prefix)]
        table = "| code | name | severity | says |\n| --- | --- | --- | --- |\n" + "\n".join(rows)
        parts.append(f"## {prefix}xx: {title}\n\n{table}")
    return "\n\n".join(parts) + "\n"


def pages() -> dict[str, str]:
    """File name -> text, for all pages and the index."""
    return {f"{code}.md": page(code) for code in codes()} | {"index.md": index()}


def placeholders(message: str) -> str:
    """The message template as a reader sees it: `{name}` becomes *name*."""
    return re.sub(r"\{(\w+)\}", r"*\1*", message)


def _row(e: Entry) -> str:
    return f"| [{e.code}]({e.code}.md) | {e.name} | {e.severity} | {placeholders(e.message)} |"


def _fix(recipe: Recipe) -> str:
    safety = "safe" if recipe.safe else "not always safe"
    return f"- {placeholders(recipe.title)} ({safety}). {placeholders(recipe.note)}"


def _block(source: str) -> str:
    return f"```python\n{source.strip()}\n```"


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0] if arguments else "docs/diagnostics")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
