"""scipy.stats: densities and distribution functions, in the argument, location and scale.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

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
