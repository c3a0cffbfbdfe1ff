"""Calls of NumPy and SciPy with arguments that are other calls, written differently; one expression each.

x is a vector, a matrix `m`, square `s`, and `t` a stack of square ones; `k` is a number.
"""

from __future__ import annotations

import numpy as np

ARGUMENTS = {
    "x": np.array([0.3, -0.7, 1.1, 0.4]),
    "m": np.array([[0.2, -1.4, 0.7], [1.0, 0.3, -0.6], [-0.2, 0.8, 0.5], [0.6, -0.9, 0.1]]),
    "s": np.array([[1.2, 0.3, -0.1], [0.2, 1.5, 0.4], [-0.3, 0.1, 0.9]]),
    "t": np.array([[[1.2, 0.3], [0.2, 1.5]], [[0.9, -0.4], [0.1, 1.1]]]),
    "k": 1.3,
}

LIBRARY = (
    # where, initial, correction, dtype, out
    "np.sum(m, axis=0, where=m > 0)",
    "np.sum(m, axis=1, initial=k)",
    "np.prod(m, where=m > 0, initial=k)",
    "np.prod(m, axis=1, initial=2.0)",
    "np.mean(m, axis=1, where=m < 2)",
    "m.max(initial=k, axis=1)",
    "np.max(m, axis=0, where=m > 0, initial=0.1)",
    "np.min(m, initial=-k)",
    "np.add.reduce(x, initial=k)",
    "np.var(m, axis=0, correction=1)",
    "np.exp(x, dtype=np.float64)",
    "np.divide(k, x, out=np.zeros_like(x), where=x > 0.35)",
    "np.clip(x, min=-0.5, max=k / 3)",
    "x.clip(max=0.5)",
    "np.sort(x, kind='stable')",
    "np.take(x, [1, 6], mode='wrap')",
    # along axes
    "np.trace(t, axis1=1, axis2=2)",
    "np.trace(t, 1, 2, 0)",
    "np.diagonal(t, axis1=1, axis2=2)",
    "np.unwrap(5.0 * m, axis=0)",
    "np.gradient(x, 0.1)",
    "np.gradient(x, np.cumsum(x * x))",
    "np.gradient(m, k, axis=1, edge_order=2)",
    "np.gradient(m, 0.3, k)[1]",
    "np.gradient(m @ s, axis=(0, 1))[0]",
    # differences and interpolation
    "np.diff(x, prepend=0.0)",
    "np.diff(m, 2, axis=0, append=m[:1])",
    "np.ediff1d(m, to_begin=k, to_end=x[:2])",
    "np.interp(x, np.array([0.0, 0.5, 1.0]), s[0], left=0.0, right=k)",
    "np.logspace(0.0, k, 4)",
    "np.geomspace(2.0, k, 3)",
    # polynomials
    "np.polyadd(x, s[0])",
    "np.polysub(s[0], x)",
    "np.polymul(x, s[0])",
    "np.polyder(x)",
    "np.polyint(x)",
    # nans left out
    "np.nanvar(np.where(m > 0.9, np.nan, m), axis=0, ddof=1)",
    "np.nanstd(m)",
    "np.nancumprod(np.where(x > 1, np.nan, x))",
    # several data sets, several arrays
    "np.cov(x, m[:, 0])",
    "np.corrcoef(m, m ** 2)",
    "np.einsum(m, [0, 1], s, [1, 2])",
    "np.einsum(m, [0, 1], s, [1, 2], [2, 0])",
    # linear algebra of stacks
    "np.linalg.solve(t, x[:2])",
    "np.linalg.pinv(t, rcond=1e-12)",
    "np.pad(x, 2, mode='reflect')",
    # what was wrong once
    "np.correlate(x[:2], m[:, 0], 'same')",
    "np.correlate(x, m[:3, 0], 'same')",
    "np.linalg.solve(np.stack((s, s.T, s @ s)), x[:3])",
    "np.trace(np.multiply.outer(s, x))",
    "np.linalg.matrix_power(s, 3)",
    "np.linalg.cond(m)",
    "np.linalg.qr(m, mode='r')",
    "np.linalg.slogdet(s @ s.T).logabsdet",
    "np.linalg.eigh(s + s.T).eigenvalues",
    # spreads about another mean, of a part
    "np.var(m, axis=0, where=m > -0.5)",
    "np.std(m, where=m > 0, ddof=1)",
    "np.std(m, axis=0, mean=s[:1])",
    # numbers, and where they begin
    "np.cumulative_sum(m, axis=0, include_initial=True)",
    "np.linspace(0.0, k, 5, retstep=True)[1]",
    "np.atleast_1d(x, k)[1]",
    "np.array(x, ndmin=2)",
    "math.hypot(x[0], x[1], k)",
    "np.lib.stride_tricks.sliding_window_view(x, 2)",
    "np.polyfit(np.arange(4.0), x, 1, w=m[:, 0])",
    "np.polyder(x, 2)",
    "np.fft.hfft(x, 5, norm='ortho')",
    "np.abs(np.fft.ihfft(x))",
    # SciPy
    "scipy.linalg.solve(s, x[:3], assume_a='sym')",
    "scipy.linalg.solve(s, x[:3], assume_a='pos', lower=True)",
    "scipy.linalg.cho_solve(scipy.linalg.cho_factor(s @ s.T), x[:3])",
    "scipy.linalg.cho_solve((np.linalg.cholesky(s @ s.T), True), x[:3])",
    "scipy.linalg.block_diag(s, x, k)",
    "scipy.signal.correlate(x, s[0], mode='same')",
    "scipy.signal.convolve2d(m, s, mode='same')",
    "scipy.signal.correlate2d(m, s)",
    "scipy.stats.norm(k, 0.7).logpdf(x)",
    "scipy.stats.multivariate_normal(s[0], s @ s.T).logpdf(m)",
    "scipy.stats.multivariate_normal.logpdf(x, cov=k)",
    "scipy.stats.multivariate_normal.pdf(m, x[:3], s[0] ** 2)",
    "scipy.stats.beta.logpdf(x ** 2, 2.3, k, 0.0, 1.5)",
    "scipy.stats.gamma.cdf(x ** 2, 2.3, 0.0, k)",
    "scipy.stats.weibull_min.logpdf(x ** 2, k)",
    "scipy.special.logsumexp(m, axis=1, b=x[:3] ** 2)",
    "scipy.special.eval_hermite(3, x)",
    "scipy.integrate.simpson(m, dx=k, axis=0)",
    "scipy.integrate.cumulative_trapezoid(x, dx=k, initial=0)",
    "scipy.linalg.toeplitz(x, s[0])",
    "scipy.linalg.solve(s, x[:3], check_finite=False)",
    "scipy.linalg.norm(m, axis=1)",
)
