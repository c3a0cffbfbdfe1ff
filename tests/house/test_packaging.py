"""The wheel holds both packages, the pages that diagnostics link to, and nothing else."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pullback.diagnostics.catalogue import codes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        check=True, capture_output=True,
    )  # fmt: skip
    (path,) = folder.glob("pullback-*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.slow
def test_contents(wheel):
    names = wheel.namelist()
    tops = {n.partition("/")[0] for n in names if ".dist-info/" not in n}
    assert tops == {"pullback", "pullback_server"}
    assert "pullback/py.typed" in names
    assert {f"pullback/diagnostics/pages/{c}.md" for c in codes()} <= set(names)
    assert not [n for n in names if n.endswith((".pyc", ".pyo"))]


@pytest.mark.slow
def test_an_installed_server_finds_its_pages(wheel, tmp_path):
    wheel.extractall(tmp_path)
    asked = "from pullback_server.items import page_uri; print(page_uri('PB101', None))"
    said = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path,
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert said.stdout.strip() == (tmp_path / "pullback/diagnostics/pages/PB101.md").as_uri()
