"""The ranks of parameters that nothing declares, as far as a run that raises nothing shows them.

    def scaled(alpha, A, x):
        n, m = A.shape
        y = np.zeros(n)
        for i in range(n):
            for j in range(m):
                y[i] += alpha * A[i, j] * x[j]    # one element: so alpha and x[j] are numbers, x has one axis

What is stored into one element is a number. So is each operand of the arithmetic that made it, and an array
whose element `x[j]` is a number has one axis. `range(n)` takes an integer. Such a demand holds where the
statement that makes it runs; a parameter has a rank when every use of it that may depend on that runs only
together with such a statement.

May not know: annotations, how a derivative is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from ..ir import (
    Assign,
    AugAssign,
    Call,
    Const,
    Expr,
    For,
    Function,
    Name,
    Return,
    Stmt,
    Tuple,
    children,
    stmt_exprs,
)
from ..rules import rule_for
from .facts import Facts, Val
from .flow import ENTRY, Flow, bindings, flow_of
from .indexing import index_items
from .surely import children_of_meeting, follows, runs_where
from .types import SCALAR, Dim, Type, scalar

# calls that give an array of the shape of their first argument
_SAME = {
    "method.copy",
    "numpy.copy",
    "numpy.array",
    "numpy.asarray",
    "numpy.zeros_like",
    "numpy.ones_like",
    "numpy.empty_like",
}
_ROUNDS = 4
Infer = Callable[[dict[str, Val]], Facts]


def with_ranks(fn: Function, params: dict[str, Val], infer: Infer) -> dict[str, Val]:
    """`params` with the ranks that the statements of `fn` show; `infer` gives the facts for parameters."""
    for _ in range(_ROUNDS):
        open_ = {n for n, v in params.items() if v.type.rank() is None and v.type.numeric()}
        if not open_:
            break
        found = _Demands(fn, infer(params), open_).types()
        if not found:
            break
        params = {n: replace(v, type=found.get(n, v.type)) for n, v in params.items()}
    return params


@dataclass
class _Demands:
    """What statements demand of the parameters `open_`: name -> (rank, integer, statement)."""

    fn: Function
    facts: Facts
    open_: set[str]
    flow: Flow = field(init=False)
    found: dict[str, list[tuple[int, bool, Stmt]]] = field(default_factory=dict)
    seen: set[tuple[int, str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.flow = flow_of(self.fn, self.facts)

    def types(self) -> dict[str, Type]:
        for s in self.flow.stmts.values():
            for value in _numbers(s, self.facts):
                self.demand(value, 0, False, s, s)
            if isinstance(s, For):
                for n in _counts(s.iter):
                    self.demand(n, 0, True, s, s)
        made = {n: self.type_of(n, demands) for n, demands in self.found.items()}
        return {n: t for n, t in made.items() if t is not None}

    def demand(self, e: Expr, rank: int, whole: bool, at: Stmt, s: Stmt) -> None:
        """`e`, evaluated at `at`, has that rank wherever `s` runs."""
        if isinstance(e, Name):
            self.name(e.id, rank, whole, at, s)
        elif not isinstance(e, Call) or whole:
            return
        elif e.fn == "operator.getitem":
            items = index_items(e.args[1])
            if rank == 0 and all(self.facts.type(i).kind == "scalar" for i in items):
                if all(self.facts.type(i).dtype == "int" for i in items):
                    self.demand(e.args[0], len(items), False, at, s)
        elif e.fn in _SAME and len(e.args) == 1:
            self.demand(e.args[0], rank, False, at, s)
        elif rank == 0 and _elementwise(e):
            for a in e.args:
                self.demand(a, 0, False, at, s)

    def name(self, name: str, rank: int, whole: bool, at: Stmt, s: Stmt) -> None:
        if (id(at), name, rank) in self.seen:
            return
        self.seen.add((id(at), name, rank))
        bound_by = [d for d in self.flow.defs.get(name, ()) if name in bindings(d)]
        on_entry = not bound_by or self.flow.reaching[id(at)].get(name) == ENTRY
        if name in self.open_ and on_entry:
            self.found.setdefault(name, []).append((rank, whole, s))
            return
        for d in bound_by:
            value = self.value(d, name)
            if value is None:
                continue
            if runs_where(s, d, self.flow) and self.reaches(d, name, rank, at, bound_by):
                self.demand(value, rank, whole, d, d)
            elif len(bound_by) == 1 and self.comes_first(d, name, at):
                self.demand(value, rank, whole, d, s)

    def value(self, d: Stmt, name: str) -> Expr | None:
        """What `d` binds `name` to."""
        if isinstance(d, AugAssign) and d.target == Name(name):
            return self.facts.augmented.get(id(d))
        if isinstance(d, Assign) and d.targets == (Name(name),):
            return d.value
        return None

    def reaches(self, d: Stmt, name: str, rank: int, at: Stmt, bound_by: list[Stmt]) -> bool:
        """Whether `at` surely runs behind `d`, and the rank of `name` is then what `d` made it.

        A number has come from numbers: `name = e + name` between them takes no axis away.
        """
        if at is d or not follows(at, d, self.flow):
            return False
        met = children_of_meeting(at, d, self.flow)
        low = self.flow.order[id(d if met is None else met[1])]
        between = [k for k in bound_by if low <= self.flow.order[id(k)] < self.flow.order[id(at)]]
        return all(
            k is d or (rank == 0 and self.keeps_rank(k, name)) or follows(d, k, self.flow)
            for k in between
        )

    def comes_first(self, d: Stmt, name: str, at: Stmt) -> bool:
        """Whether `at` can only read what `d`, the one statement that binds `name`, has made."""
        if all(p.name != name for p in self.fn.params):
            return True
        before = self.flow.order[id(d)] < self.flow.order[id(at)]
        return before and runs_where(d, at, self.flow)

    def keeps_rank(self, k: Stmt, name: str) -> bool:
        """`name = e + name`: broadcasting takes no axis away."""
        value = self.value(k, name)
        return value is not None and _broadcasts(value, name)

    def type_of(self, name: str, demands: list[tuple[int, bool, Stmt]]) -> Type | None:
        ranks = {rank for rank, _, _ in demands}
        if len(ranks) != 1:
            return None
        where = [s for _, _, s in demands]
        for u in self.uses(name):
            if not any(runs_where(s, u, self.flow) for s in where):
                return None
        [rank] = ranks
        old = self.facts.before[id(self.fn.body[0])][name]
        if rank:
            return Type("array", tuple(Dim(f"{name}.{k}") for k in range(rank)), old.type.dtype)
        if name in self.facts.written:
            return None  # `a += x` binds a float anew, and changes an array of no axes
        if any(whole for _, whole, _ in demands) and not old.active:
            return scalar("int", Dim(name))
        return Type("number", SCALAR, old.type.dtype)

    def uses(self, name: str) -> list[Stmt]:
        """The statements whose meaning may depend on the rank of the parameter, or of what has its shape."""
        names, out = {name}, []
        while True:
            more = {n for s in self.flow.stmts.values() for n in _named_alike(s, names)}
            if more <= names:
                break
            names |= more
        for s in self.flow.stmts.values():
            if any(_depends(e, names) for e in _asked(s, names)):
                out.append(s)
        return out


def _numbers(s: Stmt, facts: Facts) -> Iterator[Expr]:
    """What `s` shows to be a number: the value that it stores into one element."""
    if isinstance(s, Assign):
        targets: tuple[Expr, ...] = s.targets
    elif isinstance(s, AugAssign):
        targets = (s.target,)
    else:
        return
    for t in targets:
        if isinstance(t, Call) and t.fn == "operator.getitem" and facts.type(t).shape == SCALAR:
            yield s.value


def _counts(it: Expr) -> tuple[Expr, ...]:
    """The integers that `range` is given, through enumerate and reversed."""
    while isinstance(it, Call) and it.fn in ("builtins.reversed", "builtins.enumerate") and it.args:
        it = it.args[0]
    if not isinstance(it, Call) or it.fn != "builtins.range":
        return ()
    return tuple(a for a in it.args if isinstance(a, Name))


def _elementwise(e: Call) -> bool:
    rule = rule_for(e.fn)
    return rule is not None and rule.kind == "elementwise" and not e.kwargs


def _broadcasts(e: Expr, name: str) -> bool:
    if isinstance(e, Name):
        return e.id == name
    return isinstance(e, Call) and _elementwise(e) and any(_broadcasts(a, name) for a in e.args)


def _named_alike(s: Stmt, names: set[str]) -> set[str]:
    """The variables that `s` binds to what has the shape of one of `names`."""
    if not isinstance(s, Assign) or not _alike(s.value, names):
        return set()
    return {t.id for t in s.targets if isinstance(t, Name)}


def _alike(e: Expr, names: set[str]) -> bool:
    if isinstance(e, Name):
        return e.id in names
    return isinstance(e, Call) and e.fn in _SAME and len(e.args) == 1 and _alike(e.args[0], names)


def _asked(s: Stmt, names: set[str]) -> tuple[Expr, ...]:
    """The expressions of `s` but for those that only hand the array on."""
    exprs = stmt_exprs(s)
    if isinstance(s, Return) and isinstance(s.value, Tuple):
        exprs = s.value.items
    if isinstance(s, (Return, Assign)):
        exprs = tuple(e for e in exprs if not _alike(e, names))
    return exprs


def _depends(e: Expr, names: set[str]) -> bool:
    """Whether `e` reads one of `names` for more than the length of an axis."""
    if isinstance(e, Call) and e.fn == "builtins.len" and isinstance(e.args[0], Name):
        return False
    if isinstance(e, Call) and e.fn == "operator.getitem" and isinstance(e.args[1], Const):
        of = e.args[0]
        if isinstance(of, Call) and of.fn == "attr.shape" and isinstance(of.args[0], Name):
            return False
    if isinstance(e, Name):
        return e.id in names
    return any(_depends(c, names) for c in children(e)) or bool(
        set(getattr(e, "reads", ())) & names
    )
