"""How tests start the server as a process, and talk to it: from this checkout, whatever is installed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_OWN = [str(ROOT / "core"), str(ROOT / "server")]
_GIVEN = [p for p in (os.environ.get("PYTHONPATH"),) if p]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(_OWN + _GIVEN)}


def message(content: dict[str, Any]) -> bytes:
    """One message, as it is sent."""
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
