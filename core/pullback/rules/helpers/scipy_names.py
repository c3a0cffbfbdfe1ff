"""SciPy's linear algebra, signals and densities."""

from __future__ import annotations

from .registry import helper

helper('''
def _triangle(a, trans, lower, unit_diagonal):
    """The part of a that solve_triangular reads, transposed where it reads it so."""
    k = 1 if unit_diagonal else 0
    part = np.tril(a, -k) if lower else np.triu(a, k)
    return part.T if trans in (1, "T") else part
''')

helper('''
def _triangular_a_bar(b_bar, y, trans, lower, unit_diagonal):
    """Cotangent of a where y = solve_triangular(a, b) and b_bar is the cotangent of b."""
    outer = -b_bar.reshape(len(b_bar), -1) @ y.reshape(len(y), -1).T
    return _triangle(outer.T if trans in (1, "T") else outer, 0, lower, unit_diagonal)
''')

helper('''
def _signal_bar(y_bar, in1, in2, mode, other):
    """Cotangent of one factor of y = scipy.signal.convolve(in1, in2, mode); `other` is the other one."""
    sizes = list(zip(np.shape(in1), np.shape(in2)))
    full = np.zeros([n + m - 1 for n, m in sizes], y_bar.dtype)
    if mode == "full":
        first = [0] * len(sizes)
    else:
        first = [(m - 1) // 2 if mode == "same" else min(n, m) - 1 for n, m in sizes]
    full[tuple(slice(i, i + n) for i, n in zip(first, y_bar.shape))] = y_bar
    return scipy.signal.correlate(full, other, "valid")
''')

helper('''
def _normal_cov_bar(y_bar, d, cov):
    """Cotangent of cov where y is the log density of a normal vector at distance d from its mean."""
    z = np.linalg.solve(cov, np.atleast_2d(d).T)
    both = (z * y_bar) @ z.T - np.sum(y_bar) * np.linalg.inv(cov)
    return _one_triangle(0.5 * both, "L")
''')

helper('''
def _normal_dot(d_dot, d, cov):
    """Tangent of the log density of a normal vector as its distance d from the mean changes."""
    return -np.sum(np.linalg.solve(cov, d.T).T * d_dot, axis=-1)
''')

helper('''
def _normal_cov_dot(cov_dot, d, cov):
    """Tangent of the log density of a normal vector as its covariance changes."""
    cov_dot = np.tril(cov_dot) + np.tril(cov_dot, -1).T
    z = np.linalg.solve(cov, d.T).T
    return 0.5 * (
        np.sum(z @ cov_dot * z, axis=-1) - np.trace(np.linalg.solve(cov, cov_dot))
    )
''')
