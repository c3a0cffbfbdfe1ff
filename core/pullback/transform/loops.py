"""Headers of backward loops: the same turns in reverse order.

A loop over a range runs over the reversed range. A loop over anything else runs over the positions,
and what a turn was given is looked up again. A while loop counts its turns.

May not know: how statements are reversed.
"""

from __future__ import annotations

from ..ir import Assign, Call, Const, Expr, For, Name, Slice, Star, Stmt, Tuple, While
from ..optimize.build import add, sub
from .context import Bar, Context
from .exits import may_break
from .gather import Gather
from .slots import Slots, State, add_parts, bar_of

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
    at = Name(ctx.namer.fixed(f"at {id(s)}", "k"))
    ctx.made[at.id] = ctx.facts.of(Const(0))
    looked: list[Stmt] = []
    if _elements(ctx, slots, end, s.target, it, at, s, looked) is None:
        ctx.problem("PB110", it, construct="iteration over this")
    return at, Call("builtins.reversed", (Call("builtins.range", (turns,)),)), looked


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
    kind = ctx.facts.type(it).kind
    if kind in ("dict", "str", "function") or (
        isinstance(it, Call) and it.fn.startswith("builtins.")
    ):
        return None
    if isinstance(it, Tuple) and any(ctx.facts.active(i) for i in it.items):
        return None
    looked.append(_look(target, Call("operator.getitem", (ctx.hole(it, s), index)), s))
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


def _look(target: Expr, value: Expr, s: Stmt) -> Stmt:
    return Assign((target,), value, origin=s.origin, made=True)


def turns_of(ctx: Context, s: For | While) -> tuple[Expr, Expr]:
    """The header of a while loop's backward loop: as many turns as were counted."""
    return Name("_"), Call("builtins.range", (counted(ctx, s),))


def counted(ctx: Context, s: For | While) -> Expr:
    """The number of turns that a loop took, as the forward pass counts it."""
    name = ctx.namer.fixed(f"turns {id(s)}", "turns")
    if not ctx.flow.loops(s):
        return Name(name)
    tape = ctx.namer.fixed(f"turns tape {id(s)}", f"{name}_tape")
    return Call("method.pop", (Name(tape),))
