"""The command line in this process, and files for it."""

from inspect import signature
from typing import Any

import pytest
from click.testing import CliRunner

from pullback.cli import main

# until click 8.2 the runner puts standard error into the output unless it is told not to
MIXES = "mix_stderr" in signature(CliRunner).parameters
APART: dict[str, Any] = {"mix_stderr": False} if MIXES else {}

MODEL = '''\
"""A model."""

import numpy as np

LIMIT = 3


def loss(w, x: np.ndarray):
    # pullback: w: (n,), x: (n,)
    return np.sum((w * x) ** 2)


def refused(x: float):
    # pullback: differentiable
    return eval("x * x")


class Model:
    def scaled(self, x: float):
        return 2.0 * x
'''


@pytest.fixture
def pullback():
    """Runs a command and gives click's result: exit_code, stdout, stderr."""

    def run(*arguments, **settings):
        return CliRunner(**APART).invoke(main, arguments, **settings)

    return run


@pytest.fixture
def model(tmp_path, monkeypatch):
    """The name of a file with two functions and a method, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(MODEL)
    return "model.py"
