"""Products of arrays and linear algebra.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import general, linear

general(
    "numpy.dot method.dot",
    "a, b",
    shape="dot a b",
    tangent="np.dot(a_dot, b) + np.dot(a, b_dot)",
    a="y_bar * b if np.ndim(a) == 1 and np.ndim(b) == 1 else "
    "np.outer(y_bar, b) if np.ndim(a) == 2 and np.ndim(b) == 1 else "
    "b @ y_bar if np.ndim(a) == 1 and np.ndim(b) == 2 else "
    "y_bar @ b.T if np.ndim(a) == 2 and np.ndim(b) == 2 else "
    "_dot_a_bar(y_bar, a, b)",
    b="y_bar * a if np.ndim(a) == 1 and np.ndim(b) == 1 else "
    "a.T @ y_bar if np.ndim(a) == 2 and np.ndim(b) in (1, 2) else "
    "np.outer(a, y_bar) if np.ndim(a) == 1 and np.ndim(b) == 2 else "
    "_dot_b_bar(y_bar, a, b)",
    samples=(
        "normal(3), normal(3)",
        "normal(2, 3), normal(3)",
        "normal(3), normal(3, 2)",
        "normal(2, 3), normal(3, 4)",
        "1.5, normal(3)",
        "normal(2, 3), 1.5",
        "1.5, 2.5",
        "normal(5, 2, 3), normal(3)",
        "normal(5, 2, 3), normal(4, 3, 2)",
        "normal(3), normal(4, 3, 2)",
    ),
)
general(
    "numpy.outer",
    "a, b",
    shape="outer a b",
    tangent="np.outer(a_dot, b) + np.outer(a, b_dot)",
    a="y_bar @ b if np.ndim(a) == 1 and np.ndim(b) == 1 else (y_bar @ np.ravel(b)).reshape(np.shape(a))",
    b="a @ y_bar if np.ndim(a) == 1 and np.ndim(b) == 1 else (np.ravel(a) @ y_bar).reshape(np.shape(b))",
    samples=("normal(3), normal(4)", "normal(2, 2), normal(3)", "1.5, normal(3)"),
)
general(
    "numpy.inner",
    "a, b",
    shape="unknown",
    tangent="np.inner(a_dot, b) + np.inner(a, b_dot)",
    a="y_bar * b if np.ndim(a) == 1 and np.ndim(b) == 1 else "
    "y_bar @ b if np.ndim(a) == 2 and np.ndim(b) == 2 else "
    "_dot_a_bar(y_bar, a, b if np.ndim(b) < 2 else np.swapaxes(b, -1, -2))",
    b="y_bar * a if np.ndim(a) == 1 and np.ndim(b) == 1 else "
    "y_bar.T @ a if np.ndim(a) == 2 and np.ndim(b) == 2 else "
    "_inner_b_bar(y_bar, a, b)",
    samples=(
        "normal(3), normal(3)",
        "normal(2, 3), normal(4, 3)",
        "normal(2, 3), normal(3)",
        "normal(3), normal(2, 3)",
        "normal(2, 4, 3), normal(5, 3)",
        "1.5, normal(3)",
    ),
)
general(
    "numpy.vdot",
    "a, b",
    shape="scalar",
    tangent="np.vdot(a_dot, b) + np.vdot(a, b_dot)",
    a="y_bar * b if np.ndim(a) == np.ndim(b) else np.reshape(y_bar * b, np.shape(a))",
    b="y_bar * a if np.ndim(a) == np.ndim(b) else np.reshape(y_bar * a, np.shape(b))",
    samples=("normal(3), normal(3)", "normal(2, 3), normal(2, 3)", "normal(2, 3), normal(6)"),
)
linear(
    "numpy.trace method.trace",
    "a, offset=0",
    a="y_bar * np.eye(*a.shape, k=offset, dtype=a.dtype)",
    shape="scalar",
    samples=("normal(3, 3)", "normal(3, 4), 1"),
)

# --- systems and decompositions ------------------------------------------------------------------

general(
    "numpy.linalg.norm",
    "x, ord=None, axis=None, keepdims=False",
    x="x * (y_bar / y) if ord is None and axis is None and not keepdims else "
    "x * unreduce(y_bar / y, axis, keepdims) if ord is None else "
    "_norm_bar(y_bar, y, x, ord, axis, keepdims)",
    tangent="np.sum(x * x_dot, axis, keepdims=keepdims) / y if ord is None else "
    "np.sum(_norm_bar(np.ones_like(y), y, x, ord, axis, keepdims) * x_dot, axis, keepdims=keepdims)",
    shape="reduce x",
    samples=(
        "normal(4)",
        "normal(2, 3)",
        "normal(2, 3), axis=1",
        "normal(2, 3), axis=0, keepdims=True",
        "normal(2, 3, 4), axis=(1, 2)",
        "normal(4), 2",
        "normal(4), 1",
        "normal(4), np.inf",
        "normal(4), -np.inf",
        "normal(4), 3",
        "normal(2, 3), 2, axis=1",
        "normal(2, 3), 1, axis=0, keepdims=True",
        "normal(2, 3), 'fro'",
        "normal(2, 3), 'fro', keepdims=True",
    ),
    kink="at x == 0",
)
general(
    "numpy.linalg.solve",
    "a, b",
    a="-np.outer(np.linalg.solve(a.T, y_bar), y) if np.ndim(a) == 2 and np.ndim(b) == 1 else "
    "-np.linalg.solve(a.T, y_bar) @ y.T if np.ndim(a) == 2 and np.ndim(b) == 2 else "
    "_solve_a_bar(y_bar, y, a, b)",
    b="np.linalg.solve(a.T, y_bar) if np.ndim(a) == 2 and np.ndim(b) in (1, 2) else "
    "_solve_b_bar(y_bar, a, b)",
    tangent="np.linalg.solve(a, b_dot - a_dot @ y)",
    shape="solve a b",
    source="M. B. Giles, Collected matrix derivative results for forward and reverse mode (2008), 2.3.1",
    samples=(
        "spd(3), normal(3)",
        "spd(3), normal(3, 2)",
        "np.stack([spd(3), spd(3)]), normal(2, 3, 2)",
        "spd(3), normal(2, 3, 2)",
    ),
)
general(
    "numpy.linalg.inv",
    "a",
    a="-y.T @ y_bar @ y.T if np.ndim(a) == 2 else "
    "-np.swapaxes(y, -1, -2) @ y_bar @ np.swapaxes(y, -1, -2)",
    tangent="-y @ a_dot @ y",
    shape="same a",
    source="M. B. Giles (2008), 2.2.3",
    samples=("spd(3)", "np.stack([spd(3), spd(3)])"),
)
general(
    "numpy.linalg.det",
    "a",
    a="y_bar * y * np.linalg.inv(a).T if np.ndim(a) == 2 else "
    "(y_bar * y)[..., None, None] * np.swapaxes(np.linalg.inv(a), -1, -2)",
    tangent="y * np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)",
    shape="unknown",
    source="M. B. Giles (2008), 2.2.4",
    samples=("spd(3)", "np.stack([spd(3), spd(3)])"),
)
