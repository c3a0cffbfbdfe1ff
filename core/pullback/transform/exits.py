"""`break`, `continue` and `return` in loops.

A return becomes an assignment and a break, and the return stands behind the loop. What stands behind a
break or continue in a turn moves into the other arm.

    if c:                     if c:
        continue      ->          continue
    rest                      else:
                                  rest

So every statement of a turn runs exactly when the tests around it say, and the backward pass can ask the
same tests. The forward pass is printed as the user wrote it (`If.moved` counts what was moved).

May not know: rules, facts, how anything is reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import (
    Assign,
    Block,
    Const,
    Expr,
    For,
    Function,
    If,
    Keep,
    Name,
    Return,
    Stmt,
    Tuple,
    While,
    statements,
)
from .naming import Namer, names_of

EXITS = ("break", "continue")


def with_returns_as_breaks(fn: Function) -> Function:
    """`fn` without returns inside loops; `fn` itself if there are none."""
    if not any(isinstance(s, (For, While)) and _returns(s.body) for s in statements(fn.body)):
        return fn
    namer = Namer(names_of(fn))
    same = _same_variables(fn.body)
    result = Name(namer.fresh("result")) if same is None else same
    return replace(
        fn, body=_behind_loops(fn.body, result, Name(namer.fresh("returned")), outside=True)
    )


def _same_variables(block: Block) -> Expr | None:
    """What all returns in loops give, where that is the same variables: they hold it behind the loop too."""
    loops = [s for s in statements(block) if isinstance(s, (For, While))]
    values = [r.value for s in loops for r in statements(s.body) if isinstance(r, Return)]
    first = values[0]
    names = first.items if isinstance(first, Tuple) else (first,)
    plain = all(isinstance(n, Name) for n in names)
    return first if plain and all(v == first for v in values) else None


def _variables(e: Expr) -> Expr:
    """The same variables as nodes of their own."""
    return (
        replace(e, items=tuple(_variables(i) for i in e.items))
        if isinstance(e, Tuple)
        else replace(e)
    )


def _returns(block: Block) -> bool:
    return any(isinstance(s, Return) for s in statements(block))


def _behind_loops(block: Block, result: Expr, done: Name, outside: bool) -> Block:
    """`block` with the returns of its loops behind them; inside a loop its own returns are breaks.

    `result` is what is returned behind the loop.
    """
    out: list[Stmt] = []
    for s in block:
        if isinstance(s, (For, While)) and _returns(s.body):
            body = _behind_loops(s.body, result, done, outside=False)
            leave: Stmt = Return(_variables(result), origin=s.origin) if outside else _break(s)
            if isinstance(s, While) and s.test == Const(True) and not may_break(s.body):
                return (*out, replace(s, body=body), leave)  # only a return ends it
            if outside:
                out.append(Assign((done,), Const(False), origin=s.origin))
            out += [replace(s, body=body), If(done, (leave,), origin=s.origin)]
        elif isinstance(s, If):
            arms = (_behind_loops(b, result, done, outside) for b in (s.body, s.orelse))
            body, orelse = arms
            out.append(replace(s, body=body, orelse=orelse))
        elif isinstance(s, Return) and not outside:
            value = s.value if s.value is not None else Const(None)
            if value != result:
                out.append(Assign((result,), value, origin=s.origin))
            out += [Assign((done,), Const(True), origin=s.origin), _break(s)]
        else:
            out.append(s)
    return tuple(out)


def _break(s: Stmt) -> Keep:
    return Keep("break", "break", origin=s.origin)


def with_nested_exits(fn: Function) -> Function:
    """`fn` with what stands behind a break or continue in the other arm; `fn` itself if there are none."""
    if not any(isinstance(s, Keep) and s.kind in EXITS for s in statements(fn.body)):
        return fn
    return replace(fn, body=_outside(fn.body))


def _outside(block: Block) -> Block:
    """A block that is not a turn's: only the loops in it change."""
    return tuple(_loops(s) for s in block)


def _loops(s: Stmt) -> Stmt:
    if isinstance(s, (For, While)):
        return replace(s, body=_nested(s.body), orelse=_outside(s.orelse))
    if isinstance(s, If):
        return replace(s, body=_outside(s.body), orelse=_outside(s.orelse))
    return s


def _nested(block: Block) -> Block:
    """A turn's block, or an arm in it."""
    out: list[Stmt] = []
    for i, s in enumerate(block):
        rest = block[i + 1 :]
        if not isinstance(s, If) or not has_exit((s,)):
            out.append(_loops(s))
            continue
        out.append(_split(s, rest))
        if ends(s.body) or ends(s.orelse):
            return tuple(out)
    return tuple(out)


def _split(s: If, rest: Block) -> If:
    """`s` with `rest` in the arm that goes on; as it is where both arms may."""
    if ends(s.body) and ends(s.orelse):
        return replace(s, body=_nested(s.body), orelse=_nested(s.orelse))
    if ends(s.body):
        orelse = _nested((*s.orelse, *rest))
        own = 0 if has_exit(s.orelse) else len(s.orelse)
        return replace(s, body=_nested(s.body), orelse=orelse, moved=len(orelse) - own)
    if ends(s.orelse):
        body = _nested((*s.body, *rest))
        own = 0 if has_exit(s.body) else len(s.body)
        return replace(s, body=body, orelse=_nested(s.orelse), moved=own - len(body))
    return replace(s, body=_nested(s.body), orelse=_nested(s.orelse))


def has_exit(block: Block) -> bool:
    """Whether `block` may leave the turn that it is in."""
    return any(
        (isinstance(s, Keep) and s.kind in EXITS)
        or (isinstance(s, If) and (has_exit(s.body) or has_exit(s.orelse)))
        for s in block
    )


def may_break(block: Block) -> bool:
    """Whether `block` may end the loop that it is in."""
    return any(
        (isinstance(s, Keep) and s.kind == "break")
        or (isinstance(s, If) and (may_break(s.body) or may_break(s.orelse)))
        for s in block
    )


def ends(block: Block) -> bool:
    """Whether `block` always leaves the turn."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, If):
        return ends(last.body) and ends(last.orelse)
    return isinstance(last, Keep) and last.kind in EXITS


def is_nested(block: Block) -> bool:
    """Whether nothing stands behind a statement that may leave the turn."""
    for i, s in enumerate(block):
        if has_exit((s,)) and i < len(block) - 1:
            return False
        if isinstance(s, If) and not (is_nested(s.body) and is_nested(s.orelse)):
            return False
    return True
