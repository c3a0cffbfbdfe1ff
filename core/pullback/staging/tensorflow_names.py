"""How TensorFlow says what NumPy, `math` and SciPy say, as tables.

`tf.experimental.numpy` keeps NumPy's names, forms of arguments and promotion of types for the functions of KEPT: each
has been compared with NumPy. Functions that differ there, or are not there, are said otherwise or refused.

May not know: the IR, TensorFlow.
"""

from __future__ import annotations

ARRAY = "tensorflow.experimental.numpy."

_ELEMENTWISE = (
    "exp log log2 log10 log1p expm1 exp2 sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh"
    " arctanh deg2rad rad2deg sinc floor ceil fix reciprocal"
)
FLOATING = frozenset(
    f"numpy.{n}" for n in _ELEMENTWISE.split()
)  # of floats: whole numbers are cast
KEPT = frozenset(
    (
        _ELEMENTWISE
        + " square abs absolute fabs sign negative positive conj conjugate real imag isnan isfinite isinf signbit"
        " logical_not logical_and logical_or logical_xor"
        " add subtract multiply divide true_divide floor_divide mod remainder power float_power maximum minimum"
        " arctan2 hypot logaddexp logaddexp2 heaviside isclose allclose greater greater_equal less less_equal equal"
        " not_equal gcd bitwise_and bitwise_or bitwise_xor where clip"
        " sum mean prod max min amax amin std var ptp cumsum cumprod all any argmax argmin nansum nanmean nanprod"
        " average count_nonzero argsort sort diff"
        " dot matmul inner outer vdot tensordot einsum trace kron cross diag diagonal tril triu diagflat"
        " reshape ravel transpose swapaxes moveaxis expand_dims squeeze broadcast_to concatenate stack vstack hstack"
        " dstack tile repeat roll flip flipud fliplr rot90 split hsplit vsplit atleast_1d atleast_2d meshgrid append"
        " zeros ones zeros_like ones_like empty empty_like full full_like eye identity arange linspace array asarray"
        " copy logspace geomspace tri vander take_along_axis select polyval isreal ix_"
    ).split()
)
# arguments by word that it does not take, or takes for something else
LACKING = ("where", "initial", "ddof", "out", "mode", "correction", "order", "casting", "like")

_MATH = "exp log log2 log10 log1p expm1 sqrt sin cos tan sinh cosh tanh fabs floor ceil hypot"
NAMES = {
    "numpy.round": "tensorflow.round",  # both to the even of two
    "numpy.around": "tensorflow.round",
    "numpy.rint": "tensorflow.round",
    "numpy.linalg.inv": "tensorflow.linalg.inv",
    "numpy.linalg.det": "tensorflow.linalg.det",
    "numpy.linalg.cholesky": "tensorflow.linalg.cholesky",
    "numpy.linalg.slogdet": "tensorflow.linalg.slogdet",
    "numpy.linalg.eigh": "tensorflow.linalg.eigh",
    "numpy.linalg.norm": "tensorflow.norm",
    "math.acos": f"{ARRAY}arccos",
    "math.asin": f"{ARRAY}arcsin",
    "math.atan": f"{ARRAY}arctan",
    "math.atan2": f"{ARRAY}arctan2",
    "math.acosh": f"{ARRAY}arccosh",
    "math.asinh": f"{ARRAY}arcsinh",
    "math.atanh": f"{ARRAY}arctanh",
    "math.pow": f"{ARRAY}power",
    "math.lgamma": "tensorflow.math.lgamma",
    "math.erf": "tensorflow.math.erf",
    "math.erfc": "tensorflow.math.erfc",
    "scipy.special.erf": "tensorflow.math.erf",
    "scipy.special.erfc": "tensorflow.math.erfc",
    "scipy.special.gammaln": "tensorflow.math.lgamma",
    "scipy.special.digamma": "tensorflow.math.digamma",
    "scipy.special.psi": "tensorflow.math.digamma",
    "scipy.special.expit": "tensorflow.math.sigmoid",
    "scipy.special.logsumexp": "tensorflow.reduce_logsumexp",
    "scipy.special.xlogy": "tensorflow.math.xlogy",
    "scipy.special.ndtri": "tensorflow.math.ndtri",
    "builtins.abs": f"{ARRAY}abs",
    **{f"math.{n}": f"{ARRAY}{n}" for n in _MATH.split()},
}
ONE_ARGUMENT = ("numpy.round", "numpy.around", "numpy.linalg.norm", "scipy.special.logsumexp")
WORDS = ("axis", "keepdims")  # what those may be told by word

# methods of arrays that are functions of them
_METHODS = (
    "sum mean prod max min std var cumsum cumprod all any argmax argmin dot ravel squeeze clip round conj conjugate"
    " trace diagonal swapaxes repeat"
)
METHODS = {
    **{n: f"numpy.{n}" for n in _METHODS.split()},
    "flatten": "numpy.ravel",
    "copy": "numpy.copy",
}
