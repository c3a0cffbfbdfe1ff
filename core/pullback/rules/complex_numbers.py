"""Complex arguments: which entries serve them as they stand, and what the others are then.

An entry of kind `linear` serves complex arguments as it is: it moves and adds up, with real weights. What
is holomorphic is listed here: its formulas are those of the other files, and the engine conjugates what
they name. A function that is neither has an entry of its own here, which takes the place of the other
where an argument is complex. Anything else is refused there.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import holomorphic, linear, not_on_complex, on_complex

# --- the same formula, conjugated ----------------------------------------------------------------

holomorphic("operator.add numpy.add operator.sub numpy.subtract operator.mul numpy.multiply")
holomorphic("operator.truediv numpy.divide numpy.true_divide operator.neg numpy.negative")
holomorphic("operator.pos numpy.positive numpy.reciprocal numpy.square numpy.sqrt")
holomorphic("operator.pow numpy.power numpy.float_power numpy.pow builtins.pow")
holomorphic("numpy.exp numpy.exp2 numpy.expm1 numpy.log numpy.log2 numpy.log10 numpy.log1p")
holomorphic("numpy.sin numpy.cos numpy.tan numpy.sinh numpy.cosh numpy.tanh numpy.sinc")
holomorphic("numpy.arcsin numpy.asin numpy.arccos numpy.acos numpy.arctan numpy.atan")
holomorphic("numpy.arcsinh numpy.asinh numpy.arctanh numpy.atanh")
holomorphic("operator.matmul numpy.matmul numpy.linalg.matmul numpy.dot method.dot numpy.matvec")
holomorphic("numpy.outer numpy.linalg.outer numpy.inner numpy.kron numpy.cross numpy.linalg.cross")
holomorphic("numpy.tensordot numpy.linalg.tensordot numpy.polyval")
holomorphic(
    "numpy.prod numpy.product method.prod numpy.cumprod numpy.cumproduct method.cumprod numpy.cumulative_prod"
)
holomorphic("numpy.average numpy.trapezoid numpy.trapz scipy.integrate.trapezoid")
holomorphic("numpy.linalg.solve numpy.linalg.inv numpy.linalg.det numpy.linalg.matrix_power")
holomorphic("scipy.linalg.solve scipy.linalg.inv scipy.linalg.det scipy.linalg.sqrtm")
holomorphic("scipy.linalg.expm scipy.linalg.solve_sylvester numpy.pad")
holomorphic("scipy.special.erf scipy.special.erfc scipy.special.erfcx scipy.special.erfi")
holomorphic("scipy.special.dawsn")
holomorphic("scipy.special.gamma scipy.special.loggamma scipy.special.rgamma scipy.special.exp1")

# --- real and imaginary parts, length and angle --------------------------------------------------

on_complex(
    "numpy.real attr.real",
    "x",
    x="y_bar",
    tangent="np.real(x_dot)",
    shape="same x",
    dtype="real",
    memory="view x",
    samples=("complexes(2, 3)",),
)
on_complex(
    "numpy.imag attr.imag",
    "x",
    x="1j * y_bar",
    tangent="np.imag(x_dot)",
    shape="same x",
    dtype="real",
    memory="view x",
    samples=("complexes(2, 3)",),
)
on_complex(
    "numpy.conj numpy.conjugate method.conj method.conjugate",
    "x",
    x="np.conj(y_bar)",
    tangent="np.conj(x_dot)",
    shape="same x",
    samples=("complexes(2, 3)",),
)
on_complex(
    "builtins.abs numpy.abs numpy.absolute",
    "x",
    x="y_bar * (x / (y + (y == 0)))",
    tangent="np.real(np.conj(x) * x_dot) / (y + (y == 0))",
    shape="same x",
    dtype="real",
    samples=("complexes(2, 3)", "complexes(4)"),
    kink="at x == 0",
)
on_complex(
    "numpy.angle",
    "z, deg=False",
    z="y_bar * (1j * z / (z * np.conj(z)).real) if not deg else "
    "y_bar * (180.0 / math.pi * 1j * z / (z * np.conj(z)).real)",
    tangent="np.imag(np.conj(z) * z_dot) / (z * np.conj(z)).real if not deg else "
    "180.0 / math.pi * np.imag(np.conj(z) * z_dot) / (z * np.conj(z)).real",
    shape="same z",
    dtype="real",
    samples=("complexes(2, 3)", "complexes(4), True"),
    kink="across the negative axis",
)

# --- made of real numbers ------------------------------------------------------------------------

linear(
    "builtins.complex",
    "real, imag=0.0",
    real="y_bar",
    imag="-1j * y_bar",
    shape="scalar",
    dtype="complex",
    samples=("1.3, 0.7",),
)
linear(
    "numpy.complex64 numpy.complex128 numpy.complex256 numpy.csingle numpy.cdouble numpy.clongdouble"
    " numpy.complex_ numpy.cfloat numpy.clongfloat numpy.singlecomplex numpy.longcomplex",
    "x",
    x="y_bar",
    shape="same x",
    dtype="complex",
    samples=("1.5", "normal()"),
)

# --- another branch than on real numbers ---------------------------------------------------------

on_complex(
    "numpy.arccosh numpy.acosh",
    "x",
    x="y_bar / np.conj(np.sqrt(x - 1.0) * np.sqrt(x + 1.0))",
    tangent="x_dot / (np.sqrt(x - 1.0) * np.sqrt(x + 1.0))",
    shape="same x",
    samples=("complexes(2, 3)", "-complexes(4)"),
)

# --- sums of squares of absolute values ----------------------------------------------------------

on_complex(
    "numpy.vdot",
    "a, b",
    a="np.conj(y_bar) * b if np.ndim(a) == np.ndim(b) else np.reshape(np.conj(y_bar) * b, np.shape(a))",
    b="y_bar * a if np.ndim(a) == np.ndim(b) else np.reshape(y_bar * a, np.shape(b))",
    tangent="np.vdot(a_dot, b) + np.vdot(a, b_dot)",
    shape="scalar",
    dtype="complex",
    samples=("complexes(3), complexes(3)", "complexes(2, 3), complexes(2, 3)"),
)
on_complex(
    "numpy.vecdot numpy.linalg.vecdot",
    "x1, x2, *, axis=-1",
    x1="unbroadcast(np.expand_dims(np.conj(y_bar), axis) * x2, x1)",
    x2="unbroadcast(np.expand_dims(y_bar, axis) * x1, x2)",
    tangent="np.sum(np.conj(x1_dot) * x2, axis) + np.sum(np.conj(x1) * x2_dot, axis)",
    shape="unknown",
    dtype="complex",
    samples=("complexes(2, 3), complexes(3)", "complexes(2, 3), complexes(2, 3), axis=0"),
)
on_complex(
    "numpy.linalg.norm",
    "x, ord=None, axis=None, keepdims=False",
    x="x * unreduce(y_bar / y, axis, keepdims) if ord is None or ord == 'fro' or ord == 2 and np.ndim(x) == 1"
    " else _norm_bar(y_bar, y, x, ord, axis, keepdims)",
    tangent="np.sum(np.real(np.conj(x) * x_dot), axis, keepdims=keepdims) / y if ord is None else np.sum(np.real("
    "np.conj(_norm_bar(np.ones_like(y), y, x, ord, axis, keepdims)) * x_dot), axis, keepdims=keepdims)",
    shape="reduce x",
    dtype="real",
    samples=(
        "complexes(4)",
        "complexes(2, 3)",
        "complexes(2, 3), axis=1, keepdims=True",
        "complexes(4), 1",
        "complexes(2, 3), 3, axis=0",
        "complexes(2, 3), 'fro'",
        "complexes(2, 3), 'nuc'",
        "complexes(2, 3), 2",
        "complexes(2, 3), 1",
    ),
    kink="at x == 0",
)
on_complex(
    "numpy.var method.var",
    "a, axis=None, *, ddof=0, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) * (2.0 / (count(a, axis) - ddof))"
    " * (a - np.mean(a, axis, keepdims=True))",
    tangent="2.0 / (count(a, axis) - ddof) * np.sum(np.real(np.conj(a - np.mean(a, axis,"
    " keepdims=True)) * a_dot), axis, keepdims=keepdims)",
    shape="reduce a",
    dtype="real",
    samples=("complexes(4)", "complexes(2, 3), axis=1, ddof=1"),
)
on_complex(
    "numpy.std method.std",
    "a, axis=None, *, ddof=0, keepdims=False",
    a="unreduce(y_bar / y, axis, keepdims) * (1.0 / (count(a, axis) - ddof))"
    " * (a - np.mean(a, axis, keepdims=True))",
    tangent="1.0 / (count(a, axis) - ddof) * np.sum(np.real(np.conj(a - np.mean(a, axis,"
    " keepdims=True)) * a_dot), axis, keepdims=keepdims) / y",
    shape="reduce a",
    dtype="real",
    samples=("complexes(4)", "complexes(2, 3), axis=1, ddof=1"),
    kink="where all elements are equal",
)
# np.correlate conjugates its second argument by itself.
on_complex(
    "numpy.convolve",
    "a, v, mode='full'",
    a="np.correlate(y_bar, v, 'valid') if mode == 'full' and np.ndim(v) == 1 else "
    "_convolve_bar(y_bar, a, v, mode)",
    v="np.correlate(y_bar, a, 'valid') if mode == 'full' and np.ndim(a) == 1 else "
    "_convolve_bar(y_bar, v, a, mode)",
    tangent="np.convolve(a_dot, v, mode) + np.convolve(a, v_dot, mode)",
    shape="vector",
    dtype="complex",
    samples=(
        "complexes(5), complexes(3)",
        "complexes(3), complexes(5)",
        "complexes(5), complexes(3), 'same'",
        "complexes(3), complexes(5), 'valid'",
    ),
)

# --- Hermitian matrices, singular values, least squares ------------------------------------------

for _names, _signature, _lower in (
    ("numpy.linalg.cholesky", "a, /, *, upper=False", "not upper"),
    ("scipy.linalg.cholesky", "a, lower=False", "lower"),
):
    on_complex(
        _names,
        _signature,
        a=f"_cholesky_bar(y_bar, y) if {_lower} else np.swapaxes("
        "_cholesky_bar(np.swapaxes(y_bar, -1, -2), np.swapaxes(y, -1, -2)), -1, -2)",
        tangent=f"_cholesky_dot(a_dot, y) if {_lower} else np.swapaxes("
        "_cholesky_dot(np.swapaxes(a_dot, -1, -2), np.swapaxes(y, -1, -2)), -1, -2)",
        shape="same a",
        samples=("hermitian(3)", "hermitian(2)"),
    )
on_complex(
    "numpy.linalg.eigh",
    "a, UPLO='L'",
    a="_eigh_bar(y_bar[0], y_bar[1], y[0], y[1], UPLO)",
    tangent="_eigh_dot(a_dot, y[0], y[1], UPLO)",
    shape="tuple",
    results=("eigenvalues: rows a, float", "eigenvectors: same a"),
    samples=("hermitian(3)", "hermitian(3), 'U'"),
    kink="where two eigenvalues are equal",
)
on_complex(
    "numpy.linalg.eigvalsh",
    "a, UPLO='L'",
    a="_eigvalsh_bar(y_bar, a, UPLO)",
    tangent="_eigvalsh_dot(a_dot, a, UPLO)",
    shape="rows a",
    dtype="real",
    samples=("hermitian(3)", "hermitian(3), 'U'"),
    kink="where two eigenvalues are equal",
)
on_complex(
    "numpy.linalg.svdvals scipy.linalg.svdvals",
    "x, /",
    x="_svdvals_bar(y_bar, x)",
    tangent="_svdvals_dot(x_dot, x)",
    shape="unknown",
    dtype="real",
    samples=("complexes(3, 2)", "complexes(2, 3)"),
    kink="where two singular values are equal, or one is 0",
)
on_complex(
    "numpy.linalg.slogdet",
    "a",
    a="np.asarray((0.0 if y_bar[1] is None else y_bar[1]) + (0.0 if y_bar[0] is None else"
    " 1j * np.imag(y_bar[0] * np.conj(y[0]))))[..., None, None]"
    " * np.conj(np.swapaxes(np.linalg.inv(a), -1, -2))",
    tangent="(1j * y[0] * np.imag(np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)),"
    " np.real(np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)))",
    shape="tuple",
    results=("sign: batch a", "logabsdet: batch a, float"),
    samples=("complexes(3, 3)", "complexes(2, 3, 3)"),
)
on_complex(
    "numpy.linalg.pinv",
    "a, rcond=None, *, rtol=None",
    a="_pinv_bar(y_bar, y, a) if rcond is None and rtol is None else _cut_pinv_bar(y_bar, y, a)",
    tangent="_pinv_dot(a_dot, y, a) if rcond is None and rtol is None else _cut_pinv_dot(a_dot, y, a)",
    shape="unknown",
    samples=(
        "complexes(4, 2)",
        "complexes(2, 4)",
        "complexes(3, 3)",
        "np.diag([3.0, 2.0, 0.5]) + (0.1 + 0.1j) * rng.normal(size=(3, 3)), rcond=0.4",
        "np.eye(5, 3) * [3.0, 2.0, 0.3] + (0.1 + 0.1j) * rng.normal(size=(5, 3)), rcond=0.4",
    ),
)
on_complex(
    "numpy.linalg.lstsq",
    "a, b, rcond=None",
    a="_lstsq_all_a_bar(y_bar, y, a, b, rcond)",
    b="_lstsq_all_b_bar(y_bar, y, a, b, rcond)",
    tangent="_lstsq_dot(a_dot, b_dot, y, a, b, rcond)",
    shape="tuple",
    results=(
        "x: columns a b",
        "residuals: vector, float",
        "rank: scalar, int",
        "s: vector, float",
    ),
    samples=(
        "complexes(4, 2), complexes(4)",
        "complexes(4, 2), complexes(4, 3)",
        "complexes(2, 4), complexes(2)",
    ),
    kink="where the rank of a changes",
)

on_complex(
    "numpy.roots",
    "p",
    p="_roots_bar(y_bar, y, p)",
    tangent="-np.polyval(p_dot, y) / np.polyval(np.polyder(p), y)",
    shape="vector",
    dtype="complex",
    samples=("np.array([1.0, -0.3 + 1j, 0.4, 2.0 - 0.7j])",),
    kink="where two roots are equal",
)
not_on_complex(
    "scipy.linalg.svd numpy.linalg.svd",
    "the phases of its vectors are arbitrary; `np.linalg.svdvals` is differentiated",
)

# --- what is more than a move, though linear on real numbers -------------------------------------

_DROPS = "it drops the imaginary part; take `.real` first"

not_on_complex("builtins.float method.astype numpy.astype", _DROPS)
not_on_complex(
    "numpy.float16 numpy.float32 numpy.float64 numpy.float128 numpy.half numpy.single numpy.double"
    " numpy.longdouble numpy.float_ numpy.longfloat",
    _DROPS,
)
not_on_complex("builtins.complex", "its parts are real numbers; write `a + 1j * b`")
not_on_complex("numpy.real_if_close", "whether it gives complex numbers depends on values")
not_on_complex("numpy.sign", "it turns with the angle of a complex number; write `z / np.abs(z)`")
not_on_complex(
    "scipy.linalg.toeplitz",
    "its first row is the conjugate of its first column; give both",
)
not_on_complex(
    "numpy.ldexp numpy.bincount math.fsum",
    "it takes real numbers",
)
