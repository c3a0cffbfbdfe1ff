"""Where a derivative goes: where it stands already, otherwise where the user wants new ones.

May not know: how a derivative is made, files, LSP, NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass

from .emit.insert import standing
from .lower import lower_function
from .siblings import Sibling, sibling
from .source.header import Header, is_header_of
from .source.module import Module
from .source.outline import located, outline
from .source.project import Modules
from .targets import UnknownTarget, wanted

BELOW, END, SIBLING = "below", "end", "sibling"


@dataclass(frozen=True)
class Asked:
    """The derivative that is asked for, as `derive` is asked for it."""

    qualname: str
    kind: str
    wrt: str | int | tuple[str | int, ...] | None
    out: tuple[str, ...] = ()
    name: str | None = None
    jit: str | None = None


def beside_for(module: Module, asked: Asked, modules: Modules, place: str) -> Sibling | None:
    """The sibling, where the derivative goes there; None where it goes into the file.

    Methods stay in their class, and so does all in a file that no other can import.
    """
    beside = None if "." in asked.qualname else sibling(module, modules)
    fn = lower_function(module, asked.qualname)
    if beside is None or fn is None:
        return None
    try:
        wrt = wanted(fn, asked.wrt)
    except UnknownTarget:
        return None
    if _stands(module, asked, wrt, ""):
        return None
    if place == SIBLING or (beside.there and _stands(beside.module, asked, wrt, beside.of)):
        return beside
    return None


def _stands(module: Module, asked: Asked, wrt: tuple[str, ...], of: str) -> bool:
    """Whether a generated function of the module is the one that is asked for."""
    for qualname, (_, chunk) in located(module).items():
        there = standing(module, qualname) if outline(chunk.parsed).generates else None
        if there is not None and there.header is not None and _is(there.header, asked, wrt, of):
            if asked.name in (None, there.name):
                return True
    return False


def _is(header: Header, asked: Asked, wrt: tuple[str, ...], of: str) -> bool:
    same = is_header_of(header, asked.qualname, of, wrt, asked.out, asked.jit or "")
    return same and header.kind == asked.kind
