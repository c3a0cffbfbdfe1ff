"""What a function for TensorFlow begins with: its parameters as tensors, and the type of its floats.

Where nothing tells what a parameter holds, its numbers become floats: operators do not mix types. Those that select
places stay as they are, and what is gone through or taken apart may be a container of them.

May not know: how statements and expressions are staged, text.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.declared import parameter_vals
from ..analysis.types import CONTAINERS
from ..ir import (
    Assign,
    Call,
    Expr,
    For,
    Function,
    Name,
    Ref,
    Stmt,
    Tuple,
    statements,
    stmt_exprs,
    walk,
)
from .static import LOOPS_OVER, Static
from .tensorflow_names import ARRAY
from .words import Words

TF = "tensorflow."
GETITEM = "operator.getitem"
NOT_ARRAYS = (*CONTAINERS, "str", "none", "function", "module", "class", "slice")
_ASARRAY = Ref(f"{ARRAY}asarray", "tnp.asarray")


def opening(words: Words, fn: Function) -> list[Stmt]:
    """Parameters as tensors, behind the type that those are cast to of which nothing is known."""
    static = words.static
    vals = parameter_vals(fn, ())
    optional = {p.name for p in fn.params if p.default == "None"}  # they stay as they are passed
    traced = [p.name for p in fn.params if p.name not in {*static.params, *optional}]
    kinds = {n: static.facts.used_as.get(n, vals[n].type.kind) for n in traced}
    apart = {n for n in traced if kinds[n] == "any" and n in _taken_apart(fn, static)}
    kinds |= dict.fromkeys(apart, "struct")
    places = words.places(fn)
    unknown = {n for n in traced if vals[n].type.dtype == "any" and n not in places}
    out: list[Stmt] = []
    for n, kind in kinds.items():
        cast = n in unknown and kind in ("any", "struct", "number")
        made = _made(n, kind, words.dtype() if cast else None)
        if made is not None:
            out.append(Assign((Name(n),), made, made=True))
    if words.asked:
        whole = {n: kind for n, kind in kinds.items() if n not in places}
        out.insert(0, Assign((Name(words.floating),), _floating(whole), made=True))
    return out


def _made(name: str, kind: str, dtype: Expr | None) -> Expr | None:
    """What a parameter is as a tensor, or a container of them; None where it stays as it is."""
    if kind in CONTAINERS:
        if dtype is not None:
            return Call("<helper>._tensors", (Name(name), dtype))
        return Call(f"{TF}nest.map_structure", (_ASARRAY, Name(name)))
    if kind == "array" or kind in NOT_ARRAYS:
        return None
    return Call(f"{ARRAY}asarray", (Name(name), *([dtype] if dtype is not None else [])))


def _floating(kinds: dict[str, str]) -> Expr:
    """The type that NumPy computes with, for parameters of these kinds: of single precision where all have that."""
    given = [n for n, kind in kinds.items() if kind in CONTAINERS or kind not in NOT_ARRAYS]
    if not given:
        return Ref(f"{TF}float64", "tf.float64")
    return Call("<helper>._dtype", tuple(map(Name, given)))


# --- what is no single array, as it is used -----------------------------------------------------------


def _taken_apart(fn: Function, static: Static) -> set[str]:
    """The variables that are only gone through, taken apart, subscripted by what is known, or passed on."""
    found = (e for s in statements(fn.body) for e in _apart(s, static))
    parts = {id(e): e.id for e in found if isinstance(e, Name)}
    used = {
        e.id
        for s in statements(fn.body)
        for top in stmt_exprs(s)
        for e in walk(top)
        if isinstance(e, Name) and id(e) not in parts
    }
    return set(parts.values()) - used


def _apart(s: Stmt, static: Static) -> Iterator[Expr]:
    if isinstance(s, For):
        yield from _gone_through(s.iter)
    if isinstance(s, Assign) and isinstance(s.targets[0], Tuple):
        yield s.value
    for e in (n for top in stmt_exprs(s) for n in walk(top) if isinstance(n, Call)):
        if e.fn == GETITEM and static.holds(e.args[1]):
            yield e.args[0]
        if e.fn in ("builtins.len", *LOOPS_OVER) or e.fn.startswith("."):
            yield from e.args


def _gone_through(it: Expr) -> Iterator[Expr]:
    """What a loop over `it` goes through, behind `zip` and its like."""
    if isinstance(it, Call) and it.fn in LOOPS_OVER:
        for a in it.args:
            yield from _gone_through(a)
    else:
        yield it
