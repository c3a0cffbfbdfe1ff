"""The settings as other files show them, made from one table: docs/settings.md, VS Code's package.json.

`python -m pullback_server.settings_page` renews both; a test compares them.

May not know: features.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from pullback_server.settings import SECTION, Settings, camel

PAGE, MANIFEST = Path("docs/settings.md"), Path("vscode-extension/package.json")

# What concerns VS Code alone, in the form of its schema.
_INTERPRETER = (
    "The Python (3.10 or newer) that runs Pullback's language server: a path or a program's name, or a list "
    "of a program and its arguments. `${workspaceFolder}` and `~` may be used. Empty: the interpreter of the "
    "Python extension, or else `python3` or `python` on the PATH. It needs no packages, and your code is never "
    "run with it."
)
_CLIENT: dict[str, dict[str, Any]] = {
    "interpreter": {
        "type": ["string", "array"],
        "items": {"type": "string"},
        "default": "",
        "scope": "machine-overridable",
        "markdownDescription": _INTERPRETER,
    },
    "trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "description": "How much of the talk between VS Code and Pullback's language server is written to the log.",
    },
}
_TYPES = {bool: "boolean", str: "string", float: "number"}
_HEAD = """\
# Settings

Made from the table of settings by `python -m pullback_server.settings_page`.

In VS Code they have the prefix `pullback.` and may differ from folder to folder; other editors give them as
section `pullback` of their configuration. The first table's may also stand in `[tool.pullback]` of a project's
`pyproject.toml`, under the same names; what the editor says wins. Changes take effect at once.
"""


def schema() -> dict[str, dict[str, Any]]:
    """The properties of VS Code's configuration."""
    own = {f"{SECTION}.{name}": entry for name, entry in _table().items()}
    return own | {f"{SECTION}.{name}": entry for name, entry in _CLIENT.items()}


def page() -> str:
    """docs/settings.md."""
    client = {n: {"description": e.get("markdownDescription"), **e} for n, e in _CLIENT.items()}
    parts = [_HEAD, _rows(_table()), "Of VS Code alone:\n", _rows(client)]
    return "\n".join(parts)


def manifest(text: str) -> str:
    """package.json with the settings of the table."""
    data = json.loads(text)
    data["contributes"]["configuration"]["properties"] = schema()
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _table() -> dict[str, dict[str, Any]]:
    return {camel(f.name): _entry(f) for f in fields(Settings)}


def _entry(f: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": _TYPES[type(f.default)]}
    if f.metadata["choices"]:
        entry["enum"] = list(f.metadata["choices"])
        entry["enumDescriptions"] = list(f.metadata["choices"].values())
    return {**entry, "default": f.default, "scope": "resource", "description": f.metadata["text"]}


def _rows(table: dict[str, dict[str, Any]]) -> str:
    rows = ["| setting | default | means |", "| --- | --- | --- |"]
    for name, entry in table.items():
        said = [entry["description"]]
        said += (
            f"`{json.dumps(v)}`: {d[0].lower()}{d[1:]}."
            for v, d in zip(entry.get("enum", ()), entry.get("enumDescriptions", ()))
        )
        rows.append(f"| `{name}` | `{json.dumps(entry['default'])}` | {' '.join(said)} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    MANIFEST.write_text(
        manifest(MANIFEST.read_text(encoding="utf-8")), encoding="utf-8", newline="\n"
    )


if __name__ == "__main__":
    main()
