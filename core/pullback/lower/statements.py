"""gast statements -> ir statements.

Statements that compute nothing are kept as text; constructs outside of Pullback's language become
barriers that say what they read and write. Every statement remembers its whole span.

May not know: rules, types, activity.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from .. import ir
from ..ir import Span
from ..ir.marks import INSERT
from .expressions import Context, lower, lower_all, names_in, operator_name
from .named import with_names_before
from .rewritten import rewritten

_BARRIERS = {
    "Try": "try", "TryStar": "try", "With": "with", "FunctionDef": "def", "ClassDef": "class",
    "Global": "global", "Nonlocal": "nonlocal", "Match": "match", "AsyncFunctionDef": "async def",
    "AsyncFor": "async for", "AsyncWith": "async with", "TypeAlias": "type", "Delete": "del",
}  # fmt: skip
_KEEPS = {
    "Pass": "pass", "Break": "break", "Continue": "continue", "Assert": "assert", "Raise": "raise",
    "Import": "import", "ImportFrom": "import", "Delete": "del",
}  # fmt: skip
# methods that change their receiver: a print that calls one is not harmless
_CHANGE = """append extend insert pop popitem remove clear update add discard setdefault sort reverse fill put
    partition resize itemset setfield setflags write send"""
_CHANGING = frozenset(_CHANGE.split())
_HARMLESS = ("numpy.", "math.", "builtins.", "operator.", "attr.", "method.")
_WORD = re.compile(r"\w+")


def lower_block(nodes: Sequence[Any], cx: Context) -> ir.Block:
    out: list[ir.Stmt] = []
    for n in nodes:
        made = rewritten(n, cx, lower_block)
        if made is None:
            made = with_names_before(lower_statement(n, cx), n, cx)
        out += (barrier(n, cx, ":="),) if made is None else made
    return tuple(out)


def lower_statement(node: Any, cx: Context) -> ir.Stmt:
    """The ir of one gast statement, nested statements included."""
    handler = _LOWER.get(type(node).__name__, barrier)
    made: ir.Stmt = handler(node, cx)
    return made


def barrier(node: Any, cx: Context, kind: str | None = None) -> ir.Stmt:
    span = cx.span(node)
    reads, writes = names_in(node, cx)
    name = type(node).__name__
    kind = kind or _BARRIERS.get(name, name.lower())
    start = _after_decorators(node, span, cx)
    whole = Span(start, span.end)
    return ir.Barrier(
        kind, cx.text(whole), reads, writes, _keyword(span.start, kind, cx), whole, True
    )


def _after_decorators(node: Any, span: Span, cx: Context) -> int:
    """Where the statement starts, decorators included (a tree's position is that of `def`)."""
    decorators = getattr(node, "decorator_list", None)
    if not decorators:
        return span.start
    first = cx.span(decorators[0]).start - cx.start
    return cx.start + max(cx.parsed.text.rfind("@", 0, first), 0)


def _keyword(start: int, kind: str, cx: Context) -> Span:
    text = cx.parsed.text
    at = end = start - cx.start
    for _ in kind.split():
        found = _WORD.search(text, end)
        end = found.end() if found else end + 1
    return Span(cx.start + at, cx.start + end)


def keep(node: Any, cx: Context, kind: str | None = None) -> ir.Keep:
    span = cx.span(node)
    reads, writes = names_in(node, cx)
    return ir.Keep(kind or _KEEPS[type(node).__name__], cx.text(span), reads, writes, span, True)


def _assign(node: Any, cx: Context) -> ir.Stmt:
    value = lower(node.value, cx)
    return ir.Assign(lower_all(node.targets, cx), value, cx.span(node), True)


def _annotated(node: Any, cx: Context) -> ir.Stmt:
    if node.value is None:
        return ir.Keep("annotation", cx.source(node), (), (), cx.span(node), True)
    value = lower(node.value, cx)
    return ir.Assign((lower(node.target, cx),), value, cx.span(node), True)


def _augmented(node: Any, cx: Context) -> ir.Stmt:
    target, value = lower(node.target, cx), lower(node.value, cx)
    return ir.AugAssign(target, operator_name(node.op), value, cx.span(node), True)


def _expression(node: Any, cx: Context) -> ir.Stmt:
    if isinstance(node.value, gast.Constant):
        text = isinstance(node.value.value, str)
        return keep(node, cx, "docstring" if text else "constant")
    value = lower(node.value, cx)
    prints = isinstance(value, ir.Call) and value.fn == "builtins.print" and _harmless(value)
    if prints and not cx.inserted:
        return keep(node, cx, "print")
    return ir.ExprStmt(value, cx.span(node), True)


def _harmless(call: ir.Call) -> bool:
    """Whether evaluating the arguments of a print can change nothing."""
    below = (n for part in ir.children(call) for n in ir.walk(part))
    return all(_changes_nothing(n) for n in below)


def _changes_nothing(e: ir.Expr) -> bool:
    if isinstance(e, ir.Opaque):
        return not e.writes and e.kind in ("f-string", "set", "lambda")
    if not isinstance(e, ir.Call):
        return True
    known = e.fn.startswith(_HARMLESS) and e.fn.rpartition(".")[2] not in _CHANGING
    return known and all(k != "out" for k, _ in e.kwargs)


def _return(node: Any, cx: Context) -> ir.Stmt:
    value = None if node.value is None else lower(node.value, cx)
    return ir.Return(value, cx.span(node), True)


def _if(node: Any, cx: Context) -> ir.Stmt:
    span = cx.span(node)
    test = lower(node.test, cx)
    body, orelse = lower_block(node.body, cx), lower_block(node.orelse, cx)
    return ir.If(test, body, orelse, _is_elif(span, cx), span, True)


def _is_elif(span: Span, cx: Context) -> bool:
    return cx.parsed.text.startswith("elif", span.start - cx.start)


def _for(node: Any, cx: Context) -> ir.Stmt:
    iterated = lower(node.iter, cx)
    target = lower(node.target, cx)
    if isinstance(iterated, ir.Call) and iterated.fn == INSERT and isinstance(target, ir.Name):
        return _insert(node, iterated, target.id, cx)
    body, orelse = lower_block(node.body, cx), lower_block(node.orelse, cx)
    return ir.For(target, iterated, body, orelse, cx.span(node), True)


def _insert(node: Any, over: ir.Call, bar: str, cx: Context) -> ir.Stmt:
    """`for x_bar in pullback.insert_grad_of(x):`, a loop of no turns."""
    name = over.args[0] if len(over.args) == 1 and not over.kwargs else None
    if not isinstance(name, ir.Name) or node.orelse:
        return barrier(node, cx)
    return inserted(name, bar, lower_block(node.body, replace(cx, inserted=True)), cx.span(node))


def inserted(name: ir.Name, bar: str, body: ir.Block, at: Span) -> ir.Insert:
    """Code for the backward pass, with the variables of the function that it reads."""
    own = {bar}.union(*(names_bound(s) for s in ir.statements(body)))
    read = dict.fromkeys(n for s in ir.statements(body) for n in names_read(s) if n not in own)
    return ir.Insert(name, bar, body, tuple(ir.Name(n) for n in read), at)


def names_read(s: ir.Stmt) -> list[str]:
    """The variables that a statement itself reads, in order."""
    kept = s.reads if isinstance(s, (ir.Keep, ir.Barrier)) else ()
    return [*kept, *(n for e in ir.stmt_exprs(s) for n in sorted(ir.reads(e)))]


def names_bound(s: ir.Stmt) -> set[str]:
    """The variables that a statement itself binds."""
    if isinstance(s, (ir.Keep, ir.Barrier)):
        return set(s.writes)
    targets = (
        s.targets if isinstance(s, ir.Assign) else (s.target,) if isinstance(s, ir.For) else ()
    )
    return {n for t in targets for n in ir.bound(t)}


def _while(node: Any, cx: Context) -> ir.Stmt:
    test = lower(node.test, cx)
    body, orelse = lower_block(node.body, cx), lower_block(node.orelse, cx)
    return ir.While(test, body, orelse, cx.span(node), True)


def _delete(node: Any, cx: Context) -> ir.Stmt:
    if all(isinstance(t, gast.Name) for t in node.targets):
        return keep(node, cx)
    return barrier(node, cx)  # takes an element out of a container


_LOWER: dict[str, Any] = {
    "Assign": _assign, "AnnAssign": _annotated, "AugAssign": _augmented, "Expr": _expression,
    "Return": _return, "If": _if, "For": _for, "While": _while, "Delete": _delete,
    "Pass": keep, "Break": keep, "Continue": keep, "Assert": keep, "Raise": keep,
    "Import": keep, "ImportFrom": keep,
}  # fmt: skip
