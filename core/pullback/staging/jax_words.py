"""What JAX says: `lax.cond`, `lax.fori_loop`, `lax.while_loop`, `.at[].set`, and the names of `jax.numpy`.

May not know: how statements are walked, text.
"""

from __future__ import annotations

from ..analysis.declared import parameter_vals
from ..ir import (
    Assign,
    Call,
    Expr,
    Function,
    Name,
    Ref,
    Return,
    Stmt,
    reads,
    statements,
    stmt_exprs,
    walk,
)
from .backend import Backend, Pair
from .passing import Branch, Loop, Staging, defined, several
from .static import Static
from .words import Words
from .writes import ARRAY, GETITEM, stored, updated

# what JAX has in no module of its own, or what writes or draws
_ABSENT = ("add.at", "subtract.at", "put", "place", "copyto", "putmask", "nditer", "errstate")
_MATH = {
    "acos": "arccos",
    "asin": "arcsin",
    "atan": "arctan",
    "atan2": "arctan2",
    "acosh": "arccosh",
    "asinh": "arcsinh",
    "atanh": "arctanh",
    "fabs": "abs",
    "pow": "power",
}
_SPECIAL = {"erf": "erf", "erfc": "erfc", "lgamma": "gammaln"}
_SCIPY = ("scipy.special.", "scipy.linalg.", "scipy.stats.")


def _has(name: str) -> bool:
    return name not in _ABSENT and not name.startswith("random.")


def _known(e: Expr, static: Static) -> Expr:
    return e


def _alike(words: Words, was: Pair, now: Pair) -> Pair:
    return now


def _said(words: Words, was: Call, now: Call) -> Expr | None:
    if now.fn in ("builtins.float", "builtins.int") and len(now.args) == 1:
        kind = Ref(now.fn, now.fn.removeprefix("builtins."))
        return Call(f"{ARRAY}asarray", (*now.args, kind))
    return None


def _opening(words: Words, fn: Function) -> list[Stmt]:
    """Parameters of which nothing is known, where a traced place selects a part, as arrays: that of a list is none."""
    static, vals = words.static, parameter_vals(fn, ())
    tops = (top for s in statements(fn.body) for top in stmt_exprs(s))
    calls = (e for top in tops for e in walk(top) if isinstance(e, Call))
    bases = {
        e.args[0].id
        for e in calls
        if e.fn == GETITEM and isinstance(e.args[0], Name) and not static.holds(e.args[1])
    }
    names = [p.name for p in fn.params if p.name in bases and p.name not in static.params]
    unknown = (n for n in names if vals[n].type.kind == "any")
    return [Assign((Name(n),), Call(f"{ARRAY}asarray", (Name(n),)), made=True) for n in unknown]


def _branch(b: Branch) -> Expr:
    return Call("jax.lax.cond", (b.test, *map(Name, b.names), *b.operands))


# --- loops ------------------------------------------------------------------------------------------


def _counted(work: Staging, loop: Loop) -> list[Stmt]:
    """`lax.fori_loop`: a function of the number of the turn and of what turns pass on, taken together."""
    turns, state = loop.turns, loop.state
    assert turns is not None
    params = (Name(turns.counter), _carried(work, state))
    body = (*_opened(work, state), *loop.body)
    made = defined(work, loop.name, params, body, loop.s)
    value = Call("jax.lax.fori_loop", (turns.start, turns.stop, Name(made.name), several(state)))
    return [made, Assign((several(state),), value, origin=loop.s.origin, made=True)]


def _open(work: Staging, loop: Loop) -> list[Stmt]:
    """`lax.while_loop`: functions of what turns pass on, taken together."""
    state, whole = loop.state, _carried(work, loop.state)
    assert loop.test is not None
    read = [n if n in reads(loop.test) else "_" for n in state]
    asked = (*_opened(work, read), Return(loop.test, made=True))
    ask = defined(work, loop.ask, (whole,), asked, loop.s)
    made = defined(work, loop.name, (whole,), (*_opened(work, state), *loop.body), loop.s)
    value = Call("jax.lax.while_loop", (Name(ask.name), Name(made.name), several(state)))
    return [ask, made, Assign((several(state),), value, origin=loop.s.origin, made=True)]


def _carried(work: Staging, state: list[str]) -> Name:
    return Name(state[0]) if len(state) == 1 else Name(work.namer.fixed("state", "state"))


def _opened(work: Staging, state: list[str]) -> list[Stmt]:
    if len(state) == 1:
        return []
    return [Assign((several(state),), _carried(work, state), made=True)]


def _decorator(static: tuple[str, ...]) -> str:
    names = "".join(f'"{n}", ' for n in static)
    names = names.strip() if len(static) == 1 else names.rstrip(", ")
    return f"functools.partial(jax.jit, static_argnames=({names}))" if static else "jax.jit"


JAX = Backend(
    title="JAX",
    decorator=_decorator,
    array=ARRAY,
    names={
        **{f"math.{theirs}": f"{ARRAY}{ours}" for theirs, ours in _MATH.items()},
        **{f"math.{theirs}": f"jax.scipy.special.{ours}" for theirs, ours in _SPECIAL.items()},
        "builtins.abs": f"{ARRAY}abs",
        "builtins.round": f"{ARRAY}round",
    },
    modules={"math.": ARRAY, **{m: f"jax.{m}" for m in _SCIPY}},
    has=_has,
    known=_known,
    alike=_alike,
    said=_said,
    stored=lambda work, s, was: stored(s, was, work.words.of, work.facts),
    updated=lambda work, s, was: updated(s, was, work.words.of, work.facts),
    branch=_branch,
    choice=f"{ARRAY}where",
    counted=_counted,
    open=_open,
    passed=lambda words, value, number, own, wanted: value,
    opening=_opening,
    parts=lambda words, was, now: now,
    truth=lambda words, was, now: now,
)
