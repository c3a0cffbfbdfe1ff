"""Quick fixes in text that is laid out in unusual ways: the edit changes what it means to, and nothing else."""

from __future__ import annotations

import ast

import pytest

from pullback import check
from pullback.source.edits import apply_edits

MARK = "# pullback: differentiable\n# pullback: x: (n,)\n"


def mended(source: str, number: int = 0) -> str:
    """The module after the fix of its one report."""
    (found,) = check(source, modules={})
    text = apply_edits(source, found.fixes[number].edits)
    ast.parse(text)
    assert check(text, modules={}) == ()
    return text


FLOATING = [
    ("np.zeros(3, int)", "np.zeros(3, float)"),
    ("np.zeros(3, dtype=int)", "np.zeros(3, dtype=float)"),
    ("np.zeros(shape=3, dtype=np.int64)", "np.zeros(shape=3, dtype=float)"),
    ("np.zeros((3), int)", "np.zeros((3), float)"),
    ("np.array([0, 0, 0])", "np.array([0, 0, 0], dtype=float)"),
    ("np.array(([0, 0, 0]))", "np.array(([0, 0, 0]), dtype=float)"),
    ("np.array([0, 0, 0], )", "np.array([0, 0, 0], dtype=float )"),
    ("np.array([0, 0, 0] # é ,\n )", "np.array([0, 0, 0], dtype=float # é ,\n )"),
    ("np.arange(0, 3)", "np.arange(0, 3, dtype=float)"),
    ("np.full(3, 0)", "np.full(3, 0, dtype=float)"),
    ("np.full(3, 0, 'int')", "np.full(3, 0, float)"),
    ("np.ones(3).astype(int)", "np.ones(3).astype(float)"),
    ("( # é\n\tnp.zeros)(3, int)", "( # é\n\tnp.zeros)(3, float)"),
]


@pytest.mark.parametrize(("made", "after"), FLOATING)
def test_an_array_of_integers_is_made_of_floats(made: str, after: str) -> None:
    source = (
        f"import numpy as np\n\n{MARK}def f(x):\n\t'𝛻'; a = {{}}; a[0] = x[0]\n\treturn np.sum(a)\n"
    )
    assert mended(source.format(made)) == source.format(after)


COPIED = [
    ("a.reshape(-1)", "a.reshape(-1).copy()"),
    ("(a.reshape(-1))", "(a.reshape(-1).copy())"),
    ("a.reshape(\n\t\t-1  # é\n\t)", "a.reshape(\n\t\t-1  # é\n\t).copy()"),
    ("a.T.reshape(-1)[1:]", "a.T.reshape(-1)[1:].copy()"),
    ("np.ravel(a)", "np.ravel(a).copy()"),
]


@pytest.mark.parametrize(("made", "after"), COPIED)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_possible_view_is_copied(made: str, after: str, newline: str) -> None:
    source = (
        "import numpy as np\n\n# pullback: differentiable\n# pullback: x: (n, m)\n"
        "def f(x):\n\t'𝛻'; a = x.T * 1.0; b = {}\n\tb[0] = 1.0\n\treturn np.sum(a) + np.sum(b)"
    )
    text = source.format(made).replace("\n", newline)
    assert mended(text) == source.format(after).replace("\n", newline)


ANNOTATED = [
    ("def f(x):", "def f(x: {}):"),
    ("def f(x, /, k = 1):", "def f(x: {}, /, k = 1):"),
    ("def f(*, x):", "def f(*, x: {}):"),
    ("def f(x=2.0):", "def f(x: {} = 2.0):"),
    ("def f(x = 2.0):", "def f(x: {} = 2.0):"),
    ("def f(\n\tx  # é\n\t,\n):", "def f(\n\tx: {}  # é\n\t,\n):"),
]


@pytest.mark.parametrize(("before", "after"), ANNOTATED)
@pytest.mark.parametrize(
    ("imported", "number", "kind"),
    [
        ("import numpy as np", 0, "float"),
        ("import numpy as np", 1, "np.ndarray"),
        ("import numpy", 1, "numpy.ndarray"),
        ("from numpy import ndarray", 1, "ndarray"),
    ],
)
def test_a_parameter_is_annotated(
    before: str, after: str, imported: str, number: int, kind: str
) -> None:
    source = (
        imported + "\n\n# pullback: differentiable wrt x\n{}\n\ty = x\n\ty *= 2.0\n\treturn x * y\n"
    )
    assert mended(source.format(before), number) == source.format(after.format(kind))


def test_without_numpy_in_sight_no_array_is_offered() -> None:
    (found,) = check(
        "# pullback: differentiable\ndef f(x):\n    y = x\n    y *= 2\n    return x * y\n"
    )
    assert [fix.title for fix in found.fixes] == ["Annotate x as a float"]


def test_what_is_made_elsewhere_has_no_fix() -> None:
    """An array of a helper's has no place here that could be changed."""
    source = (
        "import numpy as np\n\ndef counts():\n    return np.zeros(3, int)\n\n"
        f"{MARK}def f(x):\n    a = counts()\n    a[0] = x[0]\n    return np.sum(a)\n"
    )
    (found,) = check(source, modules={})
    assert (found.code, found.fixes) == ("PB304", ())
