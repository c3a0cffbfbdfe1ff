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
_WHOLE = (None, "gen", "general", "banded")
_ASSUMING = ("lower", "assume_a", "transposed")


def _assuming(*names: str) -> Rewrite:
    """`scipy.linalg.solve` and `inv` with what they may assume of their matrix: of the part of it that they read."""

    def change(e: Call, facts: Facts) -> Expr | None:
        args = given(e, *names)
        said = {k: args.pop(k) for k in _ASSUMING if k in args}
        if len(e.args) > len(names) or not said:
            return None
        if not all(isinstance(v, Const) for v in said.values()) or "a" not in args:
            return None
        assumed, lower, transposed = (
            v.value if isinstance(v := said.get(k, NONE), Const) else None
            for k in ("assume_a", "lower", "transposed")
        )
        if facts.type(args["a"]).dtype in COMPLEX and assumed not in _WHOLE:
            return None
        read = _read_of(args.pop("a"), assumed, lower=bool(lower))
        if read is None:
            return None
        a = _transposed(read) if transposed and assumed not in _ONE_TRIANGLE else read
        first = (a, args.pop("b")) if "b" in args else (a,)
        return Call(e.fn, first, tuple(args.items()), origin=e.origin)

    return change


def _read_of(a: Expr, assumed: object, *, lower: bool) -> Expr | None:
    """The matrix that a solver sees in `a`; None where its assumption is not known here."""
    if assumed in _WHOLE:
        return a
    if assumed in _ONE_TRIANGLE:
        return _mirrored(a, lower=lower)
    if assumed in ("upper triangular", "lower triangular"):
        return np_call("triu" if assumed == "upper triangular" else "tril", a)
    width = {"diagonal": 0, "tridiagonal": 1}.get(str(assumed))
    return (
        None if width is None else np_call("triu", np_call("tril", a, Const(width)), Const(-width))
    )


def _hermitian_inverse(e: Call, facts: Facts) -> Expr | None:
    """`np.linalg.pinv(a, hermitian=True)`: of the matrix whose lower triangle is read."""
    args = given(e, "a", "rcond", "hermitian")
    if args.pop("hermitian", NONE) != Const(True) or facts.type(args["a"]).dtype in COMPLEX:
        return None
    a = _mirrored(args.pop("a"), lower=True)
    return Call(e.fn, (a,), tuple(args.items()), origin=e.origin)


def _values_of_pair(e: Call, facts: Facts) -> Expr | None:
    """`scipy.linalg.eigvalsh(a, b)`: what `eigh` gives of both without vectors."""
    args = given(e, "a", "b")
    b = args.pop("b", NONE)
    if b == NONE or len(e.args) > 2:
        return None
    kwargs = (*((k, v) for k, v in args.items() if k != "a"), ("eigvals_only", Const(True)))
    return Call("scipy.linalg.eigh", (args["a"], b), kwargs, origin=e.origin)


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
    "scipy.linalg.solve": _assuming("a", "b", "lower"),
    "scipy.linalg.inv": _assuming("a"),
    "scipy.linalg.eigvalsh": _values_of_pair,
    "numpy.linalg.pinv": _hermitian_inverse,
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
