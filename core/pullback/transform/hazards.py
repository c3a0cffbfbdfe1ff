"""What the language of Pullback leaves out, reported where active values meet it.

May not know: how anything is reversed.
"""

from __future__ import annotations

import re

from ..analysis.facts import Problem
from ..ir import Barrier, Span
from .context import Context
from .statements import report_barrier

_NONLOCAL = re.compile(r"^[ \t]*(nonlocal|global)\b.*$", re.M)


def report_left_out(ctx: Context) -> None:
    """Adds a problem to the context for each that stands in the way, be it of forward or of reverse mode."""
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
    if active or s.kind in ("global", "nonlocal") or _leaves(ctx, s):
        report_barrier(ctx, s)


def _leaves(ctx: Context, s: Barrier) -> bool:
    """Whether `s` may end the function, or the turn that it is in: what stands behind it may not run."""
    words = "return|break|continue" if ctx.flow.loops(s) else "return"
    return s.kind not in ("def", "class") and bool(re.search(rf"\b({words})\b", s.text))
