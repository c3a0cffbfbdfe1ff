"""Forward mode, construct by construct: against finite differences, and against the vjp."""

from __future__ import annotations

import pytest

from tests.core.transform.algorithms import ALGORITHMS
from tests.core.transform.calls import CALLS
from tests.core.transform.complex_numbers import COMPLEX_NUMBERS
from tests.core.transform.constructs import CONSTRUCTS
from tests.core.transform.control_flow import CONTROL_FLOW
from tests.core.transform.handed_over import HANDED_OVER
from tests.core.transform.in_place import IN_PLACE
from tests.core.transform.methods import METHODS
from tests.core.transform.regressions import REGRESSIONS
from tests.core.transform.several_results import SEVERAL_RESULTS
from tests.core.transform.test_reverse import program
from tests.fuzz.oracle import judge


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_has_a_tangent(name: str) -> None:
    verdict = judge(program(*CONSTRUCTS[name]), "jvp")
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", METHODS)
def test_a_call_of_a_method_has_a_tangent(name: str) -> None:
    verdict = judge(program(*METHODS[name]), "jvp")
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_differentiated(name: str) -> None:
    verdict = judge(program(*CALLS[name]), "jvp")
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_has_a_tangent(name: str) -> None:
    verdict = judge(program(*ALGORITHMS[name]), "jvp")
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", REGRESSIONS)
def test_what_reverse_mode_had_wrong_is_right_or_refused(name: str) -> None:
    verdict = judge(program(*REGRESSIONS[name]), "jvp")
    assert verdict.kind in ("right", "refused"), f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", COMPLEX_NUMBERS)
def test_complex_numbers_have_tangents(name: str) -> None:
    verdict = judge(program(*COMPLEX_NUMBERS[name]), "jvp")
    wanted = "refused" if name == "stores into real and imaginary parts" else "right"
    assert verdict.kind == wanted, f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", SEVERAL_RESULTS)
def test_functions_with_several_results_are_right_or_refused(name: str) -> None:
    verdict = judge(program(*SEVERAL_RESULTS[name]), "jvp")
    assert verdict.kind in ("right", "refused"), f"{verdict.detail}\n{verdict.text}"


WRITTEN = {**CONTROL_FLOW, **HANDED_OVER, **IN_PLACE}


@pytest.mark.parametrize("name", WRITTEN)
def test_statements_as_people_write_them_are_right_or_refused(name: str) -> None:
    verdict = judge(program(*WRITTEN[name]), "jvp")
    assert verdict.kind in ("right", "refused"), f"{verdict.detail}\n{verdict.text}"
