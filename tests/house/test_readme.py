"""The documents say what is so: the README's code, its commands, the links of all pages."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from pullback.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.compile(r"<!-- pullback ((?:grad|stage) [^>]*?) -->\n```python\n(.*?)```", re.S)
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def block(comment):
    """The Python block below an HTML comment."""
    return re.search(rf"<!-- {re.escape(comment)} -->\n```python\n(.*?)```", README, re.S)[1]


def test_before():
    assert block("examples/logistic.py") in (ROOT / "examples" / "logistic.py").read_text()


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "docs/backends.md"])
def test_after(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    shown = SHOWN.findall((ROOT / name).read_text(encoding="utf-8"))
    assert shown
    for command, text in shown:
        result = CliRunner().invoke(main, command.split())
        assert result.exit_code == 0
        assert text.strip() in result.stdout


def test_try_prints_it():
    assert "pullback grad examples/logistic.py::logistic_loss" in (ROOT / "try").read_text()


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^    pullback (\w+)", README, re.M))))
def test_commands_exist(command):
    assert CliRunner().invoke(main, [command, "--help"]).exit_code == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links(document):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), target
