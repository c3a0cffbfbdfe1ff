"""Calls of functions that are picked while the function runs: a call of each that it may be.

    act = table[name]                 act = table[name]
    y = act(x)                  ->    y = relu(x) if act is relu else np.tanh(x)

May not know: facts, rules, how anything is reversed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from ..analysis.flow import bindings
from ..ir import (
    Assign,
    AugAssign,
    Block,
    BoolOp,
    Call,
    Compare,
    Const,
    Dict,
    Expr,
    ExprStmt,
    For,
    Function,
    If,
    IfExp,
    Name,
    Opaque,
    Ref,
    Return,
    Star,
    Stmt,
    Tuple,
    bound,
    duplicate,
    map_blocks,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from .naming import Namer, names_of

_UNKNOWN = Name("?")  # bound by nothing
Refs = dict[str, Ref]  # functions by absolute name, in the order of the text
_LOOKS = {
    "operator.getitem", "method.get", "method.items", "method.values", "method.keys",
    "builtins.len", "builtins.enumerate", "builtins.zip", "builtins.reversed", "builtins.range",
}  # fmt: skip


def with_known_callees(fn: Function) -> Function:
    """`fn` with a call of each function that a picked one may be; `fn` itself if it calls none such."""
    if not any(_picks(n) for s in statements(fn.body) for e in stmt_exprs(s) for n in walk(e)):
        return fn
    body = _Picking(fn, Namer(names_of(fn))).block(fn.body)
    return fn if body is fn.body else replace(fn, body=body)


def _picks(e: Expr) -> bool:
    return isinstance(e, Call) and e.fn == "?" and isinstance(e.callee, (Name, Call, IfExp))


@dataclass
class _Picking:
    fn: Function
    namer: Namer
    open: list[str] = field(default_factory=list)  # variables whose parts are being looked for

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for s in block:
            if isinstance(s, (Assign, AugAssign, ExprStmt, Return)) and s.value is not None:
                value = self.expr(s.value, s, out)
                s = s if value is s.value else replace(s, value=value, verbatim=False)
            out.append(_in_arms(s) if isinstance(s, ExprStmt) else map_blocks(s, self.block))
        return unless_same(out, block)

    def expr(self, e: Expr, s: Stmt, out: list[Stmt] | None) -> Expr:
        """`e` with a choice between known calls for each call of what is picked.

        Where `out` is None `e` may not be evaluated at all: nothing is taken before it.
        """
        inner = None if isinstance(e, (IfExp, BoolOp, Compare)) else out
        e = rebuild(e, lambda c: self.expr(c, s, inner))
        if not _picks(e):
            return e
        assert isinstance(e, Call) and e.callee is not None
        callee = e.callee
        found = self.functions(callee, ())
        if not found or not (isinstance(callee, Name) or (out is not None and _looks_up(callee))):
            return e
        if not isinstance(callee, Name) and out is not None:
            callee = Name(self.namer.fresh("picked"))
            out.append(Assign((callee,), e.callee, origin=s.origin))
        *others, last = found.values()
        chosen: Expr = _call(e, last)
        for ref in reversed(others):
            test = Compare(replace(callee), ("is",), (duplicate(ref),))
            chosen = IfExp(test, _call(e, ref), chosen, origin=e.origin)
        return chosen

    # --- what a callee may be ----------------------------------------------------------------

    def functions(self, e: Expr, seen: tuple[str, ...]) -> Refs | None:
        """The functions that `e` may be; None where the text does not tell."""
        if isinstance(e, Ref):
            return {e.qualname: e}
        if isinstance(e, IfExp):
            return self.union((e.body, e.orelse), seen)
        if isinstance(e, Call) and e.fn in ("operator.getitem", "method.get"):
            parts = self.parts(e.args[0])
            if parts is None:
                return None
            key = e.args[1]
            if isinstance(key, Const) and type(key.value) is int and e.fn == "operator.getitem":
                parts = parts[key.value :][:1] if isinstance(e.args[0], Tuple) else parts
            return self.union((*parts, *e.args[2:]), seen)
        if isinstance(e, Name) and e != _UNKNOWN:
            return {} if e.id in seen else self.union(self.values(e.id), (*seen, e.id))
        return None

    def union(self, many: Iterable[Expr], seen: tuple[str, ...]) -> Refs | None:
        out: Refs = {}
        for e in many:
            found = self.functions(e, seen)
            if found is None:
                return None
            out |= {k: v for k, v in found.items() if k not in out}
        return out

    def parts(self, e: Expr) -> tuple[Expr, ...] | None:
        """The items of a list, tuple or dict that is written out, and stays as it is."""
        if isinstance(e, Dict):
            return e.values if None not in e.keys else None
        if isinstance(e, Tuple):
            return e.items if not any(isinstance(i, Star) for i in e.items) else None
        if isinstance(e, Name) and e.id not in self.open and self.stays(e):
            self.open.append(e.id)
            values = self.values(e.id)
            found = self.parts(values[0]) if len(values) == 1 else None
            self.open.pop()
            return found
        return None

    def stays(self, name: Name) -> bool:
        """Whether all that is done with the variable is to look at its parts."""
        said = looked = 0
        for s in statements(self.fn.body):
            if name.id in (*getattr(s, "reads", ()), *getattr(s, "writes", ())):
                return False
            if isinstance(s, For) and s.iter == name:
                looked += 1
            stored = s.targets if isinstance(s, Assign) else ()
            looked += stored.count(name)
            for n in (n for e in stmt_exprs(s) for n in walk(e)):
                said += n == name
                if isinstance(n, Opaque) and name.id in (*n.reads, *n.writes):
                    return False
                if isinstance(n, Call) and n.fn in _LOOKS and n not in stored:
                    looked += n.args.count(name)
        return said == looked

    def values(self, name: str) -> list[Expr]:
        """All that the variable is bound to."""
        if any(p.name == name for p in self.fn.params):
            return [_UNKNOWN]
        out: list[Expr] = []
        for s in statements(self.fn.body):
            if isinstance(s, Assign):
                out += [v for t in s.targets for v in _taken(t, s.value, name)]
            elif isinstance(s, For) and name in bound(s.target):
                out += [v for e in self.turns(s.iter) for v in _taken(s.target, e, name)]
            elif name in bindings(s):
                return [_UNKNOWN]
        return out

    def turns(self, it: Expr) -> list[Expr]:
        """What the turns of a loop over `it` may be given."""
        parts = self.parts(it)
        if parts is not None:
            return list(parts) if self.kind(it) is not Dict else [_UNKNOWN]
        if not isinstance(it, Call) or not it.args:
            return [_UNKNOWN]
        if it.fn == "builtins.enumerate":
            return [Tuple((_UNKNOWN, e)) for e in self.turns(it.args[0])]
        if it.fn == "builtins.zip":
            sides = [self.turns(a) for a in it.args]
            return [Tuple(row) for row in zip_longest(*sides, fillvalue=_UNKNOWN)]
        if it.fn in ("method.values", "method.items") and self.kind(it.args[0]) is Dict:
            held = self.parts(it.args[0]) or (_UNKNOWN,)
            return [Tuple((_UNKNOWN, e)) if it.fn == "method.items" else e for e in held]
        return [_UNKNOWN]

    def kind(self, e: Expr) -> type[Expr]:
        """What kind of display `e` is, or the variable that holds it."""
        return type(self.values(e.id)[0]) if isinstance(e, Name) else type(e)


def _taken(target: Expr, e: Expr, name: str) -> list[Expr]:
    """What assigning `e` to `target` binds the variable to."""
    if isinstance(target, Name):
        return [e] if target.id == name else []
    items = target.items if isinstance(target, Tuple) else ()
    if isinstance(e, Tuple) and len(e.items) == len(items) and not any(map(_is_star, items)):
        return [v for t, i in zip(items, e.items) for v in _taken(t, i, name)]
    return [_UNKNOWN] if name in bound(target) else []


def _is_star(e: Expr) -> bool:
    return isinstance(e, Star)


def _in_arms(s: ExprStmt) -> Stmt:
    """A choice between calls that stand alone as a choice between statements."""
    if not isinstance(s.value, IfExp):
        return s
    then, other = (_in_arms(replace(s, value=a)) for a in (s.value.body, s.value.orelse))
    return If(s.value.test, (then,), (other,), origin=s.origin)


def _looks_up(e: Expr) -> bool:
    """Whether evaluating `e` does nothing else."""
    fns = (n.fn for n in walk(e) if isinstance(n, Call))
    return all(fn.startswith(("operator.", "attr.")) or fn == "method.get" for fn in fns)


def _call(e: Call, ref: Ref) -> Call:
    """The call `e` of a function that is known."""
    args = tuple(duplicate(a) for a in e.args)
    kwargs = tuple((k, duplicate(v)) for k, v in e.kwargs)
    return replace(e, fn=ref.qualname, args=args, kwargs=kwargs, callee=duplicate(ref))
