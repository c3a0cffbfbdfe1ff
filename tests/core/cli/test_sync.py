"""`pullback sync`: files brought into step, byte for byte, and the exit codes that CI reads."""

import errno
import os
import stat
from pathlib import Path

import pytest

from pullback.derive import derive_in
from pullback.emit.insert import insertion
from pullback.source.edits import apply_edits
from pullback.source.module import parse_module

TEXT = """\
import numpy as np


def loss(w: np.ndarray, k: float):
    # pullback: w: (n,)
    return k * np.sum(w * w)
"""
BYTES = {
    "plain": TEXT.encode(),
    "CRLF": TEXT.replace("\n", "\r\n").encode(),
    "BOM": b"\xef\xbb\xbf" + TEXT.encode(),
    "no final newline": TEXT.rstrip().encode(),
    "Latin-1": ("# -*- coding: latin-1 -*-\n" + TEXT.replace("k", "é")).encode("latin-1"),
    "not ASCII": TEXT.replace("w", "ω").encode(),
}
AT = {"Latin-1": "é * np", "not ASCII": "k * np"}


@pytest.mark.parametrize("name", BYTES)
def test_only_the_derivative_changes(pullback, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "model.py"
    data = BYTES[name]
    encoding = "latin-1" if name == "Latin-1" else "utf-8"
    old = AT.get(name, "k * np").encode(encoding)
    new = b"2.0 * " + old
    file.write_bytes(data.replace(old, new))
    assert pullback("grad", "model.py::loss", "--write").exit_code == 0
    wanted = file.read_bytes()
    file.write_bytes(data)
    pullback("grad", "model.py::loss", "--write")
    stale = file.read_bytes().replace(old, new, 1)
    file.write_bytes(stale)
    assert stale.startswith(data.replace(old, new))
    assert pullback("sync", "model.py", "--check").exit_code == 1
    assert file.read_bytes() == stale
    result = pullback("sync", "model.py")
    assert (result.exit_code, result.stdout) == (0, "model.py: loss_grad regenerated\n")
    assert file.read_bytes() == wanted
    assert pullback("sync", "model.py", "--check").output == ""


def stale(pullback, file: Path) -> None:
    file.write_text(TEXT)
    assert pullback("grad", f"{file}::loss", "--write").exit_code == 0
    file.write_text(file.read_text().replace("k * np", "2.0 * k * np", 1))


def test_check_says_where(pullback, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stale(pullback, tmp_path / "model.py")
    result = pullback("sync", "--check", ".")
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("model.py:9:1: PB401 loss_grad is out of date")


def test_a_hand_edited_one_is_kept(pullback, tmp_path):
    file = tmp_path / "model.py"
    stale(pullback, file)
    edited = file.read_text().replace("return 2.0", "return 1.0 * 2.0")
    file.write_text(edited)
    for arguments in (("sync", str(file)), ("sync", "--check", str(file))):
        result = pullback(*arguments)
        assert result.exit_code == 1
        assert "PB402 loss_grad was written or edited by hand" in result.stderr
        assert file.read_text() == edited


def test_helpers_that_are_not_used(pullback, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "model.py"
    file.write_text("import numpy as np\n\n\ndef f(w, x):\n    return np.sum(w * x)\n")
    before = file.read_text()
    pullback("grad", "model.py::f", "--write")
    whole = file.read_text()
    file.write_text(whole[: whole.index("# pullback:")].rstrip() + "\n")
    result = pullback("sync", "--check", "model.py")
    assert (result.exit_code, result.stderr) == (
        1,
        "model.py:8:1: _unbroadcast is not used any more\n",
    )
    result = pullback("sync", "model.py")
    assert result.stdout == "model.py: _unbroadcast removed, nothing uses it\n"
    assert file.read_text() == before


def test_derivatives_in_other_files_that_a_derivative_is_made_from(pullback, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    base, user = tmp_path / "base.py", tmp_path / "a_user.py"
    base.write_text("def f(x: float):\n    return x * x\n")
    user.write_text("from base import f_grad\n\n\ndef g(x: float):\n    return f_grad(x) * x\n")
    for target in ("base.py::f", "a_user.py::g"):
        assert pullback("grad", target, "--write").exit_code == 0
    base.write_text(base.read_text().replace("return x * x\n", "return x * x * x\n"))
    assert pullback("sync", ".").exit_code == 0
    assert pullback("sync", "--check", ".").output == ""


def test_standard_input(pullback, tmp_path):
    stale(pullback, tmp_path / "model.py")
    text = (tmp_path / "model.py").read_text()
    result = pullback("sync", "-", input=text)
    pullback("sync", str(tmp_path))
    assert result.stdout == (tmp_path / "model.py").read_text()
    assert result.stderr == "-: loss_grad regenerated\n"


def test_nothing_to_do(pullback, tmp_path):
    (tmp_path / "model.py").write_text("def loss(x):\n    return x\n")
    assert pullback("sync", str(tmp_path)).output == ""
    (tmp_path / "empty").mkdir()
    assert pullback("sync", str(tmp_path / "empty")).exit_code == 0


def test_files_keep_their_permissions_and_links(pullback, tmp_path):
    file, link = tmp_path / "model.py", tmp_path / "link.py"
    stale(pullback, file)
    file.chmod(0o640)
    link.symlink_to(file)
    assert pullback("sync", str(link)).exit_code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.py", "model.py"]


def test_what_someone_else_wrote_meanwhile_is_left_alone(pullback, tmp_path, monkeypatch):
    file = tmp_path / "model.py"
    stale(pullback, file)
    import pullback.sync as module

    whole = module.synced

    def slowly(*arguments):
        found = whole(*arguments)
        file.write_text("# mine\n")
        return found

    monkeypatch.setattr(module, "synced", slowly)
    result = pullback("sync", str(file))
    assert result.exit_code == 2
    assert "has changed meanwhile" in result.stderr
    assert file.read_text() == "# mine\n"


def test_a_write_that_breaks_off_leaves_the_file_as_it_was(pullback, tmp_path, monkeypatch):
    file = tmp_path / "model.py"
    stale(pullback, file)
    before = file.read_bytes()

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = pullback("sync", str(file))
    assert result.exit_code == 2
    assert "cannot be written (No space left on device)" in result.stderr
    assert file.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["model.py"]


# --- derivatives in the module beside ---------------------------------------------------------------


@pytest.fixture
def beside(pullback, tmp_path, monkeypatch):
    """`model.py`, and its derivative in `model_grad.py`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(TEXT, encoding="utf-8")
    module = parse_module('"""Derivatives of model."""\n', str(tmp_path / "model_grad.py"))
    made = derive_in(module, "loss", of="model")
    text = apply_edits(module.text, insertion(module, made))
    (tmp_path / "model_grad.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_file_is_looked_at_with_the_module_beside_it(pullback, beside):
    assert pullback("sync", "--check", "model.py").exit_code == 0
    (beside / "model.py").write_text(TEXT.replace("k *", "2.0 * k *"), encoding="utf-8")
    told = pullback("sync", "--check", "model.py")
    assert told.exit_code == 1 and told.stderr.startswith("model_grad.py:6:1: PB401 loss_grad")
    done = pullback("sync", "model.py", "model_grad.py")
    assert (done.exit_code, done.stdout) == (0, "model_grad.py: loss_grad regenerated\n")
    assert "4.0 * k" in (beside / "model_grad.py").read_text(encoding="utf-8")
    assert pullback("sync", "--check", ".").exit_code == 0


def test_a_derivative_that_stands_beside_is_written_there(pullback, beside):
    wanted = (beside / "model_grad.py").read_bytes()
    changed = TEXT.replace("k *", "2.0 * k *")
    (beside / "model.py").write_text(changed, encoding="utf-8")
    shown = pullback("grad", "model.py::loss", "--diff")
    assert shown.stdout.startswith("--- a/model_grad.py\n")
    assert pullback("grad", "model.py::loss", "--write").exit_code == 0
    assert (beside / "model_grad.py").read_bytes() != wanted
    assert (beside / "model.py").read_text(encoding="utf-8") == changed
    assert pullback("sync", "--check", "model.py").exit_code == 0
    assert pullback("grad", "model.py::loss", "--kind", "vjp", "--write").exit_code == 0
    assert "def loss_vjp(" in (beside / "model.py").read_text(encoding="utf-8")
