"""AutoGraph beside Pullback, over the ten programs: what converts, what is right, what a run takes, how it reads.

    python -m benchmarks.staged.autograph [--only NAME,…] [--limit SECONDS]

AutoGraph is asked as `tf.function` uses it, with the program's words for NumPy replaced by TensorFlow's (it converts
control flow, not names), and as `diastatic-malt`, which is AutoGraph without TensorFlow, converts the program as it is.
Each way of each program has a process of its own, and a limit of time on the processor: a loop that is unrolled while
it is traced may compile for hours, which counts as an answer.
"""

from __future__ import annotations

import argparse
import importlib.util  # malt uses it, and does not import it
import inspect
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from . import programs
from .programs import PROGRAMS
from .ways import arguments, on_backend, same, staged_alone, staged_text, way

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
TITLES = {"pullback": "Pullback", "tf": "`tf.function`", "malt": "malt"}
SAMPLE = 1.0  # seconds that a way runs
RUNTIME = "ag__."  # what AutoGraph's text calls instead of saying it
Found = tuple[Callable[[], Any], str]  # what runs a program, and the text that a person reads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join(PROGRAMS), help="programs, with commas")
    parser.add_argument("--limit", type=int, default=60, help="a way's seconds of the processor")
    parser.add_argument("--way", choices=TITLES, help="one way in this process, as JSON")
    asked = parser.parse_args()
    if asked.way:
        print(json.dumps(tried(asked.only, asked.way)))
        return
    print("| program | way | converts | right | run, ms | lines | calls of a runtime |")
    print("| --- | --- | --- | --- | ---: | ---: | ---: |")
    for name in asked.only.split(","):
        for title in TITLES:
            cells = in_a_process(name, title, asked.limit)
            row = (name.replace("_", " "), TITLES[title], *cells)
            print(f"| {' | '.join(row)} |", flush=True)


def in_a_process(name: str, title: str, limit: int) -> list[str]:
    """A way's cells, from a process that ends when it has taken its time."""
    asked = ("--only", name, "--way", title)
    command = [sys.executable, "-m", "benchmarks.staged.autograph", *asked]
    limited = partial(resource.setrlimit, resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limited)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return [f"not in {limit} s", *"––––"]
    if done.returncode:
        return [done.stderr.strip().splitlines()[-1].split(":")[0], *"––––"]
    cells: list[str] = json.loads(done.stdout.strip().splitlines()[-1])
    return cells


def tried(name: str, title: str) -> list[str]:
    """A way's cells: whether it converts, whether it is right, its time, its lines, what they call."""
    try:
        run, text = WAYS[title](name)
        value = run()
    except Exception as raised:  # whatever a tool says of what it does not convert
        return [type(raised).__name__, *"––––"]
    wanted = PROGRAMS[name](*programs.arguments()[name])
    taken = seconds(run)
    lines = len([line for line in text.splitlines() if line.strip()])
    right = "yes" if same(value, wanted) else "no"
    return ["yes", right, f"{taken * 1e3:.2f}", str(lines), str(text.count(RUNTIME))]


def seconds(run: Callable[[], Any]) -> float:
    """What a run takes on the processor: under a limit a clock of it is coarse, so that it is a mean of many."""
    start, count = time.process_time(), 0
    while (taken := time.process_time() - start) < SAMPLE:
        run()
        count += 1
    return taken / count


# --- the ways -------------------------------------------------------------------------------------------


def by_pullback(name: str) -> Found:
    text, args = staged_text("tensorflow", name), arguments("tensorflow", name, 1)
    return way("tensorflow", text, f"{name}_tensorflow", args).run, staged_alone("tensorflow", name)


def by_tf_function(name: str) -> Found:
    """As favourably as it goes: whole numbers are tensors, since a loop over a number of Python's would be unrolled,
    and tensors have NumPy's methods and operators."""
    import tensorflow as tf
    import tensorflow.experimental.numpy as tnp

    tnp.experimental_enable_numpy_behavior()
    space: dict[str, Any] = {"np": tnp, "__name__": __name__}
    text = inspect.getsource(PROGRAMS[name])
    path = own_file(name, text)
    exec(compile(text, path, "exec"), space)  # the program's own text, which AutoGraph reads again
    converted = tf.function(space[name], autograph=True)
    args = [on_backend("tensorflow", a) for a in programs.arguments()[name]]
    return lambda: converted(*args).numpy(), tf.autograph.to_code(space[name])


def by_malt(name: str) -> Found:
    import malt

    converted, args = malt.to_graph(PROGRAMS[name]), programs.arguments()[name]
    return lambda: converted(*args), malt.to_code(PROGRAMS[name])


def own_file(name: str, text: str) -> str:
    """A place that tools find a text's lines at."""
    import linecache

    path = f"<{name}>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    return path


WAYS: dict[str, Callable[[str], Found]] = {
    "pullback": by_pullback,
    "tf": by_tf_function,
    "malt": by_malt,
}


if __name__ == "__main__":
    assert importlib.util
    main()
