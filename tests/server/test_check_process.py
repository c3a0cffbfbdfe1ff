"""The process in which an editor checks a gradient: what it may take, and that nothing of it is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from .process import ENVIRONMENT, ROOT

CHECK = ROOT / "vscode-extension" / "bundled" / "check.py"
MODEL = """\
import os, subprocess, sys, time
import numpy as np


def energy(x):
    return np.sum(x * x)


def greedy():
    return np.ones(2**28)  # two gigabytes


def with_a_child():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open("started", "w") as file:
        file.write(f"{os.getpid()} {child.pid}")
    os.rename("started", "both")
    time.sleep(600)
"""


def check(folder: Path, arguments: str, megabytes: int = 8192) -> subprocess.Popen[str]:
    """Checks `energy` as VS Code does: in a process group of its own, its standard input left open."""
    (folder / "model.py").write_text(MODEL)
    return subprocess.Popen(
        [sys.executable, CHECK, "model.py", "energy", "grad", arguments, str(megabytes)],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def said(process: subprocess.Popen[str]) -> tuple[int, str]:
    assert process.stdout is not None
    with process:
        return process.wait(timeout=120), process.stdout.read()


def test_it_says_whether_the_gradient_agrees(tmp_path: Path) -> None:
    code, text = said(check(tmp_path, "np.array([1.0, 2.0])"))
    assert code == 0, text


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit is kept elsewhere")
def test_more_memory_than_it_may_take_is_not_to_be_had(tmp_path: Path) -> None:
    code, text = said(check(tmp_path, "greedy()", megabytes=1024))
    assert code == 2
    assert "MemoryError" in text and "pullback.checkMegabytes is 1024" in text


@pytest.mark.skipif(os.name != "posix", reason="asks for processes by their numbers")
def test_it_ends_with_its_editor_and_so_do_its_children(tmp_path: Path) -> None:
    process = check(tmp_path, "with_a_child()")
    until(lambda: (tmp_path / "both").exists())
    own, child = map(int, (tmp_path / "both").read_text().split())
    assert own == process.pid
    assert process.stdin is not None
    process.stdin.close()  # as it does when the editor is killed
    process.wait(timeout=60)
    until(lambda: not runs(child))


def until(holds: Callable[[], bool], patience: float = 60) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def runs(process: int) -> bool:
    """Whether a process is at work: one that has ended may wait for a parent that asks."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True
    )
    return state.stdout.strip()[:1] not in ("", "Z")
