"""Small programs with complex numbers in them, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

import numpy as np

X = np.array([0.3, -0.7, 1.1])
Y = np.array([0.9, 0.2, -0.5])
Z = X + 1j * Y[::-1]
A = np.array([[1.2, 0.3, -0.1], [0.2, 1.5, 0.4], [-0.3, 0.1, 0.9]])
B = np.array([[0.2, -0.4, 0.7], [1.0, 0.3, -0.6], [-0.2, 0.8, 0.5]])
SIGNAL = np.array([0.3, -1.0, 0.7, 1.6, -0.2, 0.9])

# name: (text of the function f, arguments)
COMPLEX_NUMBERS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a number": (
        """
        def f(a: float, b: float):
            z = a + 1j * b
            w = z * z / (1.0 + z)
            return abs(w) + w.imag
        """,
        (0.7, -0.4),
    ),
    "a complex parameter": (
        """
        def f(z: complex, a: float):
            w = np.exp(a * z) - z ** 3
            return w.real * w.imag
        """,
        (0.3 + 0.7j, 0.9),
    ),
    "a complex result": (
        """
        def f(z: Complex[np.ndarray, "n"], x: np.ndarray):
            # pullback: x: (n,)
            return np.sin(z) * x
        """,
        (Z, X),
    ),
    "a comment says that it is complex": (
        """
        def f(z, x):
            # pullback: z: Complex[np.ndarray, "n"], x: (n,)
            return np.sum(np.abs(z * x - z) ** 2)
        """,
        (Z, X),
    ),
    "shapes are not known": (
        """
        def f(x, y):
            z = x + 1j * y
            w = np.exp(z) / (z * z + 2.0)
            return np.sum(np.abs(w)) + np.sum(w.imag)
        """,
        (X, Y),
    ),
    "the branch of arccosh, left of the imaginary axis too": (
        """
        def f(z: Complex[np.ndarray, "n"]):
            return np.arccosh(z) + np.arccosh(-2.0 * z)
        """,
        (Z,),
    ),
    "functions of a complex number": (
        """
        def f(z: complex):
            a = np.log(z) + np.sqrt(z) + np.tanh(z) + np.arctan(z) + np.cosh(z)
            b = np.log1p(z) * np.expm1(z) + z ** (0.5 + 1j) + 2.0 ** z
            return (a / b).real + np.angle(a)
        """,
        (0.3 + 0.7j,),
    ),
    "real part, imaginary part, conjugate, absolute value": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            z = x * np.exp(1j * y)
            w = z.conj() * (np.real(z) + np.imag(z))
            return np.sum(np.abs(w)) + np.sum((z * np.conj(z)).real)
        """,
        (X, Y),
    ),
    "built of parts": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            t = 0.0
            for i in range(len(x)):
                z = complex(x[i], y[i])
                t += (z * z.conjugate()).real + np.angle(z)
            return t
        """,
        (X, Y),
    ),
    "complex from a branch on": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            z = x * 2.0
            if y[0] > 0.0:
                z = z * (1j + y)
            w = z * z + x
            return np.sum(np.real(w)) + np.sum(np.abs(z) ** 2)
        """,
        (X, Y),
    ),
    "a branch to complex that is not taken": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            z = x.copy()
            if y[0] > 100.0:
                z = z * 1j
            w = np.zeros(len(x), dtype=complex)
            w[:] = z * y
            u = z[1:] * (1 + 1j)
            return np.sum(np.abs(w)) + u[0].real
        """,
        (X, Y),
    ),
    "a parameter that is bound to something complex": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            if y[0] > 0.0:
                x = x * (2.0 + 1j * y)
            return np.sum(np.abs(x * (1.0 + 2j) - y))
        """,
        (X, Y),
    ),
    "an accumulator that starts as an integer": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            acc = 0
            for i in range(3):
                acc = acc * 0.5 + x[i] * np.exp(1j * y[i])
            return abs(acc) ** 2 + acc.real
        """,
        (X, Y),
    ),
    "a recurrence": (
        """
        def f(z: complex, c: complex):
            for i in range(4):
                z = z * z + c
            return abs(z)
        """,
        (0.1 + 0.2j, 0.3 - 0.1j),
    ),
    "elements of a complex buffer": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            b = np.zeros(len(x), dtype=complex)
            b[0] = x[0]
            for i in range(1, len(x)):
                b[i] = b[i - 1] * (x[i] + 1j * y[i])
                b[i] += y[i]
            b *= 1j + y
            return np.sum(np.abs(b)) + b[1].imag
        """,
        (X, Y),
    ),
    "stores into real and imaginary parts": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            b = np.zeros(len(x), complex)
            for i in range(len(x)):
                b.real[i] = x[i] * y[i]
                b.imag[i] = np.sin(x[i])
            b *= 1j + y
            u = b.real
            return np.sum(np.abs(b)) + np.sum(u * u) + b.imag[1] ** 2
        """,
        (X, Y),
    ),
    "a view of the imaginary part that is written": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            b = x * 1j
            v = b.imag
            v[1:] = v[1:] * y[:-1]
            b[0] = y[0]
            w = np.sum(v)
            return w * w + np.sum(np.abs(b))
        """,
        (X, Y),
    ),
    "moved, stacked and chosen": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            z = np.where(x > 0, x * 1j, y)
            s = np.stack([z, x])
            c = np.concatenate([z, y])
            r = np.roll(c, 1).reshape(2, -1).T
            return np.sum(np.abs(s)) + np.sum(np.abs(r * r[::-1]).real)
        """,
        (X, Y),
    ),
    "sums and products": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            z = x.astype(complex) * np.array([1.0, 1j, 2.0]) + y
            m = np.mean(z) + np.var(z) + np.std(z) + np.prod(z) + z.sum()
            w = np.zeros_like(z)
            w[0] = x[0]
            w[1:] += y[1:] * 1j
            return abs(m) + np.abs(np.cumsum(w * z)[-1]) + np.trace(np.diag(z)).real
        """,
        (X, Y),
    ),
    "linear algebra": (
        """
        def f(a: np.ndarray, b: np.ndarray):
            # pullback: a: (n, n), b: (n, n)
            c = a + 1j * b
            d = np.linalg.solve(c, a) @ c.conj().T
            e = np.einsum("ij,jk->ik", d, c) + np.linalg.inv(c)
            return np.linalg.norm(e) + np.linalg.det(d).real + np.vdot(c, d).imag
        """,
        (A, B),
    ),
    "vectors and matrices of which one is real": (
        """
        def f(a: np.ndarray, x: np.ndarray, y: np.ndarray):
            # pullback: a: (n, n), x: (n,), y: (n,)
            z = a @ (x + 1j * y)
            w = (x - 1j * y) @ a
            o = np.outer(z, x) + np.dot(a, np.diag(w))
            return np.sum(np.abs(o)) + abs(z @ y) + np.inner(w, x).real
        """,
        (A, X, Y),
    ),
    "a helper with real and with complex arguments": (
        """
        def mix(z, k):
            return z * k + np.sin(z)


        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            z = mix(x * 1j, 2.0) + mix(y + 2j, 1j)
            return np.sum(np.abs(z))
        """,
        (X, Y),
    ),
    "a helper that makes complex numbers": (
        """
        def phase(t):
            return np.exp(1j * t)


        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            return np.abs(np.sum(x * phase(y))) + np.sum(phase(x * y).real)
        """,
        (X, Y),
    ),
    "a spectrum that is masked": (
        """
        def f(x):
            spec = np.fft.fft(x)
            keep = np.zeros(len(x))
            keep[:3] = 1.0
            part = spec * keep
            back = np.fft.ifft(part).real
            tops = np.abs(np.fft.rfft(x)[1:])
            return np.sum(np.abs(part) ** 2) + np.sum(back ** 3) + np.sum(tops)
        """,
        (SIGNAL,),
    ),
    "derivatives by transforms": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            k = np.fft.fftfreq(len(x))
            g = np.fft.ifft(1j * k * np.fft.fft(x)).real
            h = np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(y), len(x))
            q = np.fft.irfft(x) ** 2
            return np.sum(g * h) + np.sum(q) + np.sum(np.fft.ifft(y, 5, norm="ortho").imag ** 2)
        """,
        (SIGNAL, SIGNAL[::-1].copy()),
    ),
    "transforms of pictures": (
        """
        def f(a: np.ndarray, b: np.ndarray):
            # pullback: a: (n, m), b: (n, m)
            s = np.fft.fftshift(np.fft.fft2(a * b))
            t = np.fft.irfftn(np.fft.rfftn(b) * (1 + 2j), b.shape, (0, 1))
            r = np.fft.rfft2(a, norm="ortho").real
            return np.sum(np.log(1.0 + np.abs(s))) + np.sum(r * 0.1) + np.sum(t ** 2)
        """,
        (A[:2], B[1:]),
    ),
    "powers": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            z = np.sqrt(x + 0j)
            return np.sum((z ** 3 + z ** (0.5 + 1j)).imag) + np.sum(np.power(2.0 + y * 1j, 2).real)
        """,
        (X, Y),
    ),
    "dtypes that are taken from other arrays": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (n,)
            z = x * 1j
            w = np.empty(len(x), dtype=z.dtype)
            w[:] = z * y
            v = np.zeros(3, np.result_type(x, z))
            v[1:] = w[1:] + y[1:]
            return np.sum(np.abs(w * v + 1.0))
        """,
        (X, Y),
    ),
}
