"""What expressions are called on a backend: `np.exp` as `jnp.exp`, `a and b` of traced values as a function of them.

May not know: statements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce

from ..analysis.facts import Problem
from ..ir import BoolOp, Call, Compare, Expr, Function, IfExp, Opaque, Ref, Slice, Span, rebuild
from ..optimize.effects import known_pure
from .static import Static

NUMPY = "numpy."
# what JAX has in no module of its own, or what writes or draws
_ABSENT = (
    "random.",
    "add.at",
    "subtract.at",
    "put",
    "place",
    "copyto",
    "putmask",
    "nditer",
    "errstate",
)
_MATH = {
    "math.acos": "arccos",
    "math.asin": "arcsin",
    "math.atan": "arctan",
    "math.atan2": "arctan2",
    "math.acosh": "arccosh",
    "math.asinh": "arcsinh",
    "math.atanh": "arctanh",
    "math.fabs": "abs",
    "math.pow": "power",
}
_SPECIAL = {
    "math.erf": "erf",
    "math.erfc": "erfc",
    "math.lgamma": "gammaln",
}
_SCIPY = ("scipy.special.", "scipy.linalg.", "scipy.stats.")
_OF_NUMBERS = {"builtins.abs": "abs", "builtins.round": "round"}
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
    """The words of JAX. `called` are the workspace functions that the function calls."""

    static: Static
    function: Callable[[str], Function | None]
    name_of: Callable[[str], str]
    writes: Callable[[str], bool]  # whether a function writes into its parameters
    problems: list[Problem] = field(default_factory=list)
    array: str = "jax.numpy."
    cond: str = "jax.lax.cond"
    counted: str = "jax.lax.fori_loop"
    open: str = "jax.lax.while_loop"

    def of(self, e: Expr) -> Expr:
        """`e` in the words of the backend; itself where it is static, or says them already."""
        if self.static.holds(e):
            return e
        if isinstance(e, BoolOp):
            return self._of_truths(e)
        new = rebuild(e, self.of)
        if isinstance(new, Compare) and len(new.ops) > 1:
            return self._chain(new)
        if isinstance(new, IfExp) and not self.static.holds(new.test):
            return Call(f"{self.array}where", (new.test, new.body, new.orelse))
        if isinstance(new, Ref) and new.qualname.startswith(NUMPY):
            return Ref(self.array + new.qualname[len(NUMPY) :], new.text)
        if isinstance(e, Slice) and not all(map(self.static.holds, _ends(e))):
            self._problem(e, "a slice", "its ends are only known when it runs")
        if isinstance(e, Call) and self.static.selects(e):
            name = "a mask" if e.fn == "operator.getitem" else e.fn
            self._problem(e, name, "how many elements it selects is only known when it runs")
        if isinstance(new, Opaque):
            self._problem(e, new.kind, "what it does with traced values is not looked into")
        return self._call(new) if isinstance(new, Call) else new

    def truth(self, e: Expr) -> Expr:
        """`e` where only its truth is asked for."""
        if self.static.holds(e):
            return e
        if isinstance(e, BoolOp):
            return self.both(f"logical_{e.op}", tuple(map(self.truth, e.values)))
        if isinstance(e, Call) and e.fn == "operator.not_":
            return Call(f"{self.array}logical_not", tuple(map(self.truth, e.args)))
        return self.of(e)

    def _of_truths(self, e: BoolOp) -> Expr:
        """`a and b` as a value: of truth values, since it gives one of the two."""
        if not all(self.static.facts.type(v).dtype == "bool" for v in e.values):
            self._problem(
                e, e.op, "it gives one of its values, and which one is only known when it runs"
            )
        return self.truth(e)

    def both(self, name: str, values: tuple[Expr, ...]) -> Expr:
        """Truth values that are traced, together."""
        return reduce(lambda a, b: Call(self.array + name, (a, b)), values)

    def _chain(self, e: Compare) -> Expr:
        terms = (e.first, *e.rest)
        pairs = tuple(Compare(a, (op,), (b,)) for a, op, b in zip(terms, e.ops, terms[1:]))
        return self.both("logical_and", pairs)

    def _call(self, e: Call) -> Expr:
        fn = e.fn
        if fn.startswith(NUMPY):
            return self._numpy(e)
        if fn.startswith("math."):
            if fn in _SPECIAL:
                return replace(e, fn=f"jax.scipy.special.{_SPECIAL[fn]}")
            return replace(e, fn=self.array + _MATH.get(fn, fn.removeprefix("math.")))
        if fn.startswith(_SCIPY):
            return replace(e, fn=f"jax.{fn}")
        if fn == "operator.not_":
            return replace(e, fn=f"{self.array}logical_not")
        if fn in _OF_NUMBERS:
            return replace(e, fn=self.array + _OF_NUMBERS[fn])
        if fn in ("builtins.min", "builtins.max") and len(e.args) > 1:
            word = f"{self.array}{'minimum' if fn.endswith('min') else 'maximum'}"
            return reduce(lambda a, b: Call(word, (a, b)), e.args)
        if fn in ("builtins.float", "builtins.int") and len(e.args) == 1:
            kind = Ref(fn, fn.removeprefix("builtins."))
            return Call(f"{self.array}asarray", (*e.args, kind))
        if fn in _FROZEN:
            self._problem(e, fn.rpartition(".")[2], "it would freeze a traced value", "PB508")
        if self.function(fn) is not None:
            if self.writes(fn):
                self._problem(e, fn.lstrip("."), "it writes into what it is passed")
            if not all(map(self.static.holds, self.static.given(e))):
                reason = "it needs a value while it is traced that only the run knows"
                self._problem(e, fn.lstrip("."), reason)
            return replace(e, fn=f".{self.name_of(fn)}", callee=None)
        if not known_pure(e) and not fn.startswith(_OF_TRACE) and fn not in _FROZEN:
            self._problem(e, fn.lstrip("?."), "what it gives once would be taken for ever", "PB508")
        return e

    def _numpy(self, e: Call) -> Expr:
        name = e.fn[len(NUMPY) :]
        if name.startswith(_ABSENT[0]) or name in _ABSENT:
            self._problem(e, e.fn, "JAX has no such function")
        return replace(e, fn=self.array + name)

    def _problem(self, e: Expr, name: str, reason: str, code: str = "PB502") -> None:
        at = e.origin or self.static.fn.name_span or Span(0, 0)
        self.problems.append(Problem(code, at, (("name", name), ("reason", reason))))


def _ends(e: Slice) -> tuple[Expr, ...]:
    return tuple(p for p in (e.lower, e.upper, e.step) if p is not None)
