"""Functions without a rule, each with the reason that the diagnostic shows.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import effect, unsupported

# --- they write into an argument -----------------------------------------------------------------

_ASSIGN = "it writes into its argument; assign to a subscript instead, as in `a[...] = values`"

effect("numpy.copyto", "dst, src, casting='same_kind', where=True", writes="dst", reason=_ASSIGN)
effect("numpy.put method.put", "a, ind, v, mode='raise'", writes="a", reason=_ASSIGN)
effect("numpy.place", "arr, mask, vals", writes="arr", reason=_ASSIGN)
effect("numpy.putmask", "a, mask, values", writes="a", reason=_ASSIGN)
effect("numpy.put_along_axis", "arr, indices, values, axis", writes="arr", reason=_ASSIGN)
effect("numpy.fill_diagonal", "a, val, wrap=False", writes="a", reason=_ASSIGN)
effect("method.fill", "a, value", writes="a", reason=_ASSIGN)
effect(
    "method.sort",
    "a, axis=-1, kind=None, order=None",
    writes="a",
    reason="it sorts in place; `np.sort(a)` gives a sorted copy",
)
effect(
    "method.partition",
    "a, kth, axis=-1, kind=None, order=None",
    writes="a",
    reason="it reorders in place; `np.partition(a, kth)` gives a copy",
)
effect(
    "numpy.multiply.at numpy.divide.at numpy.power.at numpy.maximum.at numpy.minimum.at",
    "a, indices, b=None",
    writes="a",
    reason="it goes on from element to element in place; write the loop",
)
effect("method.resize", "a, *new_shape, refcheck=True", writes="a", reason="it resizes in place")
effect("method.byteswap", "a, inplace=False", writes="a", reason="it reinterprets bytes")
effect("method.setfield", "a, val, dtype, offset=0", writes="a", reason="it writes raw bytes")
effect("method.setflags", "a, **flags", writes="a", reason="it changes what may be written")

# --- they call a function given to them ----------------------------------------------------------

unsupported(
    "numpy.apply_along_axis numpy.apply_over_axes numpy.vectorize numpy.frompyfunc numpy.fromfunction"
    " numpy.piecewise",
    "it calls a Python function that the text does not show in place; write the loop, or the array"
    " expression",
)

unsupported(
    "scipy.interpolate.interp1d",
    "it is differentiated where it joins samples by lines, inside them, and is called by its name",
)
unsupported(
    "scipy.interpolate.CubicSpline scipy.interpolate.make_interp_spline",
    "it is linear in its values: `W = CubicSpline(x, np.eye(len(x)))(t)` is constant, and `W @ y` is differentiated",
)
unsupported(
    "scipy.interpolate.PchipInterpolator scipy.interpolate.Akima1DInterpolator"
    " scipy.interpolate.UnivariateSpline scipy.interpolate.InterpolatedUnivariateSpline"
    " scipy.interpolate.BSpline scipy.interpolate.splrep"
    " scipy.interpolate.splev scipy.interpolate.RegularGridInterpolator scipy.interpolate.griddata"
    " scipy.interpolate.RBFInterpolator",
    "it makes an object whose pieces the text does not show; `np.interp` is differentiated",
)

unsupported(
    "scipy.integrate.solve_ivp",
    "its steps follow from values; `scipy.integrate.odeint(func, y0, t)` is differentiated by its adjoint equation",
)
unsupported(
    "scipy.integrate.quad scipy.integrate.quad_vec scipy.integrate.fixed_quad scipy.integrate.dblquad"
    " scipy.integrate.tplquad scipy.integrate.nquad",
    "it calls a function at nodes of its own; sum it at those of `np.polynomial.legendre.leggauss`",
)
unsupported(
    "scipy.optimize.minimize scipy.optimize.minimize_scalar scipy.optimize.least_squares"
    " scipy.optimize.curve_fit",
    "where its gradient vanishes it solves an equation: `scipy.optimize.root` of that is differentiated",
)
unsupported(
    "scipy.ndimage.gaussian_filter scipy.ndimage.gaussian_filter1d scipy.ndimage.uniform_filter"
    " scipy.ndimage.convolve scipy.ndimage.correlate scipy.ndimage.map_coordinates scipy.ndimage.zoom"
    " scipy.ndimage.rotate scipy.ndimage.shift",
    "no rule is written for what lies beyond edges; pad, and use `scipy.signal.convolve`",
)
unsupported(
    "scipy.spatial.distance.cdist scipy.spatial.distance.pdist",
    "write the differences, as in `np.linalg.norm(a[:, None] - b, axis=-1)`",
)
unsupported(
    "scipy.stats.zscore scipy.stats.skew scipy.stats.kurtosis scipy.stats.gmean scipy.stats.hmean"
    " scipy.stats.sem scipy.stats.pearsonr scipy.stats.spearmanr scipy.stats.entropy scipy.stats.gaussian_kde"
    " scipy.stats.trim_mean",
    "write it with `np.mean`, `np.std` and `np.log`, which are differentiated",
)

# --- NumPy has a plainer way ---------------------------------------------------------------------

unsupported("method.choose", "write it with `np.where`")
unsupported("numpy.broadcast", "broadcast with `x[:, None]` instead")
unsupported("numpy.unstack", "it gives a list; take `x[0]`, `x[1]`, …")
unsupported("numpy.bmat", "it is a subscript that builds; use `np.concatenate`")

# --- polynomials ---------------------------------------------------------------------------------

unsupported(
    "numpy.polydiv",
    "arithmetic of old-style polynomials; write it on the coefficients, or use `np.polyval`",
)
unsupported(
    "numpy.poly1d numpy.polynomial", "polynomial objects overload operators; use `np.polyval`"
)

# --- no derivative that is worth one -------------------------------------------------------------

unsupported(
    "numpy.histogram_bin_edges", "write `np.linspace` between the least and the greatest value"
)
unsupported(
    "numpy.histogram numpy.histogram2d numpy.histogramdd",
    "counts jump; only weights have a derivative, and `np.bincount` gives that",
)
unsupported(
    "numpy.unique numpy.unique_all numpy.unique_counts numpy.unique_inverse numpy.unique_values"
    " numpy.union1d numpy.intersect1d numpy.setdiff1d numpy.setxor1d",
    "how many elements it keeps depends on equality of floats",
)
unsupported("numpy.trim_zeros", "how many elements it keeps depends on values")

# --- complex numbers -----------------------------------------------------------------------------

unsupported(
    "numpy.sort_complex", "complex numbers have no order; sort by a real key", dtype="complex"
)
unsupported(
    "numpy.emath numpy.emath.",
    "its functions turn complex by value; use those of `np` on complex numbers",
    dtype="either",
)

# --- objects, buffers, iterators -----------------------------------------------------------------

unsupported(
    "numpy.matrix numpy.asmatrix numpy.ma numpy.recarray numpy.record numpy.rec numpy.memmap numpy.char"
    " numpy.strings",
    "it makes a value that is no plain array; plain arrays are differentiated",
)
unsupported(
    "numpy.frombuffer numpy.from_dlpack numpy.require method.view method.getfield method.to_device"
    " attr.data attr.ctypes attr.base",
    "it hands out memory, and what is written there cannot be followed",
)
unsupported(
    "numpy.nditer numpy.ndenumerate numpy.ndindex numpy.nested_iters numpy.flatiter attr.flat",
    "it iterates in an order that the text does not show; loop over indices",
)
unsupported("numpy.fromiter", "it consumes an iterator; build the array with `np.array([...])`")
unsupported("method.tolist", "a list of floats of unknown nesting; index the array instead")
unsupported(
    "numpy.core numpy.lib numpy.linalg numpy.fft numpy.random numpy.testing numpy.typing numpy.exceptions"
    " numpy.ctypeslib numpy.f2py",
    "it is a module",
)
unsupported(
    "numpy.random.",
    "a random draw has no derivative in its parameters; draw a standard"
    " sample outside and scale it",
)
