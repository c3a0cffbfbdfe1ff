"""The repository stands alone, tied to no machine and no place of packages, and what it stands on is pinned."""

import json
import re
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


@pytest.mark.parametrize("lock", ["run.txt", "dev.txt"])
def test_each_package_is_pinned_with_its_hashes(lock: str):
    text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
    entries = re.findall(r"^[\w.-]+.*(?:\n    .*)*", text, re.MULTILINE)
    loose = [e.split("\n")[0] for e in entries if not re.match(r"[\w.-]+==\S+", e)]
    loose += [e.split("\n")[0] for e in entries if "--hash=sha256:" not in e]
    assert loose == []
    assert len(entries) == len(re.findall("^[^ #\n]", text, re.MULTILINE)) > 5


def test_the_lock_holds_what_the_project_names():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for lock, begin in (("run.txt", r"^dependencies = \["), ("dev.txt", r"^dev = \[")):
        listed = re.split(begin, project, flags=re.MULTILINE)[1].split("\n]")[0]
        named = set(re.findall(r'^    "([\w-]+)', listed, re.MULTILINE))
        text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
        assert named and named <= set(re.findall(r"^([\w-]+)(?:\[\w+\])?==", text, re.MULTILINE))


def test_node_packages_are_pinned_with_their_hashes():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    fetched = {
        n: p for n, p in lock["packages"].items() if "node_modules" in n and not p.get("link")
    }
    assert fetched
    assert [n for n, p in fetched.items() if not p.get("integrity", "").startswith("sha512-")] == []
