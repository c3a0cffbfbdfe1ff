"""An American put on a binomial tree (Cox, Ross and Rubinstein, 1979).

The price of the share moves up by u = exp(sigma sqrt(dt)) or down by 1 / u; going back from maturity, the option is
worth the discounted expectation or what exercising it gives, whichever is more.
"""

import math

import numpy as np

DERIVATIVE = "vjp of american_put wrt S, K, r, sigma, T"


def arguments(size: int = 7):
    return 100.0, 104.0, 0.05, 0.25, 0.5, size


def american_put(S, K, r, sigma, T, n):
    dt = T / n
    u = math.exp(sigma * math.sqrt(dt))
    d = 1.0 / u
    p = (math.exp(r * dt) - d) / (u - d)
    discount = math.exp(-r * dt)

    prices = np.zeros(n + 1)
    for j in range(n + 1):
        prices[j] = max(K - S * u**j * d ** (n - j), 0.0)

    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            hold = discount * (p * prices[j + 1] + (1.0 - p) * prices[j])
            exercise = K - S * u**j * d ** (i - j)
            prices[j] = max(hold, exercise)
    return prices[0]
