"""Calls that stand in a primal for the derivative's sake: each gives the value of its first argument.

    y = z * pullback.stop_gradient(x)               the user's own call
    y = f(x)  # pullback: stop                      y = <mark>.stop(f(x))
    y = np.round(x)  # pullback: straight-through   y = <mark>.straight_through(<mark>.stop(np.round(x)), x)
    for …:  # pullback: implicit                    x = <mark>.solved(x, ".f.turn", x, p), behind the loop

    x = brentq(f, 0.0, 1.0, (p,))                   x = <mark>.root(brentq(f, 0.0, 1.0, (p,)), ".f", "number", p)

The others are comments as lowering (of loops: `transform/fixed_points.py`) writes them, beside the statement's own
text, and solvers as `transform/roots.py` does. Behind its value `straight_through` has what it may be the identity of,
`solved` the function that gives the value back, with its arguments, `root` the one that is zero there, with those that
stand behind the value, and what the value is. Nothing of it is left in what is generated.

May not know: which statement a comment belongs to, what derivatives are made of marks.
"""

from __future__ import annotations

from dataclasses import replace

from .mapping import map_blocks, map_statement, rebuild, unless_same
from .nodes import Assign, Block, Call, Expr, For, Function, Stmt, While
from .walking import stmt_exprs, walk

CALLED = "pullback.stop_gradient"
INSERT = (
    "pullback.insert_grad_of"  # what a loop of no turns runs over, which lowering makes an Insert
)
STOP = "<mark>.stop"
THROUGH = "<mark>.straight_through"
SOLVED = "<mark>.solved"
ROOT = "<mark>.root"
STOPS = frozenset((CALLED, STOP))
MARKS = STOPS | {THROUGH, SOLVED, ROOT}
IMPLICIT = "implicit"  # of a loop: it leads to a fixed point
FOUND = "found"  # of a loop: what it gives is marked behind it, and no derivative goes through it


def is_mark(e: Expr) -> bool:
    return isinstance(e, Call) and e.fn in MARKS and len(e.args) > 0


def without_marks(fn: Function) -> Function:
    """`fn` with the values themselves in the place of marks, and loops that are what they say."""
    body = _block(fn.body)
    return fn if body is fn.body else replace(fn, body=body)


def _block(block: Block) -> Block:
    return unless_same([_statement(s) for s in block if not _idle(s)], block)


def _idle(s: Stmt) -> bool:
    """`x = <mark>.stop(x)`, which is how a comment on a parameter, or on a loop, is written."""
    if not isinstance(s, Assign) or not s.made or not isinstance(s.value, Call):
        return False
    return is_mark(s.value) and s.targets == s.value.args[:1]


def _statement(s: Stmt) -> Stmt:
    s = map_blocks(s, _block)
    if isinstance(s, (For, While)) and s.turns:
        s = replace(s, turns="")
    marks = {n.fn for e in stmt_exprs(s) for n in walk(e) if isinstance(n, Call) and is_mark(n)}
    if not marks:
        return s
    new = map_statement(s, _plain, lambda inner: inner)
    return replace(new, verbatim=s.verbatim and CALLED not in marks)


def _plain(e: Expr) -> Expr:
    return _plain(e.args[0]) if isinstance(e, Call) and is_mark(e) else rebuild(e, _plain)
