"""scipy.special: Bessel functions, integrals, hypergeometric functions, orthogonal polynomials.

In its order or parameters the derivative of such a function is another function, which SciPy has not.
Formulas are from the NIST Digital Library of Mathematical Functions where no source is named.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

from .notation import constant, elementwise, general, on_complex, unsupported
from .special import NO_FORM, in_special

# --- Bessel functions ----------------------------------------------------------------------------

elementwise(in_special("j0"), "x", x="-scipy.special.j1(x)")
elementwise(in_special("y0"), "x", domain="positive", x="-scipy.special.y1(x)")
elementwise(in_special("j1"), "x", x="0.5 * (scipy.special.j0(x) - scipy.special.jv(2, x))")
elementwise(in_special("y1"), "x", domain="positive", x="scipy.special.y0(x) - y / x")
elementwise(in_special("i0"), "x", x="scipy.special.i1(x)")
elementwise(in_special("i1"), "x", x="0.5 * (scipy.special.i0(x) + scipy.special.iv(2, x))")
elementwise(in_special("i0e"), "x", x="scipy.special.i1e(x) - np.sign(x) * y")
elementwise(
    in_special("i1e"),
    "x",
    x="0.5 * (scipy.special.i0e(x) + scipy.special.ive(2, x)) - np.sign(x) * y",
)
elementwise(in_special("k0"), "x", domain="positive", x="-scipy.special.k1(x)")
elementwise(in_special("k1"), "x", domain="positive", x="-scipy.special.k0(x) - y / x")
elementwise(in_special("k0e"), "x", domain="positive", x="y - scipy.special.k1e(x)")
elementwise(
    in_special("k1e"), "x", domain="positive", x="y * (1.0 - 1.0 / x) - scipy.special.k0e(x)"
)
for _fn in ("jv", "yv", "jn", "yn"):
    _base = {"jn": "jv"}.get(_fn, _fn)
    elementwise(
        in_special(_fn),
        "v, x",
        domain="nonnegative integer, positive",
        x=f"0.5 * (scipy.special.{_base}(v - 1, x) - scipy.special.{_base}(v + 1, x))",
        refused="v",
        because=NO_FORM,
    )
elementwise(
    in_special("iv"),
    "v, x",
    domain="nonnegative integer, positive",
    x="0.5 * (scipy.special.iv(v - 1, x) + scipy.special.iv(v + 1, x))",
    refused="v",
    because=NO_FORM,
)
elementwise(
    in_special("ive"),
    "v, x",
    domain="nonnegative integer, positive",
    x="0.5 * (scipy.special.ive(v - 1, x) + scipy.special.ive(v + 1, x)) - np.sign(x) * y",
    refused="v",
    because=NO_FORM,
)
for _fn in ("kv", "kn"):
    elementwise(
        in_special(_fn),
        "v, x",
        domain="nonnegative integer, positive",
        x="-0.5 * (scipy.special.kv(v - 1, x) + scipy.special.kv(v + 1, x))",
        refused="v",
        because=NO_FORM,
    )
elementwise(
    in_special("kve"),
    "v, x",
    domain="nonnegative integer, positive",
    x="y - 0.5 * (scipy.special.kve(v - 1, x) + scipy.special.kve(v + 1, x))",
    refused="v",
    because=NO_FORM,
)

for _fn in ("hankel1", "hankel2"):
    for _enter in (general, on_complex):  # they give complex numbers, be their argument real or not
        _slope = f"0.5 * (scipy.special.{_fn}(v - 1, z) - scipy.special.{_fn}(v + 1, z))"
        _enter(
            in_special(_fn),
            "v, z",
            z=f"y_bar * np.conj({_slope})",
            tangent=f"{_slope} * z_dot",
            shape="same z",
            dtype="complex",
            samples=("2, positive(2, 3)", "0, 1.5 + positive(3)"),
        )
for _fn in ("struve", "modstruve"):
    elementwise(
        in_special(_fn),
        "v, x",
        domain="nonnegative integer, positive",
        x=f"scipy.special.{_fn}(v - 1, x) - v / x * y",
        refused="v",
        because=NO_FORM,
    )


def _added(*slopes: str) -> str:
    """The cotangent of an argument in which the results have these slopes: each that is used adds its part."""
    parts = (f"(0.0 if y_bar[{k}] is None else y_bar[{k}] * {t})" for k, t in enumerate(slopes))
    return " + ".join(parts)


general(
    in_special("airy"),
    "z",
    z=_added("y[1]", "z * y[0]", "y[3]", "z * y[2]"),
    tangent="(y[1] * z_dot, z * y[0] * z_dot, y[3] * z_dot, z * y[2] * z_dot)",
    shape="tuple",
    results=("Ai: same z", "Aip: same z", "Bi: same z", "Bip: same z"),
    samples=("normal(3)", "0.7"),
)
general(
    in_special("ellipj"),
    "u, m",
    u=_added("y[1] * y[2]", "-y[0] * y[2]", "-m * y[0] * y[1]", "y[2]"),
    tangent="(y[1] * y[2] * u_dot, -y[0] * y[2] * u_dot, -m * y[0] * y[1] * u_dot, y[2] * u_dot)",
    shape="tuple",
    results=("sn: same u", "cn: same u", "dn: same u", "ph: same u"),
    samples=("normal(3), 0.3", "0.7, 0.4"),
    refused="m",
)

# --- integrals -----------------------------------------------------------------------------------

elementwise(in_special("exp1"), "x", domain="positive", x="-np.exp(-x) / x")
elementwise(in_special("expi"), "x", domain="positive", x="np.exp(x) / x")
elementwise(
    in_special("expn"),
    "n, x",
    domain="nonnegative integer, positive",
    x="-np.exp(-x) / x if np.ndim(n) == 0 and n == 1 else -scipy.special.expn(n - 1, x)",
    samples=("2, positive(3)", "1, positive(3)", "3, 0.7"),
    refused="n",
    because=NO_FORM,
)
elementwise(in_special("spence"), "x", domain="above one", x="np.log(x) / (1.0 - x)")
elementwise(
    in_special("ellipk"),
    "m",
    domain="fraction",
    m="(scipy.special.ellipe(m) / (1.0 - m) - y) / (2.0 * m)",
)
elementwise(
    in_special("ellipe"), "m", domain="fraction", m="(y - scipy.special.ellipk(m)) / (2.0 * m)"
)
elementwise(
    in_special("ellipkm1"),
    "p",
    domain="fraction",
    p="(y - scipy.special.ellipe(1.0 - p) / p) / (2.0 * (1.0 - p))",
)
elementwise(
    in_special("elliprf"),
    "x1, x2, x3",
    domain="positive",
    x1="-scipy.special.elliprd(x2, x3, x1) / 6.0",
    x2="-scipy.special.elliprd(x1, x3, x2) / 6.0",
    x3="-scipy.special.elliprd(x1, x2, x3) / 6.0",
)
elementwise(
    in_special("ellipkinc"),
    "phi, m",
    domain="fraction",
    phi="1.0 / np.sqrt(1.0 - m * np.sin(phi) ** 2)",
    m="scipy.special.ellipeinc(phi, m) / (2.0 * m * (1.0 - m)) - y / (2.0 * m)"
    " - np.sin(2.0 * phi) / (4.0 * (1.0 - m) * np.sqrt(1.0 - m * np.sin(phi) ** 2))",
)
elementwise(
    in_special("ellipeinc"),
    "phi, m",
    domain="fraction",
    phi="np.sqrt(1.0 - m * np.sin(phi) ** 2)",
    m="(y - scipy.special.ellipkinc(phi, m)) / (2.0 * m)",
)
elementwise(in_special("wrightomega"), "x", x="y / (1.0 + y)")
elementwise(
    in_special("owens_t"),
    "h, a",
    domain="real",
    h="-np.exp(-0.5 * h * h) * scipy.special.erf(a * h / math.sqrt(2.0)) / math.sqrt(8.0 * math.pi)",
    a="np.exp(-0.5 * h * h * (1.0 + a * a)) / (2.0 * math.pi * (1.0 + a * a))",
)
elementwise(
    in_special("hyp0f1"),
    "v, x",
    domain="positive",
    x="scipy.special.hyp0f1(v + 1.0, x) / v",
    refused="v",
    because=NO_FORM,
)
elementwise(
    in_special("hyp1f1"),
    "a, b, x",
    domain="positive",
    x="a / b * scipy.special.hyp1f1(a + 1.0, b + 1.0, x)",
    refused="a b",
    because=NO_FORM,
)
elementwise(
    in_special("hyp2f1"),
    "a, b, c, x",
    domain="positive, positive, positive, fraction",
    x="a * b / c * scipy.special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, x)",
    refused="a b c",
    because=NO_FORM,
)

elementwise(
    in_special("hyperu"),
    "a, b, x",
    domain="positive",
    x="-a * scipy.special.hyperu(a + 1.0, b + 1.0, x)",
    refused="a b",
    because=NO_FORM,
)
for _fn, _first, _second, _domain in (
    ("sici", "np.sin(x) / x", "np.cos(x) / x", "positive"),
    ("shichi", "np.sinh(x) / x", "np.cosh(x) / x", "positive"),
    ("fresnel", "np.sin(0.5 * math.pi * x * x)", "np.cos(0.5 * math.pi * x * x)", "normal"),
):
    general(
        in_special(_fn),
        "x",
        x=_added(_first, _second),
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
    ("eval_chebyu", "((n + 1) * scipy.special.eval_chebyt(n + 1, x) - x * y) / (x * x - 1.0)"),
    ("eval_chebyc", "n * scipy.special.eval_chebys(n - 1, x)"),
    ("eval_sh_chebyt", "2.0 * n * scipy.special.eval_sh_chebyu(n - 1, x)"),
):
    elementwise(
        in_special(_fn),
        "n, x",
        x=_slope,
        refused="n",
        because=NO_FORM,
        samples=("3, unit(4)", "2, 0.3", "np.array([1, 2, 3]), unit(3)"),
    )
elementwise(
    in_special("eval_genlaguerre"),
    "n, alpha, x",
    x="-scipy.special.eval_genlaguerre(n - 1, alpha + 1.0, x)",
    refused="n alpha",
    because=NO_FORM,
    samples=("3, 0.7, unit(4)", "2, 1.3, 0.3"),
)
elementwise(
    in_special("eval_gegenbauer"),
    "n, alpha, x",
    x="2.0 * alpha * scipy.special.eval_gegenbauer(n - 1, alpha + 1.0, x)",
    refused="n alpha",
    because=NO_FORM,
    samples=("3, 0.7, unit(4)", "2, 1.3, 0.3"),
)
elementwise(
    in_special("eval_jacobi"),
    "n, alpha, beta, x",
    x="0.5 * (n + alpha + beta + 1.0) * scipy.special.eval_jacobi(n - 1, alpha + 1.0, beta + 1.0, x)",
    refused="n alpha beta",
    because=NO_FORM,
    samples=("3, 0.7, 0.2, unit(4)", "2, 1.3, 0.4, 0.3"),
)
for _fn in ("spherical_jn", "spherical_yn", "spherical_in", "spherical_kn"):
    elementwise(
        in_special(_fn),
        "n, z",
        z=f"scipy.special.{_fn}(n, z, derivative=True)",
        refused="n",
        because=NO_FORM,
        samples=("2, 0.5 + positive(3)", "1, 1.3"),
    )
for _fn in ("ber", "bei", "ker", "kei"):
    elementwise(in_special(_fn), "x", domain="positive", x=f"scipy.special.{_fn}p(x)")

constant(in_special("bernoulli euler stirling2"))
constant(
    in_special(
        "roots_legendre roots_chebyt roots_chebyu roots_chebyc roots_chebys roots_laguerre"
        " roots_hermite roots_hermitenorm roots_sh_legendre"
        " roots_sh_chebyt roots_sh_chebyu p_roots jn_zeros yn_zeros jnp_zeros ynp_zeros"
    )
)
for _fn, _weight in (
    ("roots_jacobi", "alpha beta"),
    ("roots_sh_jacobi", "p1 q1"),
    ("roots_genlaguerre", "alpha"),
    ("roots_gegenbauer", "alpha"),
):
    constant(
        in_special(_fn),
        f"n, {_weight.replace(' ', ', ')}, mu=False",
        refused=_weight,
        because="no formula for how nodes move with the weight is known here",
    )
unsupported(
    in_special(
        "agm airye elliprc elliprd elliprg elliprj itairy iti0k0 itj0y0 it2i0k0 it2j0y0"
        " itmodstruve0 itstruve0 it2struve0 kolmogi kolmogorov lpmv smirnov smirnovi sph_harm sph_harm_y tklmbda"
        " wright_bessel zetac hankel1e hankel2e jve yve nbdtr nbdtrc ncfdtr nctdtr chndtr eval_chebys"
        " eval_sh_chebyu eval_sh_legendre eval_sh_jacobi"
    ),
    "no rule is written for it; state one with `@pullback.adjoint`",
)
