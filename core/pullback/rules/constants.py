"""Functions with no gradient by nature: integer or boolean results, shapes, fresh arrays.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import constant, general, lacks, linear

# --- fresh arrays --------------------------------------------------------------------------------

constant("numpy.zeros numpy.ones numpy.empty", "shape, dtype=None, order='C'", shape="given shape")
constant(
    "numpy.ndarray",
    "shape, dtype=None, buffer=None, offset=0, strides=None, order=None",
    shape="given shape",
    refused="buffer",
    because="it hands out memory, and what is written there cannot be followed",
)
constant(
    "numpy.zeros_like numpy.ones_like numpy.empty_like",
    "a, dtype=None, order='K', subok=True, shape=None",
    shape="same a",
    dtype="a",
)
constant("numpy.eye", "N, M=None, k=0, dtype=None", shape="eye")
constant("numpy.identity", "n, dtype=None", shape="eye")
constant("numpy.tri", "N, M=None, k=0, dtype=None", shape="eye")
constant("numpy.bartlett numpy.blackman numpy.hamming numpy.hanning", "M", shape="vector")
constant(
    "numpy.indices numpy.ix_ numpy.diag_indices numpy.diag_indices_from numpy.mask_indices"
    " numpy.tril_indices numpy.tril_indices_from numpy.triu_indices numpy.triu_indices_from"
    " numpy.unravel_index numpy.ravel_multi_index numpy.mgrid numpy.ogrid",
    dtype="int",
)

# The length follows from start and stop, the values from start and step.
general(
    "numpy.arange",
    "start, stop=None, step=1, dtype=None",
    start="0.0 if stop is None else np.sum(y_bar)",
    stop="0.0",
    step="y_bar @ np.arange(np.size(y_bar))",
    tangent="np.full(np.shape(y), start_dot) + step_dot * np.arange(np.size(y))",
    shape="arange",
    dtype="promote",
    samples=("0.3, 5.1, 1.1", "0.3, 5.2"),
)
linear(
    "numpy.full",
    "shape, fill_value, dtype=None",
    fill_value="unbroadcast(y_bar, fill_value)",
    shape="given shape",
    samples=("(2, 3), 1.5", "3, 1.5", "(2, 3), normal(3)"),
)
linear(
    "numpy.linspace",
    "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0",
    start="np.linspace(1.0, 0.0, num, endpoint) @ y_bar if np.ndim(start) == 0 and np.ndim(stop) == 0 else "
    "unbroadcast(np.tensordot(np.linspace(1.0, 0.0, num, endpoint, dtype=y_bar.dtype), y_bar, 1), start)",
    stop="np.linspace(0.0, 1.0, num, endpoint) @ y_bar if np.ndim(start) == 0 and np.ndim(stop) == 0 else "
    "unbroadcast(np.tensordot(np.linspace(0.0, 1.0, num, endpoint, dtype=y_bar.dtype), y_bar, 1), stop)",
    shape="unknown",
    dtype="float",
    samples=("0.3, 1.7, 5", "0.3, 1.7, 4, False", "normal(2), 1.5, 4", "normal(2), normal(2), 4"),
)
lacks("numpy.linspace", retstep="write the division", axis="use `np.moveaxis`")
linear(
    "numpy.full_like",
    "a, fill_value, dtype=None",
    fill_value="unbroadcast(y_bar, fill_value)",
    lends="a",
    shape="same a",
    dtype="a",
    samples=("normal(2, 3), 1.5",),
)

constant(
    "numpy.argmax numpy.argmin method.argmax method.argmin",
    "a, axis=None, *, keepdims=False",
    shape="reduce a",
    dtype="int",
)
constant("numpy.argsort method.argsort", "a, axis=-1, kind=None, order=None", dtype="int")
constant(
    "numpy.greater numpy.greater_equal numpy.less numpy.less_equal numpy.equal numpy.not_equal"
    " numpy.logical_and numpy.logical_or numpy.logical_xor numpy.logical_not numpy.isnan numpy.isinf"
    " numpy.isfinite numpy.isclose numpy.signbit",
    shape="broadcast",
    dtype="bool",
)
constant(
    "numpy.all numpy.any numpy.alltrue numpy.sometrue method.all method.any",
    "a, axis=None, *, keepdims=False",
    shape="reduce a",
    dtype="bool",
)
constant("numpy.allclose numpy.array_equal numpy.array_equiv", shape="scalar", dtype="bool")
constant(
    "numpy.isin",
    "element, test_elements, assume_unique=False, invert=False, *, kind=None",
    shape="same element",
    dtype="bool",
)
constant(
    "numpy.isneginf numpy.isposinf numpy.isreal numpy.iscomplex numpy.isnat",
    shape="broadcast",
    dtype="bool",
)
constant(
    "numpy.bitwise_count numpy.bitwise_left_shift numpy.bitwise_right_shift numpy.left_shift"
    " numpy.right_shift numpy.gcd numpy.lcm",
    shape="broadcast",
    dtype="int",
)
constant(
    "numpy.bitwise_and numpy.bitwise_or numpy.bitwise_xor numpy.bitwise_not numpy.bitwise_invert"
    " numpy.invert",
    shape="broadcast",
    dtype="promote",
)

# --- positions, counts, sets of positions --------------------------------------------------------

constant(
    "numpy.nanargmax numpy.nanargmin",
    "a, axis=None, *, keepdims=False",
    shape="reduce a",
    dtype="int",
)
constant("numpy.argpartition method.argpartition numpy.lexsort", dtype="int")
constant(
    "numpy.nonzero numpy.flatnonzero numpy.argwhere method.nonzero numpy.count_nonzero"
    " numpy.searchsorted method.searchsorted numpy.digitize numpy.packbits numpy.unpackbits",
    dtype="int",
)
constant("numpy.linalg.matrix_rank", dtype="int")
general(
    "numpy.fft.fftfreq numpy.fft.rfftfreq scipy.fft.fftfreq scipy.fft.rfftfreq",
    "n, d=1.0",
    d="-np.sum(y_bar * y) / d",
    tangent="-y * d_dot / d",
    shape="unknown",
    samples=("5, 0.3", "6, d=1.7"),
)

# --- shapes and types ----------------------------------------------------------------------------

constant(
    "numpy.shape attr.shape numpy.ndim attr.ndim numpy.size attr.size attr.dtype attr.itemsize"
    " attr.nbytes attr.strides attr.flags attr.device numpy.broadcast_shapes",
    dtype="int",
)
constant(
    "numpy.isscalar numpy.iscomplexobj numpy.isrealobj numpy.isfortran numpy.issubdtype numpy.isdtype"
    " numpy.iterable numpy.can_cast numpy.may_share_memory numpy.shares_memory",
    shape="scalar",
    dtype="bool",
)
constant(
    "numpy.dtype numpy.dtypes numpy.finfo numpy.iinfo numpy.result_type numpy.promote_types numpy.common_type"
    " numpy.min_scalar_type numpy.mintypecode numpy.typename numpy.typecodes numpy.sctypeDict"
    " numpy.ScalarType numpy.einsum_path"
)
constant(
    "numpy.int8 numpy.int16 numpy.int32 numpy.int64 numpy.int_ numpy.intc numpy.intp numpy.uint8"
    " numpy.uint16 numpy.uint32 numpy.uint64 numpy.uint numpy.uintc numpy.uintp numpy.byte numpy.ubyte"
    " numpy.short numpy.ushort numpy.long numpy.ulong numpy.longlong numpy.ulonglong",
    "x=0",
    shape="same x",
    dtype="int",
)
constant("numpy.bool numpy.bool_", "x=False", shape="same x", dtype="bool")
constant(
    "numpy.generic numpy.number numpy.integer numpy.signedinteger numpy.unsignedinteger numpy.inexact"
    " numpy.floating numpy.complexfloating numpy.flexible numpy.character numpy.str_ numpy.bytes_"
    " numpy.void numpy.object_ numpy.datetime64 numpy.timedelta64 numpy.ufunc"
)

# --- names that hold a value ---------------------------------------------------------------------

constant(
    "numpy.pi numpy.e numpy.euler_gamma numpy.inf numpy.nan math.pi math.e math.tau math.inf math.nan",
    shape="scalar",
)
constant("numpy.newaxis numpy.True_ numpy.False_ numpy.little_endian", shape="scalar", dtype="bool")
constant("numpy.s_ numpy.index_exp")

# --- text, files, settings -----------------------------------------------------------------------

constant(
    "numpy.array2string numpy.array_repr numpy.array_str numpy.base_repr numpy.binary_repr"
    " numpy.format_float_positional numpy.format_float_scientific numpy.info numpy.datetime_as_string"
    " numpy.datetime_data numpy.is_busday numpy.busday_count numpy.busday_offset numpy.busdaycalendar"
    " numpy.get_include numpy.get_printoptions numpy.set_printoptions numpy.printoptions numpy.errstate"
    " numpy.seterr numpy.geterr numpy.seterrcall numpy.geterrcall numpy.setbufsize numpy.getbufsize"
    " numpy.show_config numpy.show_runtime numpy.test numpy.linalg.test numpy.fft.test"
    " numpy.save numpy.savetxt numpy.savez numpy.savez_compressed method.tobytes method.tofile"
    " method.dump method.dumps numpy.linalg.LinAlgError"
)
constant(
    "numpy.load numpy.loadtxt numpy.genfromtxt numpy.fromfile numpy.fromregex numpy.fromstring"
    " numpy.spacing"
)
