"""Generated text held against central differences of the function that it was made from.

May not know: how anything is derived.
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import itertools
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

_NUMBERS = itertools.count(1)


def space_of(*texts: str) -> dict[str, Any]:
    """What the texts define, run one after the other as one module."""
    return run_text("\n\n".join(texts), {"__name__": "case"})


def run_text(text: str, space: dict[str, Any]) -> dict[str, Any]:
    """`space` with what a text of our own tests defines, whose functions know their source."""
    name = f"<case {next(_NUMBERS)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), space)
    return space


def returning(f: Callable[..., Any], source: str) -> Callable[..., Any]:
    """f itself; where it returns nothing, f with the parameters that its text writes by name as its result."""
    [node] = [
        n
        for n in ast.walk(ast.parse(source))
        if isinstance(n, ast.FunctionDef) and n.name == f.__name__
    ]
    names = written_parameters(node)
    if not names or any(isinstance(n, ast.Return) and n.value for n in ast.walk(node)):
        return f

    @functools.wraps(f)
    def returned(*args: Any) -> Any:
        bound = inspect.signature(f).bind(*args)
        f(*args)
        got = tuple(bound.arguments[n] for n in names)
        return got if len(got) > 1 else got[0]

    return returned


def written_parameters(node: ast.FunctionDef) -> list[str]:
    """The parameters that a function's text writes by name."""
    return [a.arg for a in node.args.args if a.arg in _written(node)]


def _written(node: ast.FunctionDef) -> set[str]:
    """The names that a function subscripts to store, or changes in place."""
    stored = [
        t.value
        for t in ast.walk(node)
        if isinstance(t, ast.Subscript) and isinstance(t.ctx, ast.Store)
    ]
    changed = [n.target for n in ast.walk(node) if isinstance(n, ast.AugAssign)]
    return {n.id for n in (*stored, *changed) if isinstance(n, ast.Name)}


def outputs(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The floating outputs of f at a copy of `args`: what it returns, as a flat tuple."""
    got = f(*copy.deepcopy(args))
    return got if isinstance(got, tuple) else (got,)


def seeds_for(values: tuple[Any, ...], seed: int = 0) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)

    def draw(v: Any) -> Any:
        drawn: Any = rng.normal(size=np.shape(v))
        if np.iscomplexobj(v):
            drawn = drawn + 1j * rng.normal(size=np.shape(v))
        return (
            drawn if isinstance(v, np.ndarray) else drawn.item() if np.ndim(drawn) == 0 else drawn
        )

    return tuple(draw(v) for v in values)


def seed_for(value: Any) -> Any:
    """A cotangent for what a function returns: one number or array, or a tuple of them."""
    return seeds_for(value) if isinstance(value, tuple) else seeds_for((value,))[0]


def difference(
    f: Callable[..., Any], args: tuple[Any, ...], position: int, seeds: tuple[Any, ...]
) -> Any:
    """d/d args[position] of the real part of the sum of conj(seeds) * outputs, one element at a time.

    Of a complex argument, the derivative along the real axis and, times 1j, the one along the imaginary axis.
    """
    x = np.array(args[position], dtype=complex if np.iscomplexobj(args[position]) else float)
    out = np.zeros_like(x)
    step = 1e-6

    def along(k: tuple[int, ...], h: complex) -> float:
        moved = x.copy()
        moved[k] += h
        value: Any = moved if isinstance(args[position], np.ndarray) else moved.item()
        there = (*args[:position], value, *args[position + 1 :])
        pairs = zip(seeds, outputs(f, there), strict=True)
        return sum(float(np.sum(np.conj(s) * v).real) for s, v in pairs)

    for k in np.ndindex(x.shape):
        for unit in (1.0, 1j) if np.iscomplexobj(x) else (1.0,):
            slope = (along(k, step * unit) - along(k, -step * unit)) / (2.0 * step)
            out[k] += unit * slope
    return out


def assert_derivative(
    f: Callable[..., Any],
    made: Callable[..., Any],
    args: tuple[Any, ...],
    kind: str,
    wrt: tuple[str, ...],
    *,
    one: bool | None = None,
) -> None:
    """`made` is the derivative of f, and leaves its arguments as they were."""
    before = copy.deepcopy(args)
    values = outputs(f, args)
    if kind == "jvp":
        assert_tangent(f, made, args, wrt)
        return
    if kind == "hvp":
        assert_curvature(f, made, args, wrt)
        return
    if kind == "sparse_jacobian":
        assert_sparse(f, made, args, wrt)
        return
    if kind in ("jacobian", "hessian"):
        assert_dense(f, made, args, kind, wrt)
        return
    seeds: tuple[Any, ...] = (1.0,)
    if kind == "vjp":
        seeds = seeds_for(values)
        seed = seeds if isinstance(f(*copy.deepcopy(args)), tuple) else seeds[0]
        kept = copy.deepcopy(seed)
        got = made(*args, seed)
        same(seed, kept)
    else:
        got = made(*args)
    same(args, before)
    if kind == "value_and_grad":
        value, got = got
        np.testing.assert_allclose(value, values[0], rtol=1e-12)
    single = len(wrt) == 1 if one is None else one
    names = list(inspect.signature(f).parameters)
    for name, bar in zip(wrt, (got,) if single else got, strict=True):
        position = names.index(name)
        assert np.shape(bar) == np.shape(args[position]), name
        want = difference(f, args, position, seeds)
        np.testing.assert_allclose(bar, want, rtol=1e-5, atol=1e-6, err_msg=name)


def assert_tangent(
    f: Callable[..., Any], made: Callable[..., Any], args: tuple[Any, ...], wrt: tuple[str, ...]
) -> None:
    """`made` gives f's value and its tangent, and leaves arguments and seeds as they were."""
    names = list(inspect.signature(f).parameters)
    places = [names.index(name) for name in wrt]
    dots = seeds_for(tuple(args[k] for k in places), 1)
    before = copy.deepcopy((args, dots))
    values = f(*copy.deepcopy(args))
    got, tangents = made(*args, *dots)
    same((args, dots), before)
    same(got, values)
    several = isinstance(values, tuple)
    for v, d in zip(values if several else (values,), tangents if several else (tangents,)):
        assert d is None or np.shape(d) == np.shape(v)
        assert (d is None) == (np.asarray(v).dtype.kind != "f")
    weights = tuple(
        w if np.asarray(v).dtype.kind == "f" else 0.0
        for v, w in zip(
            values if several else (values,), seeds_for(values if several else (values,))
        )
    )
    parts = [difference(f, args, k, weights) for k in places]
    want = sum(float(np.sum(p * d)) for p, d in zip(parts, dots))
    pairs = zip(weights, tangents if several else (tangents,))
    mine = sum(float(np.sum(w * d)) for w, d in pairs if d is not None)
    np.testing.assert_allclose(mine, want, rtol=1e-5, atol=1e-6)


def assert_curvature(
    f: Callable[..., Any], made: Callable[..., Any], args: tuple[Any, ...], wrt: tuple[str, ...]
) -> None:
    """`made` gives f's Hessian times a vector, and leaves arguments and vectors as they were."""
    names = list(inspect.signature(f).parameters)
    places = [names.index(name) for name in wrt]
    dots, others = (seeds_for(tuple(args[k] for k in places), k) for k in (1, 2))
    before = copy.deepcopy((args, dots))
    got = made(*args, *dots)
    same((args, dots), before)
    products = got if len(wrt) > 1 else (got,)
    for k, product in zip(places, products, strict=True):
        assert np.shape(product) == np.shape(args[k])

    def along(s: float, t: float) -> float:
        there = list(copy.deepcopy(args))
        for k, d, o in zip(places, dots, others):
            there[k] = there[k] + s * d + t * o
        return float(f(*there))

    def mixed(h: float) -> float:
        return (along(h, h) - along(h, -h) - along(-h, h) + along(-h, -h)) / (4.0 * h * h)

    want = (4.0 * mixed(5e-4) - mixed(1e-3)) / 3.0
    mine = sum(float(np.real(np.vdot(p, o))) for p, o in zip(products, others))
    assert abs(mine - want) <= 2e-4 * (1.0 + abs(want)), (mine, want)


def assert_dense(
    f: Callable[..., Any],
    made: Callable[..., Any],
    args: tuple[Any, ...],
    kind: str,
    wrt: tuple[str, ...],
) -> None:
    """`made` gives f's Jacobian or Hessian, output axes first, and leaves its arguments as they were."""
    before = copy.deepcopy(args)
    got = made(*args)
    same(args, before)
    if kind == "hessian":
        _assert_hessian(f, got, args, wrt)
        return
    values = f(*copy.deepcopy(args))
    several = isinstance(values, tuple)
    values = values if several else (values,)
    seeds = seeds_for(values)
    names = list(inspect.signature(f).parameters)
    for k, (value, seed, blocks) in enumerate(zip(values, seeds, got if several else (got,))):
        alone = tuple(s if j == k else np.zeros_like(s) for j, s in enumerate(seeds))
        for name, block in zip(wrt, blocks if len(wrt) > 1 else (blocks,), strict=True):
            place = names.index(name)
            if np.asarray(value).dtype.kind != "f":
                assert block is None
                continue
            assert np.shape(block) == (*np.shape(value), *np.shape(args[place]))
            want = difference(f, args, place, alone)
            np.testing.assert_allclose(
                np.tensordot(seed, block, np.ndim(value)), want, rtol=1e-5, atol=1e-6
            )


def assert_sparse(
    f: Callable[..., Any], made: Callable[..., Any], args: tuple[Any, ...], wrt: tuple[str, ...]
) -> None:
    """`made` gives f's Jacobian where it is asked for all its entries."""
    x = args[list(inspect.signature(f).parameters).index(wrt[0])]
    out = f(*copy.deepcopy(args))
    rows, columns = (place.ravel() for place in np.indices((np.size(out), np.size(x))))

    def dense(*given: Any) -> Any:
        return made(*given, rows, columns).reshape(np.shape(out) + np.shape(x))

    assert_dense(f, dense, args, "jacobian", wrt)


def _assert_hessian(
    f: Callable[..., Any], got: Any, args: tuple[Any, ...], wrt: tuple[str, ...]
) -> None:
    names = list(inspect.signature(f).parameters)
    sizes = [np.shape(args[names.index(w)]) for w in wrt]
    rows = [r if len(wrt) > 1 else (r,) for r in (got if len(wrt) > 1 else (got,))]
    for row, first in zip(rows, sizes, strict=True):
        assert [np.shape(block) for block in row] == [(*first, *second) for second in sizes]

    def product(*given: Any) -> Any:
        """The Hessian times vectors."""
        dots = given[len(args) :]
        parts = [sum(np.tensordot(b, d, np.ndim(d)) for b, d in zip(row, dots)) for row in rows]
        return tuple(parts) if len(wrt) > 1 else parts[0]

    assert_curvature(f, product, args, wrt)


def same(got: Any, want: Any) -> None:
    """Both hold the same values, of the same types."""
    assert type(got) is type(want)
    if isinstance(want, (list, tuple)):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            same(g, w)
    elif isinstance(want, dict):
        same(list(got.items()), list(want.items()))
    elif isinstance(want, np.ndarray):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)
    elif hasattr(want, "__dict__"):
        same(list(vars(got).items()), list(vars(want).items()))
    else:
        assert got == want


def asked(wrt: tuple[str, ...]) -> str | tuple[str, ...]:
    """What to ask `derive` for so that one name gives a value."""
    return wrt if len(wrt) != 1 else wrt[0]
