"""`pullback check`: findings in every format, folders, exit codes."""

import json


def test_json_shape(pullback, model):
    result = pullback("check", model, "--output-format", "json")
    assert result.exit_code == 1
    (found,) = [d for d in json.loads(result.stdout) if d["severity"] == "error"]
    assert set(found) == {"file", "code", "severity", "message", "range", "function", "fix"}
    assert found["file"] == "model.py"
    assert found["code"] == "PB111"
    assert found["function"] == "refused"
    assert found["range"]["start"] == {"line": 15, "column": 12}
    assert found["range"]["end"]["line"] == 15
    assert found["range"]["end"]["column"] > 12


def test_concise(pullback, model):
    result = pullback("check", model, "--output-format", "concise")
    assert result.exit_code == 1
    assert any(row.startswith("model.py:15:12: PB111 ") for row in result.stdout.splitlines())


def test_full_shows_the_line(pullback, model):
    result = pullback("check", model)
    assert '15 |     return eval("x * x")\n' in result.stdout
    assert "pullback explain PB111" in result.stdout
    assert "1 error" in result.stdout.splitlines()[-1]


def test_nothing_found(pullback, tmp_path):
    (tmp_path / "plain.py").write_text("def greet(name):\n    return f'hello {name}'\n")
    result = pullback("check", str(tmp_path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing was looked into" in result.stderr


def test_looked_into_and_nothing_found(pullback):
    result = pullback(
        "check", "-", input="def f(x: float):\n    # pullback: differentiable\n    return x\n"
    )
    assert (result.exit_code, result.output) == (0, "")


def test_empty_json_is_a_list(pullback, tmp_path):
    assert json.loads(pullback("check", str(tmp_path), "--output-format", "json").stdout) == []


def test_syntax_error(pullback, tmp_path):
    (tmp_path / "a.py").write_text("def f(x):\n    return x +\n")
    result = pullback("check", str(tmp_path), "--output-format", "concise")
    assert result.exit_code == 1
    assert ":2:" in result.stdout and " PB001 " in result.stdout


def test_folders_are_walked_in_order(pullback, model, tmp_path):
    bad = "def f(x: float):\n    # pullback: differentiable\n    return eval('x')\n"
    for name in ("b.py", "a.py", "sub/c.py", ".hidden/d.py", "env/lib/e.py", "notes.txt"):
        file = tmp_path / "src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(bad)
    (tmp_path / "src" / "env" / "pyvenv.cfg").touch()
    found = json.loads(pullback("check", "src", "--output-format", "json").stdout)
    assert [d["file"] for d in found if d["code"] == "PB111"] == [
        "src/a.py",
        "src/b.py",
        "src/sub/c.py",
    ]


def test_standard_input(pullback):
    source = "def f(x: float):\n    # pullback: differentiable\n    return eval('x')\n"
    result = pullback("check", "-", "--output-format", "concise", input=source)
    assert result.exit_code == 1
    assert result.stdout.startswith("-:3:12: PB111 ")


def test_a_fix_comes_as_edits_in_characters(pullback):
    source = "# pullback: differentiable\ndef f(x):\n    'é'; y = x; y *= 2.0\n    return y * x\n"
    result = pullback("check", "-", "--output-format", "json", input=source)
    (found,) = json.loads(result.stdout)
    place = {"line": 2, "column": 8}
    assert found["fix"] == {
        "title": "Annotate x as a float",
        "edits": [{"range": {"start": place, "end": place}, "text": ": float"}],
    }
    told = pullback("check", "-", input=source).stdout
    assert "  = help: Annotate x as a float\n" in told
    assert "  = x has no annotation: -:2:7\n" in told
