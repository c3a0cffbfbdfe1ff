"""How tests start the server as a process: from this checkout, whatever is installed."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
_OWN = [str(ROOT / "core"), str(ROOT / "server")]
_GIVEN = [p for p in (os.environ.get("PYTHONPATH"),) if p]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(_OWN + _GIVEN)}
