"""What names mean: imports in every form, shadowing, conditional bindings, the workspace's modules."""

from __future__ import annotations

import pytest

from pullback import ir
from pullback.lower import FORMULA, lower_expression, lower_function, qualnames, scope_of
from pullback.source.module import parse_module

from .printing import show

IMPORTS = """
import numpy as np, numpy
import numpy.linalg
import scipy.special as sc
import os.path
from numpy import exp as e, tanh, linalg as la, pi
from numpy.linalg import norm
from math import *
from . import helpers
from .model import mix, W
import model, pkg.deep
from pkg import deep as d
from __future__ import annotations
try:
    from fast import dot
except ImportError:
    dot = None
try:
    import quick as q
except ImportError:
    import slow as q
if a:
    from x import same
else:
    from x import same
SCALE = 2.0
LEFT, (RIGHT, *REST) = 1, (2, 3)
def own(x): return x
class Model: pass
def again(x): return x
again = 3
for counter in range(3): inside = counter
with open() as handle: pass
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("np.exp(x)", "numpy.exp(x)"),
        ("numpy.exp(x)", "numpy.exp(x)"),
        ("np.linalg.norm(x)", "numpy.linalg.norm(x)"),
        ("numpy.linalg.norm(x)", "numpy.linalg.norm(x)"),
        ("la.norm(x)", "numpy.linalg.norm(x)"),
        ("norm(x)", "numpy.linalg.norm(x)"),
        ("e(x)", "numpy.exp(x)"),
        ("tanh(x)", "numpy.tanh(x)"),
        ("sc.expit(x)", "scipy.special.expit(x)"),
        ("np.pi", "&numpy.pi"),
        ("pi", "&numpy.pi"),
        ("np.newaxis", "&numpy.newaxis"),
        ("np.add.reduce(x)", "numpy.add.reduce(x)"),
        ("os.path.join(x)", "os.path.join(x)"),
        ("sqrt(x)", "math.sqrt(x)"),
        ("helpers.mix(x)", "helpers.mix(x)"),
        ("mix(x)", "model.mix(x)"),
        ("W", "&model.W"),
        ("W.shape", "attr.shape(&model.W)"),
        ("W.sum()", "method.sum(&model.W)"),
        ("model.mix(x)", "model.mix(x)"),
        ("pkg.deep.f(x)", "pkg.deep.f(x)"),
        ("d.f(x)", "pkg.deep.f(x)"),
        ("dot(x)", "fast.dot(x)"),
        ("q.f(x)", "method.f(&?q, x)"),
        ("same(x)", "x.same(x)"),
        ("SCALE", "&.SCALE"),
        ("SCALE.real", "attr.real(&.SCALE)"),
        ("REST", "&.REST"),
        ("own(x)", ".own(x)"),
        ("Model(x)", ".Model(x)"),
        ("Model.helper(x)", ".Model.helper(x)"),
        ("again", "&.again"),
        ("counter + inside", "operator.add(&.counter, &.inside)"),
        ("handle", "&.handle"),
        ("len(x)", "builtins.len(x)"),
        ("int.from_bytes(x)", "builtins.int.from_bytes(x)"),
        ("__name__", "&.__name__"),
        ("x.sum(axis=0)", "method.sum(x, axis=0)"),
        ("x.T", "attr.T(x)"),
        ("x.a.b(1)", "method.b(attr.a(x), 1)"),
        ("np.exp(x).sum()", "method.sum(numpy.exp(x))"),
        ("x(1)", "x(1)"),
        ("own(x)(x)", ".own(x)(x)"),
        (
            "unheard_of(x)",
            "math.unheard_of(x)",
        ),  # `from math import *` is the one place it can be from
    ],
)
def test_resolution(text: str, expected: str) -> None:
    module = parse_module(f"{IMPORTS}\ndef f(x):\n    return {text}\n")
    assert not module.errors
    function = lower_function(module, "f")
    assert function is not None
    last = function.body[-1]
    assert isinstance(last, ir.Return)
    assert show(last.value) == expected


@pytest.mark.parametrize(
    ("before", "body", "expected"),
    [
        ("import numpy as np\n", "np = x\n    return np.exp(x)", "method.exp(np, x)"),
        ("", "sum = 0\n    return sum + 1", "operator.add(sum, 1)"),
        ("", "return abs(x)\n    for abs in x: pass", "abs(x)"),
        ("import numpy as np\n", "def np(): pass\n    return np.exp(x)", "method.exp(np, x)"),
        ("import numpy as np\n", "return [np for np in x]", "<comprehension x|>"),
        ("", "import numpy as np\n    return np.exp(x)", "numpy.exp(x)"),
        ("", "from numpy import exp\n    return exp(x)", "numpy.exp(x)"),
        ("", "if x:\n        import a as m\n    else:\n        import b as m\n    return m.f(x)", "method.f(m, x)"),
        ("import numpy as np\n", "del np\n    return np.x", "attr.x(np)"),
        ("", "import numpy as np\n    np = 1\n    return np.exp(x)", "method.exp(np, x)"),
        ("K = 1\n", "global K\n    K = x\n    return K", "&.K"),
        ("", "global K\n    K = x\n    return K", "&?K"),
        ("from numpy import *\n", "return sum(x)", "?sum(x)"),
        ("from numpy import *\n", "return len(x) + exp(x)", "operator.add(builtins.len(x), numpy.exp(x))"),
        ("from a import *\nfrom b import *\n", "return exp(x)", "?exp(x)"),
        ("from a import *\n", "return len(x)", "?len(x)"),
        ("", "return exp(x)", "?exp(x)"),
        ("", "return (y := x) + y", "operator.add(y, y)"),
        ("", "return [z := i for i in x], z", "(<comprehension x|z>, z)"),
        ("", "with x as z: pass\n    return z", "z"),
        ("", "try: pass\n    except E as z: pass\n    return z", "z"),
        ("", "match x:\n        case [a, *b]: pass\n        case {'k': c, **d}: pass\n    return a, c, d", "(a, c, d)"),
        ("if a:\n    def g(): pass\nelse:\n    def g(): pass\n", "return g()", ".g()"),
        ("def g(): pass\ng = jit(g)\n", "return g()", ".g()"),
    ],
)  # fmt: skip
def test_shadowing(before: str, body: str, expected: str) -> None:
    module = parse_module(f"{before}def f(x):\n    {body}\n")
    assert not module.errors, module.errors
    function = lower_function(module, "f")
    assert function is not None
    returned = [s for s in ir.statements(function.body) if isinstance(s, ir.Return)]
    assert show(returned[-1].value) == expected


@pytest.mark.parametrize(
    ("name", "path", "text", "expected"),
    [
        ("", None, "from .m import f", "m.f"),
        ("", None, "from . import f", "f"),
        ("", None, "from ..m import f", "..m.f"),
        ("", None, "from .. import f", "..f"),
        ("a.b", "a/b.py", "from .m import f", "a.m.f"),
        ("a.b", "a/b/__init__.py", "from .m import f", "a.b.m.f"),
        ("a.b", "a/b.py", "from ..m import f", "m.f"),
        ("a.b", "a/b.py", "from ...m import f", "..m.f"),
        ("..b", "b.py", "from .m import f", "..m.f"),
        ("..b", "b.py", "from ..m import f", "...m.f"),
        ("..a.b", "a/b.py", "from ..m import f", "..m.f"),
        ("a.b", "a/b.py", "from m.n import g as f", "m.n.g"),
    ],
)
def test_relative_imports(name: str, path: str | None, text: str, expected: str) -> None:
    assert scope_of(parse_module(text + "\n", path, name)).resolve("f") == expected


def test_a_scope_says_what_a_module_holds() -> None:
    scope = scope_of(parse_module(IMPORTS))
    assert scope.functions == ("own",)
    assert scope.classes == ("Model",)
    assert {"SCALE", "LEFT", "again"} <= set(scope.globals)
    assert scope.imports["np"] == "numpy"
    assert scope.stars == ("math",)
    assert scope.kind("len") == "builtin"


@pytest.mark.parametrize(
    ("text", "local", "expected"),
    [
        ("1.0 - y * y", (), "operator.sub(1.0, operator.mul(y, y))"),
        ("np.flip(y_bar, axis)", (), "numpy.flip(y_bar, axis)"),
        ("scipy.special.digamma(x)", (), "scipy.special.digamma(x)"),
        ("math.pi * len(x)", (), "operator.mul(&math.pi, builtins.len(x))"),
        ("ord is None", ("ord",), "ord is None"),
        ("x.T @ y_bar", (), "operator.matmul(attr.T(x), y_bar)"),
        ("x +", (), "<syntax error |>"),
        ("x = 1", (), "<syntax error |>"),
        ("", (), "<syntax error |>"),
        ("\0", (), "<syntax error |>"),
        ("+".join(["x"] * 4000), (), "<syntax error |>"),
        ("+".join(["x"] * 200), (), "<deep nesting |>"),
    ],
)
def test_formulas(text: str, local: tuple[str, ...], expected: str) -> None:
    assert show(lower_expression(text, FORMULA, local)) == expected


def test_formulas_give_fresh_nodes_each_time() -> None:
    first, second = (lower_expression("x * x", FORMULA) for _ in range(2))
    assert first == second and first is not second
    assert isinstance(first, ir.Call) and first.args[0] is not first.args[1]


def test_qualified_names() -> None:
    text = (
        "def a(): pass\nclass C:\n    def m(self): pass\n    class D:\n        def n(self): pass\n"
        "def outer():\n    def inner(): pass\nif x:\n    def late(): pass\ndef a(): pass\n"
    )
    assert qualnames(parse_module(text)) == ("C.m", "C.D.n", "outer", "late", "a")
