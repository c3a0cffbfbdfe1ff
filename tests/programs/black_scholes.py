"""Prices of European options after Black and Scholes (1973), calls and puts in one array.

The normal distribution function is the approximation 26.2.17 of Abramowitz and Stegun, a polynomial of fifth degree.
"""

import numpy as np

DERIVATIVE = "vjp of portfolio_value wrt S, K, T, sigma, r"


def arguments(size: int = 4):
    K = np.linspace(90.0, 120.0, size)
    T = np.linspace(0.5, 1.5, size)
    sigma = np.linspace(0.2, 0.35, size)
    amounts = np.linspace(-2.0, 3.0, size)
    return 100.0, K, T, sigma, 0.03, K > 105.0, amounts


def norm_cdf(x):
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    poly = 0.0
    for c in (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530):
        poly = k * (c + poly)
    tail = np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi) * poly
    return np.where(x >= 0.0, 1.0 - tail, tail)


def black_scholes(S, K, T, sigma, r, is_call):
    sqrt_T = np.sqrt(T)
    d1 = (np.log(S / K) + (r + 0.5 * sigma**2) * T) / (sigma * sqrt_T)
    d2 = d1 - sigma * sqrt_T
    discounted = K * np.exp(-r * T)
    call = S * norm_cdf(d1) - discounted * norm_cdf(d2)
    return np.where(is_call, call, call - S + discounted)


def portfolio_value(S, K, T, sigma, r, is_call, amounts):
    return amounts @ black_scholes(S, K, T, sigma, r, is_call)
