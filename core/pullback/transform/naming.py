"""Names for what a transformation adds: adjoints after their variable, temporaries after what they hold.

And words for constructs, as a person calls them.

May not know: rules, facts, what is added where.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass, field

from ..ir import (
    Barrier,
    Block,
    BoolOp,
    Call,
    Compare,
    Const,
    Expr,
    Function,
    IfExp,
    Keep,
    Name,
    Opaque,
    Ref,
    Slice,
    Star,
    Tuple,
    children,
    statements,
    stmt_exprs,
    walk,
)
from ..lower.names import BUILTINS

_WORDS = {
    "operator.add": "total",
    "operator.sub": "difference",
    "operator.mul": "product",
    "operator.truediv": "quotient",
    "operator.matmul": "product",
    "operator.pow": "power",
    "operator.neg": "negative",
    "operator.getitem": "item",
    "attr.T": "transposed",
}


@dataclass
class Namer:
    """Hands out names that the function does not use; a taken one gets a number."""

    taken: set[str]
    given: dict[str, str] = field(default_factory=dict)

    def fresh(self, wanted: str) -> str:
        name, n = wanted, 2
        while name in self.taken or keyword.iskeyword(name) or name in BUILTINS:
            name = f"{wanted}{n}"
            n += 1
        self.taken.add(name)
        return name

    def fixed(self, key: str, wanted: str) -> str:
        """The one name for `key`, made at the first request."""
        if key not in self.given:
            self.given[key] = self.fresh(wanted)
        return self.given[key]

    def adjoint(self, var: str) -> str:
        return self.fixed(f"bar {var}", f"{var}_bar")

    def copy(self) -> tuple[set[str], dict[str, str]]:
        return set(self.taken), dict(self.given)

    def restore(self, saved: tuple[set[str], dict[str, str]]) -> None:
        self.taken, self.given = set(saved[0]), dict(saved[1])


def describe(e: Expr) -> str:
    """What `e` holds, in a word or two that can be a name: `np.exp(-z)` is exp_z."""
    if isinstance(e, Name):
        return e.id if not e.id.startswith("\0") else "value"
    if isinstance(e, Ref):
        return e.text.rstrip("()").rsplit(".", 1)[-1].lower()
    if not isinstance(e, Call):
        return "value"
    if e.fn == "?":
        return "value" if e.callee is None else describe(e.callee)
    leaf = _leaf(e)
    if e.fn == "operator.getitem":
        parts = [describe(e.args[0]), *(_index_word(i) for i in _items(e.args[1]))]
        return "_".join(p for p in parts if p)[:24].rstrip("_")
    word = _WORDS.get(e.fn)
    if word is not None:
        return word
    base = e.fn.rsplit(".", 1)[-1].strip("_") or "value"
    return f"{base}_{leaf}" if leaf and len(leaf) <= 12 else base


def _items(index: Expr) -> tuple[Expr, ...]:
    return index.items if isinstance(index, Tuple) else (index,)


def _index_word(e: Expr) -> str:
    if isinstance(e, Name):
        return e.id
    return str(e.value) if isinstance(e, Const) and type(e.value) is int and e.value >= 0 else ""


def _leaf(e: Expr) -> str:
    """The only variable that `e` is made of, or nothing."""
    names: list[str] = []
    todo = [e]
    while todo:
        x = todo.pop()
        if isinstance(x, Name):
            names.append(x.id)
        todo.extend(children(x))
    return names[0] if len(set(names)) == 1 else ""


def plain_name(fn: Function) -> str:
    """What a function is called, without the underscores of `__call__`."""
    special = fn.name.startswith("__") and fn.name.endswith("__")
    return fn.name.strip("_") if special else fn.name


def names_of(fn: Function) -> set[str]:
    """Every name in the function: what is added must not be mistaken for any of them."""
    return {p.name for p in fn.params} | names_in(fn.body)


def names_in(block: Block) -> set[str]:
    """Every name in the statements of `block`, nested ones included."""
    out: set[str] = set()
    for s in statements(block):
        for e in stmt_exprs(s):
            for n in walk(e):
                if isinstance(n, Name):
                    out.add(n.id)
                elif isinstance(n, Ref):
                    out.add(n.text.split(".")[0])
                elif isinstance(n, Call) and isinstance(n.callee, Ref):
                    out.add(n.callee.text.split(".")[0])
                elif isinstance(n, Opaque):
                    out.update(n.reads, n.writes)
        if isinstance(s, (Keep, Barrier)):
            out.update(s.reads, s.writes)
    return out


def construct(e: Expr) -> str:
    """What a person calls this kind of expression."""
    if isinstance(e, Opaque):
        return e.kind
    return e.op if isinstance(e, BoolOp) else _CONSTRUCTS.get(type(e), "this expression")


_CONSTRUCTS = {
    Compare: "comparison",
    IfExp: "conditional expression",
    Slice: "slice",
    Star: "starred expression",
}
