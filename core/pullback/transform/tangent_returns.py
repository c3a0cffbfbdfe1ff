"""What a jvp returns: the value, and the tangent of each output.

Tangents of several outputs are a flat tuple; outputs that do not float have the tangent None. Neither
shares memory with arguments, seeds or each other.

May not know: other statements.
"""

from __future__ import annotations

from ..analysis.containers import is_container
from ..analysis.facts import Val
from ..analysis.types import Type
from ..ir import Assign, Call, Const, Expr, Name, Return, Stmt, Tuple
from .floating import copy_of
from .tangent_containers import result
from .tangent_expressions import tangent, whole_tangent
from .tangent_holes import filled
from .tangent_state import WHOLE, Dot, Tangents, copied, root, widened, zero


def returned(t: Tangents, s: Return) -> list[Stmt]:
    """The statements in the place of a return."""
    out: list[Stmt] = []
    if s.value is None:
        pair = Tuple((Const(None), Const(None)))
        return [Return(pair, origin=s.origin, made=True)]
    items = s.value.items if isinstance(s.value, Tuple) else (s.value,)
    pairs = [_output(t, e, s, out) for e in items]
    if isinstance(s.value, Tuple):
        given: Expr = Tuple(tuple(v for v, _ in pairs))
        dots: Expr = Tuple(tuple(_apart(t, d, [x for _, x in pairs]) for _, d in pairs))
    else:
        given, dots = pairs[0]
    whole = dots if t.alone else Tuple((given, dots))
    return [*out, Return(whole, origin=s.origin, made=True)]


def _output(t: Tangents, e: Expr, s: Return, out: list[Stmt]) -> tuple[Expr, Expr]:
    """The value and the tangent of one output; what computes something gets a name that may go again."""
    kind, plain = t.ctx.facts.type(e), t.ctx.hole(e, s)
    lent = _is_lent(t, e)
    computed = not lent and not isinstance(e, (Name, Const))
    value = Name(t.ctx.namer.fresh("value")) if computed else plain
    dot = _dot(t, e, value if isinstance(e, Name) or computed else plain)
    if not isinstance(dot, (Name, Const, Tuple)):
        name = Name(t.ctx.namer.fresh("value_dot"))
        out.append(Assign((name,), dot, origin=s.origin, made=True))
        dot = name
    if isinstance(value, Name) and computed:  # behind what the tangent moved out of it
        t.emit_early(value, filled(t, plain))
    if lent:
        return copy_of(plain, kind.kind == "array"), dot
    return value, dot


def _is_lent(t: Tangents, e: Expr) -> bool:
    """Whether an output may be an argument's memory."""
    v = t.ctx.facts.of(e)
    foreign = any(o == "" or o.startswith("param ") for o in t.ctx.facts.origins(v.objs))
    return foreign and not t.private and v.type.kind in ("array", "number", "any")


def _dot(t: Tangents, e: Expr, like: Expr) -> Expr:
    kind = t.ctx.facts.type(e)
    if kind.dtype in WHOLE or kind.kind in ("none", "str"):
        return Const(None)
    d = tangent(t, e)
    if is_container(kind) and not isinstance(e, Tuple) and not t.private:
        return _of_container(t, e, kind)
    return zero(t, kind, like) if d is None else _unlent(t, e, widened(t, d, e, like))


def _of_container(t: Tangents, e: Expr, kind: Type) -> Expr:
    """The tangent of a container in containers like its own; a tuple of arrays is several outputs."""
    dot = whole_tangent(t, e).expr
    if kind.kind != "tuple" or kind.items is None or any(is_container(i) for i in kind.items):
        return result(t, dot, e, kind)
    whole = Name(t.ctx.namer.fresh("value_dot"))
    t.emit_early(whole, filled(t, dot))
    parts = (Call("operator.getitem", (whole, Const(k))) for k in range(len(kind.items)))
    return Tuple(
        tuple(
            Const(None) if i.dtype in WHOLE else copy_of(p, i.kind == "array")
            for i, p in zip(kind.items, parts)
        )
    )


def _unlent(t: Tangents, e: Expr, d: Dot) -> Expr:
    """`d` as memory of its own, where it may be a seed's or another's."""
    v = t.ctx.facts.of(e)
    name = root(d.expr)
    if d.owned or v.type.kind == "scalar" or name is None:
        return d.expr
    source = {t.name(n): n for n in t.named}.get(name, "")
    held = t.ctx.facts.before.get(id(t.stmt), {}).get(source, Val())
    if t.private and v.objs & held.objs:
        return d.expr  # the value is a part of that variable, too
    if e == Name(source) and d.expr == Name(name) and source not in t.known.lent:
        return d.expr
    return copied(t, d.expr) if v.type.kind != "tuple" else d.expr


def _apart(t: Tangents, dot: Expr, every: list[Expr]) -> Expr:
    """A tangent that is given twice is copied."""
    if isinstance(dot, Name) and sum(1 for x in every if x == dot) > 1:
        return copied(t, dot)
    return dot
