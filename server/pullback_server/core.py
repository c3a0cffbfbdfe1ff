"""The core as the server sees it: loaded with the first question, so that the client is answered before.

May not know: features.
"""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING


def _lazily(name: str) -> ModuleType:
    """The module of that name, which runs when one of its attributes is asked for."""
    if name in sys.modules:
        return sys.modules[name]
    spec = find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(name=name)
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if TYPE_CHECKING:
    from pullback import hovers as hovers
    from pullback import ide as ide
    from pullback import inlays as inlays
    from pullback import states as states
else:
    ide = _lazily("pullback.ide")
    states = _lazily("pullback.states")
    hovers = _lazily("pullback.hovers")
    inlays = _lazily("pullback.inlays")
