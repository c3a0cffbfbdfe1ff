"""Hessians times vectors: forward mode over reverse mode, construct by construct, against differences."""

from __future__ import annotations

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import asked, assert_curvature, space_of
from tests.core.transform.tables import entries, program


def _scalar(table: str, name: str) -> bool:
    p = program(table, name)
    value = space_of(p.source, "")["f"](*[np.copy(a)[()] for a in p.args])
    return not isinstance(value, tuple) and np.ndim(value) == 0


SCALAR = [entry for entry in entries("constructs", "algorithms", "regressions") if _scalar(*entry)]


@pytest.mark.parametrize(("table", "name"), SCALAR)
def test_a_hessian_times_a_vector_is_right_or_refused(table: str, name: str) -> None:
    p = program(table, name)
    derived = derive(p.source, "f", "hvp", asked(p.wrt), modules={})
    if derived.source is None:
        codes = {d.code for d in derived.diagnostics}
        assert table == "regressions" or codes <= {"PB302", "PB202"}, derived.diagnostics
        return
    space = space_of(p.source, derived.source)
    try:
        assert_curvature(space["f"], space["f_hvp"], p.args, p.wrt)
    except ValueError as refusal:  # of a check that the gradient makes when it runs
        assert "stores an element twice" in str(refusal)


@pytest.mark.parametrize(("table", "name"), entries("iteration", "in place", "control flow"))
def test_a_hessian_with_respect_to_one_of_several(table: str, name: str) -> None:
    p = program(table, name)
    if len(p.wrt) < 2 or not _scalar(table, name):
        return
    for w in p.wrt:
        derived = derive(p.source, "f", "hvp", w, modules={})
        if derived.source is None:
            # PB307: a list of the gradient's own that is not known as one
            refused = {"PB302", "PB202", "PB307"}
            assert {d.code for d in derived.diagnostics} <= refused, derived.diagnostics
            continue
        space = space_of(p.source, derived.source)
        assert_curvature(space["f"], space["f_hvp"], p.args, (w,))
