"""scipy.special: logistic, gamma and error functions, distributions, what runs along an axis.

Formulas are from the NIST Digital Library of Mathematical Functions where no source is named.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

from .notation import constant, elementwise, general, on_complex, unsupported

NO_FORM = "it has no closed form"  # why there is no derivative in an order


def in_special(names: str) -> str:
    """The names of functions of scipy.special as entries have them."""
    return " ".join(f"scipy.special.{n}" for n in names.split())


# --- logistic, logarithms, entropies -------------------------------------------------------------

elementwise(in_special("expit"), "x", x="y * (1.0 - y)")
elementwise(in_special("logit"), "x", domain="fraction", x="1.0 / (x * (1.0 - x))")
elementwise(in_special("log_expit"), "x", x="scipy.special.expit(-x)")
elementwise(in_special("softplus"), "x", x="scipy.special.expit(x)")
elementwise(in_special("xlogy"), "x1, x2", domain="positive", x1="np.log(x2)", x2="x1 / x2")
elementwise(
    in_special("xlog1py"), "x1, x2", domain="positive", x1="np.log1p(x2)", x2="x1 / (1.0 + x2)"
)
elementwise(in_special("entr"), "x", domain="positive", x="-np.log(x) - 1.0")
elementwise(
    in_special("rel_entr"), "x1, x2", domain="positive", x1="np.log(x1 / x2) + 1.0", x2="-x1 / x2"
)
elementwise(
    in_special("kl_div"), "x1, x2", domain="positive", x1="np.log(x1 / x2)", x2="1.0 - x1 / x2"
)
elementwise(in_special("exp2"), "x", x="math.log(2.0) * y")
elementwise(in_special("exp10"), "x", x="math.log(10.0) * y")
elementwise(in_special("expm1"), "x", x="y + 1.0")
elementwise(in_special("log1p"), "x", domain="positive", x="1.0 / (1.0 + x)")
elementwise(in_special("cosm1"), "x", x="-np.sin(x)")
elementwise(in_special("cbrt"), "x", x="1.0 / (3.0 * y * y)")
elementwise(
    in_special("exprel"), "x", x="(np.exp(x) - y) / x", domain="positive", kink="at 0 (nan)"
)
elementwise(
    in_special("powm1"),
    "x1, x2",
    domain="positive",
    x1="x2 * (y + 1.0) / x1",
    x2="(y + 1.0) * np.log(x1)",
)
elementwise(
    in_special("boxcox"),
    "x1, x2",
    domain="positive",
    x1="x1 ** (x2 - 1.0)",
    x2="(x1 ** x2 * np.log(x1) - y) / x2",
    kink="where the exponent is 0 (nan)",
)
elementwise(
    in_special("inv_boxcox"),
    "x1, x2",
    domain="positive",
    x1="y / (1.0 + x1 * x2)",
    x2="y * (x1 / (x2 * (1.0 + x1 * x2)) - np.log1p(x1 * x2) / (x2 * x2))",
    kink="where the exponent is 0 (nan)",
)
elementwise(
    in_special("boxcox1p"),
    "x1, x2",
    domain="positive",
    x1="(1.0 + x1) ** (x2 - 1.0)",
    x2="((1.0 + x1) ** x2 * np.log1p(x1) - y) / x2",
    kink="where the exponent is 0 (nan)",
)
elementwise(
    in_special("inv_boxcox1p"),
    "x1, x2",
    domain="positive",
    x1="(y + 1.0) / (1.0 + x1 * x2)",
    x2="(y + 1.0) * (x1 / (x2 * (1.0 + x1 * x2)) - np.log1p(x1 * x2) / (x2 * x2))",
    kink="where the exponent is 0 (nan)",
)
elementwise(
    in_special("huber"),
    "delta, r",
    domain="positive, real",
    delta="np.where(np.abs(r) <= delta, 0.0, np.abs(r) - delta)",
    r="np.clip(r, -delta, delta)",
    dtype="float",
)
elementwise(
    in_special("pseudo_huber"),
    "delta, r",
    domain="positive, real",
    delta="2.0 * y / delta - r * r / (delta * np.sqrt(1.0 + (r / delta) ** 2))",
    r="r / np.sqrt(1.0 + (r / delta) ** 2)",
)

# --- the gamma family ----------------------------------------------------------------------------

elementwise(in_special("gamma"), "x", domain="positive", x="y * scipy.special.digamma(x)")
elementwise(in_special("gammaln loggamma"), "x", domain="positive", x="scipy.special.digamma(x)")
elementwise(in_special("rgamma"), "x", domain="positive", x="-y * scipy.special.digamma(x)")
elementwise(in_special("digamma psi"), "x", domain="positive", x="scipy.special.polygamma(1, x)")
elementwise(
    in_special("polygamma"),
    "n, x",
    domain="nonnegative integer, positive",
    x="scipy.special.polygamma(n + 1, x)",
)
elementwise(
    in_special("multigammaln"),
    "a, d",
    a="scipy.special.digamma(np.asarray(a)[..., None] - 0.5 * np.arange(d)).sum(-1)",
    samples=("3.1, 2", "3.0 + positive(4), 3"),
)
elementwise(
    in_special("beta"),
    "a, b",
    domain="positive",
    a="y * (scipy.special.digamma(a) - scipy.special.digamma(a + b))",
    b="y * (scipy.special.digamma(b) - scipy.special.digamma(a + b))",
)
elementwise(
    in_special("betaln"),
    "a, b",
    domain="positive",
    a="scipy.special.digamma(a) - scipy.special.digamma(a + b)",
    b="scipy.special.digamma(b) - scipy.special.digamma(a + b)",
)
elementwise(
    in_special("poch"),
    "z, m",
    domain="positive",
    z="y * (scipy.special.digamma(z + m) - scipy.special.digamma(z))",
    m="y * scipy.special.digamma(z + m)",
)
elementwise(
    in_special("binom"),
    "n, k",
    domain="above one, fraction",
    n="y * (scipy.special.digamma(n + 1.0) - scipy.special.digamma(n - k + 1.0))",
    k="y * (scipy.special.digamma(n - k + 1.0) - scipy.special.digamma(k + 1.0))",
)
elementwise(
    in_special("comb"),
    "N, k, *, exact=False",
    N="y * (scipy.special.digamma(N + 1.0) - scipy.special.digamma(N - k + 1.0))",
    k="y * (scipy.special.digamma(N - k + 1.0) - scipy.special.digamma(k + 1.0))",
    samples=("2.0 + positive(3), positive(3)", "2.5, positive(3)"),
    kink="where it begins to be 0",
)
elementwise(
    in_special("perm"),
    "N, k, exact=False",
    N="y * (scipy.special.digamma(N + 1.0) - scipy.special.digamma(N - k + 1.0))",
    k="y * scipy.special.digamma(N - k + 1.0)",
    samples=("2.0 + positive(3), positive(3)", "2.5, positive(3)"),
    kink="where it begins to be 0",
)
elementwise(
    in_special("factorial"),
    "n, exact=False",
    n="y * scipy.special.digamma(n + 1.0)",
    samples=("positive(3)",),
    kink="where it begins to be 0",
)
unsupported(
    in_special("factorial2 factorialk"), "they are of whole numbers; use `scipy.special.gamma`"
)
elementwise(
    in_special("gammainc"),
    "a, x",
    domain="positive",
    x="np.exp(scipy.special.xlogy(a - 1.0, x) - x - scipy.special.gammaln(a))",
    refused="a",
    because=NO_FORM,
)
elementwise(
    in_special("gammaincc"),
    "a, x",
    domain="positive",
    x="-np.exp(scipy.special.xlogy(a - 1.0, x) - x - scipy.special.gammaln(a))",
    refused="a",
    because=NO_FORM,
)
elementwise(
    in_special("gammaincinv"),
    "a, p",
    domain="positive, fraction",
    p="np.exp(scipy.special.gammaln(a) + y - scipy.special.xlogy(a - 1.0, y))",
    refused="a",
    because=NO_FORM,
)
elementwise(
    in_special("betainc"),
    "a, b, x",
    domain="positive, positive, fraction",
    x="np.exp(scipy.special.xlogy(a - 1.0, x) + scipy.special.xlog1py(b - 1.0, -x)"
    " - scipy.special.betaln(a, b))",
    refused="a b",
    because=NO_FORM,
)
elementwise(
    in_special("gammainccinv"),
    "a, p",
    domain="positive, fraction",
    p="-np.exp(scipy.special.gammaln(a) + y - scipy.special.xlogy(a - 1.0, y))",
    refused="a",
    because=NO_FORM,
)
elementwise(
    in_special("betaincc"),
    "a, b, x",
    domain="positive, positive, fraction",
    x="-np.exp(scipy.special.xlogy(a - 1.0, x) + scipy.special.xlog1py(b - 1.0, -x)"
    " - scipy.special.betaln(a, b))",
    refused="a b",
    because=NO_FORM,
)
elementwise(
    in_special("betainccinv"),
    "a, b, p",
    domain="above one, above one, fraction",
    p="-np.exp(scipy.special.betaln(a, b) - scipy.special.xlogy(a - 1.0, y)"
    " - scipy.special.xlog1py(b - 1.0, -y))",
    refused="a b",
    because=NO_FORM,
)
elementwise(
    in_special("betaincinv"),
    "a, b, p",
    domain="above one, above one, fraction",
    p="np.exp(scipy.special.betaln(a, b) - scipy.special.xlogy(a - 1.0, y)"
    " - scipy.special.xlog1py(b - 1.0, -y))",
    refused="a b",
    because=NO_FORM,
)
elementwise(
    in_special("zeta"),
    "x, q",
    domain="above one, positive",
    q="-x * scipy.special.zeta(x + 1.0, q)",
    refused="x",
    because=NO_FORM,
)

# --- error functions and the normal distribution -------------------------------------------------

elementwise(in_special("erf"), "x", x="2.0 / math.sqrt(math.pi) * np.exp(-x * x)")
elementwise(in_special("erfc"), "x", x="-2.0 / math.sqrt(math.pi) * np.exp(-x * x)")
elementwise(in_special("erfi"), "x", domain="unit", x="2.0 / math.sqrt(math.pi) * np.exp(x * x)")
elementwise(in_special("erfcx"), "x", x="2.0 * x * y - 2.0 / math.sqrt(math.pi)")
elementwise(in_special("dawsn"), "x", x="1.0 - 2.0 * x * y")
elementwise(in_special("erfinv"), "x", domain="unit", x="0.5 * math.sqrt(math.pi) * np.exp(y * y)")
elementwise(
    in_special("erfcinv"), "x", domain="fraction", x="-0.5 * math.sqrt(math.pi) * np.exp(y * y)"
)
elementwise(in_special("ndtr"), "x", x="np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)")
elementwise(in_special("log_ndtr"), "x", x="np.exp(-0.5 * x * x - y) / math.sqrt(2.0 * math.pi)")
elementwise(
    in_special("ndtri"), "x", domain="fraction", x="math.sqrt(2.0 * math.pi) * np.exp(0.5 * y * y)"
)
elementwise(
    in_special("ndtri_exp"),
    "x",
    x="math.sqrt(2.0 * math.pi) * np.exp(0.5 * y * y + x)",
    samples=("-positive(4)",),
)

for _enter in (general, on_complex):  # they give complex numbers, be their argument real or not
    _enter(
        in_special("wofz"),
        "z",
        z="y_bar * np.conj(2j / math.sqrt(math.pi) - 2.0 * z * y)",
        tangent="(2j / math.sqrt(math.pi) - 2.0 * z * y) * z_dot",
        shape="same z",
        dtype="complex",
        samples=("normal(2, 3)",),
    )
    _enter(
        in_special("lambertw"),
        "z, k=0, tol=1e-08",
        z="y_bar / np.conj(np.exp(y) * (1.0 + y))",
        tangent="z_dot / (np.exp(y) * (1.0 + y))",
        shape="same z",
        dtype="complex",
        samples=("positive(2, 3)", "positive(3), -1"),
        kink="at -1 / e",
    )

# --- distribution functions ----------------------------------------------------------------------

_STUDENT = (
    "np.exp(scipy.special.gammaln(0.5 * df + 0.5) - scipy.special.gammaln(0.5 * df)"
    " - 0.5 * (df + 1.0) * np.log1p({0} * {0} / df)) / np.sqrt(math.pi * df)"
)
elementwise(
    in_special("stdtr"),
    "df, t",
    domain="positive, real",
    t=_STUDENT.format("t"),
    refused="df",
    because=NO_FORM,
)
elementwise(
    in_special("stdtrit"),
    "df, p",
    domain="positive, fraction",
    p=f"1.0 / ({_STUDENT.format('y')})",
    refused="df",
    because=NO_FORM,
)
_SQUARES = "0.5 * np.exp(scipy.special.xlogy(0.5 * v - 1.0, 0.5 * {0}) - 0.5 * {0} - scipy.special.gammaln(0.5 * v))"
_GAMMA = "np.exp(scipy.special.xlogy(b - 1.0, a * x) - a * x - scipy.special.gammaln(b))"
_RATIO = (
    "np.exp(scipy.special.xlogy(0.5 * dfn, dfn) + scipy.special.xlogy(0.5 * dfd, dfd)"
    " + scipy.special.xlogy(0.5 * dfn - 1.0, x) - 0.5 * (dfn + dfd) * np.log(dfd + dfn * x)"
    " - scipy.special.betaln(0.5 * dfn, 0.5 * dfd))"
)
for _tail, _sign in (("", ""), ("c", "-")):
    elementwise(
        in_special(f"chdtr{_tail}"),
        "v, x",
        domain="positive",
        x=_sign + _SQUARES.format("x"),
        refused="v",
        because=NO_FORM,
    )
    elementwise(
        in_special(f"gdtr{_tail}"),
        "a, b, x",
        domain="positive",
        a=f"{_sign}x * {_GAMMA}",
        x=f"{_sign}a * {_GAMMA}",
        refused="b",
        because=NO_FORM,
    )
    elementwise(
        in_special(f"fdtr{_tail}"),
        "dfn, dfd, x",
        domain="positive",
        x=_sign + _RATIO,
        refused="dfn dfd",
        because=NO_FORM,
    )
elementwise(
    in_special("chdtri"),
    "v, p",
    domain="above one, fraction",
    p=f"-1.0 / ({_SQUARES.format('y')})",
    refused="v",
    because=NO_FORM,
)
for _tail, _sign in (("", "-"), ("c", "")):
    elementwise(
        in_special(f"pdtr{_tail}"),
        "k, m",
        domain="nonnegative integer, positive",
        m=f"{_sign}np.exp(scipy.special.xlogy(k, m) - m - scipy.special.gammaln(k + 1.0))",
    )
    elementwise(
        in_special(f"bdtr{_tail}"),
        "k, n, p",
        p=f"{_sign}(n - k) * scipy.special.binom(n, k) * p ** k * (1.0 - p) ** (n - k - 1)",
        samples=("2, 5, 0.5 + 0.4 * unit(3)", "1, 3, 0.3"),
    )
_W = "(2j / math.sqrt(math.pi) - 2.0 * {0} * scipy.special.wofz({0}))".format(
    "((x + 1j * gamma) / (math.sqrt(2.0) * sigma))"
)
elementwise(
    in_special("voigt_profile"),
    "x, sigma, gamma",
    domain="real, positive, positive",
    x=f"{_W}.real / (2.0 * math.sqrt(math.pi) * sigma * sigma)",
    sigma=f"-(y + ({_W} * (x + 1j * gamma)).real / (2.0 * math.sqrt(math.pi) * sigma * sigma)) / sigma",
    gamma=f"-{_W}.imag / (2.0 * math.sqrt(math.pi) * sigma * sigma)",
)

# --- degrees -------------------------------------------------------------------------------------

elementwise(in_special("sindg"), "x", x="math.pi / 180.0 * scipy.special.cosdg(x)")
elementwise(in_special("cosdg"), "x", x="-math.pi / 180.0 * scipy.special.sindg(x)")
elementwise(in_special("tandg"), "x", x="math.pi / 180.0 * (1.0 + y * y)")
elementwise(
    in_special("radian"),
    "d, m, s",
    d="math.pi / 180.0",
    m="math.pi / 10800.0",
    s="math.pi / 648000.0",
)
elementwise(
    in_special("diric"),
    "x, n",
    x="0.5 * (np.cos(0.5 * n * x) / np.sin(0.5 * x) - y / np.tan(0.5 * x))",
    samples=("0.5 + positive(2, 3), 3", "1.3, 4"),
)
elementwise(
    in_special("sinc"),
    "x",
    x="(np.cos(math.pi * x) - y) / (x + (x == 0))",
    samples=("normal(2, 3)", "np.zeros(2)"),
)

# --- along an axis -------------------------------------------------------------------------------

_SAMPLES = ("normal(4)", "normal(2, 3)", "normal(2, 3), axis=1", "normal(2, 3, 4), axis=(0, 2)")

# d log |s| = ds / s, of which exp(-log |s|) is known, and the sign of s.
_OF_SUM = "unreduce(y_bar, axis, keepdims) * np.exp(a - unreduce(y, axis, keepdims))"
_OF_SIGN = "unreduce(y_bar[0] * y[1], axis, keepdims) * np.exp(a - unreduce(y[0], axis, keepdims))"
_PARTS = "np.exp(a - unreduce(y, axis, keepdims))"
_SUM_DOT = (
    f"np.sum({_PARTS} * a_dot, axis, keepdims=keepdims) if b is None else "
    f"np.sum({_PARTS} * (b * a_dot + b_dot), axis, keepdims=keepdims)"
)
_SIGN_DOT = (
    f"y[1] * np.sum({_PARTS.replace('(y,', '(y[0],')}"
    " * (a_dot if b is None else b * a_dot + b_dot), axis, keepdims=keepdims)"
)

general(
    in_special("logsumexp"),
    "a, axis=None, b=None, keepdims=False, return_sign=False",
    a=f"({_OF_SIGN} if b is None else {_OF_SIGN} * b) if return_sign else {_OF_SUM} if b is None else {_OF_SUM} * b",
    b=f"unbroadcast({_OF_SIGN}, b) if return_sign else unbroadcast({_OF_SUM}, b)",
    tangent=f"({_SIGN_DOT}, np.zeros_like(y[1])) if return_sign else {_SUM_DOT}",
    shape="reduce a",
    results=("value: reduce a", "sign: reduce a"),
    several="return_sign=True",
    samples=(
        *_SAMPLES,
        "normal(2, 3), axis=0, keepdims=True",
        "normal(2, 3), axis=1, b=positive(2, 3)",
        "normal(2, 3), b=positive(3)",
        "normal(2, 3), axis=1, b=normal(2, 3), return_sign=True",
        "normal(2, 3), 0, None, True, True",
        "normal(3), b=-positive(3), return_sign=True",
    ),
)
general(
    in_special("softmax"),
    "x, axis=None",
    x="y * (y_bar - (np.sum(y_bar * y) if axis is None else np.sum(y_bar * y, axis, keepdims=True)))",
    tangent="y * (x_dot - np.sum(x_dot * y, axis, keepdims=True))",
    shape="same x",
    samples=_SAMPLES,
)
general(
    in_special("log_softmax"),
    "x, axis=None",
    x="y_bar - np.exp(y) * (np.sum(y_bar) if axis is None else np.sum(y_bar, axis, keepdims=True))",
    tangent="x_dot - np.sum(np.exp(y) * x_dot, axis, keepdims=True)",
    shape="same x",
    samples=_SAMPLES,
)

constant(in_special("gammasgn round"), "x", shape="broadcast")
