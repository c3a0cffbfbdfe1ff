"""Memory and time of a checkpointed time loop, beside those of the loop that records every turn.

    python benchmarks/checkpoints.py [TURNS [SIZE [RUNS]]]

A wave over a SIZE by SIZE grid, 1,000 turns over 512 by 512 by default. Peaks are what NumPy allocates, as
tracemalloc sees it; times are those of the processor, medians of runs of each in turn, without it.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

from pullback import derive

WAVE = """
import numpy as np


def energy(u, k: float, n: int):
    # pullback: u: (m, m)
    v = np.zeros_like(u)
    for _ in range(n):{comment}
        around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
        v = v + k * (around - 4.0 * u - u * u * u)
        u = u + k * v
    return np.sum(u * u)
"""
SCHEDULES = {
    "store all": "",
    "checkpoint": "  # pullback: checkpoint",
    "checkpoint every=8": "  # pullback: checkpoint every=8",
    "checkpoint snapshots=16": "  # pullback: checkpoint snapshots=16",
    "checkpoint snapshots=32": "  # pullback: checkpoint snapshots=32",
}


def gradient(comment: str) -> Callable[..., Any]:
    source = WAVE.format(comment=comment)
    derived = derive(source, "energy")
    assert derived.source is not None, derived.diagnostics
    space: dict[str, Any] = {}
    exec(source + derived.source, space)
    made: Callable[..., Any] = space["energy_grad"]
    return made


def peak(f: Callable[..., Any], *args: Any) -> int:
    tracemalloc.start()
    f(*args)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def main(turns: int = 1000, size: int = 512, runs: int = 3) -> None:
    args = (np.random.default_rng(1).normal(size=(size, size)), 0.01, turns)
    made = {name: gradient(comment) for name, comment in SCHEDULES.items()}
    want = made["store all"](*args)
    times: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(runs):
        for name, f in made.items():
            begin = time.process_time()
            got = f(*args)
            times[name].append(time.process_time() - begin)
            np.testing.assert_allclose(got, want, rtol=1e-12)
    peaks = {name: peak(f, *args) for name, f in made.items()}
    print(f"{turns} turns over {size} by {size}, medians of {runs} runs")
    print(f"{'':24}{'peak':>10}{'ratio':>8}{'time':>10}{'ratio':>8}")
    for name in made:
        ratios = [t / base for t, base in zip(times[name], times["store all"])]
        share = peaks[name] / peaks["store all"]
        print(
            f"{name:24}{peaks[name] / 2**20:7.0f} MB{share:8.3f}"
            f"{statistics.median(times[name]):8.2f} s{statistics.median(ratios):8.2f}"
        )


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
