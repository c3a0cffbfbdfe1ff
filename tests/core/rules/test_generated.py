"""Each rule over generated arguments, through the whole engine, in both modes.

The derivatives of a function of one call are derived, run, and held against finite differences, and against each
other: the cotangent that reverse mode gives, along a direction, is what forward mode says of that direction.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import CodeType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from pullback.derive import derive
from pullback.rules import rule_on_complex
from pullback.rules.notation import COMPLEX, TABLE, Rule

from . import harness
from .arguments import Drawn, arguments
from .test_through_engine import COMPLEX_TOO, RULES, moved, program, slope

ENTRIES = [
    n
    for n, r in RULES.items()
    if n == r.names[0]
    and r.reverse
    and harness.function(n) is not None
    and not any(": refused" in part for part in r.results)
]
ONE_ROW = {"numpy.cov", "numpy.corrcoef"}
Derivative = Callable[..., Any]
# The slope is nan by convention where the result is 0, also where differences are.
NOT_AT_ZERO = {
    "numpy.std",
    "numpy.nanstd",
    "numpy.linalg.norm",
    "numpy.linalg.vector_norm",
    "math.dist",
    "math.hypot",
}
# What is made of an empty array is not, or has a shape of SciPy's own.
NOT_EMPTY = {
    "numpy.resize",
    "scipy.signal.convolve",
    "scipy.signal.fftconvolve",
    "scipy.integrate.simpson",
    "scipy.linalg.cho_solve",
    "scipy.linalg.expm",
}
NOT_EMPTY |= {"numpy.linalg.eig", "numpy.linalg.eigvals"}


def examples(count: int) -> Callable[[Any], Any]:
    return settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


def run(name: str, count: int) -> set[str]:
    """Holds the entry of `name` over some examples; the parameters that were held."""
    held: set[str] = set()

    @examples(count)
    @given(arguments(RULES[name], name, on_complex(name)), st.booleans())
    def over(drawn: Drawn, told: bool) -> None:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            held.update(hold(name, drawn, told))

    over()
    return held


@pytest.mark.parametrize("name", ENTRIES)
def test_rule_over_generated_arguments(name: str) -> None:
    assert run(name, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_rule_over_many_generated_arguments(name: str) -> None:
    assert run(name, 20)


# Every rule broken in turn takes minutes; a few are broken at each run.
BROKEN = [pytest.param(n, marks=[pytest.mark.slow] * (k % 12 > 0)) for k, n in enumerate(ENTRIES)]


@pytest.mark.parametrize("name", BROKEN)
def test_broken_rule_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    factor = 1.5 if name == "numpy.float16" else 1.01  # half precision does not tell one percent
    for known in (TABLE, COMPLEX):
        for n in RULES[name].names:
            if n in known:
                monkeypatch.setitem(known, n, broken(known[n], factor))
    rule_on_complex.cache_clear()
    derived.cache_clear()
    with pytest.raises(harness.Wrong):
        run(name, 8)
    rule_on_complex.cache_clear()
    derived.cache_clear()


def broken(rule: Rule, factor: float) -> Rule:
    """The entry with formulas that are off by a factor."""
    return replace(rule, reverse={p: f"{factor} * ({text})" for p, text in rule.reverse.items()})


def on_complex(name: str) -> Rule | None:
    """The entry for complex arguments, where there is one."""
    return rule_on_complex(name) if name in COMPLEX_TOO else None


# --- one example ---------------------------------------------------------------------------------


@cache
def derived(source: str, kind: str, wrt: tuple[str, ...]) -> tuple[str, CodeType] | None:
    """The text of a derivative and what it compiles to; None where forward mode does not know the function yet."""
    got = derive(source, "f", kind=kind, wrt=wrt)
    if kind == "jvp" and got.source is None and {d.code for d in got.diagnostics} == {"PB302"}:
        return None
    assert got.source is not None, [d.message for d in got.diagnostics]
    return got.source, compile(source + got.source, "f", "exec")


def hold(name: str, drawn: Drawn, told: bool) -> set[str]:
    """Both derivatives of the call are right; the parameters of the entry that they are of."""
    rule, sample = RULES[name], drawn.sample
    if drawn.kind == "complex":
        rule = on_complex(name) or rule
    arrays = [v for v in sample.args if isinstance(v, np.ndarray)]
    assume(name not in NOT_EMPTY or all(v.size for v in arrays))
    # one row, of which each element is a variable: a row of values before
    assume(name not in ONE_ROW or len(arrays[0]) > 1 or not harness.older_than("2.2.0"))
    space: dict[str, Any] = {}
    source, values = program(name, sample, space, told)
    _, exact = program(name, drawn.exact, {}, told)
    active = tuple(p for p, v in values.items() if harness.floating(v) and moved(rule, sample, p))
    assume(active)
    vjp = derived(source, "vjp", active)
    assert vjp is not None
    exec(vjp[1], space)
    f = space["f"]
    try:
        y = f(*values.values())
    except Exception:  # the function itself does not take them: what is raised is its release's own
        assume(False)
    assume(name not in NOT_AT_ZERO or np.all(np.asarray(y) != 0))
    rng = np.random.default_rng(2)
    dots = {p: harness.like(rng, values[p]) for p in active}
    y_dot = difference(f, exact, dots, rule)
    y_bar = harness.like(rng, y)
    wanted, size = paired(y_bar, y_dot)

    before = [np.copy(v) for v in values.values()]
    bars = dict(zip(active, space["f_vjp"](*values.values(), y_bar), strict=True))
    for p, bar in bars.items():
        assert np.shape(bar) == np.shape(values[p]), f"{p}: shape {np.shape(bar)}\n{vjp[0]}"
    got, own = zip(*(paired(bars[p], dots[p]) for p in active))
    rtol = precision(y, drawn.kind)
    close(sum(got), wanted, rtol * (size + sum(own) + 1e-3), vjp[0])
    for v, kept in zip(values.values(), before):
        np.testing.assert_array_equal(v, kept)

    jvp = derived(source, "jvp", active)
    if jvp is not None:
        exec(jvp[1], space)
        value, tangent = space["f_jvp"](*values.values(), *dots.values())
        np.testing.assert_equal(value, y)
        forward, _ = paired(y_bar, tangent)
        close(forward, wanted, rtol * (size + 1e-3), jvp[0])
        if rtol <= 1e-6:
            close(forward, sum(got), 1e-3 * rtol * (size + sum(own) + 1e-3), vjp[0] + jvp[0])
    places = harness.places(rule, sample)
    keys = [*range(len(sample.args)), *sample.kwargs]
    return {q for q in rule.reverse if q in places and f"p{keys.index(places[q])}" in active}


def difference(f: Derivative, values: dict[str, Any], dots: dict[str, Any], rule: Rule) -> Any:
    """The tangent of f by central differences of two lengths; no example where they do not agree."""

    def between(h: float) -> Any:
        ends = ({**values, **{p: values[p] + s * d for p, d in dots.items()}} for s in (h, -h))
        ahead, behind = (f(*end.values()) for end in ends)
        return slope(ahead, behind, 2.0 * h)

    if rule.kind == "linear":
        y_dot = between(0.5)
        assume(all(np.all(np.isfinite(part)) for part in harness.parts(y_dot)))
        return y_dot
    short, middle, long = between(1e-5), between(1e-4), between(2e-4)
    parts = list(zip(*map(harness.parts, (short, middle, long))))
    fine = tuple((4.0 * np.asarray(m) - ell) / 3.0 for _, m, ell in parts)
    for (s, _, _), r in zip(parts, fine):
        assume(np.all(np.isfinite(r)) and np.allclose(s, r, rtol=1e-5, atol=1e-7))
    return fine if isinstance(short, tuple) else fine[0]


def paired(bar: Any, dot: Any) -> tuple[float, float]:
    """The pairing of a cotangent with a tangent, and the sum of its terms without their signs."""
    both = zip(harness.parts(bar), harness.parts(dot))
    pairs = [(b, d) for b, d in both if d is not None]  # a whole number has no tangent
    terms = [(np.conj(np.asarray(b, np.result_type(b, float))) * d).real for b, d in pairs]
    return float(sum(np.sum(t) for t in terms)), float(sum(np.sum(np.abs(t)) for t in terms))


def precision(y: Any, kind: str) -> float:
    """How well a result is known."""
    parts = [np.asarray(part) for part in harness.parts(y)]
    numbers = [part for part in parts if part.dtype.kind != "b"]
    bits = min(np.finfo(np.promote_types(part.dtype, np.float16)).bits for part in numbers)
    return {16: 1e-2, 32: 1e-3}.get(32 if kind == "single" and bits > 32 else bits, 1e-6)


def close(got: float, wanted: float, apart: float, text: str) -> None:
    if not abs(got - wanted) <= apart:
        raise harness.Wrong(f"{got}, wanted {wanted}\n{text}")
