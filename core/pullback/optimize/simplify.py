"""Algebra on elementwise arithmetic: adjoints as an expert would write them.

Normal form: a sum of signed terms, each an ordered product of factors and divisors with at most one
literal coefficient. Everything that is not `+ - * / **` is an atom whose parts are simplified on
their own. No user-written sum is multiplied out. No factor is cancelled against a divisor but
literals, and those are folded only where the result is exact in binary.

A value is taken to be floating at the top, where adjoints stand. Inside an atom's arguments
arithmetic is touched only where the text shows that it is floating and stays so, since there
`x * 1.0` may be what makes an integer a float, and `n + n` may be a list.

May not know: statements, rules, types, aliases.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypeGuard

from ..ir import Call, Const, Expr, IfExp, Name, Slice, Tuple, rebuild
from .build import (
    ADD,
    DIV,
    MUL,
    NEG,
    POS,
    POW,
    SUB,
    is_call,
    is_plain_sum,
    number,
    without_minus,
)
from .evidence import (
    ARITHMETIC,
    exact,
    holds_container,
    is_literal,
    literal,
    shows_float,
)
from .normal_form import Factor, Known, Product, can_be_added, emit, emit_sum, signed

_ROUNDS = 5  # a sum that was turned round may be part of its neighbour: then once more


def simplify(
    e: Expr,
    *,
    floating: bool = True,
    narrow: AbstractSet[str] = frozenset(),
    ours: bool = False,
) -> Expr:
    """`e` in the normal form above; `e` itself where nothing is gained.

    `floating=False` is for expressions that may be of any type (the user's own statements).
    """
    keys = Known(narrow, ours)
    try:
        for _ in range(_ROUNDS):
            before, e = e, _whole(e, keys, floating)
            if e is before:
                break
    except RecursionError:  # nobody's adjoint is nested that deep; it stays as it stands
        pass
    return e


def _whole(e: Expr, keys: Known, floating: bool) -> Expr:
    if not is_call(e, *ARITHMETIC) and _negated(e) is None:
        return _atom(e, keys, floating)
    if not floating and not (shows_float(e) or is_literal(e)):
        return rebuild(e, lambda c: _whole(c, keys, False))
    product = _product(e, keys)
    if floating and product.zero():
        return Const(0.0)
    found = _same_or(e, emit(product, keys), keys)
    if floating or found is e or is_literal(e) or shows_float(found):
        return found
    return rebuild(e, lambda c: _whole(c, keys, False))


def _atom(e: Expr, keys: Known, floating: bool) -> Expr:
    if isinstance(e, (Name, Const)):
        return e
    if isinstance(e, IfExp) and floating:
        test = _whole(e.test, keys, False)
        body, orelse = _whole(e.body, keys, True), _whole(e.orelse, keys, True)
        same = test is e.test and body is e.body and orelse is e.orelse
        return e if same else replace(e, test=test, body=body, orelse=orelse)
    return rebuild(e, lambda c: _whole(c, keys, False))


def _same_or(e: Expr, new: Expr, keys: Known) -> Expr:
    return e if keys.of(e) == keys.of(new) else new


def _product(e: Expr, keys: Known) -> Product:
    """`e` as one product; sums inside it are factors."""
    out = Product()
    todo: list[tuple[Expr, int]] = [(e, 1)]
    while todo:
        e, power = todo.pop()
        if isinstance(e, Const) and literal(e) is not None:
            _take_number(out, e, power)
        elif is_call(e, *ARITHMETIC) and keys.stays(e):
            _take_atom(out, _atom(e, keys, False), power)
        elif is_call(e, NEG, POS):
            out.sign = -out.sign if e.fn == NEG else out.sign
            todo.append((e.args[0], power))
        elif power < 0:
            _take_below(out, e, keys)
        elif is_call(e, MUL, DIV):
            left, right = e.args
            out.moved |= is_call(right, MUL, DIV, NEG, POS) and number(right) is None
            todo.append((right, 1 if e.fn == MUL else -1))
            todo.append((left, 1))
        elif is_call(e, ADD, SUB) and not holds_container(e):
            _take(out, _sum(e, keys))
        elif is_call(e, POW):
            base, exponent = e.args[0], _whole(e.args[1], keys, False)
            if literal(exponent) == 1:
                todo.append((base, 1))
            else:
                _take_atom(out, _power(e, _whole(base, keys, False), exponent))
        elif (negated := _negated(e)) is not None:
            out.sign = -out.sign
            todo.append((negated, power))
        else:
            _take_atom(out, _atom(e, keys, False))
    return _settled(out, keys)


def _negated(e: Expr) -> Expr | None:
    """`np.sum(x)` for `np.sum(-x)`."""
    return without_minus(e) if is_plain_sum(e) else None


def _power(e: Call, base: Expr, exponent: Expr) -> Expr:
    same = base is e.args[0] and exponent is e.args[1]
    return e if same else replace(e, args=(base, exponent))


def _take_atom(out: Product, e: Expr, power: int = 1) -> None:
    out.factors.append(Factor(e, power))


def _take(out: Product, p: Product) -> None:
    """Multiply `out` by `p`, in place."""
    out.sign *= p.sign
    out.moved |= p.number is not None or len(p.factors) > 1
    for i, f in enumerate(p.factors):
        if p.number is not None and p.place == i:
            _take_number(out, p.number, 1)
        out.factors.append(f)
    if p.number is not None and p.place >= len(p.factors):
        _take_number(out, p.number, 1)


def _take_below(out: Product, e: Expr, keys: Known) -> None:
    """Divide `out` by something that is no literal."""
    p = _product(e, keys)
    out.sign *= p.sign
    p.sign = 1
    if not p.factors:
        _take_number(out, p.number or p.unit, -1)
    elif len(p.factors) == 1 and p.number is None and p.factors[0].power > 0:
        out.factors.append(Factor(p.factors[0].expr, -1, p.factors[0].terms))
    else:
        out.factors.append(Factor(_same_or(e, emit(p, keys), keys), -1, product=p))


def _take_number(out: Product, c: Const, power: int) -> None:
    value = c.value
    if value < 0:
        out.sign, c = -out.sign, Const(-value)
    if power < 0:
        if value in (1, -1):
            out.moved = True
        else:
            _take_atom(out, c, -1)
        return
    if out.number is None:
        out.number, out.place = c, len(out.factors)
        return
    found = exact(out.number.value, c.value, MUL)
    if found is None:
        _take_atom(out, c)
        return
    out.number, out.moved = Const(found), True


def _settled(p: Product, keys: Known) -> Product:
    """Fold the literals above and below the bar, and give the coefficient its place."""
    if p.number is not None and p.number.value not in (0, 1):
        _take_literals_of_views(p, keys)
        _cancel_literals(p, keys)
    if p.number is not None and p.number.value == 1:
        p.unit, p.number = p.number, None
    if p.number is not None and p.moved:
        last = p.place >= len(p.factors) and any(f.power > 0 for f in p.factors)
        p.place = len(p.factors) if last else 0
    return p


def _cancel_literals(p: Product, keys: Known) -> None:
    for i in range(len(p.factors) - 1, -1, -1):
        f = p.factors[i]
        below = f.product.number if f.product is not None else f.expr
        if (
            f.power > 0
            or p.number is None
            or not isinstance(below, Const)
            or literal(below) is None
        ):
            continue
        found = exact(p.number.value, below.value, DIV)
        if found is None:
            continue
        at_end = p.place >= len(p.factors)
        p.number, p.moved = Const(found), True
        if f.product is None:
            del p.factors[i]
            p.place -= i < p.place
        else:
            p.factors[i] = _below(replace(f.product, number=None), keys)
        if at_end:
            p.place = len(p.factors)


def _take_literals_of_views(p: Product, keys: Known) -> None:
    """`2.0 * (0.5 * t)[:, None]` is `t[:, None]`: a literal of an array that only gets axes meets the others."""
    for i, f in enumerate(p.factors):
        if p.number is None or f.power < 0 or not _gets_axes(f.expr):
            continue
        whole, index = f.expr.args
        inner = _product(whole, keys)
        if inner.number is None or not inner.factors or type(inner.number.value) is not float:
            continue
        found = exact(p.number.value, inner.number.value, MUL)
        if found is None:
            continue
        p.number, p.sign, p.moved = Const(found), p.sign * inner.sign, True
        bare = emit(replace(inner, sign=1, number=None), keys)
        p.factors[i] = Factor(replace(f.expr, args=(bare, index)))


def _gets_axes(e: Expr) -> TypeGuard[Call]:
    """`t[:, None]`: all of `t`, with more axes."""
    if not is_call(e, "operator.getitem") or not isinstance(e.args[1], Tuple):
        return False
    return all(i in (Const(None), Slice(None, None, None)) for i in e.args[1].items)


def _below(p: Product, keys: Known) -> Factor:
    if len(p.factors) == 1 and p.factors[0].power > 0:
        return Factor(p.factors[0].expr, -1, p.factors[0].terms)
    return Factor(emit(p, keys), -1, product=p)


# --- sums ----------------------------------------------------------------------------------------


def _sum(e: Expr, keys: Known) -> Product:
    """`e`, an addition or subtraction, as one product: a common factor and a sum, or a sum alone."""
    written: list[tuple[int, Expr]] = []
    rest = e
    while is_call(rest, ADD, SUB) and not holds_container(rest) and not keys.stays(rest):
        left, right = rest.args
        written.append((1 if rest.fn == ADD else -1, right))
        rest = left
    written.append((1, rest))
    terms = [signed(_product(t, keys), sign) for sign, t in reversed(written)]
    terms = _merged(_without_zeros(_literals_added(_spliced(terms)), keys), keys)
    if len(terms) == 1:
        return terms[0]
    return _factored(terms, keys) or _sum_of(terms, keys, e)


def _sum_of(terms: list[Product], keys: Known, written: Expr | None = None) -> Product:
    new = emit_sum(terms, keys)
    return Product(factors=[Factor(_same_or(written, new, keys) if written else new, 1, terms)])


def _spliced(terms: list[Product]) -> list[Product]:
    """A sum that stands first in a sum is part of it."""
    first = terms[0]
    if len(first.factors) == 1 and first.number is None and first.factors[0].power > 0:
        inner = first.factors[0].terms
        if inner is not None:
            return [signed(t, first.sign) for t in inner] + terms[1:]
    return terms


def _without_zeros(terms: list[Product], keys: Known) -> list[Product]:
    """Drop literal zeros, but where they alone give the sum its shape."""
    kept = [t for t in terms if not t.zero()]
    if len(kept) == len(terms):
        return terms
    there = {keys.of(f.expr) for t in kept for f in t.factors}
    for t in terms:
        if t.zero() and not all(keys.of(f.expr) in there for f in t.factors):
            return terms
    return kept or terms[:1]


def _merged(terms: list[Product], keys: Known) -> list[Product]:
    """`x + x` is `2.0 * x`; what cancels to nothing stays, since it has a shape (and may be nan)."""
    groups: dict[object, list[Product]] = {}
    for i, t in enumerate(terms):
        key: object = tuple(sorted(_bag(t, keys).items())) if t.factors else i
        groups.setdefault(key, []).append(t)
    if len(groups) == len(terms):
        return terms
    new: dict[int, Product | None] = {}
    for group in groups.values():
        coefficient = _exact_total(group)
        if len(group) > 1 and coefficient:
            new.update({id(t): None for t in group})
            new[id(group[0])] = _scaled(group[0], coefficient)
    merged = (new.get(id(t), t) for t in terms)
    return [t for t in merged if t is not None]


def _exact_total(group: list[Product]) -> int | float | None:
    out: int | float | None = 0
    for t in group:
        out = None if out is None else exact(out, t.sign * _coefficient(t), ADD)
    return out


def _literals_added(terms: list[Product]) -> list[Product]:
    """Literals at the very front added up, where that is exact."""
    while len(terms) > 1 and not terms[0].factors and not terms[1].factors:
        a, b = (t.sign * (t.number or t.unit).value for t in terms[:2])
        found = exact(a, b, ADD)
        if found is None:
            break
        terms = [_number_term(found), *terms[2:]]
    return terms


def _number_term(value: int | float) -> Product:
    return Product(sign=-1 if value < 0 else 1, number=Const(abs(value)))


def _coefficient(p: Product) -> float:
    return float(p.number.value) if p.number is not None else 1.0


def _scaled(p: Product, value: int | float) -> Product:
    sign = -1 if value < 0 else 1
    number = None if abs(value) == 1 else Const(abs(value))
    place = p.place if p.number is not None else 0
    return replace(p, sign=sign, number=number, place=place)


def _bag(p: Product, keys: Known) -> dict[tuple[int, int], int]:
    out: dict[tuple[int, int], int] = {}
    for f in p.factors:
        key = (keys.of(f.expr), f.power)
        out[key] = out.get(key, 0) + 1
    return out


def _factored(terms: list[Product], keys: Known) -> Product | None:
    """`g * a + g * b` as `g * (a + b)`, where that takes fewer operations."""
    bags = [_bag(t, keys) for t in terms]
    shared = {k: min(b.get(k, 0) for b in bags) for k in bags[0]}
    number = terms[0].number
    if number is None or any(
        t.number is None or keys.of(t.number) != keys.of(number) for t in terms
    ):
        number = None
    common, _, first = _split(terms[0], shared, keys)
    if not common and number is None:
        return None
    rests = []
    for t in terms:
        _, rest, _ = _split(t, shared, keys)
        left = None if number is not None else t.number
        place = t.place - sum(1 for f in t.factors[: t.place] if f not in rest)
        rests.append(Product(t.sign, left, max(place, 0), rest))
    outside = len(common) + (number is not None)
    if sum(t.cost() - r.cost() for t, r in zip(terms, rests, strict=True)) <= outside:
        return None
    if not can_be_added(rests, keys):
        return None
    inner = _sum_of(rests, keys)
    factors = inner.factors + common if first else common + inner.factors
    return _settled(Product(1, number, 0, factors, moved=True), keys)


def _split(
    p: Product, shared: dict[tuple[int, int], int], keys: Known
) -> tuple[list[Factor], list[Factor], bool]:
    """The shared factors of `p`, its others, and whether the others stand first."""
    left = dict(shared)
    common: list[Factor] = []
    rest: list[Factor] = []
    for f in p.factors:
        key = (keys.of(f.expr), f.power)
        if left.get(key, 0) > 0:
            left[key] -= 1
            common.append(f)
        else:
            rest.append(f)
    return common, rest, bool(rest) and p.factors[: len(rest)] == rest
