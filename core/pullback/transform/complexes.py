"""Complex values: conjugates of what formulas name, and real parts where an operand is real.

Cotangents pair with tangents as the real part of conj(bar) * dot. So a holomorphic function multiplies by
the conjugate of its derivative, and what reaches a real operand is the real part.

May not know: statements, slots, which function is at hand.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from ..analysis.types import leaf_dtype, may_be_complex
from ..ir import Call, Const, Expr, Tuple, walk
from ..optimize.build import ADD, DIV, MUL, NEG, SUB, mul, neg
from .context import Bar, Context, is_hole

REAL, IMAG = "attr.real", "attr.imag"
PARTS = (REAL, IMAG)  # views of the two halves of a complex array
_ARITHMETIC: dict[str, Callable[..., complex]] = {
    ADD: operator.add,
    SUB: operator.sub,
    MUL: operator.mul,
    NEG: operator.neg,
}


def is_complex(ctx: Context, e: Expr) -> bool:
    """Whether primal `e` is, or on some path may be, complex."""
    return may_be_complex(leaf_dtype(ctx.facts.type(e)))


def made_complex(ctx: Context, e: Expr, *, surely: bool = False) -> bool:
    """Whether an expression of the backward pass may be complex; of a private helper, if it is given such."""
    if isinstance(e, Call) and e.fn.startswith("<helper>."):
        return any(made_complex(ctx, a, surely=surely) for a in e.args)
    dtype = ctx.val(e).type.dtype
    return dtype == "complex" if surely else may_be_complex(dtype)


def conjugate(ctx: Context, e: Expr) -> Expr:
    """The conjugate of a made expression; `e` itself where it is real."""
    if isinstance(e, Const):
        return Const(e.value.conjugate()) if isinstance(e.value, complex) else e
    if isinstance(e, Tuple):
        return replace(e, items=tuple(conjugate(ctx, i) for i in e.items))
    if not any(made_complex(ctx, x) for x in walk(e)):
        return e
    known = _literal(ctx.holes[e.id].expr) if is_hole(e) else None
    if known is not None:
        return Const(known.conjugate())
    if isinstance(e, Call) and e.fn == NEG:
        return neg(conjugate(ctx, e.args[0]))
    if isinstance(e, Call) and e.fn in (ADD, SUB, MUL, DIV):
        a, b = e.args
        if isinstance(a, Call) and a.fn == NEG and e.fn in (MUL, DIV):
            return neg(conjugate(ctx, replace(e, args=(a.args[0], b))))
        if isinstance(a, Const) or isinstance(b, Const):
            return replace(e, args=(conjugate(ctx, a), conjugate(ctx, b)))
    if ctx.val(e).type.kind == "array":
        return Call("numpy.conj", (e,))
    return Call(
        "method.conjugate", (e,)
    )  # np.conj would widen what a Python number is multiplied by


def _literal(e: Expr) -> complex | None:
    """The value of `1.0 + 2j`, None where `e` is more than literals."""
    if isinstance(e, Const):
        return complex(e.value) if isinstance(e.value, (int, float, complex)) else None
    if not isinstance(e, Call) or e.fn not in _ARITHMETIC:
        return None
    values = [_literal(a) for a in e.args]
    return None if None in values else _ARITHMETIC[e.fn](*values)


def fitting(ctx: Context, bar: Bar, operand: Expr, whole: Expr | None = None) -> Bar:
    """`bar`, or its real part where `operand` is real and `bar`, or the value `whole` it is from, is not."""
    if not ctx.complex or ctx.facts.type(operand).items is not None or is_complex(ctx, operand):
        return bar
    if whole is None or not is_complex(ctx, whole) or ctx.val(bar.expr).type.dtype == "float":
        if not made_complex(ctx, bar.expr):
            return bar
    return replace(bar, expr=real_part(bar.expr))


def real_part(e: Expr) -> Expr:
    """The real part, without a product by the imaginary unit: `(-1j * z).real` is `z.imag`."""
    if isinstance(e, Const):
        return Const(e.value.real)
    if isinstance(e, Call) and e.fn == NEG:
        return neg(real_part(e.args[0]))
    if isinstance(e, Call) and e.fn == MUL:
        for c, z in (e.args, e.args[::-1]):
            if isinstance(c, Const) and isinstance(c.value, complex) and c.value.real == 0.0:
                return mul(Const(-c.value.imag), Call(IMAG, (z,)))
    return Call(REAL, (e,))
