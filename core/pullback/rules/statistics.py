"""scipy.stats: densities and distribution functions, in the argument, location and scale.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

import re

from .notation import elementwise, general
from .special import NO_FORM

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
_BETA = "scipy.special.digamma(a + b)"
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
    "beta": (
        "a, b",
        "(a - 1.0) / z - (b - 1.0) / (1.0 - z)",
        {
            "a": f"np.log(z) - scipy.special.digamma(a) + {_BETA}",
            "b": f"np.log1p(-z) - scipy.special.digamma(b) + {_BETA}",
        },
    ),
    "gumbel_r": ("", "np.exp(-z) - 1.0", {}),
    "rayleigh": ("", "1.0 / z - z", {}),
    "halfnorm": ("", "-z", {}),
    "halfcauchy": ("", "-2.0 * z / (1.0 + z * z)", {}),
    "pareto": ("b", "-(b + 1.0) / z", {"b": "1.0 / b - np.log(z)"}),
}
_SAMPLED = {"beta": "0.5 + 0.4 * unit(4)"}  # where its density is positive
_SHIFTED = {"beta": "1.1 + 0.6 * unit(4)"}
for _name, (_shape, _slope, _others) in _FAMILIES.items():
    _args = f"x, {_shape}, loc=0.0, scale=1.0" if _shape else "x, loc=0.0, scale=1.0"
    _count = len(_shape.split(", ")) if _shape else 0
    _two, _one = "2.3, " * _count, "positive(4), " * _count
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
                f"{_SAMPLED.get(_name, '1.1 + positive(4)')}, {_two}".rstrip(", "),
                f"{_SHIFTED.get(_name, '2.4 + positive(4)')}, {_one}0.3, 1.7",
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
    ("gumbel_r", "", "normal(4)"),
    ("rayleigh", "", "positive(4)"),
    ("halfnorm", "", "positive(4)"),
    ("halfcauchy", "", "positive(4)"),
):
    _args = f"{_shape}, " if _shape else ""
    _pdf = f"scipy.stats.{_name}.pdf(x, {_args}loc, scale)"
    _ratio = f"np.exp({_pdf.replace('.pdf', '.logpdf')} - y)"
    _given = "".join("2.3, " for _ in _shape.split(", ") if _)
    for _function, _sign, _slope in (
        ("cdf", "", _pdf),
        ("sf", "-", _pdf),
        ("logcdf", "", _ratio),
        ("logsf", "-", _ratio),
    ):
        elementwise(
            f"scipy.stats.{_name}.{_function}",
            f"x, {_args}loc=0.0, scale=1.0",
            x=f"{_sign}{_slope}",
            loc=_slope if _sign else f"-{_slope}",
            scale=f"{_slope} * {_Z}" if _sign else f"-{_slope} * {_Z}",
            refused=_shape.replace(",", ""),
            because=NO_FORM if _shape else "",
            samples=(f"{_x}, {_given}".rstrip(", "), f"0.3 + 1.7 * {_x}, {_given}0.3, 1.7"),
        )
    elementwise(
        f"scipy.stats.{_name}.ppf",
        f"q, {_args}loc=0.0, scale=1.0",
        q=f"1.0 / scipy.stats.{_name}.pdf(y, {_args}loc, scale)",
        loc="1.0",
        scale="(y - loc) / scale",
        refused=_shape.replace(",", ""),
        because=NO_FORM if _shape else "",
        samples=(
            f"0.5 + 0.4 * unit(4), {_given}".rstrip(", "),
            f"0.5 + 0.4 * unit(4), {_given}0.3, 1.7",
        ),
    )
elementwise(
    "scipy.stats.norm.entropy",
    "loc=0.0, scale=1.0",
    scale="1.0 / scale",
    samples=("0.3, 1.7", "normal(3), positive(3)"),
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

_POISSON = ("3, 1.7", "np.array([0, 2, 5]), positive(3)", "np.array([1, 2, 5]), positive(3), 1")
_SLOPE = "k / mu - 1.0 if loc == 0 else (k - loc) / mu - 1.0"
elementwise("scipy.stats.poisson.logpmf", "k, mu, loc=0", mu=_SLOPE, samples=_POISSON)
elementwise("scipy.stats.poisson.pmf", "k, mu, loc=0", mu=f"y * ({_SLOPE})", samples=_POISSON)
elementwise(
    "scipy.stats.poisson.cdf",
    "k, mu, loc=0",
    mu="-scipy.stats.poisson.pmf(k, mu, loc)",
    samples=_POISSON,
)
_P = "0.5 + 0.4 * unit(3)"
for _name, _args, _slope, _counts in (
    ("bernoulli", "k, p", "k / p - (1.0 - k) / (1.0 - p)", "np.array([0, 1, 1])"),
    ("binom", "k, n, p", "k / p - (n - k) / (1.0 - p)", "np.array([0, 2, 5]), 5"),
    ("geom", "k, p", "1.0 / p - (k - 1.0) / (1.0 - p)", "np.array([1, 2, 5])"),
):
    for _mass, _text in (("logpmf", _slope), ("pmf", f"y * ({_slope})")):
        elementwise(f"scipy.stats.{_name}.{_mass}", _args, p=_text, samples=(f"{_counts}, {_P}",))
# The number of successes of a negative binomial distribution is any positive number: its dispersion.
_OF_N = "scipy.special.digamma(k + n) - scipy.special.digamma(n) + np.log(p)"
_OF_P = "n / p - k / (1.0 - p)"
_SUCCESSES = (
    "np.array([0, 2, 5]), 4.3, 0.3",
    "np.array([0, 2, 5]), positive(3), 0.5 + 0.4 * unit(3)",
)
elementwise("scipy.stats.nbinom.logpmf", "k, n, p", n=_OF_N, p=_OF_P, samples=_SUCCESSES)
elementwise(
    "scipy.stats.nbinom.pmf", "k, n, p", n=f"y * ({_OF_N})", p=f"y * ({_OF_P})", samples=_SUCCESSES
)

# --- several variables ---------------------------------------------------------------------------

_FULL = "np.ndim(x) in (1, 2) and np.ndim(mean) == 1 and np.ndim(cov) == 2"
for _density, _bar, _scaled in (("logpdf", "y_bar", ""), ("pdf", "y_bar * y", "y * ")):
    _far = f"np.linalg.solve(cov, (x - mean).T).T * np.asarray({_bar})[..., None]"
    general(
        f"scipy.stats.multivariate_normal.{_density}",
        "x, mean=None, cov=1.0, allow_singular=False",
        x=f"-{_far} if {_FULL} else _normal_bars({_bar}, x, mean, cov)[0]",
        mean=f"unbroadcast({_far}, mean) if {_FULL} else _normal_bars({_bar}, x, mean, cov)[1]",
        cov=f"_normal_cov_bar({_bar}, x - mean, cov) if {_FULL} else _normal_bars({_bar}, x, mean, cov)[2]",
        tangent=f"{_scaled}_normal_dot(x_dot, x, mean, cov, np.shape(y))"
        f" + {_scaled}_normal_dot(-np.asarray(mean_dot), x, mean, cov, np.shape(y))"
        f" + {_scaled}_normal_cov_dot(cov_dot, x, mean, cov, np.shape(y))",
        shape="unknown",
        samples=(
            "normal(3), normal(3), spd(3)",
            "normal(5, 3), normal(3), spd(3)",
            "normal(2, 5, 3), normal(3), spd(3)",
            "normal(5, 3), normal(3), positive(3)",
            "normal(3), normal(3), 0.7",
            "normal(4)",
            "normal(4), 0.3, 0.7",
        ),
    )
_SLOPE = "(np.log(x) - scipy.special.digamma(alpha) + scipy.special.digamma(np.sum(alpha)))"
for _density, _times in (("logpdf", ""), ("pdf", "y * ")):
    general(
        f"scipy.stats.dirichlet.{_density}",
        "x, alpha",
        alpha=f"y_bar * {_times}{_SLOPE}",
        tangent=f"{_times}np.sum(alpha_dot * {_SLOPE})",
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
