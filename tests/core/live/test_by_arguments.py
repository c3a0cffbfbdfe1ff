"""Live derivatives made again for what they are called with: do what the general text does, faster."""

from __future__ import annotations

import copy
import inspect
import sys
import traceback
import warnings
from typing import Any

import numpy as np
import pytest

import pullback
from pullback import live
from pullback.derive import Derived, derive, derive_in
from pullback.dispatch import MOST_TEXTS, argument_types
from pullback.source.module import parse_module
from tests.core.differences import asked, returning, seeds_for, space_of
from tests.core.programs import PROGRAMS
from tests.core.structures import parts
from tests.core.transform.tables import entries, program
from tests.fuzz.oracle import judge


def types_of(
    source: str, func: str, args: tuple[Any, ...], wrt: tuple[str, ...], exact: bool = False
) -> Any:
    names = list(inspect.signature(space_of(source)[func]).parameters)
    return argument_types(dict(zip(names, args)), wrt, exact)


def both(source: str, func: str, args: tuple[Any, ...], wrt: tuple[str, ...], kind: str) -> Any:
    """The general derivative, and the one for these arguments."""
    general = derive(source, func, kind, asked(wrt), modules={})
    special = general
    for exact in (False, True):
        given = types_of(source, func, args, wrt, exact)
        if given is not None and (not exact or "def _unbroadcast" in (special.source or "")):
            module = parse_module(source)
            special = derive_in(module, func, kind, asked(wrt), modules={}, given=given)
    return general, special


def result(source: str, made: Derived, given: tuple[Any, ...]) -> Any:
    """What a derivative gives, or the kind of what it raises."""
    assert made.source is not None
    space: dict[str, Any] = {"__name__": "case"}
    exec(source + "\n\n" + made.source, space)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return space[made.name](*copy.deepcopy(given))
        except Exception as e:
            return type(e)


def assert_same(got: Any, want: Any) -> None:
    inner = parts(want)
    if inner is not None and not isinstance(want, type):
        assert type(got) is type(want)
        for g, w in zip(parts(got) or (), inner, strict=True):
            assert_same(g, w)
    elif want is None or isinstance(want, type):
        assert got is want
    else:
        assert np.shape(got) == np.shape(want)
        assert np.asarray(got).dtype == np.asarray(want).dtype
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


# a number makes an array without axes, whose stores are not followed: the general text runs, which asks
GENERAL_ALONE = (
    "an array without axes, written as a whole",
    "an array without axes, written by a mask",
)


def assert_does_the_same(source: str, func: str, args: Any, wrt: Any, kind: str) -> None:
    general, special = both(source, func, args, wrt, kind)
    if general.source is None:
        return
    assert special.source is not None, [d.message for d in special.diagnostics]
    f = returning(space_of(source)[func], source)
    seeds: tuple[Any, ...] = ()
    if kind == "jvp":
        names = list(inspect.signature(f).parameters)
        seeds = seeds_for(tuple(args[names.index(w)] for w in wrt))
    elif kind == "vjp":
        value = f(*copy.deepcopy(args))
        drawn = seeds_for(value if isinstance(value, tuple) else (value,))
        seeds = (drawn if isinstance(value, tuple) else drawn[0],)
    given = (*args, *seeds)
    assert_same(result(source, special, given), result(source, general, given))


@pytest.mark.parametrize(("table", "name"), entries())
def test_a_cotangent_is_what_the_general_text_gives(table: str, name: str) -> None:
    p = program(table, name)
    general, special = both(p.source, "f", p.args, p.wrt, "vjp")
    if name in GENERAL_ALONE:
        assert general.source is not None and special.source is None
        assert {d.code for d in special.diagnostics} == {"PB110"}
        return
    if general.source is not None:
        verdict = judge(p, twice=False, made=special)
        assert verdict.kind != "wrong", f"{verdict.detail}\n{verdict.text}"
    assert_does_the_same(p.source, "f", p.args, p.wrt, "vjp")


@pytest.mark.parametrize(("table", "name"), entries("constructs"))
def test_a_tangent_is_what_the_general_text_gives(table: str, name: str) -> None:
    p = program(table, name)
    assert_does_the_same(p.source, "f", p.args, p.wrt, "jvp")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_has_the_derivative_of_the_general_text(name: str) -> None:
    p = PROGRAMS[name]
    assert_does_the_same(p.source, p.func, p.arguments(), p.wrt, p.kind)


# --- which text runs -------------------------------------------------------------------------------


def ridge(w, X, y, lam=0.1):
    r = X @ w - y
    return np.sum(r * r) + lam * np.sum(w * w)


def scaled(x, k):
    return np.sum(k * x * x)


X = np.arange(12.0).reshape(4, 3) / 10.0
W, Y = np.array([0.3, -0.7, 1.1]), np.array([0.4, 0.1, -0.2, 0.9])


@pytest.fixture
def made(monkeypatch):
    """The types that derivatives are made for, one entry each time."""
    given = []

    def watched(*args, **options):
        if options["given"]:
            given.append([str(t.shape) for t in options["given"]])
        return derive_in(*args, **options)

    monkeypatch.setattr(live, "derive_in", watched)
    return given


def test_calls_of_one_kind_share_a_text(made):
    g = pullback.grad(ridge)
    first = g(W, X, Y)
    np.testing.assert_array_equal(g(W, X, Y), first)
    np.testing.assert_array_equal(g(W, X, y=Y, lam=0.1), first)
    np.testing.assert_allclose(g(W[:2], X[:, :2], Y), g.__wrapped__(W[:2], X[:, :2], Y))
    assert len(made) == 1


def test_lengths_are_taken_for_equal_only_where_they_are(made):
    k = np.array([2.0])
    g = pullback.grad(scaled, "k")
    for x, k in ((W, W), (W, np.array([2.0])), (X, W), (X, X[:1]), (X[:, :1], X)):
        np.testing.assert_allclose(g(x, k), g.__wrapped__(x, k), rtol=1e-12)
    assert len(made) == 5
    g(Y, Y), g(Y, np.array([0.5])), g(X.T, Y)
    assert len(made) == 5


def shrunk(parts, a):
    rest = [p - a * p**2 for p in parts]
    return sum(np.sum(r * r) for r in rest)


def test_a_list_of_arrays_is_told_from_an_array():
    g = pullback.grad(shrunk)

    def wanted(p):
        return 2.0 * (p - 0.4 * p**2) * (1.0 - 0.8 * p)

    assert_same(g([W, Y], 0.4), [wanted(W), wanted(Y)])
    assert_same(g((W, Y), 0.4), (wanted(W), wanted(Y)))
    assert_same(g(X, 0.4), wanted(X))


class Units(np.ndarray):
    pass


@pytest.mark.parametrize(
    "x",
    [
        np.array(2.0),
        W.view(Units),
        W.astype(np.float32),
        np.arange(3),
        np.float32(1.5),
        3,
        np.float64(2.0),
        True,
    ],
    ids=repr,
)
def test_what_is_not_told_for_certain_runs_the_general_text(x):
    g = pullback.grad(scaled, ("x", "k"))
    for given in ((x, 2.0), (W, x)):
        assert_same(g(*given), g.__wrapped__(*given))


def test_there_is_an_end_to_making_texts(made):
    g = pullback.grad(scaled)
    for n in range(MOST_TEXTS + 3):
        x = np.ones((2,) * (n + 1))
        np.testing.assert_allclose(g(x, 3.0), 6.0 * x)
    assert len(made) == MOST_TEXTS


def gated(z, c):
    n = c.shape[0]
    return np.sum(np.tanh(z[:, n : 2 * n]) * c)


def test_lengths_tell_what_their_names_do_not(made):
    g = pullback.grad(gated, ("z", "c"))
    z, c = np.column_stack([X, Y]), np.array([0.5, -2.0])
    for given in (z, z[:, :3], z[:1]):  # the second has one column for the two of c
        assert_same(g(given, c), g.__wrapped__(given, c))
    assert len(made) == 6


def test_errors_show_the_line_that_ran():
    with pytest.raises(ValueError) as caught:
        pullback.grad(ridge)(W[:2], X, Y)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.name, last.line) == ("ridge_grad", "r = X @ w - y")


def test_it_looks_like_the_general_derivative():
    g = pullback.grad(ridge)
    assert str(inspect.signature(g)) == "(w, X, y, lam=0.1)"
    assert g.__name__ == "ridge_grad"
    assert g.source == pullback.derive(inspect.getsource(sys.modules[__name__]), "ridge").source
    with pytest.raises(TypeError, match="ridge_grad"):
        g(W)


def test_tangents_that_do_not_fit_their_argument_run_the_general_text(made):
    f_jvp = pullback.jvp(scaled)
    for dot in (np.ones(3), np.array(1.0)):
        assert_same(f_jvp(W, 2.0, dot), f_jvp.__wrapped__(W, 2.0, dot))
    assert len(made) == 1
