"""The golden files, and docs/kinds.md: what is generated is what they show, is right, and passes ruff's defaults.

`UPDATE_GOLDEN=1 pytest tests/core/golden` writes them anew; read the diff before you commit it.
"""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np
import pytest

from pullback.analysis.declared import differentiable_params
from tests.core.differences import assert_derivative, returning, space_of
from tests.core.golden.cases import FOLDER, Case, answer_for, generated, read, written
from tests.core.ruff import assert_ruff_clean
from tests.core.structures import assert_right, parts

FILES = [*sorted(FOLDER.glob("*.md")), FOLDER.parents[2] / "docs" / "kinds.md"]
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))

if UPDATE:
    for path in FILES:
        path.write_text(written(*read(path)), encoding="utf-8", newline="\n")

CASES = [(path, case) for path in FILES for case in read(path)[1]]
ALL = [pytest.param(case, id=f"{path.stem}: {case.title}") for path, case in CASES]


@pytest.mark.parametrize("case", ALL)
def test_answer(case: Case) -> None:
    assert answer_for(case) == case.answer


@pytest.mark.parametrize("case", [p for p in ALL if generated(p.values[0]) is not None])
def test_derivative_is_right(case: Case) -> None:
    text = generated(case)
    if case.jit is not None:
        pytest.importorskip(case.jit, reason=f"{case.jit} is not installed")
    assert text is not None and case.args is not None, "a derivative needs arguments to be run at"
    space = space_of(case.source, text)
    wrt = case.wrt if isinstance(case.wrt, tuple) else _all_of(case)
    args = eval(case.args, {**space, "np": np, "rng": np.random.default_rng(1)})
    f, made = returning(called(space, case.func), case.source), space[case.derived().name]
    one = len(wrt) == 1 and case.wrt != "*"
    if any(parts(a) is not None for a in args):
        assert_right(f, (lambda *a: (made(*a),)) if one else made, args, wrt, case.kind)
    else:
        assert_derivative(f, made, args, case.kind, wrt, one=one)


def called(space: dict[str, Any], qualname: str) -> Any:
    return functools.reduce(getattr, qualname.split(".")[1:], space[qualname.split(".")[0]])


def _all_of(case: Case) -> tuple[str, ...]:
    from pullback.lower import lower_function
    from pullback.source.module import parse_module

    fn = lower_function(parse_module(case.source), case.func)
    assert fn is not None
    return differentiable_params(fn)


def test_files_are_whole() -> None:
    """Every title once; reading and writing gives the same text, so an update changes answers only."""
    assert len(FILES) >= 10
    for path in FILES:
        head, cases = read(path)
        assert len({c.title for c in cases}) == len(cases) > 0
        assert head.startswith("# ")
        for c in cases:
            assert c.prose, f"{path.name}: {c.title} says nothing about itself"
            assert (c.args is None) == c.answer.startswith("```text"), c.title


def test_ruff(tmp_path) -> None:
    """Module and derivative together pass `ruff check` and `ruff format --check` as they come."""
    for k, (path, case) in enumerate(CASES):
        text = generated(case)
        if text is None:
            continue
        module = case.source.rstrip("\n") + "\n\n\n" + text
        (tmp_path / f"{path.stem.replace('-', '_')}_{k}.py").write_text(module, encoding="utf-8")
    assert_ruff_clean(tmp_path)
