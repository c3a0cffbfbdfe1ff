"""The modules of a workspace, found and read as text. Nothing is imported or run.

A dotted name is looked for beside the file, at the project's root (the nearest folder upward that holds
pyproject.toml or .git) and in the root's `src`. Leading dots are relative to the file's folder: "..x"
is x in the folder above. NumPy, SciPy, `math` and the like never come from the workspace.

May not know: Python's grammar, the IR.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from pathlib import Path

Modules = Callable[[str], str | None]  # dotted name -> the module's text

_MARKS = ("pyproject.toml", ".git", "setup.py", "setup.cfg")
_LARGEST = 4_000_000  # bytes; what is larger is data, not code that anyone differentiates
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_ONLY_SPACE = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_PART = re.compile(r"[^\W\d]\w*")


# fixed rather than asked of the running Python, so that every machine gives the same answer
_FIXED = frozenset(
    [
        *("numpy", "scipy", "math", "cmath", "builtins", "__future__", "typing", "dataclasses"),
        *("functools", "itertools", "operator", "abc"),
    ]
)


def never_workspace(name: str) -> bool:
    """Whether a module's meaning is fixed, so that a file of that name in the workspace is not it."""
    return name.partition(".")[0] in _FIXED


def default_modules(path: str | Path | None) -> Modules:
    """A module's text by dotted name, as seen from the file at `path`; None for what is not there."""

    def modules(name: str) -> str | None:
        found = find_module(path, name)
        return None if found is None else read_text(found)

    return modules


def find_module(path: str | Path | None, name: str) -> Path | None:
    """The file of a module of the workspace, as seen from the file at `path`."""
    if path is None or never_workspace(name):
        return None
    try:
        return _find(Path(path), name)
    except (OSError, ValueError):  # names with NUL bytes, folders one may not look into
        return None


def _find(path: Path, name: str) -> Path | None:
    up = len(name) - len(name.lstrip("."))
    parts = [p for p in name[up:].split(".") if p]
    if not all(_PART.fullmatch(p) for p in parts):
        return None
    for folder in _folders(path, up):
        base = folder.joinpath(*parts)
        options = [base / "__init__.py"]
        if parts:
            options.append(base.with_name(parts[-1] + ".py"))
        for option in options:
            if option.is_file():
                return option
    return None


def _folders(path: Path, up: int) -> Iterator[Path]:
    here = path.absolute().parent
    if up:
        yield [here, *here.parents][min(up - 1, len(here.parents))]
        return
    root = project_root(path)
    seen: list[Path] = []
    for folder in (here, root, root / "src"):
        if folder not in seen:
            seen.append(folder)
            yield folder


def project_root(path: str | Path) -> Path:
    """The nearest folder upward that looks like a project's; the file's own folder where none does."""
    here = Path(path).absolute().parent
    for folder in (here, *here.parents):
        try:
            if any((folder / mark).exists() for mark in _MARKS):
                return folder
        except OSError:
            break
    return here


def read_text(path: str | Path) -> str | None:
    """A source file's text, in the encoding that it names (PEP 263), newlines as they are; None if unreadable."""
    try:
        if Path(path).stat().st_size > _LARGEST:
            return None
        return decode(Path(path).read_bytes())
    except (OSError, ValueError):
        return None


def decode(data: bytes) -> str:
    """Source bytes as text. What the named encoding cannot read is read as UTF-8, bad bytes replaced."""
    if data.startswith(codecs.BOM_UTF8):
        return data.decode(
            "utf-8", "replace"
        )  # the mark stays: offsets count it, as editors' texts do
    try:
        return data.decode(_encoding(data))
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def _encoding(data: bytes) -> str:
    """The encoding named in one of the first two lines, UTF-8 where there is none."""
    for line in re.split(rb"\r\n?|\n", data[:2000], maxsplit=2)[:2]:
        named = _CODING.match(line)
        if named is not None:
            name = named[1].decode("ascii", "replace")
            return name if codecs.lookup(name)._is_text_encoding else "utf-8"
        if not _ONLY_SPACE.match(line):
            return "utf-8"
    return "utf-8"
