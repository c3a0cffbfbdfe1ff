"""Code that the user puts into the backward pass, where the adjoint of a variable is complete.

    h = np.tanh(W @ h)                                        …
    for h_bar in pullback.insert_grad_of(h):     ->      h_bar = np.clip(h_bar, -1.0, 1.0)
        h_bar = np.clip(h_bar, -1.0, 1.0)                     …

The code reads the function's variables as they are at that place of the forward pass.

May not know: how other statements are reversed.
"""

from __future__ import annotations

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    For,
    Insert,
    Keep,
    Name,
    Opaque,
    Return,
    Stmt,
    While,
    blocks,
    bound,
    reads,
    root,
    statements,
    stmt_exprs,
    walk,
)
from ..optimize.effects import known_pure
from ..rules import rule_for
from .context import Context
from .exits import EXITS
from .renaming import Names, is_formatted, renamed
from .slots import Slots, State, bar_of, begin, is_set, settle_one, views
from .values import available


def insert(ctx: Context, slots: Slots, state: State, s: Insert) -> None:
    """The backward pass of a place where code is inserted: that code, in the names of this pass."""
    why = _unfit(s)
    if why:
        ctx.problem("PB112", s, word="insert", detail=why)
        return
    assert isinstance(s.name, Name)
    name = s.name.id
    if not ctx.facts.of(s.name).active:
        return  # it has no adjoint
    if _writes(s) or not is_set(slots, state, name):
        begin(ctx, slots, state, name, s)
    else:
        settle_one(ctx, state, name, s)
    bar = bar_of(ctx, name)
    apart = name in slots.buffers and _binds(
        s
    )  # the adjoints of views are parts of this one, which stays
    own = Name(ctx.namer.fresh(f"{name}_new_bar")) if apart else bar
    names = _names(ctx, s, own)
    if apart:
        ctx.emit(Assign((own,), bar, origin=s.origin, made=True))
    for x in s.body:
        ctx.emit(renamed(x, names, s.origin))
    if apart:
        whole = Call("operator.getitem", (bar, Const(Ellipsis)))
        ctx.emit(Assign((whole,), own, origin=s.origin, made=True))
        views(ctx, slots, slots.buffers[name].root)
    elif _binds(s):
        state.owned[name] = _makes_new(s)
    state.masked.add(name)


def _unfit(s: Insert) -> str:
    """Why code cannot stand in a backward pass."""
    if not isinstance(s.name, Name):
        return "its function is put in the place of a call, where the variable has no name"
    kept = (x.kind for x in _outside_loops(s.body) if isinstance(x, Keep))
    if any(k in EXITS for k in kept) or any(isinstance(x, Return) for x in statements(s.body)):
        return "`break`, `continue` and `return` would leave the backward pass"
    return ""


def _outside_loops(block: Block) -> list[Stmt]:
    """The statements that an exit would leave a loop around the code from."""
    out: list[Stmt] = []
    for s in block:
        out.append(s)
        if not isinstance(s, (For, While)):
            out += [x for b in blocks(s) for x in _outside_loops(b)]
    return out


# --- names ---------------------------------------------------------------------------------------


def _names(ctx: Context, s: Insert, bar: Name) -> Names:
    """What the code's variables are called here: the adjoint, what the function's hold there, others anew."""
    names: dict[str, Expr] = {s.bar: bar}
    for e in s.reads:
        if not isinstance(e, Name) or _stays(ctx, e.id, s):
            continue
        value = ctx.hole(e, s)
        in_text = any(e.id in t.reads for t in _texts(s.body))
        names[e.id] = ctx.bind(value, e.id, s) if in_text else value
    for x in statements(s.body):
        for n in sorted(_bound(x) - names.keys()):
            names[n] = Name(ctx.namer.fresh(n))
    changed = {n for n, e in names.items() if e != Name(n)}
    if any(changed & {*t.reads, *t.writes} and is_formatted(t.text) for t in _texts(s.body)):
        why = "a formatted string reads what has another name in the backward pass: give it a name in front"
        ctx.problem("PB112", s, word="insert", detail=why)
    return names


def _stays(ctx: Context, name: str, s: Insert) -> bool:
    """Whether a variable still holds in the backward pass what it holds at `s`."""
    return available(ctx, name, s, "before")


def _texts(block: Block) -> list[Keep | Opaque]:
    found: list[Keep | Opaque] = []
    for s in statements(block):
        found += [s] if isinstance(s, Keep) else []
        found += [n for e in stmt_exprs(s) for n in walk(e) if isinstance(n, Opaque)]
    return found


def _bound(s: Stmt) -> set[str]:
    if isinstance(s, Keep):
        return set(s.writes)
    targets = s.targets if isinstance(s, Assign) else (s.target,) if isinstance(s, For) else ()
    return {n for t in targets for n in bound(t)}


# --- what the code does with the adjoint ---------------------------------------------------------


def _binds(s: Insert) -> bool:
    """Whether the code may bind the adjoint's name to something else."""
    return any(s.bar in _bound(x) for x in statements(s.body))


def _writes(s: Insert) -> bool:
    """Whether the code may write into the adjoint's memory."""
    for x in statements(s.body):
        targets = (
            x.targets if isinstance(x, Assign) else (x.target,) if isinstance(x, AugAssign) else ()
        )
        if any(isinstance(t, Call) and Name(s.bar) in walk(root(t)) for t in targets):
            return True
        if isinstance(x, AugAssign) and x.target == Name(s.bar):
            return True
        if any(s.bar in reads(c) and not _harmless(c) for c in _calls(x)):
            return True
    return False


def _calls(s: Stmt) -> list[Call]:
    return [n for e in stmt_exprs(s) for n in walk(e) if isinstance(n, Call)]


def _harmless(call: Call) -> bool:
    return known_pure(call) or call.fn == "builtins.print"


def _makes_new(s: Insert) -> bool:
    """Whether what the code binds the adjoint to is memory that it makes."""
    values = [x.value for x in statements(s.body) if isinstance(x, Assign) and s.bar in _bound(x)]
    rules = [rule_for(v.fn) if isinstance(v, Call) else None for v in values]
    return all(r is not None and r.memory == "fresh" for r in rules)
