"""Nothing of an unknown folder is run: a trap stands wherever a careless tool would execute or import."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pullback_server.preview import Address, address_text

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent
OWN = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / d) for d in ("core", "server"))}
TRAP = 'open({trace!r}, "a").write(__file__ + "\\n")\n'
MODEL = """
import helper
import laws
import numpy as np
import pullback
from missing_package import constant
from wind import drag


# pullback: grad of loss wrt x [00000000 00000000]
def loss_grad(x: float):
    return 0.0


@helper.decorated
def loss(x: float, y=helper.double(2.0)):
    # pullback: differentiable
    return helper.double(x) * np.exp(x)


@pullback.adjoint(drag)
def drag_adjoint(speed, y_bar):
    return 2.0 * speed * y_bar


def plain(x: float):
    return helper.double(x) * x


def ruled(x: float):
    return drag(x) + laws.lift(x)
"""
LAWS = """
import pullback
from wind import thrust


def lift(x: float):
    return thrust(x) * x


@pullback.adjoint(thrust)
def thrust_adjoint(x, y_bar):
    return 3.0 * x * y_bar
"""
MODULES = (
    "helper.py",
    "conftest.py",
    "setup.py",
    "sitecustomize.py",
    "usercustomize.py",
    "pullback.py",
    "ruff.py",
    "tomllib.py",
    "missing_package.py",
    "wind.py",
    "numpy/__init__.py",
    "gast/__init__.py",
    "click/__init__.py",
    "pygls/__init__.py",
    "src/backend.py",
)
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["src"]

[project]
name = "trap"
version = "1"

[project.entry-points."pullback.rules"]
trap = "helper:double"

[tool.pullback]
rules = ["helper"]
"""
SETTINGS = """
{
  "pullback.interpreter": "${workspaceFolder}/.venv/bin/python",
  "python.defaultInterpreterPath": "${workspaceFolder}/.venv/bin/python"
}
"""
COMMANDS = (
    ["check", "."],
    ["check", "--output-format", "json", "model.py"],
    ["grad", "model.py::plain"],
    ["grad", "model.py::plain", "--kind", "jvp", "--diff"],
    ["grad", "model.py::plain", "--write"],
    ["grad", "model.py::loss"],
    ["grad", "model.py::ruled"],
    ["grad", "model.py::plain", "--print-passes"],
    ["stage", "model.py::plain", "--backend", "jax"],
    ["sync", "."],
    ["rules", "numpy.exp"],
    ["explain", "PB201"],
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder full of traps; whatever of it runs leaves its name in `trace`."""
    trap = TRAP.format(trace=str(tmp_path / "trace"))
    for name in MODULES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(trap + "def double(x):\n    return 2.0 * x\n")
    (tmp_path / "trap.pth").write_text(f"import os; {trap.replace('__file__', repr('pth'))}")
    (tmp_path / "model.py").write_text(trap + MODEL)
    (tmp_path / "laws.py").write_text(trap + LAWS)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\necho python >> '{tmp_path / 'trace'}'\n")
    python.chmod(0o755)
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "settings.json").write_text(SETTINGS)
    return tmp_path


def test_a_trap_is_a_trap(folder: Path) -> None:
    subprocess.run([sys.executable, "model.py"], cwd=folder, capture_output=True, check=False)
    assert "helper.py" in (folder / "trace").read_text()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_runs_nothing(folder: Path, command: list[str]) -> None:
    ended = subprocess.run(
        [SCRIPTS / "pullback", *command],
        cwd=folder,
        env=OWN,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in ended.stderr
    assert not (folder / "trace").exists(), (folder / "trace").read_text()


def test_the_server_runs_nothing(folder: Path) -> None:
    """Opened, asked for all that it knows, derived, closed."""
    uri, text = (folder / "model.py").as_uri(), (folder / "model.py").read_text()
    document = {"textDocument": {"uri": uri}}
    opened = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    place = {**document, "position": {"line": 20, "character": 13}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 40, "character": 0}}
    named = {"uri": uri, "qualname": "ruled", "version": 1}
    address = address_text(Address(uri, "ruled", "vjp"))
    asked = [
        ("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}),
        ("initialized", {}),
        ("textDocument/didOpen", {"textDocument": opened}),
        ("textDocument/hover", place),
        ("textDocument/codeAction", {**document, "range": whole, "context": {"diagnostics": []}}),
        ("textDocument/codeLens", document),
        ("textDocument/inlayHint", {**document, "range": whole}),
        ("pullback/states", {"uri": uri}),
        ("pullback/choices", named),
        ("pullback/derivative", {**named, "kind": "grad", "wrt": "x"}),
        ("pullback/adjoint", named),
        ("workspace/textDocumentContent", {"uri": address}),
        ("pullback/why", {"address": address, "line": 3}),
        ("pullback/example", named),
        ("textDocument/didClose", document),
        ("shutdown", None),
        ("exit", None),
    ]
    notified = {"initialized", "textDocument/didOpen", "textDocument/didClose", "exit"}
    ended = subprocess.run(
        [SCRIPTS / "pullback-server", "--stdio"],
        input=b"".join(
            _message(k, method, params, method in notified)
            for k, (method, params) in enumerate(asked)
        ),
        cwd=folder,
        env=OWN,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    answers = re.findall(rb'{"id": (\d+), "jsonrpc": "2.0", "(\w+)"', ended.stdout)
    said = {asked[int(number)][0]: kind.decode() for number, kind in answers}
    assert said == {m: "result" for m, _ in asked if m not in notified}, ended.stdout
    assert b"refactor.rewrite" in ended.stdout and b"ruled_grad" in ended.stdout
    assert not (folder / "trace").exists(), (folder / "trace").read_text()


def _message(number: int, method: str, params: object, notified: bool) -> bytes:
    content = {"jsonrpc": "2.0", "method": method, "params": params}
    body = json.dumps(content if notified else {**content, "id": number}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body
