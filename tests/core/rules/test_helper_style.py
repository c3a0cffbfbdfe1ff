"""Helpers go into users' files as they are: ruff's defaults must find nothing in them."""

from __future__ import annotations

import subprocess
import sys

from pullback.rules.helpers import TEXTS


def test_helpers_please_ruff() -> None:
    text = "import math\n\nimport numba\nimport numpy as np\nimport scipy\n\n\n"
    text += "\n\n\n".join(t.strip("\n") for t in TEXTS.values()) + "\n"
    text += "\n\nprint(math, numba, np, scipy)\n"
    for command in (["format", "--diff"], ["check", "--output-format", "concise"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "-"],
            input=text,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
