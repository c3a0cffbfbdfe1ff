"""The objective of a Gaussian mixture, precisions by their lower triangular roots, with a Wishart prior.

As the ADBench suite defines it: the root Q_k has exp(q_k) on its diagonal and l_k, column by column, under it; the
log likelihood of x_i is logsumexp_k(alpha_k + sum(q_k) - |Q_k (x_i - mu_k)|^2 / 2) less logsumexp(alpha).
"""

import math

import numpy as np

DERIVATIVE = "vjp of gmm_objective wrt alphas, means, icf"


def arguments(size: int = 4):
    rng = np.random.default_rng(16)
    n, d, k = size, 3, 2
    alphas, means = rng.normal(size=k), rng.normal(size=(k, d))
    icf = 0.3 * rng.normal(size=(k, d * (d + 1) // 2))
    return alphas, means, icf, rng.normal(size=(n, d)), 1.0, 2


def logsumexp(x):
    mx = np.max(x)
    return np.log(np.sum(np.exp(x - mx))) + mx


def constructL(d, icf):
    L = np.zeros((d, d))
    at = d
    for i in range(d):
        n = d - i - 1
        L[i + 1 :, i] = icf[at : at + n]
        at += n
    return L


def Qtimes(Qdiag, L, x):
    return Qdiag * x + L @ x


def log_wishart_prior(p, gamma, m, sum_qs, Qdiags, icf):
    n = p + m + 1
    k = icf.shape[0]
    frobenius = np.sum(Qdiags**2) + np.sum(icf[:, p:] ** 2)
    C = n * p * (math.log(gamma) - 0.5 * math.log(2))
    return 0.5 * gamma * gamma * frobenius - m * np.sum(sum_qs) - k * C


def gmm_objective(alphas, means, icf, x, wishart_gamma, wishart_m):
    n, d = x.shape
    k = means.shape[0]
    sum_qs = np.sum(icf[:, :d], axis=1)
    Qdiags = np.exp(icf[:, :d])

    slse = 0.0
    for ix in range(n):
        main_term = np.empty(k)
        for ik in range(k):
            L = constructL(d, icf[ik])
            Qxcentered = Qtimes(Qdiags[ik], L, x[ix] - means[ik])
            main_term[ik] = alphas[ik] + sum_qs[ik] - 0.5 * np.sum(Qxcentered**2)
        slse = slse + logsumexp(main_term)
    constant = -n * d * 0.5 * math.log(2 * math.pi)
    prior = log_wishart_prior(d, wishart_gamma, wishart_m, sum_qs, Qdiags, icf)
    return constant + slse - n * logsumexp(alphas) + prior
