"""What the language of Pullback leaves out, reported where active values meet it.

May not know: how anything is reversed.
"""

from __future__ import annotations

import re

from ..analysis.facts import Problem
from ..analysis.flow import bindings
from ..ir import Barrier, For, If, Keep, Return, Span, Stmt, While, statements
from .context import Context
from .exits import is_nested
from .statements import report_barrier

_NONLOCAL = re.compile(r"^[ \t]*(nonlocal|global)\b.*$", re.M)


def report_hazards(ctx: Context) -> None:
    """Adds a problem for each to the context."""
    report_left_out(ctx)
    for s in ctx.flow.stmts.values():
        if isinstance(s, (For, While)):
            _loop(ctx, s)


def report_left_out(ctx: Context) -> None:
    """Those that stand in the way of any derivative, be it forward or reverse."""
    for p in ctx.fn.params:
        if p.kind.startswith("var-") and _ever_active(ctx, {p.name}):
            ctx.problems.append(
                Problem("PB113", p.origin or _here(ctx), (("name", p.name),), ctx.module)
            )
    for s in ctx.flow.stmts.values():
        if isinstance(s, Barrier):
            _barrier(ctx, s)


def _here(ctx: Context) -> Span:
    return ctx.fn.name_span or Span(0, 0)


def _ever_active(ctx: Context, names: set[str]) -> bool:
    envs = [*ctx.facts.before.values()]
    if any(v.active for env in envs for n, v in env.items() if n in names):
        return True
    return any(v.active for (_, n), v in ctx.facts.bound.items() if n in names)


def _barrier(ctx: Context, s: Barrier) -> None:
    found = _NONLOCAL.search(s.text) if s.kind in ("def", "class", "try", "with", "match") else None
    if found is not None and s.origin is not None:
        start = s.origin.start + found.start() + (len(found[0]) - len(found[0].lstrip()))
        span = Span(start, s.origin.start + found.end())
        name = found[0].split()[1].rstrip(",")
        ctx.problems.append(
            Problem("PB105", span, (("name", name), ("construct", found[1])), ctx.module)
        )
        return
    active = any(ctx.facts.var(s, n).active for n in s.reads) or _ever_active(ctx, set(s.writes))
    if (
        active
        or s.kind in ("global", "nonlocal")
        or (re.search(r"\breturn\b", s.text) and s.kind not in ("def", "class"))
    ):
        report_barrier(ctx, s)


def _loop(ctx: Context, s: For | While) -> None:
    inner = list(statements(s.body))
    for x in inner:
        if isinstance(x, Return):
            ctx.problem("PB112", x, construct="return", name="return")
    if not _changes_active(ctx, inner) or (is_nested(s.body) and not s.orelse):
        return
    for x in _own(s):
        if isinstance(x, Keep) and x.kind in ("break", "continue"):
            ctx.problem("PB112", x, construct=x.kind, name=x.kind)


def _own(s: For | While) -> list[Stmt]:
    """The statements of a loop's own turns, inner loops left out."""
    out: list[Stmt] = []
    todo = list(s.body)
    while todo:
        x = todo.pop(0)
        out.append(x)
        if isinstance(x, If):
            todo = [*x.body, *x.orelse, *todo]
        elif isinstance(x, (For, While)):
            todo = [*x.orelse, *todo]
    return out


def _changes_active(ctx: Context, inner: list[Stmt]) -> bool:
    for x in inner:
        names = bindings(x)
        if any(
            ctx.facts.bound.get((id(x), n)) is not None and ctx.facts.bound[(id(x), n)].active
            for n in names
        ):
            return True
        objs = ctx.facts.mutated.get(id(x))
        env = ctx.facts.before.get(id(x), {})
        if objs and any(v.active and v.objs & objs for v in env.values()):
            return True
        if isinstance(x, (Barrier,)):
            return True
    return False
