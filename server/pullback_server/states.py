"""pullback/states: the generated functions of a document, and how each stands to its function.

May not know: how that is found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from pullback.ir import Span
from pullback_server import convert
from pullback_server.convert import Text
from pullback_server.core import states
from pullback_server.derivatives import text_of, values
from pullback_server.documents import Snapshot

if TYPE_CHECKING:
    from pullback_server.server import Server

STATES = "pullback/states"


@dataclass(frozen=True)
class Known:
    """A derivative's state, with the texts that it and its function stand in."""

    state: states.State
    text: Text
    home: Text


def known(ls: Server, snapshot: Snapshot, offset: int | None = None) -> list[Known]:
    """Of the derivatives in a document and in the module beside it; all, or those of the function at a place."""
    beside = ls.documents.beside(snapshot)
    own = states.states(snapshot.module, snapshot.modules)
    others: tuple[states.State, ...] = ()
    if beside is not None:
        others = states.states_beside(snapshot.module, beside.module, beside.modules)
    if offset is not None:
        own, others = states.relatives(snapshot.module, offset, own, others)
    found = []
    for state in own:
        home = ls.documents.home(snapshot, state.module) or snapshot
        found.append(Known(state, snapshot.text, home.text))
    if beside is not None:
        found += [Known(state, beside.text, snapshot.text) for state in others]
    return found


def of_document(ls: Server, params: Any) -> dict[str, Any]:
    """pullback/states: all, or those of the function at a position."""
    given = values(params)
    snapshot = ls.documents.snapshot(text_of(given, "uri"))
    position = given.get("position")
    place = None if position is None else convert.to_offset(snapshot.text, _position(position))
    found = known(ls, snapshot, place)
    return {"version": snapshot.text.version, "states": [_shown(k) for k in found]}


def _shown(known: Known) -> dict[str, Any]:
    state, there = known.state, known.state.primal_span
    return {
        "name": state.qualname,
        "function": state.primal,
        "kind": state.kind,
        "state": state.word,
        "uri": known.text.uri,
        "range": range_of(known.text, state.name_span),
        "functionUri": known.home.uri,
        "functionRange": None if there is None else range_of(known.home, there),
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
