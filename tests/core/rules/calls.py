"""A call of each function that the engine takes apart: what it does depends on how its arguments are written."""

from __future__ import annotations

# Programs of square arrays x and a.
HEADER = """\
import numpy as np
import scipy.fft
import scipy.integrate
import scipy.linalg
import scipy.signal


def flow(u, t):
    return np.sin(u + t)


def f(x, a):
    # pullback: x: (n, n), a: (n, n)
    return """
CALLS = {
    "operator.getitem": "x[1:, ::2]",
    "numpy.array": "np.array([x, a])",
    "numpy.array_split": "np.array_split(x, 3)[0]",
    "numpy.asanyarray": "np.asanyarray(x) * a",
    "numpy.asarray": "np.asarray(x) * a",
    "numpy.asarray_chkfinite": "np.asarray_chkfinite(x) * a",
    "numpy.asfarray": "np.asfarray(x) * a",
    "numpy.block": "np.block([[x, a], [a, x]])",
    "numpy.broadcast_arrays": "np.broadcast_arrays(x[0], a)[0]",
    "numpy.c_": "np.c_[x, a]",
    "numpy.choose": "np.choose(np.array([1, 0, 1, 0]), [x, a])",
    "numpy.column_stack": "np.column_stack((x, a))",
    "numpy.concat": "np.concat((x, a), axis=1)",
    "numpy.concatenate": "np.concatenate((x, a), axis=-1)",
    "numpy.dsplit": "np.dsplit(x[:, None], 2)[1]",
    "numpy.dstack": "np.dstack((x, a))",
    "numpy.einsum": "np.einsum('ij,jk,ki->k', x, a, x)",
    "numpy.fft.hfft": "np.fft.hfft(x)",
    "numpy.fft.ihfft": "np.fft.ihfft(x)",
    "numpy.geomspace": "np.geomspace(np.exp(x), 5.0, 4)",
    "numpy.hsplit": "np.hsplit(x, 2)[1]",
    "numpy.hstack": "np.hstack((x, a))",
    "numpy.insert": "np.insert(x[0], 1, a[0, 0])",
    "numpy.linalg.multi_dot": "np.linalg.multi_dot([x, a, x])",
    "numpy.logspace": "np.logspace(x, a, 4)",
    "numpy.meshgrid": "np.meshgrid(x[0], a[0])[0]",
    "numpy.polyadd": "np.polyadd(x[0], a[0])",
    "numpy.polyder": "np.polyder(x[0])",
    "numpy.polyfit": "np.polyfit(a[0], x[0], 2)",
    "numpy.polyint": "np.polyint(x[0])",
    "numpy.polymul": "np.polymul(x[0], a[0])",
    "numpy.polysub": "np.polysub(x[0], a[0])",
    "numpy.r_": "np.r_[x, a]",
    "numpy.row_stack": "np.row_stack((x, a))",
    "numpy.select": "np.select([a > 0.5, a < -0.5], [x, 2.0 * x], a)",
    "numpy.split": "np.split(x, 2)[1]",
    "numpy.stack": "np.stack((x, a), axis=1)",
    "numpy.vander": "np.vander(x[0])",
    "numpy.vsplit": "np.vsplit(x, 2)[0]",
    "numpy.vstack": "np.vstack((x, a))",
    "scipy.fft.hfft": "scipy.fft.hfft(x)",
    "scipy.fft.idct": "scipy.fft.idct(x)",
    "scipy.fft.idst": "scipy.fft.idst(x)",
    "scipy.fft.ihfft": "scipy.fft.ihfft(x)",
    "scipy.integrate.odeint": "scipy.integrate.odeint(flow, x[0], np.linspace(0.0, 1.0, 4), rtol=1e-12, atol=1e-12)",
    "scipy.linalg.block_diag": "scipy.linalg.block_diag(x, a)",
    "scipy.signal.convolve2d": "scipy.signal.convolve2d(x, a)",
    "scipy.signal.correlate": "scipy.signal.correlate(x, a)",
    "scipy.signal.correlate2d": "scipy.signal.correlate2d(x, a)",
}


def program(name: str) -> str:
    return f"{HEADER}{CALLS[name]}\n"
