"""The benchmark's gradients: those by hand are right, and what is generated is right and about as long."""

from __future__ import annotations

import ast
import inspect

import pytest

import pullback
from benchmarks.gradients import by_hand, primals
from benchmarks.gradients.workloads import WORKLOADS, Workload
from tests.core.differences import assert_derivative

SMALL = {
    "mlp": (3, 4),
    "scalar_loop": (5,),
    "lattice": (5, 2, 3),
    "indexed_loop": (6,),
    "heat": (6, 3),
    "jacobi": (5, 3),
    "rnn": (3, 2, 4),
    "lstm": (3, 2, 4),
    "gmm": (5, 3, 2),
    "bundle": (6, 2, 3),
    "logistic": (5, 3),
    "gaussian_process": (6,),
}


def text_of(workload: Workload) -> str:
    source = inspect.getsource(primals)
    derived = pullback.derive(source, workload.name, "grad", workload.wrt, modules={})
    assert derived.source is not None, derived.diagnostics
    return derived.source


def lines(text: str) -> int:
    """How many lines the last function takes without its docstring, each statement one, however wide."""
    f = ast.parse(text).body[-1]
    assert isinstance(f, ast.FunctionDef)
    documented = ast.get_docstring(f) is not None
    return sum(len(ast.unparse(s).splitlines()) for s in f.body[documented:])


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda w: w.name)
def test_a_gradient_by_hand_is_that_of_finite_differences(workload: Workload) -> None:
    args = workload.at(SMALL[workload.name])
    assert_derivative(workload.primal, getattr(by_hand, workload.name), args, "grad", workload.wrt)


@pytest.mark.slow
@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda w: w.name)
def test_a_generated_gradient_is_that_by_hand(workload: Workload) -> None:
    args = workload.at(SMALL[workload.name])
    made = pullback.grad(workload.primal, workload.wrt)
    assert_derivative(workload.primal, made, args, "grad", workload.wrt, one=False)


@pytest.mark.slow
def test_generated_gradients_are_about_as_long_as_those_by_hand() -> None:
    generated = sum(lines(text_of(w)) for w in WORKLOADS)
    by_people = sum(lines(inspect.getsource(getattr(by_hand, w.name))) for w in WORKLOADS)
    assert generated <= 1.3 * by_people
