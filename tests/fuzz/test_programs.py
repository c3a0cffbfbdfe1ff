"""Random programs: each is differentiated rightly or refused, never wrongly.

The same programs at every run; `python -m tests.fuzz.run` looks for others.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fuzz.oracle import Verdict, judge
from tests.fuzz.programs import Program, program
from tests.fuzz.shrink import shrink


def _said(p: Program, verdict: Verdict) -> str:
    return f"{verdict.detail}\n\n{p.source}\n# args {p.args!r}\n\n{verdict.text}"


@settings(
    max_examples=120,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.generate,),  # programs are shrunk by shrink.py, in seconds
    suppress_health_check=list(HealthCheck),
)
@given(st.randoms(use_true_random=False))
def test_random_programs(r: random.Random) -> None:
    p = program(r)
    verdict = judge(p)
    assert verdict.kind != "wrong", _said(p, verdict)


def test_most_random_programs_are_differentiated(
    record_property: Callable[[str, object], None],
) -> None:
    counts: Counter[str] = Counter()
    for seed in range(150):
        p = program(random.Random(seed))
        kind = ("grad", "value_and_grad")[seed % 2] if p.scalar else "vjp"
        verdict = judge(p, kind, twice=False)
        assert verdict.kind != "wrong", f"seed {seed}: {_said(p, verdict)}"
        counts[verdict.kind] += 1
    record_property("inputs", counts.total())
    assert counts["right"] > counts["refused"], counts


def test_random_programs_have_tangents(record_property: Callable[[str, object], None]) -> None:
    counts: Counter[str] = Counter()
    for seed in range(100):
        p = program(random.Random(seed))
        verdict = judge(p, "jvp", twice=False)
        assert verdict.kind != "wrong", f"seed {seed}: {_said(p, verdict)}"
        counts[verdict.kind] += 1
    record_property("inputs", counts.total())
    assert counts["right"] > counts["refused"], counts


def test_a_program_is_the_same_for_the_same_choices() -> None:
    one, two = (program(random.Random(7)) for _ in range(2))
    assert one.source == two.source


def test_shrinking_keeps_what_holds() -> None:
    p = program(random.Random(3))
    small = shrink(p, lambda q: "np.sin" in q.source, tries=200)
    assert "np.sin" in small.source
    assert len(small.source) < len(p.source)
