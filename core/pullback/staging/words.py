"""What expressions are called on a backend: `np.exp` as `jnp.exp`, `a and b` of traced values as a function of them.

May not know: statements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce

from ..analysis.facts import Problem
from ..ir import (
    BoolOp,
    Call,
    Compare,
    Expr,
    Function,
    IfExp,
    Name,
    Opaque,
    Slice,
    Span,
    rebuild,
)
from ..optimize.effects import known_pure
from .backend import NUMPY, Backend
from .static import LOOPS_OVER, Static

# what lists and dicts do, and iterators that are gone through, while the function is traced
_OF_TRACE = (
    "itertools.",
    "functools.",
    "copy.",
    *(f"method.{m}" for m in ("append", "pop", "extend")),
)
_FROZEN = ("builtins.bool", "method.item", "method.tolist")


@dataclass
class Words:
    """The words of a backend. `floating` is the variable that holds the type of the function's floats."""

    backend: Backend
    static: Static
    floating: str
    function: Callable[[str], Function | None]
    name_of: Callable[[str], str]
    writes: Callable[[str], bool]  # whether a function writes into its parameters
    places: Callable[[Function], set[str]]  # the variables of one that select elements
    problems: list[Problem] = field(default_factory=list)
    counters: set[str] = field(default_factory=set)  # variables that count turns
    asked: bool = False  # whether the type of floats is asked for

    @property
    def array(self) -> str:
        return self.backend.array

    def dtype(self) -> Expr:
        """The type of the function's floats."""
        self.asked = True
        return Name(self.floating)

    def of(self, e: Expr) -> Expr:
        """`e` in the words of the backend; itself where it is static, or says them already."""
        if self.static.holds(e):
            return self.backend.known(e, self.static)
        if isinstance(e, BoolOp):
            return self._of_truths(e)
        new = rebuild(e, self.of)
        if isinstance(e, Compare) and isinstance(new, Compare):
            return self._chain(e, new)
        if isinstance(new, IfExp) and not self.static.holds(new.test):
            return Call(f"{self.array}where", (new.test, new.body, new.orelse))
        if isinstance(e, Slice) and not all(map(self.static.holds, _ends(e))):
            self.problem(e, "a slice", "its ends are only known when it runs")
        if isinstance(e, Call) and self.static.selects(e):
            name = "a mask" if e.fn == "operator.getitem" else e.fn
            self.problem(e, name, "how many elements it selects is only known when it runs")
        if isinstance(new, Opaque):
            self.problem(e, new.kind, "what it does with traced values is not looked into")
        return self._call(e, new) if isinstance(e, Call) and isinstance(new, Call) else new

    def truth(self, e: Expr) -> Expr:
        """`e` where only its truth is asked for."""
        if self.static.holds(e):
            return self.backend.known(e, self.static)
        if isinstance(e, BoolOp):
            return self.both(f"logical_{e.op}", tuple(map(self.truth, e.values)))
        if isinstance(e, Call) and e.fn == "operator.not_":
            return Call(f"{self.array}logical_not", tuple(map(self.truth, e.args)))
        return self.backend.truth(self, e, self.of(e))

    def parts(self, e: Expr) -> Expr:
        """`e` where it is gone through or unpacked while the function is traced."""
        if isinstance(e, Call) and e.fn in LOOPS_OVER and not self.static.holds(e):
            return replace(e, args=tuple(map(self.parts, e.args)))
        return self.backend.parts(self, e, self.of(e))

    def _of_truths(self, e: BoolOp) -> Expr:
        """`a and b` as a value: of truth values, since it gives one of the two."""
        if not all(self.static.facts.type(v).dtype == "bool" for v in e.values):
            self.problem(
                e, e.op, "it gives one of its values, and which one is only known when it runs"
            )
        return self.truth(e)

    def both(self, name: str, values: tuple[Expr, ...]) -> Expr:
        """Truth values that are traced, together."""
        return reduce(lambda a, b: Call(self.array + name, (a, b)), values)

    def _chain(self, was: Compare, e: Compare) -> Expr:
        old, new = (was.first, *was.rest), (e.first, *e.rest)
        pairs = [
            Compare(left, (op,), (right,), origin=e.origin)
            for op, (left, right) in zip(
                e.ops, (self._alike(old[k : k + 2], new[k : k + 2]) for k in range(len(e.ops)))
            )
        ]
        if len(pairs) > 1:
            return self.both("logical_and", tuple(pairs))
        return e if (pairs[0].first, *pairs[0].rest) == new else pairs[0]

    def _alike(self, was: tuple[Expr, ...], now: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Two operands as a backend compares and adds them."""
        return self.backend.alike(self, was, now)

    def _call(self, was: Call, e: Call) -> Expr:
        fn = e.fn
        if fn.startswith("operator.") and len(e.args) == 2 and fn != "operator.getitem":
            args = self._alike(was.args, e.args)
            e = e if args == e.args else replace(e, args=args)
        said = self.backend.said(self, was, e)
        if said is not None:
            return said
        if fn in self.backend.names:
            return replace(e, fn=self.backend.names[fn])
        if fn.startswith(NUMPY):
            return self._numpy(e)
        module = next((m for m in self.backend.modules if fn.startswith(m)), None)
        if module is not None:
            return replace(e, fn=self.backend.modules[module] + fn[len(module) :])
        if fn == "operator.not_":
            return replace(e, fn=f"{self.array}logical_not")
        if fn in ("builtins.min", "builtins.max") and len(e.args) > 1:
            word = f"{self.array}{'minimum' if fn.endswith('min') else 'maximum'}"
            return reduce(lambda a, b: Call(word, (a, b)), e.args)
        if fn in _FROZEN:
            self.problem(e, fn.rpartition(".")[2], "it would freeze a traced value", "PB508")
        if self.function(fn) is not None:
            return self._workspace(e)
        if not known_pure(e) and not fn.startswith(_OF_TRACE) and fn not in _FROZEN:
            self.problem(e, fn.lstrip("?."), "what it gives once would be taken for ever", "PB508")
        return e

    def _workspace(self, e: Call) -> Expr:
        """A call of a function of the workspace, which is staged too."""
        name = e.fn.lstrip(".")
        if self.writes(e.fn):
            self.problem(e, name, "it writes into what it is passed")
        if not all(map(self.static.holds, self.static.given(e))):
            self.problem(e, name, "it needs a value while it is traced that only the run knows")
        return replace(e, fn=f".{self.name_of(e.fn)}", callee=None)

    def _numpy(self, e: Call) -> Expr:
        name = e.fn[len(NUMPY) :]
        if not self.backend.has(name):
            self.problem(e, e.fn, f"{self.backend.title} has no such function")
        return replace(e, fn=self.array + name)

    def problem(self, e: Expr, name: str, reason: str, code: str = "PB502") -> None:
        at = e.origin or self.static.fn.name_span or Span(0, 0)
        self.problems.append(Problem(code, at, (("name", name), ("reason", reason))))


def _ends(e: Slice) -> tuple[Expr, ...]:
    return tuple(p for p in (e.lower, e.upper, e.step) if p is not None)
