"""Bools and short integers, in every kind of derivative."""

from __future__ import annotations

import pytest

from pullback import derive
from tests.core.differences import asked, assert_derivative, space_of
from tests.core.transform.narrow import NARROW
from tests.core.transform.tables import program

KINDS = ("grad", "vjp", "jvp", "hvp", "jacobian", "hessian")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NARROW)
def test_a_program_with_bools_or_short_integers_is_differentiated(name: str, kind: str) -> None:
    p = program("narrow", name)
    derived = derive(p.source, "f", kind, asked(p.wrt))
    assert derived.source is not None, derived.diagnostics
    space = space_of(p.source, derived.source)
    assert_derivative(space["f"], space[derived.name], p.args, kind, p.wrt)
