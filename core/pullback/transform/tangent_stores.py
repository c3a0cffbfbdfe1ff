"""The tangents of assignments: of variables, of elements and parts of arrays, in place.

May not know: formulas, control flow.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.calls import rule_of
from ..analysis.containers import taking
from ..analysis.facts import Val
from ..analysis.own_rules import RULED
from ..analysis.signatures import bind
from ..analysis.types import scalar
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Const,
    Expr,
    ExprStmt,
    Name,
    Star,
    Stmt,
    Tuple,
    bound,
    reads,
)
from ..optimize.build import ADD, MUL, SUB, add, is_one, mul
from ..rules import rule_for
from .tangent_containers import parts_of_record
from .tangent_expressions import held, own_call, taken, tangent, whole_tangent
from .tangent_holes import asks_after, hold, reads_before
from .tangent_loops import target_tangent
from .tangent_rules import partial
from .tangent_state import Dot, Tangents, own, root, widened, zero

MAKING = {f"numpy.{name}" for name in ("zeros", "ones", "empty", "full", "eye", "identity")}
PUTTING = (
    "method.append",
    "method.insert",
    "numpy.add.at",
)  # they put their last argument into the first
Around = tuple[list[Stmt], list[Stmt]]  # the statements before and behind the one at hand


def assigned(t: Tangents, s: Assign) -> Around:
    """The tangent of an assignment."""
    target = s.targets[0]
    if not any(target_tangent(t, x) is not None for x in s.targets):
        return _left(t, s), []
    if len(s.targets) == 1 and isinstance(target, Name):
        return _variable(t, s, target)
    pairs = _pairs(s)
    if pairs is not None:
        return _together(t, s, pairs)
    dots = [dot for x in s.targets if (dot := target_tangent(t, x)) is not None]
    if not dots:
        return [], []
    d = tangent(t, s.value)
    if d is None:
        return _still(t, s, [x for x in s.targets if target_tangent(t, x) is not None])
    names = {n for x in s.targets for n in bound(x)}
    if len(s.targets) > 1 or isinstance(target, Tuple):
        d = widened(t, d, s.value, t.ctx.hole(s.value, s))
    if any(isinstance(x, Tuple) for x in s.targets):
        d = replace(d, expr=parts_of_record(t, d.expr, s.value))
    value = _own(t, s.value, d, names)
    for n in names & t.named:
        _note(t, n, Dot(value, True, False, d.steep))
    made = _made(s, tuple(dots), value)
    unpacked = isinstance(target, Tuple) and all(isinstance(i, Name) for i in target.items)
    if not unpacked or not asks_after(t, value):
        return [made], []
    if not names & reads_before(t, value):
        return [], [made]
    hold(t, s.value)
    return [made], []


def _left(t: Tangents, s: Assign | ExprStmt) -> list[Stmt]:
    """What `s` takes out of a list leaves the list of tangents too, though it has none that is asked for."""
    e = taking(s)
    if e is None or not isinstance(e.args[0], Name) or e.args[0].id not in t.named:
        return []
    return [ExprStmt(taken(t, e, e.args[0]), origin=s.origin, made=True)]


def _pairs(s: Assign) -> list[tuple[Expr, Expr]] | None:
    """`a, b = e, f` one by one."""
    target = s.targets[0]
    if len(s.targets) != 1 or not isinstance(target, Tuple) or not isinstance(s.value, Tuple):
        return None
    if len(target.items) != len(s.value.items):
        return None
    if any(isinstance(x, Star) for x in (*target.items, *s.value.items)):
        return None
    return list(zip(target.items, s.value.items))


def _variable(t: Tangents, s: Assign, target: Name) -> Around:
    if target.id not in t.named:
        return [], []
    if is_own(t, s.value) and t.lives(s.value):
        return _both(t, s, target)
    d = tangent(t, s.value)
    if d is None:
        return _still(t, s, [target])
    value = _bound_to(t, target.id, s.value, d)
    return _around(t, _made(s, (Name(t.name(target.id)),), value), target.id)


def _both(t: Tangents, s: Assign, target: Name) -> Around:
    """`y = g(x)` as `y, y_dot = _g_jvp(x, x_dot)`."""
    call = own_call(t, s.value) if isinstance(s.value, Call) else None
    if call is not None:
        pair = Tuple((target, Name(t.name(target.id))))
        t.instead = Assign((pair,), call, origin=s.origin)
        _note(t, target.id, Dot(call, True, False))
    return [], []


def is_own(t: Tangents, e: Expr) -> bool:
    """Whether `e` calls a function of the workspace."""
    if not isinstance(e, Call) or (rule_for(e.fn) is not None):
        return False
    fn = t.ctx.calls.function(e.fn)
    return fn is not None and RULED not in fn.flags


def _around(t: Tangents, made: Assign, name: str) -> Around:
    """Behind the statement where the tangent names its value, if all else that it reads is still there."""
    if asks_after(t, made.value) and name not in reads_before(t, made.value):
        return [], [made]
    return [made], []


def _bound_to(t: Tangents, name: str, e: Expr, d: Dot) -> Expr:
    """What the tangent of variable `name`, which gets the value of `e`, is bound to."""
    v = t.ctx.facts.bound.get((id(t.stmt), name), Val())
    if (name in t.whole or v.type.items is not None) and not d.full:
        d = widened(t, d, e, t.ctx.hole(e, t.stmt))
    if name in t.whole and d.owned and v.type.dtype == "complex":
        d = replace(d, expr=add(d.expr, Const(0j)))  # what is constant may be all that is complex
    value = _own(t, e, d, {name})
    owned = d.owned or value is not d.expr
    _note(t, name, Dot(value, d.full, owned, d.steep))
    return value


def _own(t: Tangents, e: Expr, d: Dot, names: set[str]) -> Expr:
    """`d`, copied where it is another's memory, the primal `e` has its own, and one of them is written."""
    bound_to = {o for n in names for o in t.ctx.facts.bound.get((id(t.stmt), n), Val()).objs}
    return own(t, e, d, bound_to)


def _note(t: Tangents, name: str, d: Dot) -> None:
    """Remembers what the tangent of `name` may be."""
    if not d.full:
        t.seen["thin"].add(name)
    if d.steep:
        t.seen["steep"].add(name)
    if not d.owned:
        t.seen["lent"].add(name)
    t.ctx.made[t.name(name)] = Val(scalar()) if not d.full else t.ctx.made.get(t.name(name), Val())


def _together(t: Tangents, s: Assign, pairs: list[tuple[Expr, Expr]]) -> Around:
    """`a, b = e, f`: the tangents are assigned together, too."""
    dots: list[Expr] = []
    values: list[Expr] = []
    still: list[Expr] = []
    for x, e in pairs:
        dot = target_tangent(t, x)
        if dot is None:
            continue
        d = tangent(t, e)
        if d is None and isinstance(x, Name):
            still.append(x)
            continue
        dots.append(dot)
        if d is None:
            values.append(Const(0.0))
        elif isinstance(x, Name):
            values.append(_bound_to(t, x.id, e, d))
        else:
            values.append(d.expr)
    _, after = _still(t, s, still)
    if not dots:
        return [], after
    if len(dots) == 1:
        return [_made(s, (dots[0],), values[0])], after
    return [_made(s, (Tuple(tuple(dots)),), Tuple(tuple(values)))], after


def _still(t: Tangents, s: Assign, targets: list[Expr]) -> Around:
    """Zeros for what is bound or stored and does not vary."""
    before = _left(t, s)
    after: list[Stmt] = []
    chained: str | None = None  # of `u = v = e` the tangents are one, too
    for x in targets:
        if isinstance(x, Call):
            dot = target_tangent(t, x)
            if dot is not None:
                before.append(_made(s, (dot,), Const(0.0)))
            continue
        for n in sorted(bound(x) & t.named):
            if isinstance(x, Name) and chained is not None:
                after.append(_made(s, (Name(t.name(n)),), Name(t.name(chained))))
                continue
            chained = n if isinstance(x, Name) and len(s.targets) > 1 else None
            v = t.ctx.facts.bound.get((id(s), n), Val())
            if isinstance(s.value, Call) and s.value.fn == "numpy.zeros_like":
                after.append(_made(s, (Name(t.name(n)),), t.ctx.hole(s.value, s)))
                continue
            kind = replace(v.type, kind="array") if _makes_array(s.value) else v.type
            after.append(_made(s, (Name(t.name(n)),), zero(t, kind, Name(n))))
    return before, after


def _makes_array(e: Expr) -> bool:
    """`np.zeros(n)` is an array even where n may be ()."""
    return isinstance(e, Call) and e.fn in MAKING


def _made(s: Stmt, targets: tuple[Expr, ...], value: Expr) -> Assign:
    return Assign(targets, value, origin=s.origin, made=True)


# --- in place --------------------------------------------------------------------------------------


def augmented(t: Tangents, s: AugAssign) -> Around:
    """The tangent of `x op= e`: what is done in place is done in place to the tangent."""
    dot = target_tangent(t, s.target)
    if dot is None:
        return [], []
    whole = t.ctx.facts.augmented[id(s)]
    assert isinstance(whole, Call)
    if s.repeats:
        return _repeated(t, s, dot)
    if s.op in (ADD, SUB):
        return _added(t, s, dot, whole)
    if isinstance(s.target, Name) and t.ctx.facts.rebinds.get(id(s), True):
        d = tangent(t, whole)
        if d is None:
            return _zeroed(t, s, dot)
        value = _bound_to(t, s.target.id, whole, d)
        return _around(t, _made(s, (dot,), value), s.target.id)
    return _scaled(t, s, dot, whole)


def _added(t: Tangents, s: AugAssign, dot: Expr, whole: Call) -> Around:
    d = tangent(t, s.value)
    if d is None:
        return [], []
    name = s.target.id if isinstance(s.target, Name) else ""
    if name and t.ctx.facts.rebinds.get(id(s), True):
        both = tangent(t, whole)
        if (both is not None and not both.full) or name in t.known.thin:
            assert both is not None
            return [_made(s, (dot,), _bound_to(t, name, whole, both))], []
    if name and d.steep:
        t.seen["steep"].add(name)
    return [AugAssign(dot, s.op, d.expr, origin=s.origin, made=True)], []


def _repeated(t: Tangents, s: AugAssign, dot: Expr) -> Around:
    """`np.add.at(x, i, y)`: an element of the tangent that is named twice gets both, too."""
    d = tangent(t, s.value)
    if d is None:
        return [], []
    at = "numpy.add.at" if s.op == ADD else "numpy.subtract.at"
    assert isinstance(dot, Call)
    return [ExprStmt(Call(at, (*dot.args, d.expr)), origin=s.origin, made=True)], []


def _zeroed(t: Tangents, s: AugAssign, dot: Expr) -> Around:
    """The value no longer varies."""
    if not t.ctx.facts.active(s.target):
        return [], []
    if isinstance(s.target, Name) and t.ctx.facts.rebinds.get(id(s), True):
        v = t.ctx.facts.bound.get((id(s), s.target.id), Val())
        return [], [_made(s, (dot,), zero(t, v.type, Name(s.target.id)))]
    return [AugAssign(dot, MUL, Const(0.0), origin=s.origin, made=True)], []


def _scaled(t: Tangents, s: AugAssign, dot: Expr, whole: Call) -> Around:
    """`u *= e`: first `u_dot *= e`, then `u_dot += u * e_dot`."""
    rule = rule_of(whole, t.ctx.facts.type)
    bound_args = bind(rule.signature, whole) if rule is not None else None
    if rule is None or bound_args is None or rule.kind == "constant":
        return _zeroed(t, s, dot)
    if rule.kind != "elementwise":
        d = whole_tangent(t, whole)
        target = Call("operator.getitem", (dot, Const(Ellipsis)))
        return [_made(s, (target,), d.expr)], []
    first, second = list(rule.reverse)
    slopes: list[Stmt] = []
    if t.ctx.facts.active(s.target):
        slope = t.ctx.simplified(partial(t, whole, rule, bound_args, first))
        slopes = [] if is_one(slope) else [_times(s, dot, slope)]
    moved = tangent(t, s.value)
    if moved is None:
        return slopes, []
    slope_of_value = partial(t, whole, rule, bound_args, second)
    added = t.ctx.simplified(mul(moved.expr, slope_of_value))
    early: list[Stmt] = []
    if slopes and _reads_target(t, s):
        name = Name(t.ctx.namer.fresh(f"{root(dot)}2"))
        early, added = [_made(s, (name,), added)], name
    return [*early, *slopes, AugAssign(dot, ADD, added, origin=s.origin, made=True)], []


def _reads_target(t: Tangents, s: AugAssign) -> bool:
    """Whether the value reads what is written: its tangent must be had before that is scaled."""
    env = t.ctx.facts.before.get(id(s), {})
    target = t.ctx.facts.of(s.target).objs | {f"name {n}" for n in reads(s.target)}
    return any(target & ({f"name {n}"} | env.get(n, Val()).objs) for n in reads(s.value))


def _times(s: AugAssign, dot: Expr, slope: Expr) -> Stmt:
    """`u_dot *= slope`, as a division where it is one."""
    if isinstance(slope, Call) and slope.fn == "operator.truediv" and is_one(slope.args[0]):
        return AugAssign(dot, slope.fn, slope.args[1], origin=s.origin, made=True)
    return AugAssign(dot, MUL, slope, origin=s.origin, made=True)


# --- calls that stand alone ------------------------------------------------------------------------


def called(t: Tangents, s: ExprStmt) -> Around:
    """A call for what it does: a function of the workspace does it to tangents too."""
    if not isinstance(s.value, Call):
        return [], []
    if taking(s) is not None:
        return _left(t, s), []
    if s.value.fn in PUTTING and len(s.value.args) >= 2:
        return _put(t, s, s.value)
    if not is_own(t, s.value):
        return [], []
    args = (*s.value.args, *(v for _, v in s.value.kwargs))
    call = own_call(t, s.value) if any(t.lives(a) for a in args) else None
    if call is not None:
        t.instead = ExprStmt(call, origin=s.origin)
    return [], []


def _put(t: Tangents, s: ExprStmt, e: Call) -> Around:
    """`y_tape.append(y)`, `np.add.at(x, i, y)`: the same with the tangents of both."""
    place = e.args[0]
    dot = _place(t, place)
    if dot is None or (e.fn == "numpy.add.at" and not t.ctx.facts.active(e.args[-1])):
        return [], []
    between = tuple(t.ctx.hole(a, s) for a in e.args[1:-1])
    value = held(t, e.args[-1]).expr
    made = replace(e, args=(dot, *between, value), origin=None)
    return [ExprStmt(made, origin=s.origin, made=True)], []


def _place(t: Tangents, e: Expr) -> Expr | None:
    """The tangent of what a call writes into."""
    if isinstance(e, Name):
        return Name(t.name(e.id)) if e.id in t.named else None
    return target_tangent(t, e)
