"""PB305: random-draw."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB305",
    name="random-draw",
    severity="error",
    message="{name} draws anew at every call, so there is no fixed value to differentiate; pass the draw as an argument",
    meaning="""\
A random number is drawn from a distribution whose parameters are differentiated.
""",
    why="""\
Two calls with the same arguments give different results. Drawing from a fixed distribution outside
and scaling inside (the reparametrization trick) gives a function that can be differentiated.
""",
    bad="""\
import numpy as np


def loss(mu: float, s: float):
    z = np.random.normal(mu, s, size=4)
    return np.mean(z**2)
""",
    mended="""\
import numpy as np


def loss(mu: float, s: float, noise: np.ndarray):
    # pullback: noise: (4,)
    z = mu + s * noise
    return np.mean(z**2)
""",
)
