"""Sums, means, extremes and running sums: functions that add up or run along axes.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import general, lacks, linear

_AXES = (
    "normal(2, 3)",
    "normal(2, 3), axis=0",
    "normal(2, 3), axis=-1, keepdims=True",
    "normal(2, 3, 4), axis=(0, 2)",
    "normal(2, 3, 4), axis=(-1, 0), keepdims=True",
    "normal(2, 3), keepdims=True",
    "normal(4)",
)

# formulas that methods of ufuncs share with the functions here
PRODUCT_BAR = "unreduce(y_bar, axis, keepdims) * _product_of_others(a, axis)"
PRODUCT_DOT = "np.sum(a_dot * _product_of_others(a, axis), axis, keepdims=keepdims)"
EXTREME_BAR = "unreduce(y_bar, axis, keepdims) * _shares(a == unreduce(y, axis, keepdims), axis, a)"
EXTREME_DOT = (
    "np.sum(a_dot * _shares(a == unreduce(y, axis, keepdims), axis, a), axis, keepdims=keepdims)"
)
TOTAL_BAR = "unreduce(y_bar, axis, keepdims)"
RUNNING_PRODUCT_BAR = "_cumprod_bar(y_bar, y, a, axis)"
RUNNING_PRODUCT_DOT = "_cumprod_dot(a_dot, y, a, axis)"
RUNNING_SUM_BAR = (
    "np.cumsum(y_bar[::-1])[::-1] if np.ndim(a) == 1 else "
    "np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis)"
)

linear(
    "numpy.sum method.sum",
    "a, axis=None, dtype=None, *, keepdims=False",
    a=TOTAL_BAR,
    spread=True,
    shape="reduce a",
    samples=(*_AXES, "1.5"),
)
linear(
    "numpy.mean method.mean",
    "a, axis=None, dtype=None, *, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) / count(a, axis)",
    spread=True,
    shape="reduce a",
    dtype="float",
    samples=(*_AXES, "1.5"),
)
general(
    "numpy.prod numpy.product method.prod",
    "a, axis=None, dtype=None, *, keepdims=False",
    dtype="promote",
    a=PRODUCT_BAR,
    tangent=PRODUCT_DOT,
    shape="reduce a",
    samples=(*_AXES, "np.array([[1.5, 0.0, 2.0], [0.0, 3.0, 0.0]]), axis=1"),
)
general(
    "numpy.max numpy.amax method.max numpy.min numpy.amin method.min numpy.nanmax numpy.nanmin",
    "a, axis=None, *, keepdims=False",
    a=EXTREME_BAR,
    tangent=EXTREME_DOT,
    shape="reduce a",
    dtype="a",
    samples=(*_AXES, "1.5"),
    kink="where several elements share the extreme",
)
_DEVIATIONS = "(a - (np.mean(a) if axis is None else np.mean(a, axis, keepdims=True)))"
general(
    "numpy.var method.var",
    "a, axis=None, dtype=None, *, ddof=0, keepdims=False",
    a=f"unreduce(y_bar, axis, keepdims) * (2.0 / (count(a, axis) - ddof)) * {_DEVIATIONS}",
    tangent=f"2.0 / (count(a, axis) - ddof) * np.sum({_DEVIATIONS} * a_dot, axis, keepdims=keepdims)",
    shape="reduce a",
    samples=(*_AXES, "normal(2, 3), axis=1, ddof=1", "normal(5), ddof=1"),
)
general(
    "numpy.std method.std",
    "a, axis=None, dtype=None, *, ddof=0, keepdims=False",
    a=f"unreduce(y_bar / y, axis, keepdims) * (1.0 / (count(a, axis) - ddof)) * {_DEVIATIONS}",
    tangent=f"1.0 / (count(a, axis) - ddof) * np.sum({_DEVIATIONS} * a_dot, axis, keepdims=keepdims) / y",
    shape="reduce a",
    samples=(*_AXES, "normal(2, 3), axis=1, ddof=1", "normal(5), ddof=1"),
    kink="where all elements are equal",
)
linear(
    "numpy.cumsum method.cumsum",
    "a, axis=None, dtype=None",
    a="np.cumsum(y_bar[::-1])[::-1] if np.ndim(a) == 1 else "
    "np.cumsum(y_bar[::-1])[::-1].reshape(np.shape(a)) if axis is None else "
    "np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis)",
    shape="along a axis",
    samples=("normal(4)", "normal(2, 3)", "normal(2, 3), axis=0", "normal(2, 3), axis=-1"),
)
linear(
    "numpy.cumulative_sum",
    "x, *, axis=None, dtype=None, include_initial=False",
    x="np.delete(np.flip(np.cumsum(np.flip(y_bar, axis), axis or 0), axis), 0, axis or 0) if include_initial"
    " else " + RUNNING_SUM_BAR.replace("(a)", "(x)"),
    shape="unknown",
    samples=("normal(4)", "normal(2, 3), axis=0", "normal(2, 3), axis=1, include_initial=True"),
)
general(
    "numpy.nancumsum",
    "a, axis=None, dtype=None",
    dtype="promote",
    a="np.where(np.isnan(a), 0.0, np.cumsum(y_bar[::-1])[::-1]) if np.ndim(a) == 1 else "
    "np.where(np.isnan(a), 0.0, np.cumsum(y_bar[::-1])[::-1].reshape(np.shape(a))) if axis is None else "
    "np.where(np.isnan(a), 0.0, np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis))",
    tangent="np.cumsum(np.where(np.isnan(a), 0.0, a_dot), axis)",
    shape="along a axis",
    samples=("normal(4)", "normal(2, 3)", "normal(2, 3), axis=-1"),
)
general(
    "numpy.cumprod numpy.cumproduct method.cumprod",
    "a, axis=None, dtype=None",
    dtype="promote",
    a=RUNNING_PRODUCT_BAR,
    tangent=RUNNING_PRODUCT_DOT,
    shape="along a axis",
    samples=(
        "normal(4)",
        "normal(2, 3)",
        "normal(2, 3), axis=0",
        "normal(2, 3), axis=-1",
        "np.array([1.5, 0.0, 2.0, 0.0, 3.0])",
    ),
)
general(
    "numpy.cumulative_prod",
    "x, *, axis=None, dtype=None",
    dtype="promote",
    x="_cumprod_bar(y_bar, y, x, axis)",
    tangent="_cumprod_dot(x_dot, y, x, axis)",
    shape="same x",
    samples=("normal(4)", "normal(2, 3), axis=0"),
)

# --- weighted, middle, and with gaps -------------------------------------------------------------

general(
    "numpy.average",
    "a, axis=None, weights=None, *, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) / count(a, axis) if weights is None else "
    "unreduce(y_bar, axis, keepdims) * _average_weights(a, axis, weights)",
    weights="_average_weights_bar(unreduce(y_bar, axis, keepdims), unreduce(y, axis, keepdims), a, axis,"
    " weights)",
    tangent="np.mean(a_dot, axis, keepdims=keepdims) if weights is None else "
    "np.sum(a_dot * _average_weights(a, axis, weights), axis, keepdims=keepdims)"
    " + _average_weights_dot(weights_dot, y, a, axis, weights, keepdims)",
    spread=True,
    shape="reduce a",
    samples=(
        "normal(4)",
        "normal(2, 3), axis=0, keepdims=True",
        "normal(4), weights=positive(4)",
        "normal(2, 3), weights=positive(2, 3)",
        "normal(2, 3), axis=1, weights=positive(3)",
        "normal(2, 3), axis=0, weights=positive(2), keepdims=True",
        "normal(2, 3), axis=0, weights=positive(2, 3)",
        "normal(2, 3, 4), axis=(2, 0), weights=positive(4, 2)",
    ),
)
_MIDDLE = "unreduce(y_bar, axis, keepdims) * _quantile_weights(a, 0.5, axis, 'linear'{0})"
_MIDDLE_DOT = (
    "np.sum(a_dot * _quantile_weights(a, 0.5, axis, 'linear'{0}), axis, keepdims=keepdims)"
)
_WITH_GAPS = (
    "np.array([[0.3, np.nan, 1.2], [-0.4, 0.9, np.nan]])",
    "np.array([[0.3, np.nan, 1.2], [-0.4, 0.9, 0.1]]), axis=1",
)
for _name, _skip, _gaps in (
    ("numpy.median", "", ()),
    ("numpy.nanmedian", ", True", _WITH_GAPS),
):
    general(
        _name,
        "a, axis=None, *, keepdims=False",
        a=_MIDDLE.format(_skip),
        tangent=_MIDDLE_DOT.format(_skip),
        shape="reduce a",
        samples=(*_AXES, "normal(3, 3), axis=0", *_gaps),
        kink="where elements share the middle",
    )
for _name, _part, _whole, _skip in (
    ("numpy.quantile", "q", 1.0, ""),
    ("numpy.percentile", "q / 100.0", 100.0, ""),
    ("numpy.nanquantile", "q", 1.0, ", True"),
    ("numpy.nanpercentile", "q / 100.0", 100.0, ", True"),
):
    general(
        _name,
        "a, q, axis=None, *, method='linear', keepdims=False",
        a=f"unreduce(y_bar, axis, keepdims) * _quantile_weights(a, {_part}, axis, method{_skip})"
        f" if np.ndim(q) == 0 else _quantiles_bar(y_bar, a, {_part}, axis, method, keepdims{_skip})",
        tangent=f"np.sum(a_dot * _quantile_weights(a, {_part}, axis, method{_skip}), axis,"
        " keepdims=keepdims) if np.ndim(q) == 0 else"
        f" _quantiles_dot(a_dot, a, {_part}, axis, method, keepdims{_skip})",
        shape="unknown",
        samples=(
            f"normal(5), {0.3 * _whole}",
            f"normal(2, 3), {0.8 * _whole}, axis=1, method='lower'",
            f"normal(4, 3), {0.21 * _whole}, axis=0, method='hazen', keepdims=True",
            f"normal(2, 3, 2), {0.4 * _whole}, axis=(0, -1), method='averaged_inverted_cdf'",
            f"normal(5), {_whole} * np.array([0.3, 0.9])",
            f"normal(4, 3), {_whole} * np.array([0.2, 0.5, 0.9]), axis=0, method='nearest'",
            *([f"{_WITH_GAPS[0]}, {0.3 * _whole}, 1"] if _skip else []),
        ),
        kink="where elements change places",
        refused="q",
    )
_AT_MOST, _AT_LEAST = (
    f"_shares(a == (np.{f}(a) if axis is None else np.{f}(a, axis, keepdims=True)), axis, a)"
    for f in ("max", "min")
)
general(
    "numpy.ptp method.ptp",
    "a, axis=None, *, keepdims=False",
    dtype="promote",
    a=f"unreduce(y_bar, axis, keepdims) * ({_AT_MOST} - {_AT_LEAST})",
    tangent=f"np.sum(a_dot * ({_AT_MOST} - {_AT_LEAST}), axis, keepdims=keepdims)",
    shape="reduce a",
    samples=_AXES,
    kink="where several elements share an extreme",
)
general(
    "numpy.nansum",
    "a, axis=None, dtype=None, *, keepdims=False",
    dtype="promote",
    a="np.where(np.isnan(a), np.zeros_like(a), unreduce(y_bar, axis, keepdims))",
    tangent="np.sum(np.where(np.isnan(a), 0.0, a_dot), axis, keepdims=keepdims)",
    shape="reduce a",
    samples=_AXES,
)
general(
    "numpy.nanmean",
    "a, axis=None, dtype=None, *, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) * _shares(~np.isnan(a), axis, a)",
    tangent="np.sum(np.where(np.isnan(a), 0.0, a_dot) * _shares(~np.isnan(a), axis, a), axis,"
    " keepdims=keepdims)",
    shape="reduce a",
    samples=_AXES,
)
general(
    "numpy.nanvar",
    "a, axis=None, dtype=None, *, ddof=0, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) * 2.0 * _nan_deviations(a, axis, ddof)",
    tangent="2.0 * np.sum(np.where(np.isnan(a), 0.0, a_dot) * _nan_deviations(a, axis, ddof), axis,"
    " keepdims=keepdims)",
    shape="reduce a",
    samples=(*_AXES, "normal(2, 3), axis=1, ddof=1"),
)
general(
    "numpy.nanstd",
    "a, axis=None, dtype=None, *, ddof=0, keepdims=False",
    a="unreduce(y_bar / y, axis, keepdims) * _nan_deviations(a, axis, ddof)",
    tangent="np.sum(np.where(np.isnan(a), 0.0, a_dot) * _nan_deviations(a, axis, ddof), axis,"
    " keepdims=keepdims) / y",
    shape="reduce a",
    samples=(*_AXES, "normal(2, 3), axis=1, ddof=1"),
    kink="where all elements are equal",
)
general(
    "numpy.nancumprod",
    "a, axis=None, dtype=None",
    dtype="promote",
    a="np.where(np.isnan(a), 0.0, _cumprod_bar(y_bar, y, np.where(np.isnan(a), 1.0, a), axis))",
    tangent="_cumprod_dot(np.where(np.isnan(a), 0.0, a_dot), y, np.where(np.isnan(a), 1.0, a), axis)",
    shape="along a axis",
    samples=("normal(4)", "normal(2, 3)", "normal(2, 3), axis=-1", "np.array([1.5, np.nan, 2.0])"),
)
general(
    "numpy.nanprod",
    "a, axis=None, dtype=None, *, keepdims=False",
    dtype="promote",
    a="np.where(np.isnan(a), 0.0, unreduce(y_bar, axis, keepdims)"
    " * _product_of_others(np.where(np.isnan(a), 1.0, a), axis))",
    tangent="np.sum(np.where(np.isnan(a), 0.0, a_dot"
    " * _product_of_others(np.where(np.isnan(a), 1.0, a), axis)), axis, keepdims=keepdims)",
    shape="reduce a",
    samples=_AXES,
)
general(
    "numpy.cov",
    "m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None",
    m="_cov_bar(y_bar, m, rowvar, ddof if ddof is not None else 0 if bias else 1) if fweights is None and"
    " aweights is None else "
    "_weighted_cov_bar(y_bar, m, rowvar, ddof if ddof is not None else 0 if bias else 1, fweights, aweights)",
    tangent="_cov_dot(m_dot, m, rowvar, ddof if ddof is not None else 0 if bias else 1) if fweights is None and"
    " aweights is None else "
    "_weighted_cov_dot(m_dot, m, rowvar, ddof if ddof is not None else 0 if bias else 1, fweights, aweights)",
    shape="unknown",
    samples=(
        "normal(3, 5)",
        "normal(5)",
        "normal(5, 3), rowvar=False",
        "normal(3, 5), bias=True",
        "normal(3, 5), ddof=0",
        "normal(1, 5)",
        "normal(3, 5), aweights=positive(5)",
        "normal(3, 4), fweights=np.array([1, 0, 3, 2])",
        "normal(4, 2), None, False, fweights=np.array([1, 0, 3, 2]), aweights=positive(4)",
        "normal(4), aweights=positive(4), ddof=0",
    ),
    refused="fweights aweights",
    because="write the sums where weights are differentiated",
)
general(
    "numpy.corrcoef",
    "x, y=None, rowvar=True, *, dtype=None",
    x="_corrcoef_bar(y_bar, x, rowvar)",
    tangent="_corrcoef_dot(x_dot, x, rowvar)",
    shape="unknown",
    samples=("normal(3, 5)", "normal(5, 3), rowvar=False"),
)
lacks(
    "numpy.cov numpy.corrcoef",
    y="which way it lies must be written out; stack both with `np.vstack`",
)
lacks(
    "numpy.quantile numpy.percentile numpy.nanquantile numpy.nanpercentile",
    weights="sort, and take the element where the running sum of the weights passes `q`",
)
