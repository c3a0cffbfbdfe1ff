"""Products of arrays and linear algebra.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import general, linear

general(
    "numpy.dot method.dot",
    "a, b",
    dtype="promote",
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
    dtype="promote",
    shape="outer a b",
    tangent="np.outer(a_dot, b) + np.outer(a, b_dot)",
    a="y_bar @ b if np.ndim(a) == 1 and np.ndim(b) == 1 else (y_bar @ np.ravel(b)).reshape(np.shape(a))",
    b="a @ y_bar if np.ndim(a) == 1 and np.ndim(b) == 1 else (np.ravel(a) @ y_bar).reshape(np.shape(b))",
    samples=("normal(3), normal(4)", "normal(2, 2), normal(3)", "1.5, normal(3)"),
)
general(
    "numpy.linalg.outer",
    "x1, x2",
    dtype="promote",
    shape="outer x1 x2",
    tangent="np.outer(x1_dot, x2) + np.outer(x1, x2_dot)",
    x1="y_bar @ x2",
    x2="x1 @ y_bar",
    samples=("normal(3), normal(4)",),
)
general(
    "numpy.inner",
    "a, b",
    dtype="promote",
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
    dtype="promote",
    shape="scalar",
    tangent="np.vdot(a_dot, b) + np.vdot(a, b_dot)",
    a="y_bar * b if np.ndim(a) == np.ndim(b) else np.reshape(y_bar * b, np.shape(a))",
    b="y_bar * a if np.ndim(a) == np.ndim(b) else np.reshape(y_bar * a, np.shape(b))",
    samples=("normal(3), normal(3)", "normal(2, 3), normal(2, 3)", "normal(2, 3), normal(6)"),
)
linear(
    "numpy.trace method.trace",
    "a, offset=0, axis1=0, axis2=1, dtype=None",
    a="y_bar * np.eye(a.shape[0], a.shape[1], dtype=a.dtype) if np.ndim(a) == 2 and offset == 0 else "
    "y_bar * np.eye(a.shape[0], a.shape[1], offset, dtype=a.dtype) if np.ndim(a) == 2 else "
    "_trace_bar(y_bar, a, offset, axis1, axis2)",
    shape="trace a",
    samples=("normal(3, 3)", "normal(3, 4), 1", "normal(3, 4, 2)", "normal(2, 3, 4), -1, -1, 1"),
)

general(
    "numpy.kron",
    "a, b",
    dtype="promote",
    shape="unknown",
    tangent="np.kron(a_dot, b) + np.kron(a, b_dot)",
    a="np.reshape(_kron_blocks(y_bar, a, b) @ np.ravel(b), np.shape(a))",
    b="np.reshape(np.ravel(a) @ _kron_blocks(y_bar, a, b), np.shape(b))",
    samples=("normal(2, 3), normal(4, 2)", "normal(3), normal(2)", "normal(2, 2), normal(3)"),
)
general(
    "numpy.tensordot",
    "a, b, axes=2",
    dtype="promote",
    shape="unknown",
    tangent="np.tensordot(a_dot, b, axes) + np.tensordot(a, b_dot, axes)",
    a="y_bar @ b.T if axes == 1 and np.ndim(a) == 2 and np.ndim(b) == 2 else _tensordot_a_bar(y_bar, a, b, axes)",
    b="a.T @ y_bar if axes == 1 and np.ndim(a) == 2 and np.ndim(b) == 2 else _tensordot_b_bar(y_bar, a, b, axes)",
    samples=(
        "normal(2, 3, 4), normal(3, 4, 5)",
        "normal(2, 3), normal(3, 4), 1",
        "normal(2, 3), normal(4, 5), 0",
        "normal(2, 3, 4), normal(4, 5, 2), ([0, 2], [2, 0])",
        "normal(2, 3), normal(4, 3), (1, 1)",
        "normal(2, 3, 4), normal(4, 3), ((-1, 1), (0, 1))",
    ),
)
general(
    "numpy.linalg.tensordot",
    "a, b, /, *, axes=2",
    dtype="promote",
    shape="unknown",
    tangent="np.tensordot(a_dot, b, axes) + np.tensordot(a, b_dot, axes)",
    a="y_bar @ b.T if axes == 1 and np.ndim(a) == 2 and np.ndim(b) == 2 else _tensordot_a_bar(y_bar, a, b, axes)",
    b="a.T @ y_bar if axes == 1 and np.ndim(a) == 2 and np.ndim(b) == 2 else _tensordot_b_bar(y_bar, a, b, axes)",
    samples=("normal(2, 3, 4), normal(3, 4, 5)", "normal(2, 3), normal(4, 3), axes=(1, 1)"),
)
general(
    "numpy.vecdot numpy.linalg.vecdot",
    "x1, x2, *, axis=-1",
    dtype="promote",
    shape="unknown",
    tangent="np.sum(x1_dot * x2, axis) + np.sum(x1 * x2_dot, axis)",
    x1="y_bar * x2 if np.ndim(x1) == 1 and np.ndim(x2) == 1 else"
    " unbroadcast(np.expand_dims(y_bar, axis) * x2, x1)",
    x2="y_bar * x1 if np.ndim(x1) == 1 and np.ndim(x2) == 1 else"
    " unbroadcast(np.expand_dims(y_bar, axis) * x1, x2)",
    samples=(
        "normal(3), normal(3)",
        "normal(2, 3), normal(3)",
        "normal(2, 3), normal(2, 3), axis=0",
    ),
)
general(
    "numpy.matvec",
    "x1, x2",
    dtype="promote",
    shape="unknown",
    tangent="np.matvec(x1_dot, x2) + np.matvec(x1, x2_dot)",
    x1="np.outer(y_bar, x2) if np.ndim(x1) == 2 and np.ndim(x2) == 1 else"
    " unbroadcast(y_bar[..., :, None] * x2[..., None, :], x1)",
    x2="x1.T @ y_bar if np.ndim(x1) == 2 and np.ndim(x2) == 1 else"
    " unbroadcast((np.swapaxes(x1, -1, -2) @ y_bar[..., None])[..., 0], x2)",
    samples=("normal(2, 3), normal(3)", "normal(5, 2, 3), normal(3)", "normal(2, 3), normal(5, 3)"),
)
general(
    "numpy.vecmat",
    "x1, x2",
    dtype="promote",
    shape="unknown",
    tangent="np.vecmat(x1_dot, x2) + np.vecmat(x1, x2_dot)",
    x1="x2 @ y_bar if np.ndim(x1) == 1 and np.ndim(x2) == 2 else"
    " unbroadcast((x2 @ y_bar[..., None])[..., 0], x1)",
    x2="np.outer(x1, y_bar) if np.ndim(x1) == 1 and np.ndim(x2) == 2 else"
    " unbroadcast(x1[..., :, None] * y_bar[..., None, :], x2)",
    samples=("normal(2), normal(2, 3)", "normal(2), normal(5, 2, 3)", "normal(5, 2), normal(2, 3)"),
)
linear(
    "numpy.linalg.trace",
    "x, /, *, offset=0, dtype=None",
    x="(y_bar[..., None, None] if np.ndim(y_bar) else y_bar)"
    " * np.eye(x.shape[-2], x.shape[-1], offset, dtype=x.dtype)",
    shape="unknown",
    samples=("normal(3, 3)", "normal(3, 4), offset=1", "normal(2, 3, 3)"),
)

# --- systems and decompositions ------------------------------------------------------------------

general(
    "numpy.linalg.norm scipy.linalg.norm",
    "x, ord=None, axis=None, keepdims=False",
    x="x * (y_bar / y) if (ord is None or ord == 'fro' or ord == 2 and np.ndim(x) == 1) and axis is None"
    " and not keepdims else "
    "x * unreduce(y_bar / y, axis, keepdims) if ord is None or ord == 'fro' else "
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
        "normal(2, 3), 'nuc'",
        "normal(2, 3), 2",
        "normal(2, 3), -2",
        "normal(2, 3), 1",
        "normal(2, 3), -np.inf",
        "normal(2, 3, 4), np.inf, axis=(0, 2)",
        "normal(2, 3, 4), 'nuc', axis=(2, 0), keepdims=True",
    ),
    kink="at 0",
)
general(
    "numpy.linalg.solve scipy.linalg.solve",
    "a, b",
    a="-np.outer(np.linalg.solve(a.T, y_bar), y) if np.ndim(a) == 2 and np.ndim(b) == 1 else "
    "-np.linalg.solve(a.T, y_bar) @ y.T if np.ndim(a) == 2 and np.ndim(b) == 2 else "
    "_solve_a_bar(y_bar, y, a, b)",
    b="np.linalg.solve(a.T, y_bar) if np.ndim(a) == 2 and np.ndim(b) in (1, 2) else "
    "_solve_b_bar(y_bar, a, b)",
    tangent="np.linalg.solve(a, b_dot - a_dot @ y) if np.ndim(a) == 2 or np.ndim(y) >= np.ndim(a) else "
    "np.linalg.solve(a, (b_dot - np.sum(a_dot * y[..., None, :], -1))[..., None])[..., 0]",
    shape="solve a b",
    source="M. B. Giles, Collected matrix derivative results for forward and reverse mode (2008), 2.3.1",
    samples=(
        "spd(3), normal(3)",
        "spd(3), normal(3, 2)",
        "np.stack([spd(3), spd(3)]), normal(2, 3, 2)",
        "spd(3), normal(2, 3, 2)",
        "np.stack([spd(3), spd(3), spd(3)]), normal(3)",
    ),
)
general(
    "numpy.linalg.inv scipy.linalg.inv",
    "a",
    a="-np.swapaxes(y, -1, -2) @ y_bar @ np.swapaxes(y, -1, -2)",
    tangent="-y @ a_dot @ y",
    shape="same a",
    source="M. B. Giles (2008), 2.2.3",
    samples=("spd(3)", "np.stack([spd(3), spd(3)])"),
)
general(
    "numpy.linalg.det scipy.linalg.det",
    "a",
    a="y_bar * y * np.linalg.inv(a).T if np.ndim(a) == 2 else "
    "(y_bar * y)[..., None, None] * np.swapaxes(np.linalg.inv(a), -1, -2)",
    tangent="y * np.trace(np.linalg.solve(a, a_dot)) if np.ndim(a) == 2 else "
    "y * np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)",
    shape="unknown",
    source="M. B. Giles (2008), 2.2.4",
    samples=("spd(3)", "np.stack([spd(3), spd(3)])"),
)
general(
    "numpy.linalg.slogdet",
    "a",
    a="y_bar[1] * np.linalg.inv(a).T if np.ndim(a) == 2 else "
    "np.asarray(y_bar[1])[..., None, None] * np.swapaxes(np.linalg.inv(a), -1, -2)",
    tangent="(np.zeros_like(y[0]), np.trace(np.linalg.solve(a, a_dot)) if np.ndim(a) == 2 else "
    "np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1))",
    shape="tuple",
    results=("sign: batch a", "logabsdet: batch a"),
    source="M. B. Giles (2008), 2.2.4",
    samples=("spd(3)", "-spd(3)", "np.stack([spd(3), spd(3)])"),
)
general(
    "numpy.linalg.cholesky",
    "a, /, *, upper=False",
    a="_cholesky_bar(y_bar, y) if not upper else "
    "np.swapaxes(_cholesky_bar(np.swapaxes(y_bar, -1, -2), np.swapaxes(y, -1, -2)), -1, -2)",
    tangent="_cholesky_dot(a_dot, y) if not upper else "
    "np.swapaxes(_cholesky_dot(np.swapaxes(a_dot, -1, -2), np.swapaxes(y, -1, -2)), -1, -2)",
    shape="same a",
    source="I. Murray, Differentiation of the Cholesky decomposition (2016), eq. 8 and 10; by blocks, section 4.2",
    samples=("spd(3)", "np.stack([spd(3), spd(3)])", "spd(3), upper=True", "spd(1)"),
)
general(
    "numpy.linalg.pinv",
    "a, rcond=None, *, rtol=None",
    a="_pinv_bar(y_bar, y, a) if rcond is None and rtol is None else _cut_pinv_bar(y_bar, y, a)",
    tangent="_pinv_dot(a_dot, y, a) if rcond is None and rtol is None else _cut_pinv_dot(a_dot, y, a)",
    shape="unknown",
    source="G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973), theorem 4.3",
    samples=(
        "normal(4, 2)",
        "normal(2, 4), rcond=1e-10",
        "normal(3, 3)",
        "normal(2, 4, 3)",
        "np.diag([3.0, 2.0, 0.5]) + 0.1 * rng.normal(size=(3, 3)), rcond=0.4",
        "np.eye(4, 3) * [3.0, 2.0, 0.3] + 0.1 * rng.normal(size=(2, 4, 3)), 0.4",
        "np.eye(3, 5) * [[3.0], [2.0], [0.3]] + 0.1 * rng.normal(size=(3, 5)), 0.4",
    ),
)
general(
    "numpy.linalg.eigh",
    "a, UPLO='L'",
    a="_eigh_bar(y_bar[0], y_bar[1], y[0], y[1], UPLO)",
    tangent="_eigh_dot(a_dot, y[0], y[1], UPLO)",
    shape="tuple",
    results=("eigenvalues: rows a", "eigenvectors: same a"),
    source="M. B. Giles (2008), 3.1, for the triangle that is read",
    samples=("spd(3)", "spd(3), 'U'", "np.stack([spd(3), spd(3)])"),
    kink="where two eigenvalues are equal",
)
general(
    "numpy.linalg.eigvalsh",
    "a, UPLO='L'",
    a="_eigvalsh_bar(y_bar, a, UPLO)",
    tangent="_eigvalsh_dot(a_dot, a, UPLO)",
    shape="unknown",
    source="M. B. Giles (2008), 3.1",
    samples=("spd(3)", "spd(3), 'U'", "np.stack([spd(3), spd(3)])"),
    kink="where two eigenvalues are equal",
)
general(
    "numpy.linalg.svd scipy.linalg.svd",
    "a, full_matrices=True, compute_uv=True",
    a="_svdvals_bar(y_bar, a) if not compute_uv else _svd_bar(y_bar, y, a, full_matrices, compute_uv)",
    tangent="_svd_dot(a_dot, y, a, full_matrices, compute_uv)",
    shape="middle a",
    results=("U: left a", "S: middle a", "Vh: right a"),
    several="compute_uv=True",
    source="M. B. Giles (2008), 3.2; J. Townsend, Differentiating the singular value decomposition (2016)",
    samples=(
        "normal(3, 2), full_matrices=False",
        "normal(2, 3), full_matrices=False",
        "normal(3, 2), compute_uv=False",
        "normal(3, 3)",
    ),
    kink="where two singular values are equal, or one is 0",
)
general(
    "numpy.linalg.svdvals scipy.linalg.svdvals",
    "x, /",
    x="_svdvals_bar(y_bar, x)",
    tangent="_svdvals_dot(x_dot, x)",
    shape="unknown",
    source="M. B. Giles (2008), 3.2",
    samples=("normal(3, 2)", "normal(2, 3)", "normal(2, 3, 3)"),
    kink="where two singular values are equal, or one is 0",
)
general(
    "numpy.linalg.qr",
    "a, mode='reduced'",
    a="_qr_bar(y_bar, y, mode)",
    tangent="_qr_dot(a_dot, y, mode)",
    shape="refused",
    results=("Q: left a", "R: right a"),
    several="mode='reduced'",
    source="S. F. Walter and L. Lehmann, Algorithmic differentiation of linear algebra functions (2010)",
    samples=("normal(3, 3)", "normal(4, 2)", "normal(2, 4)", "normal(2, 3, 3)"),
)
general(
    "numpy.linalg.matrix_power",
    "a, n",
    dtype="promote",
    a="_matrix_power_bar(y_bar, a, n)",
    tangent="_matrix_power_dot(a_dot, a, n)",
    shape="same a",
    samples=("normal(3, 3), 3", "normal(2, 2), 1", "spd(2), -2", "normal(2, 3, 3), 2"),
)
general(
    "numpy.linalg.vector_norm",
    "x, /, *, axis=None, keepdims=False, ord=2",
    x="x * unreduce(y_bar / y, axis, keepdims) if ord == 2 else "
    "_vector_norm_bar(unreduce(y_bar, axis, keepdims), unreduce(y, axis, keepdims), x, ord, axis)",
    tangent="np.sum(_vector_norm_bar(1.0, unreduce(y, axis, keepdims), x, ord, axis) * x_dot, axis,"
    " keepdims=keepdims)",
    shape="reduce x",
    samples=(
        "normal(2, 3)",
        "normal(2, 3), axis=1",
        "normal(2, 3), ord=3",
        "normal(2, 3), axis=0, ord=1, keepdims=True",
        "normal(4), ord=np.inf",
    ),
    kink="at 0",
)
general(
    "numpy.linalg.matrix_norm",
    "x, /, *, keepdims=False, ord='fro'",
    x="x * unreduce(y_bar / y, (-2, -1), keepdims) if ord == 'fro' else "
    "_norm_bar(y_bar, y, x, ord, (-2, -1), keepdims)",
    tangent="np.sum(_norm_bar(np.ones_like(y), y, x, ord, (-2, -1), keepdims) * x_dot, (-2, -1),"
    " keepdims=keepdims)",
    shape="unknown",
    samples=(
        "normal(2, 3)",
        "normal(2, 2, 3), keepdims=True",
        "normal(2, 3), ord='nuc'",
        "normal(2, 3), ord=2",
    ),
    kink="at 0",
)
general(
    "numpy.linalg.cond",
    "x",
    x="_cond_bar(y_bar, y, x)",
    tangent="np.sum(_cond_bar(1.0, y, x) * x_dot, axis=(-2, -1))",
    shape="batch x",
    samples=("spd(3)", "normal(4, 2)", "normal(2, 3, 3)"),
    kink="where two singular values are equal",
)
general(
    "numpy.linalg.eig",
    "a",
    a="_eig_bar(y_bar[0], y_bar[1], y[0], y[1])",
    tangent="_eig_dot(a_dot, y[0], y[1])",
    shape="tuple",
    results=("eigenvalues: rows a", "eigenvectors: same a"),
    dtype="either",
    source="C. Boeddeker et al. (2017), eq. 4.77, with the phase in which LAPACK gives the vectors",
    samples=("normal(3, 3)", "np.array([[0.1, 1.2, 0.0], [-0.9, 0.3, 0.2], [0.4, 0.1, 1.5]])"),
    kink="where two eigenvalues are equal",
)
general(
    "numpy.linalg.eigvals scipy.linalg.eigvals",
    "a",
    a="_eigvals_bar(y_bar, a)",
    tangent="_eigvals_dot(a_dot, a)",
    shape="rows a",
    dtype="either",
    samples=("normal(3, 3)", "np.array([[0.1, 1.2, 0.0], [-0.9, 0.3, 0.2], [0.4, 0.1, 1.5]])"),
    kink="where two eigenvalues are equal",
)
for _name, _cutoff, _residuals in (
    ("numpy.linalg.lstsq", "rcond", "vector"),
    ("scipy.linalg.lstsq", "cond", "unknown"),  # a number where there is one right side
):
    general(
        _name,
        f"a, b, {_cutoff}=None",
        a=f"_lstsq_a_bar(np.linalg.pinv(a), y_bar[0], y[0], a, b) if {_cutoff} is None and y_bar[1] is None"
        f" and y_bar[3] is None else _lstsq_all_a_bar(y_bar, y, a, b, {_cutoff})",
        b=f"np.linalg.pinv(a).T @ y_bar[0] if {_cutoff} is None and y_bar[1] is None else"
        f" _lstsq_all_b_bar(y_bar, y, a, b, {_cutoff})",
        tangent=f"_lstsq_dot(a_dot, b_dot, y, a, b, {_cutoff})",
        shape="tuple",
        results=("x: columns a b", f"residuals: {_residuals}", "rank: scalar, int", "s: vector"),
        source="G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973)",
        samples=(
            "normal(4, 2), normal(4)",
            "normal(4, 2), normal(4, 3)",
            "spd(3), normal(3)",
            "normal(2, 4), normal(2)",
            "normal(2, 4), normal(2, 3)",
            "np.diag([3.0, 2.0, 0.5]) + 0.1 * rng.normal(size=(3, 3)), rng.normal(size=3), 0.4",
            "np.eye(3, 4) * [[3.0], [2.0], [0.1]] + 0.1 * rng.normal(size=(3, 4)), rng.normal(size=(3, 2)), 0.2",
        ),
        kink="where the rank of a changes",
    )
_BEHIND = "np.linalg.solve(np.reshape(a, (np.size(b), np.size(y))).T, np.ravel(y_bar))"
general(
    "numpy.linalg.tensorsolve",
    "a, b",
    a=f"np.reshape(-np.outer({_BEHIND}, y), np.shape(a))",
    b=f"np.reshape({_BEHIND}, np.shape(b))",
    tangent="np.linalg.tensorsolve(a, b_dot - np.tensordot(a_dot, y, np.ndim(y)))",
    shape="unknown",
    samples=("normal(2, 3, 2, 3), normal(2, 3)", "spd(3), normal(3)"),
)
general(
    "numpy.linalg.tensorinv",
    "a, ind=2",
    a="_tensorinv_bar(y_bar, y, ind)",
    tangent="-np.tensordot(np.tensordot(y, a_dot, ind), y, np.ndim(a) - ind)",
    shape="unknown",
    samples=("normal(2, 3, 2, 3)", "spd(3), 1"),
)
