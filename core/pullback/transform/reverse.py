"""Reverse mode: a function's gradient, value and gradient, or vector-Jacobian product, as a function.

The forward pass is the user's statements, with what must be recorded; each return is followed by the
backward pass of the path that leads to it.

May not know: text, modules, how the result is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..analysis.containers import is_container
from ..analysis.evaluate import Evaluator
from ..analysis.facts import Facts
from ..analysis.flow import flow_of, liveness
from ..analysis.types import Type, may_be_complex, may_be_real
from ..ir import (
    Assign,
    Block,
    Call,
    Compare,
    Const,
    Expr,
    Function,
    If,
    IfExp,
    Keep,
    Name,
    Note,
    Return,
    Stmt,
    Tuple,
    else_of,
    reads,
)
from .buffers import find_buffers
from .complexes import made_complex, real_part
from .containers import finished, fitted, opened
from .context import Bar, Calls, Context
from .expressions import adjoint
from .filling import filled, holes_of
from .floating import copied, floated, is_floating
from .forward import begin_turn_tapes, kept, remade, with_temporaries
from .gather import Gather
from .hazards import report_left_out
from .naming import Namer, describe, names_of, plain_name
from .narrow import narrow_names, narrow_values
from .plan import Plan
from .remade import write_snapshots
from .request import Request, Reversed
from .residuals import plan_residuals
from .revolve import begin_schedules
from .shaping import zeros_like
from .signature import signed
from .slots import Slots, State, bar_of, deliver, settle
from .statements import block

SCALAR_KINDS = ("grad", "value_and_grad")


@dataclass
class _Path:
    """One way through the function: the statements before the return, and what follows it."""

    statements: list[Stmt]
    ret: Return
    code: list[Stmt]


def reverse(
    fn: Function,
    facts: Facts,
    request: Request,
    calls: Calls,
    taken: set[str],
    evaluator: Callable[[Facts, str], Evaluator],
    module: str = "",
) -> Reversed:
    """The derivative of `fn`; `calls` answers for the workspace functions that it calls."""
    namer = Namer(names_of(fn) | taken | {request.name})
    ctx = Context(
        fn,
        facts,
        flow_of(fn, facts),
        namer,
        calls,
        evaluator(Facts(fn), "made"),
        evaluator(facts, "primal"),
        live=liveness(fn.body),
        module=module,
    )
    ctx.complex = any(may_be_complex(v.type.dtype) for v in facts.vals.values())
    report_left_out(ctx)
    seed = namer.fresh(f"{plain_name(fn)}_bar") if request.kind == "vjp" else ""
    ctx.early_returns = _has_early_return(fn.body)
    slots = Slots(find_buffers(ctx))
    paths: list[_Path] = []
    _paths(ctx, fn.body, 0, [], [], paths)
    for p in paths:
        p.code = _backward(ctx, slots, request, seed, p)
    problems = [*facts.problems.values(), *ctx.problems]
    if problems or request.looking:
        return Reversed(None, tuple(dict.fromkeys(problems)))
    plan = plan_residuals(ctx, holes_of(p.code for p in paths))
    begin_turn_tapes(ctx, plan)
    write_snapshots(ctx, plan)
    begin_schedules(ctx, plan)
    plan.remade = dict(remade(ctx, plan))
    ctx.narrow |= narrow_names(facts) | narrow_values(ctx.narrow, plan.filled)
    for p in paths:
        p.code = filled(p.code, plan, ctx.narrow)
    body = _forward(ctx, fn.body, 0, [], paths[:], plan, request)
    seeds = (seed,) if seed else ()
    made = signed(fn, request, seeds, tuple(body))
    return Reversed(made, (), tuple(sorted(ctx.helpers)), narrow=frozenset(ctx.narrow))


# --- paths ---------------------------------------------------------------------------------------


def _returns(s: Stmt) -> bool:
    return isinstance(s, Return) or (
        isinstance(s, If) and any(_returns(x) for x in (*s.body, *s.orelse))
    )


def _has_early_return(body: Block) -> bool:
    return any(isinstance(s, If) and _returns(s) for s in body)


def _ends(s: Stmt) -> bool:
    return isinstance(s, Return) or (isinstance(s, Keep) and s.kind == "raise")


Rest = list[tuple[Block, int]]


def _paths(
    ctx: Context, stmts: Block, k: int, before: list[Stmt], rest: Rest, out: list[_Path]
) -> None:
    """All ways to a return, those in branches each with the statements that lead there."""
    for i in range(k, len(stmts)):
        s = stmts[i]
        if isinstance(s, Return):
            out.append(_Path(before, s, []))
            return
        if _ends(s):
            return
        if isinstance(s, If) and _returns(s):
            more: Rest = [(stmts, i + 1), *rest]
            _paths(ctx, s.body, 0, list(before), more, out)
            _paths(ctx, s.orelse, 0, list(before), more, out)
            return
        before = [*before, s]
    if rest:
        _paths(ctx, rest[0][0], rest[0][1], before, rest[1:], out)
    else:
        ctx.problem("PB308", ctx.fn.body[-1] if ctx.fn.body else Return(None), name=ctx.fn.name)


def _forward(
    ctx: Context, stmts: Block, k: int, rest: Rest, paths: list[_Path], plan: Plan, request: Request
) -> list[Stmt]:
    """The forward pass, with each backward pass behind its return; takes paths in the order of `_paths`."""
    out: list[Stmt] = []
    key = ctx.flow.block[id(stmts[0])] if stmts else None
    for i in range(k, len(stmts)):
        s = stmts[i]
        assert key is not None
        out += plan.inserts.get((key, i), [])
        if isinstance(s, Return):
            return [*out, *_ending(ctx, paths.pop(0), plan, request)]
        if _ends(s):
            return [*out, s]
        if isinstance(s, If) and _returns(s):
            more: Rest = [(stmts, i + 1), *rest]
            then = _forward(ctx, s.body, 0, more, paths, plan, request)
            other = _forward(ctx, s.orelse, 0, more, paths, plan, request)
            test = with_temporaries(s, s.test, plan)
            whole = replace(s, test=test, body=tuple(then), verbatim=s.verbatim and test is s.test)
            if s.orelse and isinstance(s.orelse[0], If) and s.orelse[0].is_elif:
                return [*out, replace(whole, orelse=else_of(other))]
            return [*out, replace(whole, orelse=()), *other]
        out += kept(ctx, s, plan)
    if key is not None:
        out += plan.inserts.get((key, len(stmts)), [])
    if rest:
        out += _forward(ctx, rest[0][0], rest[0][1], rest[1:], paths, plan, request)
    return out


# --- the backward pass of one path ---------------------------------------------------------------


def _backward(ctx: Context, slots: Slots, request: Request, seed: str, path: _Path) -> list[Stmt]:
    ctx.out = []
    state = State()
    ret, value = path.ret, path.ret.value
    slots.open = list(
        dict.fromkeys([(0, "body"), *(ctx.flow.block[id(s)] for s in path.statements)])
    )
    if value is None:
        ctx.problem("PB308", ret, name=ctx.fn.name)
        return []
    if request.kind in SCALAR_KINDS:
        _check_scalar(ctx, value, ret)
    to = Gather()
    for e, bar in _seeds(ctx, slots, request, seed, value, path):
        adjoint(ctx, e, bar, ret, to)
    deliver(ctx, slots, state, to, set(), ret)
    block(ctx, slots, state, path.statements, reads(value))
    if ctx.fn.body:
        settle(ctx, state, ctx.fn.body[0])
    results = tuple(_result(ctx, state, w, request) for w in request.wrt)
    whole = results[0] if len(results) == 1 and not request.alone else Tuple(results)
    if request.kind == "value_and_grad":
        whole = Tuple((Name(ctx.namer.fixed("value", "value")), whole))
    ctx.emit(Return(whole, origin=ret.origin, made=True))
    return ctx.out


def _check_scalar(ctx: Context, value: Expr, ret: Return) -> None:
    """Reports a value that is no number, or has the derivative look when it runs."""
    t = ctx.facts.type(value)
    if may_be_complex(t.dtype):
        ctx.problem("PB308", value, name=f"the complex result of {ctx.fn.name}")
        return
    if t.kind == "scalar":
        return
    if t.rank() or isinstance(value, Tuple):
        ctx.problem("PB308", value, name=ctx.fn.name)
        return
    test = Compare(ctx.hole(value, ret, query="ndim"), ("!=",), (Const(0),))
    message = f"{ctx.fn.name} does not return a scalar: use {ctx.fn.name}_vjp"
    ctx.emit(If(test, (Keep("raise", f'raise ValueError("{message}")', made=True),), made=True))


def _seeds(
    ctx: Context, slots: Slots, request: Request, seed: str, value: Expr, path: _Path
) -> list[tuple[Expr, Bar]]:
    if request.kind in SCALAR_KINDS:
        filled = (
            isinstance(value, Name) and value.id in slots.buffers
        )  # no number: an array of none
        return [(value, Bar(Const(1.0), full=not filled))]
    ctx.floats[seed] = True
    if isinstance(value, Tuple):
        items = [Call("operator.getitem", (Name(seed), Const(k))) for k in range(len(value.items))]
        ctx.made[seed] = replace(ctx.facts.of(value), active=False)
        return [(e, _seed(ctx, e, i, request, path)) for e, i in zip(value.items, items)]
    ctx.made[seed] = ctx.facts.of(value)
    return [(value, _seed(ctx, value, Name(seed), request, path))]


def _seed(ctx: Context, e: Expr, given: Expr, request: Request, path: _Path) -> Bar:
    """The cotangent of output `e`: that of a record comes as a record, and is a dict from here on."""
    if request.private or not _holds_records(ctx.facts.type(e)):
        return Bar(given, True, False)
    return Bar(ctx.bind(opened(ctx, given), f"{describe(e)}_bar", path.ret), True, True)


def _holds_records(t: Type) -> bool:
    parts = (*(t.items or ()), *((t.each,) if t.each is not None else ()))
    return t.kind == "record" or any(_holds_records(p) for p in parts)


def _result(ctx: Context, state: State, wrt: str, request: Request) -> Expr:
    first = ctx.fn.body[0]
    t = ctx.facts.first(first, wrt).type
    if is_container(t):
        return _container(ctx, state, wrt, t, request)
    if wrt not in state:
        return zeros_like(ctx, Name(wrt), first, final=True)
    bar = bar_of(ctx, wrt)
    if may_be_real(t) and made_complex(ctx, bar):
        test = Call("numpy.iscomplexobj", (ctx.hole(Name(wrt), first),))
        own = bar if state.owned[wrt] else copied(ctx, bar)
        return IfExp(test, own, real_part(own))
    if made_complex(ctx, bar) and not may_be_complex(
        t.dtype
    ):  # bound to something complex on a path
        return copied(ctx, real_part(bar))
    scalar = t.kind == "scalar"
    if scalar and not is_floating(ctx, bar):  # a sum of whole numbers
        return floated(bar)
    if state.owned[wrt] or scalar:
        return bar
    return copied(ctx, bar)


def _container(ctx: Context, state: State, wrt: str, t: Type, request: Request) -> Expr:
    """The cotangent of a container, in containers like its own; a private derivative leaves it open."""
    first = ctx.fn.body[0]
    bar: Expr = bar_of(ctx, wrt)
    if wrt not in state:
        bar = zeros_like(ctx, Name(wrt), first)
    elif not state.owned[wrt] and not request.private:
        bar = copied(ctx, bar)
    if may_be_real(t):
        bar = fitted(ctx, bar, Name(wrt), first)
    return bar if request.private else finished(ctx, bar, Name(wrt), t, first)


def _ending(ctx: Context, path: _Path, plan: Plan, request: Request) -> list[Stmt]:
    """What stands in place of a return."""
    code = path.code
    body = [s for s in code if not (isinstance(s, Return) and s.made)]
    out: list[Stmt] = []
    if request.kind == "value_and_grad" and path.ret.value is not None:
        value = with_temporaries(path.ret, path.ret.value, plan)
        out.append(
            Assign(
                (Name(ctx.namer.fixed("value", "value")),), value, origin=path.ret.origin, made=True
            )
        )
    checks = [s for s in body if isinstance(s, If) and s.origin is None]
    rest = [s for s in body if not (isinstance(s, If) and s.origin is None)]
    return [
        *out,
        *checks,
        Note("Backward pass"),
        *rest,
        *[s for s in code if isinstance(s, Return)],
    ]
