"""textDocument/hover: on a function its gradient, on a variable its adjoint and what is known of it, on a
call its rule, on a report what it means.

May not know: how any of these is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pullback_server import convert
from pullback_server.core import hovers
from pullback_server.items import page_uri

if TYPE_CHECKING:
    from pullback_server.server import Server


def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    snapshot = ls.documents.snapshot(params.text_document.uri)
    offset = convert.to_offset(snapshot.text, params.position)
    found = hovers.hover(snapshot.module, offset, snapshot.modules)
    reports = hovers.explained(snapshot.module, offset, snapshot.modules)
    if found is None and not reports:
        return None
    span = found.span if found is not None else reports[0].span
    told = [content(ls, h) for h in (found, *reports) if h is not None]
    kind = types.MarkupKind.Markdown if ls.client.markdown else types.MarkupKind.PlainText
    text = ("\n\n---\n\n" if ls.client.markdown else "\n\n").join(told)
    return types.Hover(types.MarkupContent(kind, text), convert.to_range(snapshot.text, span))


def content(ls: Server, found: hovers.Hover) -> str:
    """A title line, then the code, then a note, and where there is more to read."""
    markdown = ls.client.markdown
    code = f"```python\n{found.code}\n```" if markdown else found.code
    note = found.note.replace("\n", "  \n") if markdown else found.note
    page = page_uri(found.code_name, ls.client.documentation) if found.code_name else None
    more = (f"[{found.code_name}]({page})" if markdown else page) if page else ""
    return "\n\n".join(p for p in (found.title, code if found.code else "", note, more) if p)
