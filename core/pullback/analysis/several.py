"""Functions with several results: which there are, and what each is.

Some are of the rule table. Those that take arrays apart or broadcast them give as many results as the way
they are written says.

May not know: the transformation.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ir import Call, Const, Expr, is_expr
from ..rules import Rule
from .facts import Val
from .shapes import axes_of, int_of, result_shape, shape_of
from .signatures import bind
from .structure import spelling
from .types import MISSING, SCALAR, Dim, Shape, Type, array, broadcast, fresh, leaf_dtype, scalar

if TYPE_CHECKING:
    from .evaluate import Evaluator

SPLITS = {
    "numpy.split": "x, parts, axis=0", "numpy.array_split": "x, parts, axis=0",
    "numpy.vsplit": "x, parts", "numpy.hsplit": "x, parts", "numpy.dsplit": "x, parts",
}  # fmt: skip
GRIDS = {
    "numpy.meshgrid": "*args, copy=True, sparse=False, indexing='xy'",
    "numpy.broadcast_arrays": "*args",
}
REGROUPING = {**SPLITS, **GRIDS}

REFUSED = "refused"  # in place of a shape: nothing gives the derivative of this result


@dataclass(frozen=True)
class Result:
    """One result of an entry: its name, the word for its shape, and its dtype where it has one of its own."""

    name: str
    shape: str
    dtype: str


def results_of(rule: Rule) -> tuple[Result, ...]:
    """The results that an entry lists, in their order."""
    out = []
    for text in rule.results:
        name, _, rest = text.partition(":")
        shape, _, dtype = rest.partition(",")
        out.append(Result(name, shape.strip(), dtype.strip()))
    return tuple(out)


def gives_several(rule: Rule, types: Mapping[str, Type]) -> bool | None:
    """Whether a call with arguments of these types gives several results; None where the text does not tell."""
    if not rule.results or not rule.several:
        return bool(rule.results)
    param, _, value = rule.several.partition("=")
    known = types[param].const
    return None if known is MISSING else bool(known == ast.literal_eval(value))


def types_of(rule: Rule, types: Mapping[str, Type], dtype: str, site: str) -> tuple[Type, ...]:
    """The type of each result of a call with arguments of these types."""
    out = []
    for k, r in enumerate(results_of(rule)):
        shape = result_shape(r.shape, types, f"{site}.{k}")
        own = r.dtype or dtype
        sure = isinstance(shape, tuple) or r.shape.startswith(("same", "left", "middle", "right"))
        kind = "array" if sure else "number"
        out.append(scalar(own) if shape == SCALAR else Type(kind, shape, own))
    return tuple(out)


# --- arrays taken apart, and broadcast -----------------------------------------------------------


def split_axis(fn: str, rank: int | None, axis: Type | None) -> int | None:
    """The axis along which a call splits an array; None where the text does not tell."""
    if fn == "numpy.hsplit":
        return None if rank is None else min(rank, 2) - 1
    if fn in ("numpy.vsplit", "numpy.dsplit"):
        return 0 if fn == "numpy.vsplit" else 2
    return int_of(axis)


def grid_axis(k: int, indexing: str) -> int:
    """The axis of a grid along which argument number `k` of meshgrid runs."""
    return 1 - k if indexing == "xy" and k < 2 else k


def regrouped(walk: Evaluator, e: Call, args: tuple[Val, ...], site: str) -> Val:
    """What a function of REGROUPING gives: a part of its array each, or an array for each argument."""
    bound = bind(REGROUPING[e.fn], e)
    active = any(a.active for a in args)
    objs = frozenset(o for a in args for o in a.objs)
    items = None
    if bound is not None:
        items = _split_types(walk, e, site) if e.fn in SPLITS else _grid_types(walk, e, site)
    if items is None:
        if active:
            reason = "the text does not tell how many arrays it gives, and along which axes"
            walk.problem("PB302", e.origin, e, name=spelling(e), reason=reason)
        return Val(Type("any", fresh(site)), objs | {"", site}, False, True)
    fresh_too = frozenset((site,)) if e.fn == "numpy.meshgrid" else objs
    return Val(Type("tuple", items=items), fresh_too, False, True, active)


def _split_types(walk: Evaluator, e: Call, site: str) -> tuple[Type, ...] | None:
    bound = bind(SPLITS[e.fn], e) or {}
    x, parts = (walk.facts.type(v) for v in (bound["x"], bound["parts"]) if is_expr(v))
    count = int_of(parts) if parts.items is None else len(parts.items) + 1
    given = bound.get("axis")
    axis = _type(walk, given) if is_expr(given) else None
    at = split_axis(e.fn, x.rank(), axis)
    if count is None or at is None:
        return None
    shape = shape_of(x)
    where = axes_of(scalar("int", at), len(shape)) if isinstance(shape, tuple) else None
    out = []
    for k in range(count):
        own: Shape = fresh(f"{site}.{k}")
        if isinstance(shape, tuple) and where:
            own = tuple(Dim(f"{site}.{k}") if i in where else d for i, d in enumerate(shape))
        out.append(Type("array", own, leaf_dtype(x)))
    return tuple(out)


def _grid_types(walk: Evaluator, e: Call, site: str) -> tuple[Type, ...] | None:
    bound = bind(GRIDS[e.fn], e) or {}
    args = bound["args"]
    assert isinstance(args, tuple)
    types = [walk.facts.type(a) for a in args]
    if e.fn == "numpy.broadcast_arrays":
        shape: Shape | None = SCALAR
        for t in types:
            own = shape_of(t)
            shape = None if shape is None or own is None else broadcast(shape, own)
        shape = fresh(site) if shape is None else shape
        return tuple(Type("array", shape, leaf_dtype(t)) for t in types)
    indexing, sparse = bound["indexing"], bound["sparse"]
    if not isinstance(indexing, Const) or sparse != Const(False):
        return None
    lengths = [Dim(f"{site}.{k}") for k in range(len(args))]
    for k, t in enumerate(types):
        own = shape_of(t)
        if isinstance(own, tuple) and len(own) < 2:
            lengths[k] = own[0] if own else Dim("", 1)
    order = sorted(range(len(args)), key=lambda k: grid_axis(k, indexing.value))
    return tuple(array(tuple(lengths[k] for k in order), leaf_dtype(t)) for t in types)


def _type(walk: Evaluator, e: Expr) -> Type:
    return walk.facts.type(e) if id(e) in walk.facts.vals else walk.evaluate(e, {}).type
