"""Whether the text shows that a matrix is symmetric: then the triangle that a decomposition does not read is the one
that it reads.

    K = np.exp(-0.5 * (x[:, None] - x[None, :]) ** 2) + s * np.eye(n)

May not know: cotangents, tangents.
"""

from __future__ import annotations

from ..analysis.types import SCALAR
from ..ir import Assign, AugAssign, Call, Const, Expr, ExprStmt, Name, Slice, Stmt, Tuple, walk
from ..optimize.build import ADD, DIV, MUL, NEG, POS, POW, SUB
from ..optimize.effects import known_pure
from ..rules import rule_for
from .context import Context

_ALL, _NEW = Slice(None, None, None), Const(None)
_EVEN = {f"numpy.{name}" for name in ("abs", "absolute", "square", "cos", "cosh")}
_MATRICES = {f"numpy.{name}" for name in ("eye", "identity", "diag")}
_DIAGONALS = ("numpy.diag_indices", "numpy.diag_indices_from")
_PRODUCTS = ("operator.matmul", "numpy.matmul", "numpy.dot", "method.dot")
_DEPTH = 40  # a name that is bound by itself, in a loop, has no end


def is_symmetric(ctx: Context, e: Expr, s: Stmt) -> bool:
    """Whether `e`, as statement `s` reads it, equals its transpose for certain."""
    return _parity(ctx, e, s, _DEPTH) == 1


def _parity(ctx: Context, e: Expr, s: Stmt, depth: int) -> int | None:
    """1 of what stays as it is where the first two axes change places, -1 of what changes sign, None of others."""
    if depth == 0:
        return None
    if ctx.facts.type(e).shape == SCALAR or (isinstance(e, Const) and not isinstance(e.value, str)):
        return 1
    if isinstance(e, Name):
        d = _definition(ctx, e, s)
        return None if d is None else _parity(ctx, d.value, d, depth - 1)
    if not isinstance(e, Call):
        return None
    if e.fn in _MATRICES:
        plain = len(e.args) == 1 and not e.kwargs
        return 1 if plain and ctx.facts.type(e).rank() == 2 else None
    if len(e.args) == 2 and not e.kwargs and _are_turned(ctx, e.args[0], e.args[1], s):
        return {ADD: 1, MUL: 1, SUB: -1}.get(e.fn, 1 if e.fn in _PRODUCTS else None)
    parts = [_parity(ctx, a, s, depth - 1) for a in e.args]
    if None in parts or not parts:
        return None
    return _combined(ctx, e, [p for p in parts if p is not None])


def _combined(ctx: Context, e: Call, parts: list[int]) -> int | None:
    """The same of what `e` makes of arrays of that kind."""
    if e.fn in ("numpy.sum", "method.sum"):
        last = dict(e.kwargs) == {"axis": Const(-1)} and len(parts) == 1
        return parts[0] if last and ctx.facts.type(e.args[0]).rank() == 3 else None
    ranks = {ctx.facts.type(a).rank() for a in e.args} - {0}
    if e.kwargs or len(ranks) != 1:  # an array with fewer axes stands beside the last ones
        return None
    if e.fn in (NEG, POS):
        return parts[0]
    if e.fn in (ADD, SUB):
        return parts[0] if parts[0] == parts[1] else None
    if e.fn in (MUL, DIV):
        return parts[0] * parts[1]
    even = e.fn == POW and isinstance(e.args[1], Const) and e.args[1].value in (2, 4)
    rule = rule_for(e.fn)
    if even or e.fn in _EVEN:
        return 1
    elementwise = rule is not None and rule.kind == "elementwise"
    return 1 if elementwise and set(parts) == {1} else None


def _are_turned(ctx: Context, a: Expr, b: Expr, s: Stmt) -> bool:
    """Whether `b` is `a` with its first two axes in the place of each other."""
    for one, other in ((a, b), (b, a)):
        if isinstance(other, Call) and other.fn == "attr.T" and other.args[0] == one:
            return ctx.facts.type(one).rank() == 2 and not _varies(one)
    return (
        isinstance(a, Call)
        and isinstance(b, Call)
        and a.fn == b.fn == "operator.getitem"
        and a.args[0] == b.args[0]
        and not _varies(a.args[0])
        and _axes(a.args[1]) is not None
        and _axes(b.args[1]) == (_axes(a.args[1]) or (0, 0))[::-1]
        and ctx.facts.type(a.args[0]).rank() == len(_items(a.args[1])) - 1
    )


def _varies(e: Expr) -> bool:
    """Whether evaluating `e` twice may give two values."""
    return any(isinstance(n, Call) and not known_pure(n) for n in walk(e))


def _items(index: Expr) -> tuple[Expr, ...]:
    return index.items if isinstance(index, Tuple) else (index,)


def _axes(index: Expr) -> tuple[int, int] | None:
    """`[:, None, :]` is (0, 1), `[None, :, :]` (1, 0): where the array's first axis goes, and the new one."""
    items = _items(index)
    if len(items) < 2 or any(i != _ALL for i in items[2:]):
        return None
    if items[:2] == (_ALL, _NEW):
        return (0, 1)
    return (1, 0) if items[:2] == (_NEW, _ALL) else None


def _definition(ctx: Context, name: Name, s: Stmt) -> Assign | None:
    """The one statement that binds a variable, whose array is written on its diagonal alone."""
    bound = [d for d in ctx.flow.defs.get(name.id, []) if not _is_diagonal(ctx, d, name)]
    if len(bound) != 1 or any(p.name == name.id for p in ctx.fn.params):
        return None
    [d] = bound
    once = isinstance(d, Assign) and d.targets == (name,) and ctx.flow.loops(d) == ctx.flow.loops(s)
    return d if once and isinstance(d, Assign) else None


def _is_diagonal(ctx: Context, d: Stmt, name: Name) -> bool:
    """Whether `d` writes into the diagonal of the array of that name, and into nothing else."""
    if isinstance(d, ExprStmt):
        return (
            isinstance(d.value, Call)
            and d.value.fn == "numpy.fill_diagonal"
            and d.value.args[0] == name
        )
    if not isinstance(d, (Assign, AugAssign)):
        return False
    target = d.targets[0] if isinstance(d, Assign) else d.target
    if not isinstance(target, Call) or target.fn != "operator.getitem" or target.args[0] != name:
        return False
    index = target.args[1]
    if isinstance(index, Name):
        made = _definition(ctx, index, d)
        index = made.value if made is not None else index
    return isinstance(index, Call) and index.fn in _DIAGONALS
