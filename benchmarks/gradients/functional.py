"""The primals as tools that trace want them: nothing is written, loops are `scan`, branches `where`.

`xp` is autograd.numpy or jax.numpy. `scan(step, carry, n)` calls `carry, y = step(carry, i)` for each i and gives
the last carry and the ys: `jax.lax.scan` under jit, a plain loop for tools that trace as they run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Scan = Callable[[Callable[[Any, Any], Any], Any, int], Any]


def functional(xp: Any, scan: Scan) -> dict[str, Callable[..., Any]]:
    """Each workload's function, by the name of its primal."""

    def mlp(W1: Any, b1: Any, W2: Any, b2: Any, X: Any, Y: Any) -> Any:
        z = xp.dot(xp.tanh(xp.dot(X, W1) + b1), W2) + b2
        log_total = xp.log(xp.sum(xp.exp(z), axis=1, keepdims=True))
        return xp.sum(Y * (log_total - z)) / X.shape[0]

    def scalar_loop(x: Any, n: int) -> Any:
        return scan(lambda y, _: (xp.where(y > 1.0, y * 0.5, y * x), 0.0), x, n)[0]

    def lattice(W: Any, E: Any, S: Any, x: Any) -> Any:
        n, d = x.shape
        K = E.shape[0]

        def step(ahead: Any, t: Any) -> Any:
            h, a = ahead  # of the next K positions
            state = xp.tanh(xp.dot(h[0], W) + x[t])
            h = xp.concatenate([h[1:], xp.zeros((1, d))]) + xp.outer(S, state)
            a = xp.logaddexp(xp.concatenate([a[1:], xp.full(1, -30.0)]), a[0] + xp.dot(E, state))
            return (h, a), 0.0

        first = xp.concatenate([xp.zeros(1), xp.full(K - 1, -30.0)])
        return scan(step, (xp.zeros((K, d)), first), n)[0][1][0]

    def indexed_loop(x: Any) -> Any:
        def step(s: Any, i: Any) -> Any:
            return s + x[i + 1] * x[i] + xp.sin(x[i + 1]), 0.0

        return scan(step, 0.0, x.shape[0] - 1)[0]

    def heat(u0: Any, k: Any, steps: int) -> Any:
        def step(u: Any, _: Any) -> Any:
            middle = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
            return xp.concatenate([u[:1], middle, u[-1:]]), 0.0

        u = scan(step, u0, steps)[0]
        return xp.sum(u * u)

    def jacobi(A0: Any, steps: int) -> Any:
        def relaxed(A: Any) -> Any:
            inner = A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
            rows = xp.concatenate([A0[1:-1, :1], 0.2 * inner, A0[1:-1, -1:]], axis=1)
            return xp.concatenate([A0[:1], rows, A0[-1:]], axis=0)

        A = scan(lambda A, _: (relaxed(relaxed(A)), 0.0), A0, steps)[0]
        return xp.sum(A * A)

    def rnn(W: Any, U: Any, b: Any, h0: Any, xs: Any) -> Any:
        def step(carry: Any, t: Any) -> Any:
            h, loss = carry
            h = xp.tanh(xp.dot(xs[t], W) + xp.dot(h, U) + b)
            return (h, loss + xp.sum(h * h)), 0.0

        return scan(step, (h0, 0.0), xs.shape[0])[0][1]

    def lstm(W: Any, U: Any, b: Any, h0: Any, c0: Any, xs: Any) -> Any:
        def gate(k: int, x: Any, h: Any) -> Any:
            return xp.dot(x, W[k]) + xp.dot(h, U[k]) + b[k]

        def step(carry: Any, t: Any) -> Any:
            h, c, loss = carry
            i, f, o = (1.0 / (1.0 + xp.exp(-gate(k, xs[t], h))) for k in range(3))
            c = f * c + i * xp.tanh(gate(3, xs[t], h))
            h = o * xp.tanh(c)
            return (h, c, loss + xp.sum(h * h)), 0.0

        return scan(step, (h0, c0, 0.0), xs.shape[0])[0][2]

    def gmm(alphas: Any, means: Any, Q: Any, L: Any, X: Any) -> Any:
        n, d = X.shape
        below = xp.tril(xp.ones((d, d)), -1)
        terms = []
        for j in range(alphas.shape[0]):
            root = L[j] * below + xp.eye(d) * xp.exp(Q[j])
            y = xp.dot(X - means[j], root.T)
            terms.append(alphas[j] + xp.sum(Q[j]) - 0.5 * xp.sum(y * y, axis=1))
        total = xp.sum(xp.log(xp.sum(xp.exp(xp.stack(terms)), axis=0)))
        return total - n * xp.log(xp.sum(xp.exp(alphas)))

    def bundle(cameras: Any, points: Any, seen_by: Any, seen: Any, features: Any) -> Any:
        cams = cameras[seen_by]
        r, X = cams[:, :3], points[seen] - cams[:, 3:6]
        angle = xp.sqrt(xp.sum(r * r, axis=1, keepdims=True))
        axis = r / angle
        along = xp.sum(axis * X, axis=1, keepdims=True)
        across = xp.stack(
            [axis[:, i] * X[:, j] - axis[:, j] * X[:, i] for i, j in ((1, 2), (2, 0), (0, 1))],
            axis=1,
        )
        cosine = xp.cos(angle)
        turned = X * cosine + across * xp.sin(angle) + axis * (along * (1.0 - cosine))
        q = turned[:, :2] / turned[:, 2:]
        square = xp.sum(q * q, axis=1, keepdims=True)
        bent = 1.0 + cams[:, 9:10] * square + cams[:, 10:] * (square * square)
        error = q * bent * cams[:, 6:7] + cams[:, 7:9] - features
        return xp.sum(error * error)

    def logistic(w: Any, b: Any, X: Any, y: Any) -> Any:
        z = xp.dot(X, w) + b
        return xp.mean(xp.logaddexp(0.0, z) - y * z)

    def gaussian_process(scale: Any, noise: Any, X: Any, y: Any) -> Any:
        squares = xp.sum(X * X, axis=1)
        distances = squares[:, None] + squares[None, :] - 2.0 * xp.dot(X, X.T)
        K = xp.exp(-0.5 * xp.exp(-scale) * distances) + xp.exp(noise) * xp.eye(X.shape[0])
        L = xp.linalg.cholesky(K)
        a = xp.linalg.solve(L, y)
        return 0.5 * xp.dot(a, a) + xp.sum(xp.log(xp.diag(L)))

    return {f.__name__: f for f in (
        mlp, scalar_loop, lattice, indexed_loop, heat, jacobi, rnn, lstm, gmm, bundle, logistic, gaussian_process,
    )}  # fmt: skip


def loop(step: Callable[[Any, Any], Any], carry: Any, n: int) -> Any:
    """A scan that runs as Python does; the ys, which no workload needs, are left out."""
    for i in range(n):
        carry, _ = step(carry, i)
    return carry, None
