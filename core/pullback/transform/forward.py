"""The forward pass: the primal's statements, with what the plan says is to be recorded.

May not know: why something is recorded, where the backward pass goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..analysis.containers import is_container
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    ExprStmt,
    For,
    If,
    Insert,
    Keep,
    Name,
    Note,
    Stmt,
    Tuple,
    While,
    blocks,
    else_of,
    not_elif,
)
from .context import Context
from .exits import EXITS, has_exit
from .plan import Plan, with_names
from .remade import quiet, runs_again
from .revolve import ADVANCED, is_revolved, keeping, one_turn


def kept(ctx: Context, s: Stmt, plan: Plan) -> list[Stmt]:
    """A statement of the forward pass, with what is recorded inside it."""
    if not runs_again(s):
        return recorded(ctx, s, plan)
    made = recorded(ctx, s, Plan(records=False))
    if not (plan.records and isinstance(s, For) and is_revolved(s)):
        return made
    return [replace(x, body=(keeping(ctx, s), *x.body)) for x in made if isinstance(x, For)]


def remade(ctx: Context, plan: Plan) -> Iterator[tuple[str, Block]]:
    """The turns that are run again, by what stands for them in the backward code."""
    for s in ctx.flow.stmts.values():
        if not isinstance(s, For) or not runs_again(s):
            continue
        turns = recorded(ctx, s, plan)
        if not is_revolved(s):
            yield f"{id(s)}", quiet(turns)
            continue
        cut_short = has_exit(s.body)  # a turn that is left goes on behind a loop of its own
        yield (
            f"{id(s)}",
            quiet([one_turn(ctx, s, x) for x in turns] if cut_short else _bodies(turns)),
        )
        plain = recorded(ctx, s, Plan(records=False))
        yield f"{ADVANCED}{id(s)}", quiet(_bodies(plain))


def _bodies(loops: list[Stmt]) -> list[Stmt]:
    return [x for loop in loops for x in blocks(loop)[0]]


def recorded(ctx: Context, s: Stmt, plan: Plan) -> list[Stmt]:
    """A statement with what is recorded inside it, the next time that it is run if there are two."""
    names = plan.temporaries.get(id(s), {})
    if isinstance(s, (Insert, Note)):
        return []
    if isinstance(s, (If, For, While)):
        body = _inner(ctx, s.body, (id(s), "body"), plan)
        orelse = _inner(ctx, s.orelse, (id(s), "orelse"), plan)
        new: Stmt = replace(s, body=tuple(body), orelse=else_of(orelse))
        if names and isinstance(new, If):
            new = replace(new, test=_named(new.test, names), verbatim=False)
        if names and isinstance(new, For):
            new = replace(new, iter=_named(new.iter, names), verbatim=False)
        if isinstance(s, If) and isinstance(new, If):
            made: list[Stmt] = _moved_back(ctx, s, new, plan) if s.moved else [new]
            behind = plan.inserts.get((ctx.flow.block[id(s)], ctx.flow.index[id(s)] + 1), [])
            return _before_exits(made, behind) if behind else made
        return _counted(ctx, s, new) if plan.records else [new]
    if isinstance(s, AugAssign) and _in_callers_container(ctx, s.target):
        whole = _named(ctx.facts.augmented[id(s)], names)
        return [Assign((s.target,), whole, origin=s.origin)]
    if not names:
        return [s]
    if isinstance(s, Assign):
        value = _named(s.value, names)
        return [s if value is s.value else replace(s, value=value, verbatim=False)]
    if isinstance(s, AugAssign):
        known = names.get(id(ctx.facts.augmented[id(s)]))
        if known is not None:
            return [Assign((s.target,), Name(known), origin=s.origin)]
        return [replace(s, value=_named(s.value, names), verbatim=False)]
    if isinstance(s, ExprStmt):
        return [replace(s, value=_named(s.value, names), verbatim=False)]
    return [s]


def _in_callers_container(ctx: Context, target: Expr) -> bool:
    """`d["w"] *= 2` where the array may be the caller's: only the container was copied."""
    if not isinstance(target, Call) or target.fn != "operator.getitem":
        return False
    if not is_container(ctx.facts.type(target.args[0])) or ctx.facts.type(target).kind == "scalar":
        return False
    return any(o.startswith("param ") for o in ctx.facts.origins(ctx.facts.of(target).objs))


def _named(e: Expr, names: dict[int, str]) -> Expr:
    return Name(names[id(e)]) if id(e) in names else with_names(e, names)


def with_temporaries(s: Stmt, e: Expr, plan: Plan) -> Expr:
    """`e`, an expression of `s`, with the temporaries that hold parts of it."""
    names = plan.temporaries.get(id(s), {})
    return _named(e, names) if names else e


def _before_exits(stmts: Iterable[Stmt], lines: list[Stmt]) -> list[Stmt]:
    """What is recorded at the end of a turn is recorded where the turn is left, too."""
    out: list[Stmt] = []
    for s in stmts:
        if isinstance(s, If):
            body, orelse = (_before_exits(b, lines) for b in (s.body, s.orelse))
            s = replace(s, body=tuple(body), orelse=tuple(orelse))
        elif isinstance(s, Keep) and s.kind in EXITS:
            out += lines
        out.append(s)
    return out


def _moved_back(ctx: Context, s: If, new: If, plan: Plan) -> list[Stmt]:
    """The If, and behind it what stands behind it in the user's text."""
    arm: str = "orelse" if s.moved > 0 else "body"
    stmts = s.orelse if s.moved > 0 else s.body
    at = len(stmts) - abs(s.moved)
    key = (id(s), arm)
    inside = _inner(ctx, stmts[:at], key, plan, stop=False)
    behind = _inner(ctx, stmts, key, plan, start=at)
    if arm == "orelse":
        return [replace(new, orelse=else_of(inside)), *(not_elif(x) for x in behind)]
    return [replace(new, body=tuple(inside)), *behind]


def _inner(
    ctx: Context, stmts: Block, key: tuple[int, str], plan: Plan, start: int = 0, stop: bool = True
) -> list[Stmt]:
    """A block with what is recorded in it, from statement `start` on; with `stop` also what comes last."""
    out: list[Stmt] = []
    for i, s in enumerate(stmts[start:], start):
        out += plan.inserts.get((key, i), [])
        out += kept(ctx, s, plan)
    return out + (plan.inserts.get((key, len(stmts)), []) if stop else [])


def begin_turn_tapes(ctx: Context, plan: Plan) -> None:
    """The tapes of the numbers of turns of inner while loops start before the outermost loop."""
    for s in ctx.flow.stmts.values():
        tape = ctx.namer.given.get(f"turns tape {id(s)}")
        if tape is not None:
            outer = ctx.flow.loops(s)[-1]
            place = (ctx.flow.block[id(outer)], ctx.flow.index[id(outer)])
            empty = Assign((Name(tape),), Tuple((), "list"), origin=s.origin, made=True)
            plan.inserts.setdefault(place, []).append(empty)


def _counted(ctx: Context, s: Stmt, new: Stmt) -> list[Stmt]:
    """A loop whose turns only running it tells, and that is reversed, counts them."""
    name = ctx.namer.given.get(f"turns {id(s)}")
    if name is None or not isinstance(new, (For, While)):
        return [new]
    one = AugAssign(Name(name), "operator.add", Const(1), origin=s.origin, made=True)
    out: list[Stmt] = [
        Assign((Name(name),), Const(0), origin=s.origin, made=True),
        replace(new, body=(one, *new.body)),
    ]
    tape = ctx.namer.given.get(f"turns tape {id(s)}")
    if tape is not None:
        push = Call("method.append", (Name(tape), Name(name)))
        out.append(ExprStmt(push, origin=s.origin, made=True))
    return out
