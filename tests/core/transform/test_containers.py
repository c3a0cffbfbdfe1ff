"""Containers as parameters, as local variables and as results, against finite differences."""

from __future__ import annotations

import sys
import types
from textwrap import dedent
from typing import Any

import pytest

from pullback import derive
from tests.core.differences import asked
from tests.core.structures import assert_right, assert_tangent, leaves
from tests.core.transform.containers import CONTAINERS, REFUSED, instance

HEAD = """import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np


"""


def _made(name: str, kind: str) -> tuple[Any, tuple[Any, ...], tuple[str, ...]]:
    """A module that holds a program and its derivative, the arguments, and what it is with respect to."""
    text, args = CONTAINERS[name]
    source = HEAD + dedent(text).strip() + "\n"
    module = types.ModuleType("case")
    sys.modules["case"] = module  # dataclasses look their module up
    exec(source, module.__dict__)
    given = tuple(instance(a, module.__dict__) for a in args)
    names = module.f.__code__.co_varnames[: len(given)]
    wrt = tuple(n for n, a in zip(names, given) if any(True for _ in leaves(a)))
    made = derive(source, "f", kind=kind, wrt=asked(wrt))
    assert made.source is not None, [d.message for d in made.diagnostics]
    exec(made.source, module.__dict__)
    return module, given, wrt


# writes into arrays that containers hold: reverse mode alone
REVERSE_ALONE = (
    "… and a list",
    "… and an object, by functions that it is passed to",
    "arrays in the caller's containers, which stay as they are",
)


@pytest.mark.parametrize("name", REVERSE_ALONE)
def test_what_forward_mode_leaves_out_is_refused(name: str) -> None:
    made = derive(HEAD + dedent(CONTAINERS[name][0]).strip() + "\n", "f", kind="jvp", wrt="*")
    assert made.source is None
    assert {d.code for d in made.diagnostics} <= {"PB109", "PB110", "PB202"}


@pytest.mark.parametrize("name", [name for name in CONTAINERS if name not in REVERSE_ALONE])
def test_a_container_has_a_tangent(name: str) -> None:
    module, given, wrt = _made(name, "jvp")
    names = module.f.__code__.co_varnames
    assert_tangent(module.f, module.f_jvp, given, [names.index(w) for w in wrt])


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_is_differentiated(name: str) -> None:
    module, given, wrt = _made(name, "vjp")

    def all_of(*given: object) -> tuple[object, ...]:
        got = module.f_vjp(*given)
        return got if len(wrt) > 1 else (got,)

    assert_right(module.f, all_of, given, wrt)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_told_is_refused(name: str) -> None:
    text, code, line = REFUSED[name]
    source = HEAD + dedent(text).strip() + "\n"
    made = derive(source, "f", kind="vjp", wrt="*")
    assert made.source is None
    found = [(d.code, source[: d.span.start].count("\n")) for d in made.diagnostics]
    lines = source.split("\n")
    assert (code, line) in [(c, lines[n].strip()) for c, n in found]
