"""`break`, `continue` and `return` in loops.

A return becomes an assignment and a break, and the return stands behind the loop. So does the `else` of a
loop, where a break says that the loop was left. What stands behind a break or continue in a turn moves into
the other arm.

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

from ..analysis.flow import may_break, may_exit
from ..ir import (
    Assign,
    Block,
    Call,
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
    map_blocks,
    statements,
    unless_same,
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
            out.append(map_blocks(s, lambda b: _behind_loops(b, result, done, outside)))
        elif isinstance(s, Return) and not outside:
            value = s.value if s.value is not None else Const(None)
            if value != result:
                out.append(Assign((result,), value, origin=s.origin))
            out += [Assign((done,), Const(True), origin=s.origin), _break(s)]
        else:
            out.append(s)
    return unless_same(out, block)


def _break(s: Stmt) -> Keep:
    return Keep("break", "break", origin=s.origin)


def with_else_behind(fn: Function) -> Function:
    """`fn` with the `else` of each loop behind it, where it may break under a test of whether it did.

    `fn` itself if there are none.
    """
    if not any(isinstance(s, (For, While)) and s.orelse for s in statements(fn.body)):
        return fn
    return replace(fn, body=_else_behind(fn.body, Namer(names_of(fn))))


def _else_behind(block: Block, namer: Namer) -> Block:
    out: list[Stmt] = []
    for s in block:
        s = map_blocks(s, lambda b: _else_behind(b, namer))
        if isinstance(s, (For, While)) and s.orelse:
            out += _apart(replace(s, orelse=()), s.orelse, namer)
        else:
            out.append(s)
    return unless_same(out, block)


def _apart(loop: For | While, orelse: Block, namer: Namer) -> Block:
    """A loop, and what runs behind it unless it was left."""
    if not may_break(loop.body):
        return (loop, *orelse)
    left = Name(namer.fresh("left"))
    start = Assign((left,), Const(False), origin=loop.origin)
    unless = If(Call("operator.not_", (replace(left),)), orelse, origin=loop.origin)
    return (start, replace(loop, body=_told(loop.body, left)), unless)


def _told(block: Block, left: Name) -> Block:
    """A turn's block whose breaks say that they left the loop."""
    out: list[Stmt] = []
    for s in block:
        if isinstance(s, Keep) and s.kind == "break":
            out.append(Assign((replace(left),), Const(True), origin=s.origin))
        elif isinstance(s, If):
            s = map_blocks(s, lambda b: _told(b, left))
        out.append(s)
    return unless_same(out, block)


def with_nested_exits(fn: Function) -> Function:
    """`fn` with what stands behind a break or continue in the other arm; `fn` itself if there are none."""
    if not any(isinstance(s, Keep) and s.kind in EXITS for s in statements(fn.body)):
        return fn
    return replace(fn, body=_outside(fn.body, Namer(names_of(fn))))


def _outside(block: Block, namer: Namer) -> Block:
    """A block that is not a turn's: only the loops in it change."""
    return unless_same([_loops(s, namer) for s in block], block)


def _loops(s: Stmt, namer: Namer) -> Stmt:
    if isinstance(s, (For, While)):
        return replace(s, body=_nested(s.body, namer), orelse=_outside(s.orelse, namer))
    return map_blocks(s, lambda b: _outside(b, namer))


def _nested(block: Block, namer: Namer) -> Block:
    """A turn's block, or an arm in it."""
    out: list[Stmt] = []
    for i, s in enumerate(block):
        rest = block[i + 1 :]
        if isinstance(s, Keep) and s.kind in EXITS:
            return (*out, s)  # what stands behind it never runs
        if not isinstance(s, If) or not has_exit((s,)):
            out.append(_loops(s, namer))
            continue
        if rest and not (ends(s.body) or ends(s.orelse)):
            return (*out, *_nested(_flagged(s, rest, namer), namer))
        return (*out, _split(s, rest, namer))
    return tuple(out)


_FLAGS = {"break": "stopped", "continue": "skipped"}


def _flagged(s: If, rest: Block, namer: Namer) -> Block:
    """Where both arms of `s` may go on to `rest`: a variable says whether the turn was left in one of them.

    if c:                          stopped = False
        y = e                      if c:
        if d:                          y = e
            break         ->           if d:
    rest                                   stopped = True
                                   if stopped:
                                       break
                                   rest
    """
    flags = {k: Name(namer.fresh(n)) for k, n in _FLAGS.items() if may_exit((s,), k)}
    start = tuple(Assign((f,), Const(False), origin=s.origin) for f in flags.values())
    arms = (_with_flags(_nested(b, namer), flags) for b in (s.body, s.orelse))
    body, orelse = arms
    leave = tuple(
        If(replace(f), (Keep(k, k, origin=s.origin),), origin=s.origin) for k, f in flags.items()
    )
    return (*start, replace(s, body=body, orelse=orelse), *leave, *rest)


def _with_flags(block: Block, flags: dict[str, Name]) -> Block:
    """A nested block that says that the turn is left instead of leaving it."""
    out: list[Stmt] = []
    for s in block:
        if isinstance(s, Keep) and s.kind in flags:
            s = Assign((replace(flags[s.kind]),), Const(True), origin=s.origin)
        elif isinstance(s, If):
            body, orelse = _with_flags(s.body, flags), _with_flags(s.orelse, flags)
            s = replace(s, body=body, orelse=orelse, moved=0)
        out.append(s)
    return tuple(out)


def _split(s: If, rest: Block, namer: Namer) -> If:
    """`s` with `rest` in the arm that goes on, if one does."""
    if ends(s.body) == ends(s.orelse):
        return replace(s, body=_nested(s.body, namer), orelse=_nested(s.orelse, namer))
    if ends(s.body):
        orelse = _nested((*s.orelse, *rest), namer)
        own = 0 if has_exit(s.orelse) else len(s.orelse)
        return replace(s, body=_nested(s.body, namer), orelse=orelse, moved=len(orelse) - own)
    body = _nested((*s.body, *rest), namer)
    own = 0 if has_exit(s.body) else len(s.body)
    return replace(s, body=body, orelse=_nested(s.orelse, namer), moved=own - len(body))


def has_exit(block: Block) -> bool:
    """Whether `block` may leave the turn that it is in."""
    return any(may_exit(block, kind) for kind in EXITS)


def ends(block: Block) -> bool:
    """Whether `block` always leaves the turn."""
    run = [s for s in block if not (isinstance(s, Keep) and s.kind == "end with")]
    if not run:
        return False
    last = run[-1]
    if isinstance(last, If):
        return ends(last.body) and ends(last.orelse)
    return isinstance(last, Keep) and last.kind in EXITS
