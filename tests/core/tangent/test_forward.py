"""Forward mode, construct by construct: against finite differences, and against the vjp."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.transform.tables import entries, program
from tests.fuzz.oracle import judge

MIXED = "regressions"  # the one table in which some are refused
REFUSED = {"stores into real and imaginary parts"}


@pytest.mark.parametrize(("table", "name"), entries())
def test_a_program_has_a_tangent(table: str, name: str) -> None:
    verdict = judge(program(table, name), "jvp")
    allowed = {"right", "refused"} if table == MIXED else {"right"}
    assert verdict.kind in ({"refused"} if name in REFUSED else allowed), (
        f"{verdict.detail}\n{verdict.text}"
    )


@pytest.mark.parametrize(("table", "name"), entries())
def test_with_respect_to_one_of_several(table: str, name: str) -> None:
    p = program(table, name)
    for w in p.wrt if len(p.wrt) > 1 else ():
        verdict = judge(replace(p, wrt=(w,)), "jvp")
        assert verdict.kind in ("right", "refused"), f"{w}: {verdict.detail}\n{verdict.text}"
