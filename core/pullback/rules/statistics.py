"""scipy.stats: densities and distribution functions, in the argument, location and scale.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

import re

from .notation import elementwise, general

_PHI = "np.exp(-0.5 * ((x - loc) / scale) ** 2) / math.sqrt(2.0 * math.pi)"
_NORMAL = (
    "normal(4)",
    "normal(4), 0.3, 1.7",
    "0.7, 0.3, 1.7",
    "normal(2, 3), normal(3), positive(3)",
)
_RIGHT = ("positive(4)", "1.5 + positive(4), 0.3, 1.7", "2.7, 0.3, 1.7")
_LOC = "(x - loc) / (scale * scale)"

# --- normal --------------------------------------------------------------------------------------

elementwise(
    "scipy.stats.norm.logpdf",
    "x, loc=0.0, scale=1.0",
    x=f"-{_LOC}",
    loc=_LOC,
    scale="(((x - loc) / scale) ** 2 - 1.0) / scale",
    samples=_NORMAL,
)
elementwise(
    "scipy.stats.norm.pdf",
    "x, loc=0.0, scale=1.0",
    x=f"-y * {_LOC}",
    loc=f"y * {_LOC}",
    scale="y * (((x - loc) / scale) ** 2 - 1.0) / scale",
    samples=_NORMAL,
)
elementwise(
    "scipy.stats.norm.cdf",
    "x, loc=0.0, scale=1.0",
    x=f"{_PHI} / scale",
    loc=f"-{_PHI} / scale",
    scale=f"-{_PHI} * {_LOC}",
    samples=_NORMAL,
)
elementwise(
    "scipy.stats.norm.sf",
    "x, loc=0.0, scale=1.0",
    x=f"-{_PHI} / scale",
    loc=f"{_PHI} / scale",
    scale=f"{_PHI} * {_LOC}",
    samples=_NORMAL,
)
elementwise(
    "scipy.stats.norm.logcdf",
    "x, loc=0.0, scale=1.0",
    x=f"{_PHI.replace('** 2)', '** 2 - y)')} / scale",
    loc=f"-{_PHI.replace('** 2)', '** 2 - y)')} / scale",
    scale=f"-{_PHI.replace('** 2)', '** 2 - y)')} * {_LOC}",
    samples=_NORMAL,
)
elementwise(
    "scipy.stats.norm.logsf",
    "x, loc=0.0, scale=1.0",
    x=f"-{_PHI.replace('** 2)', '** 2 - y)')} / scale",
    loc=f"{_PHI.replace('** 2)', '** 2 - y)')} / scale",
    scale=f"{_PHI.replace('** 2)', '** 2 - y)')} * {_LOC}",
    samples=_NORMAL,
)
elementwise(
    "scipy.stats.norm.ppf",
    "q, loc=0.0, scale=1.0",
    q="scale * math.sqrt(2.0 * math.pi) * np.exp(0.5 * ((y - loc) / scale) ** 2)",
    loc="1.0",
    scale="(y - loc) / scale",
    samples=("0.5 + 0.4 * unit(4)", "0.5 + 0.4 * unit(4), 0.3, 1.7", "0.3, 0.3, 1.7"),
)

# --- exponential ---------------------------------------------------------------------------------

elementwise(
    "scipy.stats.expon.logpdf",
    "x, loc=0.0, scale=1.0",
    x="-1.0 / scale",
    loc="1.0 / scale",
    scale="((x - loc) / scale - 1.0) / scale",
    samples=_RIGHT,
)
elementwise(
    "scipy.stats.expon.pdf",
    "x, loc=0.0, scale=1.0",
    x="-y / scale",
    loc="y / scale",
    scale="y * ((x - loc) / scale - 1.0) / scale",
    samples=_RIGHT,
)
elementwise(
    "scipy.stats.expon.cdf",
    "x, loc=0.0, scale=1.0",
    x="(1.0 - y) / scale",
    loc="-(1.0 - y) / scale",
    scale=f"-(1.0 - y) * {_LOC}",
    samples=_RIGHT,
)

# --- gamma, beta, Student's t --------------------------------------------------------------------

elementwise(
    "scipy.stats.gamma.logpdf",
    "x, a, loc=0.0, scale=1.0",
    x="(a - 1.0) / (x - loc) - 1.0 / scale",
    a="np.log((x - loc) / scale) - scipy.special.digamma(a)",
    loc="1.0 / scale - (a - 1.0) / (x - loc)",
    scale="((x - loc) / scale - a) / scale",
    samples=("positive(4), 2.3", "1.0 + positive(4), positive(4), 0.3, 1.7"),
)
elementwise(
    "scipy.stats.gamma.pdf",
    "x, a, loc=0.0, scale=1.0",
    x="y * ((a - 1.0) / (x - loc) - 1.0 / scale)",
    a="y * (np.log((x - loc) / scale) - scipy.special.digamma(a))",
    loc="y * (1.0 / scale - (a - 1.0) / (x - loc))",
    scale="y * ((x - loc) / scale - a) / scale",
    samples=("positive(4), 2.3", "1.0 + positive(4), positive(4), 0.3, 1.7"),
)
elementwise(
    "scipy.stats.beta.logpdf",
    "x, a, b",
    x="(a - 1.0) / x - (b - 1.0) / (1.0 - x)",
    a="np.log(x) - scipy.special.digamma(a) + scipy.special.digamma(a + b)",
    b="np.log1p(-x) - scipy.special.digamma(b) + scipy.special.digamma(a + b)",
    samples=("0.5 + 0.4 * unit(4), 2.3, 1.7", "0.5 + 0.4 * unit(4), positive(4), positive(4)"),
)
elementwise(
    "scipy.stats.beta.pdf",
    "x, a, b",
    x="y * ((a - 1.0) / x - (b - 1.0) / (1.0 - x))",
    a="y * (np.log(x) - scipy.special.digamma(a) + scipy.special.digamma(a + b))",
    b="y * (np.log1p(-x) - scipy.special.digamma(b) + scipy.special.digamma(a + b))",
    samples=("0.5 + 0.4 * unit(4), 2.3, 1.7", "0.5 + 0.4 * unit(4), positive(4), positive(4)"),
)
_T_DF = (
    "0.5 * (scipy.special.digamma(0.5 * (df + 1.0)) - scipy.special.digamma(0.5 * df) - 1.0 / df"
    " - np.log1p(((x - loc) / scale) ** 2 / df)"
    " + (df + 1.0) * (x - loc) ** 2 / (df * (df * scale * scale + (x - loc) ** 2)))"
)
elementwise(
    "scipy.stats.t.logpdf",
    "x, df, loc=0.0, scale=1.0",
    x="-(df + 1.0) * (x - loc) / (df * scale * scale + (x - loc) ** 2)",
    df=_T_DF,
    loc="(df + 1.0) * (x - loc) / (df * scale * scale + (x - loc) ** 2)",
    scale="((df + 1.0) * (x - loc) ** 2 / (df * scale * scale + (x - loc) ** 2) - 1.0) / scale",
    samples=("normal(4), 2.3", "normal(4), 1.0 + positive(4), 0.3, 1.7"),
)
elementwise(
    "scipy.stats.t.pdf",
    "x, df, loc=0.0, scale=1.0",
    x="-y * (df + 1.0) * (x - loc) / (df * scale * scale + (x - loc) ** 2)",
    df=f"y * {_T_DF}",
    loc="y * (df + 1.0) * (x - loc) / (df * scale * scale + (x - loc) ** 2)",
    scale="y * ((df + 1.0) * (x - loc) ** 2 / (df * scale * scale + (x - loc) ** 2) - 1.0) / scale",
    samples=("normal(4), 2.3", "normal(4), 1.0 + positive(4), 0.3, 1.7"),
)

# --- families in location and scale: the slope of the log density in z = (x - loc) / scale ----------

_Z = "((x - loc) / scale)"
_FAMILIES = {
    # name: (parameters, slope in z, slope in each parameter), with z for the standardized argument
    "laplace": ("", "-np.sign(z)", {}),
    "cauchy": ("", "-2.0 * z / (1.0 + z * z)", {}),
    "logistic": ("", "-np.tanh(0.5 * z)", {}),
    "chi2": (
        "df",
        "(0.5 * df - 1.0) / z - 0.5",
        {"df": "0.5 * (np.log(0.5 * z) - scipy.special.digamma(0.5 * df))"},
    ),
    "lognorm": (
        "s",
        "-(1.0 + np.log(z) / (s * s)) / z",
        {"s": "(np.log(z) ** 2 / (s * s) - 1.0) / s"},
    ),
    "weibull_min": (
        "c",
        "(c - 1.0 - c * z ** c) / z",
        {"c": "1.0 / c + np.log(z) * (1.0 - z ** c)"},
    ),
    "invgamma": (
        "a",
        "(1.0 / z - a - 1.0) / z",
        {"a": "-np.log(z) - scipy.special.digamma(a)"},
    ),
    "pareto": ("b", "-(b + 1.0) / z", {"b": "1.0 / b - np.log(z)"}),
}
for _name, (_shape, _slope, _others) in _FAMILIES.items():
    _args = f"x, {_shape}, loc=0.0, scale=1.0" if _shape else "x, loc=0.0, scale=1.0"
    _two, _one = ("2.3, ", "positive(4), ") if _shape else ("", "")
    _g = re.sub(r"\bz\b", _Z, _slope)
    _partials = {
        "x": f"({_g}) / scale",
        "loc": f"-({_g}) / scale",
        "scale": f"-({_Z} * ({_g}) + 1.0) / scale",
        **{p: re.sub(r"\bz\b", _Z, text) for p, text in _others.items()},
    }
    for _density, _times in (("logpdf", ""), ("pdf", "y * ")):
        elementwise(
            f"scipy.stats.{_name}.{_density}",
            _args,
            **{p: f"{_times}({text})" if _times else text for p, text in _partials.items()},
            samples=(
                f"1.1 + positive(4), {_two}".rstrip(", "),
                f"2.4 + positive(4), {_one}0.3, 1.7",
            ),
        )

# --- distribution functions: the density is their slope ------------------------------------------

for _name, _shape, _x in (
    ("gamma", "a", "positive(4)"),
    ("beta", "a, b", "0.5 + 0.4 * unit(4)"),
    ("t", "df", "normal(4)"),
    ("chi2", "df", "positive(4)"),
    ("laplace", "", "normal(4)"),
    ("cauchy", "", "normal(4)"),
    ("logistic", "", "normal(4)"),
    ("lognorm", "s", "positive(4)"),
    ("weibull_min", "c", "positive(4)"),
):
    _args = f"{_shape}, " if _shape else ""
    _pdf = f"scipy.stats.{_name}.pdf(x, {_args}loc, scale)"
    _given = "".join("2.3, " for _ in _shape.split(", ") if _)
    for _function, _sign in (("cdf", ""), ("sf", "-")):
        elementwise(
            f"scipy.stats.{_name}.{_function}",
            f"x, {_args}loc=0.0, scale=1.0",
            x=f"{_sign}{_pdf}",
            loc=_pdf if _sign else f"-{_pdf}",
            scale=f"{_pdf} * {_Z}" if _sign else f"-{_pdf} * {_Z}",
            refused=_shape.replace(",", ""),
            samples=(f"{_x}, {_given}".rstrip(", "), f"0.3 + 1.7 * {_x}, {_given}0.3, 1.7"),
        )
elementwise(
    "scipy.stats.expon.sf",
    "x, loc=0.0, scale=1.0",
    x="-y / scale",
    loc="y / scale",
    scale=f"y * {_LOC}",
    samples=_RIGHT,
)
elementwise(
    "scipy.stats.norm.isf",
    "q, loc=0.0, scale=1.0",
    q="-scale * math.sqrt(2.0 * math.pi) * np.exp(0.5 * ((y - loc) / scale) ** 2)",
    loc="1.0",
    scale="(y - loc) / scale",
    samples=("0.5 + 0.4 * unit(4)", "0.5 + 0.4 * unit(4), 0.3, 1.7", "0.3, 0.3, 1.7"),
)

# --- counts --------------------------------------------------------------------------------------

elementwise(
    "scipy.stats.poisson.logpmf",
    "k, mu",
    mu="k / mu - 1.0",
    samples=("3, 1.7", "np.array([0, 2, 5]), positive(3)"),
)
elementwise(
    "scipy.stats.poisson.pmf",
    "k, mu",
    mu="y * (k / mu - 1.0)",
    samples=("3, 1.7", "np.array([0, 2, 5]), positive(3)"),
)

elementwise(
    "scipy.stats.poisson.cdf",
    "k, mu",
    mu="-scipy.stats.poisson.pmf(k, mu)",
    samples=("3, 1.7", "np.array([0, 2, 5]), positive(3)"),
)
_P = "0.5 + 0.4 * unit(3)"
for _name, _args, _slope, _counts in (
    ("bernoulli", "k, p", "k / p - (1.0 - k) / (1.0 - p)", "np.array([0, 1, 1])"),
    ("binom", "k, n, p", "k / p - (n - k) / (1.0 - p)", "np.array([0, 2, 5]), 5"),
    ("nbinom", "k, n, p", "n / p - k / (1.0 - p)", "np.array([0, 2, 5]), 4"),
    ("geom", "k, p", "1.0 / p - (k - 1.0) / (1.0 - p)", "np.array([1, 2, 5])"),
):
    for _mass, _text in (("logpmf", _slope), ("pmf", f"y * ({_slope})")):
        elementwise(f"scipy.stats.{_name}.{_mass}", _args, p=_text, samples=(f"{_counts}, {_P}",))

# --- several variables ---------------------------------------------------------------------------

general(
    "scipy.stats.multivariate_normal.logpdf",
    "x, mean, cov",
    x="-np.linalg.solve(cov, (x - mean).T).T * np.asarray(y_bar)[..., None]",
    mean="unbroadcast(np.linalg.solve(cov, (x - mean).T).T * np.asarray(y_bar)[..., None], mean)",
    cov="_normal_cov_bar(y_bar, x - mean, cov)",
    tangent="_normal_dot(x_dot - mean_dot, x - mean, cov) + _normal_cov_dot(cov_dot, x - mean, cov)",
    shape="unknown",
    samples=("normal(3), normal(3), spd(3)", "normal(5, 3), normal(3), spd(3)"),
)
general(
    "scipy.stats.multivariate_normal.pdf",
    "x, mean, cov",
    x="-np.linalg.solve(cov, (x - mean).T).T * np.asarray(y_bar * y)[..., None]",
    mean="unbroadcast(np.linalg.solve(cov, (x - mean).T).T * np.asarray(y_bar * y)[..., None], mean)",
    cov="_normal_cov_bar(y_bar * y, x - mean, cov)",
    tangent="y * _normal_dot(x_dot - mean_dot, x - mean, cov) + y * _normal_cov_dot(cov_dot, x - mean, cov)",
    shape="unknown",
    samples=("normal(3), normal(3), spd(3)", "normal(5, 3), normal(3), spd(3)"),
)
general(
    "scipy.stats.dirichlet.logpdf",
    "x, alpha",
    alpha="y_bar * (np.log(x) - scipy.special.digamma(alpha) + scipy.special.digamma(np.sum(alpha)))",
    tangent="np.sum(alpha_dot * (np.log(x) - scipy.special.digamma(alpha)"
    " + scipy.special.digamma(np.sum(alpha))))",
    shape="scalar",
    samples=("[0.25, 0.25, 0.5], positive(3)",),
    refused="x",
)
general(
    "scipy.stats.multivariate_normal.entropy",
    "mean, cov",
    cov="_one_triangle(0.5 * y_bar * np.linalg.inv(cov), 'L')",
    tangent="0.5 * np.trace(np.linalg.solve(cov, np.tril(cov_dot) + np.tril(cov_dot, -1).T))",
    shape="scalar",
    samples=("[0.0, 0.0, 0.0], spd(3)",),
)
