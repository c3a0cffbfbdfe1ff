"""Times generated gradients beside hand-written ones and those of other tools, in one run.

    python -m benchmarks.gradients [--only NAME,…] [--ways NAME,…] [--rounds N] [--write FOLDER]

Each way is checked against the gradient by hand first. Then every way runs once a round, in an order drawn anew,
and the median over rounds of its time divided by that of the gradient by hand in the same round is shown, so that
a machine that is busy with other things disturbs all alike. Times are those of the processor, of one thread.
Tools that are not installed are left out with a word (autograd, jax and numba are asked for).

With --write the table goes to FOLDER/speed.md, below what that says of it, and a plot (which needs matplotlib)
to FOLDER/images/speed.svg.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import argparse
import datetime
import importlib.metadata
import random
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import pullback

from .peers import WAYS, Gradient, hand
from .workloads import WORKLOADS, Workload

SAMPLE = 0.005  # seconds that a way runs in a round, at least once
LONGEST = 0.2  # a way that needs more seconds for one gradient is left out, at larger sizes too
BASE = "by hand"


@dataclass
class Row:
    """One workload at one size: seconds by way, one for each round; why others have none."""

    workload: Workload
    size: tuple[int, ...]
    seconds: dict[str, list[float]] = field(default_factory=dict)
    without: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.workload.name.replace('_', ' ')} {'×'.join(map(str, self.size))}"

    def ratio(self, way: str) -> float | None:
        if way not in self.seconds:
            return None
        return statistics.median(
            a / b for a, b in zip(self.seconds[way], self.seconds[BASE], strict=True)
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="workloads, with commas")
    parser.add_argument("--ways", default=",".join(WAYS), help="with commas")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    ways = [w for w in WAYS if w == BASE or w in asked.ways.split(",")]
    only = asked.only.split(",") if asked.only else [w.name for w in WORKLOADS]
    rows: list[Row] = []
    for w in WORKLOADS:
        slow: dict[str, str] = {}
        for size in w.sizes if w.name in only else ():
            rows.append(timed(w, size, ways, asked.rounds, slow))
            print(line(rows[-1], ways), flush=True)
            for way, reason in rows[-1].without.items():
                print(f"    {way}: {reason}", flush=True)
    print(average(rows, ways))
    if asked.write:
        write(asked.write, rows, ways)


def timed(
    w: Workload, size: tuple[int, ...], ways: list[str], rounds: int, slow: dict[str, str]
) -> Row:
    """One workload at one size; ways that were too `slow` at a smaller one are not tried."""
    row, args = Row(w, size, without=dict(slow)), w.at(size)
    want = _tuple(hand(w, args)())
    runs: dict[str, tuple[Gradient, int]] = {}
    for way in (way for way in ways if way not in slow):
        try:
            made = WAYS[way](w, args)
            for g, b in zip(_tuple(made()), want, strict=True):
                np.testing.assert_allclose(g, b, rtol=1e-6, atol=1e-9)
            once = _seconds(made, 1)
            if once > LONGEST:
                row.without[way] = slow[way] = f"{once:.1f} s at {size}"
            else:
                runs[way] = made, max(1, round(SAMPLE / max(once, 1e-7)))
        except (ImportError, pullback.DerivationError) as e:
            row.without[way] = str(e)
    for _ in range(rounds):
        for way in random.sample(list(runs), len(runs)):
            row.seconds.setdefault(way, []).append(_seconds(*runs[way]))
    return row


def _seconds(made: Gradient, times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        made()
    return (time.process_time() - start) / times


def _tuple(gradient: object) -> tuple[object, ...]:
    return gradient if isinstance(gradient, tuple) else (gradient,)


# --- what is shown ---------------------------------------------------------------------------------


def line(row: Row, ways: list[str]) -> str:
    """A row of the table: the time by hand, and how many times that the others take."""
    base = statistics.median(row.seconds[BASE])
    cells = [f"{1e6 * base:.3g} µs" if base < 1e-3 else f"{1e3 * base:.3g} ms"]
    for way in ways[1:]:
        ratio = row.ratio(way)
        cells.append("–" if ratio is None else f"{ratio:.3g}")
    return f"| {row.label} | {' | '.join(cells)} |"


def average(rows: list[Row], ways: list[str]) -> str:
    cells = [""]
    for way in ways[1:]:
        ratios = [r for row in rows if (r := row.ratio(way)) is not None]
        cells.append(f"{statistics.geometric_mean(ratios):.3g}" if ratios else "–")
    return f"| geometric mean | {' | '.join(cells)} |"


def write(folder: Path, rows: list[Row], ways: list[str]) -> None:
    """Puts the table and the plot into the page, whose own words end at its last heading."""
    page = folder / "speed.md"
    words = page.read_text(encoding="utf-8").split("## Measured")[0]
    made = " ".join(f"{n} {importlib.metadata.version(n)}," for n in _packages(ways))
    said = f"On {datetime.date.today()} with {made} {os.cpu_count()} cores, one thread,"
    said += f" {len(rows[0].seconds[BASE])} rounds; the load of the machine was {os.getloadavg()[0]:.0f}."
    head = f"| | {' | '.join(ways)} |\n|---|{'---:|' * len(ways)}"
    table = "\n".join([head, *(line(row, ways) for row in rows), average(rows, ways)])
    page.write_text(f"{words}## Measured\n\n{said}\n\n{table}\n", encoding="utf-8")
    plot(folder / "images" / "speed.svg", rows, ways)


def _packages(ways: list[str]) -> list[str]:
    """Those that are measured: a way is called after the tool that it is made by."""
    tools = ("autograd", "jax", "numba")
    return ["numpy", *(t for t in tools if any(t in way.lower() for way in ways))]


def plot(path: Path, rows: list[Row], ways: list[str]) -> None:
    """A row of marks for each workload: how many times the gradient by hand each way takes."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        print("no plot: matplotlib is not installed")
        return
    figure, axes = plt.subplots(figsize=(8, 0.35 * len(rows) + 1.2))
    for way, mark in zip(ways[1:], "os^vDP"):
        marks = [(r, i) for i, row in enumerate(rows) if (r := row.ratio(way)) is not None]
        axes.plot(*zip(*marks), mark, label=way, markersize=5)
    axes.axvline(1.0, color="0.6", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlabel("processor time over that of the gradient by hand")
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.invert_yaxis()
    axes.legend(loc="upper right", fontsize=8)
    plt.rcParams["svg.hashsalt"] = "pullback"
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
