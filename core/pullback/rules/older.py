"""Names that releases of NumPy since 1.24 had and the newest has no longer.

Another name of a function that stayed stands in that function's entry.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import constant, effect, unsupported

# --- names that hold a value ---------------------------------------------------------------------

constant(
    "numpy.Inf numpy.Infinity numpy.infty numpy.PINF numpy.NINF numpy.NaN numpy.NAN numpy.PZERO numpy.NZERO",
    shape="scalar",
)
constant(
    "numpy.ALLOW_THREADS numpy.BUFSIZE numpy.CLIP numpy.ERR_CALL numpy.ERR_DEFAULT numpy.ERR_IGNORE"
    " numpy.ERR_LOG numpy.ERR_PRINT numpy.ERR_RAISE numpy.ERR_WARN numpy.FLOATING_POINT_SUPPORT"
    " numpy.FPE_DIVIDEBYZERO numpy.FPE_INVALID numpy.FPE_OVERFLOW numpy.FPE_UNDERFLOW numpy.MAXDIMS"
    " numpy.MAY_SHARE_BOUNDS numpy.MAY_SHARE_EXACT numpy.RAISE numpy.SHIFT_DIVIDEBYZERO"
    " numpy.SHIFT_INVALID numpy.SHIFT_OVERFLOW numpy.SHIFT_UNDERFLOW numpy.UFUNC_BUFSIZE_DEFAULT"
    " numpy.WRAP numpy.kernel_version numpy.tracemalloc_domain numpy.use_hugepage",
    shape="scalar",
    dtype="int",
)

# --- shapes, types, text, settings ---------------------------------------------------------------

constant("numpy.in1d", "ar1, ar2, assume_unique=False, invert=False", shape="vector", dtype="bool")
constant(
    "numpy.cast numpy.find_common_type numpy.maximum_sctype numpy.nbytes numpy.obj2sctype"
    " numpy.sctype2char numpy.sctypes numpy.string_ numpy.unicode_ numpy.byte_bounds"
    " numpy.UFUNC_PYVALS_NAME"
)
constant(
    "numpy.issctype numpy.issubclass_ numpy.issubsctype numpy.safe_eval",
    shape="scalar",
    dtype="bool",
)
constant(
    "numpy.AxisError numpy.ComplexWarning numpy.ModuleDeprecationWarning numpy.RankWarning"
    " numpy.TooHardError numpy.VisibleDeprecationWarning"
)
constant(
    "numpy.DataSource numpy.Tester numpy.add_docstring numpy.add_newdoc numpy.add_newdoc_ufunc"
    " numpy.deprecate numpy.deprecate_with_doc numpy.disp numpy.get_array_wrap numpy.geterrobj"
    " numpy.lookfor numpy.recfromcsv numpy.recfromtxt numpy.set_numeric_ops numpy.set_string_function"
    " numpy.seterrobj numpy.source numpy.who numpy.format_parser numpy.numarray numpy.oldnumeric"
    " method.tostring"
)

# --- without a derivative ------------------------------------------------------------------------

unsupported("numpy.msort", "NumPy 2 has it no longer; write `np.sort(a, axis=0)`")
unsupported("numpy.fastCopyAndTranspose", "NumPy 2 has it no longer; write `a.T.copy()`")
unsupported(
    "numpy.mat numpy.chararray numpy.compare_chararrays",
    "it is of values that are no plain arrays; plain arrays are differentiated",
)
unsupported("method.newbyteorder", "it reinterprets bytes")
effect(
    "method.itemset",
    "a, *args",
    writes="a",
    reason="it writes into its argument; assign to a subscript instead, as in `a[i] = value`",
)
unsupported(
    "numpy.compat numpy.math numpy.version numpy.linalg.lapack_lite numpy.linalg.linalg numpy.fft.helper",
    "it is a module",
)
