"""Forward mode, construct by construct: against finite differences, and against the vjp."""

from __future__ import annotations

import pytest

from tests.core.transform.tables import entries, program
from tests.fuzz.oracle import judge

WHOLE = {"constructs", "algorithms", "calls", "methods", "complex numbers"}  # nothing is refused
REFUSED = {"stores into real and imaginary parts"}


@pytest.mark.parametrize(("table", "name"), entries())
def test_a_program_has_a_tangent(table: str, name: str) -> None:
    verdict = judge(program(table, name), "jvp")
    allowed = {"right"} if table in WHOLE else {"right", "refused"}
    assert verdict.kind in ({"refused"} if name in REFUSED else allowed), (
        f"{verdict.detail}\n{verdict.text}"
    )
