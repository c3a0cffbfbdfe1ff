"""Code for the backward pass: where it runs, what it sees, and that nothing but it is left."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import pytest

import pullback
from pullback import derive
from pullback.derive import UnknownTarget
from pullback.generated import check_generated
from pullback.source.header import inserted, parse_header
from pullback.source.module import parse_module
from tests.core.surgery.replay import X, body_of, made

TOP = "import numpy as np\nimport pullback\n\n\n"
W = np.array([[0.9, -0.4, 0.3], [1.2, 0.5, -0.8], [-0.3, 0.7, 1.1]])
XS = np.array([[0.3, -0.2, 0.5], [0.1, 0.4, -0.6], [-0.5, 0.2, 0.3], [0.2, 0.2, -0.1]])

RNN = (
    "def rnn(W, xs):\n    # pullback: W: (d, d), xs: (n, d)\n    h = np.zeros(W.shape[0])\n"
    "    for t in range(len(xs)):\n        h = np.tanh(W @ h + xs[t])\n{}    return np.sum(h * h)\n"
)
LOOP = "        for h_bar in pullback.insert_grad_of(h):\n            {}\n"


def rnn_by_hand(change: Any) -> Any:
    """The gradient with the adjoint of h changed in every turn, by `change(h_bar, t, h)`."""
    hs = [np.zeros(3)]
    for x in XS:
        hs.append(np.tanh(W @ hs[-1] + x))
    h_bar, w_bar = 2.0 * hs[-1], np.zeros_like(W)
    for t in reversed(range(len(XS))):
        h_bar = change(h_bar, t, hs[t + 1])
        a_bar = h_bar * (1.0 - hs[t + 1] ** 2)
        w_bar += np.outer(a_bar, hs[t])
        h_bar = W.T @ a_bar
    return w_bar


CHANGES: dict[str, tuple[str, Any]] = {
    "clipping": ("h_bar = np.clip(h_bar, -0.1, 0.1)", lambda b, t, h: np.clip(b, -0.1, 0.1)),
    "scaling in place": ("h_bar *= 0.5", lambda b, t, h: 0.5 * b),
    "clipping by the norm": (
        "h_bar = h_bar / max(1.0, np.linalg.norm(h_bar))",
        lambda b, t, h: b / max(1.0, np.linalg.norm(b)),
    ),
    "one element": ("h_bar[0] = 0.0", lambda b, t, h: np.array([0.0, b[1], b[2]])),
    "what the loop and the function hold": (
        "h_bar = h_bar * h if t > 1 else h_bar",
        lambda b, t, h: b * h if t > 1 else b,
    ),
    "a synthetic gradient": ("h_bar = 0.1 * xs[t] * h", lambda b, t, h: 0.1 * XS[t] * h),
    "truncation": ("h_bar = np.where(t < 2, 0.0, h_bar)", lambda b, t, h: b if t >= 2 else 0.0 * b),
}
FORMS = ("a loop", "a comment", "a comment behind the statement", "a request")


def asked(form: str, code: str) -> tuple[str, dict[str, str] | None]:
    """A module that says to insert `code`, and what is asked beside it."""
    if form == "a request":
        return TOP + RNN.format(""), {"h": code}
    if form == "a comment behind the statement":
        line = "h = np.tanh(W @ h + xs[t])"
        return TOP + RNN.format("").replace(line, f"{line}  # pullback: insert h: {code}"), None
    lines = LOOP.format(code) if form == "a loop" else f"        # pullback: insert h: {code}\n"
    return TOP + RNN.format(lines), None


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CHANGES)
def test_the_adjoint_is_changed_where_it_is_complete(name: str, form: str) -> None:
    code, change = CHANGES[name]
    source, insert = asked(form, code)
    derived = derive(source, "rnn", insert=insert, modules={})
    assert derived.source is not None, derived.diagnostics
    assert "insert_grad_of" not in derived.source and "pullback." not in body_of(derived.source)
    args = (W.copy(), XS.copy())
    got = made(source + "\n\n" + derived.source, "rnn_grad")(*args)
    np.testing.assert_allclose(got, rnn_by_hand(change), rtol=1e-10)
    np.testing.assert_array_equal(args[0], W)


def test_the_primal_takes_no_turn() -> None:
    f = made(TOP + RNN.format(LOOP.format("raise ValueError(h_bar)")), "rnn")
    assert f(W, XS) == made(TOP + RNN.format(""), "rnn")(W, XS)


def test_a_jvp_has_no_place_for_it() -> None:
    source, _ = asked("a loop", CHANGES["clipping"][0])
    [d] = derive(source, "rnn", "jvp", modules={}).diagnostics
    assert d.code == "PB112" and "forward mode" in d.message


def test_a_hessian_goes_through_what_is_inserted() -> None:
    source, _ = asked("a loop", "h_bar *= 0.5")
    product = derive(source, "rnn", "hvp", modules={})
    gradient = derive(source, "rnn", "grad", modules={})
    assert product.source is not None and gradient.source is not None
    hvp, grad = (made(source + "\n\n" + d.source, d.name) for d in (product, gradient) if d.source)
    dot, step = np.cos(W), 1e-6
    want = (grad(W + step * dot, XS) - grad(W - step * dot, XS)) / (2.0 * step)
    np.testing.assert_allclose(hvp(W, XS, dot), want, rtol=1e-6)


def test_printing() -> None:
    code = 'print(f"{t}: {np.round(np.linalg.norm(h_bar), 3)}")'
    source, _ = asked("a comment", code)
    derived = derive(source, "rnn", modules={})
    assert code in (derived.source or "")
    said = io.StringIO()
    with redirect_stdout(said):
        made(source + "\n\n" + (derived.source or ""), "rnn_grad")(W, XS)
    assert [line[:2] for line in said.getvalue().splitlines()] == ["3:", "2:", "1:", "0:"]


def test_a_breakpoint_stops_where_the_adjoint_is_complete(monkeypatch) -> None:
    source, _ = asked("a comment", "breakpoint()")
    derived = derive(source, "rnn", modules={})
    seen: list[tuple[str, Any]] = []

    def stopped() -> None:
        frame = sys._getframe(1)
        seen.append((frame.f_code.co_name, frame.f_locals["h_bar"].copy()))

    monkeypatch.setattr(sys, "breakpointhook", stopped)
    made(source + "\n\n" + (derived.source or ""), "rnn_grad")(W, XS)
    assert [name for name, _ in seen] == ["rnn_grad"] * len(XS)
    h = np.zeros(3)
    for x in XS:
        h = np.tanh(W @ h + x)
    np.testing.assert_allclose(seen[0][1], 2.0 * h)  # of the last turn


def test_stopping_early() -> None:
    code = "if not np.all(np.isfinite(h_bar)):\n                raise FloatingPointError(t)"
    source, _ = asked("a loop", code)
    derived = derive(source, "rnn", modules={})
    rnn_grad = made(source + "\n\n" + (derived.source or ""), "rnn_grad")
    np.testing.assert_allclose(rnn_grad(W, XS), rnn_by_hand(lambda b, t, h: b))
    with pytest.raises(FloatingPointError, match="3"):
        rnn_grad(W * np.nan, XS)


# name: (the function, arguments, wrt, the gradient by hand)
PLACES: dict[str, tuple[str, tuple[Any, ...], Any]] = {
    "in front of later reads, behind earlier ones": (
        "def f(x: float):\n    y = x * x\n    a = 3.0 * y\n    # pullback: insert y: y_bar = 10.0 * y_bar\n"
        "    return a + 2.0 * y\n",
        (0.5,),
        2.0 * 0.5 * (3.0 + 20.0),
    ),
    "at the end of a branch": (
        "def f(x: float):\n    if x > 0.0:\n        y = x * x\n        # pullback: insert y: y_bar = 5.0\n"
        "    else:\n        # pullback: insert x: x_bar = 7.0\n        y = x\n    return y\n",
        (0.5,),
        5.0,
    ),
    "at the start of the other branch": (
        "def f(x: float):\n    if x > 9.0:\n        y = x * x\n        # pullback: insert y: y_bar = 5.0\n"
        "    else:\n        # pullback: insert x: x_bar = 7.0\n        y = x\n    return y\n",
        (0.5,),
        7.0,
    ),
    "behind a loop": (
        "def f(x: float):\n    for _ in range(3):\n        x = x * x\n    # pullback: insert x: x_bar = 2.0\n"
        "    return x\n",
        (0.5,),
        2.0 * 8.0 * 0.5**7,
    ),
    "a parameter": (
        "# pullback: differentiable\ndef f(x: float):\n    # pullback: insert x: x_bar = -x_bar\n    return x * x\n",
        (0.5,),
        -1.0,
    ),
    "an array that is written, and a view of it": (
        "def f(x):\n    # pullback: x: (n,)\n    v = 2.0 * x\n    tail = v[1:]\n    tail *= 0.5\n"
        "    # pullback: insert v: v_bar = np.minimum(v_bar, 7.0)\n"
        "    # pullback: insert tail: tail_bar = 10.0 * tail_bar\n    return np.sum(v)\n",
        (X,),
        np.array([2.0, 7.0, 7.0]),
    ),
    "a variable with no share in the result": (
        "def f(x: float):\n    y = x * x\n    # pullback: insert y: y_bar = 1.0\n    return 3.0 * x\n",
        (0.5,),
        3.0 + 1.0,
    ),
    "code with variables of its own": (
        "def f(x: float):\n    y = x * x\n    for y_bar in pullback.insert_grad_of(y):\n"
        "        k = 0.0\n        for x in (1.0, 2.0):\n            k += x * y_bar\n        y_bar = k\n"
        "    return y * x\n",
        (0.5,),
        0.25 + 1.5 * 1.0,
    ),
    "in a function that is called": (
        "def g(u):\n    v = u * u\n    # pullback: insert v: v_bar = 2.0 * v_bar\n    return v\n\n\n"
        "def f(x: float):\n    return g(x) * x\n",
        (0.5,),
        0.25 + 2.0 * 0.5,
    ),
    "what a constant is bound to": (
        "def f(x: float):\n    k = 2.0\n    # pullback: insert k: k_bar = 1e9\n    return k * x\n",
        (0.5,),
        2.0,
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_code_runs_at_the_mirror_of_its_place(name: str) -> None:
    text, args, want = PLACES[name]
    derived = derive(TOP + text, "f", modules={})
    assert derived.source is not None, derived.diagnostics
    got = made(TOP + text + "\n\n" + derived.source, derived.name)(*args)
    np.testing.assert_allclose(got, want)


def test_a_seed_is_left_as_it_was() -> None:
    text = (
        "def f(x: np.ndarray):\n    y = x * x  # pullback: insert y: y_bar[0] = 0.0\n    return y\n"
    )
    derived = derive(TOP + text, "f", "vjp", modules={})
    seed = np.ones(3)
    got = made(TOP + text + "\n\n" + (derived.source or ""), "f_vjp")(X, seed)
    np.testing.assert_allclose(got, 2.0 * X * np.array([0.0, 1.0, 1.0]))
    np.testing.assert_array_equal(seed, np.ones(3))


UNFIT = {
    "def f(x: float):\n    y = x * x  # pullback: insert y: y_bar = = 2\n    return y\n": "no statement of Python",
    "def f(x: float):\n    for k in range(2):\n        for x_bar in pullback.insert_grad_of(x):\n"
    "            break\n        x = x * x\n    return x\n": "would leave the backward pass",
    "def f(x: float):\n    for k in range(2):  # pullback: insert x: x_bar = 1.0\n        x = x * x\n"
    "    return x\n": "on a line of its own",
    "def f(x: float):\n    s = x\n    for k in range(2):\n        s = s * x\n"
    "        # pullback: insert x: print(f'{s}')\n        s = s + 1.0\n    return s\n": "a formatted string",
}


@pytest.mark.parametrize("source", UNFIT)
def test_code_that_cannot_stand_there_is_an_error(source: str) -> None:
    derived = derive(TOP + source, "f", modules={})
    assert derived.source is None
    [d] = derived.diagnostics
    assert d.code == "PB112" and UNFIT[source] in d.message


def test_a_request_is_kept_in_the_header() -> None:
    source = TOP + RNN.format("")
    code = {"h": "h_bar = np.clip(h_bar, -1, 1)", "W": "W_bar[0, :] = 0.0"}
    derived = derive(source, "rnn", insert=code, modules={})
    header = parse_header(derived.header)
    assert header is not None and inserted(header) == code
    module = parse_module(source + "\n\n" + derived.function)
    assert check_generated(module, "rnn_grad", {}) == ()
    changed = parse_module(module.text.replace("np.sum(h * h)", "np.sum(h)"))
    assert [d.code for d in check_generated(changed, "rnn_grad", {})] == ["PB401"]


def test_a_request_for_what_is_not_there() -> None:
    with pytest.raises(UnknownTarget, match="no variable g"):
        derive(TOP + RNN.format(""), "rnn", insert={"g": "print(g_bar)"})
    with pytest.raises(UnknownTarget, match="no statement"):
        derive(TOP + RNN.format(""), "rnn", insert={"h": "h_bar ="})


def test_a_comment_changes_the_digest_and_so_does_its_code() -> None:
    texts = (
        RNN.format(""),
        *(RNN.format(f"        # pullback: insert h: h_bar *= {k}\n") for k in (1, 2)),
    )
    digests = {derive(TOP + text, "rnn", modules={}).header.split("[")[1][:8] for text in texts}
    assert len(digests) == 3


def test_at_run_time_there_is_nothing_to_go_over() -> None:
    assert list(pullback.insert_grad_of(X)) == []
