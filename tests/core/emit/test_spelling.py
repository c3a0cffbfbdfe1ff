"""How a module writes NumPy's functions, and which imports it lacks."""

from __future__ import annotations

import pytest

from pullback.emit import Spelling, respelled

CASES = [
    # imports of the module, names taken by the function, qualified name, text, missing import
    ({"np": "numpy"}, "", "numpy.exp", "np.exp", None),
    ({"np": "numpy"}, "", "numpy.linalg.solve", "np.linalg.solve", None),
    ({"numpy": "numpy"}, "", "numpy.exp", "numpy.exp", None),
    ({"xp": "numpy"}, "", "numpy.zeros_like", "xp.zeros_like", None),
    ({"la": "numpy.linalg"}, "", "numpy.linalg.solve", "la.solve", None),
    ({"la": "numpy.linalg"}, "", "numpy.exp", "np.exp", "import numpy as np"),
    ({"exp": "numpy.exp"}, "", "numpy.exp", "exp", None),
    ({"exp": "numpy.exp"}, "exp", "numpy.exp", "np.exp", "import numpy as np"),
    ({}, "", "numpy.exp", "np.exp", "import numpy as np"),
    ({}, "np", "numpy.exp", "numpy.exp", "import numpy"),
    ({"np": "numpy"}, "np", "numpy.exp", "numpy.exp", "import numpy"),
    ({}, "np numpy", "numpy.exp", "np2.exp", "import numpy as np2"),
    ({}, "", "math.log", "math.log", "import math"),
    ({}, "math", "math.log", "math2.log", "import math as math2"),
    ({"log": "math.log"}, "", "math.log", "log", None),
    ({}, "", "scipy.special.digamma", "scipy.special.digamma", "import scipy.special"),
    ({"special": "scipy.special"}, "", "scipy.special.digamma", "special.digamma", None),
    ({"sc": "scipy.special"}, "", "scipy.special.digamma", "sc.digamma", None),
    ({"scipy": "scipy"}, "", "scipy.special.digamma", "scipy.special.digamma", "import scipy.special"),
    ({}, "scipy", "scipy.special.digamma", "special.digamma", "from scipy import special"),
    ({}, "", "builtins.len", "len", None),
    ({}, "len", "builtins.len", "builtins.len", "import builtins"),
    ({}, "", ".mix", "mix", None),
    ({"blend": "tools.mix"}, "", "tools.mix", "blend", None),
    ({"blend": ".tools.mix"}, "", ".tools.mix", "blend", None),
    ({"tools": "tools"}, "", "tools.mix", "tools.mix", None),
    ({}, "", "?mystery", "mystery", None),
]  # fmt: skip


@pytest.mark.parametrize(("imports", "taken", "name", "text", "missing"), CASES)
def test_spelling(
    imports: dict[str, str], taken: str, name: str, text: str, missing: str | None
) -> None:
    spell = Spelling(imports, taken.split())
    assert spell(name) == text
    assert spell.missing == ([missing] if missing else [])


def test_an_import_is_missing_once() -> None:
    spell = Spelling({})
    names = ("numpy.exp", "math.log", "numpy.linalg.inv", "scipy.special.psi", "scipy.special.zeta")
    assert [spell(n) for n in names][2:4] == ["np.linalg.inv", "scipy.special.psi"]
    assert spell.missing == ["import numpy as np", "import math", "import scipy.special"]


def test_our_own_texts_take_the_modules_spelling() -> None:
    text = 'def _h(x):\n    """np.sum of x."""\n    return np.linalg.norm(x) + a.np.b + np.pi  # np.pi\n'
    expected = text.replace("return np.", "return xp.").replace("+ np.pi ", "+ xp.pi ")
    assert respelled(text, Spelling({"xp": "numpy"})) == expected
    assert respelled(text, Spelling({"np": "numpy"})) == text
