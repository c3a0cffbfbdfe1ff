"""Digests change with what a function does and with nothing else."""

from __future__ import annotations

import pytest

from pullback.source.digest import digest, digest_of
from pullback.source.module import parse_tree

BASE = "def f(x, k=2):\n    y = x * k + 1.0\n    return y, 'text'\n"


PINNED, PINNED_TEXT = "6cbc6e88", "f2de1e41"


def of(text: str) -> str:
    return digest(parse_tree(text)[0])


@pytest.mark.parametrize(
    "text",
    [
        "def f(\n    x,\n    k=2,\n):\n    # a comment\n    y = (x * k) + 1.0\n\n    return (y, \"text\")\n",
        'def f(x, k=2):\n    """Doc."""\n    y = x * k + 1.0\n    return y, u"te" "xt"\n',
        "def f(x, k=0x2):\n  y = x * k + 1e0; return y, 'text'\n",
    ],
)  # fmt: skip
def test_layout_comments_and_docstrings_do_not_count(text: str) -> None:
    assert of(text) == of(BASE)


@pytest.mark.parametrize(
    "change",
    [("x * k", "k * x"), ("1.0", "1"), ("k=2", "k=3"), ("'text'", "b'text'"), ("def f", "def g"), ("y, ", "y,x,")],
)  # fmt: skip
def test_what_runs_counts(change: tuple[str, str]) -> None:
    assert of(BASE.replace(*change)) != of(BASE)


def test_the_digest_is_the_same_on_every_machine_and_python() -> None:
    # pinned: derivatives in users' files carry these digits
    assert of(BASE) == PINNED
    assert of("def f(x):\n    del (x, y)\n    return f'{x!r:>{w}} a{x}b'\n") == PINNED_TEXT
    assert of("def f(x):\n    del x, y\n    return f'{x!r:>{w}} a' f'{x}b'\n") == PINNED_TEXT


def test_very_long_literals_and_deep_trees() -> None:
    assert len(of(f"x = 0x{'f' * 9000}\n")) == 8
    assert len(of("x = " + "+".join(["a"] * 200))) == 8


def test_parts_do_not_run_together() -> None:
    assert digest_of(["ab", "c"]) != digest_of(["a", "bc"])
    assert len(digest_of(["\ud800"])) == 8
