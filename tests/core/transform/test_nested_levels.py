"""Derivatives inside derivatives, each level by itself: what Siskind and Pearlmutter call perturbation confusion.

A tool that takes the tangent of one level for that of another gives other numbers than these, which are exact.
"""

from __future__ import annotations

import ast
import math
from textwrap import dedent

import pytest

from pullback import derive
from tests.core.differences import space_of

# name: (text of the function f, the derivative of f)
LEVELS = {
    "the inner derivative is constant": (
        """
        def f(x: float):
            return x * INNER(lambda y: x + y, 1.0)
        """,
        lambda x: 1.0,  # confused: 2.0
    ),
    "the outer variable is a factor": (
        """
        def f(x: float):
            return x * INNER(lambda y: x * y, 2.0)
        """,
        lambda x: 2.0 * x,
    ),
    "the inner variable has the outer one's name": (
        """
        def f(x: float):
            return x * INNER(lambda x: x * x * x, x)
        """,
        lambda x: 9.0 * x**2,
    ),
    "the outer variable is the place, too": (
        """
        def f(x: float):
            return INNER(lambda y: x * math.sin(y), x * x)
        """,
        lambda x: math.cos(x * x) - 2.0 * x * x * math.sin(x * x),
    ),
    "three levels": (
        """
        def f(x: float):
            def g(y):
                return y * INNER(lambda z: x * y * z, x)

            return x * INNER(g, x)
        """,
        lambda x: 6.0 * x**2,
    ),
    "shifts of a function that is shifted": (
        """
        def shifted(x):
            return INNER(lambda u: math.sin(x + u), 0.0)


        def f(x: float):
            return INNER(lambda v: shifted(x + v), 0.0)
        """,
        lambda x: -math.cos(x),
    ),
    "one function at both levels": (
        """
        def cube(t):
            return t * t * t


        def f(x: float):
            return INNER(lambda y: INNER(cube, y) * x, x) + INNER(cube, x)
        """,
        lambda x: 18.0 * x,
    ),
}
INNER = {
    "grad": "pullback.grad({0})({1})",
    "vjp": "pullback.vjp({0})({1}, 1.0)",
    "jvp": "pullback.jvp({0})({1}, 1.0)[1]",
    "value_and_grad": "pullback.value_and_grad({0})({1})[1]",
}
OUTER = {
    "grad": lambda d: d,
    "vjp": lambda d: lambda x: d(x, 1.0),
    "jvp": lambda d: lambda x: d(x, 1.0)[1],
}


def _text(name: str, inner: str) -> str:
    """The module with derivatives of one kind inside."""

    class Taken(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.expr:
            self.generic_visit(node)
            if getattr(node.func, "id", "") != "INNER":
                return node
            made = INNER[inner].format(*(f"({ast.unparse(a)})" for a in node.args))
            return ast.parse(made, mode="eval").body

    head = "import math\n\nimport pullback\n\n\n"
    return head + ast.unparse(Taken().visit(ast.parse(dedent(LEVELS[name][0]))))


@pytest.mark.parametrize("outer", OUTER)
@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("name", LEVELS)
def test_levels_are_kept_apart(name: str, inner: str, outer: str) -> None:
    text = _text(name, inner)
    derived = derive(text, "f", outer, modules={})
    assert derived.source is not None, [d.message for d in derived.diagnostics]
    assert "pullback." not in derived.source.replace("# pullback: ", "")
    made = OUTER[outer](space_of(text, derived.source)[f"f_{outer}"])
    assert made(0.7) == pytest.approx(LEVELS[name][1](0.7), rel=1e-12)
