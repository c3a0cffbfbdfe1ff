"""The `math` module: on Python floats, with formulas in `math` too.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import constant, elementwise, general, linear

# --- exponentials and logarithms -----------------------------------------------------------------

elementwise("math.exp", "x", x="y")
elementwise("math.exp2", "x", x="math.log(2.0) * y")
elementwise("math.expm1", "x", x="y + 1.0")
elementwise(
    "math.log",
    "x, base=None",
    domain="positive, above one",
    x="1.0 / x if base is None else 1.0 / (x * math.log(base))",
    base="-y / (base * math.log(base))",
    samples=("1.7", "1.7, 3.0"),
)
elementwise("math.log2", "x", domain="positive", x="1.0 / (math.log(2.0) * x)")
elementwise("math.log10", "x", domain="positive", x="1.0 / (math.log(10.0) * x)")
elementwise("math.log1p", "x", domain="positive", x="1.0 / (1.0 + x)")

# --- powers and roots ----------------------------------------------------------------------------

elementwise("math.sqrt", "x", domain="positive", x="0.5 / y")
elementwise("math.cbrt", "x", x="1.0 / (3.0 * y * y)")
elementwise(
    "math.pow",
    "a, b",
    domain="positive, real",
    a="b * a ** (b - (b != 0))",
    b="y * math.log(a + (a == 0))",
    kink="where the base is 0 and the exponent below 1",
)
elementwise("math.hypot", "x1, x2", x1="x1 / y", x2="x2 / y", kink="where both are 0")

# --- trigonometry --------------------------------------------------------------------------------

elementwise("math.sin", "x", x="math.cos(x)")
elementwise("math.cos", "x", x="-math.sin(x)")
elementwise("math.tan", "x", domain="unit", x="1.0 + y * y")
elementwise("math.asin", "x", domain="unit", x="1.0 / math.sqrt(1.0 - x * x)")
elementwise("math.acos", "x", domain="unit", x="-1.0 / math.sqrt(1.0 - x * x)")
elementwise("math.atan", "x", x="1.0 / (1.0 + x * x)")
elementwise(
    "math.atan2",
    "x1, x2",
    x1="x2 / (x1 * x1 + x2 * x2)",
    x2="-x1 / (x1 * x1 + x2 * x2)",
    kink="where both are 0, and across the negative axis",
)
elementwise("math.radians", "x", x="math.pi / 180.0")
elementwise("math.degrees", "x", x="180.0 / math.pi")

# --- hyperbolic ----------------------------------------------------------------------------------

elementwise("math.sinh", "x", x="math.cosh(x)")
elementwise("math.cosh", "x", x="math.sinh(x)")
elementwise("math.tanh", "x", x="1.0 - y * y")
elementwise("math.asinh", "x", x="1.0 / math.sqrt(1.0 + x * x)")
elementwise("math.acosh", "x", domain="above one", x="1.0 / math.sqrt(x * x - 1.0)")
elementwise("math.atanh", "x", domain="unit", x="1.0 / (1.0 - x * x)")

# --- special functions ---------------------------------------------------------------------------

elementwise("math.erf", "x", x="2.0 / math.sqrt(math.pi) * math.exp(-x * x)")
elementwise("math.erfc", "x", x="-2.0 / math.sqrt(math.pi) * math.exp(-x * x)")
elementwise("math.gamma", "x", domain="positive", x="y * scipy.special.digamma(x)")
elementwise("math.lgamma", "x", domain="positive", x="scipy.special.digamma(x)")

# --- sign and remainder --------------------------------------------------------------------------

elementwise("math.fabs", "x", x="math.copysign(1.0, x) if x != 0.0 else 0.0", kink="at 0")
elementwise(
    "math.copysign",
    "x1, x2",
    x1="math.copysign(1.0, x1) * math.copysign(1.0, x2)",
    kink="where the first argument is 0",
)
elementwise(
    "math.fmod math.remainder",
    "a, b",
    domain="real, positive",
    a="1.0",
    b="(y - a) / b",
    kink="where the quotient jumps",
)
elementwise("math.ldexp", "x, i", x="math.ldexp(1.0, i)", samples=("1.3, 3",))

general(
    "math.modf",
    "x",
    x="y_bar[0]",
    tangent="(x_dot, 0.0)",
    shape="tuple",
    results=("fractional: scalar", "integral: scalar"),
    samples=("1.7", "-2.3"),
    kink="at whole numbers",
)
general(
    "math.frexp",
    "x",
    x="math.ldexp(y_bar[0], -y[1])",
    tangent="(math.ldexp(x_dot, -y[1]), 0)",
    shape="tuple",
    results=("mantissa: scalar", "exponent: scalar, int"),
    samples=("1.7", "-2.3"),
    kink="at powers of 2",
)

# --- several numbers -----------------------------------------------------------------------------

linear(
    "math.fsum", "x", x="y_bar", spread=True, shape="scalar", dtype="float", samples=("normal(4)",)
)
general(
    "math.prod",
    "x",
    x="y_bar * _product_of_others(x, None)",
    tangent="np.sum(x_dot * _product_of_others(x, None))",
    shape="scalar",
    samples=("normal(4)", "np.array([1.5, 0.0, 2.0])"),
)
general(
    "math.dist",
    "p, q",
    p="(y_bar / y) * (np.asarray(p) - np.asarray(q))",
    q="(y_bar / y) * (np.asarray(q) - np.asarray(p))",
    tangent="np.sum((np.asarray(p) - np.asarray(q)) * (np.asarray(p_dot) - np.asarray(q_dot))) / y",
    shape="scalar",
    samples=("normal(3), normal(3)",),
    kink="where both points are one",
)
general(
    "math.sumprod",
    "p, q",
    p="y_bar * np.asarray(q)",
    q="y_bar * np.asarray(p)",
    tangent="np.sum(np.asarray(p_dot) * np.asarray(q) + np.asarray(p) * np.asarray(q_dot))",
    shape="scalar",
    samples=("normal(3), normal(3)",),
)
elementwise("math.nextafter", "x1, x2", x1="1.0")
elementwise("math.fma", "x1, x2, x3", x1="x2", x2="x1", x3="1.0")

constant("math.floor math.ceil math.trunc", "x", shape="scalar", dtype="int")
constant("math.isnan math.isinf math.isfinite math.isclose", shape="scalar", dtype="bool")
constant(
    "math.comb math.perm math.factorial math.gcd math.lcm math.isqrt", shape="scalar", dtype="int"
)
constant("math.ulp", shape="scalar", dtype="float")
