"""`:=` inside the expressions of a statement becomes an assignment before it.

    if (z := y * y) > 0.0:            z = y * y
        …                      ->     if z > 0.0:
                                          …

    while (y := f(n)) > e:            y = f(n)
        n += 1                 ->     while y > e:
                                          n += 1
                                          y = f(n)

An operand that may be left out is computed under an `if`. What stands to the left of an assignment was computed
before it: where the assignment could change it, a variable holds it. Where that has no such form (a `:=` in one
of several targets, in the key of a display, in what is printed) the statement is a barrier.

May not know: rules, types, activity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from .. import ir
from ..ir import Span
from .expressions import Context, lower

_LOOPS = (gast.For, gast.While)
_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
_PARTED = (ir.Tuple, ir.Dict, ir.Slice, ir.Star)  # they hold values, and are none where they stand
_PLAIN = ("operator.", "attr.", "math.")  # of these a call writes nothing and draws nothing


def with_names_before(s: ir.Stmt, node: Any, cx: Context) -> ir.Block | None:
    """`s`, the ir of gast statement `node`, behind the assignments that its own expressions make.

    None where they cannot stand before it.
    """
    if ":=" not in cx.parsed.text:
        return (s,)
    nodes = {cx.span(n): n for e in _own_expressions(node) for n in gast.walk(e) if _is_named(n)}
    taken = _Taken(cx, nodes, cx.span(node))
    if not any(map(taken.named, ir.stmt_exprs(s))):
        return (s,)
    block = _before_turns(s, node, taken) if isinstance(s, ir.While) else _before(s, taken)
    left = (e for x in ir.statements(block) for e in ir.stmt_exprs(x))
    return None if any(map(taken.named, left)) or _prints(block[-1]) else block


def _prints(s: ir.Stmt) -> bool:
    """Whether `s` prints: the text of that stays as it is."""
    call = s.value if isinstance(s, ir.ExprStmt) else None
    return isinstance(call, ir.Call) and call.fn == "builtins.print"


def _own_expressions(node: Any) -> Iterator[Any]:
    return (c for c in gast.iter_child_nodes(node) if isinstance(c, gast.expr))


def _is_named(node: Any) -> bool:
    return isinstance(node, gast.NamedExpr) and isinstance(node.target, gast.Name)


def _before(s: ir.Stmt, taken: _Taken) -> ir.Block:
    """The assignments in `s`, then `s` without them; what cannot be taken out stays in it."""
    new: ir.Stmt = s
    if isinstance(s, ir.If):
        new = replace(s, test=taken.expr(s.test), is_elif=False)
    elif isinstance(s, ir.For):
        new = replace(s, iter=taken.expr(s.iter))
    elif isinstance(s, ir.Assign) and len(s.targets) == 1:
        value, target = taken.in_order(s.value, s.targets[0])
        new = replace(s, value=value, targets=(target,))
    elif isinstance(s, ir.AugAssign):
        target = taken.expr(s.target)
        before = len(taken.out)
        value = taken.expr(s.value)
        if _same(target, taken.out[before:]):
            new = replace(s, target=target, value=value)
    elif isinstance(s, (ir.ExprStmt, ir.Return)) and s.value is not None:
        new = replace(s, value=taken.expr(s.value))
    if isinstance(new, ir.ExprStmt) and isinstance(new.value, ir.Name):
        return (*taken.out[:-1], replace(taken.out[-1], made=False))
    return (*taken.out, replace(new, verbatim=False))


# --- while ---------------------------------------------------------------------------------------


def _before_turns(s: ir.While, node: Any, taken: _Taken) -> ir.Block:
    """A loop whose test's assignments are made before it, and again where a turn ends."""
    if _continues(node.body) != _kept_continues(s.body):
        return (s,)
    test = taken.expr(s.test)
    body = _with_ends(s.body, tuple(taken.out))
    if not _leaves(body[-1]):
        body = (*body, *map(_copy, taken.out))
    return (*taken.out, replace(s, test=test, body=body, verbatim=False))


def _continues(body: Sequence[Any]) -> int:
    """How many statements in gast statements `body` end the turn of the loop around them."""
    count = 0
    for node in body:
        if isinstance(node, _SCOPES):
            continue
        if isinstance(node, gast.Continue):
            count += 1
        below = node.orelse if isinstance(node, _LOOPS) else gast.iter_child_nodes(node)
        count += _continues(list(below))
    return count


def _kept_continues(block: ir.Block) -> int:
    return sum(isinstance(s, ir.Keep) and s.kind == "continue" for s in _of_turn(block))


def _of_turn(block: ir.Block) -> Iterator[ir.Stmt]:
    """The statements of a turn, those of the loops in it left out."""
    for s in block:
        yield s
        if isinstance(s, ir.If):
            yield from _of_turn(s.body)
        if isinstance(s, (ir.If, ir.For, ir.While)):
            yield from _of_turn(s.orelse)


def _with_ends(block: ir.Block, again: ir.Block) -> ir.Block:
    """`block` with a copy of `again` before each `continue` of this loop."""
    out: list[ir.Stmt] = []
    for s in block:
        if isinstance(s, ir.Keep) and s.kind == "continue":
            out += map(_copy, again)
        elif isinstance(s, ir.If):
            orelse = ir.else_of(_with_ends(s.orelse, again))
            s = replace(s, body=_with_ends(s.body, again), orelse=orelse)
        elif isinstance(s, (ir.For, ir.While)):
            s = replace(s, orelse=_with_ends(s.orelse, again))
        out.append(s)
    return tuple(out)


def _leaves(s: ir.Stmt) -> bool:
    return isinstance(s, ir.Return) or (
        isinstance(s, ir.Keep) and s.kind in ("break", "continue", "raise")
    )


def _copy(s: ir.Stmt) -> ir.Stmt:
    return ir.map_statement(s, ir.duplicate, _copy)


# --- expressions ---------------------------------------------------------------------------------


@dataclass
class _Taken:
    """The assignments taken out of one expression so far, in their order.

    `nodes` are the statement's `:=` by their spans.
    """

    cx: Context
    nodes: dict[Span, Any]
    origin: Span
    out: list[ir.Stmt] = field(default_factory=list)

    def expr(self, e: ir.Expr) -> ir.Expr:
        """`e` with a variable for each `:=` in it."""
        if isinstance(e, ir.Opaque) and e.origin in self.nodes:
            node = self.nodes[e.origin]
            self._bind(ir.Name(node.target.id), self.expr(lower(node.value, self.cx)))
            return ir.Name(node.target.id, e.origin)
        if not self.named(e) or (isinstance(e, ir.Call) and e.fn == "?"):
            return e
        if isinstance(e, ir.BoolOp) and any(map(self.named, e.values[1:])):
            return self._bool(e)
        if isinstance(e, ir.IfExp) and any(map(self.named, (e.body, e.orelse))):
            return self._conditional(e)
        if isinstance(e, ir.Compare) and any(map(self.named, e.rest[1:])):
            return self._chain(e)
        if isinstance(e, ir.Dict) and any(k is not None and self.named(k) for k in e.keys):
            return e
        parts = iter(self.in_order(*ir.children(e)))
        return ir.rebuild(e, lambda c: next(parts))

    def named(self, e: ir.Expr) -> bool:
        """Whether a `:=` of the statement is left in `e`."""
        return any(isinstance(n, ir.Opaque) and n.origin in self.nodes for n in ir.walk(e))

    def _bind(self, name: ir.Name, value: ir.Expr) -> None:
        self.out.append(ir.Assign((name,), value, self.origin, made=True))

    def _apart(self) -> _Taken:
        return replace(self, out=[])

    def _block(self, name: ir.Name, e: ir.Expr) -> ir.Block:
        """`name = e` behind what it assigns."""
        inner = self._apart()
        inner._bind(replace(name), inner.expr(e))
        return tuple(inner.out)

    def in_order(self, *parts: ir.Expr) -> list[ir.Expr]:
        """Each of `parts` as `expr` gives it, as it is when its turn comes."""
        done: list[ir.Expr] = []
        for c in parts:
            inner = self._apart()
            new = inner.expr(c)
            done = [d if _same(d, inner.out) else self._held(d) for d in done]
            self.out += inner.out
            done.append(new)
        return done

    def _held(self, e: ir.Expr) -> ir.Expr:
        """`e` as it is now, whatever comes after."""
        if isinstance(e, _PARTED):
            return ir.rebuild(e, self._held)
        if isinstance(e, (ir.Const, ir.Ref)):
            return e
        name = self._fresh("held")
        self._bind(name, e)
        return replace(name, origin=e.origin)

    def _fresh(self, wanted: str) -> ir.Name:
        name = self.cx.free(wanted)
        self.cx.made.add(name)
        return ir.Name(name)

    def _bool(self, e: ir.BoolOp) -> ir.Expr:
        at = next(k for k, v in enumerate(e.values) if k and self.named(v))
        first = e.values[0] if at == 1 else replace(e, values=e.values[:at])
        rest = e.values[at] if at + 1 == len(e.values) else replace(e, values=e.values[at:])
        name = self._fresh("chosen")
        self._bind(name, self.expr(first))
        test: ir.Expr = replace(name)
        if e.op == "or":
            test = ir.Call("operator.not_", (test,))
        self.out.append(ir.If(test, self._block(name, rest), origin=self.origin, made=True))
        return replace(name, origin=e.origin)

    def _conditional(self, e: ir.IfExp) -> ir.Expr:
        name = self._fresh("chosen")
        test = self.expr(e.test)
        arms = self._block(name, e.body), self._block(name, e.orelse)
        self.out.append(ir.If(test, *arms, origin=self.origin, made=True))
        return replace(name, origin=e.origin)

    def _chain(self, e: ir.Compare) -> ir.Expr:
        """`a < b < (y := c)` as `a < b and b < (y := c)`, `b` computed once."""
        at = next(k for k, r in enumerate(e.rest) if k and self.named(r))
        first, *rest = [self._held(self.expr(p)) for p in (e.first, *e.rest[:at])]
        left = ir.Compare(first, e.ops[:at], tuple(rest), e.origin)
        right = ir.Compare(ir.duplicate(rest[-1]), e.ops[at:], e.rest[at:], e.origin)
        return self._bool(ir.BoolOp("and", (left, right), e.origin))


def _same(e: ir.Expr, block: Sequence[ir.Stmt]) -> bool:
    """Whether `e` gives behind `block` what it gives before."""
    inner = list(ir.statements(tuple(block)))
    if any(isinstance(s, ir.Assign) and ir.bound(s.targets[0]) & ir.reads(e) for s in inner):
        return False
    if isinstance(e, (ir.Const, ir.Name, ir.Ref)):
        return True
    return _plain(e) and all(_plain(x) for s in inner for x in ir.stmt_exprs(s))


def _plain(e: ir.Expr) -> bool:
    """Whether computing `e` surely changes nothing, so that it does not matter when."""
    return not any(
        isinstance(n, ir.Opaque) or (isinstance(n, ir.Call) and not n.fn.startswith(_PLAIN))
        for n in ir.walk(e)
    )
