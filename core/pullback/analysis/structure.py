"""What calls give whose shape depends on how their arguments are written: displays, stacking, einsum.

May not know: the rule table, the transformation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import Call, Const, Expr, Ref, children
from .facts import Val
from .shapes import shape_of
from .types import MISSING, SCALAR, Dim, Type, array, fresh, leaf_dtype, promote, scalar

if TYPE_CHECKING:
    from .evaluate import Evaluator

STACKING = {
    "numpy.stack",
    "numpy.concatenate",
    "numpy.concat",
    "numpy.vstack",
    "numpy.hstack",
    "numpy.column_stack",
}
# subscripts that build an array, and functions that the transformation writes differently where it can
CONCATENATORS = {"numpy.r_", "numpy.c_"}
REWRITTEN = {
    "numpy.row_stack",
    "numpy.dstack",
    "numpy.block",
    "numpy.insert",
    "numpy.vander",
    "numpy.select",
    "numpy.choose",
    "numpy.logspace",
    "numpy.geomspace",
    "numpy.polyadd",
    "numpy.polysub",
    "numpy.polymul",
    "numpy.polyder",
    "numpy.polyint",
    "numpy.polyfit",
    "numpy.fft.hfft",
    "numpy.fft.ihfft",
    "scipy.fft.hfft",
    "scipy.fft.ihfft",
    "scipy.linalg.block_diag",
    "scipy.signal.convolve2d",
    "scipy.signal.correlate",
    "scipy.signal.correlate2d",
}
SOLVERS = {
    "scipy.integrate.odeint"
}  # of equations whose right-hand side is a function of the workspace
DISPLAYS = {
    "numpy.array",
    "numpy.asarray",
    "numpy.asanyarray",
    "numpy.asarray_chkfinite",
    "numpy.ascontiguousarray",
    "numpy.asfarray",
}

_OF_DISPLAYS = {"dtype", "copy", "order", "subok", "ndmin", "device"}


def display(walk: Evaluator, e: Call, args: tuple[Val, ...], site: str) -> Val:
    """`np.array(value)`: a copy; `np.asarray(value)`: maybe the value itself."""
    if not args:
        return Val(Type("any", fresh(site)), frozenset((site,)))
    x = args[0]
    kwargs = dict(e.kwargs)
    given = kwargs.get("dtype") or (e.args[1] if len(e.args) > 1 else None)
    dtype = dtype_given(walk, given) if given is not None else leaf_dtype(x.type)
    shape = shape_of(x.type) if "ndmin" not in kwargs else None
    if shape is None and "ndmin" not in kwargs and x.type.each is not None:
        shape = (Dim(f"{site}.0"),) if x.type.each.kind == "scalar" else None
    active = x.active and dtype not in ("int", "bool")
    if x.active and dtype in ("int", "bool"):
        walk.problem("PB303", e.origin, e, name=spelling(e))
    elif x.active and "ndmin" in kwargs:  # what 1 and 2 ask for is another call: see the rewrites
        reason = "with `ndmin` written out it is differentiated for 1 and 2; reshape instead"
        walk.problem("PB302", e.origin, e, name=spelling(e), reason=reason)
    for name, value in e.kwargs if x.active else ():
        if name not in _OF_DISPLAYS and value != Const(None):
            reason = f"no rule is written for its argument `{name}`"
            walk.problem("PB302", e.origin, e, name=spelling(e), reason=reason)
    sure = x.type.kind in ("array", "list", "tuple")
    t = Type("array" if sure else "number", fresh(site) if shape is None else shape, dtype)
    if t.shape == SCALAR:
        t = scalar(dtype)
    if makes_copy(e):
        return Val(t, frozenset((site,)), active=active)
    return Val(t, x.objs | {site}, False, True, active)


def makes_copy(e: Call) -> bool:
    """Whether a display's array is new memory for certain: `np.array` copies if it is not told otherwise."""
    return e.fn == "numpy.array" and dict(e.kwargs).get("copy", Const(True)) == Const(True)


def stacked(walk: Evaluator, e: Call, args: tuple[Val, ...], site: str) -> Val:
    """New memory; the shape is known for stack and concatenate where those of all parts are."""
    x = args[0] if args else Val()
    items = x.type.items
    axis = walk.facts.type(dict(e.kwargs).get("axis", e.args[1] if len(e.args) > 1 else Const(0)))
    dtype = leaf_dtype(x.type)
    shape = fresh(site)
    if items:
        shapes = [shape_of(i) for i in items]
        at = axis.const if isinstance(axis.const, int) else 0 if axis.const is MISSING else None
        first = shapes[0]
        if (
            at is not None
            and isinstance(first, tuple)
            and all(isinstance(s, tuple) and len(s) == len(first) for s in shapes)
        ):
            if e.fn == "numpy.stack" and all(s == first for s in shapes):
                at %= len(first) + 1
                shape = (*first[:at], Dim("", len(items)), *first[at:])
            elif e.fn in ("numpy.concatenate", "numpy.concat") and first:
                at %= len(first)
                length = _total([s[at] for s in shapes if isinstance(s, tuple)], site)
                shape = (*first[:at], length, *first[at + 1 :])
    return Val(
        Type("array", shape, dtype),
        frozenset((site,)),
        active=x.active and dtype not in ("int", "bool"),
    )


def built(walk: Evaluator, e: Call, parts: tuple[Val, ...], site: str) -> Val:
    """New memory made of `parts`; where one is active, only the rewritten call is differentiated."""
    active = any(p.active for p in parts)
    if active:
        name = e.args[0].text if isinstance(e.args[0], Ref) else spelling(e)
        reason = "its parts are not written out one by one, as plain arrays"
        walk.problem("PB302", e.origin, e, name=name, reason=reason)
    return Val(Type("array", fresh(site)), frozenset((site,)), active=active)


def solved(walk: Evaluator, e: Call, parts: tuple[Val, ...], site: str) -> Val:
    """The states at each time: a row each."""
    shape = (Dim(f"{site}.0"), Dim(f"{site}.1"))
    active = any(
        p.active or any(map(walk.facts.active, children(a))) for p, a in zip(parts, _given(e))
    )
    return Val(array(shape, "float"), frozenset((site,)), active=active)


def _given(e: Call) -> tuple[Expr, ...]:
    return (*e.args, *(v for _, v in e.kwargs))


def einsum(walk: Evaluator, e: Call, args: tuple[Val, ...], site: str) -> Val:
    """The labels of the result say which axes it has."""
    dtype = "bool"
    for a in args[1:]:
        dtype = promote(dtype, a.type.dtype)
    active = any(a.active for a in args[1:])
    spec = e.args[0].value if e.args and isinstance(e.args[0], Const) else None
    if isinstance(spec, str) and "." not in spec and all(n == "optimize" for n, _ in e.kwargs):
        shape = _einsum_shape(spec.replace(" ", ""), args[1:], site)
        if shape == SCALAR:
            return Val(scalar(dtype), active=active)
        return Val(array(shape, dtype), frozenset((site,)), active=active)
    if isinstance(spec, str) and all(n == "optimize" for n, _ in e.kwargs):  # with an ellipsis
        return Val(Type("number", fresh(site), dtype), frozenset((site,)), active=active)
    if active:
        walk.problem(
            "PB302",
            e.origin,
            e,
            name="einsum",
            reason="its subscripts are not a plain string literal",
        )
    return Val(Type("number", fresh(site), dtype), frozenset((site,)), active=active)


def _einsum_shape(spec: str, ops: tuple[Val, ...], site: str) -> tuple[Dim, ...]:
    ins, _, out = spec.partition("->")
    if "->" not in spec:
        letters = ins.replace(",", "")
        out = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    dims: dict[str, Dim] = {}
    for labels, op in zip(ins.split(","), ops):
        shape = shape_of(op.type)
        for k, c in enumerate(labels):
            if isinstance(shape, tuple) and k < len(shape):
                seen = dims.get(c)
                dims[c] = shape[k] if seen in (None, Dim("", 1), shape[k]) else Dim(f"{site}.{c}")
    return tuple(dims.get(c, Dim(f"{site}.{c}")) for c in out)


def _total(parts: list[Dim], site: str) -> Dim:
    syms = [d for d in parts if d.sym]
    off = sum(d.off for d in parts)
    if not syms:
        return Dim("", off)
    return Dim(syms[0].sym, off) if len(syms) == 1 else Dim(f"{site}.n")


def dtype_given(walk: Evaluator, e: Expr) -> str:
    """The dtype that an argument names, or takes from other values: `x.dtype`, `np.result_type(x, y)`."""
    if isinstance(e, Call) and e.fn in ("attr.dtype", "numpy.result_type", "numpy.promote_types"):
        out = "bool"
        for a in e.args:
            out = promote(
                out, walk.facts.type(a).dtype if e.fn == "attr.dtype" else _named_or_of(walk, a)
            )
        return out
    return dtype_named(e)


def _named_or_of(walk: Evaluator, e: Expr) -> str:
    named = dtype_given(walk, e)
    return named if named != "any" else walk.facts.type(e).dtype


# how names of dtypes begin; some names of complex ones begin as those of others do
_COMPLEX = (
    "complex",
    "c8",
    "c16",
    "csingle",
    "cdouble",
    "cfloat",
    "clong",
    "singlecomplex",
    "longcomplex",
)
_FLOATING = ("float", "double", "f4", "f8", "half", "single", "longdouble", "longfloat")


def dtype_named(e: Expr) -> str:
    """The dtype that an argument names: `int`, `np.float32`, "f8"."""
    text = getattr(e, "qualname", None) or (e.value if isinstance(e, Const) else "")
    name = str(text).rsplit(".", 1)[-1]
    if name.startswith(_COMPLEX):
        return "complex"
    if name.startswith(_FLOATING):
        return "float"
    if name.startswith(("int", "uint", "i4", "i8", "u1", "long", "short", "byte")):
        return "int"
    return "bool" if name.startswith("bool") else "any"


def spelling(e: Call) -> str:
    """How the callee is written."""
    text = getattr(e.callee, "text", None) or getattr(e.callee, "id", None)
    return (
        str(text).strip(".()") or "__call__"
        if text
        else e.fn.removeprefix("builtins.").lstrip(".?")
    )
