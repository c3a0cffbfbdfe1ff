"""Asks the client to ask again: what it shows of a document depends on more than that document's text.

Clients ask by themselves for what an edit may have changed in the document that it was made in, and sooner or later
for other documents, but not for the one at hand: it may be another one that changes.

May not know: what the client is told then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pullback_server.server import Server


def later(ls: Server) -> None:
    """All of it, in the next pause: not for every key."""
    client = ls.client
    if client.refreshes_diagnostics or client.refreshes_lenses or client.refreshes_inlay_hints:
        ls.refresh.later()


def all_shown(ls: Server) -> None:
    """Everything that the client asks for by itself."""
    if ls.client.refreshes_diagnostics:
        ls.workspace_diagnostic_refresh(None)
    if ls.client.refreshes_lenses:
        ls.workspace_code_lens_refresh(None)
    if ls.client.refreshes_inlay_hints:
        ls.workspace_inlay_hint_refresh(None)
