"""Hovers: on a function its gradient, in a body the adjoint of what stands there."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from pullback_server import hover

from .marks import at_mark

LOSS = """\
import numpy as np


def loss(w, X):
    z = X @ w
    return np.sum(z * z)
"""


def check(marked: str, **abilities: Any) -> str | None:
    """The hover's text at the mark."""
    asked = at_mark(marked, **abilities)
    found = hover.hover(asked.ls, types.HoverParams(asked.document, asked.position))
    if found is None:
        return None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_a_function_shows_its_gradient() -> None:
    shown = check(LOSS.replace("loss", "lo$0ss"))
    assert shown is not None and shown.startswith("Gradient of `loss`\n\n```python\n")
    assert "def loss_grad(w, X):" in shown and shown.endswith("```")


def test_a_call_shows_the_gradient_of_what_is_called() -> None:
    assert "def loss_grad(" in (check(LOSS + "\nprint(lo$0ss(1, 2))\n") or "")


def test_a_variable_shows_its_adjoint() -> None:
    shown = check(LOSS.replace("z = X", "z$0 = X"))
    assert shown is not None and shown.startswith("Adjoint of `z`") and "z_bar = " in shown


def test_nothing_is_said_where_there_is_nothing_to_say() -> None:
    assert check("imp$0ort numpy\n") is None
    assert check(LOSS.replace("def loss", "# a comm$0ent\ndef loss")) is None


def test_what_cannot_be_differentiated_says_why() -> None:
    shown = check("def wa$0lk(x):\n    yield x * x\n")
    assert shown is not None and "cannot be differentiated" in shown
    assert "line 2: PB102" in shown


def test_without_markdown_the_text_is_plain() -> None:
    shown = check(LOSS.replace("loss", "lo$0ss"), markdown=False)
    assert shown is not None and "```" not in shown and "def loss_grad(w, X):" in shown


def test_a_function_with_an_error_in_another_keeps_its_hover() -> None:
    assert "def loss_grad(" in (
        check(LOSS.replace("loss", "lo$0ss") + "\ndef broken(:\n    x =\n") or ""
    )
