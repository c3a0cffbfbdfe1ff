"""NumPy functions of each element alone: the partial derivative of each argument, once.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import constant, elementwise, general, linear

# --- exponentials and logarithms -----------------------------------------------------------------

elementwise("numpy.exp", "x", x="y")
elementwise("numpy.exp2", "x", x="math.log(2.0) * y")
elementwise("numpy.expm1", "x", x="y + 1.0")
elementwise("numpy.log", "x", domain="positive", x="1.0 / x")
elementwise("numpy.log2", "x", domain="positive", x="1.0 / (math.log(2.0) * x)")
elementwise("numpy.log10", "x", domain="positive", x="1.0 / (math.log(10.0) * x)")
elementwise("numpy.log1p", "x", domain="positive", x="1.0 / (1.0 + x)")
elementwise(  # the logistic function of the difference; exp stops short of overflowing
    "numpy.logaddexp",
    "x1, x2",
    x1="1.0 / (1.0 + np.exp(np.minimum(x2 - x1, 709.0)))",
    x2="1.0 / (1.0 + np.exp(np.minimum(x1 - x2, 709.0)))",
)
elementwise("numpy.logaddexp2", "x1, x2", x1="np.exp2(x1 - y)", x2="np.exp2(x2 - y)")

elementwise("numpy.i0", "x", x="scipy.special.i1(x)")

# --- powers and roots ----------------------------------------------------------------------------

elementwise("numpy.square", "x", dtype="x", x="2.0 * x")
elementwise("numpy.sqrt", "x", domain="positive", x="0.5 / y")
elementwise("numpy.cbrt", "x", x="1.0 / (3.0 * y * y)")
elementwise("numpy.reciprocal", "x", dtype="promote", domain="positive", x="-y * y")
elementwise("numpy.hypot", "x1, x2", x1="x1 / y", x2="x2 / y", kink="where both are 0")

# --- trigonometry --------------------------------------------------------------------------------

elementwise("numpy.sin", "x", x="np.cos(x)")
elementwise("numpy.cos", "x", x="-np.sin(x)")
elementwise("numpy.tan", "x", domain="unit", x="1.0 + y * y")
elementwise("numpy.arcsin numpy.asin", "x", domain="unit", x="1.0 / np.sqrt(1.0 - x * x)")
elementwise("numpy.arccos numpy.acos", "x", domain="unit", x="-1.0 / np.sqrt(1.0 - x * x)")
elementwise("numpy.arctan numpy.atan", "x", x="1.0 / (1.0 + x * x)")
elementwise(
    "numpy.arctan2 numpy.atan2",
    "x1, x2",
    x1="x2 / (x1 * x1 + x2 * x2)",
    x2="-x1 / (x1 * x1 + x2 * x2)",
    kink="where both are 0, and across the negative axis",
)
elementwise("numpy.deg2rad numpy.radians", "x", x="math.pi / 180.0")
elementwise("numpy.rad2deg numpy.degrees", "x", x="180.0 / math.pi")
elementwise(
    "numpy.sinc",
    "x",
    x="(np.cos(math.pi * x) - y) / (x + (x == 0))",
    samples=("normal(2, 3)", "np.zeros(2)"),
)

# --- hyperbolic ----------------------------------------------------------------------------------

elementwise("numpy.sinh", "x", x="np.cosh(x)")
elementwise("numpy.cosh", "x", x="np.sinh(x)")
elementwise("numpy.tanh", "x", x="1.0 - y * y")
elementwise("numpy.arcsinh numpy.asinh", "x", x="1.0 / np.sqrt(1.0 + x * x)")
elementwise("numpy.arccosh numpy.acosh", "x", domain="above one", x="1.0 / np.sqrt(x * x - 1.0)")
elementwise("numpy.arctanh numpy.atanh", "x", domain="unit", x="1.0 / (1.0 - x * x)")

# --- choices: at a tie each side gets its share --------------------------------------------------

elementwise(
    "numpy.maximum numpy.fmax",
    "x1, x2",
    x1="0.5 + 0.5 * np.sign(x1 - x2)",
    x2="0.5 - 0.5 * np.sign(x1 - x2)",
    dtype="promote",
    kink="where both are equal",
)
elementwise(
    "numpy.minimum numpy.fmin",
    "x1, x2",
    x1="0.5 - 0.5 * np.sign(x1 - x2)",
    x2="0.5 + 0.5 * np.sign(x1 - x2)",
    dtype="promote",
    kink="where both are equal",
)
# The mask is 1 wherever the value passed unchanged, the bounds included.
for _clip, _low, _high in (("numpy.clip", "a_min", "a_max"), ("method.clip", "min", "max")):
    elementwise(
        _clip,
        f"a, {_low}=None, {_high}=None",
        **{"a": "y == a", _low: f"a < {_low}", _high: f"a > {_high}"},
        dtype="promote",
        samples=(
            "normal(4, 3), -0.5, 0.5",
            "normal(4, 3), -0.5, positive(3)",
            "normal(4, 3), None, 0.5",
            "normal(4, 3), -0.5, None",
            "normal(4), -positive(4), positive(4)",
        ),
        kink="at the bounds",
    )
# Not by partials: 0 times an infinite cotangent of the side not taken would be nan.
linear(
    "numpy.where",
    "condition, a, b",
    a="np.where(condition, y_bar, 0.0)",
    b="np.where(condition, 0.0, y_bar)",
    shape="broadcast",
    samples=(
        "normal(4) > 0, normal(4), normal(4)",
        "normal(3, 1) > 0, normal(4), 1.5",
        "True, normal(2), normal(2)",
    ),
)
elementwise(
    "numpy.nan_to_num",
    "x, copy=True, nan=0.0, posinf=None, neginf=None",
    x="np.isfinite(x)",
    nan="np.isnan(x)",
    posinf="x == np.inf",
    neginf="x == -np.inf",
    dtype="x",
    samples=(
        "normal(3)",
        "np.array([1.0, np.nan, np.inf, -np.inf]), nan=0.5, posinf=1.5, neginf=2.5",
    ),
)
elementwise(
    "numpy.copysign", "x1, x2", x1="np.sign(x1) * np.sign(y)", kink="where the first argument is 0"
)
elementwise("numpy.nextafter", "x1, x2", x1="1.0")
elementwise(
    "numpy.heaviside",
    "x1, x2",
    x2="x1 == 0",
    kink="where the first argument is 0",
    samples=("np.array([0.0, 1.0, -1.0]), normal(3)", "np.array([0.0, 1.0]), 0.7"),
)
linear(
    "numpy.ldexp",
    "x1, x2",
    x1="np.ldexp(y_bar, x2)",
    shape="broadcast",
    samples=("normal(3), 2", "normal(3), np.array([1, 2, 3])"),
)

# --- real numbers seen as complex ----------------------------------------------------------------

linear(
    "numpy.real attr.real",
    "x",
    x="y_bar",
    shape="same x",
    memory="maybe x",
    samples=("normal(2, 3)",),
)
linear(
    "numpy.real_if_close",
    "a, tol=100",
    a="y_bar",
    shape="same a",
    memory="maybe a",
    samples=("normal(2, 3)",),
)
linear(
    "numpy.conj numpy.conjugate method.conj method.conjugate",
    "x",
    x="np.conj(y_bar)",
    shape="same x",
    memory="maybe x",
    samples=("normal(2, 3)",),
)

# --- flat almost everywhere ----------------------------------------------------------------------

constant(
    "numpy.floor numpy.ceil numpy.trunc numpy.rint numpy.fix numpy.sign",
    "x",
    shape="broadcast",
    dtype="x",
)
general(
    "numpy.modf",
    "x",
    x="y_bar[0]",
    tangent="(x_dot, np.zeros_like(y[1]))",
    shape="tuple",
    dtype="promote",
    results=("fractional: same x", "integral: same x"),
    samples=("normal(3)", "normal(2, 3)"),
    kink="at whole numbers",
)
general(
    "numpy.frexp",
    "x",
    x="np.ldexp(y_bar[0], -y[1])",
    tangent="(np.ldexp(x_dot, -y[1]), 0 * y[1])",
    shape="tuple",
    dtype="promote",
    results=("mantissa: same x", "exponent: same x, int"),
    samples=("normal(3)", "normal(2, 3)"),
    kink="at powers of 2",
)
constant("numpy.imag attr.imag", "x", shape="same x", dtype="float")
constant("numpy.angle", "z, deg=False", shape="same z", dtype="float")
constant(
    "numpy.round numpy.around numpy.round_ method.round", "a, decimals=0", shape="same a", dtype="a"
)
