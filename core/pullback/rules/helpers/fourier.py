"""Fourier transforms with given lengths, axes and norms, and those of real signals."""

from __future__ import annotations

from .registry import helper

helper('''
def _opposite(norm):
    """The norm with which the inverse transform is the transpose of one with this norm."""
    return {"forward": "backward", "ortho": "ortho"}.get(norm, "forward")
''')

helper('''
def _refitted(x, shape):
    """x cut off, or filled up with zeros, to this shape."""
    x = x[tuple(slice(n) for n in shape)]
    return np.pad(x, [(0, n - m) for n, m in zip(shape, np.shape(x))])
''')

helper('''
def _fft_bar(y_bar, a, axis, norm):
    """Cotangent of a where y = np.fft.fft(a, n, axis, norm)."""
    a_bar = np.fft.ifft(y_bar, None, axis, _opposite(norm))
    return _refitted(a_bar, np.shape(a))
''')

helper('''
def _ifft_bar(y_bar, a, axis, norm):
    """Cotangent of a where y = np.fft.ifft(a, n, axis, norm)."""
    a_bar = np.fft.fft(y_bar, None, axis, _opposite(norm))
    return _refitted(a_bar, np.shape(a))
''')

helper('''
def _fftn_bar(y_bar, a, s, axes, norm):
    """Cotangent of a where y = np.fft.fftn(a, s, axes, norm)."""
    a_bar = np.fft.ifftn(y_bar, s, axes, _opposite(norm))
    return _refitted(a_bar, np.shape(a))
''')

helper('''
def _ifftn_bar(y_bar, a, s, axes, norm):
    """Cotangent of a where y = np.fft.ifftn(a, s, axes, norm)."""
    a_bar = np.fft.fftn(y_bar, s, axes, _opposite(norm))
    return _refitted(a_bar, np.shape(a))
''')

helper('''
def _once(spectrum, n):
    """Half a spectrum of length n, in the last axis, divided by how often each part stands in the whole."""
    return spectrum / _mirrored(spectrum, n, -1)
''')

helper('''
def _mirrored(spectrum, n, axis):
    """How often each part of half a spectrum of length n stands for one of the whole."""
    times = np.full(spectrum.shape[axis], 2, np.int8)
    times[0] = 1
    if n % 2 == 0:
        times[n // 2 :] = 1
    return np.moveaxis(times.reshape((-1,) + (1,) * (spectrum.ndim - 1)), 0, axis)
''')

helper('''
def _rfftn_bar(y_bar, a, s, axes, norm):
    """Cotangent of a where y = np.fft.rfftn(a, s, axes, norm)."""
    if axes is None:
        axes = range(-np.ndim(a) if s is None else -len(s), 0)
    lengths = [np.shape(a)[k] for k in axes] if s is None else np.atleast_1d(s)
    once = y_bar / _mirrored(y_bar, lengths[-1], axes[-1])
    a_bar = np.fft.irfftn(once, lengths, axes, _opposite(norm))
    return _refitted(a_bar, np.shape(a))
''')

helper('''
def _irfftn_bar(y_bar, a, s, axes, norm):
    """Cotangent of a where y = np.fft.irfftn(a, s, axes, norm)."""
    if axes is None:
        axes = range(-np.ndim(a) if s is None else -len(s), 0)
    lengths = [np.shape(y_bar)[k] for k in axes]
    once = np.fft.rfftn(y_bar, lengths, axes, _opposite(norm))
    a_bar = _refitted(once * _mirrored(once, lengths[-1], axes[-1]), np.shape(a))
    return a_bar if np.iscomplexobj(a) else a_bar.real
''')

helper('''
def _dct_bar(y_bar, x, type, axis, norm):
    """Cotangent of x where y = scipy.fft.dct(x, type, n, axis, norm)."""
    rows = np.moveaxis(np.array(y_bar), axis, -1)
    ends = {1: ([0, -1], [0, -1]), 2: ([0], []), 3: ([], [0])}
    doubled, halved = ends.get(type, ([], [])) if norm != "ortho" else ([], [])
    rows[..., doubled] *= 2.0
    bar = scipy.fft.dct(rows, {2: 3, 3: 2}.get(type, type), norm=norm)
    bar[..., halved] *= 0.5
    return _refitted(np.moveaxis(bar, -1, axis), np.shape(x))
''')

helper('''
def _dst_bar(y_bar, x, type, axis, norm):
    """Cotangent of x where y = scipy.fft.dst(x, type, n, axis, norm)."""
    rows = np.moveaxis(np.array(y_bar), axis, -1)
    ends = {2: ([-1], []), 3: ([], [-1])}
    doubled, halved = ends.get(type, ([], [])) if norm != "ortho" else ([], [])
    rows[..., doubled] *= 2.0
    bar = scipy.fft.dst(rows, {2: 3, 3: 2}.get(type, type), norm=norm)
    bar[..., halved] *= 0.5
    return _refitted(np.moveaxis(bar, -1, axis), np.shape(x))
''')
