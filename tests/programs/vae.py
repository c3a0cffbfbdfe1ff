"""The negative evidence lower bound of a variational autoencoder (Kingma and Welling, 2014), noise given.

The encoder gives mean and log variance, the sample is mean + exp(log variance / 2) eps, the decoder gives logits of
binary pixels; the bound is reconstruction less divergence from the standard normal.
"""

import numpy as np

DERIVATIVE = "vjp of negative_elbo wrt p"


def arguments(size: int = 3):
    rng = np.random.default_rng(29)
    shapes = ((4, 3), (3, 2), (3, 2), (2, 3), (3, 4))
    p = Params(*[rng.normal(size=s) for s in shapes])
    x = (rng.random((size, 4)) > 0.5).astype(float)
    return p, x, rng.normal(size=(size, 2))


class Params:
    """Weights of encoder and decoder."""

    def __init__(self, enc, mu, logvar, dec, out):
        self.enc = enc
        self.mu = mu
        self.logvar = logvar
        self.dec = dec
        self.out = out


def softplus(x):
    return np.logaddexp(0.0, x)


def negative_elbo(p: Params, x, eps):
    h = np.tanh(x @ p.enc)
    mu = h @ p.mu
    logvar = h @ p.logvar
    z = mu + np.exp(0.5 * logvar) * eps
    logits = np.tanh(z @ p.dec) @ p.out
    reconstruction = np.sum(x * softplus(-logits) + (1.0 - x) * softplus(logits))
    divergence = -0.5 * np.sum(1.0 + logvar - mu**2 - np.exp(logvar))
    return (reconstruction + divergence) / len(x)
