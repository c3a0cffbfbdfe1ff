"""Generated code as ruff sees it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def assert_ruff_clean(folder: Path) -> None:
    """All of `folder` passes `ruff check` and `ruff format --check` with ruff's defaults."""
    for arguments in (["format", "--check", "--diff"], ["check"]):
        run = subprocess.run(
            [sys.executable, "-m", "ruff", *arguments, "--isolated", "--no-cache", str(folder)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
