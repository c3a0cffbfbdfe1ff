"""An epidemic after Kermack and McKendrick (1927) in age groups, with a lockdown, fitted to reported cases.

S, I and R of each group; the force of infection is beta C I / N; while the lockdown lasts contacts are scaled. The
reports are Poisson with a reporting rate, and the negative log likelihood is what is minimized.
"""

import numpy as np

DERIVATIVE = "vjp of epidemic_nll wrt beta, gamma, rho, scale, contacts"


def arguments(size: int = 6):
    rng = np.random.default_rng(32)
    population = np.array([1000.0, 800.0, 500.0])
    reports = rng.integers(1, 20, size=(size, 3))
    return (
        0.4,
        0.1,
        0.3,
        0.5,
        0.5 + rng.random((3, 3)),
        population,
        np.array([5.0, 3.0, 2.0]),
        reports,
        (2, 4),
    )


def epidemic_nll(beta, gamma, rho, scale, contacts, population, seed, reports, closed):
    days, groups = reports.shape
    sus = population - seed
    inf = seed.copy()
    rec = np.zeros(groups)
    start, end = closed
    nll = 0.0
    for day in range(days):
        c = contacts
        if start <= day < end:
            c = scale * contacts
        force = beta * (c @ (inf / population))
        infected = sus * (1.0 - np.exp(-force))
        recovered = gamma * inf
        sus = sus - infected
        inf = inf + infected - recovered
        rec = rec + recovered
        expected = rho * infected
        nll += np.sum(expected - reports[day] * np.log(expected))
    return nll
