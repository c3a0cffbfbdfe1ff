"""Whether one statement surely runs where another does: what a run that ends well has gone through.

A loop is entered where it runs over what a loop around the other statement runs over, since that one has
had a turn.

May not know: types, rules, the transformation.
"""

from __future__ import annotations

from ..ir import (
    Barrier,
    Block,
    BoolOp,
    Call,
    Compare,
    Const,
    Expr,
    For,
    If,
    IfExp,
    Keep,
    Name,
    Return,
    Slice,
    Stmt,
    While,
    children,
    reads,
    stmt_exprs,
)
from .flow import Flow, bindings
from .indexing import index_items

# what leaves a block before its end, and lets the run go on
_LEAVES = ("break", "continue")


def runs_where(s: Stmt, u: Stmt, flow: Flow) -> bool:
    """Whether `s` is executed, before or after, in every run that executes `u` and raises nothing."""
    if s is u:
        return True
    met = _meeting(s, u, flow)
    if met is None:
        return False
    to_s, to_u = met
    if _left_between((to_s[-1], to_u[-1]), flow):
        return False
    around = flow.loops(u)
    turns = [x.iter for x in around if isinstance(x, For) and x in to_u]
    common = [x for x in around if x in flow.loops(s)]
    return all(_entered(x, turns, common, flow) for x in to_s[1:])


def follows(s: Stmt, d: Stmt, flow: Flow) -> bool:
    """Whether `s` is executed after every run of `d` that raises nothing, in the same turn of the loops around both."""
    met = _meeting(s, d, flow)
    if met is None:
        return False
    behind = flow.index[id(met[0][-1])] > flow.index[id(met[1][-1])]
    return behind and runs_where(s, d, flow)


def children_of_meeting(s: Stmt, u: Stmt, flow: Flow) -> tuple[Stmt, Stmt] | None:
    """The statements of the innermost block around both that hold `s` and `u`."""
    met = _meeting(s, u, flow)
    return None if met is None else (met[0][-1], met[1][-1])


def _meeting(s: Stmt, u: Stmt, flow: Flow) -> tuple[list[Stmt], list[Stmt]] | None:
    """From each statement up to the one that stands in the innermost block around both."""
    up_s, up_u = [s, *flow.chain(s)], [u, *flow.chain(u)]
    for k, x in enumerate(up_s):
        for n, y in enumerate(up_u):
            if flow.block[id(x)] == flow.block[id(y)]:
                return up_s[: k + 1], up_u[: n + 1]
    return None


def _entered(around: Stmt, turns: list[Expr], common: list[Stmt], flow: Flow) -> bool:
    """Whether the body of `around` runs at all, where loops over `turns` have had a turn."""
    if not isinstance(around, For):
        return False
    if _constant_turns(around.iter):
        return True
    return around.iter in turns and _lasting(around.iter, common, flow)


def _constant_turns(it: Expr) -> bool:
    if not isinstance(it, Call) or it.fn != "builtins.range" or len(it.args) != 1:
        return False
    n = it.args[0]
    return isinstance(n, Const) and type(n.value) is int and n.value > 0


def _lasting(it: Expr, common: list[Stmt], flow: Flow) -> bool:
    """A range of numbers that are the same in the whole run, or for a whole turn of the `common` loops."""
    if not isinstance(it, Call) or it.fn != "builtins.range" or it.kwargs:
        return False
    return all(_plain(a) for a in it.args) and all(_one_value(n, common, flow) for n in reads(it))


def _plain(e: Expr) -> bool:
    """Arithmetic on variables and lengths; what an element of an array holds may change."""
    if isinstance(e, Call) and e.fn == "operator.getitem":
        of = e.args[0]
        return isinstance(of, Call) and of.fn == "attr.shape" and isinstance(e.args[1], Const)
    if isinstance(e, Call) and e.fn != "builtins.len" and not e.fn.startswith("operator."):
        return False
    return isinstance(e, (Name, Const, Call)) and all(_plain(c) for c in children(e))


def _one_value(name: str, common: list[Stmt], flow: Flow) -> bool:
    """A parameter that nothing binds, a variable bound once and outside all loops, or a common loop's own."""
    bound_by = [d for d in flow.defs.get(name, ()) if name in bindings(d)]
    if any(p.name == name for p in flow.params):
        return not bound_by
    return len(bound_by) == 1 and (bound_by[0] in common or not flow.loops(bound_by[0]))


def _left_between(ends: tuple[Stmt, Stmt], flow: Flow) -> bool:
    """Whether a jump stands in the statements from one to the other of a block."""
    low, high = sorted(flow.index[id(x)] for x in ends)
    block = flow.block_of(flow.block[id(ends[0])])
    todo = list(block[low : high + 1])
    while todo:
        x = todo.pop()
        if isinstance(x, Return) and x is not block[high]:
            return True
        if isinstance(x, Barrier) or (isinstance(x, Keep) and x.kind in _LEAVES):
            return True
        if isinstance(x, (If, For, While)):
            todo += [*x.body, *x.orelse]
    return False


def shows_elements(name: str, behind: Block) -> bool:
    """Whether a run that goes through `behind` takes or stores an element of `name` as it is now: a float has none."""
    for s in behind:
        if isinstance(s, (Barrier, Return)) or (isinstance(s, Keep) and s.kind in _LEAVES):
            return False
        if any(_takes_element(e, name) for e in stmt_exprs(s)):
            return True
        if isinstance(s, (If, For, While)) or name in bindings(s):
            return False
    return False


def _takes_element(e: Expr, name: str) -> bool:
    """Whether computing `e` surely takes an element or a slice of the variable `name`."""
    if isinstance(e, Call) and e.fn == "operator.getitem" and e.args[0] == Name(name):
        items = index_items(e.args[1])
        return any(isinstance(i, Slice) or _whole_number(i) for i in items)
    sure = children(e)
    if isinstance(e, (BoolOp, IfExp)):
        sure = sure[:1]
    elif isinstance(e, Compare):
        sure = sure[:2]
    return any(_takes_element(c, name) for c in sure)


def _whole_number(e: Expr) -> bool:
    return isinstance(e, Const) and type(e.value) is int
