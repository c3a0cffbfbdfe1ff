from __future__ import annotations

from textwrap import dedent

import pytest

from pullback.optimize.first_stores import store_first

from .programs import body_of, function


def after(body: str) -> str:
    return body_of(store_first(function(body, "x, y, n, k", made=True)))


def same(text: str) -> str:
    return dedent(text).strip()


def test_what_is_added_to_zeros_is_stored() -> None:
    body = """
        h = x.shape[1]
        z_bar = np.zeros_like(x)
        z_bar[:, 2 * h:] += y
        z_bar[:, h:2 * h] += -y
        z_bar[:, :h] += 2.0 * y
        z_bar[0] += y
        return z_bar
    """
    assert after(body) == same("""
        h = x.shape[1]
        z_bar = np.zeros_like(x)
        z_bar[:, 2 * h :] = y
        z_bar[:, h : 2 * h] = -y
        z_bar[:, :h] = 2.0 * y
        z_bar[0] += y
        return z_bar
    """)


@pytest.mark.parametrize(
    "first, then, stored",
    [
        ("0", "1", True),
        ("0", "-1", False),
        ("0", "k", False),
        (":k", "k:", True),
        (":k", "k + 1:", False),  # k may be negative
        (":3", "3:", True),
        ("1:", ":-1", False),
        ("::2", "1::2", False),
        ("k", "k", False),
        ("0, :2", "0, 2:", True),
    ],
)
def test_another_store_must_lie_apart(first: str, then: str, stored: bool) -> None:
    body = f"x_bar = np.zeros_like(x)\nx_bar[{first}] += y\nx_bar[{then}] += y\nreturn x_bar"
    one, two = after(body).splitlines()[1:3]
    assert " = " in one
    assert (" = " in two) is stored


def test_what_is_read_or_changed_in_between_is_added_to() -> None:
    for line in ("y = x_bar[1:]", "x_bar += 1.0", "view = x_bar[0]", "x_bar = x * 1.0"):
        body = f"x_bar = np.zeros_like(x)\n{line}\nx_bar[0] += y\nreturn x_bar"
        assert "x_bar[0] += y" in after(body)
    body = "x_bar = np.zeros_like(x)\nfor i in range(n):\n    x_bar[0] += y\nreturn x_bar"
    assert after(body) == body
