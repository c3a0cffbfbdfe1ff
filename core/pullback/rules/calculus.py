"""Differences, integrals, interpolation, convolution, polynomials and windows on samples.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import general, linear

linear(
    "numpy.diff",
    "a, n=1, axis=-1, prepend=None, append=None",
    a="(-np.diff(np.pad(y_bar, 1))[: len(a)] if np.ndim(a) == 1 and n == 1"
    " else _diff_bar(y_bar, n, axis, np.shape(a)[axis]))"
    " if prepend is None and append is None else _diff_part(y_bar, n, axis, (prepend, a, append), 1)",
    prepend="_diff_part(y_bar, n, axis, (prepend, a, append), 0)",
    append="_diff_part(y_bar, n, axis, (prepend, a, append), 2)",
    shape="differences a",
    samples=(
        "normal(4)",
        "normal(2, 3)",
        "normal(4, 3), 2, axis=0",
        "normal(5), 3",
        "normal(4), prepend=0.5, append=1.5",
        "normal(4, 3), 2, axis=0, prepend=normal(2, 3)",
        "normal(2, 3), append=0.5",
    ),
)
linear(
    "numpy.ediff1d",
    "ary",
    ary="np.reshape(-np.diff(np.pad(y_bar, 1))[: np.size(ary)], np.shape(ary))",
    shape="vector",
    samples=("normal(4)", "normal(2, 3)"),
)
general(
    "numpy.gradient",
    "f, dx=1.0, *, axis=None, edge_order=1",
    f="_gradient_bar(y_bar, dx, axis, edge_order)",
    dx="np.sum(-y_bar * y) / dx if np.ndim(dx) == 0 else _gradient_x_bar(y_bar, f, dx, axis, edge_order)",
    tangent="np.gradient(f_dot, dx, axis=axis, edge_order=edge_order)"
    " + _gradient_x_dot(dx_dot, f, dx, axis, edge_order)",
    shape="same f",
    samples=(
        "normal(5)",
        "normal(2), 0.5",
        "normal(3), 0.5",
        "normal(3, 4), axis=0",
        "normal(2, 4), 0.5, axis=-1",
        "normal(4), 0.5, edge_order=2",
        "normal(4), np.array([0.0, 0.3, 1.0, 1.4])",
        "normal(2, 4), np.array([0.0, 0.3, 1.0, 1.4]), axis=1, edge_order=2",
    ),
)
for _name, _call in (
    ("numpy.trapezoid", "np.trapezoid"),
    ("numpy.trapz", "np.trapz"),  # what NumPy 1 calls it
    ("scipy.integrate.trapezoid", "scipy.integrate.trapezoid"),
):
    general(
        _name,
        "values, x=None, dx=1.0, axis=-1",
        values="_samples_bar(_trapezoid_bar(y_bar), values, x, dx, axis)",
        x="_nodes_bar(_trapezoid_bar(y_bar), values, x, axis)",
        dx="np.sum(y_bar * y) / dx",
        tangent=f"{_call}(values_dot, x, dx, axis) + (y * dx_dot / dx if x is None else"
        f" {_call}(values, x_dot, dx, axis))",
        shape="unknown",
        samples=(
            "normal(5)",
            "normal(5), dx=0.5",
            "normal(5), normal(5)",
            "normal(2, 5), normal(5)",
            "normal(5, 2), normal(5), axis=0",
            "normal(2, 5), normal(2, 5)",
            "normal(3, 2), dx=0.1, axis=0",
        ),
    )
general(
    "numpy.interp",
    "x, xp, fp, left=None, right=None, period=None",
    x="y_bar * _interp_slope(x, xp, fp) if period is None else"
    " y_bar * _periodic_slope(x, xp, fp, period)",
    xp="_interp_bar(-y_bar * _interp_slope(x, xp, fp), x, xp) if period is None else"
    " _periodic_bar(-y_bar * _periodic_slope(x, xp, fp, period), x, xp, period)",
    fp="_interp_bar(y_bar, x, xp) if period is None else _periodic_bar(y_bar, x, xp, period)",
    tangent="np.interp(x, xp, fp_dot) + _interp_slope(x, xp, fp) * (x_dot - np.interp(x, xp, xp_dot))"
    " if period is None else np.interp(x, xp, fp_dot, period=period)"
    " + _periodic_slope(x, xp, fp, period) * (x_dot - np.interp(x, xp, xp_dot, period=period))",
    shape="same x",
    refused="left right period",
    samples=(
        "np.array([0.3, 1.2, 2.7, -1.3, 8.6]), np.array([2.5, 0.0, 1.0, 7.0]), normal(4), period=4.0",
        "6.3, np.array([0.2, 1.0, 2.5]), normal(3), period=3.0",
        "np.array([0.3, 1.2, 2.7, -1.0, 9.0]), np.array([0.0, 1.0, 2.5, 3.0]), normal(4)",
        "0.7, np.array([0.0, 1.0, 2.5]), normal(3)",
        "np.array([[0.3, 1.2]]), np.array([0.0, 1.0, 2.5]), normal(3)",
    ),
    kink="at the nodes",
)
general(
    "numpy.convolve",
    "a, v, mode='full'",
    dtype="promote",
    a="np.correlate(y_bar, v, 'valid') if mode == 'full' and np.ndim(v) == 1 else "
    "_convolve_bar(y_bar, a, v, mode)",
    v="np.correlate(y_bar, a, 'valid') if mode == 'full' and np.ndim(a) == 1 else "
    "_convolve_bar(y_bar, v, a, mode)",
    tangent="np.convolve(a_dot, v, mode) + np.convolve(a, v_dot, mode)",
    shape="vector",
    samples=(
        "normal(5), normal(3)",
        "normal(3), normal(5)",
        "normal(5), normal(3), 'same'",
        "normal(5), normal(4), 'same'",
        "normal(5), normal(3), 'valid'",
        "normal(3), normal(6), 'same'",
        "normal(3), normal(5), 'valid'",
    ),
)
general(
    "numpy.correlate",
    "a, v, mode='valid'",
    dtype="promote",
    a="_correlate_bar(y_bar, a, v, mode)",
    v="_correlate_v_bar(y_bar, a, v, mode)",
    tangent="np.correlate(a_dot, v, mode) + np.correlate(a, v_dot, mode)",
    shape="vector",
    samples=(
        "normal(5), normal(3)",
        "normal(5), normal(3), 'same'",
        "normal(5), normal(4), 'same'",
        "normal(5), normal(3), 'full'",
        "normal(4), normal(4)",
        "normal(2), normal(5), 'same'",
        "normal(3), normal(5), 'full'",
    ),
)
general(
    "numpy.poly",
    "seq_of_zeros",
    seq_of_zeros="_poly_bar(y_bar, y, seq_of_zeros)",
    tangent="_poly_dot(seq_of_zeros_dot, y, seq_of_zeros)",
    shape="vector",
    source="D. K. Faddeev and V. N. Faddeeva, Computational Methods of Linear Algebra (1963), 47",
    samples=("normal(4)", "normal(3, 3)"),
)
general(
    "numpy.roots",
    "p",
    p="_roots_bar(y_bar, y, p)",
    tangent="-np.polyval(p_dot, y) / np.polyval(np.polyder(p), y)",
    shape="vector",
    dtype="either",
    samples=("np.array([1.2, -1.3, -3.4, 0.2])", "np.array([2.0, 0.3, 1.0, 0.4, 1.7])"),
    kink="where two roots are equal",
)
general(
    "numpy.polyval",
    "p, x",
    dtype="promote",
    p="np.ravel(y_bar) @ np.vander(np.ravel(x), len(p))",
    x="y_bar * np.polyval(np.polyder(p), x)",
    tangent="np.polyval(p_dot, x) + np.polyval(np.polyder(p), x) * x_dot",
    shape="same x",
    samples=(
        "normal(4), normal(3)",
        "normal(4), 1.5",
        "normal(2), normal(2, 3)",
        "normal(1), normal(3)",
    ),
)
general(
    "numpy.unwrap",
    "p, discont=None, axis=-1, *, period=6.283185307179586",
    p="y_bar",
    tangent="p_dot",
    shape="same p",
    samples=("5.0 * normal(6)", "5.0 * normal(6, 2), axis=0, period=3.0"),
    kink="where it decides to add a turn",
)
linear(
    "numpy.bincount",
    "x, weights, minlength=0",
    weights="y_bar[x]",
    shape="vector",
    samples=("np.array([0, 2, 2, 1]), normal(4)", "np.array([0, 2]), normal(2), 5"),
)
_THREE = "axis == -1 and np.shape(a)[-1] == 3 and np.shape(b)[-1] == 3"
general(
    "numpy.cross numpy.linalg.cross",
    "a, b, *, axis=-1",
    dtype="promote",
    a=f"unbroadcast(np.cross(b, y_bar), a) if {_THREE} else _cross_bar(y_bar, a, b, axis)",
    b=f"unbroadcast(np.cross(y_bar, a), b) if {_THREE} else _cross_bar(-y_bar, b, a, axis)",
    tangent="np.cross(a_dot, b, axis=axis) + np.cross(a, b_dot, axis=axis)",
    shape="cross a b",
    samples=(
        "normal(3), normal(3)",
        "normal(2, 3), normal(3)",
        "normal(3, 2), normal(3, 2), axis=0",
        "normal(2, 1, 3), normal(4, 3)",
        "normal(3, 4), normal(3), axis=0",
    ),
)
_ROOT = "np.sqrt(1.0 - (np.linspace(-1.0, 1.0, M) * (M > 1)) ** 2)"
_SLOPE = f"({_ROOT} * scipy.special.i1(beta * {_ROOT}) - y * scipy.special.i1(beta)) / np.i0(beta)"
general(
    "numpy.kaiser",
    "M, beta",
    beta=f"np.sum(y_bar * ({_SLOPE}))",
    tangent=f"beta_dot * ({_SLOPE})",
    shape="vector",
    samples=("5, 1.7", "6, 0.3"),
)
