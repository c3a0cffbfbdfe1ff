"""What the derivatives of the programs record: `tests/programs/golden/tapes.md` holds the bytes of each.

`UPDATE_GOLDEN=1 pytest tests/core/test_tapes.py` writes the table anew; a number that grows is looked into before
it is committed.
"""

from __future__ import annotations

import copy
import functools
import os
import re
from typing import Any

import numpy as np
import pytest

from tests.core.differences import seeds_for
from tests.core.programs import FOLDER, PROGRAMS, Program
from tests.core.tapes import recorded_bytes

TABLE = FOLDER / "golden" / "tapes.md"
HEAD = """\
# What is recorded

Bytes that the derivative of each program puts onto its tapes at the arguments of its file, and what those take.

| program | tapes | arguments |
| --- | ---: | ---: |
"""
ROW = re.compile(r"^\| (\w+) \| (\d+) \| (\d+) \|$", re.M)


def with_seeds(p: Program) -> tuple[Any, ...]:
    """The program's arguments, with ones for the cotangents of its outputs."""
    args = p.arguments()
    if p.kind != "vjp":
        return args
    given = copy.deepcopy(args)
    got = p.space[p.func](*given)
    if got is None:  # its outputs are the arrays that it fills
        filled = [
            a for a, b in zip(given, args) if isinstance(a, np.ndarray) and not np.array_equal(a, b)
        ]
        got = tuple(filled) if len(filled) > 1 else filled[0]
    return (*args, seeds_for(got) if isinstance(got, tuple) else seeds_for((got,))[0])


@functools.cache
def measured(name: str) -> tuple[int, int]:
    p = PROGRAMS[name]
    made = p.golden.read_text(encoding="utf-8")
    tapes = recorded_bytes(p.source, made, f"{p.func}_{p.kind}", with_seeds(p))
    taken = sum(
        int(np.asarray(a).nbytes) for a in p.arguments() if isinstance(a, (np.ndarray, float))
    )
    return tapes, taken


def table() -> dict[str, tuple[int, int]]:
    rows = ROW.findall(TABLE.read_text(encoding="utf-8"))
    return {name: (int(tapes), int(taken)) for name, tapes, taken in rows}


def test_the_table_is_whole() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        rows = (f"| {name} | {measured(name)[0]} | {measured(name)[1]} |\n" for name in PROGRAMS)
        TABLE.write_text(HEAD + "".join(rows), encoding="utf-8", newline="\n")
    assert list(table()) == list(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_records_what_the_table_says(name: str) -> None:
    assert measured(name) == table()[name]
