"""Pullback's rules beside autograd's and JAX's: who has which function, and whether they agree.

    python -m venv peers && peers/bin/pip install -r benchmarks/agreement-requirements.txt
    PYTHONPATH=core:. peers/bin/python -m benchmarks.agreement --write docs/agreement.md

Every entry of the rule table is asked at its own samples, and at the kinks of docs/conventions.md. A peer has
a function where it has one of that name that takes the sample's arguments and gives a derivative.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import importlib.metadata
import multiprocessing
import pkgutil
import re
import sys
import warnings
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import autograd
import autograd.core
import jax
import numpy as np

from pullback.derive import derive
from pullback.rules import STRUCTURAL, table
from pullback.rules.page import short
from tests.core.rules import harness
from tests.core.rules.calls import CALLS, program
from tests.core.rules.test_conventions import AT_KINKS

jax.config.update("jax_enable_x64", True)
# JAX compiles some functions for minutes; one that takes longer than this is named on the page.
LIMIT = 90.0
KINKS = "the kinks"  # asked for as if it were a function
NAMES = Path(__file__).parents[1] / "tests" / "core" / "rules" / "autograd_names.txt"


@dataclass
class Found:
    """What was found of one peer."""

    has: set[str] = field(default_factory=set)
    apart: dict[str, str] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        self.has |= other.has
        self.apart.update(other.apart)
        self.late += other.late


def autograd_vjp(f: Any, x: Any, y_bar: Any) -> Any:
    pull, _ = autograd.make_vjp(f)(x)
    return pull(y_bar)


def jax_vjp(f: Any, x: Any, y_bar: Any) -> Any:
    y, pull = jax.vjp(f, x)
    parts, form = jax.tree.flatten(y)
    bars = [jax.numpy.asarray(b, p.dtype) for b, p in zip(harness.parts(y_bar), parts, strict=True)]
    return pull(jax.tree.unflatten(form, bars))[0]


PEERS = {"autograd": autograd_vjp, "jax": jax_vjp}


def counterpart(peer: str, name: str) -> Any:
    """The peer's function of this name, None where it has none."""
    path, _, last = name.rpartition(".")
    try:
        return getattr(importlib.import_module(f"{peer}.{path}"), last, None)
    except ImportError:
        return None


def asked_of() -> list[str]:
    """The functions that Pullback differentiates and that are there to be called."""
    here = [n for n in table() if n.startswith(("numpy.", "scipy.")) and harness.function(n)]
    return [n for n in here if table()[n].reverse] + list(CALLS)


def compare(peer: str, name: str) -> Found:
    """A peer at the first and the last sample of an entry, or at the call of a function that has none."""
    if counterpart(peer, name) is None:
        return Found()
    if name in CALLS:
        return compare_call(peer, name)
    rule, found = table()[name], Found()
    every = harness.samples(rule, name)
    for sample in [*every[:1], *every[1:][-1:]]:  # JAX compiles anew for each
        places = harness.places(rule, sample)
        y = harness.function(name)(*sample.args, **sample.kwargs)
        y_bar = harness.seed(np.random.default_rng(1), rule, y)
        bound = harness.binder(rule.signature)(*sample.args, **sample.kwargs)
        for p, formula in rule.reverse.items():
            at = places.get(p)
            if not isinstance(at, int) or not harness.floating(sample.args[at]):
                continue
            mine = harness.cotangent(rule, p, formula, {**bound, "y": y, "y_bar": y_bar})
            found.add(ask(peer, name, sample, at, y_bar, mine))
    return found


def ask(peer: str, name: str, sample: harness.Sample, at: int, y_bar: Any, mine: Any) -> Found:
    """What the peer says of one argument."""
    f = counterpart(peer, name)

    def moved(x: Any) -> Any:
        return f(*sample.args[:at], x, *sample.args[at + 1 :], **sample.kwargs)

    return held(peer, name, moved, sample.args[at], y_bar, mine, f"{short(name)}({sample.text})")


def held(peer: str, name: str, f: Any, x: Any, y_bar: Any, mine: Any, text: str) -> Found:
    """The peer's cotangent of x beside ours."""
    bars = tuple(np.conj(b) for b in harness.parts(y_bar))  # peers pair without conjugating
    try:
        theirs = np.conj(PEERS[peer](f, x, bars if isinstance(y_bar, tuple) else bars[0]))
        theirs = np.asarray(theirs, dtype=np.result_type(np.asarray(mine), 0.0))
    except Exception:  # whatever a peer raises: it does not have this
        return Found()
    if theirs.shape != np.shape(mine):
        return Found()
    if np.allclose(theirs, mine, rtol=1e-6, atol=1e-8, equal_nan=True):
        return Found({name})
    return Found({name}, {text: f"{_shown(mine)} | {_shown(theirs)}"})


def compare_call(peer: str, name: str) -> Found:
    """A call of a function that the engine takes apart: the derivative that Pullback writes, beside the peer's."""
    text = program(name)
    made = derive(text, "f", kind="vjp", wrt="x").source
    if made is None:
        raise ValueError(f"{name} is not differentiated")
    ours: dict[str, Any] = {}
    exec(f"{text}\n{made}", ours)
    theirs = {
        "np": importlib.import_module(f"{peer}.numpy"),
        "scipy": importlib.import_module(f"{peer}.scipy"),
    }
    exec(re.sub("^import .*\n", "", text, flags=re.M), theirs)
    rng = np.random.default_rng(1)
    x, a = rng.normal(size=(4, 4)), rng.normal(size=(4, 4))
    y_bar = harness.like(rng, ours["f"](x, a))
    mine = ours["f_vjp"](x, a, y_bar)
    return held(peer, name, lambda v: theirs["f"](v, a), x, y_bar, mine, CALLS[name])


def _shown(x: Any) -> str:
    return np.array2string(np.asarray(x, float), precision=3, threshold=6).replace("\n", " ")


def at_kinks(peer: str) -> Found:
    found = Found()
    for name, args, parameter, wanted in AT_KINKS:
        if not name.startswith(("numpy.", "scipy.")):
            continue
        sample = harness.Sample(tuple(args), {}, ", ".join(map(_argument, args)))
        at = harness.places(table()[name], sample)[parameter]
        y_bar = np.ones(np.shape(harness.function(name)(*args)))
        if isinstance(at, int):
            found.add(ask(peer, name, sample, at, y_bar, np.asarray(wanted)))
    return found


def _argument(x: Any) -> str:
    return np.array2string(np.asarray(x, float), separator=", ")


# --- asked in a process of its own, which is ended where it takes too long -----------------------


def answer(calls: Connection) -> None:
    """Compares the functions that are asked for, until there are no more."""
    warnings.simplefilter("ignore")
    calls.send("ready")
    with np.errstate(all="ignore"):
        for k, (peer, name) in enumerate(iter(calls.recv, None)):
            calls.send(at_kinks(peer) if name == KINKS else compare(peer, name))
            if k % 40 == 0:
                jax.clear_caches()  # which grow to gigabytes


def asked(peer: str, names: list[str]) -> Found:
    """What the peer has of these functions; a function that takes longer than LIMIT is late."""
    found = Found()
    process, calls = _started()
    for name in [*names, KINKS]:
        calls.send((peer, name))
        if calls.poll(LIMIT):
            found.add(calls.recv())
            continue
        found.late.append(name)
        process.kill()
        process, calls = _started()
    calls.send(None)
    process.join()
    return found


def _started() -> tuple[BaseProcess, Connection]:
    spawning = multiprocessing.get_context("spawn")
    here, there = spawning.Pipe()
    process = spawning.Process(target=answer, args=(there,), daemon=True)
    process.start()
    there.close()  # so that its end is noticed
    here.recv()  # imports take their time
    return process, here


# --- what autograd has ---------------------------------------------------------------------------


def primitives() -> list[str]:
    """The functions of NumPy and SciPy that autograd differentiates, by their names there.

    Of its primitives, the others are parts of its tracer and of other rules.
    """
    for info in pkgutil.walk_packages(autograd.__path__, "autograd."):
        if info.name.startswith(("autograd.numpy", "autograd.scipy")):
            importlib.import_module(info.name)
    loaded = [m for m in sys.modules if m.startswith(("autograd.numpy", "autograd.scipy"))]
    names = {
        f"{module.removeprefix('autograd.').removesuffix('.numpy_wrapper')}.{value.__name__}"
        for module in loaded
        for value in vars(sys.modules[module]).values()
        if callable(value) and value in autograd.core.primitive_vjps
    }
    return sorted(n for n in names if harness.function(n))


def report(day: str, peers: dict[str, Found]) -> str:
    derived = [n for n, r in table().items() if r.reverse] + list(STRUCTURAL)
    versions = {p: importlib.metadata.version(p) for p in ("autograd", "jax", "numpy", "scipy")}
    said = ", ".join(f"{p} {v}" for p, v in versions.items())
    public, every = len(primitives()), len(autograd.core.primitive_vjps)
    lines = [
        "# Agreement with autograd and JAX",
        "",
        f"Made by `python -m benchmarks.agreement` on {day} with {said}.",
        "",
        "| | functions with a derivative |",
        "| --- | --- |",
        f"| Pullback | {len(derived)} |",
        f"| autograd | {public} functions; its {every} primitives hold parts of its tracer too |",
        *(
            f"| of Pullback's, {peer} has at the same arguments | {len(found.has)} |"
            for peer, found in peers.items()
        ),
        "",
        "None of autograd's functions is missing: `tests/core/rules/test_names.py` holds that.",
        "",
    ]
    for peer, found in peers.items():
        lines += [f"## Where {peer} gives something else", ""]
        lines += _table(peer, found.apart) if found.apart else ["Nowhere."]
        if found.late:
            late = ", ".join(f"`{short(n)}`" for n in found.late)
            lines += ["", f"Not compared, since {peer} took longer than {LIMIT:.0f} s: {late}."]
        lines += [""]
    return "\n".join([*lines, NOTES])


def _table(peer: str, apart: dict[str, str]) -> list[str]:
    rows = [f"| `{call}` | {values} |" for call, values in sorted(apart.items())]
    return [f"| call | Pullback | {peer} |", "| --- | --- | --- |", *rows]


NOTES = """## Why

- Kinks: at a bound of `np.clip` the closed interval passes; `abs` is flat at 0, ties are shared. JAX gives `abs` the
  slope 1 at 0, the whole slope to one side of `fmin`, and 0.5 to both sides of `hypot` at 0, where Pullback says `nan`.
  What is given where a slope is infinite, or there is none, is on the page of [conventions](conventions.md).
- `cholesky`, `eigh` and their kin read one triangle of their argument, and their gradient lies there; the peers give
  the part of it along symmetric changes. Finite differences of what NumPy computes agree with the triangle.
- `np.prod` is right where elements are 0 and `np.sinc` at 0, where autograd gives `nan`; so are extreme norms at ties.
- autograd's `solve_triangular` gives the diagonal a slope that `unit_diagonal` leaves unread, and its `solve` takes one
  vector for a matrix where there are several equations.
- autograd's `eig` leaves out that its vectors are scaled to length one. JAX differentiates `pinv` as if `rcond` took
  nothing for 0, which finite differences do not bear out.
- `partition` leaves the elements on either side in another order in JAX, and `method="nearest"` takes another neighbour
  of a quantile that is halfway.
- `spence` is `nan` above 1 in JAX. autograd gives 0 for the degrees of freedom of `chi2` and for the value of
  `full_like`, JAX for the step of `arange`.
- autograd gives zeros, and warns, for what it takes from NumPy and does not follow: `block`, `choose`,
  `concat`, `dstack` and `multi_dot`.
- Complex cotangents are paired without conjugating by both; that is undone here before they are compared.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--write", type=Path, help="the page to write; printed where none is named")
    parser.add_argument("--day", default=str(datetime.date.today()), help="the date on the page")
    options = parser.parse_args()
    NAMES.write_text("\n".join(primitives()) + "\n", encoding="utf-8", newline="\n")
    text = report(options.day, {peer: asked(peer, asked_of()) for peer in PEERS})
    if options.write is None:
        print(text)
    else:
        options.write.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
