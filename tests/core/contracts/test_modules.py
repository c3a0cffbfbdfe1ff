"""Functions and classes of other modules: behind packages' imports, and where their classes have no name here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import assert_derivative, space_of

PACKAGE = {
    "models/__init__.py": """\
from .base import Model, damp
from .kernels import *
from .solvers import step as advance

MODEL = Model(0.7)
""",
    "models/base.py": """\
import numpy as np

from . import extra
from .extra import bend as bent

RATE = 0.4


def damp(x, k=RATE):
    return x * k + extra.bend(x)


class Model:
    unit = 2.0

    def __init__(self, w):
        self.w = w

    @property
    def half(self):
        return self.w / 2

    def term(self, x):
        return np.sin(x) * self.w * self.half + self.unit

    def loss(self, x):
        return np.sum(self.term(x)) * damp(x[0]) + bent(x[1])

    @staticmethod
    def cube(x):
        return x**3
""",
    "models/extra.py": "def bend(x):\n    return x * x\n",
    "models/texts.py": """\
import numpy as np

RATE = 0.4


def picked(x, k=RATE):
    assert RATE > 0.0, f"{RATE} of {k}"
    low = sorted([k, RATE, 2.0], key=lambda t: t / RATE)[0]
    with np.errstate(divide="ignore"):
        return np.log(x * x + low)
""",
    "models/kernels.py": "import numpy as np\n\n\ndef rbf(x, s):\n    return np.exp(-x * x * s)\n",
    "models/solvers.py": """\
from .base import Model


def step(model: Model, x):
    y = x + 0.1 * model.term(x)
    return y * Model.cube(y) + Model.cube(x)
""",
}
MAIN = {
    "a package that imports from its modules": """\
import models
from models import MODEL, Model, advance, damp, rbf


def f(x: np.ndarray, k: float):
    # pullback: x: (n,)
    y = advance(Model(0.5), x)
    return models.damp(k) * MODEL.loss(y) + np.sum(rbf(y, damp(k))) + models.MODEL.term(k)
""",
    "a base class of another module": """\
from models.base import Model


class Sub(Model):
    def twice(self, x):
        return np.sum(super().term(x) * self.term(x)) * self.half


def f(x: np.ndarray, k: float):
    # pullback: x: (n,)
    return Sub(0.3).twice(x) * Sub.cube(k)
""",
    "globals in code that is kept as text": """\
from models.texts import picked


def f(x: np.ndarray, k: float):
    # pullback: x: (n,)
    return np.sum(picked(k * x))
""",
    "a class that has no name here": """\
from models import MODEL
from models.solvers import step


def f(x: np.ndarray, k: float):
    # pullback: x: (n,)
    return np.sum(step(MODEL, k * x))
""",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("kind", ["grad", "jvp"])
@pytest.mark.parametrize("name", MAIN)
def test_what_other_modules_define_is_found_and_spelled(
    name: str, kind: str, package: Path
) -> None:
    text = "import numpy as np\n" + MAIN[name]
    made = derive(text, "f", kind, ("x", "k"), path=str(package / "main.py"))
    assert made.source is not None, made.diagnostics
    space = space_of(text, made.source)
    args = (np.array([0.3, -0.7, 1.1]), 0.4)
    assert_derivative(space["f"], space[made.name], args, kind, ("x", "k"))
