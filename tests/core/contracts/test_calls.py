"""Calls of functions in this module and in others: what is made of them, what is refused where, digests."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from pullback import derive
from pullback.transform.inlining import LIMIT
from tests.core.differences import assert_derivative, space_of

NP = "import numpy as np\n\n\n"
X = np.array([0.4, -1.1, 0.7])

LIB = """\
import numpy as xp

RATE = 0.3


def scale(a, k=2.0, *, shift=0.0):
    import math

    n = len(a)
    assert n > 0, "n is not positive"
    a *= k * RATE
    a[0] += shift + math.sin(a[n - 1]) + xp.cos(k)


def unknown(a):
    return mystery(a) * 2.0
"""
MAIN = """\
import numpy as np

import lib
from lib import scale as put


def f(x: np.ndarray, k: float):
    # pullback: x: (n,)
    n = 3.0
    u = x * 2.0
    put(u, k * n)
    lib.scale(u[1:], shift=k)
    return np.sum(u * u)
"""


def test_statements_of_another_module_mean_here_what_they_mean_there(tmp_path, monkeypatch) -> None:
    (tmp_path / "lib.py").write_text(LIB, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    made = derive(MAIN, "f", "grad", ("x", "k"), modules={"lib": LIB})
    assert "lib.RATE" in (made.source or "")
    space = space_of(MAIN, made.source or "")
    assert_derivative(space["f"], space["f_grad"], (X, 0.6), "grad", ("x", "k"))


def test_what_is_not_known_in_another_module_is_refused_there() -> None:
    text = NP + "from lib import unknown\n\n\ndef f(x):\n    return np.sum(unknown(x))\n"
    made = derive(text, "f", modules={"lib": LIB})
    [found] = made.diagnostics
    assert (found.code, found.path) == ("PB301", "lib")
    assert LIB[found.span.start : found.span.end] == "mystery(a)"


# heads of the names in the tree that are no module's
HEADS = ("helper", "mark", "word", "method", "attr")
OF_A_HEAD = """\
def stop(x):
    return x * x * x


def real(x):
    return 3.0 * x


def _plus(x, y):
    return x * y


def mean(x):
    return 5.0 * x
"""


@pytest.mark.parametrize("called", ["stop(x)", "real(x)", "_plus(x, x)", "mean(x)"])
@pytest.mark.parametrize("form", ["import {}", "import {} as h", "from {} import stop, real, mean"])
@pytest.mark.parametrize("head", HEADS)
def test_a_module_may_be_called_like_what_the_tree_says_of_itself(
    head: str, form: str, called: str, tmp_path, monkeypatch
) -> None:
    """Right, or refused where it cannot be told from it, but never taken for it."""
    (tmp_path / f"{head}.py").write_text(OF_A_HEAD, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, head, raising=False)
    before = "" if "from" in form else "h." if " as " in form else f"{head}."
    body = f"return x * {before}{called}"
    text = f"import {head}\n{form.format(head)}\n\n\ndef f(x: float):\n    {body}\n"
    made = derive(text, "f", modules={head: OF_A_HEAD})
    if made.source is None:
        assert head in ("method", "attr") or before + called == "_plus(x, x)"
        assert {d.code for d in made.diagnostics} <= {"PB301", "PB307"}
        return
    space = space_of(text, made.source)
    monkeypatch.delitem(sys.modules, head)
    assert_derivative(space["f"], space["f_grad"], (0.7,), "grad", ("x",))


def test_the_digest_covers_what_stands_in_the_place_of_a_call() -> None:
    helper = "def g(a, k):\n    a *= {}\n\n\n"
    text = (
        NP
        + helper
        + "def f(x: np.ndarray):\n    y = 1.0 * x\n    g(y, 2.0)\n    return np.sum(y)\n"
    )
    one, two = (derive(text.format(k), "f").header for k in ("k", "k * k"))
    assert one != two


REASONS = {
    "it calls itself": "def g(a, n):\n    a[n] = 0.0\n    g(a, n - 1)\n\n\n{}    g(y, 2)\n    return np.sum(y)\n",
    "it has a `try`": (
        "def g(a):\n    try:\n        a[0] = 0.0\n    except IndexError:\n        pass\n\n\n"
        "{}    n = g(y)\n    return np.sum(y)\n"
    ),
    "where only a value can": (
        "def g(a):\n    a[0] *= 0.5\n    return a[0] > 1.0\n\n\n"
        "{}    while g(y):\n        y *= 1.5\n    return np.sum(y)\n"
    ),
    "made once for all calls": (
        "def g(a, out=np.zeros(3)):\n    out[:] += a\n    return out\n\n\n{}    return np.sum(g(y))\n"
    ),
    "added to": "def g(a):\n    a[0] = 2.0 * a[1]\n    return a[0]\n\n\n{}    y[0] += g(y)\n    return np.sum(y)\n",
    f"more than {LIMIT} statements": (
        "def g(a):\n" + "    a[0] *= 0.5\n" * (LIMIT + 1) + "\n\n{}    g(y)\n    return np.sum(y)\n"
    ),
}


@pytest.mark.parametrize("reason", REASONS)
def test_a_call_that_stays_says_why(reason: str) -> None:
    f = "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = 1.0 * x\n"
    made = derive(NP + REASONS[reason].format(f), "f", modules={})
    assert made.source is None
    found = [d for d in made.diagnostics if d.code == "PB205"]
    assert any(reason in d.message for d in found), made.diagnostics
