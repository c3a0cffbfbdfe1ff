"""Modules of the workspace, found and read as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from pullback.source.project import decode, default_modules, find_module, project_root


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "pyproject.toml": "",
        "root_only.py": "ROOT",
        "shared.py": "SHARED AT ROOT",
        "src/lib/__init__.py": "LIB",
        "src/lib/deep.py": "DEEP",
        "numpy.py": "NOT NUMPY",
        "app/main.py": "MAIN",
        "app/shared.py": "SHARED BESIDE",
        "app/both.py": "FILE",
        "app/both/__init__.py": "PACKAGE",
        "app/inner/core.py": "CORE",
    }.items():
        file = tmp_path / "p" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "p"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("shared", "SHARED BESIDE"),
        ("root_only", "ROOT"),
        ("app.main", "MAIN"),
        ("lib", "LIB"),
        ("lib.deep", "DEEP"),
        ("both", "PACKAGE"),
        ("inner.core", "CORE"),
        ("..root_only", "ROOT"),
        (".shared", "SHARED BESIDE"),
        ("..app.main", "MAIN"),
        ("numpy", None),
        ("math", None),
        ("scipy.special", None),
        ("missing", None),
        ("inner", None),
        ("", None),
        ("a/b", None),
        ("a\0b", None),
        ("." * 60, None),
        ("x" * 5000, None),
    ],
)
def test_modules_by_name(project: Path, name: str, text: str | None) -> None:
    assert default_modules(str(project / "app/main.py"))(name) == text


def test_without_a_file_there_is_no_workspace() -> None:
    assert default_modules(None)("os") is None
    assert find_module(None, "os") is None


def test_the_root_is_the_nearest_marked_folder(project: Path) -> None:
    assert project_root(project / "app/main.py") == project
    assert project_root(project / "app/not_there/x.py") == project


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("x = 'é'\r\n".encode(), "x = 'é'\r\n"),
        (b"\xef\xbb\xbfx = 1\n", "\ufeffx = 1\n"),
        ("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"), "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n€".encode("cp1252"),
         "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n€"),
        (b"x = 1\n# coding: latin-1\n\xe9", "x = 1\n# coding: latin-1\n\ufffd"),
        (b"# coding: no-such\nx\n", "# coding: no-such\nx\n"),
        (b"# coding: rot13\nx\n", "# coding: rot13\nx\n"),
        (b"\xff\xfe\x00", "\ufffd\ufffd\x00"),
    ],
)  # fmt: skip
def test_source_bytes_in_any_encoding(data: bytes, text: str) -> None:
    assert decode(data) == text


def test_a_folder_named_like_a_module_is_no_module(project: Path) -> None:
    (project / "app/odd.py").mkdir()
    assert default_modules(project / "app/main.py")("odd") is None
