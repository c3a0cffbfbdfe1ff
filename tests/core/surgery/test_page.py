"""docs/surgery.md shows what is generated, and that is what ruff's defaults pass.

`UPDATE_GOLDEN=1 pytest tests/core/surgery` writes its answers anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.golden.cases import Case, answer_for, generated, read, written

PAGE = Path(__file__).parents[3] / "docs" / "surgery.md"

if os.environ.get("UPDATE_GOLDEN"):
    PAGE.write_text(written(*read(PAGE)), encoding="utf-8", newline="\n")

CASES = read(PAGE)[1]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.title)
def test_the_page_shows_what_is_generated(case: Case) -> None:
    assert answer_for(case) == case.answer


def test_ruff(tmp_path: Path) -> None:
    for k, case in enumerate(CASES):
        text = generated(case)
        if text is not None:
            module = case.source.rstrip("\n") + "\n\n\n" + text
            (tmp_path / f"case_{k}.py").write_text(module, encoding="utf-8")
    for arguments in (["format", "--check", "--diff"], ["check"]):
        run = subprocess.run(
            [sys.executable, "-m", "ruff", *arguments, "--isolated", "--no-cache", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
