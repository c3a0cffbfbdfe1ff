"""pullback/states: the generated functions of a document, and how each stands to its function.

May not know: how that is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from pullback.ir import Span
from pullback_server import convert
from pullback_server.core import states
from pullback_server.derivatives import text_of, values

if TYPE_CHECKING:
    from pullback_server.convert import Text
    from pullback_server.server import Server

STATES = "pullback/states"


def of_document(ls: Server, params: Any) -> dict[str, Any]:
    """All, or those of the function at a position."""
    given = values(params)
    snapshot = ls.documents.snapshot(text_of(given, "uri"))
    module, modules, text = snapshot.module, snapshot.modules, snapshot.text
    position = given.get("position")
    if position is None:
        found = states.states(module, modules)
    else:
        found = states.relatives(module, convert.to_offset(text, _position(position)), modules)
    return {"version": text.version, "states": [_shown(text, s) for s in found]}


def _shown(text: Text, state: states.State) -> dict[str, Any]:
    return {
        "name": state.qualname,
        "function": state.primal,
        "kind": state.kind,
        "state": state.word,
        "range": range_of(text, state.name_span),
        "functionRange": None if state.primal_span is None else range_of(text, state.primal_span),
    }


def range_of(text: Text, span: Span) -> dict[str, dict[str, int]]:
    """A range as plain data, for answers that the protocol has no type for."""
    found = convert.to_range(text, span)
    return {
        "start": {"line": found.start.line, "character": found.start.character},
        "end": {"line": found.end.line, "character": found.end.character},
    }


def _position(given: Any) -> types.Position:
    plain = values(given)
    line, character = plain.get("line"), plain.get("character")
    if not isinstance(line, int) or not isinstance(character, int):
        raise JsonRpcInvalidParams(f"'position' is {{line, character}}; got {given!r}")
    return types.Position(line, character)
