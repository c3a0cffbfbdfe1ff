"""Bad input: one clear line on stderr, nothing on stdout, the exit code of the contract."""

import pytest


def stopped(result, *words):
    """Exit code 2 and one line that holds the words."""
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("pullback: ")
    for word in words:
        assert word in line


@pytest.mark.parametrize("command", ["grad", "verify"])
def test_no_such_file(pullback, tmp_path, command):
    more = ("--at", "1.0") if command == "verify" else ()
    stopped(pullback(command, f"{tmp_path}/none.py::f", *more), "none.py: no such file")


def test_check_no_such_file(pullback, tmp_path):
    stopped(pullback("check", f"{tmp_path}/none.py"), "none.py: no such file")


def test_folder(pullback, tmp_path):
    stopped(pullback("grad", f"{tmp_path}::f"), "a file is needed")


def test_not_text(pullback, tmp_path):
    (tmp_path / "data.py").write_bytes(b"\xff\xfe\x00x")
    stopped(pullback("grad", f"{tmp_path}/data.py::f"), "not text")


@pytest.mark.parametrize("target", ["model.py", "model.py::", "::loss"])
def test_no_function_named(pullback, model, target):
    stopped(pullback("grad", target), "expected FILE::FUNCTION")


def test_no_such_function(pullback, model):
    stopped(pullback("grad", "model.py::los"), "no function los", "did you mean loss?")


def test_no_such_parameter(pullback, model):
    stopped(pullback("grad", "model.py::loss", "--wrt", "w,y"), "loss has no parameter y")


def test_function_hidden_by_a_syntax_error(pullback, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("def g(x):\n    return x\n\n\ndef f(x):\n    return x +\n")
    result = pullback("grad", f"{file}::f")
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"{file}:6:") and " PB001 " in line


def test_syntax_error_elsewhere_does_not_matter(pullback, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("def g(x: float):\n    return x * x\n\n\ndef f(x):\n    return x +\n")
    assert pullback("grad", f"{file}::g").exit_code == 0


def test_unknown_kind(pullback, model):
    assert pullback("grad", "model.py::loss", "--kind", "gradient").exit_code == 2


def test_write_needs_a_file(pullback):
    stopped(
        pullback("grad", "-::f", "--write", input="def f(x): return x\n"), "--write needs a file"
    )


def test_unknown_code(pullback):
    stopped(pullback("explain", "PB20"), "no diagnostic PB20")


def test_unknown_rule(pullback):
    stopped(pullback("rules", "np.tanj"), "nothing is known of np.tanj")


@pytest.mark.parametrize("wrt", ["", " , "])
def test_empty_wrt(pullback, model, wrt):
    stopped(pullback("grad", "model.py::loss", "--wrt", wrt), "--wrt names no parameter")


@pytest.mark.parametrize("command", ["grad", "verify"])
def test_no_parameters(pullback, command):
    more = ("--at", "()") if command == "verify" else ()
    result = pullback(command, "-::f", *more, input="def f():\n    return 2.0\n")
    stopped(result, "f has no parameter to differentiate")


def test_class_instead_of_function(pullback, model):
    stopped(pullback("grad", "model.py::Model"), "did you mean Model.scaled?")


def test_file_without_its_ending(pullback, model):
    stopped(pullback("grad", "model::loss"), "no such file", "did you mean model.py?")


@pytest.mark.parametrize("name", ["my grad", "1st", "class"])
def test_name_that_is_none(pullback, model, name):
    stopped(pullback("grad", "model.py::loss", "--name", name), "not a name")


def test_name_that_is_taken(pullback, model):
    stopped(pullback("grad", "model.py::loss", "--name", "np"), "np means something else")


def test_verify_takes_the_arguments_of_the_functions_comment(pullback, tmp_path):
    file = tmp_path / "cube.py"
    file.write_text("def cube(x: float):\n    # pullback: example 2.0\n    return x**3\n")
    assert "agrees" in pullback("verify", f"{file}::cube").stdout
    file.write_text("def cube(x: float):\n    return x**3\n")
    result = pullback("verify", f"{file}::cube")
    assert result.exit_code == 2
    assert "--at EXPR is needed, or a comment" in result.stderr
