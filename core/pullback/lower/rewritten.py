"""Statements that lowering writes as others: `match` on constants, `with` around what it leaves alone.

    match m:                      if m == "a":
        case "a": …        ->         …
        case _: …                 else:
                                      …

    with np.errstate(…):   ->    the statements inside, between two Keeps: "with" and "end with"

What has no such form is for others to lower.

May not know: rules, types, activity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import gast

from .. import ir
from ..ir import Span
from .expressions import Context, lower, names_in

Lower = Callable[[Sequence[Any], Context], ir.Block]
# None holds always; the name is the one that the subject is given, or ""
Condition = tuple[ir.Expr | None, str]

# contexts that leave data alone, and let exceptions through
_HARMLESS = frozenset(
    {
        "numpy.errstate", "numpy.printoptions", "warnings.catch_warnings", "contextlib.nullcontext",
        "contextlib.redirect_stdout", "contextlib.redirect_stderr", "builtins.open",
    }
)  # fmt: skip


def rewritten(node: Any, cx: Context, block: Lower) -> ir.Block | None:
    """The statements that `node` is written as; None where it has no other form."""
    if isinstance(node, gast.Match):
        return _match(node, cx, block)
    if isinstance(node, gast.With):
        return _with(node, cx, block)
    return None


# --- match ---------------------------------------------------------------------------------------


def _match(node: Any, cx: Context, block: Lower) -> ir.Block | None:
    named = isinstance(node.subject, gast.Name)
    held = ir.Name(node.subject.id if named else cx.free("subject"))
    rest: ir.Block = ()
    for case in reversed(node.cases):
        made = _case(case, held, rest, cx, block)
        if made is None:
            return None
        rest = made
    if rest and isinstance(rest[0], ir.If):
        rest = (replace(rest[0], origin=cx.span(node), is_elif=False), *rest[1:])
    if named:
        return rest
    return (ir.Assign((held,), lower(node.subject, cx), cx.span(node.subject)), *rest)


def _case(
    case: Any, subject: ir.Name, rest: ir.Block, cx: Context, block: Lower
) -> ir.Block | None:
    """`case`, and the cases behind it in the other arm."""
    found = _condition(case.pattern, subject, cx)
    if found is None:
        return None
    test, name = found
    guard = None if case.guard is None else lower(case.guard, cx)
    span = Span(cx.span(case.pattern).start, cx.span(case.body[-1]).end)
    bind: ir.Block = (ir.Assign((ir.Name(name),), replace(subject), span),) if name else ()
    body = block(case.body, cx)
    if bind and guard is not None:
        return None if test is not None else (*bind, *_arms(guard, body, rest, span))
    parts = tuple(p for p in (test, guard) if p is not None)
    if not parts:
        return (*bind, *body)
    both = parts[0] if len(parts) == 1 else ir.BoolOp("and", parts)
    return _arms(both, (*bind, *body), rest, span)


def _arms(test: ir.Expr, body: ir.Block, rest: ir.Block, span: Span) -> ir.Block:
    if len(rest) == 1 and isinstance(rest[0], ir.If):
        rest = (replace(rest[0], is_elif=True),)
    return (ir.If(test, body, rest, origin=span),)


def _condition(pattern: Any, subject: ir.Name, cx: Context) -> Condition | None:
    """When a pattern fits, and the name that it gives; None for patterns that take the subject apart."""
    if isinstance(pattern, gast.MatchValue):
        return ir.Compare(replace(subject), ("==",), (lower(pattern.value, cx),)), ""
    if isinstance(pattern, gast.MatchSingleton):
        return ir.Compare(replace(subject), ("is",), (ir.Const(pattern.value),)), ""
    if isinstance(pattern, gast.MatchAs):
        if pattern.pattern is None:
            return None, pattern.name or ""
        found = _condition(pattern.pattern, subject, cx)
        return None if found is None or found[1] else (found[0], pattern.name or "")
    if isinstance(pattern, gast.MatchOr):
        parts = [_condition(p, subject, cx) for p in pattern.patterns]
        tests = tuple(p[0] for p in parts if p is not None and p[0] is not None and not p[1])
        return (ir.BoolOp("or", tests), "") if len(tests) == len(parts) else None
    return None


# --- with ----------------------------------------------------------------------------------------


def _with(node: Any, cx: Context, block: Lower) -> ir.Block | None:
    contexts = [lower(i.context_expr, cx) for i in node.items]
    names = [i.optional_vars for i in node.items]
    if not all(isinstance(c, ir.Call) and c.fn in _HARMLESS for c in contexts):
        return None
    if not all(n is None or isinstance(n, gast.Name) for n in names):
        return None
    items = [
        cx.source(i.context_expr) + (f" as {n.id}" if n is not None else "")
        for i, n in zip(node.items, names)
    ]
    reads = tuple(dict.fromkeys(r for i in node.items for r in names_in(i.context_expr, cx)[0]))
    writes = tuple(n.id for n in names if n is not None)
    start, last = cx.span(node).start, names[-1] or node.items[-1].context_expr
    colon = cx.parsed.text.index(":", cx.span(last).end - cx.start)
    header = Span(start, cx.start + colon + 1)
    begin = ir.Keep("with", f"with {', '.join(items)}:", reads, writes, header)
    return (begin, *block(node.body, cx), ir.Keep("end with", ""))
