"""The ten programs as one writes them for JAX."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnames="n")
def settle(x, n):
    def step(_, y):
        return lax.cond(y > 1.0, lambda y: y * 0.5, lambda y: y * x, y)

    return lax.fori_loop(0, n, step, x)


@jax.jit
def square_root(x):
    def far(y):
        return jnp.abs(y * y - x) > 1e-9 * x

    return lax.while_loop(far, lambda y: 0.5 * (y + x / y), x)


@jax.jit
def bisection(low, high, level):
    def wide(ends):
        low, high = ends
        return high - low > 1e-10

    def halve(ends):
        low, high = ends
        middle = 0.5 * (low + high)
        return lax.cond(middle**3 - middle < level, lambda: (middle, high), lambda: (low, middle))

    return lax.while_loop(wide, halve, (low, high))[0]


@jax.jit
def rows_until(x, limit):
    def step(i, state):
        total, going = state

        def row():
            s = jnp.sum(x[i])
            new = jnp.where(s < 0.0, total, total + s)
            return new, (s < 0.0) | (new <= limit)

        return lax.cond(going, row, lambda: (total, going))

    return lax.fori_loop(0, len(x), step, (0.0, True))[0]


@partial(jax.jit, static_argnames="steps")
def heat(u, steps, c):
    def step(_, u):
        return u.at[1:-1].set(u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2]))

    return lax.fori_loop(0, steps, step, u)


@jax.jit
def recurrent(x, w, v):
    def step(i, h):
        return jnp.tanh(h @ w + x[i] @ v)

    h = lax.fori_loop(0, len(x), step, jnp.zeros(len(w)))
    return jnp.sum(h * h)


@jax.jit
def variance(r, a, b):
    def step(i, s):
        return s.at[i].set(0.1 + a * r[i - 1] ** 2 + b * s[i - 1])

    s = lax.fori_loop(1, len(r), step, jnp.zeros(len(r)).at[0].set(r[0] * r[0]))
    return jnp.sum(jnp.log(s) + r * r / s)


@jax.jit
def forward(start, trans, emit, seen):
    def step(i, state):
        alpha, total = state
        alpha = (alpha @ trans) * emit[seen[i]]
        scale = jnp.sum(alpha)
        return alpha / scale, total + jnp.log(scale)

    return lax.fori_loop(0, len(seen), step, (start, 0.0))[1]


@partial(jax.jit, static_argnames="n")
def eigenvalue(a, v, n):
    def step(_, state):
        def turn():
            v, value, _ = state
            w = a @ v
            new = jnp.sqrt(jnp.sum(w * w))
            going = jnp.abs(new - value) >= 1e-12
            return w / new, jnp.where(going, new, value), going

        return lax.cond(state[2], turn, lambda: state)

    return lax.fori_loop(0, n, step, (v, 0.0, True))[1]


@jax.jit
def perceptron(x, w1, b1, w2, y):
    scores = jnp.maximum(x @ w1 + b1, 0.0) @ w2
    highest = jnp.max(scores, axis=1, keepdims=True)
    logs = scores - highest - jnp.log(jnp.sum(jnp.exp(scores - highest), axis=1, keepdims=True))
    return -jnp.mean(jnp.sum(y * logs, axis=1))
