"""The shape words of the rule table: how a result's shape follows from the arguments' types.

A word is "name arg …", arguments being parameter names of the entry's signature ("reduce x").

May not know: source text, the transformation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .types import SCALAR, Atoms, Dim, Shape, Type, broadcast, fresh

Args = Mapping[str, Type]


def result_shape(word: str, args: Args, site: str) -> Shape:
    """The shape that `word` gives; one of its own (`site`) where the text does not tell."""
    name, *params = word.split()
    rule = _WORDS.get(name)
    if rule is None:
        return fresh(site)
    got = rule(args, params, site)
    return fresh(site) if got is None else got


def _broadcast(args: Args, params: list[str], site: str) -> Shape | None:
    out: Shape = SCALAR
    many = args.get("args", Type("tuple", items=())).items or ()  # what `*args` collects
    for t in (*many, *(t for name, t in args.items() if name != "args")):
        if t.kind in ("none", "str", "function"):
            continue
        s = shape_of(t)
        if s is None:
            return None
        got = broadcast(out, s)
        if got is None:
            return None
        out = got
    return out


def shape_of(t: Type) -> Shape | None:
    """A value's shape as NumPy sees it: a list of scalars is a vector."""
    if t.kind in ("scalar", "array", "number", "any"):
        return t.shape if t.shape != Atoms(frozenset()) else None
    if t.kind in ("tuple", "list") and t.items is not None and t.items:
        first = shape_of(t.items[0])
        if isinstance(first, tuple) and all(shape_of(i) == first for i in t.items):
            return (Dim("", len(t.items)), *first)
    return None


def _cross(args: Args, params: list[str], site: str) -> Shape | None:
    """Of vectors of three components in the last axis; other products are not followed."""
    vectors = {p: args[p] for p in params}
    shapes = [shape_of(t) for t in vectors.values()]
    three = all(isinstance(s, tuple) and s and s[-1] == Dim("", 3) for s in shapes)
    return _broadcast(vectors, params, site) if three and int_of(args["axis"]) == -1 else None


def _scalar(args: Args, params: list[str], site: str) -> Shape | None:
    return SCALAR


def _same(args: Args, params: list[str], site: str) -> Shape | None:
    return shape_of(args[params[0]])


def _along(args: Args, params: list[str], site: str) -> Shape | None:
    """As the argument, whose elements move along an axis; flattened where there is no axis."""
    axis, shape = args[params[1]], shape_of(args[params[0]])
    flat = axis.kind == "none" and isinstance(shape, tuple) and len(shape) == 1
    return shape if flat or int_of(axis) is not None else None


def _differences(args: Args, params: list[str], site: str) -> Shape | None:
    """Along one axis there are as many fewer as differences are taken, or a length that is not known."""
    shape, n = shape_of(args[params[0]]), int_of(args["n"])
    at = axes_of(args["axis"], len(shape)) if isinstance(shape, tuple) else None
    if at is None or len(at) != 1 or not isinstance(shape, tuple):
        return None
    d, [k] = shape[at[0]], at
    alone = all(args[p].kind == "none" for p in ("prepend", "append") if p in args)
    left = Dim(d.sym, d.off - n if d.sym else max(d.off - n, 0), cut=True) if n and alone else None
    return (*shape[:k], left or Dim(f"{site}.0"), *shape[k + 1 :])


def _padded(args: Args, params: list[str], site: str) -> Shape | None:
    """As many axes, of lengths that are not known."""
    shape = shape_of(args[params[0]])
    if not isinstance(shape, tuple):
        return None
    return tuple(Dim(f"{site}.{k}") for k in range(len(shape)))


def int_of(t: Type | None) -> int | None:
    """The value of a known integer."""
    if t is not None and isinstance(t.const, int) and not isinstance(t.const, bool):
        return t.const
    return None


def axes_of(axis: Type | None, rank: int) -> tuple[int, ...] | None:
    """The axes an `axis` argument names, counted from 0; None where the text does not tell."""
    if axis is None or axis.kind == "none":
        return tuple(range(rank))
    one = int_of(axis)
    if one is not None:
        return (one % rank,) if -rank <= one < rank else None
    if axis.items is not None:
        many = [int_of(i) for i in axis.items]
        if all(m is not None and -rank <= m < rank for m in many):
            return tuple(m % rank for m in many if m is not None)
    return None


def _reduce(args: Args, params: list[str], site: str) -> Shape | None:
    axis, keep = args.get("axis"), args.get("keepdims")
    kept = keep.const if keep is not None else False
    shape = shape_of(args[params[0]])
    if kept is False and (axis is None or axis.kind == "none"):
        return SCALAR
    if not isinstance(shape, tuple) or not isinstance(kept, bool):
        return None
    axes = axes_of(axis, len(shape))
    if axes is None:
        return None
    if kept:
        return tuple(Dim("", 1) if i in axes else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in axes)


def _matmul(args: Args, params: list[str], site: str) -> Shape | None:
    a, b = shape_of(args[params[0]]), shape_of(args[params[1]])
    if not isinstance(a, tuple) or not isinstance(b, tuple) or not a or not b:
        return None
    if len(a) == 1:
        return b[:-2] + b[-1:] if len(b) > 1 else SCALAR
    if len(b) == 1:
        return a[:-1]
    batch = broadcast(a[:-2], b[:-2])
    return (*batch, a[-2], b[-1]) if isinstance(batch, tuple) else None


def _dot(args: Args, params: list[str], site: str) -> Shape | None:
    a, b = shape_of(args[params[0]]), shape_of(args[params[1]])
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return None
    if not a or not b:
        return a or b
    if len(b) == 1:
        return a[:-1]
    return a[:-1] + b[:-2] + b[-1:]


def _outer(args: Args, params: list[str], site: str) -> Shape | None:
    a, b = shape_of(args[params[0]]), shape_of(args[params[1]])
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) <= 1 and len(b) <= 1:
        return (a or (Dim("", 1),)) + (b or (Dim("", 1),))
    return (Dim(f"{site}.0"), Dim(f"{site}.1"))


def dim_of(t: Type, site: str) -> Dim:
    """The dimension that an integer argument gives: `len(x) + 1` keeps its symbol."""
    n = int_of(t)
    if n is not None:
        return Dim("", n)
    if isinstance(t.const, Dim):
        return t.const
    return Dim(site)


def _given(args: Args, params: list[str], site: str) -> Shape | None:
    shape = args.get(params[0] if params else "shape")
    if shape is None:
        return None
    if shape.kind == "scalar":
        return (dim_of(shape, f"{site}.0"),)
    if shape.kind in ("tuple", "list") and shape.items is not None:
        return tuple(dim_of(i, f"{site}.{k}") for k, i in enumerate(shape.items))
    return shape.const if isinstance(shape.const, Atoms) and shape.const.names else None


def _transpose(args: Args, params: list[str], site: str) -> Shape | None:
    shape, axes = shape_of(args[params[0]]), args.get("axes")
    if not isinstance(shape, tuple):
        return None
    if axes is None or axes.kind == "none":
        return shape[::-1]
    if axes.items is not None:
        inner = axes.items[0].items if len(axes.items) == 1 else None
        order = [int_of(i) for i in (inner if inner is not None else axes.items)]
        if not axes.items or (len(axes.items) == 1 and axes.items[0].kind == "none"):
            return shape[::-1]
        if len(order) == len(shape) and all(
            k is not None and -len(shape) <= k < len(shape) for k in order
        ):
            return tuple(shape[k] for k in order if k is not None)
    return None


def _given_counts(args: Args, params: list[str], site: str) -> Shape | None:
    """As given, but for the count that NumPy works out where it is -1."""
    shape = _given(args, params, site)
    if not isinstance(shape, tuple):
        return shape
    return tuple(Dim(f"{site}.{k}") if _may_be_left_out(d) else d for k, d in enumerate(shape))


def _may_be_left_out(d: Dim) -> bool:
    """Whether a count may be -1: an integer parameter may be, and a length that something is taken from."""
    return d.off < 0 or d.sym.isidentifier()


def _solve(args: Args, params: list[str], site: str) -> Shape | None:
    """Of systems whose matrices are single ones: the shape of the right side, which comes last."""
    *matrices, right = (shape_of(args[p]) for p in params)
    single = all(isinstance(m, tuple) and len(m) == 2 for m in matrices)
    return right if single else None


def _vector(args: Args, params: list[str], site: str) -> Shape | None:
    return (Dim(f"{site}.0"),)


def _matrix(args: Args, params: list[str], site: str) -> Shape | None:
    return (Dim(f"{site}.0"), Dim(f"{site}.1"))


def _arange(args: Args, params: list[str], site: str) -> Shape | None:
    start, stop = args.get("start"), args.get("stop")
    if start is not None and (stop is None or stop.kind == "none") and start.dtype == "int":
        return (dim_of(start, f"{site}.0"),)
    return (Dim(f"{site}.0"),)


def _eye(args: Args, params: list[str], site: str) -> Shape | None:
    names = list(args)
    n, m = args[names[0]], args.get("M")
    rows = dim_of(n, f"{site}.0")
    return (rows, rows if m is None or m.kind == "none" else dim_of(m, f"{site}.1"))


def _take(args: Args, params: list[str], site: str) -> Shape | None:
    shape, idx, axis = shape_of(args[params[0]]), shape_of(args["indices"]), args.get("axis")
    if not isinstance(idx, tuple):
        return None
    if axis is None or axis.kind == "none":
        return idx
    if not isinstance(shape, tuple):
        return None
    at = axes_of(axis, len(shape))
    return None if at is None or len(at) != 1 else shape[: at[0]] + idx + shape[at[0] + 1 :]


def _diag(args: Args, params: list[str], site: str) -> Shape | None:
    shape, k = shape_of(args[params[0]]), args.get("k")
    if not isinstance(shape, tuple) or (k is not None and int_of(k) != 0):
        return None
    if len(shape) == 1:
        return (shape[0], shape[0])
    return (shape[0],) if len(shape) == 2 and shape[0] == shape[1] else (Dim(f"{site}.0"),)


def _expand(args: Args, params: list[str], site: str) -> Shape | None:
    shape, axis = shape_of(args[params[0]]), int_of(args.get("axis"))
    if not isinstance(shape, tuple) or axis is None:
        return None
    at = axis % (len(shape) + 1)
    return (*shape[:at], Dim("", 1), *shape[at:])


def _swap(args: Args, params: list[str], site: str) -> Shape | None:
    shape = shape_of(args[params[0]])
    one, two = (int_of(args.get(a)) for a in ("axis1", "axis2"))
    if not isinstance(shape, tuple) or one is None or two is None:
        return None
    out = list(shape)
    if not all(-len(out) <= axis < len(out) for axis in (one, two)):
        return None  # it raises where it runs, or never runs
    out[one], out[two] = out[two], out[one]
    return tuple(out)


def misfit(word: str, parts: Sequence[Type]) -> str | None:
    """Why arrays of these types, put together by `word`, raise for certain; None where they may fit."""
    shapes = [shape_of(t) for t in parts]
    known = [s for s in shapes if isinstance(s, tuple)]
    if word == "broadcast":
        for k, s in enumerate(known):
            for other in known[:k]:
                if broadcast(other, s) is None:
                    return f"{shown(other)} and {shown(s)} do not broadcast"
    if word.split()[0] in ("matmul", "dot") and len(parts) >= 2 and len(known) == len(parts):
        a, b = known[:2]
        if a and b and _differ(a[-1], b[0] if len(b) == 1 else b[-2]):
            return f"{shown(a)} and {shown(b)} do not multiply"
    return None


def _differ(a: Dim, b: Dim) -> bool:
    return a.sym == b.sym and a.off != b.off


def shown(shape: tuple[Dim, ...]) -> str:
    """A shape as Python writes it."""
    inner = ", ".join(map(str, shape))
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def _spectrum(args: Args, params: list[str], site: str) -> Shape | None:
    """A transform keeps the shape, or gives the axis that is named the length `n`."""
    shape, n, axis = shape_of(args[params[0]]), args.get("n"), args.get("axis")
    if n is None or n.kind == "none":
        s = args.get("s")
        return shape if s is None or s.kind == "none" else None
    at = axes_of(axis, len(shape)) if isinstance(shape, tuple) else None
    if at is None or len(at) != 1 or not isinstance(shape, tuple):
        return None
    return (*shape[: at[0]], dim_of(n, f"{site}.0"), *shape[at[0] + 1 :])


def _half(args: Args, params: list[str], site: str) -> Shape | None:
    """Half a spectrum, or the signal of one: of the same rank, with lengths of its own."""
    shape = shape_of(args[params[0]])
    if not isinstance(shape, tuple):
        return None
    at = axes_of(args["axis"], len(shape)) if "axis" in args else tuple(range(len(shape)))
    if at is None:
        return None
    return tuple(Dim(f"{site}.{k}") if k in at else d for k, d in enumerate(shape))


def _trace(args: Args, params: list[str], site: str) -> Shape | None:
    """Without the two axes whose diagonal is summed."""
    shape = shape_of(args[params[0]])
    if not isinstance(shape, tuple) or len(shape) < 2:
        return None
    gone = [axes_of(args[a], len(shape)) for a in ("axis1", "axis2")]
    if None in gone:
        return None
    return tuple(d for k, d in enumerate(shape) if (k,) not in gone)


def _batch(args: Args, params: list[str], site: str) -> Shape | None:
    shape = shape_of(args[params[0]])
    return shape[:-2] if isinstance(shape, tuple) else None


def _columns(args: Args, params: list[str], site: str) -> Shape | None:
    a, b = shape_of(args[params[0]]), shape_of(args[params[1]])
    return (a[-1], *b[1:]) if isinstance(a, tuple) and isinstance(b, tuple) and a else None


def _rows(args: Args, params: list[str], site: str) -> Shape | None:
    shape = shape_of(args[params[0]])
    return shape[:-1] if isinstance(shape, tuple) else None


def _factors(args: Args, param: str) -> tuple[Shape, Shape, Shape] | None:
    """The shapes of the left, middle and right factor of a matrix, which share its shorter length."""
    shape, full = shape_of(args[param]), args.get("full_matrices")
    if not isinstance(shape, tuple) or len(shape) < 2:
        return None
    *batch, n, m = shape
    short = (
        n
        if n == m
        else Dim("", min(n.off, m.off))
        if not n.sym and not m.sym
        else Dim(f"min({n}, {m})")
    )
    if full is not None and full.const is not False:
        return (*batch, n, n), (*batch, short), (*batch, m, m)
    return (*batch, n, short), (*batch, short), (*batch, short, m)


def _left(args: Args, params: list[str], site: str) -> Shape | None:
    factors = _factors(args, params[0])
    return None if factors is None else factors[0]


def _middle(args: Args, params: list[str], site: str) -> Shape | None:
    factors = _factors(args, params[0])
    return None if factors is None else factors[1]


def _right(args: Args, params: list[str], site: str) -> Shape | None:
    factors = _factors(args, params[0])
    return None if factors is None else factors[2]


_WORDS: dict[str, Callable[[Args, list[str], str], Shape | None]] = {
    "broadcast": _broadcast,
    "cross": _cross,
    "scalar": _scalar,
    "same": _same,
    "along": _along,
    "differences": _differences,
    "padded": _padded,
    "reduce": _reduce,
    "matmul": _matmul,
    "dot": _dot,
    "outer": _outer,
    "given": _given,
    "summed": _given,
    "transpose": _transpose,
    "given_counts": _given_counts,
    "solve": _solve,
    "vector": _vector,
    "matrix": _matrix,
    "arange": _arange,
    "eye": _eye,
    "take": _take,
    "diag": _diag,
    "expand": _expand,
    "swap": _swap,
    "spectrum": _spectrum,
    "half": _half,
    "trace": _trace,
    "batch": _batch,
    "rows": _rows,
    "columns": _columns,
    "left": _left,
    "middle": _middle,
    "right": _right,
}
