"""Products and sums in the normal form of simplify.py, and how they are written down.

A bool and a short integer keep their arithmetic to themselves: in an array `True + True` is True, and `-k` wraps. Where
no float would take part in what is written, one is put in front.

May not know: statements, rules, types, how the normal form is found.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from ..ir import Call, Const, Expr
from .build import ADD, DIV, MUL, NEG, ONE, SUB
from .evidence import is_floating, is_wide, literal
from .keys import Keys


class Known(Keys):
    """Expressions by their structure, and what is known of variables: those in `narrow` may be other than floating.

    Arithmetic on these alone is the user's, and stays as it is, unless the whole is `ours`: then the user wrote no
    part of it.
    """

    def __init__(self, narrow: AbstractSet[str], ours: bool) -> None:
        super().__init__()
        self.narrow, self.ours = narrow, ours

    def floating(self, e: Expr) -> bool:
        return is_floating(e, self.narrow)

    def wide(self, e: Expr) -> bool:
        return is_wide(e, self.narrow)

    def stays(self, e: Expr) -> bool:
        return not self.ours and not is_wide(e, self.narrow)


@dataclass(eq=False)  # compared by identity: equality of trees is the business of Keys
class Factor:
    """`expr` to the power 1 or -1; `terms` where it is a sum, `product` a product below the bar."""

    expr: Expr
    power: int = 1
    terms: list[Product] | None = None
    product: Product | None = None


@dataclass(eq=False)
class Product:
    """sign * number * factors; the number (never negative) stands before factor `place`."""

    sign: int = 1
    number: Const | None = None
    place: int = 0
    factors: list[Factor] = field(default_factory=list)
    moved: bool = False  # no longer the left-to-right chain that was written
    unit: Const = ONE  # how a one is to be spelled

    def above(self) -> bool:
        """Whether anything stands above the bar."""
        return self.number is not None or any(f.power > 0 for f in self.factors)

    def zero(self) -> bool:
        return self.number is not None and self.number.value == 0

    def cost(self) -> int:
        """The operations that it takes, signs left out."""
        operands = len(self.factors) + (self.number is not None)
        return operands - (1 if self.above() else 0)


def signed(p: Product, sign: int) -> Product:
    return p if sign > 0 else Product(-p.sign, p.number, p.place, p.factors, p.moved, p.unit)


def can_be_added(rests: list[Product], keys: Known) -> bool:
    """Whether terms without their common factor can be computed, and added up, on their own: with no literal that
    would make them double precision."""
    first, second = rests[:2]
    if first.sign < 0 and second.sign < 0 and not all(keys.wide(f.expr) for f in first.factors):
        return False
    alone = (len(r.factors) + (r.number is not None) < 2 or _stands(r, keys) for r in rests)
    return all(alone) and any(r.factors and _stands(r, keys) for r in (first, second))


def _stands(p: Product, keys: Known) -> bool:
    """Whether a product begins with what makes it floating, or holds nothing else."""
    if all(keys.wide(f.expr) for f in p.factors):
        return True
    return p.number is None and any(keys.floating(f.expr) for f in p.factors[:2])


def is_wide_product(p: Product, keys: Known) -> bool:
    """Whether something that makes a product floating is among its first two factors."""
    if p.number is not None:
        return type(p.number.value) is float or all(keys.wide(f.expr) for f in p.factors)
    if not p.factors:
        return type(p.unit.value) is float
    return any(f.power < 0 or keys.floating(f.expr) for f in p.factors[:2])


def emit(p: Product, keys: Known) -> Expr:
    """The expression of a product, its sign absorbed where that is free."""
    p = _floated(_flipped(p, keys) if p.sign < 0 else p, keys)
    items = [(f.expr, f.power) for f in p.factors]
    if p.number is not None:
        items.insert(p.place, (p.number, 1))
    first = next((i for i, (_, power) in enumerate(items) if power > 0), None)
    if first is None:
        items.insert(0, (p.unit, 1))
    else:
        items.insert(0, items.pop(first))
    items = _widened(p, items, keys)
    if p.sign < 0:
        at = next((i for i, (x, _) in enumerate(items) if x is p.number), 0)
        items[at] = (_negative(items[at][0]), items[at][1])
    out = items[0][0]
    for x, power in items[1:]:
        out = Call(MUL if power > 0 else DIV, (out, x))
    return out


def _floated(p: Product, keys: Known) -> Product:
    """The product with numbers that are floating where a bool or a short integer may meet them."""
    if all(keys.wide(f.expr) for f in p.factors):
        return p
    number = None if p.number is None else Const(float(p.number.value))
    return replace(p, number=number, unit=Const(float(p.unit.value)))


def _widened(p: Product, items: list[tuple[Expr, int]], keys: Known) -> list[tuple[Expr, int]]:
    """The items, where bools or short integers would meet or change their sign, with something floating in front."""
    first, power = items[0][0], items[1][1] if len(items) > 1 else -1
    positive = p.sign > 0 or p.number is not None
    if keys.floating(first) or all(keys.wide(x) for x, _ in items):
        return items
    if positive and (power < 0 or keys.floating(items[1][0])):
        return items
    wide = next((i for i in items if i[1] > 0 and keys.floating(i[0])), (Const(1.0), 1))
    return [wide, *(i for i in items if i is not wide)]


def _negative(e: Expr) -> Expr:
    value = literal(e)
    return Call(NEG, (e,)) if value is None else Const(-value)


def _flipped(p: Product, keys: Known) -> Product:
    """A negative product with its sign turned into a sum's: `-(a - b)` is `b - a`."""
    for power in (1, -1):
        for i, f in enumerate(p.factors):
            if f.power != power or f.terms is None or all(t.sign > 0 for t in f.terms[:2]):
                continue
            terms = [signed(t, -1) for t in f.terms]
            factors = list(p.factors)
            factors[i] = Factor(emit_sum(terms, keys), power, terms)
            return replace(p, sign=1, factors=factors)
    return p


def emit_sum(terms: list[Product], keys: Known) -> Expr:
    if terms[0].sign < 0 < terms[1].sign:
        terms = [terms[1], terms[0], *terms[2:]]
    out = emit(terms[0], keys)
    if not _are_added_wide(terms, keys):
        out = Const(float(out.value)) if isinstance(out, Const) else Call(MUL, (Const(1.0), out))
    for t in terms[1:]:
        out = Call(ADD if t.sign > 0 else SUB, (out, emit(signed(t, t.sign), keys)))
    return out


def _are_added_wide(terms: list[Product], keys: Known) -> bool:
    """Whether the sum is no sum of bools or short integers."""
    return all(keys.wide(f.expr) for t in terms[:2] for f in t.factors) or any(
        is_wide_product(t, keys) for t in terms[:2]
    )
