"""Python files on disk for the command line: found, read and written back as they were encoded.

May not know: diagnostics, derivatives, the terminal.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pullback.source.project import find_module, read_text

STDIN = "-"
SKIPPED = {"__pycache__", "node_modules", "site-packages"}


class Unreadable(Exception):
    """A file that cannot be had as text; the message says which and why."""


@dataclass(frozen=True)
class SourceFile:
    """A file's text, newlines as they are, and how to write it back."""

    name: str
    text: str
    encoding: str

    @property
    def path(self) -> str | None:
        return None if self.name == STDIN else self.name


def read(name: str) -> SourceFile:
    """The file `name`, or standard input for "-"; raises Unreadable."""
    data = _bytes(name)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return SourceFile(name, data.decode(encoding), encoding)
    except (SyntaxError, UnicodeDecodeError) as error:
        raise Unreadable(f"{name}: this file is not text in its encoding ({error})") from None


def other(path: str, seen_from: str | None) -> tuple[str, str]:
    """Name and text of a module of the workspace, by its dotted name or its path."""
    found = find_module(seen_from, path) if not path.endswith(".py") else Path(path)
    text = read_text(found) if found is not None else None
    return str(found or path), text or ""


def write(file: SourceFile, text: str) -> None:
    """Put `text` in the place of the file's contents, whole or not at all; raises Unreadable.

    A file that someone else has written since it was read is left alone.
    """
    assert file.path is not None
    try:
        if Path(file.path).read_bytes() != file.text.encode(file.encoding):
            raise Unreadable(f"{file.name}: has changed meanwhile, and is left alone")
        _replace(Path(file.path).resolve(), text.encode(file.encoding))
    except UnicodeEncodeError as error:
        raise Unreadable(f"{file.name}: cannot be written as {file.encoding} ({error})") from None
    except OSError as error:
        raise Unreadable(f"{file.name}: cannot be written ({error.strerror})") from None


def _replace(path: Path, data: bytes) -> None:
    """A new file takes the place of the old one, in one step, with its permissions."""
    handle, new = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, new)
        Path(new).replace(path)
    except BaseException:
        Path(new).unlink(missing_ok=True)
        raise


def _bytes(name: str) -> bytes:
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except FileNotFoundError:
        hint = f"; did you mean {name}.py?" if Path(f"{name}.py").is_file() else ""
        raise Unreadable(f"{name}: no such file{hint}") from None
    except IsADirectoryError:
        raise Unreadable(f"{name}: this is a folder, and a file is needed") from None
    except OSError as error:
        raise Unreadable(f"{name}: cannot be read ({error.strerror})") from None


def python_files(paths: tuple[str, ...]) -> Iterator[str]:
    """Each file named, and the Python files below each folder named, in a fixed order.

    Below a folder, hidden folders and virtual environments are left out.
    """
    for path in paths:
        if path != STDIN and Path(path).is_dir():
            yield from _below(path)
        else:
            yield path


def _below(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if _entered(Path(place, f)))
        yield from (str(Path(place, n)) for n in sorted(names) if n.endswith(".py"))


def _entered(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in SKIPPED
    return not hidden and not (folder / "pyvenv.cfg").exists()
