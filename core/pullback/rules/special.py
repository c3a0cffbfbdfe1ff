"""scipy.special: the smooth functions of modellers, by their partial derivatives.

Formulas are from the NIST Digital Library of Mathematical Functions where no source is named.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

from .notation import constant, elementwise, general, on_complex, unsupported

_S = "scipy.special."


def _names(text: str) -> str:
    return " ".join(_S + n for n in text.split())


# --- logistic, logarithms, entropies -------------------------------------------------------------

elementwise(_names("expit"), "x", x="y * (1.0 - y)")
elementwise(_names("logit"), "x", domain="fraction", x="1.0 / (x * (1.0 - x))")
elementwise(_names("log_expit"), "x", x="scipy.special.expit(-x)")
elementwise(_names("softplus"), "x", x="scipy.special.expit(x)")
elementwise(_names("xlogy"), "x1, x2", domain="positive", x1="np.log(x2)", x2="x1 / x2")
elementwise(_names("xlog1py"), "x1, x2", domain="positive", x1="np.log1p(x2)", x2="x1 / (1.0 + x2)")
elementwise(_names("entr"), "x", domain="positive", x="-np.log(x) - 1.0")
elementwise(
    _names("rel_entr"), "x1, x2", domain="positive", x1="np.log(x1 / x2) + 1.0", x2="-x1 / x2"
)
elementwise(_names("kl_div"), "x1, x2", domain="positive", x1="np.log(x1 / x2)", x2="1.0 - x1 / x2")
elementwise(_names("exp2"), "x", x="math.log(2.0) * y")
elementwise(_names("exp10"), "x", x="math.log(10.0) * y")
elementwise(_names("expm1"), "x", x="y + 1.0")
elementwise(_names("log1p"), "x", domain="positive", x="1.0 / (1.0 + x)")
elementwise(_names("cosm1"), "x", x="-np.sin(x)")
elementwise(_names("cbrt"), "x", x="1.0 / (3.0 * y * y)")
elementwise(_names("exprel"), "x", x="(np.exp(x) - y) / x", domain="positive", kink="at 0 (nan)")
elementwise(
    _names("powm1"),
    "x1, x2",
    domain="positive",
    x1="x2 * (y + 1.0) / x1",
    x2="(y + 1.0) * np.log(x1)",
)
elementwise(
    _names("boxcox"),
    "x1, x2",
    domain="positive",
    x1="x1 ** (x2 - 1.0)",
    x2="(x1 ** x2 * np.log(x1) - y) / x2",
    kink="where the exponent is 0 (nan)",
)
elementwise(
    _names("inv_boxcox"),
    "x1, x2",
    domain="positive",
    x1="y / (1.0 + x1 * x2)",
    x2="y * (x1 / (x2 * (1.0 + x1 * x2)) - np.log1p(x1 * x2) / (x2 * x2))",
    kink="where the exponent is 0 (nan)",
)
elementwise(
    _names("huber"),
    "delta, r",
    domain="positive, real",
    delta="np.where(np.abs(r) <= delta, 0.0, np.abs(r) - delta)",
    r="np.clip(r, -delta, delta)",
    dtype="float",
)
elementwise(
    _names("pseudo_huber"),
    "delta, r",
    domain="positive, real",
    delta="2.0 * y / delta - r * r / (delta * np.sqrt(1.0 + (r / delta) ** 2))",
    r="r / np.sqrt(1.0 + (r / delta) ** 2)",
)

# --- the gamma family ----------------------------------------------------------------------------

elementwise(_names("gamma"), "x", domain="positive", x="y * scipy.special.digamma(x)")
elementwise(_names("gammaln loggamma"), "x", domain="positive", x="scipy.special.digamma(x)")
elementwise(_names("rgamma"), "x", domain="positive", x="-y * scipy.special.digamma(x)")
elementwise(_names("digamma psi"), "x", domain="positive", x="scipy.special.polygamma(1, x)")
elementwise(
    _names("polygamma"),
    "n, x",
    domain="nonnegative integer, positive",
    x="scipy.special.polygamma(n + 1, x)",
)
elementwise(
    _names("multigammaln"),
    "a, d",
    a="scipy.special.digamma(np.asarray(a)[..., None] - 0.5 * np.arange(d)).sum(-1)",
    samples=("3.1, 2", "3.0 + positive(4), 3"),
)
elementwise(
    _names("beta"),
    "a, b",
    domain="positive",
    a="y * (scipy.special.digamma(a) - scipy.special.digamma(a + b))",
    b="y * (scipy.special.digamma(b) - scipy.special.digamma(a + b))",
)
elementwise(
    _names("betaln"),
    "a, b",
    domain="positive",
    a="scipy.special.digamma(a) - scipy.special.digamma(a + b)",
    b="scipy.special.digamma(b) - scipy.special.digamma(a + b)",
)
elementwise(
    _names("poch"),
    "z, m",
    domain="positive",
    z="y * (scipy.special.digamma(z + m) - scipy.special.digamma(z))",
    m="y * scipy.special.digamma(z + m)",
)
elementwise(
    _names("binom"),
    "n, k",
    domain="above one, fraction",
    n="y * (scipy.special.digamma(n + 1.0) - scipy.special.digamma(n - k + 1.0))",
    k="y * (scipy.special.digamma(n - k + 1.0) - scipy.special.digamma(k + 1.0))",
)
elementwise(
    _names("comb"),
    "N, k, *, exact=False",
    N="y * (scipy.special.digamma(N + 1.0) - scipy.special.digamma(N - k + 1.0))",
    k="y * (scipy.special.digamma(N - k + 1.0) - scipy.special.digamma(k + 1.0))",
    samples=("2.0 + positive(3), positive(3)", "2.5, positive(3)"),
    kink="where it begins to be 0",
)
elementwise(
    _names("perm"),
    "N, k, exact=False",
    N="y * (scipy.special.digamma(N + 1.0) - scipy.special.digamma(N - k + 1.0))",
    k="y * scipy.special.digamma(N - k + 1.0)",
    samples=("2.0 + positive(3), positive(3)", "2.5, positive(3)"),
    kink="where it begins to be 0",
)
elementwise(
    _names("factorial"),
    "n, exact=False",
    n="y * scipy.special.digamma(n + 1.0)",
    samples=("positive(3)",),
    kink="where it begins to be 0",
)
unsupported(_names("factorial2 factorialk"), "they are of whole numbers; use `scipy.special.gamma`")
elementwise(
    _names("gammainc"),
    "a, x",
    domain="positive",
    x="np.exp(scipy.special.xlogy(a - 1.0, x) - x - scipy.special.gammaln(a))",
    refused="a",
)
elementwise(
    _names("gammaincc"),
    "a, x",
    domain="positive",
    x="-np.exp(scipy.special.xlogy(a - 1.0, x) - x - scipy.special.gammaln(a))",
    refused="a",
)
elementwise(
    _names("gammaincinv"),
    "a, p",
    domain="positive, fraction",
    p="np.exp(scipy.special.gammaln(a) + y - scipy.special.xlogy(a - 1.0, y))",
    refused="a",
)
elementwise(
    _names("betainc"),
    "a, b, x",
    domain="positive, positive, fraction",
    x="np.exp(scipy.special.xlogy(a - 1.0, x) + scipy.special.xlog1py(b - 1.0, -x)"
    " - scipy.special.betaln(a, b))",
    refused="a b",
)
elementwise(
    _names("betaincinv"),
    "a, b, p",
    domain="above one, above one, fraction",
    p="np.exp(scipy.special.betaln(a, b) - scipy.special.xlogy(a - 1.0, y)"
    " - scipy.special.xlog1py(b - 1.0, -y))",
    refused="a b",
)
elementwise(
    _names("zeta"),
    "x, q",
    domain="above one, positive",
    q="-x * scipy.special.zeta(x + 1.0, q)",
    refused="x",
)

# --- error functions and the normal distribution -------------------------------------------------

elementwise(_names("erf"), "x", x="2.0 / math.sqrt(math.pi) * np.exp(-x * x)")
elementwise(_names("erfc"), "x", x="-2.0 / math.sqrt(math.pi) * np.exp(-x * x)")
elementwise(_names("erfi"), "x", domain="unit", x="2.0 / math.sqrt(math.pi) * np.exp(x * x)")
elementwise(_names("erfcx"), "x", x="2.0 * x * y - 2.0 / math.sqrt(math.pi)")
elementwise(_names("dawsn"), "x", x="1.0 - 2.0 * x * y")
elementwise(_names("erfinv"), "x", domain="unit", x="0.5 * math.sqrt(math.pi) * np.exp(y * y)")
elementwise(
    _names("erfcinv"), "x", domain="fraction", x="-0.5 * math.sqrt(math.pi) * np.exp(y * y)"
)
elementwise(_names("ndtr"), "x", x="np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)")
elementwise(_names("log_ndtr"), "x", x="np.exp(-0.5 * x * x - y) / math.sqrt(2.0 * math.pi)")
elementwise(
    _names("ndtri"), "x", domain="fraction", x="math.sqrt(2.0 * math.pi) * np.exp(0.5 * y * y)"
)
elementwise(
    _names("ndtri_exp"),
    "x",
    x="math.sqrt(2.0 * math.pi) * np.exp(0.5 * y * y + x)",
    samples=("-positive(4)",),
)

for _enter in (general, on_complex):  # they give complex numbers, be their argument real or not
    _enter(
        _names("wofz"),
        "z",
        z="y_bar * np.conj(2j / math.sqrt(math.pi) - 2.0 * z * y)",
        tangent="(2j / math.sqrt(math.pi) - 2.0 * z * y) * z_dot",
        shape="same z",
        dtype="complex",
        samples=("normal(2, 3)",),
    )
    _enter(
        _names("lambertw"),
        "z, k=0, tol=1e-08",
        z="y_bar / np.conj(np.exp(y) * (1.0 + y))",
        tangent="z_dot / (np.exp(y) * (1.0 + y))",
        shape="same z",
        dtype="complex",
        samples=("positive(2, 3)", "positive(3), -1"),
        kink="at -1 / e",
    )

# --- Bessel functions ----------------------------------------------------------------------------

elementwise(_names("j0"), "x", x="-scipy.special.j1(x)")
elementwise(_names("y0"), "x", domain="positive", x="-scipy.special.y1(x)")
elementwise(_names("j1"), "x", x="0.5 * (scipy.special.j0(x) - scipy.special.jv(2, x))")
elementwise(_names("y1"), "x", domain="positive", x="scipy.special.y0(x) - y / x")
elementwise(_names("i0"), "x", x="scipy.special.i1(x)")
elementwise(_names("i1"), "x", x="0.5 * (scipy.special.i0(x) + scipy.special.iv(2, x))")
elementwise(_names("i0e"), "x", x="scipy.special.i1e(x) - np.sign(x) * y")
elementwise(
    _names("i1e"), "x", x="0.5 * (scipy.special.i0e(x) + scipy.special.ive(2, x)) - np.sign(x) * y"
)
elementwise(_names("k0"), "x", domain="positive", x="-scipy.special.k1(x)")
elementwise(_names("k1"), "x", domain="positive", x="-scipy.special.k0(x) - y / x")
elementwise(_names("k0e"), "x", domain="positive", x="y - scipy.special.k1e(x)")
elementwise(_names("k1e"), "x", domain="positive", x="y * (1.0 - 1.0 / x) - scipy.special.k0e(x)")
for _fn in ("jv", "yv", "jn", "yn"):
    _base = {"jn": "jv"}.get(_fn, _fn)
    elementwise(
        _names(_fn),
        "v, x",
        domain="nonnegative integer, positive",
        x=f"0.5 * (scipy.special.{_base}(v - 1, x) - scipy.special.{_base}(v + 1, x))",
        refused="v",
    )
elementwise(
    _names("iv"),
    "v, x",
    domain="nonnegative integer, positive",
    x="0.5 * (scipy.special.iv(v - 1, x) + scipy.special.iv(v + 1, x))",
    refused="v",
)
elementwise(
    _names("ive"),
    "v, x",
    domain="nonnegative integer, positive",
    x="0.5 * (scipy.special.ive(v - 1, x) + scipy.special.ive(v + 1, x)) - np.sign(x) * y",
    refused="v",
)
for _fn in ("kv", "kn"):
    elementwise(
        _names(_fn),
        "v, x",
        domain="nonnegative integer, positive",
        x="-0.5 * (scipy.special.kv(v - 1, x) + scipy.special.kv(v + 1, x))",
        refused="v",
    )
elementwise(
    _names("kve"),
    "v, x",
    domain="nonnegative integer, positive",
    x="y - 0.5 * (scipy.special.kve(v - 1, x) + scipy.special.kve(v + 1, x))",
    refused="v",
)

# --- integrals -----------------------------------------------------------------------------------

elementwise(_names("exp1"), "x", domain="positive", x="-np.exp(-x) / x")
elementwise(_names("expi"), "x", domain="positive", x="np.exp(x) / x")
elementwise(
    _names("expn"),
    "n, x",
    domain="nonnegative integer, positive",
    x="-np.exp(-x) / x if np.ndim(n) == 0 and n == 1 else -scipy.special.expn(n - 1, x)",
    samples=("2, positive(3)", "1, positive(3)", "3, 0.7"),
    refused="n",
)
elementwise(_names("spence"), "x", domain="above one", x="np.log(x) / (1.0 - x)")
elementwise(
    _names("ellipk"),
    "m",
    domain="fraction",
    m="(scipy.special.ellipe(m) / (1.0 - m) - y) / (2.0 * m)",
)
elementwise(_names("ellipe"), "m", domain="fraction", m="(y - scipy.special.ellipk(m)) / (2.0 * m)")
elementwise(
    _names("ellipkinc"),
    "phi, m",
    domain="fraction",
    phi="1.0 / np.sqrt(1.0 - m * np.sin(phi) ** 2)",
    refused="m",
)
elementwise(
    _names("ellipeinc"),
    "phi, m",
    domain="fraction",
    phi="np.sqrt(1.0 - m * np.sin(phi) ** 2)",
    m="(y - scipy.special.ellipkinc(phi, m)) / (2.0 * m)",
)
elementwise(_names("wrightomega"), "x", x="y / (1.0 + y)")
elementwise(
    _names("owens_t"),
    "h, a",
    domain="real",
    h="-np.exp(-0.5 * h * h) * scipy.special.erf(a * h / math.sqrt(2.0)) / math.sqrt(8.0 * math.pi)",
    a="np.exp(-0.5 * h * h * (1.0 + a * a)) / (2.0 * math.pi * (1.0 + a * a))",
)
elementwise(
    _names("hyp0f1"),
    "v, x",
    domain="positive",
    x="scipy.special.hyp0f1(v + 1.0, x) / v",
    refused="v",
)
elementwise(
    _names("hyp1f1"),
    "a, b, x",
    domain="positive",
    x="a / b * scipy.special.hyp1f1(a + 1.0, b + 1.0, x)",
    refused="a b",
)
elementwise(
    _names("hyp2f1"),
    "a, b, c, x",
    domain="positive, positive, positive, fraction",
    x="a * b / c * scipy.special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, x)",
    refused="a b c",
)

elementwise(
    _names("hyperu"),
    "a, b, x",
    domain="positive",
    x="-a * scipy.special.hyperu(a + 1.0, b + 1.0, x)",
    refused="a b",
)
for _fn, _first, _second, _domain in (
    ("sici", "np.sin(x) / x", "np.cos(x) / x", "positive"),
    ("shichi", "np.sinh(x) / x", "np.cosh(x) / x", "positive"),
    ("fresnel", "np.sin(0.5 * math.pi * x * x)", "np.cos(0.5 * math.pi * x * x)", "normal"),
):
    general(
        _names(_fn),
        "x",
        x=f"(0.0 if y_bar[0] is None else y_bar[0] * {_first})"
        f" + (0.0 if y_bar[1] is None else y_bar[1] * {_second})",
        tangent=f"(x_dot * {_first}, x_dot * {_second})",
        shape="tuple",
        results=("first: same x", "second: same x"),
        samples=(f"{_domain}(3)", f"{_domain}(2, 3)"),
    )

# --- orthogonal polynomials ----------------------------------------------------------------------

for _fn, _slope in (
    ("eval_legendre", "n * (x * y - scipy.special.eval_legendre(n - 1, x)) / (x * x - 1.0)"),
    ("eval_chebyt", "n * scipy.special.eval_chebyu(n - 1, x)"),
    ("eval_hermite", "2.0 * n * scipy.special.eval_hermite(n - 1, x)"),
    ("eval_hermitenorm", "n * scipy.special.eval_hermitenorm(n - 1, x)"),
    ("eval_laguerre", "-scipy.special.eval_genlaguerre(n - 1, 1.0, x)"),
):
    elementwise(
        _names(_fn),
        "n, x",
        x=_slope,
        refused="n",
        samples=("3, unit(4)", "2, 0.3", "np.array([1, 2, 3]), unit(3)"),
    )
for _fn in ("spherical_jn", "spherical_yn", "spherical_in", "spherical_kn"):
    elementwise(
        _names(_fn),
        "n, z",
        z=f"scipy.special.{_fn}(n, z, derivative=True)",
        refused="n",
        samples=("2, 0.5 + positive(3)", "1, 1.3"),
    )
for _fn in ("ber", "bei", "ker", "kei"):
    elementwise(_names(_fn), "x", domain="positive", x=f"scipy.special.{_fn}p(x)")

# --- distribution functions ----------------------------------------------------------------------

elementwise(
    _names("stdtr"),
    "df, t",
    domain="positive, real",
    t="np.exp(scipy.special.gammaln(0.5 * df + 0.5) - scipy.special.gammaln(0.5 * df)"
    " - 0.5 * (df + 1.0) * np.log1p(t * t / df)) / np.sqrt(math.pi * df)",
    refused="df",
)
elementwise(
    _names("chdtr"),
    "v, x",
    domain="positive",
    x="0.5 * np.exp(scipy.special.xlogy(0.5 * v - 1.0, 0.5 * x) - 0.5 * x - scipy.special.gammaln(0.5 * v))",
    refused="v",
)
elementwise(
    _names("gdtr"),
    "a, b, x",
    domain="positive",
    a="x * np.exp(scipy.special.xlogy(b - 1.0, a * x) - a * x - scipy.special.gammaln(b))",
    x="a * np.exp(scipy.special.xlogy(b - 1.0, a * x) - a * x - scipy.special.gammaln(b))",
    refused="b",
)
elementwise(
    _names("pdtr"),
    "k, m",
    domain="nonnegative integer, positive",
    m="-np.exp(scipy.special.xlogy(k, m) - m - scipy.special.gammaln(k + 1.0))",
)
elementwise(
    _names("bdtr"),
    "k, n, p",
    p="-(n - k) * scipy.special.binom(n, k) * p ** k * (1.0 - p) ** (n - k - 1)",
    samples=("2, 5, 0.5 + 0.4 * unit(3)", "1, 3, 0.3"),
)

# --- degrees -------------------------------------------------------------------------------------

elementwise(_names("sindg"), "x", x="math.pi / 180.0 * scipy.special.cosdg(x)")
elementwise(_names("cosdg"), "x", x="-math.pi / 180.0 * scipy.special.sindg(x)")
elementwise(_names("tandg"), "x", x="math.pi / 180.0 * (1.0 + y * y)")
elementwise(
    _names("radian"), "d, m, s", d="math.pi / 180.0", m="math.pi / 10800.0", s="math.pi / 648000.0"
)
elementwise(
    _names("sinc"),
    "x",
    x="(np.cos(math.pi * x) - y) / (x + (x == 0))",
    samples=("normal(2, 3)", "np.zeros(2)"),
)

# --- along an axis -------------------------------------------------------------------------------

_SAMPLES = ("normal(4)", "normal(2, 3)", "normal(2, 3), axis=1", "normal(2, 3, 4), axis=(0, 2)")

general(
    _names("logsumexp"),
    "a, axis=None, b=None, *, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) * np.exp(a - unreduce(y, axis, keepdims)) if b is None else "
    "unreduce(y_bar, axis, keepdims) * b * np.exp(a - unreduce(y, axis, keepdims))",
    b="unbroadcast(unreduce(y_bar, axis, keepdims) * np.exp(a - unreduce(y, axis, keepdims)), b)",
    tangent="np.sum(np.exp(a - unreduce(y, axis, keepdims)) * a_dot, axis, keepdims=keepdims)"
    " if b is None else np.sum(np.exp(a - unreduce(y, axis, keepdims)) * b * a_dot, axis, keepdims=keepdims)"
    " + np.sum(np.exp(a - unreduce(y, axis, keepdims)) * b_dot, axis, keepdims=keepdims)",
    shape="reduce a",
    samples=(
        *_SAMPLES,
        "normal(2, 3), axis=0, keepdims=True",
        "normal(2, 3), axis=1, b=positive(2, 3)",
        "normal(2, 3), b=positive(3)",
    ),
)
general(
    _names("softmax"),
    "x, axis=None",
    x="y * (y_bar - np.sum(y_bar * y, axis, keepdims=True))",
    tangent="y * (x_dot - np.sum(x_dot * y, axis, keepdims=True))",
    shape="same x",
    samples=_SAMPLES,
)
general(
    _names("log_softmax"),
    "x, axis=None",
    x="y_bar - np.exp(y) * np.sum(y_bar, axis, keepdims=True)",
    tangent="x_dot - np.sum(np.exp(y) * x_dot, axis, keepdims=True)",
    shape="same x",
    samples=_SAMPLES,
)

constant(_names("gammasgn round"), "x", shape="broadcast")
constant(_names("stirling2 bernoulli euler"))
constant(
    _names(
        "roots_legendre roots_chebyt roots_chebyu roots_chebyc roots_chebys roots_jacobi roots_laguerre"
        " roots_genlaguerre roots_hermite roots_hermitenorm roots_gegenbauer roots_sh_legendre"
        " roots_sh_chebyt roots_sh_chebyu roots_sh_jacobi p_roots jn_zeros yn_zeros jnp_zeros ynp_zeros"
    )
)
