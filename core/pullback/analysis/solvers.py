"""SciPy's solvers of equations: how they are called, and what they give.

May not know: what an equation's derivative is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..ir import Call, Const, Expr, Opaque
from .facts import Facts, Val
from .marks import at_rest
from .types import ANY, Dim, array, fresh, scalar

if TYPE_CHECKING:
    from .evaluate import Env, Evaluator

ROOM = "scipy.optimize."
_BRACKETED = "f, a, b, args=()"
SIGNATURES = {
    "brentq": _BRACKETED,
    "brenth": _BRACKETED,
    "ridder": _BRACKETED,
    "bisect": _BRACKETED,
    "toms748": _BRACKETED,
    "newton": "f, x0, fprime=None, args=()",
    "fsolve": "f, x0, args=()",
    "root": "f, x0, args=()",
    "root_scalar": "f, args=()",
}
FUNCTION = {"fsolve": "func", "newton": "func", "root": "fun"}  # what they call their function
PARTS = {"root": "attr.x", "root_scalar": "attr.root"}  # where their results hold the solution


def solver(e: object) -> str:
    """The solver that `e` calls; "" where it calls none."""
    name = e.fn.removeprefix(ROOM) if isinstance(e, Call) and e.fn.startswith(ROOM) else ""
    return name if name in SIGNATURES else ""


def holder(e: Expr) -> Expr:
    """What `e` is a solution in: `root(…)` of `root(…).x`."""
    return e.args[0] if isinstance(e, Call) and e.fn in PARTS.values() else e


def at_rest_result(site: str) -> Val:
    """What a solver gives that nothing is differentiated through: a new object of some kind."""
    return Val(replace(ANY, shape=fresh(site)), frozenset((site,)))


def root_arguments(walk: Evaluator, e: Call, env: Env) -> tuple[Val, ...]:
    """The solution of a marked equation, which does not vary for the solver; what the equation is called with does."""
    solution, function, kind, *rest = e.args
    walk.expr(solution, at_rest(env))
    called = _function_of(holder(solution))
    if walk.stmt is not None and isinstance(called, Opaque):  # what it captures it may write into
        walk.mutate(walk.stmt, walk.facts.of(called).objs)
    site = walk.site(e)
    made = array((Dim(f"{site}.0"),), "float") if kind == Const("array") else scalar("float")
    value = Val(made, frozenset((site,)) if made.kind == "array" else frozenset())
    walk.facts.vals[id(solution)] = value
    return (value, *(walk.expr(a, env) for a in (function, kind, *rest)))


def _function_of(call: Expr) -> Expr | None:
    if not isinstance(call, Call):
        return None
    named = dict(call.kwargs)
    return call.args[0] if call.args else named.get(FUNCTION.get(solver(call), "f"))


def gives(name: str, start: Expr | None, facts: Facts) -> str:
    """Whether what a solver solves for is a "number" or an "array": Newton's method takes either as its start."""
    if name == "newton" and start is not None and facts.type(start).kind != "scalar":
        return "array"
    return "array" if name in ("fsolve", "root") else "number"
