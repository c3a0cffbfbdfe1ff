"""Causal self-attention with several heads, by reshaping and einsum.

softmax(Q K^T / sqrt(d)) V for each head (Vaswani and others, 2017), places to come masked out; the loss is minus the
mean log probability of the next token.
"""

import numpy as np

DERIVATIVE = "vjp of lm_loss wrt emb, Wq, Wk, Wv, Wo, U"


def arguments(size: int = 5):
    rng = np.random.default_rng(28)
    V, D = 5, 4
    Wq, Wk, Wv, Wo = 0.5 * rng.normal(size=(4, D, D))
    emb, U = rng.normal(size=(V, D)), rng.normal(size=(D, V))
    return emb, Wq, Wk, Wv, Wo, U, rng.integers(0, V, size=size), 2


def softmax(z, axis=-1):
    z = z - z.max(axis=axis, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=axis, keepdims=True)


def self_attention(x, Wq, Wk, Wv, Wo, n_heads):
    T, d = x.shape
    dh = d // n_heads
    q = (x @ Wq).reshape(T, n_heads, dh)
    k = (x @ Wk).reshape(T, n_heads, dh)
    v = (x @ Wv).reshape(T, n_heads, dh)
    scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(dh)
    scores[:, np.triu_indices(T, 1)[0], np.triu_indices(T, 1)[1]] = -1e9
    mixed = np.einsum("hij,jhd->ihd", softmax(scores), v)
    return mixed.reshape(T, d) @ Wo


def lm_loss(emb, Wq, Wk, Wv, Wo, U, tokens, n_heads):
    x = emb[tokens[:-1]]
    x = x + self_attention(x, Wq, Wk, Wv, Wo, n_heads)
    probs = softmax(x @ U)
    return -np.mean(np.log(probs[np.arange(len(tokens) - 1), tokens[1:]]))
