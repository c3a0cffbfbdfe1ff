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
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import autograd
import autograd.core
import jax
import numpy as np

from pullback.rules import STRUCTURAL, table
from pullback.rules.notation import COMPLEX, Rule
from pullback.rules.page import short
from tests.core.rules import harness
from tests.core.rules.test_conventions import AT_KINKS

jax.config.update("jax_enable_x64", True)
# what autograd calls primitives although nobody calls them: parts of its tracer and of other rules
INTERNAL = [
    "_array_from_scalar_or_array",
    "_make_dict",
    "array_from_args",
    "concatenate_args",
    "container_take",
    "container_untake",
    "covector",
    "dot_adjoint_0",
    "dot_adjoint_1",
    "inner_prod",
    "make_diagonal",
    "make_sequence",
    "mut_add",
    "scalar_mul",
    "sequence_extend_left",
    "sequence_extend_right",
    "sparse_add",
    "tensordot_adjoint_0",
    "tensordot_adjoint_1",
    "truncate_pad",
    "untake",
    "__getitem__",
]


@dataclass
class Peer:
    """What was found of one peer."""

    vjp: Callable[..., Any]
    has: set[str] = field(default_factory=set)
    apart: dict[str, str] = field(default_factory=dict)


def autograd_vjp(f: Any, args: tuple[Any, ...], where: int, y_bar: Any) -> Any:
    pull, _ = autograd.make_vjp(f, where)(*args)
    return pull(y_bar)


def jax_vjp(f: Any, args: tuple[Any, ...], where: int, y_bar: Any) -> Any:
    def moved(x: Any) -> Any:
        return f(*args[:where], x, *args[where + 1 :])

    y, pull = jax.vjp(moved, args[where])
    return pull(jax.numpy.asarray(y_bar, y.dtype))[0]


PEERS = {"autograd": Peer(autograd_vjp), "jax": Peer(jax_vjp)}


def counterpart(peer: str, name: str) -> Any:
    """The peer's function of this name, None where it has none."""
    path, _, last = name.rpartition(".")
    try:
        return getattr(importlib.import_module(f"{peer}.{path}"), last, None)
    except ImportError:
        return None


def asked_of() -> list[str]:
    """The functions with one result that Pullback differentiates."""
    here = [n for n in table() if n.startswith(("numpy.", "scipy.")) and harness.function(n)]
    return [n for n in here if table()[n].reverse and not table()[n].results]


def compare(rule: Rule, name: str) -> None:
    """Each peer at the first and the last sample of an entry; JAX compiles anew for each."""
    every = harness.samples(rule, name)
    for sample in [*every[:1], *every[1:][-1:]]:
        places = harness.places(rule, sample)
        y = harness.function(name)(*sample.args, **sample.kwargs)
        y_bar = np.asarray(harness.like(np.random.default_rng(1), y))
        bound = harness.binder(rule.signature)(*sample.args, **sample.kwargs)
        for p, formula in rule.reverse.items():
            at = places.get(p)
            if not isinstance(at, int) or not harness.floating(sample.args[at]):
                continue
            mine = harness.cotangent(rule, p, formula, {**bound, "y": y, "y_bar": y_bar})
            ask(name, sample, at, y_bar, mine, f"{short(name)}({sample.text})")


def ask(name: str, sample: harness.Sample, at: int, y_bar: Any, mine: Any, text: str) -> None:
    for peer, found in PEERS.items():
        f = counterpart(peer, name)
        if f is None:
            continue
        try:
            call = partial(f, **sample.kwargs)
            theirs = np.conj(found.vjp(call, sample.args, at, np.conj(y_bar)))  # their pairing
            theirs = np.asarray(theirs, dtype=np.result_type(np.asarray(mine), 0.0))
        except Exception:  # whatever a peer raises: it does not have this
            continue
        if theirs.shape != np.shape(mine):
            continue
        found.has.add(name)
        if not np.allclose(theirs, mine, rtol=1e-6, atol=1e-8, equal_nan=True):
            found.apart.setdefault(text, f"{_shown(mine)} | {_shown(theirs)}")


def _shown(x: Any) -> str:
    return np.array2string(np.asarray(x, float), precision=3, threshold=6).replace("\n", " ")


def at_kinks() -> None:
    for name, args, parameter, wanted in AT_KINKS:
        if not name.startswith(("numpy.", "scipy.")):
            continue
        sample = harness.Sample(tuple(args), {}, ", ".join(map(_argument, args)))
        at = harness.places(table()[name], sample)[parameter]
        y_bar = np.ones(np.shape(harness.function(name)(*args)))
        if isinstance(at, int):
            ask(name, sample, at, y_bar, np.asarray(wanted), f"{short(name)}({sample.text})")


def _argument(x: Any) -> str:
    return np.array2string(np.asarray(x, float), separator=", ")


def tails(names: Any) -> set[str]:
    return {n.rpartition(".")[2] for n in names}


def report(day: str) -> str:
    derived = [n for n, r in table().items() if r.reverse or r.results] + list(STRUCTURAL)
    theirs = sorted({f.__name__ for f in autograd.core.primitive_vjps})
    missing = [n for n in theirs if n not in tails(derived) and n not in INTERNAL]
    versions = {p: importlib.metadata.version(p) for p in ("autograd", "jax", "numpy", "scipy")}
    said = ", ".join(f"{p} {v}" for p, v in versions.items())
    lines = [
        "# Agreement with autograd and JAX",
        "",
        f"Made by `python -m benchmarks.agreement` on {day} with {said}.",
        "",
        "| | functions with a derivative |",
        "| --- | --- |",
        f"| Pullback | {len(derived)} |",
        f"| autograd | {len(autograd.core.primitive_vjps)} primitives, {len(INTERNAL)} of them parts of its tracer |",
        *(
            f"| of Pullback's, {peer} has at the same arguments | {len(found.has)} |"
            for peer, found in PEERS.items()
        ),
        "",
        "Primitives of autograd that Pullback does not differentiate: "
        + (", ".join(f"`{n}`{_note(n)}" for n in missing) or "none")
        + ".",
        "",
    ]
    for peer, found in PEERS.items():
        lines += [f"## Where {peer} gives something else", ""]
        if not found.apart:
            lines += ["Nowhere.", ""]
            continue
        lines += [f"| call | Pullback | {peer} |", "| --- | --- | --- |"]
        lines += [f"| `{call}` | {values} |" for call, values in sorted(found.apart.items())]
        lines += [""]
    return "\n".join([*lines, NOTES])


NOTES = """## Why

- Kinks: at a bound of `np.clip` the closed interval passes; `abs` is flat at 0, ties are shared. JAX gives `abs` the
  slope 1 at 0, the whole slope to one side of `fmin`, and 0.5 to both sides of `hypot` at 0, where Pullback says `nan`.
  What is given where a slope is infinite, or there is none, is on the page of [conventions](conventions.md).
- `cholesky`, `eigh` and their kin read one triangle of their argument, and their gradient lies there; the peers give
  the part of it along symmetric changes. Finite differences of what NumPy computes agree with the triangle.
- `np.prod` is right where elements are 0 and `np.sinc` at 0, where autograd gives `nan`; so are extreme norms at ties.
- autograd's `solve_triangular` gives the diagonal a slope that `unit_diagonal` leaves unread, and its `solve` takes one
  vector for a matrix where there are several equations.
- `partition` leaves the elements on either side in another order in JAX.
- `spence` is `nan` above 1 in JAX. autograd gives 0 for the degrees of freedom of `chi2` and for the value of
  `full_like`, JAX for the step of `arange`.
- Complex cotangents are paired without conjugating by both; that is undone here before they are compared.
"""


def _note(name: str) -> str:
    """Why Pullback has no derivative of a primitive of autograd."""
    if name in tails(n for n, r in COMPLEX.items() if r.reverse):
        return " (of complex numbers only: constant of real ones)"
    constant = tails(n for n, r in table().items() if r.kind == "constant")
    return " (constant almost everywhere)" if name in constant else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--write", type=Path, help="the page to write; printed where none is named")
    parser.add_argument("--day", default=str(datetime.date.today()), help="the date on the page")
    asked = parser.parse_args()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for k, name in enumerate(asked_of()):
            compare(table()[name], name)
            if k % 40 == 0:
                jax.clear_caches()  # which grow to gigabytes
        at_kinks()
    text = report(asked.day)
    if asked.write is None:
        print(text)
    else:
        asked.write.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
