"""Calls that write into an argument become the stores that they are.

    np.multiply(a, b, out=c)      ->    c[...] = np.multiply(a, b)
    np.copyto(c, a, where=m)      ->    c[...] = np.where(m, a, c)
    c.fill(a)                     ->    c[...] = a
    np.add.at(c, i, a)            ->    c[i] += a, where an element named twice gets both

The forward pass is printed as the user wrote it. What has no such form stays a call, and is refused where it
is active.

May not know: how stores are reversed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..analysis.calls import ACCUMULATE, out_argument, without_out
from ..analysis.containers import is_container, is_field
from ..analysis.facts import Facts
from ..analysis.indexing import BASIC, index_kind
from ..analysis.shapes import shape_of
from ..analysis.signatures import bind
from ..analysis.types import same_shape
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    ExprStmt,
    Function,
    Name,
    Return,
    Slice,
    Stmt,
    Tuple,
    duplicate,
    is_expr,
    map_blocks,
    unless_same,
)
from ..rules import rule_for

Arguments = dict[str, Expr]
Store = tuple[Expr, Expr]  # what is stored to, and the value


def with_stores(fn: Function, facts: Facts) -> Function:
    """`fn` with stores for the calls that write; `fn` itself if there are none."""
    body = _block(fn.body, facts)
    return fn if body is fn.body else replace(fn, body=body)


def _block(block: Block, facts: Facts) -> Block:
    out: list[Stmt] = []
    for s in block:
        out += _statement(map_blocks(s, lambda b: _block(b, facts)), facts)
    return unless_same(out, block)


def _statement(s: Stmt, facts: Facts) -> list[Stmt]:
    if not isinstance(s, (ExprStmt, Assign, Return)) or not isinstance(s.value, Call):
        return [s]
    value = s.value
    if isinstance(s, ExprStmt) and value.fn in ACCUMULATE:
        return [_accumulated(s, value, facts) or s]
    store = _into_out(value, facts)
    if store is None and isinstance(s, ExprStmt):
        store = _by_name(value, facts)
    if store is None:
        return [s]
    array = store[0]
    made = Assign((_whole(array, facts),), store[1], origin=s.origin)
    if isinstance(s, ExprStmt) or (isinstance(s, Assign) and s.targets == (array,)):
        return [replace(made, verbatim=s.verbatim)]
    return [made, replace(s, value=duplicate(array), verbatim=False)]


def _whole(array: Expr, facts: Facts) -> Expr:
    """All of `array`, as a target: `a[...]`, and a part as it is."""
    if _is_part(array) and not _is_held(array, facts):
        return duplicate(array)
    return Call("operator.getitem", (duplicate(array), Const(Ellipsis)))


def _is_part(e: Expr) -> bool:
    return isinstance(e, Call) and e.fn == "operator.getitem"


def _is_place(e: Expr, facts: Facts) -> bool:
    """A variable's array, or a view of it: what is written there is written into the variable."""
    while isinstance(e, Call) and (_is_part(e) or _is_held(e, facts)):
        if not _is_held(e, facts) and index_kind(e.args[1], facts.type) != BASIC:
            return False
        e = e.args[0]
    return isinstance(e, Name)


def _is_held(e: Expr, facts: Facts) -> bool:
    """`d["u"]`, `state.u`: what a container holds."""
    if not isinstance(e, Call) or not e.args or not is_container(facts.type(e.args[0])):
        return False
    return _is_part(e) or is_field(facts.type(e.args[0]), e.fn)


def _is_array(e: Expr, facts: Facts) -> bool:
    """Whether a method of `e` is an array's: it is one, or it is differentiated and no list."""
    kind = facts.type(e).kind
    return kind == "array" or (kind in ("number", "any") and facts.active(e))


# --- out= ----------------------------------------------------------------------------------------


def _into_out(e: Call, facts: Facts) -> Store | None:
    """`f(…, out=c)`, with `where=` for what is elementwise."""
    out, rule = out_argument(e), rule_for(e.fn)
    if out is None or rule is None or not _is_place(out, facts):
        return None
    plain = without_out(e)
    where = dict(plain.kwargs).get("where")
    if where is None or rule.kind != "elementwise" or where == Const(True):
        return out, plain
    kwargs = tuple((k, v) for k, v in plain.kwargs if k != "where")
    return out, _chosen(where, replace(plain, kwargs=kwargs), out)


def _chosen(where: Expr, value: Expr, array: Expr) -> Expr:
    return Call("numpy.where", (where, value, duplicate(array)))


# --- functions and methods that write -------------------------------------------------------------


def _by_name(e: Call, facts: Facts) -> Store | None:
    make, rule = _STORES.get(e.fn), rule_for(e.fn)
    bound = bind(rule.signature, e) if rule is not None else None
    if make is None or rule is None or bound is None:
        return None
    given = {p: v for p, v in bound.items() if is_expr(v)}
    array = given[rule.writes]
    if not _is_place(array, facts) or (e.fn.startswith("method.") and not _is_array(array, facts)):
        return None
    return make(array, given, facts)


def _copyto(array: Expr, given: Arguments, facts: Facts) -> Store:
    if given["where"] == Const(True):
        return array, given["src"]
    return array, _chosen(given["where"], given["src"], array)


def _fill(array: Expr, given: Arguments, facts: Facts) -> Store:
    return array, given["value"]


def _sort(array: Expr, given: Arguments, facts: Facts) -> Store | None:
    if given["order"] != Const(None):
        return None
    return array, Call("numpy.sort", (duplicate(array), given["axis"]))


def _putmask(array: Expr, given: Arguments, facts: Facts) -> Store | None:
    if not _one_for_all(given["values"], array, facts):
        return None
    return array, _chosen(given["mask"], given["values"], array)


def _place(array: Expr, given: Arguments, facts: Facts) -> Store | None:
    values = given["vals"]
    if isinstance(values, Tuple) and len(values.items) == 1:
        values = values.items[0]
    if facts.type(values).kind != "scalar":
        return None  # they are taken one after the other, over and over
    return _at(array, given["mask"]), values


def _put(array: Expr, given: Arguments, facts: Facts) -> Store | None:
    index, values = given["ind"], given["v"]
    if facts.type(array).rank() != 1 or given["mode"] != Const("raise"):
        return None
    return (_at(array, index), values) if _one_for_all(values, index, facts) else None


def _put_along_axis(array: Expr, given: Arguments, facts: Facts) -> Store | None:
    index, values, axis = given["indices"], given["values"], facts.type(given["axis"]).const
    rank = facts.type(array).rank()
    if not _one_for_all(values, index, facts) or rank not in (1, 2) or type(axis) is not int:
        return None
    if rank == 1:
        return _at(array, index), values
    other = (axis + 1) % 2
    along = _counted(Call("operator.getitem", (_shape(array), Const(other))))
    if other == 0:
        column = Tuple((Slice(None, None, None), Const(None)))
        along = Call("operator.getitem", (along, column))
    pair = (index, along) if other else (along, index)
    return _at(array, Tuple(pair)), values


def _fill_diagonal(array: Expr, given: Arguments, facts: Facts) -> Store | None:
    value, shape = given["val"], facts.type(array).shape
    number = facts.type(value).kind == "scalar"
    if given["wrap"] != Const(False) or (isinstance(shape, tuple) and len(shape) != 2):
        return None
    least = Call("builtins.min", (_shape(array),))
    if not isinstance(shape, tuple):
        axes = Call("attr.ndim", (duplicate(array),))
        index = Call("numpy.diag_indices", (least, axes))
        return (_at(array, index), value) if number else None
    square = shape[0] == shape[1]
    if not number and not (square and shape_of(facts.type(value)) == shape[:1]):
        return None  # it is cut off, or taken over and over
    k = _counted(Call("builtins.len", (duplicate(array),)) if square else least)
    return _at(array, Tuple((k, duplicate(k)))), value


def _shape(array: Expr) -> Expr:
    return Call("attr.shape", (duplicate(array),))


def _counted(n: Expr) -> Expr:
    return Call("numpy.arange", (n,))


def _at(array: Expr, index: Expr) -> Expr:
    return Call("operator.getitem", (array, index))


def _one_for_all(values: Expr, like: Expr, facts: Facts) -> bool:
    """A number, or an array of the shape of `like`: other arrays are repeated or cut off, not broadcast."""
    a, b = shape_of(facts.type(values)), shape_of(facts.type(like))
    if facts.type(values).kind == "scalar":
        return True
    return a is not None and b is not None and same_shape(a, b)


_STORES: dict[str, Callable[[Expr, Arguments, Facts], Store | None]] = {
    "numpy.copyto": _copyto,
    "method.fill": _fill,
    "method.sort": _sort,
    "numpy.putmask": _putmask,
    "numpy.place": _place,
    "numpy.put": _put,
    "method.put": _put,
    "numpy.put_along_axis": _put_along_axis,
    "numpy.fill_diagonal": _fill_diagonal,
}


# --- np.add.at -----------------------------------------------------------------------------------


def _accumulated(s: ExprStmt, e: Call, facts: Facts) -> Stmt | None:
    """`np.add.at(a, i, v)` as `a[i] += v` that counts every mention of an element."""
    if len(e.args) != 3 or e.kwargs or not _is_place(e.args[0], facts):
        return None
    array, index, value = e.args
    return AugAssign(
        Call("operator.getitem", (array, index)),
        ACCUMULATE[e.fn],
        value,
        repeats=True,
        origin=s.origin,
        verbatim=s.verbatim,
    )
