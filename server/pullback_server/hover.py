"""textDocument/hover: on a function its gradient, on a variable or statement its adjoint.

May not know: how either is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pullback_server import convert
from pullback_server.core import ide

if TYPE_CHECKING:
    from pullback_server.server import Server


def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    snapshot = ls.documents.snapshot(params.text_document.uri)
    offset = convert.to_offset(snapshot.text, params.position)
    found = ide.hover(snapshot.module, offset, snapshot.modules)
    if found is None:
        return None
    return types.Hover(
        content(found, ls.client.markdown), convert.to_range(snapshot.text, found.span)
    )


def content(found: ide.Hover, markdown: bool) -> types.MarkupContent:
    """A title line, then the code, then a note."""
    code = f"```python\n{found.code}\n```" if markdown else found.code
    parts = (found.title, code if found.code else "", found.note)
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    return types.MarkupContent(kind, "\n\n".join(p for p in parts if p))
