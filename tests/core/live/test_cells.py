"""The text of a cell, completed by what the namespace says."""

import linecache

import numpy as np

from pullback.cells import completed


def typed(cells):
    """The namespace after running cells one by one, as a notebook does."""
    space = {"__name__": "__main__"}
    for number, text in enumerate(cells):
        name = f"<cell {number}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), space)
    return space


def test_imports_functions_and_numbers_of_other_cells():
    cells = [
        "import numpy as np\nfrom numpy import sin\nfrom math import exp as e\nSCALE = 2.5\n",
        "def square(x):\n    return SCALE * x * x\n",
        "def loss(x):\n    return np.sum(square(x)) + sin(x) + e(x)\n",
    ]
    text = completed(cells[2], typed(cells))
    assert text.startswith(cells[2])
    for line in ("import numpy as np", "from numpy import sin as sin", "from math import exp as e"):
        assert f"\n{line}\n" in text
    assert "\ndef square(x):\n" in text
    assert "\nSCALE = 2.5\n" in text


def test_what_the_cell_binds_itself_is_left_alone():
    cell = "k = 3\n\n\ndef f(x):\n    return k * x\n"
    assert completed(cell, {"k": 4, "x": 5}).startswith(cell)
    assert "k = 4" not in completed(cell, {"k": 4, "x": 5})


def test_nothing_to_add():
    cell = "def f(x):\n    return len(x)\n"
    assert completed(cell, {}) == cell


def test_values_without_source_are_left_out():
    assert completed("y = data\n", {"data": np.zeros(3)}) == "y = data\n"


def test_a_cell_with_magic_commands():
    assert completed("%matplotlib inline\nf = 1\n", {"f": 1}) == "%matplotlib inline\nf = 1\n"
