"""Fourier transforms. The transpose of a transform is the inverse one, scaled the other way round.

A spectrum is complex: where the argument is real, the engine takes the real part of what is given here.

May not know: the IR, analyses, NumPy, SciPy.
"""

from __future__ import annotations

from .notation import linear, unsupported

_ONE = (
    "normal(5)",
    "normal(2, 4), axis=0",
    "normal(6), norm='ortho'",
    "normal(2, 3), 4, norm='forward'",
)
_MANY = ("normal(3, 4)", "normal(2, 3), norm='ortho'", "normal(4, 3), (2, 5), (1, 0), 'forward'")

linear(
    "numpy.fft.fft scipy.fft.fft",
    "a, n=None, axis=-1, norm=None",
    a="np.fft.ifft(y_bar, norm='forward') if n is None and norm is None and axis == -1 else "
    "np.fft.ifft(y_bar, axis=axis, norm='forward') if n is None and norm is None else "
    "_fft_bar(y_bar, a, axis, norm)",
    shape="spectrum a",
    dtype="complex",
    samples=_ONE,
)
linear(
    "numpy.fft.ifft scipy.fft.ifft",
    "a, n=None, axis=-1, norm=None",
    a="np.fft.fft(y_bar, norm='forward') if n is None and norm is None and axis == -1 else "
    "np.fft.fft(y_bar, axis=axis, norm='forward') if n is None and norm is None else "
    "_ifft_bar(y_bar, a, axis, norm)",
    shape="spectrum a",
    dtype="complex",
    samples=_ONE,
)
linear(
    "numpy.fft.fft2 scipy.fft.fft2",
    "a, s=None, axes=(-2, -1), norm=None",
    a="np.fft.ifft2(y_bar, axes=axes, norm='forward') if s is None and norm is None else "
    "_fftn_bar(y_bar, a, s, axes, norm)",
    shape="spectrum a",
    dtype="complex",
    samples=_MANY,
)
linear(
    "numpy.fft.ifft2 scipy.fft.ifft2",
    "a, s=None, axes=(-2, -1), norm=None",
    a="np.fft.fft2(y_bar, axes=axes, norm='forward') if s is None and norm is None else "
    "_ifftn_bar(y_bar, a, s, axes, norm)",
    shape="spectrum a",
    dtype="complex",
    samples=_MANY,
)
linear(
    "numpy.fft.fftn scipy.fft.fftn",
    "a, s=None, axes=None, norm=None",
    a="np.fft.ifftn(y_bar, axes=axes, norm='forward') if s is None and norm is None else "
    "_fftn_bar(y_bar, a, s, axes, norm)",
    shape="spectrum a",
    dtype="complex",
    samples=_MANY,
)
linear(
    "numpy.fft.ifftn scipy.fft.ifftn",
    "a, s=None, axes=None, norm=None",
    a="np.fft.fftn(y_bar, axes=axes, norm='forward') if s is None and norm is None else "
    "_ifftn_bar(y_bar, a, s, axes, norm)",
    shape="spectrum a",
    dtype="complex",
    samples=_MANY,
)

# --- real signals: half a spectrum stands for the whole ------------------------------------------

_REAL = (
    "normal(5)",
    "normal(6)",
    "normal(2, 4), axis=0",
    "normal(4), 7, norm='forward'",
    "normal(7), 4, norm='ortho'",
)
_REALS = ("normal(3, 4)", "normal(3, 5), norm='ortho'", "normal(4, 3), (2, 5), (1, 0), 'forward'")

linear(
    "numpy.fft.rfft scipy.fft.rfft",
    "a, n=None, axis=-1, norm=None",
    a="np.fft.irfft(_once(y_bar, np.shape(a)[-1]), np.shape(a)[-1], norm='forward')"
    " if n is None and norm is None and axis == -1 else _rfftn_bar(y_bar, a, n, (axis,), norm)",
    shape="half a",
    dtype="complex",
    samples=_REAL,
)
linear(
    "numpy.fft.rfft2 scipy.fft.rfft2",
    "a, s=None, axes=(-2, -1), norm=None",
    a="_rfftn_bar(y_bar, a, s, axes, norm)",
    shape="half a",
    dtype="complex",
    samples=_REALS,
)
linear(
    "numpy.fft.rfftn scipy.fft.rfftn",
    "a, s=None, axes=None, norm=None",
    a="_rfftn_bar(y_bar, a, s, axes, norm)",
    shape="half a",
    dtype="complex",
    samples=_REALS,
)
linear(
    "numpy.fft.irfft scipy.fft.irfft",
    "a, n=None, axis=-1, norm=None",
    a="_irfftn_bar(y_bar, a, n, (axis,), norm)",
    shape="half a",
    dtype="real",
    samples=_REAL,
)
linear(
    "numpy.fft.irfft2 scipy.fft.irfft2",
    "a, s=None, axes=(-2, -1), norm=None",
    a="_irfftn_bar(y_bar, a, s, axes, norm)",
    shape="half a",
    dtype="real",
    samples=_REALS,
)
linear(
    "numpy.fft.irfftn scipy.fft.irfftn",
    "a, s=None, axes=None, norm=None",
    a="_irfftn_bar(y_bar, a, s, axes, norm)",
    shape="half a",
    dtype="real",
    samples=_REALS,
)

# --- sums of cosines and sines -------------------------------------------------------------------

for _fn in ("dct", "dst"):
    linear(
        f"scipy.fft.{_fn}",
        "x, type=2, n=None, axis=-1, norm=None",
        x=f"scipy.fft.i{_fn}(y_bar, type, axis=axis, norm='ortho') if norm == 'ortho' and n is None else "
        f"_{_fn}_bar(y_bar, x, type, axis, norm)",
        shape="spectrum x",
        dtype="x",
        samples=(
            "normal(5)",
            "normal(2, 4), 3, axis=0",
            "normal(5), 1",
            "normal(2, 4), type=4, norm='forward'",
            "normal(5), 3, norm='ortho'",
            "normal(2, 3), 2, 5",
            "normal(2, 5), 3, n=4, norm='ortho'",
        ),
    )
unsupported(
    "scipy.fft.dctn scipy.fft.dstn scipy.fft.idctn scipy.fft.idstn",
    "transform one axis after the other, by `scipy.fft.dct` and its kin",
)
linear(
    "numpy.fft.fftshift scipy.fft.fftshift",
    "x, axes=None",
    x="np.fft.ifftshift(y_bar) if axes is None else np.fft.ifftshift(y_bar, axes)",
    shape="same x",
    dtype="x",
    samples=("normal(5)", "normal(2, 3), 1"),
)
linear(
    "numpy.fft.ifftshift scipy.fft.ifftshift",
    "x, axes=None",
    x="np.fft.fftshift(y_bar) if axes is None else np.fft.fftshift(y_bar, axes)",
    shape="same x",
    dtype="x",
    samples=("normal(5)", "normal(2, 3), 1"),
)
