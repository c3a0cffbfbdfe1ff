"""docs/protocol.md names all that a client may meet beyond the protocol itself."""

from __future__ import annotations

from pullback_server import code_actions, derivatives, preview
from pullback_server.server import FEATURES

from .process import ROOT

PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")


def test_every_kind_of_action_is_on_the_page() -> None:
    kinds = [str(getattr(k, "value", k)) for k in code_actions.OPTIONS.code_action_kinds or ()]
    assert kinds and [k for k in kinds if f"`{k}`" not in PAGE] == []


def test_every_request_and_command_is_on_the_page() -> None:
    own = [method for method, *_ in FEATURES if method.startswith("pullback/")]
    names = [*own, preview.SHOW, preview.SCHEME, derivatives.CHOOSE]
    assert [n for n in names if n not in PAGE] == []
