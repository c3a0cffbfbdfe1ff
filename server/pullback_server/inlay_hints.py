"""textDocument/inlayHint: types, shapes, what is active and what is recorded, where the user wants them.

May not know: how any of it is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pullback_server import convert
from pullback_server.core import inlays

if TYPE_CHECKING:
    from pullback_server.server import Server


def hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    snapshot = ls.documents.snapshot(params.text_document.uri)
    if not ls.settings.at(snapshot.text.uri).inlay_hints:
        return []
    place = convert.to_span(snapshot.text, params.range)
    return [
        types.InlayHint(convert.to_position(snapshot.text, i.offset), i.text, tooltip=i.more)
        for i in inlays.inlays(snapshot.module, place, snapshot.modules)
        if place.start <= i.offset <= place.end
    ]
