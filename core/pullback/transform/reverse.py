"""Reverse mode: a function's gradient, value and gradient, or vector-Jacobian product, as a function.

The forward pass is the user's statements, with what must be recorded; each return is followed by the
backward pass of the path that leads to it.

May not know: text, modules, how the result is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..analysis.facts import Facts
from ..analysis.flow import flow_of
from ..analysis.infer import Interpreter
from ..analysis.types import SCALAR
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    ExprStmt,
    For,
    Function,
    If,
    Keep,
    Name,
    Note,
    Param,
    Return,
    Stmt,
    Tuple,
    While,
    rebuild,
    stmt_exprs,
    walk,
)
from ..optimize.liveness import negated
from .buffers import find_buffers
from .context import Bar, Calls, Context, is_hole
from .expressions import adjoint
from .floating import written_out
from .gather import Gather
from .hazards import report_hazards
from .naming import Namer, names_of
from .request import Request, Reversed
from .residuals import Plan, plan_residuals, with_names
from .shaping import materialize, zeros_like
from .slots import Slots, State, bar_of, copied, deliver, settle
from .statements import block

KEPT = ("staticmethod", "classmethod", "final", "no_type_check")  # `override` would not be true
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
    walks: Callable[[Facts], Interpreter],
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
        walks(Facts(fn)),
        walks(facts),
        module=module,
    )
    report_hazards(ctx)
    seed = namer.fresh(f"{fn.name}_bar") if request.kind == "vjp" else ""
    ctx.early_returns = _has_early_return(fn.body)
    slots = Slots(find_buffers(ctx))
    paths: list[_Path] = []
    _paths(ctx, fn.body, 0, [], [], paths)
    for p in paths:
        p.code = _backward(ctx, slots, request, seed, p)
    problems = [*facts.problems.values(), *ctx.problems]
    if problems or request.looking:
        return Reversed(None, tuple(dict.fromkeys(problems)))
    plan = plan_residuals(ctx, _holes_of(p.code for p in paths))
    for p in paths:
        p.code = _filled(p.code, plan)
    _begin_turn_tapes(ctx, plan)
    body = _forward(ctx, fn.body, 0, [], paths[:], plan, request)
    made = _signature(fn, request, seed, tuple(body))
    return Reversed(made, (), tuple(sorted(ctx.helpers)), seed=seed)


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
            test = _with_temporaries(s, s.test, plan)
            whole = replace(s, test=test, body=tuple(then), verbatim=s.verbatim and test is s.test)
            if s.orelse and isinstance(s.orelse[0], If) and s.orelse[0].is_elif:
                return [*out, replace(whole, orelse=_arm(other))]
            return [*out, replace(whole, orelse=()), *other]
        out += _kept(ctx, s, plan)
    if key is not None:
        out += plan.inserts.get((key, len(stmts)), [])
    if rest:
        out += _forward(ctx, rest[0][0], rest[0][1], rest[1:], paths, plan, request)
    return out


def _kept(ctx: Context, s: Stmt, plan: Plan) -> list[Stmt]:
    """A statement of the forward pass, with what is recorded inside it."""
    names = plan.temporaries.get(id(s), {})
    if isinstance(s, (If, For, While)):
        body = _inner(ctx, s.body, (id(s), "body"), plan)
        orelse = _inner(ctx, s.orelse, (id(s), "orelse"), plan)
        new: Stmt = replace(s, body=tuple(body), orelse=_arm(orelse))
        if names and isinstance(new, If):
            new = replace(new, test=_named(new.test, names), verbatim=False)
        if isinstance(s, If) and isinstance(new, If) and s.moved:
            return _moved_back(ctx, s, new, plan)
        return _counted(ctx, s, new)
    if not names:
        return [s]
    if isinstance(s, Assign):
        return [replace(s, value=_named(s.value, names), verbatim=False)]
    if isinstance(s, AugAssign):
        whole = ctx.facts.augmented[id(s)]
        if id(whole) in names:
            return [Assign((s.target,), Name(names[id(whole)]), origin=s.origin)]
        return [replace(s, value=_named(s.value, names), verbatim=False)]
    if isinstance(s, ExprStmt):
        return [replace(s, value=_named(s.value, names), verbatim=False)]
    return [s]


def _arm(stmts: list[Stmt]) -> Block:
    """An else arm; an `elif` that is no longer alone in it becomes an `if`."""
    if len(stmts) < 2:
        return tuple(stmts)
    return tuple(_not_elif(s) for s in stmts)


def _named(e: Expr, names: dict[int, str]) -> Expr:
    return Name(names[id(e)]) if id(e) in names else with_names(e, names)


def _with_temporaries(s: Stmt, e: Expr, plan: Plan) -> Expr:
    names = plan.temporaries.get(id(s), {})
    return _named(e, names) if names else e


def _moved_back(ctx: Context, s: If, new: If, plan: Plan) -> list[Stmt]:
    """The If, and behind it what stands behind it in the user's text."""
    arm: str = "orelse" if s.moved > 0 else "body"
    stmts = s.orelse if s.moved > 0 else s.body
    at = len(stmts) - abs(s.moved)
    key = (id(s), arm)
    inside = _inner(ctx, stmts[:at], key, plan, stop=False)
    behind = _inner(ctx, stmts, key, plan, start=at)
    if arm == "orelse":
        return [replace(new, orelse=_arm(inside)), *(_not_elif(x) for x in behind)]
    return [replace(new, body=tuple(inside)), *behind]


def _not_elif(s: Stmt) -> Stmt:
    return replace(s, is_elif=False) if isinstance(s, If) else s


def _inner(
    ctx: Context, stmts: Block, key: tuple[int, str], plan: Plan, start: int = 0, stop: bool = True
) -> list[Stmt]:
    """A block with what is recorded in it, from statement `start` on; with `stop` also what comes last."""
    out: list[Stmt] = []
    for i, s in enumerate(stmts[start:], start):
        out += plan.inserts.get((key, i), [])
        out += _kept(ctx, s, plan)
    return out + (plan.inserts.get((key, len(stmts)), []) if stop else [])


def _begin_turn_tapes(ctx: Context, plan: Plan) -> None:
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
        _check_scalar(ctx, request, value, ret)
    to = Gather()
    for e, bar in _seeds(ctx, request, seed, value):
        adjoint(ctx, e, bar, ret, to)
    deliver(ctx, slots, state, to, set(), ret)
    from ..ir import reads

    block(ctx, slots, state, path.statements, reads(value))
    if ctx.fn.body:
        settle(ctx, slots, state, ctx.fn.body[0])
    results = tuple(_result(ctx, state, w, request) for w in request.wrt)
    whole = results[0] if len(results) == 1 else Tuple(results)
    if request.kind == "value_and_grad":
        whole = Tuple((Name(ctx.namer.fixed("value", "value")), whole))
    ctx.emit(Return(whole, origin=ret.origin, made=True))
    return ctx.out


def _check_scalar(ctx: Context, request: Request, value: Expr, ret: Return) -> None:
    t = ctx.facts.type(value)
    if t.kind == "scalar":
        return
    if t.rank() or isinstance(value, Tuple):
        ctx.problem("PB308", value, name=ctx.fn.name)
        return
    test = Call("compare", (ctx.hole(value, ret, query="ndim"),))
    message = f"{ctx.fn.name} does not return a scalar: use {ctx.fn.name}_vjp"
    ctx.emit(If(test, (Keep("raise", f'raise ValueError("{message}")', made=True),), made=True))


def _seeds(ctx: Context, request: Request, seed: str, value: Expr) -> list[tuple[Expr, Bar]]:
    if request.kind in SCALAR_KINDS:
        return [(value, Bar(Const(1.0)))]
    ctx.floats[seed] = True
    if isinstance(value, Tuple):
        items = [Call("operator.getitem", (Name(seed), Const(k))) for k in range(len(value.items))]
        ctx.made[seed] = replace(ctx.facts.of(value), active=False)
        return [(e, Bar(i, True, False)) for e, i in zip(value.items, items)]
    ctx.made[seed] = ctx.facts.of(value)
    return [(value, Bar(Name(seed), True, False))]


def _result(ctx: Context, state: State, wrt: str, request: Request) -> Expr:
    first = ctx.fn.body[0]
    if wrt not in state:
        return zeros_like(ctx, Name(wrt), first)
    bar = bar_of(ctx, wrt)
    scalar = ctx.facts.var(first, wrt).type.kind == "scalar"
    if state.owned[wrt] or scalar or request.private:
        return bar
    return copied(ctx, bar)


def _ending(ctx: Context, path: _Path, plan: Plan, request: Request) -> list[Stmt]:
    """What stands in place of a return."""
    code = path.code
    body = [s for s in code if not (isinstance(s, Return) and s.made)]
    out: list[Stmt] = []
    if request.kind == "value_and_grad" and path.ret.value is not None:
        value = _with_temporaries(path.ret, path.ret.value, plan)
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


# --- filling -------------------------------------------------------------------------------------


def _holes_of(codes: object) -> list[str]:
    """The holes in the backward code, in order of first use."""
    found: dict[str, None] = {}

    def look(e: Expr) -> None:
        for n in walk(e):
            if is_hole(n):
                found[n.id] = None  # type: ignore[union-attr]

    def visit(code: object) -> None:
        for s in code:  # type: ignore[attr-defined]
            for e in stmt_exprs(s):
                look(e)
            if isinstance(s, (If, For, While)):
                visit(s.body)
                visit(s.orelse)

    for code in codes:  # type: ignore[attr-defined]
        visit(code)
    return list(found)


def _filled(code: list[Stmt], plan: Plan) -> list[Stmt]:
    out: list[Stmt] = []
    for s in code:
        if isinstance(s, Note) and s.text.startswith("\0"):
            owner, _, arm = s.text[1:].partition(":")
            out += plan.restores.get((int(owner), arm), [])
        else:
            out.append(_filled_statement(s, plan))
    return out


def _filled_statement(s: Stmt, plan: Plan) -> Stmt:
    def value(e: Expr) -> Expr:
        if is_hole(e):
            return plan.filled[e.id]  # type: ignore[union-attr]
        return rebuild(e, value)

    def full(e: Expr) -> Expr:
        return written_out(value(e))

    if isinstance(s, Assign):
        return replace(s, targets=tuple(value(t) for t in s.targets), value=full(s.value))
    if isinstance(s, AugAssign):
        return replace(s, target=value(s.target), value=full(s.value))
    if isinstance(s, ExprStmt):
        return replace(s, value=full(s.value))
    if isinstance(s, Return) and s.value is not None:
        return replace(s, value=full(s.value))
    if isinstance(s, If):
        test = value(s.test)
        if isinstance(test, Call) and test.fn == "operator.not_":
            test = negated(test.args[0])
        if isinstance(test, Call) and test.fn == "compare":
            from ..ir import Compare

            test = Compare(test.args[0], ("!=",), (Const(0),))
        return replace(
            s,
            test=test,
            body=tuple(_filled(list(s.body), plan)),
            orelse=tuple(_filled(list(s.orelse), plan)),
        )
    if isinstance(s, For):
        return replace(s, iter=full(s.iter), body=tuple(_filled(list(s.body), plan)))
    return s


# --- the function --------------------------------------------------------------------------------


def _signature(fn: Function, request: Request, seed: str, body: Block) -> Function:
    params = fn.params
    if request.kind == "vjp":
        params = tuple(replace(p, default=None, default_value=None) for p in params)
        only = any(p.kind in ("keyword-only", "var-positional") for p in params)
        new = Param(seed, "keyword-only" if only else "plain")
        at = next((i for i, p in enumerate(params) if p.kind == "var-keyword"), len(params))
        params = (*params[:at], new, *params[at:])
    decorators = tuple(d for d in fn.decorators if d.lstrip("@").rpartition(".")[2] in KEPT)
    owner, dot, _ = fn.qualname.rpartition(".")
    return replace(
        fn,
        name=request.name,
        qualname=f"{owner}{dot}{request.name}",
        params=params,
        body=tuple(_distinct(s) for s in body),
        decorators=decorators,
        returns=None,
        docstring=describe(fn, request),
        pragmas=(),
    )


def _distinct(s: Stmt) -> Stmt:
    """A copy: paths share statements, and later passes tell statements apart by identity."""
    if isinstance(s, (If, For, While)):
        body, orelse = (tuple(_distinct(x) for x in b) for b in (s.body, s.orelse))
        return replace(s, body=body, orelse=orelse)
    return replace(s)


def describe(fn: Function, request: Request) -> str:
    """The docstring of a derivative: one line."""
    names = _listed(request.wrt)
    if request.kind == "grad":
        return f"Gradient of {fn.name} with respect to {names}."
    if request.kind == "value_and_grad":
        return f"Value of {fn.name} and its gradient with respect to {names}."
    return f"Vector-Jacobian product of {fn.name} with respect to {names}."


def _listed(names: tuple[str, ...]) -> str:
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]


__all__ = ["SCALAR", "materialize", "reverse"]
