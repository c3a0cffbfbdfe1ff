"""The reverse mode, construct by construct, against finite differences."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest

from pullback import derive
from tests.core.transform.methods import REFUSED
from tests.core.transform.tables import entries, program
from tests.fuzz.oracle import judge
from tests.fuzz.programs import HEAD


@pytest.mark.parametrize(("table", "name"), entries())
def test_a_program_is_differentiated(table: str, name: str) -> None:
    verdict = judge(program(table, name))
    allowed = {"right", "refused"} if table == "regressions" else {"right"}
    assert verdict.kind in allowed, f"{verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize(("table", "name"), entries())
def test_with_respect_to_one_of_several(table: str, name: str) -> None:
    p = program(table, name)
    for w in p.wrt if len(p.wrt) > 1 else ():
        verdict = judge(replace(p, wrt=(w,)))
        assert verdict.kind in ("right", "refused"), f"{w}: {verdict.detail}\n{verdict.text}"


@pytest.mark.parametrize("name", REFUSED)
def test_a_method_that_is_not_known_is_refused_where_it_stands(name: str) -> None:
    text, code, underlined = REFUSED[name]
    source = HEAD + dedent(text).strip() + "\n"
    made = derive(source, "f", "vjp", "*")
    assert made.source is None
    assert (code, underlined) in [
        (d.code, source[d.span.start : d.span.end]) for d in made.diagnostics
    ]
