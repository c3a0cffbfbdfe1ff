"""Times staged functions beside ones by hand, in one run: ten programs, what compiling takes and what a run takes.

    python -m benchmarks.staged [--backend jax|tensorflow] [--only NAME,…] [--rounds N] [--compilings N]

Values are compared first. Then both run once a round, in an order drawn anew; what is shown is the median over rounds
of the staged function's time divided by that of the one by hand in the same round, so that a machine that is busy with
other things disturbs both alike. To compile is to trace, too: each time it is a new function of the same text.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable

from .programs import PROGRAMS
from .ways import BACKENDS, same, ways_of

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
SAMPLE = 0.01  # seconds that a way runs in a round, at least once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--backend", choices=BACKENDS, action="append")
    parser.add_argument("--only", default=",".join(PROGRAMS), help="programs, with commas")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--compilings", type=int, default=5)
    asked = parser.parse_args()
    for backend in asked.backend or BACKENDS:
        print(f"\n| {backend} | by hand, ms | run | compile |\n| --- | ---: | ---: | ---: |")
        for name in asked.only.split(","):
            print(row(backend, name, asked.rounds, asked.compilings), flush=True)
    print(f"\nLoad of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.")


def row(backend: str, name: str, rounds: int, compilings: int) -> str:
    """One program's line: the time by hand, and what the staged one takes of it."""
    staged, hand = ways_of(backend, name)
    assert same(staged.run(), hand.run()), f"{name} on {backend} gives something else"
    count = max(1, int(SAMPLE / max(seconds(hand.run, 1), 1e-9)))
    runs = ratios(staged.run, hand.run, rounds, count)
    made = ratios(staged.compiled, hand.compiled, compilings, 1)
    taken = statistics.median(b for _, b in runs) / count * 1e3
    ratio, compiling = (statistics.median(a / b for a, b in pairs) for pairs in (runs, made))
    return f"| {name.replace('_', ' ')} | {taken:.3f} | {ratio:.2f} | {compiling:.2f} |"


def ratios(
    one: Callable[[], object], other: Callable[[], object], rounds: int, count: int
) -> list[tuple[float, float]]:
    """Seconds of both in each round, whichever comes first."""
    out = []
    for _ in range(rounds):
        taken = {}
        for f in random.sample((one, other), 2):
            taken[f] = seconds(f, count)
        out.append((taken[one], taken[other]))
    return out


def seconds(f: Callable[[], object], count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        f()
    return time.process_time() - start


if __name__ == "__main__":
    main()
