"""The targets of coverage-guided fuzzing: their corpus, and so many more inputs in each run."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from pullback.source.module import Module, parse_module
from tests.fuzz import targets
from tests.fuzz.targets import MARK, NEXT, TARGETS, any_edit, any_text
from tests.server.process import ENVIRONMENT, ROOT

CORPUS = Path(__file__).parent / "corpus"
RUNS = 300  # what CI spends on each target


@pytest.mark.parametrize(
    "path", sorted(CORPUS.glob("*/*")), ids=lambda p: f"{p.parent.name}/{p.name}"
)
def test_the_corpus_holds(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


def test_an_analysis_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["pullback.check"], "problems_in", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        any_text(b"def f(x):\n    return x\n")


def test_an_edit_that_goes_unnoticed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(text: str, *, previous: Module | None = None) -> Module:
        return previous or parse_module(text)

    monkeypatch.setattr(targets, "parse_module", forgetful)
    with pytest.raises(AssertionError):
        any_edit(MARK.encode() + b"def f(x):\n    return x\n" + NEXT + b"\0\x29\0yield ")


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("atheris"), reason="Atheris is not installed")
@pytest.mark.parametrize("target", TARGETS)
def test_more_inputs(target: str, tmp_path: Path, record_property: pytest.RecordProperty) -> None:
    command = [sys.executable, "-m", "tests.fuzz.guided", target, "--runs", str(RUNS)]
    environment = {**ENVIRONMENT, "PYTHONPATH": f"{ENVIRONMENT['PYTHONPATH']}:{ROOT}"}
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr[-5000:]
    assert f"Done {RUNS} runs" in ended.stderr
    record_property("inputs", RUNS)
