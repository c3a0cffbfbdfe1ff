"""The user's module brought to life for `pullback verify`: the one place where the core runs a file.

May not know: how anything is derived or compared, the terminal.
"""

from __future__ import annotations

import importlib
import linecache
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pullback.files import SourceFile

if TYPE_CHECKING:
    from pullback.verify import Report

T = TypeVar("T")


class Failed(Exception):
    """Something that was run raised; the message says what and why."""


def verified(
    file: SourceFile, function: str, at: str, kind: str, wrt: tuple[str, ...] | str | None
) -> Report:
    """The report of `verify` for a function of a file, at the arguments that the text `at` makes."""
    verify = _tried("loading NumPy (pip install numpy)", _verify)
    module = _tried("importing it", lambda: load(file))
    f = _tried(f"looking up {function}", lambda: _found(module, function))
    args = _tried(f"evaluating {at}", lambda: arguments(module, at))
    return _tried(f"running {function}", lambda: verify(f, args, wrt, kind))


def _verify() -> Callable[..., Report]:
    from pullback.verify import verify

    return verify


def _tried(what: str, run: Callable[[], T]) -> T:
    try:
        return run()
    except Exception as error:
        raise Failed(f"{what} raised {type(error).__name__}: {error}") from error


def load(file: SourceFile) -> types.ModuleType:
    """The module of a file, imported under the name that it has in its package."""
    if file.path is None:
        return _from_text(file.text)
    path = Path(file.path).resolve()
    parts = [path.stem]
    folder = path.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    if parts[-1] == "__init__":
        parts.pop()
    sys.path.insert(0, str(folder))
    name = ".".join(parts)
    known = sys.modules.get(name)
    if known is not None and Path(known.__file__ or "").resolve() != path:
        del sys.modules[name]  # a file that is called like a module that Pullback itself uses
    return importlib.import_module(name)


def _from_text(text: str) -> types.ModuleType:
    module = types.ModuleType("stdin")
    linecache.cache["<stdin>"] = (len(text), None, text.splitlines(keepends=True), "<stdin>")
    sys.modules[module.__name__] = module
    exec(compile(text, "<stdin>", "exec", dont_inherit=True), module.__dict__)
    return module


def _found(module: types.ModuleType, function: str) -> Any:
    found: Any = module
    for part in function.split("."):
        found = getattr(found, part)
    return found


def arguments(module: types.ModuleType, at: str) -> tuple[Any, ...]:
    """The tuple that an expression makes; a value that is no tuple is the only argument."""
    numpy = sys.modules["numpy"]  # `verify` has loaded it
    value = eval(at, {"np": numpy, **module.__dict__})
    return value if isinstance(value, tuple) else (value,)
