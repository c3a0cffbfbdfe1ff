"""The ten programs as one writes them for TensorFlow's graphs."""

from __future__ import annotations

import tensorflow as tf

graph = tf.function(autograph=False)
ZERO = tf.constant(0.0, tf.float64)


@graph
def settle(x, n):
    x = tf.convert_to_tensor(x, tf.float64)

    def step(i, y):
        return i + 1, tf.cond(y > 1.0, lambda: y * 0.5, lambda: y * x)

    return tf.while_loop(lambda i, _: i < n, step, (0, x))[1]


@graph
def square_root(x):
    x = tf.convert_to_tensor(x, tf.float64)

    def far(y):
        return tf.abs(y * y - x) > 1e-9 * x

    return tf.while_loop(far, lambda y: (0.5 * (y + x / y),), (x,))[0]


@graph
def bisection(low, high, level):
    ends = [tf.convert_to_tensor(end, tf.float64) for end in (low, high)]

    def halve(low, high):
        middle = 0.5 * (low + high)
        below = middle**3 - middle < level
        return tf.cond(below, lambda: (middle, high), lambda: (low, middle))

    return tf.while_loop(lambda low, high: high - low > 1e-10, halve, ends)[0]


@graph
def rows_until(x, limit):
    def more(i, total, going):
        return (i < x.shape[0]) & going

    def step(i, total, going):
        s = tf.reduce_sum(x[i])
        new = tf.where(s < 0.0, total, total + s)
        return i + 1, new, (s < 0.0) | (new <= limit)

    return tf.while_loop(more, step, (0, ZERO, True))[1]


@graph
def heat(u, steps, c):
    def step(i, u):
        inner = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        return i + 1, tf.concat([u[:1], inner, u[-1:]], 0)

    return tf.while_loop(lambda i, _: i < steps, step, (0, u))[1]


@graph
def recurrent(x, w, v):
    def step(i, h):
        return i + 1, tf.tanh(
            tf.linalg.matvec(w, h, transpose_a=True) + tf.linalg.matvec(v, x[i], transpose_a=True)
        )

    h = tf.while_loop(lambda i, _: i < x.shape[0], step, (0, tf.zeros(w.shape[0], tf.float64)))[1]
    return tf.reduce_sum(h * h)


@graph
def variance(r, a, b):
    n = r.shape[0]
    first = tf.TensorArray(tf.float64, n).write(0, r[0] * r[0])

    def step(i, last, s):
        new = 0.1 + a * r[i - 1] ** 2 + b * last
        return i + 1, new, s.write(i, new)

    s = tf.while_loop(lambda i, *_: i < n, step, (1, r[0] * r[0], first))[2].stack()
    return tf.reduce_sum(tf.math.log(s) + r * r / s)


@graph
def forward(start, trans, emit, seen):
    def step(i, alpha, total):
        alpha = tf.linalg.matvec(trans, alpha, transpose_a=True) * emit[seen[i]]
        scale = tf.reduce_sum(alpha)
        return i + 1, alpha / scale, total + tf.math.log(scale)

    return tf.while_loop(lambda i, *_: i < seen.shape[0], step, (0, start, ZERO))[2]


@graph
def eigenvalue(a, v, n):
    def going(i, v, value, change):
        return (i < n) & (change >= 1e-12)

    def step(i, v, value, change):
        w = tf.linalg.matvec(a, v)
        new = tf.sqrt(tf.reduce_sum(w * w))
        change = tf.abs(new - value)
        return i + 1, w / new, tf.where(change < 1e-12, value, new), change

    begin = (0, v, ZERO, tf.constant(1.0, tf.float64))
    return tf.while_loop(going, step, begin)[2]


@graph
def perceptron(x, w1, b1, w2, y):
    scores = tf.maximum(x @ w1 + b1, 0.0) @ w2
    highest = tf.reduce_max(scores, axis=1, keepdims=True)
    total = tf.reduce_sum(tf.exp(scores - highest), axis=1, keepdims=True)
    logs = scores - highest - tf.math.log(total)
    return -tf.reduce_mean(tf.reduce_sum(y * logs, axis=1))
