"""All programs `f` of this folder's tables that are called with numbers and arrays."""

from __future__ import annotations

import ast
from textwrap import dedent
from typing import Any

import numpy as np

from tests.core.rules.harness import older_than, scipy_older_than
from tests.core.transform.algorithms import ALGORITHMS
from tests.core.transform.calls import CALLS
from tests.core.transform.complex_numbers import COMPLEX_NUMBERS
from tests.core.transform.constructs import CONSTRUCTS
from tests.core.transform.control_flow import CONTROL_FLOW
from tests.core.transform.handed_over import HANDED_OVER
from tests.core.transform.in_place import IN_PLACE
from tests.core.transform.iteration import ITERATION
from tests.core.transform.methods import METHODS
from tests.core.transform.narrow import NARROW
from tests.core.transform.nested import NESTED
from tests.core.transform.regressions import REGRESSIONS
from tests.core.transform.several_results import SEVERAL_RESULTS
from tests.fuzz.programs import HEAD, Program

TABLES: dict[str, dict[str, tuple[str, tuple[Any, ...]]]] = {
    "constructs": CONSTRUCTS,
    "algorithms": ALGORITHMS,
    "calls": CALLS,
    "methods": METHODS,
    "complex numbers": COMPLEX_NUMBERS,
    "several results": SEVERAL_RESULTS,
    "in place": IN_PLACE,
    "control flow": CONTROL_FLOW,
    "iteration": ITERATION,
    "handed over": HANDED_OVER,
    "nested": NESTED,
    "narrow": NARROW,
    "regressions": REGRESSIONS,  # what was wrong once: a refusal is right, too
}
# what NumPy lacks since a release, and what it and SciPy lack before one
GONE = {"the sizes of vectors in the plane that cross": "2.5.0"}
NEW = {
    "the results of a decomposition under one name": "1.25.0",
    "an average over two axes, with weights for them": "2.0.0",
    "one right side for several matrices": "2.0.0",
    "diagonals of the last two axes": "2.0.0",
}
NEW_IN_SCIPY = {"a solver that reads one triangle": "1.15.0"}


def entries(*tables: str) -> list[tuple[str, str]]:
    """Table and name of each program of `tables`; of all where none is named, without what this NumPy lacks."""
    every = [(table, name) for table in tables or TABLES for name in TABLES[table]]
    return [(table, name) for table, name in every if not _lacking(name)]


def _lacking(name: str) -> bool:
    if name in GONE:
        return not older_than(GONE[name])
    return older_than(NEW.get(name, "1.0.0")) or scipy_older_than(NEW_IN_SCIPY.get(name, "1.0.0"))


def program(table: str, name: str) -> Program:
    """A program with respect to all that is floating in its arguments."""
    text, args = TABLES[table][name]
    source = HEAD + dedent(text).strip() + "\n"
    [f] = [d for d in ast.parse(source).body if isinstance(d, ast.FunctionDef) and d.name == "f"]
    params = [a.arg for a in f.args.args]
    floating = [np.asarray(a).dtype.kind in "fc" for a in args]
    wrt = tuple(n for n, yes in zip(params, floating) if yes)
    return Program(source, args, wrt, "several" not in text)
