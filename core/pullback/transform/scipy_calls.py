"""Calls of SciPy, and of NumPy's transforms, that are other calls, written differently.

    scipy.linalg.solve(a, b, assume_a="pos")   ->  scipy.linalg.solve(np.triu(a) + np.triu(a, 1).T, b)
    scipy.linalg.cho_solve((c, True), b)       ->  two triangular solves
    scipy.stats.norm(m, s).logpdf(x)           ->  scipy.stats.norm.logpdf(x, m, s)

May not know: how anything is reversed.
"""

from __future__ import annotations

from ..analysis.facts import Facts
from ..ir import Call, Const, Expr, IfExp, Tuple, duplicate
from ..rules import rule_for
from .keywords import COMPLEX, NONE
from .pieces import Rewrite, at_least, display_items, given, np_call

# --- linear algebra ------------------------------------------------------------------------------

_ONE_TRIANGLE = ("sym", "symmetric", "her", "hermitian", "pos", "positive definite")


def _solve(e: Call, facts: Facts) -> Expr | None:
    """`scipy.linalg.solve` with what it may assume of its matrix: it reads one triangle of a symmetric one."""
    args = given(e, "a", "b", "lower")
    said = {k: args.pop(k) for k in ("lower", "assume_a", "transposed") if k in args}
    if len(e.args) > 3 or not said or not all(isinstance(v, Const) for v in said.values()):
        return None
    a, assumed = args.pop("a"), said.get("assume_a", NONE)
    if isinstance(assumed, Const) and assumed.value in _ONE_TRIANGLE:
        if facts.type(a).dtype in COMPLEX:
            return None
        a = _mirrored(a, lower=said.get("lower") == Const(True))
    elif said.get("transposed") == Const(True):
        a = _transposed(a)
    b = args.pop("b")
    return Call(e.fn, (a, b), tuple(args.items()), origin=e.origin)


def _mirrored(a: Expr, *, lower: bool) -> Expr:
    """The symmetric matrix whose lower or upper triangle is that of `a`."""
    name, k = ("tril", -1) if lower else ("triu", 1)
    strict = np_call(name, duplicate(a), Const(k))
    return Call("operator.add", (np_call(name, a), _transposed(strict)))


def _transposed(a: Expr) -> Expr:
    return np_call("swapaxes", a, Const(-1), Const(-2))


def _cho_solve(e: Call, facts: Facts) -> Expr | None:
    """`cho_solve((c, lower), b)`: two triangular solves; the factor may be what `cho_factor` gave."""
    if len(e.args) < 2:
        return None
    factor = display_items(e.args[0])
    if factor is None and len(facts.type(e.args[0]).items or ()) == 2:
        parts = (duplicate(e.args[0]) for _ in range(2))
        factor = [Call("operator.getitem", (part, Const(k))) for k, part in enumerate(parts)]
    if factor is None or len(factor) != 2:
        return None
    c, lower = factor
    first, second = _either(lower, Const(0), Const("T")), _either(lower, Const("T"), Const(0))
    solve = "scipy.linalg.solve_triangular"
    inner = Call(solve, (c, e.args[1]), (("trans", first), ("lower", lower)))
    again = (("trans", second), ("lower", duplicate(lower)))
    return Call(solve, (duplicate(c), inner), again)


def _either(test: Expr, yes: Expr, no: Expr) -> Expr:
    if isinstance(test, Const):
        return yes if test.value else no
    return IfExp(duplicate(test), yes, no)


def _block_diag(e: Call, facts: Facts) -> Expr | None:
    """Each block with as many zeros before and behind it as the others are wide."""
    blocks = [at_least(a, 2, facts) for a in e.args]
    if not blocks or e.kwargs or any(display_items(a) is not None for a in e.args):
        return None
    rows = []
    for k, block in enumerate(blocks):
        sides = (blocks[:k], blocks[k + 1 :])
        widths = [
            Tuple(tuple(_total([_length(b, axis) for b in side]) for side in sides))
            for axis in (0, 1)
        ]
        rows.append(np_call("pad", duplicate(block), Tuple(tuple(widths))))
    out = rows[0]
    for row in rows[1:]:
        out = Call("operator.add", (out, row))
    return out


def _length(x: Expr, axis: int) -> Expr:
    return Call("operator.getitem", (np_call("shape", duplicate(x)), Const(axis)))


def _total(lengths: list[Expr]) -> Expr:
    out: Expr = Const(0)
    for k, length in enumerate(lengths):
        out = length if k == 0 else Call("operator.add", (out, length))
    return out


# --- signals and spectra -------------------------------------------------------------------------


def _correlate(e: Call, facts: Facts) -> Expr | None:
    """A convolution with the second signal turned round."""
    args = given(e, "in1", "in2", "mode", "method")
    if set(args) - {"in1", "in2", "mode", "method"} or facts.type(e).dtype in COMPLEX:
        return None
    turned = np_call("flip", args["in2"])
    return Call("scipy.signal.convolve", (args["in1"], turned, args.get("mode", Const("full"))))


def _convolve2d(e: Call, facts: Facts) -> Expr | None:
    """Of images as of any arrays, where what lies outside is 0."""
    args = given(e, "in1", "in2", "mode", "boundary", "fillvalue")
    if args.pop("boundary", Const("fill")) != Const("fill") or args.pop(
        "fillvalue", Const(0)
    ) != Const(0):
        return None
    plain = Call("scipy.signal.convolve", (args.pop("in1"), args.pop("in2")), tuple(args.items()))
    return plain if e.fn.endswith(".convolve2d") else _correlate(plain, facts)


_OTHER_NORM = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def _hermitian(e: Call, facts: Facts) -> Expr | None:
    """`hfft` and `ihfft` by the transforms of real signals, which are scaled the other way round."""
    args = given(e, "a", "n", "axis", "norm")
    norm = args.pop("norm", NONE)
    if not isinstance(norm, Const) or norm.value not in _OTHER_NORM:
        return None
    scaled = (
        *((k, v) for k, v in args.items() if k != "a"),
        ("norm", Const(_OTHER_NORM[norm.value])),
    )
    module, _, name = e.fn.rpartition(".")
    if name == "hfft":
        return Call(f"{module}.irfft", (np_call("conj", args["a"]),), scaled)
    return np_call("conj", Call(f"{module}.rfft", (args["a"],), scaled))


def _inverse_sums(e: Call, facts: Facts) -> Expr | None:
    """`idct` and `idst` by the transform of the other type, which is scaled the other way round."""
    args = given(e, "x", "type", "n", "axis", "norm")
    kind, norm = args.pop("type", Const(2)), args.pop("norm", NONE)
    if not isinstance(kind, Const) or not isinstance(norm, Const) or norm.value not in _OTHER_NORM:
        return None
    other = Const({2: 3, 3: 2}.get(kind.value, kind.value))
    kwargs = ((k, v) for k, v in args.items() if k != "x")
    scaled = (*kwargs, ("norm", Const(_OTHER_NORM[norm.value])))
    return Call(e.fn.replace(".i", "."), (args["x"], other), scaled)


# --- distributions -------------------------------------------------------------------------------


def frozen(e: Call, facts: Facts) -> Expr | None:
    """`scipy.stats.norm(m, s).logpdf(x)`: the method of the family, its parameters behind the argument."""
    family = e.args[0]
    if not isinstance(family, Call) or not family.fn.startswith("scipy.stats."):
        return None
    name = f"{family.fn}.{e.fn.removeprefix('method.')}"
    rule = rule_for(name)
    if rule is None or rule.kind == "unsupported":
        return None
    return Call(name, (*e.args[1:], *family.args), (*e.kwargs, *family.kwargs), origin=e.origin)


SCIPY: dict[str, Rewrite] = {
    "scipy.linalg.solve": _solve,
    "scipy.linalg.cho_solve": _cho_solve,
    "scipy.linalg.block_diag": _block_diag,
    "scipy.signal.correlate": _correlate,
    "scipy.fft.idct": _inverse_sums,
    "scipy.fft.idst": _inverse_sums,
    "scipy.signal.convolve2d": _convolve2d,
    "scipy.signal.correlate2d": _convolve2d,
    **dict.fromkeys(
        (f"{m}.{f}" for m in ("numpy.fft", "scipy.fft") for f in ("hfft", "ihfft")), _hermitian
    ),
}
FROZEN = {f"method.{n}" for n in ("pdf", "logpdf", "pmf", "logpmf", "cdf", "sf", "ppf", "isf")}
FROZEN |= {"method.logcdf", "method.logsf"}
