"""What parameters a derivative has, in which order, with which defaults and annotations."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

from pullback import check, derive
from pullback.derive import UnknownTarget
from tests.core.differences import space_of

# the function's parameters | those of its gradient (the same) | those of its vjp
SIGNATURES = [
    ("x: float", "x: float, f_bar"),
    ("x: float, n: int = 2", "x: float, n: int, f_bar"),
    ("x: float, y: float = 1.5", "x: float, y: float, f_bar"),
    ("x: float, /, y: float = 1.0", "x: float, /, y: float, f_bar"),
    ("x: float, *, k: float = 2.0", "x: float, *, k: float, f_bar"),
    ("x: float, *, k: float", "x: float, *, k: float, f_bar"),
    ("x: float, *args", "x: float, *args, f_bar"),
    ("x: float, **options", "x: float, f_bar, **options"),
    ("x: float, *args, k: float = 1.0, **o", "x: float, *args, k: float, f_bar, **o"),
    ("x: float, f_bar: float = 1.0", "x: float, f_bar: float, f_bar2"),
    ("x: 'float', tag: str = 'a'", "x: 'float', tag: str, f_bar"),
]
GRADS = [before for before, _ in SIGNATURES]


def parameters(text: str, name: str) -> str:
    [fn] = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name]
    assert fn.returns is None or ast.unparse(fn.returns) != "float"
    return ast.unparse(fn.args)


def plain(parameters: str) -> str:
    return ast.unparse(ast.parse(f"def f({parameters}): pass").body[0].args)  # type: ignore[attr-defined]


@pytest.mark.parametrize("before", GRADS)
@pytest.mark.parametrize("kind", ["grad", "value_and_grad"])
def test_gradients_keep_the_signature(before: str, kind: str) -> None:
    made = derive(f"def f({before}) -> float:\n    return x * x\n", "f", kind)
    assert parameters(made.function, f"f_{kind}") == plain(before)


@pytest.mark.parametrize(("before", "after"), SIGNATURES)
def test_seeds_come_last_and_defaults_go(before: str, after: str) -> None:
    made = derive(f"def f({before}) -> float:\n    return x * x\n", "f", "vjp")
    assert parameters(made.function, "f_vjp") == plain(after)


@pytest.mark.parametrize(("before", "after"), SIGNATURES)
def test_tangents_of_parameters_come_last_and_defaults_go(before: str, after: str) -> None:
    made = derive(f"def f({before}) -> float:\n    return x * x\n", "f", "jvp")
    seed = "f_bar2" if "f_bar2" in after else "f_bar"
    assert parameters(made.function, "f_jvp") == plain(re.sub(rf"\b{seed}\b", "x_dot", after))


def test_each_parameter_has_its_tangent_and_taken_names_get_a_number() -> None:
    source = "def f(x: float, y: float, x_dot: float):\n    return x * y * x_dot\n"
    made = derive(source, "f", "jvp", ("y", "x"))
    assert parameters(made.function, "f_jvp").endswith("x_dot: float, y_dot, x_dot2")
    space = space_of(source, made.source or "")
    assert space["f_jvp"](2.0, 3.0, 5.0, 1.0, 10.0) == (30.0, 160.0)


def test_keyword_only_parameters_are_differentiated_by_name() -> None:
    source = "def f(x: float, *, k: float = 3.0):\n    return x * k * k\n"
    made = derive(source, "f", "grad", ("k", "x"))
    assert space_of(source, made.source or "")["f_grad"](2.0) == (12.0, 9.0)


def test_a_default_from_a_global_is_read_where_the_function_is_defined() -> None:
    source = "SCALE = 3.0\n\n\ndef f(x: float, scale: float = SCALE):\n    return scale * x * x\n"
    made = derive(source, "f")
    space = space_of(source, made.source or "")
    assert inspect.signature(space["f_grad"]).parameters["scale"].default == 3.0
    assert space["f_grad"](2.0) == 12.0


def test_the_docstring_is_one_line() -> None:
    source = 'def f(x: float):\n    """Square.\n\n    At length.\n    """\n    return x * x\n'
    for kind in ("grad", "value_and_grad", "vjp", "jvp"):
        tree = ast.parse(derive(source, "f", kind).function).body[0]
        doc = ast.get_docstring(tree, clean=False)  # type: ignore[arg-type]
        assert doc and "\n" not in doc and "f" in doc and "x" in doc and doc.endswith(".")


WRT = [
    (None, ("x",), False),
    ("y", ("y",), False),
    (0, ("x",), False),
    (1, ("y",), False),
    (("y", "x"), ("y", "x"), True),
    ((1, 0), ("y", "x"), True),
    (("x", 1), ("x", "y"), True),
    ("*", ("x", "y"), True),
    (("x",), ("x",), True),
]
TWO = (
    "def f(x: float, y: float, n: int = 1, tag: str = 'a', flag=True):\n    return x * y * y * n\n"
)
AT = {"x": 9.0, "y": 12.0}  # the partial derivatives at (2, 3)


@pytest.mark.parametrize(("wrt", "names", "several"), WRT)
def test_wrt(wrt: object, names: tuple[str, ...], several: bool) -> None:
    made = derive(TWO, "f", "grad", wrt)  # type: ignore[arg-type]
    got = space_of(TWO, made.source or "")["f_grad"](2.0, 3.0)
    assert got == (tuple(AT[n] for n in names) if several else AT[names[0]])
    assert f" wrt {', '.join(names)} " in made.header


@pytest.mark.parametrize("wrt", ["z", ("x", "z"), 9, ()])
def test_a_parameter_that_is_not_there(wrt: object) -> None:
    with pytest.raises(UnknownTarget, match="f"):
        derive(TWO, "f", "grad", wrt)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrt", ["n", "tag", ("x", "n")])
def test_a_parameter_that_is_not_floating(wrt: object) -> None:
    made = derive(TWO, "f", "grad", wrt)  # type: ignore[arg-type]
    assert made.source is None
    assert [d.code for d in made.diagnostics] == ["PB308"]


def test_self_is_not_counted() -> None:
    source = "class A:\n    def f(self, x: float, y: float):\n        return self.k * x * y\n"
    for wrt, name in ((None, "x"), (0, "x"), (1, "y"), ("*", "x, y")):
        assert f" wrt {name} [" in derive(source, "A.f", "grad", wrt).header


def test_unknown_functions_and_kinds() -> None:
    for name in ("g", "f.g", "A.f", ""):
        with pytest.raises(UnknownTarget):
            derive(TWO, name)
    with pytest.raises(ValueError, match="jacobians"):
        derive(TWO, "f", "jacobians")


COUNTS = """\
import numpy as np


# pullback: differentiable
def steps(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) * x
    return y
"""


def test_a_count_is_no_parameter_to_differentiate() -> None:
    """What `range` takes is an integer: neither `check` nor all of the parameters mean it."""
    assert check(COUNTS) == ()
    made = derive(COUNTS, "steps", kind="vjp", wrt="*")
    assert made.source is not None and " wrt x " in made.header
