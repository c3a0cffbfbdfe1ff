"""The reverse mode, construct by construct, against finite differences."""

from __future__ import annotations

import ast
from textwrap import dedent

import numpy as np
import pytest

from pullback import derive
from tests.core.transform.algorithms import ALGORITHMS
from tests.core.transform.calls import CALLS
from tests.core.transform.complex_numbers import COMPLEX_NUMBERS
from tests.core.transform.constructs import CONSTRUCTS
from tests.core.transform.control_flow import CONTROL_FLOW
from tests.core.transform.handed_over import HANDED_OVER
from tests.core.transform.in_place import IN_PLACE
from tests.core.transform.methods import METHODS, REFUSED
from tests.core.transform.regressions import REGRESSIONS
from tests.core.transform.several_results import SEVERAL_RESULTS
from tests.fuzz.oracle import judge
from tests.fuzz.programs import HEAD, Program


def program(text: str, args: tuple[object, ...]) -> Program:
    source = HEAD + dedent(text).strip() + "\n"
    params = [a.arg for a in ast.parse(source).body[-1].args.args]  # type: ignore[attr-defined]
    floating = [np.asarray(a).dtype.kind in "fc" for a in args]
    wrt = tuple(n for n, yes in zip(params, floating) if yes)
    return Program(source, args, wrt, "several" not in text)


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_is_differentiated(name: str) -> None:
    verdict = judge(program(*CONSTRUCTS[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_is_differentiated(name: str) -> None:
    verdict = judge(program(*ALGORITHMS[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_differentiated(name: str) -> None:
    verdict = judge(program(*CALLS[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", METHODS)
def test_a_call_of_a_method_is_differentiated(name: str) -> None:
    verdict = judge(program(*METHODS[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", REFUSED)
def test_a_method_that_is_not_known_is_refused_where_it_stands(name: str) -> None:
    text, code, underlined = REFUSED[name]
    source = HEAD + dedent(text).strip() + "\n"
    made = derive(source, "f", "vjp", "*")
    assert made.source is None
    assert (code, underlined) in [
        (d.code, source[d.span.start : d.span.end]) for d in made.diagnostics
    ]


@pytest.mark.parametrize("name", COMPLEX_NUMBERS)
def test_complex_numbers_are_differentiated(name: str) -> None:
    verdict = judge(program(*COMPLEX_NUMBERS[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", SEVERAL_RESULTS)
def test_functions_with_several_results_are_differentiated(name: str) -> None:
    verdict = judge(program(*SEVERAL_RESULTS[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", IN_PLACE)
def test_a_call_that_writes_is_differentiated(name: str) -> None:
    verdict = judge(program(*IN_PLACE[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", CONTROL_FLOW)
def test_control_flow_is_differentiated(name: str) -> None:
    verdict = judge(program(*CONTROL_FLOW[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", HANDED_OVER)
def test_arrays_that_change_their_names_are_differentiated(name: str) -> None:
    verdict = judge(program(*HANDED_OVER[name]))
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", REGRESSIONS)
def test_what_was_wrong_once_is_right_or_refused(name: str) -> None:
    verdict = judge(program(*REGRESSIONS[name]))
    assert verdict.kind in ("right", "refused"), f"{verdict.detail}\n{verdict.text}"
