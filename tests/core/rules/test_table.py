"""Walks the rule table: every entry is held against finite differences on its own samples."""

from __future__ import annotations

import ast
import warnings
from dataclasses import replace

import numpy as np
import pytest

from pullback.rules import rule_on_complex, table
from pullback.rules.helpers import HELPERS, helpers_in
from pullback.rules.notation import COMPLEX, HOLOMORPHIC, Rule

from . import harness

RULES = table()
DIFFERENTIABLE = [n for n, r in RULES.items() if r.kind in ("elementwise", "linear", "general")]
# A formula is broken once for its entry, under the first of its names that exists here.
ENTRIES = list({id(RULES[n]): n for n in reversed(DIFFERENTIABLE) if harness.function(n)}.values())


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def hold(rule: Rule, name: str) -> set[str]:
    held: set[str] = set()
    for sample in harness.samples(rule, name):
        held |= harness.check(rule, name, sample)
    return held


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_rule_agrees_with_finite_differences(name):
    rule = RULES[name]
    if harness.function(name) is None:
        assert len(rule.names) > 1 or name in NEWER | OLDER, f"{name} exists nowhere"
        return
    held = hold(rule, name)
    assert held == set(rule.reverse), f"no sample moves {set(rule.reverse) - held}"


# Functions that the oldest supported Python or NumPy lacks, alone in their entries.
OLDER = {"numpy.trapz"}  # until NumPy 2.3
NEWER = {
    "numpy.linalg.diagonal",
    "math.cbrt",
    "math.exp2",
    "math.fma",
    "math.sumprod",
    "scipy.special.softplus",
}


# Widened by NumPy and SciPy themselves: np.log, np.sin or gammaln of a Python float is a float64 scalar (that of
# a literal is folded to math's by the engine), np.vander promotes with int, polygamma and
# expm_frechet compute in float64.
_FLOAT_BASE = ("generated, shapes [None, (4,)]",)
WIDENED = {
    "operator.pow": _FLOAT_BASE,
    "scipy.special.boxcox": _FLOAT_BASE,
    "scipy.special.powm1": _FLOAT_BASE,
    "scipy.special.digamma": ("generated, shapes [(2, 3)]",),
    **{
        f"scipy.special.{name}": _FLOAT_BASE
        for name in ("boxcox1p", "chdtr", "chdtrc", "chdtri", "stdtr", "stdtrit", "pdtr", "pdtrc")
    },
    # SciPy 1.17 computes these in float64 as well
    **{
        f"scipy.special.{name}": _FLOAT_BASE
        for name in ("gammainc", "gammaincc", "gammaincinv", "gammainccinv", "ellipkinc")
    },
    "scipy.special.bdtr": RULES["scipy.special.bdtr"].samples,
    "scipy.special.bdtrc": RULES["scipy.special.bdtrc"].samples,
    "scipy.linalg.expm": RULES["scipy.linalg.expm"].samples,
    **{f"numpy.{name}": RULES[f"numpy.{name}"].samples for name in ("polyval", "roots")},
}


@pytest.mark.parametrize("name", ENTRIES)
def test_rule_keeps_float32(name):
    rule = RULES[name]
    if name.startswith(("math.", "builtins.")):
        return
    for sample in harness.samples(rule, name):
        if sample.text in WIDENED.get(name, ()):
            continue
        narrow = harness.narrowed(sample)
        if narrow is not None:
            harness.check_dtype(rule, name, narrow)


@pytest.mark.parametrize("name", ENTRIES)
def test_broken_rule_is_caught(name):
    rule = RULES[name]
    for p, text in rule.reverse.items():
        if text == "0.0":
            continue
        for broken in (f"1.01 * ({text})", f"-1.0 * ({text})"):
            with pytest.raises(harness.Wrong):
                hold(replace(rule, reverse={**rule.reverse, p: broken}), name)
    if rule.tangent:
        broken = "(lambda y_dot: tuple(1.01 * t for t in y_dot) if isinstance(y_dot, tuple)"
        broken += f" else 1.01 * y_dot)({rule.tangent})"
        with pytest.raises(harness.Wrong):
            hold(replace(rule, tangent=broken), name)


COMPLEX_TOO = [
    n
    for n in (*RULES, *(n for n in COMPLEX if n not in RULES))
    if (rule := rule_on_complex(n)) and rule.kind in ("elementwise", "linear", "general")
]
# Linear, and of real numbers only by what they are made of.
REAL_ONLY = {"numpy.ldexp", "numpy.fft.rfft", "numpy.fft.rfft2", "numpy.fft.rfftn"}
REAL_ONLY |= {"scipy.fft.rfft", "scipy.fft.rfft2", "scipy.fft.rfftn"}


def hold_complex(rule: Rule, name: str) -> set[str]:
    held: set[str] = set()
    for sample in harness.samples(rule, name):
        held |= harness.check(rule, name, harness.turned(sample))
    return held


@pytest.mark.parametrize("name", COMPLEX_TOO)
def test_rule_agrees_on_complex_arguments(name):
    rule = rule_on_complex(name)
    assert rule is not None
    if harness.function(name) is None or name in REAL_ONLY:
        return
    assert hold_complex(rule, name) == set(rule.reverse)


@pytest.mark.parametrize(
    "name", sorted(HOLOMORPHIC - {"operator.neg", "operator.pos", "numpy.pad"})
)
def test_an_entry_that_is_not_conjugated_is_caught(name):
    rule = rule_on_complex(name)
    assert rule is not None and rule.conjugate
    if harness.function(name) is None or all(_is_number(t) for t in rule.reverse.values()):
        return
    with pytest.raises(harness.Wrong):
        hold_complex(replace(rule, conjugate=False), name)


def _is_number(formula: str) -> bool:
    return formula.lstrip("-").replace(".", "").isdigit()


def test_names_with_entries_for_complex_arguments_exist():
    assert not HOLOMORPHIC - set(RULES)
    assert not set(COMPLEX) - set(RULES)
    assert not HOLOMORPHIC & set(COMPLEX)


def test_formulas_name_only_what_they_may():
    words = {
        "np",
        "math",
        "scipy",
        "unreduce",
        "count",
        "unbroadcast",
        "len",
        "int",
        "range",
        "tuple",
        "y",
        "y_bar",
        *HELPERS,
    }
    for name in DIFFERENTIABLE:
        rule = RULES[name]
        params = set(harness.binder(rule.signature).__code__.co_varnames)
        assert set(rule.reverse) <= params, name
        dots = {f"{p}_dot" for p in rule.reverse}
        for text, allowed in [(t, words) for t in rule.reverse.values()] + [
            (rule.tangent or "0", words | dots)
        ]:
            used = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
            bound = {
                a.arg
                for n in ast.walk(ast.parse(text))
                if isinstance(n, ast.Lambda)
                for a in n.args.args
            }
            assert used <= allowed | params | bound, f"{name}: {used - allowed - params}"


def test_every_helper_is_called_and_documented():
    rules = (*RULES.values(), *COMPLEX.values())
    texts = [t for r in rules for t in (*r.reverse.values(), r.tangent)]
    called = {h for t in texts for h in helpers_in(t)}
    engine = {"_unbroadcast", "_unreduced", "_check_distinct", "_unstacked"}
    of_containers = {"_fields", "_zeros_like", "_opened", "_plus", "_restored", "_stacked_rows"}
    engine |= of_containers
    engine |= {
        "_listed",
        "_chosen",
        "_chosen_dot",
        "_spread",
        "_fitted",
        "_as_tangent",
        "_odeint_bar",
        "_kept_turns",
        "_groups",
        "_check_entries",
    }
    assert called | engine == set(HELPERS)
    for name, source in HELPERS.items():
        (node,) = ast.parse(source).body
        assert isinstance(node, ast.FunctionDef) and node.name == name
        assert ast.get_docstring(node)


def test_a_helper_is_known_by_its_whole_name():
    assert helpers_in("_vector_norm_bar(1.0)") == ("_shares", "_vector_norm_bar")


def test_helpers_come_after_those_that_they_call():
    assert helpers_in("_matmul_a_bar(y_bar, a, b)") == ("_unbroadcast", "_matmul_a_bar")
