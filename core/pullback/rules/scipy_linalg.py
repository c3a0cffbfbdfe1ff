"""SciPy's linear algebra and signals.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

from .notation import general, lacks, linear, unsupported

general(
    "scipy.linalg.solve_triangular",
    "a, b, trans=0, lower=False, unit_diagonal=False",
    a="_triangular_a_bar(scipy.linalg.solve_triangular(a, y_bar, 0 if trans in (1, 'T') else 1, lower,"
    " unit_diagonal), y, trans, lower, unit_diagonal) if np.ndim(a) == 2 and np.ndim(b) in (1, 2) else "
    "_triangular_stack_a_bar(y_bar, y, a, b, trans, lower, unit_diagonal)",
    b="scipy.linalg.solve_triangular(a, y_bar, 0 if trans in (1, 'T') else 1, lower, unit_diagonal)"
    " if np.ndim(a) == 2 and np.ndim(b) in (1, 2) else "
    "_triangular_stack_b_bar(y_bar, a, b, trans, lower, unit_diagonal)",
    tangent="scipy.linalg.solve_triangular(a, b_dot - _triangle(a_dot, trans, lower, unit_diagonal) @ y,"
    " trans, lower, unit_diagonal) if np.ndim(a) == 2 or np.ndim(b) != 1 else "
    "scipy.linalg.solve_triangular(a, (b_dot - np.sum(_triangle(a_dot, trans, lower, unit_diagonal)"
    " * y[..., None, :], -1))[..., None], trans, lower, unit_diagonal)[..., 0]",
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
    "scipy.linalg.cholesky",
    "a, lower=False",
    a="_cholesky_bar(y_bar, y) if lower else "
    "np.swapaxes(_cholesky_bar(np.swapaxes(y_bar, -1, -2), np.swapaxes(y, -1, -2)), -1, -2)",
    tangent="_cholesky_dot(a_dot, y) if lower else "
    "np.swapaxes(_cholesky_dot(np.swapaxes(a_dot, -1, -2), np.swapaxes(y, -1, -2)), -1, -2)",
    shape="same a",
    source="I. Murray, Differentiation of the Cholesky decomposition (2016), eq. 8 and 10",
    samples=("spd(3)", "spd(3), lower=True"),
)
# The other triangle of the factor holds what it holds of the argument; since SciPy 1.18 it holds zeros.
general(
    "scipy.linalg.cho_factor",
    "a, lower=False",
    a="_cholesky_bar(np.tril(y_bar[0]), np.tril(y[0])) + np.triu(y_bar[0], 1) * np.any(np.triu(y[0], 1)) if lower else "
    "np.swapaxes(_cholesky_bar(np.swapaxes(np.triu(y_bar[0]), -1, -2), np.swapaxes(np.triu(y[0]), -1, -2)), -1, -2)"
    " + np.tril(y_bar[0], -1) * np.any(np.tril(y[0], -1))",
    tangent="(_cholesky_dot(a_dot, np.tril(y[0])) + np.triu(a_dot, 1) * np.any(np.triu(y[0], 1)), False) if lower else"
    " (np.swapaxes("
    "_cholesky_dot(np.swapaxes(a_dot, -1, -2), np.swapaxes(np.triu(y[0]), -1, -2)), -1, -2)"
    " + np.tril(a_dot, -1) * np.any(np.tril(y[0], -1)), False)",
    shape="tuple",
    results=("c: same a", "lower: scalar, bool"),
    samples=("spd(3)", "spd(3), lower=True"),
)
general(
    "scipy.linalg.expm",
    "A",
    A="scipy.linalg.expm_frechet(A.T, y_bar, compute_expm=False) if np.ndim(A) == 2 else "
    "_expm_along(np.swapaxes(A, -1, -2), y_bar)",
    tangent="scipy.linalg.expm_frechet(A, A_dot, compute_expm=False) if np.ndim(A) == 2 else "
    "_expm_along(A, A_dot)",
    shape="same A",
    source="A. H. Al-Mohy and N. J. Higham, SIAM J. Matrix Anal. Appl. 30 (2009)",
    samples=("normal(3, 3)",),
)
general(
    "scipy.linalg.sqrtm",
    "A",
    A="scipy.linalg.solve_sylvester(np.swapaxes(y, -1, -2), np.swapaxes(y, -1, -2), y_bar)",
    tangent="scipy.linalg.solve_sylvester(y, y, A_dot)",
    shape="same A",
    samples=("spd(3)",),
)
_SYLVESTER = "scipy.linalg.solve_sylvester(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), y_bar)"
general(
    "scipy.linalg.solve_sylvester",
    "a, b, q",
    a=f"unbroadcast(-{_SYLVESTER} @ np.swapaxes(y, -1, -2), a)",
    b=f"unbroadcast(-np.swapaxes(y, -1, -2) @ {_SYLVESTER}, b)",
    q=f"unbroadcast({_SYLVESTER}, q)",
    tangent="scipy.linalg.solve_sylvester(a, b, q_dot - a_dot @ y - y @ b_dot)",
    shape="solve a b q",
    samples=("spd(3), spd(2), normal(3, 2)",),
)
general(
    "scipy.linalg.solve_banded",
    "l_and_u, ab, b",
    ab="_solve_banded_bar(scipy.linalg.solve_banded(l_and_u[::-1], _bands_transposed(l_and_u, ab), y_bar), y,"
    " l_and_u, ab)",
    b="scipy.linalg.solve_banded(l_and_u[::-1], _bands_transposed(l_and_u, ab), y_bar)",
    tangent="scipy.linalg.solve_banded(l_and_u, ab, b_dot - _banded_product(l_and_u, ab_dot, y))",
    shape="solve ab b",
    samples=(
        "(1, 1), np.array([[0.0, 0.3, -0.2], [2.0, 3.0, 2.5], [0.4, 0.1, 0.0]]), normal(3)",
        "(0, 1), np.array([[0.0, 0.3, -0.2], [2.0, 3.0, 2.5]]), normal(3, 2)",
    ),
)
linear(
    "scipy.linalg.circulant",
    "c",
    c="_gather_bar(y_bar, scipy.linalg.circulant(_positions(c)), c)",
    shape="matrix",
    samples=("normal(4)",),
)
general(
    "scipy.linalg.solve_continuous_lyapunov",
    "a, q",
    a="unbroadcast(_lyapunov_bar(scipy.linalg.solve_continuous_lyapunov(np.swapaxes(a, -1, -2), y_bar), y), a)",
    q="unbroadcast(scipy.linalg.solve_continuous_lyapunov(np.swapaxes(a, -1, -2), y_bar), q)",
    tangent="scipy.linalg.solve_continuous_lyapunov(a, q_dot - a_dot @ y - y @ np.swapaxes(a_dot, -1, -2))",
    shape="solve a q",
    samples=("spd(3), normal(3, 3)",),
)
linear(
    "scipy.linalg.toeplitz",
    "c, r=None",
    c="_toeplitz_bar(y_bar, c, r)",
    r="_toeplitz_r_bar(y_bar, r)",
    shape="matrix",
    samples=("normal(4)", "normal(4), normal(3)", "normal(2), normal(5)"),
)
general(
    "scipy.linalg.pinv",
    "a, *, rtol=None, atol=None",
    a="_pinv_bar(y_bar, y, a) if rtol is None and atol is None else _cut_pinv_bar(y_bar, y, a)",
    tangent="_pinv_dot(a_dot, y, a) if rtol is None and atol is None else _cut_pinv_dot(a_dot, y, a)",
    shape="unknown",
    samples=(
        "normal(4, 2)",
        "normal(2, 4)",
        "np.diag([3.0, 2.0, 0.5]) + 0.1 * rng.normal(size=(3, 3)), rtol=0.4",
        "np.diag([3.0, 2.0, 0.5]) + 0.1 * rng.normal(size=(3, 3)), atol=1.2",
    ),
)
general(
    "scipy.linalg.eigvalsh",
    "a, *, lower=True",
    a="_eigvalsh_bar(y_bar, a, 'L' if lower else 'U')",
    tangent="_eigvalsh_dot(a_dot, a, 'L' if lower else 'U')",
    shape="rows a",
    source="M. B. Giles (2008), 3.1",
    samples=("spd(3)", "spd(3), lower=False"),
    kink="where two eigenvalues are equal",
)
general(
    "scipy.linalg.eigh",
    "a, b=None, *, lower=True, eigvals_only=False",
    a="_symmetric_bars(y_bar, y, a, b, lower)[0]",
    b="_symmetric_bars(y_bar, y, a, b, lower)[1]",
    tangent="_symmetric_dot(a_dot, 0.0 if b is None else b_dot, y, a, b, lower)",
    shape="rows a",
    results=("eigenvalues: rows a", "eigenvectors: same a"),
    several="eigvals_only=False",
    source="M. B. Giles (2008), 3.1, for the triangle that is read; the vectors have the signs that SciPy gives",
    samples=(  # the signs of the vectors are not those of a neighbour: tests/core/transform/library.py
        "spd(3), eigvals_only=True",
        "spd(3), lower=False, eigvals_only=True",
        "spd(3), spd(3), eigvals_only=True",
        "spd(3), spd(3), lower=False, eigvals_only=True",
    ),
    kink="where two eigenvalues are equal",
)
unsupported(
    "scipy.linalg.eig scipy.linalg.qr",
    "use the function of this name in `np.linalg`, which is differentiated",
)
unsupported("scipy.linalg.logm", "no formula for it is known here; `expm` and `sqrtm` have one")
unsupported("scipy.linalg.lu scipy.linalg.lu_factor scipy.linalg.lu_solve", "use `np.linalg.solve`")

# --- signals -------------------------------------------------------------------------------------

_SIGNALS = (
    "normal(5), normal(3)",
    "normal(5), normal(3), 'same'",
    "normal(5), normal(4), 'same'",
    "normal(5), normal(3), 'valid'",
    "normal(4, 5), normal(2, 3)",
    "normal(4, 5), normal(2, 3), 'same'",
    "normal(4, 5), normal(2, 3), 'valid'",
)
general(
    "scipy.signal.convolve",
    "in1, in2, mode='full', method='auto'",
    in1="_signal_bar(y_bar, in1, in2, mode, in2)",
    in2="_signal_bar(y_bar, in1, in2, mode, in1)",
    tangent="scipy.signal.convolve(in1_dot, in2, mode, method) + scipy.signal.convolve(in1, in2_dot, mode, method)",
    shape="unknown",
    samples=(*_SIGNALS, "normal(5), normal(3), method='direct'"),
)
general(
    "scipy.signal.fftconvolve scipy.signal.oaconvolve",
    "in1, in2, mode='full', axes=None",
    in1="_signal_bar(y_bar, in1, in2, mode, in2) if axes is None else "
    "unbroadcast(_signal_bar_along(y_bar, in1, in2, mode, in2, axes), in1)",
    in2="_signal_bar(y_bar, in1, in2, mode, in1) if axes is None else "
    "unbroadcast(_signal_bar_along(y_bar, in1, in2, mode, in1, axes), in2)",
    tangent="scipy.signal.fftconvolve(in1_dot, in2, mode, axes) + scipy.signal.fftconvolve(in1, in2_dot, mode, axes)",
    shape="unknown",
    samples=(
        *_SIGNALS,
        "normal(4, 5), normal(4, 3), axes=1",
        "normal(4, 5), normal(1, 3), 'same', -1",
        "normal(2, 3, 5), normal(2, 1, 2), 'valid', axes=[2]",
        "normal(1, 3, 5), normal(2, 2, 3), axes=(1, 2)",
        "normal(3, 1), normal(2, 4), 'same', 0",
    ),
)
# What it filters by, a y = b x, also has a derivative: a dy = db x - da y, all of them filtered again.
general(
    "scipy.signal.lfilter",
    "b, a, x, axis=-1",
    x="np.flip(scipy.signal.lfilter(b, a, np.flip(y_bar, axis), axis), axis)",
    b="_taps_bar(y_bar, b, scipy.signal.lfilter([1.0], a, x, axis), axis)",
    a="-_taps_bar(y_bar, a, scipy.signal.lfilter([1.0], a, y, axis), axis)",
    tangent="scipy.signal.lfilter(b, a, x_dot, axis) + scipy.signal.lfilter(b_dot, a, x, axis)"
    " - scipy.signal.lfilter(a_dot, a, y, axis)",
    shape="same x",
    samples=(
        "[0.3, 0.1], [1.0, -0.7], normal(5)",
        "[0.3], [1.0, -0.7], normal(5, 2), axis=0",
        "normal(3), np.array([1.3, -0.4]), normal(6)",
        "normal(2), np.array([2.0, 0.3, -0.4]), normal(6, 2), 0",
    ),
)
lacks("scipy.signal.lfilter", zi="put the samples that led to this state before the signal")
lacks(
    "scipy.linalg.eigh scipy.linalg.eigvalsh",
    subset_by_index="take that part of all of them",
    subset_by_value="take that part of all of them",
    type="`type` 2 and 3 are not differentiated; multiply the matrices",
)
lacks("numpy.sort", descending="`np.flip` what is sorted upwards")
lacks(
    "scipy.stats.multivariate_normal.logpdf scipy.stats.multivariate_normal.pdf",
    allow_singular="a singular covariance has no inverse; take the variables that vary",
)
lacks("numpy.linalg.svd", hermitian="`np.linalg.eigh` gives what it is made of")
lacks("scipy.linalg.eigvals", b="solve with it first, as in `eigvals(np.linalg.solve(b, a))`")

# --- integrals of samples ------------------------------------------------------------------------

general(
    "scipy.integrate.simpson",
    "values, x=None, *, dx=1.0, axis=-1",
    values="_simpson_bar(y_bar, values, x, dx, axis)",
    x="_simpson_nodes_bar(y_bar, values, x, axis)",
    dx="np.sum(y_bar * y) / dx",
    tangent="scipy.integrate.simpson(values_dot, x=x, dx=dx, axis=axis) + (y * dx_dot / dx"
    " if x is None else _simpson_nodes_dot(x_dot, values, x, axis))",
    shape="unknown",
    source="K. V. Cartwright, J. Math. Sci. Math. Educ. 12 (2017), for an even number of samples",
    samples=(
        "normal(5)",
        "normal(4), dx=0.5",
        "normal(2)",
        "normal(3, 5), axis=0",
        "normal(2, 4), x=np.array([0.0, 0.3, 1.0, 1.4])",
        "normal(5), x=np.array([0.0, 0.3, 1.0, 1.4, 1.5])",
        "normal(4, 4), x=np.cumsum(positive(4, 4), axis=0), axis=0",
        "normal(2), x=np.cumsum(positive(2))",
        "normal(6, 2), x=np.cumsum(positive(6)), axis=0",
    ),
)
general(
    "scipy.integrate.cumulative_trapezoid",
    "values, x=None, dx=1.0, axis=-1, initial=None",
    values="_samples_bar(_running_trapezoid_bar(y_bar, axis, initial), values, x, dx, axis)",
    x="_nodes_bar(_running_trapezoid_bar(y_bar, axis, initial), values, x, axis)",
    dx="np.sum(y_bar * y) / dx",
    tangent="scipy.integrate.cumulative_trapezoid(values_dot, x, dx, axis, initial) + (y * dx_dot / dx"
    " if x is None else scipy.integrate.cumulative_trapezoid(values, x_dot, dx, axis, initial))",
    shape="unknown",
    samples=(
        "normal(5)",
        "normal(5), dx=0.5, initial=0",
        "normal(3, 2), axis=0",
        "normal(2, 4), np.array([0.0, 0.3, 1.0, 1.4]), initial=0",
        "normal(5), normal(5)",
        "normal(4, 4), np.cumsum(positive(4, 4), axis=0), axis=0",
    ),
)
