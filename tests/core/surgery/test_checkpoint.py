"""Checkpointed loops: run again in segments instead of recorded, with the same derivative and less memory."""

from __future__ import annotations

import io
import re
import tracemalloc
from collections.abc import Callable
from contextlib import redirect_stdout
from math import comb
from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import assert_derivative, space_of
from tests.core.surgery.replay import made

TOP = "import numpy as np\n\n\n"
U = np.array([0.3, -0.7, 0.9, 0.4, -0.2])
M = np.array([[0.2, -0.4], [1.0, 0.3]])

# name: (the function, arguments: those that are no integers are differentiated)
LOOPS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "an array bound anew": (
        "def f(u, k: float, n: int):\n    # pullback: u: (m, m)\n    # pullback: checkpoint\n"
        "    for t in range(n):\n        u = u + k * np.sin(u) * np.tanh(u)\n    return np.sum(u * u)\n",
        (M, 0.3, 7),
    ),
    "two numbers and a count, branches": (
        "def f(x: float, k: float, n: int):\n    y = x\n    c = 0\n"
        "    for i in range(n):  # pullback: checkpoint every=3\n        if y > 1.0:\n            y = y * 0.5\n"
        "            c += 1\n        else:\n            y = y * x + k * c\n    return y * c\n",
        (1.3, 0.2, 8),
    ),
    "an array written in place, a view of it, another that is filled": (
        "def f(u, k: float, n: int):\n    # pullback: u: (m,)\n    v = u.copy()\n    mid = v[1:-1]\n"
        "    w = np.zeros(n)\n"
        "    for t in range(1, n):  # pullback: checkpoint every=4\n        mid *= 1.0 + k * mid\n"
        "        w[t] = np.sum(v * v)\n    return np.sum(v * v) + np.sum(w * w)\n",
        (U, 0.1, 7),
    ),
    "buffers that are swapped": (
        "def f(u, k: float, n: int):\n    # pullback: u: (m,)\n    a = u.copy()\n    b = np.zeros_like(a)\n"
        "    for t in range(n):  # pullback: checkpoint\n        b[1:-1] = a[1:-1] * a[:-2] + k * a[2:]\n"
        "        a, b = b, a\n    return np.sum(a * a)\n",
        (U, 0.3, 6),
    ),
    "what it reads is another behind it": (
        "def f(u, k: float, n: int):\n    # pullback: u: (m,)\n    c = u * 2.0\n    h = u * 1.0\n"
        "    for t in range(n):  # pullback: checkpoint every=3\n        h = np.tanh(h * c + k)\n"
        "    k = k * 2.0\n    c[0] = k * h[1]\n    n = 0\n    return np.sum(h * c) * k + n\n",
        (U, 0.3, 5),
    ),
    "inside a loop, with a loop inside": (
        "def f(u, k: float, n: int):\n    # pullback: u: (m,)\n    y = u * 1.0\n    total = 0.0\n"
        "    for e in range(2):\n        z = y * k\n        for t in range(n):  # pullback: checkpoint every=2\n"
        "            z = np.sin(z) * y + k\n            i = 0\n            while i < t:\n                z = z * 0.9\n"
        "                i += 1\n        y = y + 0.1 * z * z\n        total += np.sum(z * y)\n    return total\n",
        (U, 0.3, 5),
    ),
    "inside a loop that goes on with what the last turn left": (
        "def f(u, k: float, n: int):\n    # pullback: u: (m,)\n    u = u.copy()\n    for e in range(3):\n"
        "        u = np.sin(u) * k\n        for t in range(n):  # pullback: checkpoint\n"
        "            u[t % 2] *= u[t % 2 + 1]\n    return np.sum(u)\n",
        (U, 0.3, 5),
    ),
    "one in another, with turns cut short": (
        "def f(u, k: float, n: int):\n    # pullback: u: (m,)\n    y = u * 1.0\n    z = y\n"
        "    for e in range(n):  # pullback: checkpoint every=2\n        z = y * k\n"
        "        for t in range(n):  # pullback: checkpoint every=2\n            z = np.sin(z) * y + k\n"
        "            if t == 1:\n                continue\n            z = 0.5 * z * z\n        y = y + 0.1 * z * z\n"
        "    return np.sum(y * z)\n",
        (U, 0.3, 5),
    ),
    "in a function that is called": (
        "def g(v, k, n):\n    for t in range(n):  # pullback: checkpoint\n        v = 0.5 * v * v + k\n"
        "    return v\n\n\n"
        "def f(u, k: float, n: int):\n    # pullback: u: (m,)\n    return np.sum(g(np.tanh(u), k, n) * u)\n",
        (U, 0.3, 6),
    ),
    "what gives the same again": (
        "def g(v, k):\n    return h(v) * sum([0.5 * v[i] for i in range(2)]) + k\n\n\n"
        "def h(v):\n    return np.sum(v) if len(v) < 2 else h(v[1:]) * v[0]\n\n\n"
        "def f(u, k: float, n: int):\n    # pullback: u: (m,)\n    for t in range(n):  # pullback: checkpoint\n"
        "        u = 0.5 * u + k * g(u, k)\n    return np.sum(u * u)\n",
        (U, 0.3, 4),
    ),
    "functions called in its turns, code inserted": (
        "def g(v, k):\n    return np.sin(v) * k\n\n\ndef f(u, k: float, n: int):\n    # pullback: u: (m,)\n"
        "    for t in range(n):  # pullback: checkpoint\n        # pullback: insert u: u_bar = 1.0 * u_bar\n"
        "        u = u + g(u, k)\n    return np.sum(u * u)\n",
        (U, 0.3, 6),
    ),
}


SEGMENTS = "# pullback: checkpoint"


def _scheduled(text: str, snapshots: int) -> str:
    """`text` with a number of snapshots for each of its checkpointed loops."""
    return re.sub(rf"{SEGMENTS}( every=\d+)?", f"{SEGMENTS} snapshots={snapshots}", text)


@pytest.mark.parametrize("snapshots", [0, 1, 3])
@pytest.mark.parametrize("kind", ["grad", "hvp"])
@pytest.mark.parametrize("name", LOOPS)
def test_the_derivative_is_the_same(name: str, kind: str, snapshots: int) -> None:
    text, args = LOOPS[name]
    text = _scheduled(text, snapshots) if snapshots else text
    wrt = ("x", "k") if "x: float" in text else ("u", "k")
    derived = derive(TOP + text, "f", kind, wrt, modules={})
    if derived.source is None and kind == "hvp":  # as without the comment
        plain = text.replace(SEGMENTS, "#")
        assert derive(TOP + plain, "f", kind, wrt, modules={}).source is None
        return
    assert derived.source is not None, derived.diagnostics
    # a tangent of the gradient may hold them in one tape with what it records itself
    assert "snapshots" in derived.source or (kind == "hvp" and "tape" in derived.source)
    space = space_of(TOP + text, derived.source)
    for n in (1, args[-1]):
        assert_derivative(space["f"], space[derived.name], (*args[:-1], n), kind, wrt)


def test_no_turn_at_all() -> None:
    text, _ = LOOPS["an array bound anew"]
    derived = derive(TOP + text, "f", modules={})
    np.testing.assert_allclose(
        made(TOP + text + (derived.source or ""), "f_grad")(M, 0.3, 0), 2.0 * M
    )


def _fewest(turns: int, snapshots: int) -> int:
    """How many turns Griewank and Walther's formula says are run to reverse a loop, the recorded ones left out."""
    runs = 0
    while comb(snapshots + runs, snapshots) < turns:
        runs += 1
    return runs * turns - comb(snapshots + runs, runs - 1) if runs else 0


class Held(list[Any]):
    """A list that knows how long it has been at most."""

    most = 0

    def append(self, item: Any) -> None:
        super().append(item)
        Held.most = max(Held.most, len(self))


COUNTED = """
def turn(u):
    return u * u


def f(u: float, n: int):
    for t in range(n):  # pullback: checkpoint snapshots={}
        u = turn(u)
    return u
"""


@pytest.mark.parametrize("snapshots", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("turns", [1, 2, 3, 7, 10, 29, 64])
def test_no_schedule_with_so_many_snapshots_runs_fewer_turns(turns: int, snapshots: int) -> None:
    source = COUNTED.format(snapshots)
    text = (derive(source, "f").source or "").replace("snapshots = []", "snapshots = Held()")
    space = {**space_of(source), "Held": Held}
    exec(text, space)
    run: list[str] = []
    for name in ("turn", "_turn_vjp"):
        space[name] = _noted(name, space[name], run)
    Held.most = 0
    assert space["f_grad"](1.0, turns) == 2.0**turns
    assert run.count("_turn_vjp") == turns
    # what stands behind the loop, where the backward pass begins, is one turn more
    assert run.count("turn") == _fewest(turns + 1, snapshots)
    assert Held.most <= snapshots


def _noted(name: str, f: Callable[..., Any], run: list[str]) -> Callable[..., Any]:
    def noted(*args: Any) -> Any:
        run.append(name)
        return f(*args)

    return noted


@pytest.mark.parametrize("kind", ["jvp", "grad"])
def test_forward_mode_takes_the_loop_as_it_is(kind: str) -> None:
    text, _ = LOOPS["an array bound anew"]
    plain = text.replace("    # pullback: checkpoint\n", "")
    bodies = [
        re.sub(r"\[.*?\]", "", derive(TOP + t, "f", kind).source or "") for t in (text, plain)
    ]
    assert (bodies[0] == bodies[1]) == (kind == "jvp")


def test_it_takes_an_eighth_of_the_memory() -> None:
    text, _ = LOOPS["an array bound anew"]
    peaks = []
    schedules = ("checkpoint", "checkpoint snapshots=10")
    for said in (*(f"    # pullback: {s}\n" for s in schedules), ""):
        source = TOP + text.replace("    # pullback: checkpoint\n", said)
        f_grad = made(source + (derive(source, "f").source or ""), "f_grad")
        tracemalloc.start()
        f_grad(np.full((64, 64), 0.1), 0.01, 400)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert max(peaks[:2]) < peaks[2] / 8


def test_what_a_turn_prints_is_printed_once() -> None:
    text = (
        "def f(x: float, n: int):\n    for t in range(n):  # pullback: checkpoint\n        print(t)\n"
        "        x = x * x\n    return x\n"
    )
    f_grad = made(TOP + text + (derive(TOP + text, "f").source or ""), "f_grad")
    said = io.StringIO()
    with redirect_stdout(said):
        np.testing.assert_allclose(f_grad(0.9, 5), 32.0 * 0.9**31)
    assert said.getvalue().split() == ["0", "1", "2", "3", "4"]


LOOP = "def f(x: float, n: int):\n    for t in {}:  # pullback: checkpoint\n        x = x * x\n    return x\n"
UNFIT = {
    LOOP.format("(1, 2)"): "over `range(n)`",
    LOOP.format("range(0, n, 2)"): "over `range(n)`",
    LOOP.format("range(n)").replace("checkpoint", "checkpoint every=0"): "a number as in",
    LOOP.format("range(n)").replace("checkpoint", "checkpoint snapshots=x"): "a number as in",
    LOOP.format("range(n)").replace(
        "checkpoint", "checkpoint every=2 snapshots=2"
    ): "a number as in",
    LOOP.format("range(n)").replace("checkpoint", "checkpoint fast"): None,
    LOOP.format("range(n)").replace(
        "x = x * x", "x = x * np.random.normal()"
    ): "may not give what the first",
    "def noise():\n    return np.random.normal()\n\n\n"
    + LOOP.format("range(n)").replace("x = x * x", "x = x * noise()"): "second call of noise",
    LOOP.format("range(n)").replace(
        "x = x * x", "x = x * max([np.random.normal() for _ in range(2)])"
    ): "may not",
    "COUNT = [0]\n\n\n"
    + LOOP.format("range(n)").replace(
        "x = x * x", "COUNT[0] += 1\n        x = x * COUNT[0]"
    ): "not the function's own",
    LOOP.format("range(n)").replace("x = x * x", "x = x * draw()"): "may not give what the first",
    LOOP.format("range(n)").replace(
        "x = x * x", "x = x * x\n        if x < 0.1:\n            break"
    ): "left before",
    LOOP.format("range(n)").replace("x = x * x", "t = t + 1\n        x = x * t"): "assigns t",
    "def f(x: float, n: int):\n    y = x * x  # pullback: checkpoint\n    return y\n": "a `for` loop",
    "def f(x: float, n: int):\n    h = [x]\n    for t in range(n):  # pullback: checkpoint\n"
    "        h.append(h[-1] * x)\n    return h[-1]\n": "h is a container",
    "def f(x, n: int):\n    # pullback: x: (m,)\n    v = x.copy()\n    mid = v[1:]\n"
    "    for t in range(n):  # pullback: checkpoint\n        mid *= v[:-1]\n    y = np.sum(mid)\n    v = v * 2.0\n"
    "    return y * np.sum(v)\n": "assigned again behind it",
}


@pytest.mark.parametrize("source", UNFIT)
def test_a_loop_that_cannot_be_run_again_is_refused(source: str) -> None:
    derived = derive(TOP + source, "f", modules={})
    assert derived.source is None
    reason = UNFIT[source]
    codes = {d.code for d in derived.diagnostics}
    assert codes == {"PB112"} if reason else codes == {"PB004"}
    assert reason is None or any(reason in d.message for d in derived.diagnostics)
