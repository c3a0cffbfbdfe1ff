"""Before a function is reversed: active calls that are other calls, written differently.

    np.c_[a, b]                     ->  np.concatenate((a[:, None], b[:, None]), axis=-1)
    np.select([p, q], [u, v], w)    ->  np.where(p, u, np.where(q, v, w))

The forward pass prints them as the user wrote them, unless a part of them is to be recorded.

What further arguments of a call mean is in keywords.py, calls of SciPy are in scipy_calls.py.

May not know: how anything is reversed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from ..analysis.containers import GET
from ..analysis.facts import Facts
from ..analysis.indexing import index_items
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Compare,
    Const,
    Expr,
    ExprStmt,
    For,
    Function,
    IfExp,
    Ref,
    Return,
    Slice,
    Star,
    Stmt,
    Tuple,
    duplicate,
    map_blocks,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from ..rules import rule_for
from .keywords import KEYWORDS, elementwise
from .pieces import (
    Rewrite,
    at_least,
    column,
    display_items,
    given,
    joined,
    np_call,
    only_display,
    rank_of,
)
from .scipy_calls import FROZEN, SCIPY, frozen


def has_rewrites(fn: Function) -> bool:
    """Whether `fn` has a call that this room knows: only then its facts are asked for."""
    return any(
        _change_for(c) is not None
        for s in statements(fn.body)
        for e in stmt_exprs(s)
        for c in walk(e)
        if isinstance(c, Call)
    )


def with_plain_calls(fn: Function, facts: Facts) -> Function:
    """`fn` without the calls that this room knows; `fn` itself if there are none."""
    body = _block(fn.body, facts)
    return fn if body is fn.body else replace(fn, body=body)


def _block(block: Block, facts: Facts) -> Block:
    return unless_same([_statement(s, facts) for s in block], block)


def _statement(s: Stmt, facts: Facts) -> Stmt:
    if isinstance(s, (Assign, AugAssign, ExprStmt, Return)) and s.value is not None:
        value = _plain(s.value, facts)
        return s if value is s.value else replace(s, value=value)
    if isinstance(s, For):
        it = _plain(s.iter, facts)
        s = s if it is s.iter else replace(s, iter=it)
    return map_blocks(s, lambda b: _block(b, facts))


def _plain(e: Expr, facts: Facts) -> Expr:
    """`e` with its calls of active arguments rewritten, inner ones first."""
    new = rebuild(e, lambda c: _plain(c, facts))
    if not isinstance(new, Call) or not any(map(facts.active, _flat(e))):
        return new
    change = _change_for(new)
    got = change(new, _with_arguments(facts, e, new)) if change is not None else None
    return new if got is None else got


def _change_for(e: Call) -> Rewrite | None:
    if e.fn == "operator.getitem" and isinstance(e.args[0], Ref):
        return _SUBSCRIPTS.get(e.args[0].qualname)
    if e.fn in FROZEN:
        return frozen
    if e.fn.startswith("attr."):
        return _named_result if e.fn.removeprefix("attr.") in _RESULTS else None
    known = _CALLS.get(e.fn) or KEYWORDS.get(e.fn) or SCIPY.get(e.fn)
    return known or (elementwise if _is_ufunc(e) else None)


def _is_ufunc(e: Call) -> bool:
    """Whether `e` may have the keywords that all of NumPy's functions of elements have."""
    rule = rule_for(e.fn) if e.kwargs and e.fn.startswith("numpy.") else None
    return rule is not None and rule.kind == "elementwise" and "out" not in rule.signature


def _with_arguments(facts: Facts, old: Expr, new: Expr) -> Facts:
    """The facts, which still hold of arguments that were rewritten."""
    if isinstance(old, Call) and isinstance(new, Call):
        for a, b in zip(_flat(old), _flat(new)):
            if id(a) in facts.vals:
                facts.vals.setdefault(id(b), facts.vals[id(a)])
    return facts


def _flat(e: Expr) -> list[Expr]:
    """The arguments of a call, those in displays one by one."""
    todo = [*e.args, *(v for _, v in e.kwargs)] if isinstance(e, Call) else [e]
    out: list[Expr] = []
    while todo:
        x = todo.pop(0)
        out.append(x)
        if isinstance(x, Tuple):
            todo = [*x.items, *todo]
    return out


# --- building arrays of others -------------------------------------------------------------------


def _rows(e: Call, facts: Facts) -> Expr | None:
    """`np.r_[a, 1.0, b]`."""
    parts = _subscript_parts(e)
    return None if parts is None else joined([at_least(p, 1, facts) for p in parts], 0)


def _columns(e: Call, facts: Facts) -> Expr | None:
    """`np.c_[a, b]`."""
    parts = _subscript_parts(e)
    return None if parts is None else joined([column(p, facts) for p in parts], -1)


def _subscript_parts(e: Call) -> list[Expr] | None:
    items = index_items(e.args[1])
    plain = not any(
        isinstance(i, (Slice, Star)) or (isinstance(i, Const) and isinstance(i.value, str))
        for i in items
    )
    return list(items) if plain else None


def _with_axes(e: Call, facts: Facts) -> Expr | None:
    """`np.array(x, ndmin=2)`; more axes than two stand elsewhere in np.atleast_3d."""
    least = dict(e.kwargs).get("ndmin")
    if not isinstance(least, Const) or least.value not in (1, 2):
        return None
    kwargs = tuple((k, v) for k, v in e.kwargs if k != "ndmin")
    return np_call(f"atleast_{least.value}d", Call(e.fn, e.args, kwargs, origin=e.origin))


def _each_with_axes(e: Call, facts: Facts) -> Expr | None:
    """`np.atleast_1d(x, y)`: one after the other."""
    if len(e.args) < 2 or any(isinstance(a, Star) for a in e.args):
        return None
    return Tuple(tuple(Call(e.fn, (a,), origin=e.origin) for a in e.args))


def _stacked(dims: int, axis: int) -> Rewrite:
    """`np.vstack` and `np.dstack`."""

    def change(e: Call, facts: Facts) -> Expr | None:
        parts = only_display(e)
        return None if parts is None else joined([at_least(p, dims, facts) for p in parts], axis)

    return change


def _column_stack(e: Call, facts: Facts) -> Expr | None:
    parts = only_display(e)
    if parts is None:
        return None
    if all(rank_of(p, facts) == 1 for p in parts):
        return np_call("stack", Tuple(tuple(parts)), axis=Const(1))
    return joined([column(p, facts) for p in parts], -1)


def _block_matrix(e: Call, facts: Facts) -> Expr | None:
    """`np.block([[a, b], [c, d]])`, or one row of blocks."""
    rows = only_display(e)
    if rows is None:
        return None
    nested = [display_items(r) for r in rows if isinstance(r, Tuple)]
    if not nested:
        return joined([at_least(p, 1, facts) for p in rows], -1)
    if len(nested) != len(rows) or any(r is None or any(map(_is_list, r)) for r in nested):
        return None
    lines = [joined([at_least(p, 2, facts) for p in r], -1) for r in nested if r is not None]
    return joined(lines, -2)


def _is_list(e: Expr) -> bool:
    return isinstance(e, Tuple)


def _insert(e: Call, facts: Facts) -> Expr | None:
    """`np.insert(x, i, v)` at one place of a flat array."""
    if len(e.args) != 3 or e.kwargs:
        return None
    x, at, v = e.args
    t = facts.type(at)
    if t.kind != "scalar" or t.dtype != "int":
        return None
    flat = x if rank_of(x, facts) == 1 else np_call("ravel", x)
    head = Call("operator.getitem", (flat, Slice(None, at, None)))
    tail = Call("operator.getitem", (duplicate(flat), Slice(duplicate(at), None, None)))
    return joined([head, at_least(v, 1, facts), tail], 0)


def _vander(e: Call, facts: Facts) -> Expr | None:
    given = dict(zip(("x", "N", "increasing"), e.args)) | dict(e.kwargs)
    increasing = given.get("increasing", Const(False))
    if not isinstance(increasing, Const) or "x" not in given:
        return None
    x, count = given["x"], given.get("N", Const(None))
    if count == Const(None):
        count = Call("builtins.len", (duplicate(x),))
    x = np_call("asarray", x) if isinstance(x, Tuple) else x
    column = Call("operator.getitem", (x, Tuple((Slice(None, None, None), Const(None)))))
    if increasing.value:
        return Call("operator.pow", (column, np_call("arange", count)))
    last = Call("operator.sub", (count, Const(1)))
    return Call("operator.pow", (column, np_call("arange", last, Const(-1), Const(-1))))


# --- choosing ------------------------------------------------------------------------------------


def _select(e: Call, facts: Facts) -> Expr | None:
    given = dict(zip(("condlist", "choicelist", "default"), e.args)) | dict(e.kwargs)
    tests, values = (display_items(given.get(n, Const(None))) for n in ("condlist", "choicelist"))
    if tests is None or values is None or len(tests) != len(values):
        return None
    out = given.get("default", Const(0.0))
    for test, value in reversed(list(zip(tests, values))):
        out = np_call("where", test, value, out)
    return out


def _choose(e: Call, facts: Facts) -> Expr | None:
    """`np.choose(k, [a, b, c])`."""
    if len(e.args) != 2 or e.kwargs:
        return None
    which, values = e.args[0], display_items(e.args[1])
    if not values or facts.active(which):
        return None
    if facts.type(which).kind in ("list", "tuple"):  # which compares as a whole
        which = np_call("asarray", which)
    out = values[-1]
    for k in reversed(range(len(values) - 1)):
        out = np_call("where", Compare(duplicate(which), ("==",), (Const(k),)), values[k], out)
    return out


def _extreme(e: Call, facts: Facts) -> Expr | None:
    """`max(a, b, c)`, `max((a, b))` and `max(x)` of a vector."""
    if e.kwargs:
        return None
    parts = display_items(e.args[0]) if len(e.args) == 1 else list(e.args)
    if not parts and len(e.args) == 1 and rank_of(e.args[0], facts) == 1:
        return np_call(e.fn.removeprefix("builtins."), e.args[0])
    if not parts or (len(parts) == 2 and len(e.args) == 2):
        return None
    if any(isinstance(p, Star) for p in parts):
        return None
    return reduce(lambda a, b: Call(e.fn, (a, b), origin=e.origin), parts)


def _chain(e: Call, facts: Facts) -> Expr | None:
    """`np.linalg.multi_dot([a, b, c])`."""
    parts = only_display(e)
    if parts is None or len(parts) < 2 or any(isinstance(p, Star) for p in parts):
        return None
    return reduce(lambda a, b: Call("operator.matmul", (a, b), origin=e.origin), parts)


# the results of NumPy's decompositions, by name
_RESULTS = {"eigenvalues": 0, "eigenvectors": 1, "sign": 0, "logabsdet": 1, "Q": 0, "R": 1}
_RESULTS |= {"U": 0, "S": 1, "Vh": 2}


def _named_result(e: Call, facts: Facts) -> Expr | None:
    """`np.linalg.eigh(a).eigenvalues`: its number."""
    t = facts.type(e.args[0])
    if t.kind != "tuple" or not t.maker.startswith("numpy.linalg."):
        return None
    return Call("operator.getitem", (e.args[0], Const(_RESULTS[e.fn.removeprefix("attr.")])))


def _qr(e: Call, facts: Facts) -> Expr | None:
    """`np.linalg.qr(a, mode="r")`: the second of two results."""
    args = given(e, "a", "mode")
    if args.get("mode") != Const("r"):
        return None
    return Call("operator.getitem", (Call(e.fn, (args["a"],), origin=e.origin), Const(1)))


# --- elements, several at once -------------------------------------------------------------------


def _item(e: Call, facts: Facts) -> Expr | None:
    """`x.item(i)` and `x.item(i, j)`."""
    x, *where = e.args
    if not where or e.kwargs:
        return None
    if len(where) > 1:
        return Call("operator.getitem", (x, Tuple(tuple(where))))
    flat = x if rank_of(x, facts) == 1 else np_call("ravel", x)
    return Call("operator.getitem", (flat, where[0]))


def _quantiles(e: Call, facts: Facts) -> Expr | None:
    """Several quantiles at once, written out: one after the other."""
    given = dict(zip(("a", "q"), e.args[:2])) | {k: v for k, v in e.kwargs if k in ("a", "q")}
    several = display_items(given.get("q", Const(None)))
    if not several or "a" not in given:
        return None
    kwargs = tuple((k, v) for k, v in e.kwargs if k not in ("a", "q"))
    rest = (*e.args[2:],)
    parts = [
        Call(
            e.fn,
            (duplicate(given["a"]), q, *map(duplicate, rest)),
            _copied(kwargs),
            origin=e.origin,
        )
        for q in several
    ]
    return np_call("stack", Tuple(tuple(parts)))


def _copied(kwargs: tuple[tuple[str, Expr], ...]) -> tuple[tuple[str, Expr], ...]:
    return tuple((k, duplicate(v)) for k, v in kwargs)


_SUBSCRIPTS: dict[str, Rewrite] = {"numpy.r_": _rows, "numpy.c_": _columns}


def _got(e: Call, facts: Facts) -> Expr | None:
    """`d.get("k", x)` as `d["k"] if "k" in d else x`."""
    t = facts.type(e.args[0])
    if len(e.args) != 3 or e.kwargs or t.kind != "dict":
        return None
    d, key, other = e.args
    there = Call("operator.getitem", (d, key))
    if t.keys is not None:
        return there if facts.type(key).const in t.keys else other
    return IfExp(Compare(duplicate(key), ("in",), (duplicate(d),)), there, other)


_CALLS: dict[str, Rewrite] = {
    GET: _got,
    "numpy.array": _with_axes,
    **dict.fromkeys((f"numpy.atleast_{n}d" for n in (1, 2, 3)), _each_with_axes),
    "numpy.vstack": _stacked(2, 0),
    "numpy.row_stack": _stacked(2, 0),
    "numpy.dstack": _stacked(3, 2),
    "numpy.column_stack": _column_stack,
    "numpy.block": _block_matrix,
    "numpy.insert": _insert,
    "numpy.vander": _vander,
    "numpy.select": _select,
    "numpy.choose": _choose,
    "builtins.max": _extreme,
    "builtins.min": _extreme,
    "method.item": _item,
    "numpy.linalg.multi_dot": _chain,
    "numpy.linalg.qr": _qr,
    "numpy.quantile": _quantiles,
    "numpy.percentile": _quantiles,
}
