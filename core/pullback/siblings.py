"""Derivatives in a module of their own, beside that of their functions: `model_grad.py` beside `model.py`.

May not know: how a derivative is made, files, LSP, NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from keyword import iskeyword
from pathlib import PurePath

from .source.module import Module, parse_module
from .source.outline import asked_for, derived_from
from .source.project import Modules, never_workspace
from .source.text import has_crlf

SUFFIX = "_grad"


@dataclass(frozen=True)
class Sibling:
    """The module beside a file for its functions' derivatives: as it stands, or as it would begin.

    `of` is the file's own name there; `there` says whether the module exists.
    """

    module: Module
    of: str
    there: bool


def sibling(module: Module, modules: Modules) -> Sibling | None:
    """The module for the derivatives of `module`; None where no module could import that one by its name."""
    path = None if module.path is None else sibling_path(module.path)
    own = PurePath(module.path or "").stem
    if path is None or never_workspace(own):
        return None
    text = modules(f".{own}{SUFFIX}")
    start = f'"""Derivatives of {own}."""' + ("\r\n" if has_crlf(module.text) else "\n")
    known: Module | None = module.memory.get("sibling")
    made = parse_module(start if text is None else text, path, previous=known)
    module.memory["sibling"] = made
    return Sibling(made, own, text is not None)


def sibling_path(path: str) -> str | None:
    """The path of the sibling; None of a file that no other module could import by its name."""
    file = PurePath(path)
    named = file.stem.isidentifier() and not iskeyword(file.stem) and not file.stem.startswith("__")
    if file.suffix != ".py" or not named:
        return None
    return str(file.with_name(f"{file.stem}{SUFFIX}.py"))


def asked_here_and_beside(module: Module, modules: Modules) -> frozenset[str]:
    """The functions that the user wants derivatives of, those included that have them in the sibling."""
    beside = sibling(module, modules)
    if beside is None or not beside.there:
        return asked_for(module)
    return asked_for(module, derived_from(beside.module, beside.of))
