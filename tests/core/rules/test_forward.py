"""Each rule in forward mode, through the whole engine; the tangents of private helpers."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pytest

from pullback.derive import derive
from pullback.rules.helpers import HELPERS
from pullback.rules.helpers.tangents import CONTAINERS, TANGENTS

from . import harness
from .test_through_engine import RULES, cases, moved, program, slope


@pytest.mark.parametrize(("name", "k", "told"), cases())
def test_the_tangent_of_a_rule(name: str, k: int, told: bool) -> None:
    sample = harness.samples(RULES[name], name)[k]
    active = floating_arguments(name, sample)
    if active:
        hold_tangent(name, sample, told, active)


@pytest.mark.parametrize(
    "name",
    [
        n
        for n, r in RULES.items()
        if n == r.names[0] and r.kind == "general" and len(r.reverse) > 1 and harness.function(n)
        if not any(": refused" in part for part in r.results)
    ],
)
def test_the_tangent_where_one_argument_moves_alone(name: str) -> None:
    sample = harness.samples(RULES[name], name)[-1]
    for p in floating_arguments(name, sample):
        hold_tangent(name, sample, False, (p,))


def floating_arguments(name: str, sample: harness.Sample) -> tuple[str, ...]:
    """The parameters of the program of a call of which its rule gives a derivative."""
    _, values = program(name, sample, {}, False)
    rule = RULES[name]
    return tuple(p for p, v in values.items() if harness.floating(v) and moved(rule, sample, p))


def hold_tangent(name: str, sample: harness.Sample, told: bool, active: tuple[str, ...]) -> None:
    """The tangent of the call along `active` is the one that differences give."""
    rule = RULES[name]
    space: dict[str, Any] = {}
    source, values = program(name, sample, space, told)
    derived = derive(source, "f", kind="jvp", wrt=active)
    assert derived.source is not None, [d.message for d in derived.diagnostics]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(source + derived.source, space)
        y = space["f"](*values.values())
        rng = np.random.default_rng(2)
        dots = {p: harness.like(rng, values[p]) for p in active}
        value, got = space["f_jvp"](*values.values(), *dots.values())
        step = 0.5 if rule.kind == "linear" else harness.STEP
        up, down = (
            space["f"](*{**values, **{p: values[p] + h * d for p, d in dots.items()}}.values())
            for h in (step, -step)
        )
        wanted = slope(up, down, 2.0 * step)
    several = isinstance(y, tuple)
    for own, v, dot, want in zip(*((x if several else (x,)) for x in (y, value, got, wanted))):
        np.testing.assert_array_equal(v, own)
        if np.asarray(own).dtype.kind not in "fc":
            assert dot is None, derived.source
            continue
        assert np.shape(dot) == np.shape(own), derived.source
        rtol = {2: 3e-3, 4: 1e-5}.get(np.asarray(own).dtype.itemsize, 2e-6)
        np.testing.assert_allclose(dot, want, rtol=rtol, atol=rtol / 50.0, err_msg=derived.source)


# arguments of each helper that has a tangent, as in a call
HELPER_SAMPLES = {
    "_unbroadcast": ("normal(4, 2, 3), (1, 3)", "normal(3), (3,)"),
    "_unreduced": ("normal(3), 0, False", "normal(2, 1), 1, True"),
    "_matmul_a_bar": ("normal(5, 2, 4), normal(2, 3), normal(5, 3, 4)", "normal(2), normal(2, 3), normal(3)"),
    "_matmul_b_bar": ("normal(5, 2, 4), normal(2, 3), normal(5, 3, 4)",),
    "_dot_a_bar": ("normal(5, 2), normal(5, 2, 3), normal(3)",),
    "_dot_b_bar": ("normal(5, 2), normal(5, 2, 3), normal(3)",),
    "_inner_b_bar": ("normal(2, 4, 5), normal(2, 4, 3), normal(5, 3)",),
    "_tensordot_a_bar": ("normal(2, 5), normal(2, 3, 4), normal(3, 4, 5), 2",),
    "_tensordot_b_bar": ("normal(2, 5), normal(2, 3, 4), normal(3, 4, 5), 2",),
    "_convolve_bar": ("normal(6), normal(4), normal(3), 'full'", "normal(4), normal(4), normal(3), 'same'"),
    "_correlate_bar": ("normal(4), normal(4), normal(3), 'same'", "normal(5), normal(2), normal(5), 'same'"),
    "_correlate_v_bar": ("normal(4), normal(4), normal(3), 'same'", "normal(5), normal(2), normal(5), 'same'"),
    "_kron_blocks": ("normal(8, 6), normal(2, 3), normal(4, 2)",),
    "_diff_bar": ("normal(3), 1, -1, 4", "normal(2, 3), 2, 0, 4"),
    "_diff_part": ("normal(5), 1, -1, (0.5, normal(4), normal(1)), 1",),
    "_interp_bar": ("normal(3), np.array([0.1, 0.6, 1.7]), np.array([0.0, 1.0, 2.0])",),
    "_take_bar": ("normal(3), normal(5), np.array([0, 2, 2]), None",),
    "_gather_bar": ("normal(3), np.array([0, 2, 2]), normal(5)",),
    "_diagonal_bar": ("normal(3), normal(3, 4), 1",),
    "_diag_bar": ("normal(3), normal(3, 3), 0", "normal(3, 3), normal(3), 0"),
    "_untranspose": ("normal(3, 4, 2), (1, 2, 0)",),
    "_rollaxis_bar": ("normal(3, 2, 4), 1, 0",),
    "_unpad": ("normal(6), 1",),
    "_pad_bar": ("normal(6), normal(4), 1, 'edge'",),
    "_shares": ("np.array([True, False, True]), None, normal(3)",),
    "_quantile_weights": ("np.array([0.3, 1.4, -0.2]), 0.4, None, 'linear'",),
    "_positions": ("normal(2, 3)",),
    "_cross_bar": ("normal(2, 3), normal(2, 3), normal(2, 3), -1", "normal(4), normal(4, 2), normal(4, 2), -1"),
    "_triangular_stack_b_bar": ("normal(3), np.eye(3) + 0.1, normal(3), 0, False, False",),
}  # fmt: skip


def test_every_helper_with_a_tangent_is_sampled() -> None:
    of_containers = CONTAINERS | {"<helper>._zeros_like"}  # held by test_containers.py
    assert {f"<helper>.{name}" for name in HELPER_SAMPLES} == set(TANGENTS) - of_containers
    assert set(HELPER_SAMPLES) <= set(HELPERS)


@pytest.mark.parametrize(
    ("name", "text"), [(n, text) for n, texts in HELPER_SAMPLES.items() for text in texts]
)
def test_the_tangent_of_a_helper(name: str, text: str) -> None:
    rule = TANGENTS[f"<helper>.{name}"]
    helper = harness.SPACE[name]
    args, _ = eval(f"call({text})", harness.sampler(0))
    names = list(inspect.signature(helper).parameters)
    assert names == [p.split("=")[0].strip() for p in rule.signature.split(",")]
    rng = np.random.default_rng(1)
    still = set(rule.refused)
    dots = {
        p: harness.like(rng, a) if harness.floating(a) and p not in still else a
        for p, a in zip(names, args)
    }

    def moved_by(h: float) -> Any:
        moving = [p for p, a in zip(names, args) if harness.floating(a) and p not in still]
        return helper(*(a + h * dots[p] if p in moving else a for p, a in zip(names, args)))

    wanted = (np.asarray(moved_by(1e-6)).astype(float) - moved_by(-1e-6)) / 2e-6
    got = np.zeros_like(wanted)
    if rule.kind != "constant":
        given = {**dict(zip(names, args)), **{f"{p}_dot": d for p, d in dots.items()}}
        got = eval(rule.tangent, harness.SPACE, given)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)
