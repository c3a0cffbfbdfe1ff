"""Headers of backward loops: the same turns in reverse order.

A loop over a range runs over the reversed range. A loop over anything else runs over the positions,
and what a turn was given is looked up again. A while loop counts its turns.

May not know: how statements are reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.containers import is_container, own_memory
from ..analysis.facts import Val
from ..analysis.flow import may_break
from ..analysis.types import Type, element
from ..ir import (
    Assign,
    Call,
    Const,
    Expr,
    For,
    Name,
    Slice,
    Star,
    Stmt,
    Tuple,
    While,
    bound,
    duplicate,
    statements,
)
from ..optimize.build import add, sub
from .containers import step, targets, way
from .context import Bar, Context
from .gather import Gather
from .iterables import had_once
from .slots import Slots, State, add_parts, bar_of, settle_one

RANGES = ("builtins.range", "numpy.arange")


def backward_header(
    ctx: Context, slots: Slots, end: State, s: For
) -> tuple[Expr, Expr, list[Stmt]]:
    """Target and iterable of the backward loop, and what each turn begins with.

    Emits what the loop's targets contribute to what it runs over.
    """
    it = s.iter
    if may_break(s.body):
        return _counted_header(ctx, slots, end, s)
    if isinstance(it, Call) and it.fn in RANGES and isinstance(s.target, Name):
        end.owned.pop(s.target.id, None)
        return Name(s.target.id), Call("builtins.reversed", (_range(ctx, it, s),)), []
    if isinstance(it, Call) and it.fn == "builtins.reversed" and isinstance(s.target, Name):
        inner = it.args[0]
        if isinstance(inner, Call) and inner.fn in RANGES:
            end.owned.pop(s.target.id, None)
            return Name(s.target.id), _range(ctx, inner, s), []
    if isinstance(it, Tuple) and isinstance(s.target, Name) and not ctx.facts.active(it):
        if all(isinstance(i, Const) for i in it.items):
            end.owned.pop(s.target.id, None)
            return Name(s.target.id), Call("builtins.reversed", (replace(it, origin=None),)), []
    if _may_be_dict(ctx, it) or _is_list(ctx, it, s):
        return _unlooked(end, s), Call("builtins.reversed", (ctx.hole(it, s),)), []
    keyed = _over_keys(ctx, slots, end, s)
    if keyed is not None:
        return keyed
    at = Name(ctx.namer.fixed(f"at {id(s)}", "k"))
    ctx.made[at.id] = ctx.facts.of(Const(0))
    looked: list[Stmt] = []
    count = _elements(ctx, slots, end, s.target, it, at, s, looked)
    if count is None:
        ctx.problem("PB110", it, construct="iteration over this")
        count = Const(0)
    return at, Call("builtins.reversed", (Call("builtins.range", (count,)),)), looked


def _counted_header(
    ctx: Context, slots: Slots, end: State, s: For
) -> tuple[Expr, Expr, list[Stmt]]:
    """A loop that may break: as many turns as were counted, from the last one on."""
    turns = counted(ctx, s)
    it = s.iter
    if isinstance(it, Call) and it.fn in RANGES and isinstance(s.target, Name):
        end.owned.pop(s.target.id, None)
        taken = Call("operator.getitem", (_range(ctx, it, s), Slice(None, turns, None)))
        return Name(s.target.id), Call("builtins.reversed", (taken,)), []
    if _may_be_dict(ctx, it):
        taken = Call("operator.getitem", (ctx.hole(it, s), Slice(None, turns, None)))
        return _unlooked(end, s), Call("builtins.reversed", (taken,)), []
    at = Name(ctx.namer.fixed(f"at {id(s)}", "k"))
    ctx.made[at.id] = ctx.facts.of(Const(0))
    looked: list[Stmt] = []
    if _elements(ctx, slots, end, s.target, it, at, s, looked) is None:
        ctx.problem("PB110", it, construct="iteration over this")
    return at, Call("builtins.reversed", (Call("builtins.range", (turns,)),)), looked


def _may_be_dict(ctx: Context, it: Expr) -> bool:
    """Whether a variable is iterated over whose parts, for all that is known, a number may not look up."""
    return isinstance(it, Name) and not ctx.facts.active(it) and ctx.facts.type(it).kind == "any"


def _is_list(ctx: Context, it: Expr, s: For) -> bool:
    """Whether a list is iterated over that is not differentiated, and stays as it is."""
    named = isinstance(it, Name) and ctx.facts.type(it).kind == "list"
    return named and not ctx.facts.active(it) and not _changes(ctx, it, None, s)


def _unlooked(end: State, s: For) -> Expr:
    """The target of a loop over what is not differentiated, for the loop that runs over it backwards."""
    for n in bound(s.target):
        end.owned.pop(n, None)
    return duplicate(s.target)


def _range(ctx: Context, it: Call, s: Stmt) -> Expr:
    return Call(
        it.fn,
        tuple(ctx.hole(a, s) for a in it.args),
        tuple((k, ctx.hole(v, s)) for k, v in it.kwargs),
    )


def _elements(
    ctx: Context,
    slots: Slots,
    end: State,
    target: Expr,
    it: Expr,
    at: Name,
    s: For,
    looked: list[Stmt],
) -> Expr | None:
    """The number of turns; looks up `target` at position `at`, and passes its adjoint on."""
    if (
        isinstance(it, Call)
        and it.fn == "builtins.enumerate"
        and isinstance(target, Tuple)
        and len(target.items) == 2
    ):
        start = it.args[1] if len(it.args) > 1 else dict(it.kwargs).get("start", Const(0))
        number = add(at, ctx.hole(start, s)) if start != Const(0) else at
        if isinstance(target.items[0], Name):
            looked.append(_look(target.items[0], number, s))
            end.owned.pop(target.items[0].id, None)
        return _elements(ctx, slots, end, target.items[1], it.args[0], at, s, looked)
    if isinstance(it, Call) and it.fn == "builtins.zip" and isinstance(target, Tuple):
        if (
            len(it.args) != len(target.items)
            or any(isinstance(a, Star) for a in it.args)
            or it.kwargs
        ):
            return None
        counts = [
            _elements(ctx, slots, end, t, a, at, s, looked) for t, a in zip(target.items, it.args)
        ]
        sure = [c for c in counts if c is not None]
        if len(sure) != len(counts):
            return None
        same = all(c == sure[0] for c in sure)
        return sure[0] if same else Call("builtins.min", tuple(sure))
    if isinstance(it, Call) and it.fn == "builtins.reversed" and it.args:
        inner = it.args[0]
        count = ctx.hole(inner, s, query="dim 0")
        index = sub(sub(count, Const(1)), at)
        return _one(ctx, slots, end, target, inner, index, count, s, looked)
    if isinstance(it, Call) and it.fn in RANGES and isinstance(target, Name):
        made = _range(ctx, it, s)
        looked.append(_look(target, Call("operator.getitem", (made, at)), s))
        end.owned.pop(target.id, None)
        return Call("builtins.len", (made,))
    return _one(ctx, slots, end, target, it, at, ctx.hole(it, s, query="dim 0"), s, looked)


def _one(
    ctx: Context,
    slots: Slots,
    end: State,
    target: Expr,
    it: Expr,
    index: Expr,
    count: Expr,
    s: For,
    looked: list[Stmt],
) -> Expr | None:
    """`for target in it`, one turn."""
    if is_container(ctx.facts.type(it)) and not isinstance(it, Tuple):
        return _parts(ctx, slots, end, target, it, index, count, s, looked)
    kind = ctx.facts.type(it).kind
    if kind in ("str", "function") or had_once(it, ctx.facts):
        return None
    if isinstance(it, Tuple) and any(ctx.facts.active(i) for i in it.items):
        return None
    looked.append(_look(target, Call("operator.getitem", (ctx.hole(it, s), index)), s))
    if not ctx.facts.active(it):
        for n in bound(target):  # its value comes from nothing that is differentiated
            end.owned.pop(n, None)
    if isinstance(it, Tuple):  # a display written out: each turn takes one of its items
        return Const(len(it.items))
    if not ctx.facts.active(it):
        return count
    if not isinstance(target, Name) or not isinstance(it, (Name, Call)):
        return None
    if target.id not in end:
        return count
    chain: tuple[Expr, ...] = (index,)
    base: Expr = it
    while isinstance(base, Call) and base.fn == "operator.getitem":  # the rows of a view, `x[1:]`
        chain = (ctx.index(base.args[1], s), *chain)
        base = base.args[0]
    if not isinstance(base, Name):
        return None
    end.owned.pop(target.id)
    bar = Bar(bar_of(ctx, target.id), True, False)
    add_parts(ctx, slots, end, Gather(parts=[(base.id, chain, bar, "add")]), s)
    return count


def _parts(
    ctx: Context,
    slots: Slots,
    end: State,
    target: Expr,
    it: Expr,
    index: Expr,
    count: Expr,
    s: For,
    looked: list[Stmt],
) -> Expr | None:
    """`for target in it`, one turn over a container (or the keys, values or items of a dict)."""
    how, whole = _walked(ctx, it)
    if how != "keys" and _changes(ctx, whole, _key(ctx, target, how, s), s):
        ctx.problem("PB110", it, construct="iteration over a container that the loop changes")
        return count
    if how != "parts":
        key = _key(ctx, target, how, s)
        if key is None:
            return None
        if key != index:
            names = Call("builtins.list", (ctx.hole(whole, s),))
            looked.append(_look(key, Call("operator.getitem", (names, index)), s))
        end.owned.pop(key.id, None)
        if how == "keys":
            return count
        target, index = (
            (target.items[1] if isinstance(target, Tuple) and how == "items" else target),
            key,
        )
    looked.append(_look(target, Call("operator.getitem", (ctx.hole(whole, s), index)), s))
    base: Expr = whole
    chain: tuple[Expr, ...] = (index,)
    while isinstance(base, Call) and (key_ := step(ctx, base, s)) is not None:
        chain, base = (key_, *chain), base.args[0]
    parts = targets(target, element(ctx.facts.type(whole), ""), chain)
    to = Gather()
    for name, inner, _ in parts:
        if name.id not in end:
            continue
        if not isinstance(base, Name):
            return None
        settle_one(ctx, end, name.id, s.body[0])
        bar = Bar(bar_of(ctx, name.id), True, False)
        end.owned.pop(name.id)
        how = way(ctx, name)
        to.parts.append((base.id, inner, bar, how))
    add_parts(ctx, slots, end, to, s)
    return count


def _changes(ctx: Context, whole: Expr, key: Name | None, s: For) -> bool:
    """Whether a turn may change what a later one takes; storing the part whose turn it is does not."""
    objs = ctx.facts.of(whole).objs
    for x in statements(s.body):
        target = x.targets[0] if isinstance(x, Assign) else None
        own = isinstance(target, Call) and key is not None and target.args == (whole, key)
        if ctx.facts.mutated.get(id(x), frozenset()) & own_memory(objs) and not own:
            return True
    return False


def _walked(ctx: Context, it: Expr) -> tuple[str, Expr]:
    """What a loop over a container takes in each turn (parts, keys, values, items), and the container."""
    if isinstance(it, Call) and it.fn in ("method.keys", "method.values", "method.items"):
        return it.fn[7:], it.args[0]
    return ("keys" if ctx.facts.type(it).kind == "dict" else "parts"), it


def _key(ctx: Context, target: Expr, how: str, s: For) -> Name | None:
    """The variable that holds the key of a turn over a dict."""
    if how == "values":
        return Name(ctx.namer.fixed(f"key {id(s)} {target}", "key"))
    if how == "items":
        if not isinstance(target, Tuple) or len(target.items) != 2:
            return None
        target = target.items[0]
    return target if isinstance(target, Name) else None


def _over_keys(
    ctx: Context, slots: Slots, end: State, s: For
) -> tuple[Expr, Expr, list[Stmt]] | None:
    """The header of a loop over a dict: its keys in reverse order."""
    how, whole = _walked(ctx, s.iter)
    if how == "parts" or not is_container(ctx.facts.type(s.iter)):
        return None
    key = _key(ctx, s.target, how, s)
    if key is None:
        return None
    ctx.made[key.id] = Val(Type("str"))
    looked: list[Stmt] = []
    _parts(ctx, slots, end, s.target, s.iter, key, Const(0), s, looked)
    return key, Call("builtins.reversed", (ctx.hole(whole, s),)), looked


def _look(target: Expr, value: Expr, s: Stmt) -> Stmt:
    return Assign((target,), value, origin=s.origin, made=True)


def turns_of(ctx: Context, s: For | While) -> tuple[Expr, Expr]:
    """The header of a while loop's backward loop: as many turns as were counted."""
    return Name(ctx.namer.fresh("turn")), Call("builtins.range", (counted(ctx, s),))


def counted(ctx: Context, s: For | While) -> Expr:
    """The number of turns that a loop took, as the forward pass counts it."""
    name = ctx.namer.fixed(f"turns {id(s)}", "turns")
    if not ctx.flow.loops(s):
        return Name(name)
    tape = ctx.namer.fixed(f"turns tape {id(s)}", f"{name}_tape")
    return Call("method.pop", (Name(tape),))
