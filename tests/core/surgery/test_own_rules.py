"""The user's own rules: derivatives of functions that Pullback cannot look into, or is not to."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import pullback
from pullback import derive
from tests.core.differences import assert_derivative, space_of
from tests.core.surgery.replay import X, made

TOP = "import numpy as np\nimport pullback\nfrom _wind import drag, spread\n\n\n"
ADJOINT = (
    "@pullback.adjoint(drag)\ndef drag_adjoint(speed, area, y_bar):\n"
    "    return 2.0 * area * speed * y_bar, speed * speed * y_bar\n\n\n"
)
TANGENT = (
    "@pullback.tangent(drag)\ndef drag_tangent(speed, area, y, speed_dot, area_dot):\n"
    "    return 2.0 * y * speed_dot / speed + speed * speed * area_dot\n\n\n"
)
STATEMENTS = (
    "@pullback.adjoint(drag)\ndef drag_adjoint(speed, area, y: float, y_bar):\n"
    '    """Cotangents of the drag."""\n    share = y_bar * y\n    if area == 0.0:\n        return 0.0, 0.0\n'
    "    return 2.0 * share / speed, share / area\n\n\n"
)
VECTOR = (
    "@pullback.adjoint(spread)\n"
    'def spread_adjoint(x, n, y: Float[np.ndarray, "k"], y_bar):\n    return n * y_bar, None\n\n\n'
    "@pullback.tangent(spread)\ndef spread_tangent(x, n, x_dot):\n    return n * x_dot\n\n\n"
)
LOSS = "def f(x: float, w: float):\n    return w * drag(x * w, area=w) + x\n"


@pytest.fixture(autouse=True)
def wind() -> Any:
    """A module without source: a wrapped simulator."""
    module: Any = ModuleType("_wind")
    module.drag = lambda speed, area: area * speed * speed
    module.spread = lambda x, n: np.asarray(x) * n
    sys.modules["_wind"] = module
    yield module
    del sys.modules["_wind"]


# name: (the module, arguments of f, kinds)
RULED: dict[str, tuple[str, tuple[Any, ...], str]] = {
    "a rule of one expression": (ADJOINT + LOSS, (0.7, 1.3), "grad vjp value_and_grad"),
    "a rule of statements": (STATEMENTS + LOSS, (0.7, 1.3), "grad vjp"),
    "a rule of the tangent": (TANGENT + LOSS, (0.7, 1.3), "jvp"),
    "rules of both": (ADJOINT + TANGENT + LOSS, (0.7, 1.3), "grad jvp hvp"),
    "a rule of statements and one of the tangent": (
        STATEMENTS + TANGENT + LOSS,
        (0.7, 1.3),
        "grad jvp hvp",
    ),
    "in a loop": (
        ADJOINT + TANGENT + "def f(x: float, w: float):\n    for k in range(3):\n"
        "        x = x + 0.1 * drag(x, w * k)\n    return x * w\n",
        (0.7, 1.3),
        "grad vjp jvp hvp",
    ),
    "of arrays": (
        VECTOR.replace("Float", "Float") + "def f(x: np.ndarray):\n    # pullback: x: (k,)\n"
        "    y = spread(x * x, 3)\n    y[0] = 2.0 * x[1]\n    return np.sum(y * x)\n",
        (X,),
        "grad vjp jvp hvp",
    ),
    "called in a function that is called": (
        ADJOINT + TANGENT + "def force(v):\n    return drag(v, 2.0) * v\n\n\n"
        "def f(x: float, w: float):\n    return force(x * w) * w\n",
        (0.7, 1.3),
        "grad jvp hvp",
    ),
    "of a function with source, that is not looked into": (
        "def solve(a, b):\n    try:\n        return np.linalg.solve(a, b)\n    except ValueError:\n"
        "        return b\n\n\n@pullback.adjoint(solve)\ndef solve_adjoint(a, b, y: np.ndarray, y_bar):\n"
        "    b_bar = np.linalg.solve(a.T, y_bar)\n    return -np.outer(b_bar, y), b_bar\n\n\n"
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    a = np.diag(x) + np.outer(x, x)\n"
        "    return np.sum(solve(a, x * x) * x)\n",
        (X,),
        "grad vjp",
    ),
    "of a function with defaults": (
        "def root(a: float, start=1.0):\n    while abs(start * start - a) > 1e-12:\n"
        "        start = 0.5 * (start + a / start)\n    return start\n\n\n"
        "@pullback.adjoint(root)\ndef root_adjoint(a, start, y, y_bar):\n"
        "    return 0.5 * y_bar / y, None\n\n\n"
        "def f(x: float, w: float):\n    return root(x) * w + root(w, start=x)\n",
        (0.7, 1.3),
        "grad vjp",
    ),
}
CASES = [(name, kind) for name, (_, _, kinds) in RULED.items() for kind in kinds.split()]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_derivative_follows_the_rule(name: str, kind: str) -> None:
    text, args, _ = RULED[name]
    source = (
        TOP.replace("\n\n\n", "\nfrom jaxtyping import Float\n\n\n") if "Float" in text else TOP
    )
    source += text
    wrt = ("x", "w")[: len(args)]
    derived = derive(source, "f", kind, wrt if len(wrt) > 1 else wrt[0], modules={})
    assert derived.source is not None, derived.diagnostics
    run = source.replace("from jaxtyping import Float\n", "").replace(
        'Float[np.ndarray, "k"]', "object"
    )
    f = space_of(run)["f"]
    assert_derivative(f, made(run + "\n\n" + derived.source, derived.name), args, kind, wrt)


def test_a_rule_of_one_expression_is_put_in_place() -> None:
    derived = derive(TOP + ADJOINT + LOSS, "f", wrt="x", modules={})
    assert "drag_adjoint" not in (derived.source or "")
    derived = derive(TOP + STATEMENTS + LOSS, "f", wrt="x", modules={})
    assert "drag_adjoint(" in (derived.source or "")


def test_what_a_rule_does_not_look_at_is_not_kept() -> None:
    rule = STATEMENTS.replace("if area == 0.0:", "if y == 0.0:").replace("share / area", "0.0")
    derived = derive(TOP + rule + LOSS, "f", wrt="x", modules={})
    assert "drag_adjoint(x * w, None, " in (derived.source or "")


def test_a_function_with_a_rule_is_its_own_target() -> None:
    source = TOP + RULED["of a function with defaults"][0]
    derived = derive(source, "root", modules={})
    assert derived.source is not None, derived.diagnostics
    assert "while" not in derived.source
    np.testing.assert_allclose(
        made(source + "\n\n" + derived.source, derived.name)(2.0), 0.5 / 2**0.5
    )


@pytest.mark.parametrize("place", ["the module that defines it", "a module that the file imports"])
def test_a_rule_may_stand_in_another_module(place: str) -> None:
    rule = ADJOINT.replace("drag(", "drag(") + "def force(v):\n    return drag(v, 2.0) * v\n"
    modules = {"wind": "import pullback\nfrom _wind import drag\n\n\n" + rule}
    text = "def f(x: float):\n    return {} * x\n"
    if place == "the module that defines it":
        source = "from wind import force\n\n\n" + text.format("force(x)")
    else:
        source = "import wind\nfrom _wind import drag\n\n\n" + text.format("drag(x, 2.0)")
    derived = derive(source, "f", modules=modules)
    assert derived.source is not None, derived.diagnostics
    holder: Any = ModuleType("wind")
    exec(modules["wind"], holder.__dict__)
    sys.modules["wind"] = holder
    try:
        f_grad = made(source + "\n\n" + derived.source, derived.name)
        want = 2.0 * 4.0 * 0.7**3 if "force" in source else 2.0 * 3.0 * 0.7**2
        np.testing.assert_allclose(f_grad(0.7), want)
    finally:
        del sys.modules["wind"]


def test_a_rule_changes_the_digest() -> None:
    one = derive(TOP + ADJOINT + LOSS, "f", modules={}).header
    other = derive(TOP + ADJOINT.replace("2.0", "3.0") + LOSS, "f", modules={}).header
    assert one.split("[")[1][:8] != other.split("[")[1][:8]


@pytest.mark.parametrize(
    ("rule", "kind", "asked"), [(TANGENT, "grad", "adjoint"), (ADJOINT, "jvp", "tangent")]
)
def test_the_rule_of_the_other_mode_alone_is_refused(rule: str, kind: str, asked: str) -> None:
    source = TOP + rule + LOSS
    [d] = derive(source, "f", kind, modules={}).diagnostics
    assert d.code == "PB302" and f"`@pullback.{asked}(drag)`" in d.message
    assert source[d.span.start : d.span.end] == "drag(x * w, area=w)"


# what stands where the rule should -> what is underlined, and a part of the reason
UNFIT = {
    "@pullback.adjoint(drag)\ndef r(speed, area, y_bar):\n    return y_bar\n": (
        "return y_bar",
        "a tuple of",
    ),
    "@pullback.adjoint(drag)\ndef r(speed, area, y_bar):\n    return y_bar, y_bar, y_bar\n": (
        "return y_bar, y_bar, y_bar",
        "cotangents a tuple of speed, area",
    ),
    "@pullback.adjoint(drag)\ndef r(speed, area, y_bar):\n    if area:\n        return None, y_bar\n"
    "    return y_bar, y_bar\n": ("r", "on all paths"),
    "@pullback.adjoint(drag)\ndef r(speed, area, *y_bar):\n    return y_bar\n": (
        "y_bar",
        "plain parameters",
    ),
    "@pullback.adjoint(drag)\ndef r(y_bar):\n    return y_bar\n": (
        "r",
        "takes the function's parameters",
    ),
    "@pullback.tangent(drag)\ndef r(speed, area, v_dot):\n    return v_dot\n": (
        "v_dot",
        "as x_dot of x",
    ),
    "@pullback.tangent(drag)\ndef r(speed, area):\n    return area\n": (
        "r",
        "tangents named after",
    ),
    "@pullback.adjoint(1)\ndef r(speed, y_bar):\n    return y_bar\n": (
        "@pullback.adjoint(1)",
        "no function",
    ),
    "@pullback.adjoint(np.exp)\ndef r(x, y_bar):\n    return y_bar\n": (
        "@pullback.adjoint(np.exp)",
        "has one",
    ),
    "def own(a, b):\n    return a\n\n\n@pullback.adjoint(own)\ndef r(a, c, y_bar):\n    return y_bar, y_bar\n\n\n"
    "def drag(x, area):\n    return own(x, area)\n": ("c", "those of the function: a, b"),
}


@pytest.mark.parametrize("rule", UNFIT)
def test_a_rule_that_does_not_fit_is_reported_where_it_stands(rule: str) -> None:
    underlined, reason = UNFIT[rule]
    source = TOP + rule + "\n\n" + LOSS
    kind = "jvp" if "tangent" in rule else "grad"
    derived = derive(source, "f", kind, modules={})
    assert derived.source is None
    found = [d for d in derived.diagnostics if d.code == "PB311"]
    assert [source[d.span.start : d.span.end].lstrip("@") for d in found] == [
        underlined.lstrip("@")
    ]
    assert reason in found[0].message


def test_a_rule_has_arguments_of_its_own_number() -> None:
    source = TOP + ADJOINT + "def f(x: float):\n    return drag(x, x, x)\n"
    assert [d.code for d in derive(source, "f", modules={}).diagnostics] == ["PB113"]


def test_at_run_time_a_rule_is_a_plain_function() -> None:
    def rule(x: float, y_bar: float) -> float:
        return y_bar

    assert pullback.adjoint(abs)(rule) is rule
    assert pullback.tangent(abs)(rule) is rule
