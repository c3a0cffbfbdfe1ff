"""Functions for other backends, as a client asks for them: which there are, and the edit that writes one.

May not know: how a function is staged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from pullback_server import derivatives
from pullback_server.convert import Change
from pullback_server.core import ide
from pullback_server.documents import Snapshot

if TYPE_CHECKING:
    from pullback_server.server import Server

BACKENDS = {"jax": "JAX", "tensorflow": "TensorFlow", "numba": "Numba"}  # in the order of menus


def title(qualname: str, backend: str) -> str:
    """How an action is called in a menu."""
    return f"Convert `{qualname}` to {BACKENDS[backend]}"


def change(ls: Server, snapshot: Snapshot, qualname: str, backend: str) -> tuple[Change, str]:
    """What writes a function for a backend below it, and what is to be known of it; an error says why there is none."""
    if backend not in BACKENDS:
        raise JsonRpcInvalidParams(f"no backend {backend!r}")
    place = ls.settings.at(snapshot.text.uri).placement
    made = ide.conversion(snapshot.module, qualname, backend, snapshot.modules, place=place)
    if made.edits:
        return Change(snapshot.text, made.edits), "\n".join(derivatives.told_of(snapshot, made))
    if made.name and all(d.severity != "error" for d in made.diagnostics):
        reason = f"{made.name} is what {qualname} is converted to already"
        raise JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)
    raise derivatives.refusal(snapshot, made)
