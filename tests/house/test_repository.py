"""Nothing in the repository ties it to one machine, or to where its packages were fetched from."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# written in two parts, so that this file does not hold them
FORBIDDEN = [
    "/wo" + "rk/",
    "/tmp/ve" + "nv",
    "pypi." + "org",
    "pythonhosted." + "org",
    "npmjs." + "org",
]


@pytest.mark.skipif(not shutil.which("git"), reason="asks git which files are the repository's")
def test_files_stand_alone():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = [
        f"{name}: {word}"
        for name in filter(None, listed.stdout.split("\0"))
        if (ROOT / name).is_file()
        for word in FORBIDDEN
        if word.encode() in (ROOT / name).read_bytes()
    ]
    assert found == []
