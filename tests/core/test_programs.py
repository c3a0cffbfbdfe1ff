"""Real programs, differentiated as they are written: `tests/programs`, whose form `programs.py` tells.

`UPDATE_GOLDEN=1 pytest tests/core/test_programs.py` writes the derivatives anew; read the diff before you
commit it.
"""

from __future__ import annotations

import functools
import os

import pytest

from tests.core.differences import assert_derivative, returning, space_of
from tests.core.programs import FOLDER, PROGRAMS, Program
from tests.core.ruff import assert_ruff_clean
from tests.core.structures import assert_right, parts


@functools.cache
def answer(name: str) -> str:
    """What is generated for a program, as its golden file holds it."""
    derived = PROGRAMS[name].derived()
    said = "\n".join(f"{d.code} {d.message}" for d in derived.diagnostics)
    assert derived.source is not None, said
    return derived.source.strip("\n") + "\n"


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_generated_is_what_was_reviewed(name: str) -> None:
    golden = PROGRAMS[name].golden
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(answer(name), encoding="utf-8", newline="\n")
    assert answer(name) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_derivative_agrees_with_differences(name: str) -> None:
    p = PROGRAMS[name]
    space = space_of(p.source, p.golden.read_text(encoding="utf-8"))
    made = space[f"{p.func}_{p.kind}"]
    f = returning(space[p.func], p.source)
    if any(parts(a) is not None for a in p.arguments()):
        several = made if len(p.wrt) > 1 else lambda *args: (made(*args),)
        assert_right(f, several, p.arguments(), p.wrt, p.kind)
    else:
        assert_derivative(f, made, p.arguments(), p.kind, p.wrt)


def test_every_golden_file_has_its_program() -> None:
    assert {path.stem for path in FOLDER.glob("golden/*.py")} == set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_tells_its_definition(name: str) -> None:
    title, _, definition = PROGRAMS[name].space["__doc__"].partition("\n\n")
    assert title.endswith(".")
    assert definition.strip()


def test_module_and_derivative_pass_ruff_as_they_come(tmp_path) -> None:
    for name, p in PROGRAMS.items():
        both = _together(p)
        (tmp_path / f"{name}.py").write_text(both, encoding="utf-8")
    assert_ruff_clean(tmp_path)


def _together(p: Program) -> str:
    return p.source.rstrip("\n") + "\n\n\n" + p.golden.read_text(encoding="utf-8")
