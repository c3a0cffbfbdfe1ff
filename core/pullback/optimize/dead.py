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

from ..ir import Function
from .effects import Aliases, Pure, captured, known_pure, shared_memory
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
        if new is fn:
            return fn
        fn = new


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
