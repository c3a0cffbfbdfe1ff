"""Tapes that hold one value at a time, pushed and popped in one block: the value has a name instead.

    u_tape.append(u)                u_0 = u
    u = u + f(u)             ->     u = u + f(u)
    u = u_tape.pop()                u = u_0

May not know: rules, types.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Assign, Function, Name, statements
from .effects import Pure, known_pure, names_bound
from .one_tape import Edit, Tape, fresh, single_tapes


def name_single_values(fn: Function, pure: Pure = known_pure) -> Function:
    tapes = [t for t in single_tapes(fn, pure) if _within_one_block(t)]
    if not tapes:
        return fn
    taken = {n for s in statements(fn.body) for n in names_bound(s)} | {p.name for p in fn.params}
    edit = Edit()
    for t in tapes:
        plain = t.name.removesuffix("_tape")
        name = Name(fresh(f"{plain}_0" if plain in taken else plain, taken))
        edit.gone.add(id(t.start))
        edit.other[id(t.push)] = Assign((name,), t.pushed, origin=t.push.origin, made=True)
        edit.other[id(t.pop)] = replace(t.pop, value=name)
    return edit.function(fn)


def _within_one_block(t: Tape) -> bool:
    return t.block("push") is t.block("pop") and t.index("push") < t.index("pop")
