"""What nobody knows is never taken for NumPy: no gradient is lost on the way through it."""

from __future__ import annotations

import pytest

from pullback.derive import derive

CLASS = "import numpy as np\n\n\nclass A:\n    v = 1.0\n\n\nD = {}\n\n\n"
REFUSED = {
    "an attribute of a class, written": (
        CLASS + "def f(x):\n    A.v = x * x\n    return np.sum(A.v)\n",
        "PB106",
    ),
    "an attribute of a class, added to": (
        CLASS + "def f(x):\n    A.v += x[0]\n    return np.sum(A.v * x)\n",
        "PB106",
    ),
    "an element of a module's dict, written": (
        CLASS + "def f(x):\n    D['a'] = x * x\n    return np.sum(D['a'])\n",
        "PB105",
    ),
    "an element of a module's dict, written by a helper": (
        CLASS
        + "def put(x):\n    D['a'] = x\n    return 0.0\n\n\n"
        + "def f(x):\n    y = put(x * x)\n    return np.sum(D['a']) + y\n",
        "PB105",
    ),
    "an array module that is passed in": ("def f(x, xp):\n    return xp.sum(x**2)\n", "PB307"),
    "a module that nobody imported": ("def f(x):\n    return np.sum(x**2)\n", "PB307"),
    "a model's own method": (
        "import numpy as np\n\n\ndef f(x, m):\n    return m.sum(x) + np.sum(x)\n",
        "PB307",
    ),
    "a method of no derivative by nature": (
        "import numpy as np\n\n\ndef f(x, m):\n    return m.copy(x) + np.sum(x)\n",
        "PB307",
    ),
    "a value where an axis is expected": (
        "import numpy as np\n\n\ndef f(x):\n    return np.sum(np.ones(3), x)\n",
        "PB302",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    source, code = REFUSED[case]
    derived = derive(source, "f")
    assert derived.source is None
    assert [d.code for d in derived.diagnostics] == [code]


def test_a_loop_that_only_a_return_ends() -> None:
    source = "def f(x: float):\n    while True:\n        x = x * x\n        if x > 9:\n            return x\n"
    derived = derive(source, "f")
    assert derived.source is not None
    space: dict[str, object] = {}
    exec(source + derived.source, space)
    made = space["f_grad"]
    assert callable(made) and made(1.5) == pytest.approx(8 * 1.5**7)
