"""AutoGraph beside Pullback, over the ten programs: what converts, what is right, what a run takes, how long it reads.

    python -m benchmarks.staged.autograph [--rounds N]

AutoGraph is asked as `tf.function` uses it, with the program's words for NumPy replaced by TensorFlow's (it converts
control flow, not names), and as `diastatic-malt`, which is AutoGraph without TensorFlow, converts the program as it is.
"""

from __future__ import annotations

import argparse
import inspect
import statistics
import time
from collections.abc import Callable
from typing import Any

from . import programs
from .programs import PROGRAMS
from .ways import arguments, same, staged_text, way


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    print("| program | way | converts | right | run, ms | lines |")
    print("| --- | --- | --- | --- | ---: | ---: |")
    for name in PROGRAMS:
        for title, found in ways_of(name):
            print(f"| {name.replace('_', ' ')} | {title} | {tried(name, *found, asked.rounds)} |")


def ways_of(name: str) -> list[tuple[str, tuple[Callable[[], Any], Callable[[], str]]]]:
    """Of each way what runs the program, and the text that a person reads."""
    import malt
    import tensorflow as tf
    import tensorflow.experimental.numpy as tnp

    f = PROGRAMS[name]
    args = arguments("tensorflow", name, 1)
    text = staged_text("tensorflow", name)
    space: dict[str, Any] = {"np": tnp}
    exec(inspect.getsource(f), space)  # the program's own text
    converted = tf.function(space[name], autograph=True)
    by_malt = malt.to_graph(f)
    return [
        ("Pullback", (way("tensorflow", text, f"{name}_tensorflow", args).run, lambda: text)),
        (
            "tf.function",
            (
                lambda: converted(*args).numpy(),
                lambda: tf.autograph.to_code(space[name]),
            ),
        ),
        (
            "malt",
            (
                lambda: by_malt(*programs.arguments()[name]),
                lambda: malt.to_code(f),
            ),
        ),
    ]


def tried(name: str, run: Callable[[], Any], text: Callable[[], str], rounds: int) -> str:
    """A way's cells: whether it converts, whether it is right, its time, its lines."""
    try:
        value = run()
    except Exception as raised:  # whatever a tool says of what it does not convert
        return f"{type(raised).__name__} | – | – | –"
    wanted = PROGRAMS[name](*programs.arguments()[name])
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    lines = len([line for line in text().splitlines() if line.strip()])
    right = "yes" if same(value, wanted) else "no"
    return f"yes | {right} | {statistics.median(taken) * 1e3:.3f} | {lines}"


if __name__ == "__main__":
    main()
