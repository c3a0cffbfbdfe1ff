"""Calls whose further arguments are other calls, written differently.

    np.sum(a, where=m, initial=s)   ->  np.sum(np.where(m, a, 0.0)) + s
    np.interp(x, xp, fp, left=l)    ->  np.where(x < xp[0], l, np.interp(x, xp, fp))

A call without such arguments stays as it is.

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from functools import reduce

from ..analysis.facts import Facts
from ..ir import Call, Compare, Const, Expr, Slice, Star, Tuple, duplicate
from .pieces import Rewrite, at_least, column, given, joined, np_call, rank_of

Keywords = dict[str, Expr]
NONE = Const(None)
COMPLEX = ("complex", "either")


def _without(e: Call, *names: str) -> tuple[Call, Keywords]:
    """The call without these keywords, and what they were."""
    taken = {k: v for k, v in e.kwargs if k in names}
    kwargs = tuple((k, v) for k, v in e.kwargs if k not in names)
    return Call(e.fn, e.args, kwargs, origin=e.origin), taken


def _with_first(e: Call, first: Expr) -> Call:
    return Call(e.fn, (first, *e.args[1:]), e.kwargs, origin=e.origin)


def _renamed(**names: str) -> Rewrite:
    """A call with its keywords called as the rule calls them."""

    def change(e: Call, facts: Facts) -> Expr | None:
        if not any(k in names for k, _ in e.kwargs):
            return None
        kwargs = tuple((names.get(k, k), v) for k, v in e.kwargs)
        return Call(e.fn, e.args, kwargs, origin=e.origin)

    return change


# --- reductions ----------------------------------------------------------------------------------


def _reduction(identity: float | None, combine: str) -> Rewrite:
    """A reduction with `where` and `initial`; without an identity, what is left out counts as `initial`."""

    def change(e: Call, facts: Facts) -> Expr | None:
        plain, taken = _without(e, "where", "initial")
        if not taken or not e.args:
            return None
        initial, where = taken.get("initial"), taken.get("where")
        if where is not None:
            rest = initial if identity is None else Const(identity)
            if rest is None:
                return None
            plain = _with_first(plain, np_call("where", where, plain.args[0], duplicate(rest)))
        return plain if initial is None else Call(combine, (plain, initial))

    return change


def _mean(e: Call, facts: Facts) -> Expr | None:
    """`np.mean(a, axis, where=m)`: a sum over how many there are."""
    plain, taken = _without(e, "where")
    if not taken or len(e.args) > 2 or {k for k, _ in plain.kwargs} - {"axis", "keepdims"}:
        return None
    where, a = taken["where"], e.args[0]
    ones = np_call("ones_like", duplicate(a))

    def summed(values: Expr, where: Expr) -> Expr:
        rest = tuple(duplicate(x) for x in e.args[1:])
        kwargs = tuple((k, duplicate(v)) for k, v in plain.kwargs)
        return Call("numpy.sum", (np_call("where", where, values, Const(0.0)), *rest), kwargs)

    return Call("operator.truediv", (summed(a, where), summed(ones, duplicate(where))))


def _variance(e: Call, facts: Facts) -> Expr | None:
    """`np.var` and `np.std` with `where=m` or `mean=v`, written out; `correction` is another name of `ddof`."""
    names = {"where", "mean"} & {k for k, _ in e.kwargs}
    if not names:
        return _DDOF(e, facts)
    args = given(e, "a", "axis")
    a, where = args.pop("a"), args.pop("where", NONE)
    mean, less = args.pop("mean", NONE), args.pop("ddof", args.pop("correction", Const(0)))
    if set(args) - {"axis", "keepdims"} or len(e.args) > 2 or facts.type(a).dtype in COMPLEX:
        return None
    if mean == NONE:
        axes = tuple((k, duplicate(v)) for k, v in args.items() if k == "axis")
        kept = (*axes, ("keepdims", Const(True)))
        mean = Call("numpy.mean", (duplicate(a),), kept)
        if where != NONE:
            masked = Call("numpy.mean", (duplicate(a),), (*kept, ("where", duplicate(where))))
            mean = _mean(masked, facts) or mean

    def summed(values: Expr) -> Expr:
        if where != NONE:
            values = np_call("where", duplicate(where), values, Const(0.0))
        return Call("numpy.sum", (values,), tuple((k, duplicate(v)) for k, v in args.items()))

    squares = Call("operator.pow", (Call("operator.sub", (a, mean)), Const(2)))
    count = Call("operator.sub", (summed(np_call("ones_like", duplicate(a))), less))
    out = Call("operator.truediv", (summed(squares), count))
    return out if e.fn.endswith("var") else np_call("sqrt", out)


def _average(e: Call, facts: Facts) -> Expr | None:
    """`np.average(a, axis, w, returned=True)`: the average, and the sum of the weights."""
    args = given(e, "a", "axis", "weights", "returned")
    if args.pop("returned", NONE) != Const(True) or "a" not in args:
        return None
    a, axis, weights = args.pop("a"), args.get("axis", NONE), args.get("weights", NONE)
    each: Expr = np_call("ones_like", duplicate(a))
    if weights != NONE:
        rank, along = rank_of(a, facts), duplicate(weights)
        if rank is None or rank_of(weights, facts) not in (1, rank):
            return None
        if rank_of(weights, facts) != rank:
            if not isinstance(axis, Const) or type(axis.value) is not int:
                return None
            behind = rank - 1 - axis.value % rank
            spread: list[Expr] = [Slice(None, None, None), *[NONE] * behind]
            along = Call("operator.getitem", (along, Tuple(tuple(spread))))
        each = Call("operator.mul", (each, along))
    plain = Call(e.fn, (a,), tuple(args.items()), origin=e.origin)
    axes = tuple((k, duplicate(v)) for k, v in args.items() if k in ("axis", "keepdims"))
    return Tuple((plain, Call("numpy.sum", (each,), axes)))


# --- functions of elements -----------------------------------------------------------------------


_NEW = {f"numpy.{n}{like}" for n in ("zeros", "ones", "full", "empty") for like in ("", "_like")}
_NEW |= {"numpy.copy", "method.copy"}


def elementwise(e: Call, facts: Facts) -> Expr | None:
    """A ufunc with `out=` a new array, `where=`, `dtype=`, and what changes no value."""
    plain, taken = _without(e, "out", "where", "dtype", "casting", "order", "subok")
    if not taken:
        return None
    out, where, dtype = (taken.get(k, NONE) for k in ("out", "where", "dtype"))
    if out != NONE and not (isinstance(out, Call) and out.fn in _NEW):
        return None
    if dtype != NONE:
        args = tuple(np_call("asarray", a, dtype=duplicate(dtype)) for a in plain.args)
        plain = Call(plain.fn, args, plain.kwargs, origin=e.origin)
    if where in (NONE, Const(True)):
        return plain
    return None if out == NONE else np_call("where", where, plain, out)


# --- differences, integrals, interpolation, products ---------------------------------------------


def _hypot(e: Call, facts: Facts) -> Expr | None:
    """`math.hypot` of other than two numbers: the root of their squares."""
    if len(e.args) < 3 or e.kwargs or any(isinstance(a, Star) for a in e.args):
        return None
    squares = [Call("operator.mul", (a, duplicate(a))) for a in e.args]
    return Call("math.sqrt", (reduce(lambda a, b: Call("operator.add", (a, b)), squares),))


def _ediff1d(e: Call, facts: Facts) -> Expr | None:
    args = given(e, "ary", "to_end", "to_begin")
    ends = [args.get(k, NONE) for k in ("to_begin", "to_end")]
    if ends == [NONE, NONE]:
        return None
    inner = np_call("diff", np_call("ravel", args["ary"]))
    parts: list[Expr] = [np_call("ravel", v) for v in ends[:1] if v != NONE]
    return joined([*parts, inner, *(np_call("ravel", v) for v in ends[1:] if v != NONE)], 0)


def _interp(e: Call, facts: Facts) -> Expr | None:
    """`left` and `right` take the place of the outer values."""
    args = given(e, "x", "xp", "fp", "left", "right", "period")
    left, right = args.get("left", NONE), args.get("right", NONE)
    if (left, right) == (NONE, NONE) or args.get("period", NONE) != NONE:
        return None
    x, xp = args["x"], args["xp"]
    out: Expr = np_call("interp", x, xp, args["fp"])
    for test, at, v in ((">", -1, right), ("<", 0, left)):
        if v != NONE:
            node = Call("operator.getitem", (duplicate(xp), Const(at)))
            out = np_call("where", Compare(duplicate(x), (test,), (node,)), v, out)
    return out


def _cross(e: Call, facts: Facts) -> Expr | None:
    """`np.cross` with an axis for each vector: of vectors whose components are along the last one."""
    args = given(e, "a", "b", "axisa", "axisb", "axisc", "axis")
    axes = [args.pop(k, Const(-1)) for k in ("axisa", "axisb", "axisc")]
    if set(args) != {"a", "b"} or axes == [Const(-1)] * 3:
        return None
    if axes[0] == axes[1] == axes[2]:
        return np_call("cross", args["a"], args["b"], axis=axes[0])
    if axes[2] != Const(-1):
        return None  # of two components in both, the result has no such axis
    moved = (np_call("moveaxis", v, k, Const(-1)) for v, k in zip(args.values(), axes))
    return np_call("cross", *moved)


def _gradient(e: Call, facts: Facts) -> Expr | None:
    """`np.gradient(f, dy, dx)` along several axes: one after the other."""
    plain, taken = _without(e, "axis")
    if not plain.args:
        return None
    f, *spacings = plain.args
    axis = taken.get("axis", NONE)
    rank = len(spacings) if len(spacings) > 1 else rank_of(f, facts)
    if isinstance(axis, Tuple):
        axes = list(axis.items)
    elif axis == NONE and rank is not None and rank > 1:
        axes = [Const(k) for k in range(rank)]
    else:
        return None
    if len(spacings) not in (0, 1, len(axes)):
        return None
    every = spacings * len(axes) if len(spacings) == 1 else spacings
    return Tuple(
        tuple(
            Call(
                e.fn,
                (duplicate(f), *map(duplicate, every[k : k + 1])),
                (("axis", axis), *((n, duplicate(v)) for n, v in plain.kwargs)),
                origin=e.origin,
            )
            for k, axis in enumerate(axes)
        )
    )


# --- spaced numbers ------------------------------------------------------------------------------


def _spaced(e: Call) -> tuple[Expr, Expr, tuple[Expr, Expr], Keywords] | None:
    names = ("start", "stop", "num", "endpoint", *(["base"] if "log" in e.fn else []))
    args = given(e, *names)
    if set(args) - set(names):
        return None
    counted = (args.get("num", Const(50)), args.get("endpoint", Const(True)))
    return args["start"], args["stop"], counted, args


def _logspace(e: Call, facts: Facts) -> Expr | None:
    """`base ** np.linspace(start, stop, num)`."""
    found = _spaced(e)
    if found is None:
        return None
    start, stop, counted, args = found
    base = args.get("base", Const(10.0))
    return Call("operator.pow", (base, np_call("linspace", start, stop, *counted)))


def _geomspace(e: Call, facts: Facts) -> Expr | None:
    """`start * (stop / start) ** np.linspace(0, 1, num)`; of arrays, `start * np.exp(np.linspace(0, …, num))`."""
    found = _spaced(e)
    if found is None:
        return None
    start, stop, counted, _ = found
    ratio = Call("operator.truediv", (stop, duplicate(start)))
    if rank_of(start, facts) == rank_of(stop, facts) == 0:
        line = np_call("linspace", Const(0.0), Const(1.0), *counted)
        return Call("operator.mul", (start, Call("operator.pow", (ratio, line))))
    steps = np_call("exp", np_call("linspace", Const(0.0), np_call("log", ratio), *counted))
    return Call("operator.mul", (start, steps))


def _step_too(e: Call, facts: Facts) -> Expr | None:
    """`np.linspace(a, b, n, retstep=True)`: the numbers, and the distance between them."""
    args = given(e, "start", "stop", "num", "endpoint", "retstep")
    start, stop, count = args["start"], args["stop"], args.get("num", Const(50))
    if args.pop("retstep", NONE) != Const(True) or not isinstance(
        args.get("endpoint", NONE), Const
    ):
        return None
    if args.get("endpoint", Const(True)) != Const(False):
        count = Call("operator.sub", (duplicate(count), Const(1)))
    span = Call("operator.sub", (duplicate(stop), duplicate(start)))
    step = Call("operator.truediv", (span, duplicate(count)))
    return Tuple((Call(e.fn, (), tuple(args.items()), origin=e.origin), step))


# --- polynomials ---------------------------------------------------------------------------------


def _polynomial_product(e: Call, facts: Facts) -> Expr | None:
    return np_call("convolve", *e.args) if len(e.args) == 2 and not e.kwargs else None


def _polynomial_sum(operation: str) -> Rewrite:
    """The coefficients of two polynomials, the shorter one with zeros before it."""

    def change(e: Call, facts: Facts) -> Expr | None:
        if len(e.args) != 2 or e.kwargs:
            return None
        a, b = e.args
        return Call(operation, (_padded(a, b), _padded(b, a)))

    return change


def _padded(a: Expr, other: Expr) -> Expr:
    lengths = (Call("builtins.len", (duplicate(v),)) for v in (other, a))
    missing = Call("builtins.max", (Const(0), Call("operator.sub", tuple(lengths))))
    return np_call("pad", duplicate(a), Tuple((missing, Const(0))))


def _polyder(e: Call, facts: Facts) -> Expr | None:
    """`p[:-1] * (n - 1, …, 1)`, as often as `m` says."""
    args = given(e, "p", "m")
    times = args.get("m", Const(1))
    if not isinstance(times, Const) or type(times.value) is not int or not 0 <= times.value <= 4:
        return None
    p = args["p"]
    for _ in range(times.value):
        head = Call("operator.getitem", (p, Slice(None, Const(-1), None)))
        p = Call("operator.mul", (head, np_call("arange", _last(p), Const(0), Const(-1))))
    return p


def _polyint(e: Call, facts: Facts) -> Expr | None:
    """`p / (n, …, 1)`, and a zero behind."""
    if len(e.args) != 1 or e.kwargs:
        return None
    p = e.args[0]
    count = Call("builtins.len", (duplicate(p),))
    divided = Call("operator.truediv", (p, np_call("arange", count, Const(0), Const(-1))))
    return np_call("pad", divided, Tuple((Const(0), Const(1))))


def _last(p: Expr) -> Expr:
    return Call("operator.sub", (Call("builtins.len", (duplicate(p),)), Const(1)))


def _polyfit(e: Call, facts: Facts) -> Expr | None:
    """The least squares solution with the powers of x as columns; rows may have weights."""
    args = given(e, "x", "y", "deg")
    weights = args.pop("w", NONE)
    if set(args) != {"x", "y", "deg"}:
        return None
    x, y, degree = args["x"], args["y"], args["deg"]
    powers: Expr = Call("operator.pow", (column(np_call("asarray", x), facts), _falling(degree)))
    if weights != NONE:
        powers = Call("operator.mul", (powers, column(np_call("asarray", weights), facts)))
        turned = y if rank_of(y, facts) == 1 else Call("attr.T", (np_call("asarray", y),))
        scaled = Call("operator.mul", (turned, duplicate(weights)))
        y = scaled if turned is y else Call("attr.T", (scaled,))
    return Call("operator.getitem", (Call("numpy.linalg.lstsq", (powers, y)), Const(0)))


def _falling(degree: Expr) -> Expr:
    return np_call("arange", degree, Const(-1), Const(-1))


# --- several data sets ---------------------------------------------------------------------------


def _together(e: Call, facts: Facts) -> Expr | None:
    """`np.cov(x, y)`: the variables of both, one below the other, or beside it where they are columns."""
    args = given(
        e, *(("m", "y", "rowvar", "bias", "ddof") if "cov" in e.fn else ("x", "y", "rowvar"))
    )
    first, y, rowvar = next(iter(args)), args.pop("y", NONE), args.get("rowvar", Const(True))
    if y == NONE or not isinstance(rowvar, Const) or len(e.args) > 5:
        return None
    both = [args.pop(first), y]
    if not rowvar.value and any((rank_of(v, facts) or 0) < 2 for v in both):
        return None  # NumPy takes a single row for a variable whichever way it is asked
    rows = joined([at_least(v, 2, facts) for v in both], 0 if rowvar.value else 1)
    return Call(e.fn, (rows,), tuple(args.items()), origin=e.origin)


def _einsum(e: Call, facts: Facts) -> Expr | None:
    """`np.einsum(a, [0, 1], b, [1, 2])`: with letters."""
    if len(e.args) < 2 or not isinstance(e.args[1], Tuple):
        return None
    out = e.args[-1] if len(e.args) % 2 else None
    pairs = e.args[: len(e.args) - 1] if out is not None else e.args
    labels = [_letters(v) for v in pairs[1::2]]
    result = "" if out is None else _letters(out)
    if None in labels or result is None:
        return None
    text = ",".join(v for v in labels if v is not None)
    spec = text if out is None else f"{text}->{result}"
    return Call(e.fn, (Const(spec), *pairs[0::2]), e.kwargs, origin=e.origin)


def _letters(e: Expr) -> str | None:
    if not isinstance(e, Tuple):
        return None
    out = ""
    for i in e.items:
        if i == Const(Ellipsis):
            out += "..."
        elif isinstance(i, Const) and type(i.value) is int and 0 <= i.value < 26:
            out += chr(ord("a") + i.value)
        else:
            return None
    return out


_ADDED = _reduction(0.0, "operator.add")
_MULTIPLIED = _reduction(1.0, "operator.mul")
_LARGEST = _reduction(None, "numpy.maximum")
_SMALLEST = _reduction(None, "numpy.minimum")
_DDOF = _renamed(correction="ddof")
_BOUNDS = _renamed(min="a_min", max="a_max")

KEYWORDS: dict[str, Rewrite] = {
    **dict.fromkeys(("numpy.sum", "method.sum", "numpy.nansum", "numpy.add.reduce"), _ADDED),
    **dict.fromkeys(("numpy.prod", "method.prod", "numpy.nanprod"), _MULTIPLIED),
    "numpy.multiply.reduce": _MULTIPLIED,
    **dict.fromkeys(("numpy.max", "numpy.amax", "method.max", "numpy.nanmax"), _LARGEST),
    **dict.fromkeys(("numpy.min", "numpy.amin", "method.min", "numpy.nanmin"), _SMALLEST),
    "numpy.maximum.reduce": _LARGEST,
    "numpy.minimum.reduce": _SMALLEST,
    **dict.fromkeys(("numpy.mean", "method.mean"), _mean),
    **dict.fromkeys(("numpy.var", "method.var", "numpy.std", "method.std"), _variance),
    "numpy.average": _average,
    "numpy.clip": _BOUNDS,
    "math.hypot": _hypot,
    "numpy.ediff1d": _ediff1d,
    "numpy.interp": _interp,
    "numpy.cross": _cross,
    "numpy.gradient": _gradient,
    "numpy.linspace": _step_too,
    "numpy.logspace": _logspace,
    "numpy.geomspace": _geomspace,
    "numpy.polymul": _polynomial_product,
    "numpy.polyadd": _polynomial_sum("operator.add"),
    "numpy.polysub": _polynomial_sum("operator.sub"),
    "numpy.polyder": _polyder,
    "numpy.polyint": _polyint,
    "numpy.polyfit": _polyfit,
    "numpy.cov": _together,
    "numpy.corrcoef": _together,
    "numpy.einsum": _einsum,
}
