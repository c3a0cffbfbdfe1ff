"""SciPy's linear algebra and signals.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

from .notation import general, linear, unsupported

general(
    "scipy.linalg.solve",
    "a, b",
    a="-np.outer(np.linalg.solve(a.T, y_bar), y) if np.ndim(b) == 1 else "
    "-np.linalg.solve(a.T, y_bar) @ y.T",
    b="np.linalg.solve(a.T, y_bar)",
    tangent="np.linalg.solve(a, b_dot - a_dot @ y)",
    shape="solve a b",
    samples=("spd(3), normal(3)", "spd(3), normal(3, 2)"),
)
general(
    "scipy.linalg.solve_triangular",
    "a, b, trans=0, lower=False, unit_diagonal=False",
    a="_triangular_a_bar(scipy.linalg.solve_triangular(a, y_bar, 0 if trans in (1, 'T') else 1, lower,"
    " unit_diagonal), y, trans, lower, unit_diagonal)",
    b="scipy.linalg.solve_triangular(a, y_bar, 0 if trans in (1, 'T') else 1, lower, unit_diagonal)",
    tangent="scipy.linalg.solve_triangular(a, b_dot - _triangle(a_dot, trans, lower, unit_diagonal) @ y,"
    " trans, lower, unit_diagonal)",
    shape="solve a b",
    samples=(
        "spd(3), normal(3)",
        "spd(3), normal(3, 2), lower=True",
        "spd(3), normal(3), 1",
        "spd(3), normal(3), 'T', lower=True",
        "spd(3), normal(3, 2), lower=True, unit_diagonal=True",
    ),
)
general(
    "scipy.linalg.cho_solve",
    "c_and_lower, b",
    b="scipy.linalg.cho_solve(c_and_lower, y_bar)",
    tangent="scipy.linalg.cho_solve(c_and_lower, b_dot)",
    shape="unknown",
    samples=("(np.linalg.cholesky(spd(3)), True), normal(3)",),
    refused="c_and_lower",
)
general(
    "scipy.linalg.inv",
    "a",
    a="-y.T @ y_bar @ y.T",
    tangent="-y @ a_dot @ y",
    shape="same a",
    samples=("spd(3)",),
)
general(
    "scipy.linalg.det",
    "a",
    a="y_bar * y * np.linalg.inv(a).T",
    tangent="y * np.trace(np.linalg.solve(a, a_dot))",
    shape="scalar",
    samples=("spd(3)",),
)
general(
    "scipy.linalg.cholesky",
    "a, lower=False",
    a="_cholesky_bar(y_bar, y) if lower else _cholesky_bar(y_bar.T, y.T).T",
    tangent="_cholesky_dot(a_dot, y) if lower else _cholesky_dot(a_dot.T, y.T).T",
    shape="same a",
    source="I. Murray, Differentiation of the Cholesky decomposition (2016), eq. 8 and 10",
    samples=("spd(3)", "spd(3), lower=True"),
)
general(
    "scipy.linalg.expm",
    "A",
    A="scipy.linalg.expm_frechet(A.T, y_bar, compute_expm=False)",
    tangent="scipy.linalg.expm_frechet(A, A_dot, compute_expm=False)",
    shape="same A",
    source="A. H. Al-Mohy and N. J. Higham, SIAM J. Matrix Anal. Appl. 30 (2009)",
    samples=("normal(3, 3)",),
)
general(
    "scipy.linalg.sqrtm",
    "A",
    A="scipy.linalg.solve_sylvester(y.T, y.T, y_bar)",
    tangent="scipy.linalg.solve_sylvester(y, y, A_dot)",
    shape="same A",
    samples=("spd(3)",),
)
general(
    "scipy.linalg.solve_sylvester",
    "a, b, q",
    a="-scipy.linalg.solve_sylvester(a.T, b.T, y_bar) @ y.T",
    b="-y.T @ scipy.linalg.solve_sylvester(a.T, b.T, y_bar)",
    q="scipy.linalg.solve_sylvester(a.T, b.T, y_bar)",
    tangent="scipy.linalg.solve_sylvester(a, b, q_dot - a_dot @ y - y @ b_dot)",
    shape="same q",
    samples=("spd(3), spd(2), normal(3, 2)",),
)
linear(
    "scipy.linalg.circulant",
    "c",
    c="_gather_bar(y_bar, scipy.linalg.circulant(_positions(c)), c)",
    shape="matrix",
    samples=("normal(4)",),
)
unsupported(
    "scipy.linalg.eig scipy.linalg.eigh scipy.linalg.eigvalsh scipy.linalg.svd scipy.linalg.qr"
    " scipy.linalg.pinv scipy.linalg.norm",
    "use the function of this name in `np.linalg`, which is differentiated",
)
unsupported(
    "scipy.linalg.block_diag scipy.linalg.toeplitz", "fill an array of zeros with its blocks"
)
unsupported("scipy.linalg.logm", "complex numbers are not differentiated yet")
unsupported("scipy.linalg.lu scipy.linalg.lu_factor scipy.linalg.lu_solve", "use `np.linalg.solve`")
unsupported(
    "scipy.linalg.cho_factor", "use `np.linalg.cholesky` and `scipy.linalg.solve_triangular`"
)

# --- signals -------------------------------------------------------------------------------------

general(
    "scipy.signal.convolve scipy.signal.fftconvolve",
    "in1, in2, mode='full'",
    in1="_signal_bar(y_bar, in1, in2, mode, in2)",
    in2="_signal_bar(y_bar, in1, in2, mode, in1)",
    tangent="scipy.signal.convolve(in1_dot, in2, mode) + scipy.signal.convolve(in1, in2_dot, mode)",
    shape="unknown",
    samples=(
        "normal(5), normal(3)",
        "normal(5), normal(3), 'same'",
        "normal(5), normal(4), 'same'",
        "normal(5), normal(3), 'valid'",
        "normal(4, 5), normal(2, 3)",
        "normal(4, 5), normal(2, 3), 'same'",
        "normal(4, 5), normal(2, 3), 'valid'",
    ),
)
