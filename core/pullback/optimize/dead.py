"""Dead code: what computes a value, or fills an array, that nobody looks at.

    x_bar = 0.0
    x_bar = y_bar * 2.0        ->    x_bar = y_bar * 2.0
    w_bar = y_bar * x                return x_bar
    return x_bar

What the user wrote to be seen (print, assert, raise) stays, as does all that is kept as text.

May not know: rules, types.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import (
    Assign,
    Barrier,
    Call,
    ExprStmt,
    Function,
    Name,
    Return,
    Stmt,
    reads,
    statements,
    stmt_exprs,
)
from .effects import Aliases, Pure, captured, known_pure, root, shared_memory, store_of
from .liveness import Exits, Liveness, Names, sweep
from .tapes import drop_unread_tapes


def remove_dead(
    fn: Function,
    pure: Pure = known_pure,
    aliases: Aliases | None = None,
    *,
    visible: set[str] | None = None,
) -> Function:
    """`fn` without statements whose results are never read; `fn` itself where there are none.

    pure      whether a call changes nothing but its result
    aliases   the variables that may share memory with one; by default as far as the text shows
    visible   variables whose contents the caller sees afterwards; by default all parameters
    """
    while True:  # what went may have been all that tied two variables together
        lv = _liveness(fn, pure, aliases, visible)
        body, _ = sweep(fn.body, frozenset(), Exits(), lv)
        new = fn if body is fn.body else replace(fn, body=body)
        new = drop_unread_tapes(new, live_after(new, pure, aliases), pure)
        new = _without_idle_copies(new, shared_memory(new) if aliases is None else aliases)
        if new is fn:
            return fn
        fn = new


def _without_idle_copies(fn: Function, aliases: Aliases) -> Function:
    """`fn` without `x = x.copy()` of parameters that it neither writes into nor gives away."""
    given: set[str] = set()
    for s in statements(fn.body):
        target = store_of(s)
        if target is not None:
            given.add(root(target) or "")
        if isinstance(s, (Return, ExprStmt, Barrier)):
            given |= {n for e in stmt_exprs(s) for n in reads(e)}
    kept = tuple(s for s in fn.body if not _is_idle_copy(s, aliases, given))
    return fn if len(kept) == len(fn.body) else replace(fn, body=kept)


def _is_idle_copy(s: Stmt, aliases: Aliases, given: set[str]) -> bool:
    if not isinstance(s, Assign) or not s.made or len(s.targets) != 1:
        return False
    name = s.targets[0]
    if not isinstance(name, Name) or s.value != Call("method.copy", (name,)):
        return False
    return "" not in given and not (aliases(name.id) | {name.id}) & given


def live_after(
    fn: Function, pure: Pure = known_pure, aliases: Aliases | None = None
) -> dict[int, Names]:
    """What is read after each statement, by the statement's identity. Nothing is removed."""
    lv = _liveness(fn, pure, aliases, None)
    lv.removing = False
    sweep(fn.body, frozenset(), Exits(), lv)
    return {key: names | lv.pinned for key, names in lv.after.items()}


def _liveness(
    fn: Function, pure: Pure, aliases: Aliases | None, visible: set[str] | None
) -> Liveness:
    seen = {p.name for p in fn.params} if visible is None else visible
    groups = shared_memory(fn) if aliases is None else aliases
    return Liveness(pure, groups, frozenset(captured(fn)), frozenset(seen))
