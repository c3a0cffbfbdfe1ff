"""The benchmark's programs: staged and by hand they give the values of NumPy."""

from __future__ import annotations

import copy

import pytest

from benchmarks.staged.programs import PROGRAMS, arguments
from benchmarks.staged.ways import BACKENDS, ways_of
from tests.core.staging.comparing import same


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_staged_and_by_hand(name: str, backend: str) -> None:
    pytest.importorskip(backend, reason=f"{backend} is not installed")
    wanted = PROGRAMS[name](*copy.deepcopy(arguments()[name]))
    for way in ways_of(backend, name):
        same(way.run(), wanted)
