"""Python's operators, their NumPy names, and the builtins that compute.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import constant, elementwise, general, linear

elementwise("operator.add numpy.add", "a, b", dtype="promote", a="1.0", b="1.0")
elementwise("operator.sub numpy.subtract", "a, b", dtype="promote", a="1.0", b="-1.0")
elementwise("operator.mul numpy.multiply", "a, b", dtype="promote", a="b", b="a")
elementwise(
    "operator.truediv numpy.divide numpy.true_divide",
    "a, b",
    domain="real, positive",
    a="1.0 / b",
    b="-y / b",
)
elementwise("operator.neg numpy.negative", "x", dtype="promote", x="-1.0")
elementwise("operator.pos numpy.positive", "x", dtype="promote", x="1.0")

# `b - (b != 0)` is b - 1, but 0 at b == 0: x ** 0 is flat everywhere, at x == 0 too.
# `a + (a == 0)` is a, but 1 at a == 0: 0 ** b is flat in b.
elementwise(
    "operator.pow numpy.power numpy.float_power numpy.pow builtins.pow",
    "a, b",
    domain="positive, real",
    dtype="promote",
    a="b * a ** (b - (b != 0))",
    b="y * np.log(a + (a == 0))",
    kink="where the base is 0 and the exponent below 1",
)

elementwise(
    "operator.mod numpy.mod numpy.remainder",
    "a, b",
    dtype="promote",
    domain="real, positive",
    a="1.0",
    b="-(a // b)",
    kink="where the quotient is a whole number",
)
general(
    "builtins.divmod numpy.divmod",
    "a, b",
    a="unbroadcast(y_bar[1], a)",
    b="unbroadcast(-y_bar[1] * y[0], b)",
    tangent="(np.zeros_like(y[0]), a_dot - y[0] * b_dot)",
    shape="tuple",
    dtype="promote",
    results=("quotient: broadcast", "remainder: broadcast"),
    samples=("3.7, 1.2", "positive(3), 0.7", "positive(2, 3), positive(3)"),
    kink="where the quotient is a whole number",
)
elementwise(
    "numpy.fmod",
    "a, b",
    dtype="promote",
    domain="real, positive",
    a="1.0",
    b="-np.trunc(a / b)",
    kink="where the quotient is a whole number",
)
elementwise(
    "builtins.abs numpy.abs numpy.absolute numpy.fabs",
    "x",
    dtype="promote",
    x="np.sign(x)",
    kink="at 0",
)

general(
    "operator.matmul numpy.matmul numpy.linalg.matmul",
    "a, b",
    dtype="promote",
    shape="matmul a b",
    tangent="a_dot @ b + a @ b_dot",
    a="y_bar * b if np.ndim(a) == 1 and np.ndim(b) == 1 else "
    "np.outer(y_bar, b) if np.ndim(a) == 2 and np.ndim(b) == 1 else "
    "b @ y_bar if np.ndim(a) == 1 and np.ndim(b) == 2 else "
    "y_bar @ b.T if np.ndim(a) == 2 and np.ndim(b) == 2 else "
    "_matmul_a_bar(y_bar, a, b)",
    b="y_bar * a if np.ndim(a) == 1 and np.ndim(b) == 1 else "
    "a.T @ y_bar if np.ndim(a) == 2 and np.ndim(b) <= 2 else "
    "np.outer(a, y_bar) if np.ndim(a) == 1 and np.ndim(b) == 2 else "
    "_matmul_b_bar(y_bar, a, b)",
    samples=(
        "normal(3), normal(3)",
        "normal(2, 3), normal(3)",
        "normal(3), normal(3, 2)",
        "normal(2, 3), normal(3, 4)",
        "normal(5, 2, 3), normal(3, 4)",
        "normal(2, 3), normal(5, 3, 4)",
        "normal(5, 2, 3), normal(5, 3, 4)",
        "normal(5, 2, 3), normal(1, 3, 4)",
        "normal(5, 2, 3), normal(3)",
        "normal(3), normal(5, 3, 4)",
    ),
)

elementwise(
    "builtins.max",
    "a, b",
    dtype="promote",
    a="1.0 if a > b else 0.5 if a == b else 0.0",
    b="1.0 if b > a else 0.5 if a == b else 0.0",
    samples=("1.2, 0.7", "0.3, 0.7"),
    kink="where both are equal",
)
elementwise(
    "builtins.min",
    "a, b",
    dtype="promote",
    a="1.0 if a < b else 0.5 if a == b else 0.0",
    b="1.0 if b < a else 0.5 if a == b else 0.0",
    samples=("1.2, 0.7", "0.3, 0.7"),
    kink="where both are equal",
)
linear(
    "builtins.sum",
    "x, start=0",
    x="y_bar",
    spread=True,
    shape="unknown",
    samples=("normal(4)", "normal(3, 2)"),
)
linear("builtins.float", "x", x="y_bar", shape="scalar", dtype="real", samples=("1.3", "normal()"))

constant("operator.floordiv numpy.floor_divide", "a, b", shape="broadcast", dtype="promote")
constant("operator.invert", "x", shape="broadcast", dtype="x")
constant("operator.and_ operator.or_ operator.xor", "a, b", shape="broadcast", dtype="promote")
constant("operator.lshift operator.rshift", "a, b", shape="broadcast", dtype="int")
constant("operator.not_", "x", shape="scalar", dtype="bool")
constant(
    "builtins.len builtins.int builtins.hash builtins.id builtins.ord", shape="scalar", dtype="int"
)
constant("builtins.round", "x, ndigits=None", shape="same x", dtype="x")
constant(
    "builtins.bool builtins.isinstance builtins.issubclass builtins.callable builtins.hasattr"
    " builtins.all builtins.any",
    shape="scalar",
    dtype="bool",
)
constant("builtins.range builtins.str builtins.repr builtins.format builtins.chr builtins.type")
