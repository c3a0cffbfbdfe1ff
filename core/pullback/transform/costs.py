"""Whether a primal expression may be computed again, and how much that would cost.

May not know: whether its parts are still there.
"""

from __future__ import annotations

from ..analysis.indexing import BASIC, index_items, index_kind
from ..ir import Call, Compare, Const, Expr, Opaque, Tuple, children, walk
from ..ir.marks import is_mark
from ..rules import rule_for
from .containers import is_step
from .context import Context

SHAPE_CALLS = (
    "attr.shape",
    "attr.size",
    "attr.ndim",
    "numpy.shape",
    "numpy.size",
    "numpy.ndim",
    "builtins.len",
)


def pure(e: Expr) -> bool:
    """Computing `e` twice gives the same, and does nothing else."""
    for n in walk(e):
        if isinstance(n, Opaque):
            return n.kind in ("default", "f-string", "lambda")
        if isinstance(n, Call):
            if (
                n.fn.startswith(("operator.", "attr.", "<word>."))
                or n.fn in SHAPE_CALLS
                or is_mark(n)
            ):
                continue
            if n.fn in (
                "builtins.range",
                "builtins.reversed",
                "builtins.int",
                "builtins.float",
                "numpy.array",
            ):
                continue
            if n.fn.startswith(("numpy.random.", "random.")) or rule_for(n.fn) is None:
                return False
    return True


def cost(ctx: Context, e: Expr) -> int:
    """Roughly, how many array operations computing `e` again takes, in thirds; a scalar operation is one third."""
    own = 0
    if isinstance(e, Call) and e.fn == "operator.getitem" and _basic(ctx, e):
        return cost(ctx, e.args[0])  # the arithmetic of an index is nothing beside an array
    if isinstance(e, Call):
        own = _call_cost(ctx, e)
    elif isinstance(e, Compare) or (isinstance(e, Tuple) and e.kind == "list"):
        own = 1
    return own + sum(cost(ctx, c) for c in children(e))


def _call_cost(ctx: Context, e: Call) -> int:
    t = ctx.facts.type(e)
    if (
        e.fn.startswith("attr.")
        or is_mark(e)
        or e.fn in SHAPE_CALLS
        or e.fn in ("builtins.range", "builtins.reversed")
    ):
        return 0
    if is_step(ctx, e):
        return 0
    if e.fn == "operator.getitem":
        return 3
    if e.fn.startswith("operator.") and e.fn not in ("operator.matmul", "operator.pow"):
        return 1 if t.kind == "scalar" else 3
    if e.fn == "operator.pow":
        small = isinstance(e.args[1], Const) and e.args[1].value in (2, 2.0)
        return 1 if t.kind == "scalar" else 3 if small else 6
    if t.kind == "scalar" and t.dtype in ("bool", "int") and _of_numbers(ctx, e):
        return 1
    if e.fn in ("numpy.arange", "numpy.zeros", "numpy.ones", "numpy.eye", "numpy.empty"):
        return 3
    return 6


def _basic(ctx: Context, e: Call) -> bool:
    """A subscript of integers and slices: a view, or an element."""
    ints = all(_integers(ctx, i) for i in index_items(e.args[1]))
    return ints and index_kind(e.args[1], ctx.facts.type) == BASIC


def _integers(ctx: Context, item: Expr) -> bool:
    """Nothing but integer arithmetic, which calls no function."""
    return not any(isinstance(n, Call) and _call_cost(ctx, n) > 1 for n in walk(item))


def _of_numbers(ctx: Context, e: Call) -> bool:
    """`np.isnan(x[i])`, `min(i + 8, n)`: a question about numbers."""
    return all(ctx.facts.type(a).kind == "scalar" for a in e.args)
