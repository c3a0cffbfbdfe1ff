"""The wheel holds both packages, the pages that diagnostics link to, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pullback.diagnostics.catalogue import codes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("pullback-*.whl")
    return zipfile.ZipFile(wheel).namelist()


@pytest.mark.slow
def test_wheel(names):
    tops = {n.partition("/")[0] for n in names if ".dist-info/" not in n}
    assert tops == {"pullback", "pullback_server"}
    assert "pullback/py.typed" in names
    assert {f"pullback/diagnostics/pages/{c}.md" for c in codes()} <= set(names)
    assert not [n for n in names if n.endswith((".pyc", ".pyo"))]
