"""What is stopped is constant: calls of `stop_gradient`, and the comments that say the same."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import pullback
from pullback import derive
from tests.core.differences import assert_derivative
from tests.core.surgery.replay import X, body_of, held, made

TOP = "import numpy as np\nimport pullback\n\n\n"

# name: (text of the function f, which returns a number; arguments, those in front floating)
STOPPED: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a factor": (
        """
        def f(x: float):
            return x * pullback.stop_gradient(np.exp(x)) + x * x
        """,
        (0.7,),
    ),
    "a variable that is read again": (
        """
        def f(x, w):
            # pullback: x: (n,), w: (n,)
            y = x * w
            still = pullback.stop_gradient(y)
            return np.sum(still * y * w)
        """,
        (X, X + 1.0),
    ),
    "in a loop, whose values are recorded": (
        """
        def f(x: float, w: float):
            h = x
            for k in range(4):
                h = h * w + np.sin(h * pullback.stop_gradient(h))
            return h * w
        """,
        (0.7, 0.4),
    ),
    "a branch that depends on it": (
        """
        def f(x: float, w: float):
            c = pullback.stop_gradient(x * w)
            y = c * x if c > 0.0 else w * w
            if c > 0.1:
                y = y * c
            return y * w
        """,
        (0.7, 0.4),
    ),
    "an element of an array that is written": (
        """
        def f(x, w: float):
            # pullback: x: (n,)
            y = np.zeros(len(x))
            for i in range(len(x)):
                y[i] = x[i] * pullback.stop_gradient(y[i - 1] + w) + w
            return np.sum(y * y)
        """,
        (X, 0.4),
    ),
    "of a function that is called": (
        """
        def g(a, b):
            return a * pullback.stop_gradient(b) + b


        def f(x: float, w: float):
            return g(x, g(w, x * x))
        """,
        (0.7, 0.4),
    ),
    "what a call writes into": (
        """
        def g(y, a):
            y[0] = a * pullback.stop_gradient(a)


        def f(x: float, w: float):
            y = np.ones(2) * w
            g(y, x)
            return np.sum(y * y)
        """,
        (0.7, 0.4),
    ),
    "what has no derivative at all": (
        """
        def f(x, w: float):
            # pullback: x: (n,)
            order = pullback.stop_gradient(sorted([abs(v) for v in x]))
            return np.sum(np.asarray(order) * x) * w
        """,
        (X, 0.4),
    ),
    "in a lambda": (
        """
        def f(x: float, w: float):
            g = lambda u: u * pullback.stop_gradient(u * w)
            return g(x) * g(w)
        """,
        (0.7, 0.4),
    ),
}
KINDS = ("grad", "vjp", "jvp", "hvp", "value_and_grad")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", STOPPED)
def test_what_is_stopped_is_constant(name: str, kind: str) -> None:
    text, args = STOPPED[name]
    source = TOP + dedent(text).lstrip()
    wrt = ("x", "w")[: len(args)]
    derived = derive(source, "f", kind, wrt if len(wrt) > 1 else wrt[0], modules={})
    assert derived.source is not None, derived.diagnostics
    assert "pullback." not in derived.source
    f = held(source, args)
    assert_derivative(f, made(source + "\n\n" + derived.source, derived.name), args, kind, wrt)


# comment -> what it is written as
SAID = {
    "a statement": (
        "def f(x: float):\n    y = np.exp(x)  # pullback: stop\n    return y * x\n",
        "def f(x: float):\n    y = pullback.stop_gradient(np.exp(x))\n    return y * x\n",
    ),
    "the statement below": (
        "def f(x: float):\n    # pullback: stop\n    # of the scale\n    y = np.exp(x)\n    return y * x\n",
        "def f(x: float):\n    # of the scale\n    y = pullback.stop_gradient(np.exp(x))\n    return y * x\n",
    ),
    "a statement of several lines": (
        "def f(x: float):\n    y = np.maximum(\n        x,\n        0.0,\n    )  # pullback: stop\n    return y * x\n",
        "def f(x: float):\n    y = pullback.stop_gradient(np.maximum(x, 0.0))\n    return y * x\n",
    ),
    "one of several targets": (
        "def f(x: float):\n    y, z = x * x, np.exp(x)  # pullback: stop z\n    return y * z\n",
        "def f(x: float):\n    y, z = x * x, pullback.stop_gradient(np.exp(x))\n    return y * z\n",
    ),
    "an element": (
        "def f(x: float):\n    y = np.ones(2)\n    y[1] = x * x  # pullback: stop\n    return np.sum(y) * x\n",
        "def f(x: float):\n    y = np.ones(2)\n    y[1] = pullback.stop_gradient(x * x)\n    return np.sum(y) * x\n",
    ),
    "in a branch": (
        "def f(x: float):\n    if x > 0.0:\n        # pullback: stop\n        y = x * x\n    else:\n"
        "        y = x\n    return y * x\n",
        "def f(x: float):\n    if x > 0.0:\n        y = pullback.stop_gradient(x * x)\n    else:\n"
        "        y = x\n    return y * x\n",
    ),
    "a parameter": (
        "# pullback: stop w\ndef f(x: float, w: float):\n    return w * x * x\n",
        "def f(x: float, w: float):\n    w = pullback.stop_gradient(w)\n    return w * x * x\n",
    ),
    "a parameter, below the docstring": (
        'def f(x: float, w: float):\n    """A parabola."""\n    # pullback: stop w\n    return w * x * x\n',
        "def f(x: float, w: float):\n    w = pullback.stop_gradient(w)\n    return w * x * x\n",
    ),
}


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
@pytest.mark.parametrize("name", SAID)
def test_a_comment_says_what_a_call_does(name: str, kind: str) -> None:
    comment, call = SAID[name]
    spoken, called = (derive(TOP + text, "f", kind, "*") for text in (comment, call))
    assert spoken.source is not None, spoken.diagnostics
    assert "stop" not in body_of(spoken.source)
    args = (0.7, 1.3)[: 2 if "w: float" in comment else 1]
    seed = (0.3,) if kind == "vjp" else (0.3, 0.4)[: len(args)]
    got, want = (made(d.source or "", d.name)(*args, *seed) for d in (spoken, called))
    np.testing.assert_allclose(np.hstack(got), np.hstack(want))


MISPLACED = {
    "def f(x: float):\n    y = x * x  # pullback: stop z\n    return y\n": "z is no parameter",
    "def f(x: float):\n    z = x\n    y = x * z  # pullback: stop z\n    return y\n": "does not assign z",
    "def f(x: float):\n    # pullback: stop\n    return x * x\n": "takes an assignment",
    "def f(x: float):\n    y = x\n    y *= x  # pullback: stop\n    return y\n": "takes an assignment",
    "# pullback: stop\ndef f(x: float):\n    return x * x\n": "no statement",
    "def f(x: float):\n    return x * x\n    # pullback: stop\n": "no statement",
    "def f(x: float):\n    y = (\n        x  # pullback: stop\n        * x\n    )\n    return y\n": "no statement",
}


@pytest.mark.parametrize("source", MISPLACED)
def test_a_comment_that_fits_nowhere_is_an_error(source: str) -> None:
    derived = derive(source, "f")
    assert derived.source is None
    [d] = derived.diagnostics
    assert d.code == "PB112" and MISPLACED[source] in d.message
    assert source[d.span.start : d.span.end].startswith("# pullback: stop")


def test_what_shares_memory_with_something_written_is_refused() -> None:
    text = (
        "def f(x: np.ndarray, w: float):\n    # pullback: x: (n,)\n    x = x * 2.0\n"
        "    y = pullback.stop_gradient(x)\n    x[0] = w\n    return np.sum(y * y * x)\n"
    )
    for kind in ("vjp", "jvp"):
        derived = derive(TOP + text, "f", kind, "*")
        assert derived.source is None
        assert {d.code for d in derived.diagnostics} <= {"PB201", "PB202"}


def test_a_comment_changes_the_digest_and_so_does_its_place() -> None:
    lines = [
        "def f(x: float):",
        "    y = np.exp(x)",
        "    z = np.sin(x)",
        "    return x * y * z",
        "",
    ]
    moved = [
        "\n".join([*lines[:k], f"{lines[k]}  # pullback: stop", *lines[k + 1 :]]) for k in (1, 2)
    ]
    headers = {
        derive(TOP + text, "f").header.split("[")[1][:8] for text in ("\n".join(lines), *moved)
    }
    assert len(headers) == 3


def test_a_comment_of_a_called_function_changes_the_digest() -> None:
    text = (
        "def g(x):\n    y = np.exp(x){}\n    return x * y\n\n\ndef f(x: float):\n    return g(x)\n"
    )
    plain, stopped = (
        derive(TOP + text.format(said), "f").header for said in ("", "  # pullback: stop")
    )
    assert plain.split("[")[1][:8] != stopped.split("[")[1][:8]


def test_a_stopped_parameter_has_the_gradient_zero() -> None:
    source = "def f(x: float, w: np.ndarray):\n    # pullback: stop w\n    return np.sum(w * x)\n"
    derived = derive(TOP + source, "f", wrt="*")
    got, still = made(derived.source or "", derived.name)(0.5, X)
    np.testing.assert_allclose(got, np.sum(X))
    np.testing.assert_array_equal(still, np.zeros(3))


def test_at_run_time_it_is_the_identity() -> None:
    assert pullback.stop_gradient(X) is X
