"""What the derivatives of the programs record: `tests/programs/golden/tapes.md` holds the bytes of each.

`UPDATE_GOLDEN=1 pytest tests/core/test_tapes.py` writes the table anew; a number that grows is looked into before
it is committed.
"""

from __future__ import annotations

import functools
import os
import re

import numpy as np
import pytest

from tests.core.programs import FOLDER, PROGRAMS, with_seeds
from tests.core.tapes import recorded_bytes

TABLE = FOLDER / "golden" / "tapes.md"
HEAD = """\
# What is recorded

Bytes that the derivative of each program puts onto its tapes at the arguments of its file, and what those take.

| program | tapes | arguments |
| --- | ---: | ---: |
"""
ROW = re.compile(r"^\| (\w+) \| (\d+) \| (\d+) \|$", re.M)


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
