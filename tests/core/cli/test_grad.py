"""`pullback grad`: what it prints, what it writes."""

import sys
from pathlib import Path

import pytest


def test_prints_a_module_tail_that_runs(pullback, model):
    result = pullback("grad", "model.py::loss")
    assert (result.exit_code, result.stderr) == (0, "")
    space = {}
    exec(Path(model).read_text() + "\n\n" + result.stdout, space)
    assert space["loss_grad"](3.0, 2.0) == pytest.approx(24.0)


def test_standard_input(pullback):
    result = pullback("grad", "-::f", input="def f(x: float):\n    return x * x\n")
    assert result.exit_code == 0
    assert "def f_grad(x: float)" in result.stdout


def test_wrt_and_kind(pullback, model):
    result = pullback("grad", "model.py::loss", "--kind", "value_and_grad", "--wrt", "w, x")
    assert result.exit_code == 0
    assert "def loss_value_and_grad(w, x" in result.stdout


def test_name(pullback, model):
    assert "def slope(" in pullback("grad", "model.py::loss", "--name", "slope").stdout


def test_out_names_what_is_differentiated(pullback):
    text = "def f(x: float):\n    y = x * x\n    return y * x\n"
    result = pullback("grad", "-::f", "--out", "y", input=text)
    assert "# pullback: grad of f wrt x out=y [" in result.stdout
    unknown = pullback("grad", "-::f", "--out", "z", input=text)
    assert (unknown.exit_code, "no variable z" in unknown.stderr) == (2, True)
    assert pullback("grad", "-::f", "--out", ",", input=text).exit_code == 2


def test_refused_says_where(pullback, model):
    result = pullback("grad", "model.py::refused")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("model.py:15:12: PB111 ")


def test_no_traceback_ever(pullback, model):
    result = pullback("grad", "model.py::refused")
    assert isinstance(result.exception, SystemExit)


def test_write_puts_it_below_the_function(pullback, model):
    assert pullback("grad", "model.py::loss", "--write").exit_code == 0
    text = Path(model).read_text()
    assert text.index("def loss(") < text.index("def loss_grad(") < text.index("def refused(")
    assert "# pullback: grad of loss wrt w [" in text
    compile(text, model, "exec")


def test_write_twice_changes_nothing(pullback, model):
    pullback("grad", "model.py::loss", "--write")
    first = Path(model).read_text()
    assert pullback("grad", "model.py::loss", "--write").exit_code == 0
    assert Path(model).read_text() == first


def test_write_replaces_what_is_out_of_date(pullback, model):
    pullback("grad", "model.py::loss", "--write")
    text = Path(model).read_text()
    Path(model).write_text(text.replace("(w * x) ** 2)", "(w * x) ** 3)", 1))
    assert pullback("grad", "model.py::loss", "--write").exit_code == 0
    space = {}
    exec(Path(model).read_text(), space)
    assert space["loss_grad"](1.0, 2.0) == pytest.approx(24.0)
    assert Path(model).read_text().count("def loss_grad(") == 1


def test_write_never_over_a_hand_edited_one(pullback, model):
    pullback("grad", "model.py::loss", "--write")
    head, name, tail = Path(model).read_text().partition("def loss_grad(")
    edited = head + name + tail.replace("    return ", "    print(1)\n    return ", 1)
    Path(model).write_text(edited)
    result = pullback("grad", "model.py::loss", "--write")
    assert result.exit_code == 1
    assert "PB402" in result.stderr
    assert Path(model).read_text() == edited


@pytest.mark.skipif(sys.platform == "win32", reason="Windows writes CRLF anyway")
def test_write_keeps_newlines_and_encoding(pullback, tmp_path):
    file = tmp_path / "old.py"
    text = "# -*- coding: latin-1 -*-\r\n# é\r\ndef f(x: float):\r\n    return x * x\r\n"
    file.write_bytes(text.encode("latin-1"))
    assert pullback("grad", f"{file}::f", "--write").exit_code == 0
    data = file.read_bytes()
    assert "é".encode("latin-1") in data
    assert data.count(b"\r\n") == data.count(b"\n")


def test_diff(pullback, model):
    before = Path(model).read_text()
    result = pullback("grad", "model.py::loss", "--diff")
    assert result.exit_code == 0
    assert result.stdout.startswith("--- a/model.py\n+++ b/model.py\n@@ ")
    assert any(row.startswith("+def loss_grad(") for row in result.stdout.splitlines())
    assert Path(model).read_text() == before


def test_method(pullback, model):
    result = pullback("grad", "model.py::Model.scaled")
    assert result.exit_code == 0
    assert "def scaled_grad(self, x: float)" in result.stdout


def test_print_passes_shows_what_each_made_on_stderr(pullback, model):
    plain = pullback("grad", "model.py::loss")
    result = pullback("grad", "model.py::loss", "--print-passes")
    assert result.stdout == plain.stdout
    titles = [line for line in result.stderr.splitlines() if line.startswith("# == ")]
    assert titles[:3] == [
        "# == lowering of loss",
        "# == facts of loss",
        "# == reverse of loss_grad",
    ]
    assert titles[-1] == "# == one tape a loop of loss_grad"
    assert ": active" not in result.stderr and ", active" in result.stderr


def test_jit_writes_for_a_compiler_and_sync_keeps_it_so(pullback, tmp_path):
    text = "from numba import njit\n\n\n@njit\ndef f(x: float):\n    return x * x\n"
    printed = pullback("grad", "-::f", "--jit", "numba", input=text)
    assert "# pullback: grad of f wrt x jit=numba [" in printed.stdout
    assert "@njit\ndef f_grad(" in printed.stdout
    file = tmp_path / "compiled.py"
    file.write_text(text)
    assert pullback("grad", f"{file}::f", "--jit", "numba", "--write").exit_code == 0
    assert pullback("sync", str(file), "--check").exit_code == 0


def test_stage_prints_the_function_for_a_backend(pullback):
    text = "def f(x: float):\n    return x if x > 0.0 else 2.0 * x\n"
    result = pullback("stage", "-::f", "--backend", "jax", input=text)
    assert (result.exit_code, "def f_jax(x: float):" in result.stdout) == (0, True)
    assert pullback("stage", "-::g", "--backend", "jax", input=text).exit_code == 2
    refused = pullback(
        "stage", "-::f", "--backend", "jax", input="def f(x):\n    return x[x > 0.0]\n"
    )
    assert (refused.exit_code, "PB502" in refused.stderr) == (1, True)
