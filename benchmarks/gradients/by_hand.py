"""Gradients of the primals by hand, from the chain rule alone: what an expert writes who changes no algorithm.

The primal's statements without those that only its value needs, then the same statements backwards. What the
primal holds is not computed again; adjoints are added to in place; nothing is fused, gathered or reordered.
"""

import math

import numpy as np


def mlp(W1, b1, W2, b2, X, Y):
    hidden = np.tanh(X @ W1 + b1)
    e = np.exp(hidden @ W2 + b2)
    weights = Y / X.shape[0]
    z_bar = e * (np.sum(weights, axis=1, keepdims=True) / np.sum(e, axis=1, keepdims=True))
    z_bar -= weights
    sum_bar = z_bar @ W2.T
    sum_bar *= 1.0 - hidden * hidden
    return X.T @ sum_bar, np.sum(sum_bar, axis=0), hidden.T @ z_bar, np.sum(z_bar, axis=0)


def scalar_loop(x, n):
    ys = []
    y = x
    for _ in range(n):
        ys.append(y)
        if y > 1.0:
            y = y * 0.5
        else:
            y = y * x
    x_bar, y_bar = 0.0, 1.0
    for y in reversed(ys):
        if y > 1.0:
            y_bar = y_bar * 0.5
        else:
            x_bar += y_bar * y
            y_bar = y_bar * x
    return x_bar + y_bar


def lattice(W, E, S, x):
    n, d = x.shape
    K = E.shape[0]
    h = np.zeros((n + K, d))
    a = np.full(n + K, -30.0)
    a[0] = 0.0
    states, slopes = [], []
    for t in range(n):
        state = np.tanh(h[t] @ W + x[t])
        states.append(state)
        scores = a[t] + E @ state
        for k in range(K):
            h[t + k + 1] += S[k] * state
            before = a[t + k + 1]
            slopes.append(1.0 / (1.0 + np.exp(before - scores[k])))
            a[t + k + 1] = np.logaddexp(before, scores[k])
    W_bar, E_bar, S_bar = np.zeros_like(W), np.zeros_like(E), np.zeros_like(S)
    h_bar, a_bar = np.zeros_like(h), np.zeros_like(a)
    a_bar[n] = 1.0
    for t in range(n - 1, -1, -1):
        state = states.pop()
        state_bar = np.zeros(d)
        scores_bar = np.empty(K)
        for k in range(K - 1, -1, -1):
            slope = slopes.pop()
            scores_bar[k] = a_bar[t + k + 1] * slope
            a_bar[t + k + 1] *= 1.0 - slope
            S_bar[k] += np.dot(h_bar[t + k + 1], state)
            state_bar += h_bar[t + k + 1] * S[k]
        a_bar[t] += np.sum(scores_bar)
        E_bar += np.outer(scores_bar, state)
        state_bar += scores_bar @ E
        state_bar *= 1.0 - state * state
        W_bar += np.outer(h[t], state_bar)
        h_bar[t] += W @ state_bar
    return W_bar, E_bar, S_bar


def indexed_loop(x):
    x_bar = np.zeros_like(x)
    for i in range(x.shape[0] - 1, 0, -1):
        x_bar[i] += x[i - 1] + math.cos(x[i])
        x_bar[i - 1] += x[i]
    return x_bar


def heat(u0, k, steps):
    curves = []
    u = u0.copy()
    for _ in range(steps):
        curve = u[2:] - 2.0 * u[1:-1] + u[:-2]
        u[1:-1] = u[1:-1] + k * curve
        curves.append(curve)
    u_bar, k_bar = 2.0 * u, 0.0
    for curve in reversed(curves):
        k_bar += np.dot(u_bar[1:-1], curve)
        curve_bar = k * u_bar[1:-1]
        u_bar[2:] += curve_bar
        u_bar[1:-1] -= 2.0 * curve_bar
        u_bar[:-2] += curve_bar
    return u_bar, k_bar


def jacobi(A0, steps):
    A, B = A0.copy(), A0.copy()
    for _ in range(steps):
        B[1:-1, 1:-1] = 0.2 * (
            A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
        )
        A[1:-1, 1:-1] = 0.2 * (
            B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1]
        )
    A_bar, B_bar = 2.0 * A, np.zeros_like(B)
    for _ in range(steps):
        each = 0.2 * A_bar[1:-1, 1:-1]
        A_bar[1:-1, 1:-1] = 0.0
        B_bar[1:-1, 1:-1] += each
        B_bar[1:-1, :-2] += each
        B_bar[1:-1, 2:] += each
        B_bar[2:, 1:-1] += each
        B_bar[:-2, 1:-1] += each
        each = 0.2 * B_bar[1:-1, 1:-1]
        B_bar[1:-1, 1:-1] = 0.0
        A_bar[1:-1, 1:-1] += each
        A_bar[1:-1, :-2] += each
        A_bar[1:-1, 2:] += each
        A_bar[2:, 1:-1] += each
        A_bar[:-2, 1:-1] += each
    return A_bar + B_bar


def rnn(W, U, b, h0, xs):
    n = xs.shape[0]
    h = np.zeros((n + 1, h0.shape[0], h0.shape[1]))
    h[0] = h0
    for t in range(n):
        h[t + 1] = np.tanh(xs[t] @ W + h[t] @ U + b)
    h_bar = 2.0 * h
    h_bar[0] = 0.0
    W_bar, U_bar, b_bar = np.zeros_like(W), np.zeros_like(U), np.zeros_like(b)
    for t in range(n - 1, -1, -1):
        sum_bar = h_bar[t + 1] * (1.0 - h[t + 1] * h[t + 1])
        W_bar += xs[t].T @ sum_bar
        U_bar += h[t].T @ sum_bar
        b_bar += np.sum(sum_bar, axis=0)
        h_bar[t] += sum_bar @ U.T
    return W_bar, U_bar, b_bar, h_bar[0].copy()


def lstm(W, U, b, h0, c0, xs):
    h, c, tape = h0, c0, []
    for t in range(xs.shape[0]):
        i = 1.0 / (1.0 + np.exp(-(xs[t] @ W[0] + h @ U[0] + b[0])))
        f = 1.0 / (1.0 + np.exp(-(xs[t] @ W[1] + h @ U[1] + b[1])))
        o = 1.0 / (1.0 + np.exp(-(xs[t] @ W[2] + h @ U[2] + b[2])))
        g = np.tanh(xs[t] @ W[3] + h @ U[3] + b[3])
        before = h, c
        c = f * c + i * g
        tanh_c = np.tanh(c)
        h = o * tanh_c
        tape.append((*before, i, f, o, g, tanh_c, h))
    W_bar, U_bar, b_bar = np.zeros_like(W), np.zeros_like(U), np.zeros_like(b)
    h_bar, c_bar = np.zeros_like(h0), np.zeros_like(c0)
    for t in range(xs.shape[0] - 1, -1, -1):
        h_before, c_before, i, f, o, g, tanh_c, h = tape.pop()
        h_bar += 2.0 * h
        c_bar += h_bar * o * (1.0 - tanh_c * tanh_c)
        sum_bars = (
            c_bar * g * i * (1.0 - i),
            c_bar * c_before * f * (1.0 - f),
            h_bar * tanh_c * o * (1.0 - o),
            c_bar * i * (1.0 - g * g),
        )
        c_bar *= f
        h_bar = np.zeros_like(h0)
        for gate, sum_bar in enumerate(sum_bars):
            W_bar[gate] += xs[t].T @ sum_bar
            U_bar[gate] += h_before.T @ sum_bar
            b_bar[gate] += np.sum(sum_bar, axis=0)
            h_bar += sum_bar @ U[gate].T
    return W_bar, U_bar, b_bar, h_bar, c_bar


def gmm(alphas, means, Q, L, X):
    n, k = X.shape[0], alphas.shape[0]
    terms = np.zeros((k, n))
    tape = []
    for j in range(k):
        diagonal = np.exp(Q[j])
        root = np.tril(L[j], -1) + np.diag(diagonal)
        centered = X - means[j]
        y = centered @ root.T
        terms[j] = alphas[j] + np.sum(Q[j]) - 0.5 * np.sum(y * y, axis=1)
        tape.append((diagonal, root, centered, y))
    e = np.exp(terms)
    terms_bar = e / np.sum(e, axis=0)
    e = np.exp(alphas)
    alphas_bar = e * (-n / np.sum(e))
    means_bar, Q_bar, L_bar = np.empty_like(means), np.empty_like(Q), np.empty_like(L)
    for j in range(k - 1, -1, -1):
        diagonal, root, centered, y = tape.pop()
        total = np.sum(terms_bar[j])
        alphas_bar[j] += total
        y_bar = y * -terms_bar[j][:, None]
        root_bar = y_bar.T @ centered
        means_bar[j] = -np.sum(y_bar @ root, axis=0)
        L_bar[j] = np.tril(root_bar, -1)
        Q_bar[j] = total + np.diag(root_bar) * diagonal
    return alphas_bar, means_bar, Q_bar, L_bar


def bundle(cameras, points, seen_by, seen, features):
    cams = cameras[seen_by]
    r, f, middle = cams[:, :3], cams[:, 6:7], cams[:, 7:9]
    X = points[seen] - cams[:, 3:6]
    angle = np.sqrt(np.sum(r * r, axis=1, keepdims=True))
    axis = r / angle
    cosine, sine = np.cos(angle), np.sin(angle)
    cross, along = np.cross(axis, X), np.sum(axis * X, axis=1, keepdims=True)
    turned = X * cosine + cross * sine + axis * (along * (1.0 - cosine))
    q = turned[:, :2] / turned[:, 2:]
    square = np.sum(q * q, axis=1, keepdims=True)
    bent = 1.0 + cams[:, 9:10] * square + cams[:, 10:] * (square * square)
    error = q * bent * f + middle - features
    cams_bar = np.empty_like(cams)
    error_bar = 2.0 * error
    cams_bar[:, 7:9] = error_bar
    cams_bar[:, 6:7] = np.sum(error_bar * q * bent, axis=1, keepdims=True)
    q_bar = error_bar * (bent * f)
    bent_bar = np.sum(error_bar * q * f, axis=1, keepdims=True)
    cams_bar[:, 9:10] = bent_bar * square
    cams_bar[:, 10:] = bent_bar * (square * square)
    square_bar = bent_bar * (cams[:, 9:10] + 2.0 * cams[:, 10:] * square)
    q_bar += 2.0 * square_bar * q
    turned_bar = np.empty_like(turned)
    turned_bar[:, :2] = q_bar / turned[:, 2:]
    turned_bar[:, 2:] = -np.sum(q_bar * q, axis=1, keepdims=True) / turned[:, 2:]
    cross_bar = turned_bar * sine
    product_bar = np.sum(turned_bar * axis, axis=1, keepdims=True)
    along_bar = product_bar * (1.0 - cosine)
    X_bar = turned_bar * cosine + np.cross(cross_bar, axis) + along_bar * axis
    axis_bar = turned_bar * (along * (1.0 - cosine)) + np.cross(X, cross_bar) + along_bar * X
    cosine_bar = np.sum(turned_bar * X, axis=1, keepdims=True) - product_bar * along
    sine_bar = np.sum(turned_bar * cross, axis=1, keepdims=True)
    angle_bar = sine_bar * cosine - cosine_bar * sine
    angle_bar -= np.sum(axis_bar * axis, axis=1, keepdims=True) / angle
    cams_bar[:, :3] = axis_bar / angle + angle_bar * axis
    cams_bar[:, 3:6] = -X_bar
    cameras_bar, points_bar = np.zeros_like(cameras), np.zeros_like(points)
    np.add.at(cameras_bar, seen_by, cams_bar)
    np.add.at(points_bar, seen, X_bar)
    return cameras_bar, points_bar


def logistic(w, b, X, y):
    z_bar = 1.0 / (1.0 + np.exp(-(X @ w + b)))
    z_bar -= y
    z_bar /= y.size
    return X.T @ z_bar, np.sum(z_bar)


def gaussian_process(scale, noise, X, y):
    n = X.shape[0]
    squares = np.sum(X * X, axis=1)
    distances = squares[:, None] + squares[None, :] - 2.0 * (X @ X.T)
    shrink, spread = math.exp(-scale), math.exp(noise)
    smooth = np.exp(-0.5 * shrink * distances)
    L = np.linalg.cholesky(smooth + spread * np.eye(n))
    a = np.linalg.solve(L, y)
    L_bar = np.diag(1.0 / np.diag(L)) - np.outer(np.linalg.solve(L.T, a), a)
    inner = np.tril(L.T @ np.tril(L_bar))  # I. Murray (2016), equation 10
    inner[np.diag_indices(n)] *= 0.5
    K_bar = np.linalg.solve(L.T, np.linalg.solve(L.T, inner).T)
    return 0.5 * shrink * np.sum(K_bar * smooth * distances), spread * np.trace(K_bar)
