"""Calls of functions that NumPy and SciPy make: `np.vectorize` of a function, `interp1d` of samples.

    g = np.vectorize(h)                       elements = np.ravel(x)
    y = g(x)                            ->    mapped = np.zeros(len(elements))
                                              for i in range(len(elements)):
                                                  mapped[i] = h(elements[i])
                                              y = np.reshape(mapped, np.shape(x))

    g = interp1d(t, v)                  ->    g_nodes = np.sort(t)
    y = g(x)                                  g_values = v[np.argsort(t)]
                                              y = np.interp(x, g_nodes, g_values)

Where nothing active passes through them, they stay as they are.

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analysis.facts import Facts
from ..ir import (
    Assign,
    AugAssign,
    Block,
    BoolOp,
    Call,
    Compare,
    Const,
    Expr,
    ExprStmt,
    For,
    Function,
    IfExp,
    Name,
    Opaque,
    Ref,
    Return,
    Star,
    Stmt,
    children,
    duplicate,
    map_blocks,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from .keywords import NONE
from .local_functions import bound_once
from .naming import Namer, names_of
from .pieces import given, np_call

VECTORIZE = "numpy.vectorize"
INTERP1D = "scipy.interpolate.interp1d"
_MAKERS = (VECTORIZE, INTERP1D)
_VALUED = (Assign, AugAssign, ExprStmt, Return)
_MAYBE = (IfExp, BoolOp, Compare)  # what may not evaluate all its parts


def has_makers(fn: Function) -> bool:
    """Whether `fn` makes functions of these kinds: only then its facts are asked for."""
    return any(
        isinstance(n, Call) and n.fn in _MAKERS
        for s in statements(fn.body)
        for e in stmt_exprs(s)
        for n in walk(e)
    )


def with_made_functions(fn: Function, facts: Facts) -> Function:
    """`fn` with what the functions that it has made do in the place of their calls."""
    named = {n: s.value for n, s in bound_once(fn).items() if isinstance(s, Assign)}
    makers = {n: v for n, v in named.items() if isinstance(v, Call) and v.fn in _MAKERS}
    work = _Work(facts, Namer(names_of(fn)), makers)
    work.makers = {n: v for n, v in makers.items() if work.is_only_called(fn, n)}
    body = work.block(fn.body)
    return fn if body is fn.body else replace(fn, body=body)


@dataclass
class _Work:
    """`makers` are the calls that make functions with a name; `samples` what is kept of those of samples."""

    facts: Facts
    namer: Namer
    makers: dict[str, Call]
    samples: dict[str, tuple[Expr, Expr]] = field(default_factory=dict)

    def is_only_called(self, fn: Function, name: str) -> bool:
        """Whether all that is done with the function is to call it, some call is active, and the place of each can
        be taken by what it does: a call that stays would find no function."""
        said, calls = -1, list[Call]()  # it is said once where it is made
        anywhere = self.makers[name].fn == INTERP1D
        for s in statements(fn.body):
            for n in (n for e in stmt_exprs(s) for n in walk(e)):
                said += n == Name(name)
                if isinstance(n, Opaque) and name in n.reads:
                    return False
            if isinstance(s, _VALUED) and s.value is not None:
                calls += _calls(s.value, name, anywhere=anywhere)
        return said == len(calls) and any(map(self.active, calls))

    def active(self, call: Call) -> bool:
        """Whether something active may pass through a call of a function that is made."""
        maker = self.makers.get(call.callee.id) if isinstance(call.callee, Name) else call.callee
        inner = maker.args if isinstance(maker, Call) else ()
        values = (call, *call.args, *inner)
        return any(map(self.facts.active, values)) or any(isinstance(e, Opaque) for e in inner)

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for s in block:
            if isinstance(s, _VALUED) and s.value is not None:
                value = self.made(s, out) if isinstance(s, Assign) else None
                value = self.expr(s.value, s, out) if value is None else value
                s = s if value is s.value else replace(s, value=value, verbatim=False)
            out.append(map_blocks(s, self.block))
        return unless_same(out, block)

    def made(self, s: Assign, out: list[Stmt]) -> Expr | None:
        """What a function that is made is called with, kept by names; of elements, the function itself."""
        [target, *others] = s.targets
        maker = self.makers.get(target.id) if isinstance(target, Name) else None
        if maker is None or maker is not s.value or others:
            return None
        if maker.fn == VECTORIZE:
            function = _of_elements(maker)
            return NONE if isinstance(function, (Name, Ref)) else function
        assert isinstance(target, Name)
        samples = _samples(maker, self.facts)
        if samples is None:
            return None
        names = [Name(self.namer.fresh(f"{target.id}_{what}")) for what in ("nodes", "values")]
        out += [Assign((n,), v, origin=s.origin) for n, v in zip(names, samples)]
        self.samples[target.id] = (names[0], names[1])
        return NONE

    def expr(self, e: Expr, s: Stmt, out: list[Stmt] | None) -> Expr:
        """`e` with what is done for its calls; where `out` is None it may not be evaluated at all."""
        inner = None if isinstance(e, _MAYBE) else out
        e = rebuild(e, lambda c: self.expr(c, s, inner))
        if not isinstance(e, Call) or e.fn != "?" or e.kwargs or not e.args or _starred(e):
            return e
        callee = e.callee
        if isinstance(callee, Name) and callee.id in self.samples:
            return np_call("interp", *e.args, *map(duplicate, self.samples[callee.id]))
        maker = self.makers.get(callee.id) if isinstance(callee, Name) else callee
        if not isinstance(maker, Call) or (maker is callee and not self.active(e)):
            return e
        if maker.fn == INTERP1D and maker is callee:
            samples = _samples(maker, self.facts)
            return e if samples is None else np_call("interp", *e.args, *samples)
        function = _of_elements(maker) if maker.fn == VECTORIZE else None
        if function is None or out is None:
            return e
        if not isinstance(function, (Name, Ref)) and isinstance(callee, Name):
            function = callee
        elif not isinstance(function, (Name, Ref)):
            name = Name(self.namer.fresh("each"))
            out.append(Assign((name,), function, origin=s.origin))
            function = name
        return self.loop(function, e.args, s, out)

    def loop(self, function: Name | Ref, args: tuple[Expr, ...], s: Stmt, out: list[Stmt]) -> Expr:
        """The function of each element, put into an array: its statements, and what has their shape."""

        def kept(e: Expr, wanted: str) -> Expr:
            name = Name(self.namer.fresh(wanted))
            out.append(Assign((name,), e, origin=s.origin))
            return name

        args = tuple(a if isinstance(a, (Name, Const)) else kept(a, "argument") for a in args)
        shapes = [np_call("shape", duplicate(a)) for a in args]
        if len(args) == 1:
            shape: Expr = shapes[0]
            flat = [kept(np_call("ravel", args[0]), "elements")]
        else:
            shape = kept(np_call("broadcast_shapes", *shapes), "shape")
            spread = [np_call("broadcast_to", a, duplicate(shape)) for a in args]
            flat = [kept(np_call("ravel", a), "elements") for a in spread]
        count = Call("builtins.len", (duplicate(flat[0]),))
        mapped = kept(np_call("zeros", count), "mapped")
        i = Name(self.namer.fresh("i"))
        fn = function.qualname if isinstance(function, Ref) else "?"
        elements = tuple(Call("operator.getitem", (duplicate(a), duplicate(i))) for a in flat)
        one = Call(fn, elements, callee=duplicate(function), origin=s.origin)
        place = Call("operator.getitem", (duplicate(mapped), duplicate(i)))
        turns = Call("builtins.range", (duplicate(count),))
        out.append(For(i, turns, (Assign((place,), one, origin=s.origin),), origin=s.origin))
        return np_call("reshape", duplicate(mapped), duplicate(shape))


def _calls(e: Expr, name: str, *, anywhere: bool) -> list[Call]:
    """The calls of variable `name` in `e`; not `anywhere`: those that statements can stand before."""
    if isinstance(e, _MAYBE) and not anywhere:
        return []
    inside = [c for x in children(e) for c in _calls(x, name, anywhere=anywhere)]
    if isinstance(e, Call) and e.fn == "?" and e.callee == Name(name):
        return [e, *inside] if e.args and not e.kwargs and not _starred(e) else inside
    return inside


def _starred(e: Call) -> bool:
    return any(isinstance(a, Star) for a in e.args)


def _of_elements(maker: Call) -> Expr | None:
    """The function that `np.vectorize` maps; None where more is asked of it."""
    plain = len(maker.args) == 1 and {k for k, _ in maker.kwargs} <= {"otypes", "doc"}
    function = maker.args[0] if plain else None
    known = isinstance(function, (Name, Ref)) or getattr(function, "kind", "") == "lambda"
    return duplicate(function) if function is not None and known else None


def _samples(maker: Call, facts: Facts) -> tuple[Expr, Expr] | None:
    """The nodes of `interp1d` in order, and the values there; None where lines do not join them."""
    args = given(maker, "x", "y", "kind")
    plain = (("kind", Const("linear")), ("bounds_error", Const(True)))
    if any(args.pop(k, usual) != usual for k, usual in plain):
        return None
    if not {"x", "y"} <= set(args) <= {"x", "y", "copy", "assume_sorted"}:
        return None
    order = np_call("argsort", duplicate(args["x"]))
    values = duplicate(args["y"])
    if facts.type(args["y"]).kind != "array":
        values = np_call("asarray", values)
    return np_call("sort", duplicate(args["x"])), Call("operator.getitem", (values, order))
