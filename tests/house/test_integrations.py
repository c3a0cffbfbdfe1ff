"""What other tools are told of Pullback: the hooks of pre-commit, the action of GitHub."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner

from pullback.cli import main

ROOT = Path(__file__).parents[2]
ENTRIES = re.findall(
    r"^  entry: pullback (.+)$", (ROOT / ".pre-commit-hooks.yaml").read_text(), re.M
)
STALE = """\
def cube(x: float):
    return x**4


# pullback: grad of cube wrt x [4a18f927 737d0e0f]
def cube_grad(x: float):
    # Backward pass
    return 3 * x**2
"""


def script(step: str) -> str:
    """The commands of a step of the action."""
    text = (ROOT / "action.yml").read_text()
    (block,) = re.findall(rf"- name: {step}\n(?:.+\n)*?      run: \|\n((?: {{8}}.*\n)+)", text)
    return textwrap.dedent(block)


def test_hooks_are_commands_that_there_are():
    assert len(ENTRIES) == 3
    for entry in ENTRIES:
        assert CliRunner().invoke(main, [*entry.split(), "--help"]).exit_code == 0


@pytest.mark.parametrize("entry", ENTRIES)
def test_hooks_fail_where_there_is_something_to_do(entry, tmp_path, monkeypatch):
    file = tmp_path / "model.py"
    file.write_text(STALE)
    result = CliRunner().invoke(main, [*entry.split(), str(file)])
    changed = file.read_text() != STALE
    assert changed or result.exit_code == 1  # pre-commit fails where a hook changes a file


@pytest.mark.parametrize("text, code", [(STALE, 1), ("def cube(x: float):\n    return x**4\n", 0)])
def test_the_action_reports_and_fails(tmp_path, text, code):
    program = tmp_path / "bin" / "pullback"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pullback.cli "$@"\n')
    program.chmod(0o755)
    source = tmp_path / "src"
    source.mkdir()
    (source / "model.py").write_text(text)
    env = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "core"), str(ROOT / "server")]),
        "PATHS": "src",
        "SARIF": "found.sarif",
    }
    done = subprocess.run(
        ["bash", "-c", script("Check")], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    assert ("::warning file=src/model.py,line=5," in done.stdout) == bool(code)
    assert ("src/model.py:5:1: PB401" in done.stderr) == bool(code)
    assert ('"ruleId": "PB401"' in (tmp_path / "found.sarif").read_text()) == bool(code)
