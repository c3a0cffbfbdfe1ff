"""Forward mode: a function that gives its value and the tangent of it, for tangents of its parameters.

Each statement that computes something active is joined by one that computes its tangent, before it where
it reads what the statement changes, behind it where it reads what the statement made. Control flow stays
as it is.

    r = np.sin(x) - y      ->      r_dot = np.cos(x) * x_dot
                                   r = np.sin(x) - y

May not know: text, modules, how the result is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..analysis.evaluate import Evaluator
from ..analysis.facts import Facts, Problem
from ..analysis.flow import flow_of
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
    Insert,
    Keep,
    Name,
    Return,
    Stmt,
    Tuple,
    While,
    bound,
    map_blocks,
)
from ..optimize.build import ADD, is_zero
from ..optimize.simplify import simplify
from .context import Calls, Context
from .hazards import report_left_out
from .naming import Namer, names_of
from .narrow import narrow_names
from .plan import with_names
from .request import Request, Reversed
from .signature import signed
from .tangent_containers import seeds_opened
from .tangent_holes import filled
from .tangent_loops import with_tangents
from .tangent_memory import report_unclear_views
from .tangent_returns import returned
from .tangent_state import Tangents, Traits, active_memory, values, zero
from .tangent_stores import assigned, augmented, called


def forward(
    fn: Function,
    facts: Facts,
    request: Request,
    calls: Calls,
    taken: set[str],
    evaluator: Callable[[Facts, str], Evaluator],
    module: str = "",
) -> Reversed:
    """The jvp of `fn`; `calls` answers for the workspace functions that it calls."""
    traits = Traits()
    while True:  # what a tangent is depends on those that it is made of, round a loop too
        namer = Namer(names_of(fn) | taken | {request.name})
        made, primal = evaluator(Facts(fn), "made"), evaluator(facts, "primal")
        flow = flow_of(fn, facts)
        ctx = Context(fn, facts, flow, namer, calls, made, primal, module=module)
        ctx.narrow |= narrow_names(facts)
        t = _begun(ctx, request, traits)
        seeds = tuple(t.name(w) for w in request.wrt)
        opened = [] if request.private else seeds_opened(t, request.wrt)
        body = (*opened, *_on_entry(t, request), *_block(t, fn.body))
        if t.traits() == t.known:
            break
        traits = t.traits()
    report_left_out(ctx)
    report_unclear_views(t)
    if not request.private and _may_end(fn.body):
        ctx.problem("PB308", fn.body[-1] if fn.body else Return(None), name=fn.name)
    found = [p for p in facts.problems.values() if not _no_obstacle(p)]
    problems: list[Problem] = [*found, *ctx.problems]
    if problems or request.looking:
        return Reversed(None, tuple(dict.fromkeys(problems)))
    return Reversed(
        signed(fn, request, seeds, body),
        (),
        tuple(sorted(ctx.helpers)),
        narrow=frozenset(ctx.narrow),
    )


def _no_obstacle(p: Problem) -> bool:
    """What only reverse mode cannot do: a tangent is bound, written and put where its primal is."""
    name = str(dict(p.values).get("name", ""))
    return p.code == "PB204" or (p.code in ("PB301", "PB302") and name.endswith("add.at"))


def _begun(ctx: Context, request: Request, traits: Traits) -> Tangents:
    memory = active_memory(ctx.facts)
    written = ctx.facts.touching(frozenset(o for objs in ctx.facts.mutated.values() for o in objs))
    lent = frozenset(request.wrt) - _copied(ctx.fn)
    known = Traits(traits.thin, traits.steep, traits.lent | lent)
    t = Tangents(ctx, memory, written, frozenset(), known, request.private, request.kind == "hvp")
    t.named = frozenset(n for n, v in values(ctx.facts) if t.holds(v)) | set(request.wrt)
    t.whole = frozenset(n for n, v in values(ctx.facts) if v.objs & written)
    return t


def _copied(fn: Function) -> frozenset[str]:
    """The parameters that the function copies before all else, since it writes them."""
    out: set[str] = set()
    for s in fn.body:
        if not (isinstance(s, Assign) and s.made and isinstance(s.targets[0], Name)):
            break
        out.add(s.targets[0].id)
    return frozenset(out)


def _on_entry(t: Tangents, request: Request) -> list[Stmt]:
    """Tangents of the parameters that begin as constants and become active."""
    out: list[Stmt] = []
    for p in t.ctx.fn.params:
        if p.name in t.named and p.name not in request.wrt:
            still = zero(t, t.entry(p.name).type, Name(p.name))
            out.append(Assign((Name(t.name(p.name)),), still, made=True))
    return out


def _may_end(block: Block) -> bool:
    """Whether a function of this body may end without a return."""
    run = [s for s in block if not (isinstance(s, Keep) and s.kind == "end with")]
    if not run:
        return True
    last = run[-1]
    if isinstance(last, If):
        return _may_end(last.body) or _may_end(last.orelse)
    if isinstance(last, While) and last.test in (Const(True), Const(1)):
        return False
    return not (isinstance(last, Return) or (isinstance(last, Keep) and last.kind == "raise"))


# --- statements ------------------------------------------------------------------------------------


def _block(t: Tangents, block: Block) -> Block:
    return tuple(x for s in block for x in _statement(t, s))


def _statement(t: Tangents, s: Stmt) -> list[Stmt]:
    """A statement with its tangent."""
    t.begin(s)
    if isinstance(s, Assign):
        return _joined(t, s, *assigned(t, s))
    if isinstance(s, AugAssign):
        return _joined(t, s, *augmented(t, s))
    if isinstance(s, ExprStmt):
        return _joined(t, s, *called(t, s))
    if isinstance(s, Return):
        return _joined(t, None, returned(t, s), [])
    if isinstance(s, For):
        return _loop(t, s)
    if isinstance(s, Insert):
        why = "forward mode has no backward pass to put it into"
        t.ctx.problem("PB112", s, word="insert", detail=why)
        return []
    return [map_blocks(s, lambda b: _block(t, b))]


def _joined(
    t: Tangents, s: Assign | AugAssign | ExprStmt | None, before: list[Stmt], after: list[Stmt]
) -> list[Stmt]:
    """Tangent statements around the statement, holes filled; temporaries in front of all."""
    before = [_whole(t, x) for x in before]
    after = [_whole(t, x, _holder(s)) for x in after]
    own: list[Stmt] = []
    if t.instead is not None:
        own = [_whole(t, t.instead)]
    elif s is not None:
        value = Name(t.held[id(s.value)]) if id(s.value) in t.held else with_names(s.value, t.held)
        own = [s if value is s.value else replace(s, value=value, verbatim=False)]
    return [*t.early, *before, *own, *after]


def _holder(s: Stmt | None) -> str | None:
    """The variable that gets the value of a statement."""
    target = s.targets[0] if isinstance(s, Assign) else getattr(s, "target", None)
    return target.id if isinstance(target, Name) else None


def _whole(t: Tangents, s: Stmt, after: str | None = None) -> Stmt:
    """A tangent statement with its primal values in place."""
    if isinstance(s, Assign):
        targets = tuple(filled(t, x) for x in s.targets)
        value = filled(t, s.value, after)
        return replace(s, targets=targets, value=_tidied(t, value) if s.made else value)
    if isinstance(s, AugAssign):
        return replace(s, target=filled(t, s.target), value=_tidied(t, filled(t, s.value)))
    if isinstance(s, ExprStmt):
        return replace(s, value=filled(t, s.value))
    if isinstance(s, Return) and s.value is not None:
        return replace(s, value=filled(t, s.value))
    return s


def _tidied(t: Tangents, e: Expr) -> Expr:
    """A tangent simplified, now that it is whole; a zero that must float stays as it is."""
    if isinstance(e, Tuple):
        return replace(e, items=tuple(_tidied(t, i) for i in e.items))
    stays = isinstance(e, Call) and e.fn == ADD and is_zero(e.args[1])
    return e if stays else simplify(e, narrow=t.ctx.narrow)


def _loop(t: Tangents, s: For) -> list[Stmt]:
    """A loop over an array and its tangent side by side, if what it gives is active."""
    header = with_tangents(t, s)
    early = list(t.early)
    body = _block(t, s.body)
    orelse = _block(t, s.orelse)
    target, it = header if header is not None else (s.target, s.iter)
    moving = bound(target)
    still = [
        Assign((Name(t.name(n)),), zero(t, v.type, Name(n)), origin=s.origin, made=True)
        for n in sorted(bound(s.target) & t.named)
        if t.name(n) not in moving
        if (v := t.ctx.facts.bound.get((id(s), n))) is not None
    ]
    verbatim = s.verbatim and header is None
    new = replace(s, target=target, iter=it, body=(*still, *body), orelse=orelse, verbatim=verbatim)
    return [*early, new]
