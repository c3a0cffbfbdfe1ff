"""What the text of a called function says: the variables that are its own, those that it writes, what is kept as text.

May not know: facts, where it is called.
"""

from __future__ import annotations

from ..analysis.flow import bindings
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Function,
    Keep,
    Name,
    Opaque,
    statements,
    stmt_exprs,
    walk,
)


def writes(fn: Function) -> set[str]:
    """The variables that the text of `fn` stores into."""
    targets = [t for s in statements(fn.body) if isinstance(s, Assign) for t in s.targets]
    targets += [s.target for s in statements(fn.body) if isinstance(s, AugAssign)]
    return {e.id for t in targets for e in walk(t) if isinstance(e, Name)}


def own_names(fn: Function) -> set[str]:
    """The variables of `fn`."""
    bound = {n for s in statements(fn.body) for n in bindings(s)} - imports(fn)
    return bound | {p.name for p in fn.params}


def imports(fn: Function) -> set[str]:
    """The names that imports inside of `fn` bind: what they mean is resolved, and spelled anew."""
    return {
        n
        for s in statements(fn.body)
        if isinstance(s, Keep) and s.kind == "import"
        for n in s.writes
    }


def texts_of(fn: Function) -> list[Keep | Opaque]:
    """What is kept as text."""
    out: list[Keep | Opaque] = []
    for s in without_frame(tuple(statements(fn.body))):
        if isinstance(s, Keep):
            out.append(s)
        out += [n for e in stmt_exprs(s) for n in walk(e) if isinstance(n, Opaque)]
    return out


def without_frame(block: Block) -> Block:
    """A function's statements without its docstring and its imports."""
    return tuple(
        s for s in block if not (isinstance(s, Keep) and s.kind in ("docstring", "import"))
    )
