"""What the generated text keeps, drops, names and ties together."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys

import pytest

from pullback import Derived, derive
from pullback.derive import UnknownTarget
from tests.core.differences import space_of

NP = "import numpy as np\n\n\n"


def made(
    source: str, func: str = "f", kind: str = "grad", wrt: object = None, **more: object
) -> Derived:
    derived = derive(source, func, kind, wrt, **more)  # type: ignore[arg-type]
    assert derived.source is not None, derived.diagnostics
    return derived


def at(derived: Derived, source: str, *args: object, before: str = "") -> object:
    return space_of(before, source, derived.source or "")[derived.name](*args)


# --- decorators ------------------------------------------------------------------------------------

DROPPED = ["njit", "numba.njit", "numba.njit(cache=True)", "jit", "lru_cache", "functools.cache"]
DROPPED += ["functools.lru_cache(maxsize=None)"]
REFUSED = ["app.route('/')", "timed", "jax.jit_me", "contextmanager", "torch.no_grad()"]
REFUSED += ["numpy.vectorize", "numba.vectorize"]  # a function of numbers, called with arrays


@pytest.mark.parametrize("decorator", DROPPED)
def test_compilers_and_caches_are_dropped(decorator: str) -> None:
    source = f"@{decorator}\ndef f(x: float):\n    return x * x\n"
    assert "@" not in made(source).function


@pytest.mark.parametrize("decorator", REFUSED)
def test_other_decorators_are_refused(decorator: str) -> None:
    source = f"@{decorator}\ndef f(x: float):\n    return x * x\n"
    [d] = derive(source, "f").diagnostics
    assert (d.code, d.severity, d.function) == ("PB107", "error", "f")
    assert decorator.split("(")[0] in d.message


@pytest.mark.parametrize("decorator", REFUSED)
def test_other_decorators_on_a_called_function_are_refused(decorator: str) -> None:
    source = f"@{decorator}\ndef g(x):\n    return x * x\n\n\ndef f(x: float):\n    return g(x)\n"
    derived = derive(source, "f")
    assert derived.source is None
    assert {d.code for d in derived.diagnostics} == {"PB107"}


@pytest.mark.parametrize("decorator", ["staticmethod", "typing.final", "final"])
def test_static_methods_and_typing_are_kept(decorator: str) -> None:
    first = "x" if decorator == "staticmethod" else "self, x"
    source = f"class A:\n    @{decorator}\n    def f({first}: float):\n        return x * x\n"
    assert f"@{decorator}\ndef f_grad(" in made(source, "A.f").function


def test_override_would_not_be_true() -> None:
    source = "class A(B):\n    @override\n    def f(self, x: float):\n        return x * x\n"
    assert "@" not in made(source, "A.f").function


def test_class_methods() -> None:
    source = "class A:\n    k = 3.0\n\n    @classmethod\n    def f(cls, x: float):\n        return cls.k * x * x\n"
    text = made(source, "A.f").function
    assert "@classmethod\ndef f_grad(cls, x: float):" in text


# --- targets ---------------------------------------------------------------------------------------

TARGETS = {
    "async": ("async def f(x: float):\n    return x\n", "f", "PB103"),
    "generator": ("def f(x: float):\n    yield x\n", "f", "PB102"),
    "conditional": ("if True:\n    def f(x: float):\n        return x\n", "f", "PB108"),
    "in try": (
        "try:\n    import fast\nexcept ImportError:\n    def f(x: float):\n        return x\n",
        "f",
        "PB108",
    ),
    "nested": ("def g():\n    def f(x: float):\n        return x\n    return f\n", "g.f", "PB108"),
}


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_no_target(name: str) -> None:
    source, func, code = TARGETS[name]
    derived = derive(source, func)
    assert derived.source is None
    assert [d.code for d in derived.diagnostics] == [code]


def test_the_last_definition_counts() -> None:
    source = "def f(x: float):\n    return x\n\n\ndef f(x: float):\n    return x**3\n"
    assert at(made(source), source, 2.0) == 12.0


def test_overloads_are_skipped_before_and_behind() -> None:
    stub = "@overload\ndef f(x: {0}) -> {0}: ...\n\n\n"
    whole = "def f(x: float):\n    return x**3\n\n\n"
    top = "from typing import overload\n\n\n"
    for source in (top + stub.format("int") + whole, top + whole + stub.format("int")):
        derived = made(source)
        assert "@" not in derived.function
        assert space_of(top + whole, derived.source or "")["f_grad"](2.0) == 12.0


def test_methods() -> None:
    source = (
        "class Model:\n    def __init__(self, rate):\n        self.rate = rate\n\n"
        "    def loss(self, w: float, b: float = 1.0):\n        return (self.rate * w - b) ** 2\n"
    )
    derived = made(source, "Model.loss", wrt="*")
    assert derived.header.startswith("# pullback: grad of Model.loss wrt w, b [")
    space = space_of(source, derived.source or "")
    assert space["loss_grad"](space["Model"](2.0), 3.0) == (20.0, -10.0)


# --- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["grad", "value_and_grad", "vjp"])
def test_name_of_the_derivative(kind: str) -> None:
    assert made("def loss(x: float):\n    return x\n", "loss", kind).name == f"loss_{kind}"


def test_a_name_taken_by_another_wrt() -> None:
    source = "def f(x: float, y: float):\n    return x * y\n"
    first = made(source, wrt="x")
    both = source + "\n\n" + first.function
    assert made(both, wrt="x").name == "f_grad"
    assert made(both, wrt=("x", "y")).name == "f_grad_x_y"
    assert made(both, kind="vjp", wrt="x").name == "f_vjp"


def test_a_name_of_ones_own() -> None:
    derived = made("def f(x: float):\n    return x * x\n", name="slope")
    assert derived.name == "slope" and "def slope(x: float):" in derived.function
    assert " name=slope [" in derived.header


def test_taken_names_get_a_number() -> None:
    source = NP + (
        "def f(x: np.ndarray, x_bar: float):\n    # pullback: x: (n,)\n    y = x * x_bar\n"
        "    y[0] = 1.0\n    for i in range(3):\n        y[i] = x[i]\n    return np.sum(y * y)\n"
    )
    text = made(source).function
    assert "x_bar2" in text
    assert "    x_bar =" not in text and "    x_bar +=" not in text


@pytest.mark.parametrize("word", ["sum", "max", "abs", "print", "range"])
def test_builtins_that_the_function_uses_stay_what_they_are(word: str) -> None:
    source = NP + (
        "def f(x: np.ndarray, S: np.ndarray):\n    # pullback: x: (n,), S: (n, n)\n"
        f"    first = {word}\n    r = x * 2.0\n    c = np.sum(S) + np.max(S) + np.abs(S[0, 0])\n"
        "    return -0.5 * (r @ np.linalg.solve(S, r)) * c\n"
    )
    tree = ast.parse(made(source).function)
    stored = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    assert word not in stored


# --- imports ---------------------------------------------------------------------------------------

BODY = "    return {sum}({sin}(x) * x)\n"
IMPORTS = {
    "import numpy as np": ("np.sum", "np.sin", "np.cos("),
    "import numpy": ("numpy.sum", "numpy.sin", "numpy.cos("),
    "import numpy as xp": ("xp.sum", "xp.sin", "xp.cos("),
    "from numpy import sin, sum": ("sum", "sin", "np.cos("),
    "from numpy import cos, sin, sum as add": ("add", "sin", " cos("),
    "import numpy as np\nfrom numpy import sin as s": ("np.sum", "s", "np.cos("),
}


@pytest.mark.parametrize("line", IMPORTS)
def test_import_aliases(line: str) -> None:
    plus, sin, cosine = IMPORTS[line]
    source = f"{line}\n\n\ndef f(x):\n    # pullback: x: (n,)\n{BODY.format(sum=plus, sin=sin)}"
    derived = made(source)
    assert cosine in derived.function
    import numpy as np

    x = np.array([0.3, 1.0])
    np.testing.assert_allclose(at(derived, source, x), np.cos(x) * x + np.sin(x))


def test_a_missing_import_is_printed() -> None:
    source = "def f(x):\n    return x * x\n"
    derived = made(source)
    assert derived.imports == ("import numpy as np",)
    assert at(derived, source, 3.0) == 6.0


def test_a_name_that_is_no_numpy() -> None:
    source = "np = 3.0\n\n\ndef f(x):\n    return np * x\n"
    assert at(made(source), source, 3.0) == 3.0


# --- other modules ---------------------------------------------------------------------------------

MODEL = """import math

RATE = 2.0


def inner(x):
    return math.sin(RATE * x)


def g(x, k=3.0):
    return k * inner(x)
"""


@pytest.mark.parametrize(
    "line, call",
    [("import model", "model.g"), ("from model import g", "g"), ("import model as m", "m.g")],
)
def test_functions_of_another_module(line: str, call: str, tmp_path, monkeypatch) -> None:
    import math

    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "model", raising=False)
    source = f"{line}\n\n\ndef f(x: float):\n    return {call}(x) * x\n"
    derived = made(source, modules={"model": MODEL})
    owner = "m" if line.endswith(" m") else "model"
    assert f"{owner}.RATE" in (derived.source or "")
    want = 3.0 * (math.sin(0.8) + 0.4 * 2.0 * math.cos(0.8))
    assert at(derived, source, 0.4) == pytest.approx(want)
    del sys.modules["model"]  # not by monkeypatch, which would put it back


def test_a_module_that_is_not_there() -> None:
    derived = derive("import model\n\n\ndef f(x: float):\n    return model.g(x)\n", "f", modules={})
    assert [d.code for d in derived.diagnostics] == ["PB301"]


def test_numpy_is_never_a_workspace_file() -> None:
    fake = {"numpy": "def sin(x):\n    return 3.0 * x\n", "math": "def sin(x):\n    return x\n"}
    source = "import math\n\n\ndef f(x: float):\n    return math.sin(x)\n"
    assert "math.cos(x)" in made(source, modules=fake).function


def test_recursion() -> None:
    source = (
        "def f(x: float, n: int):\n    if n == 0:\n        return 1.0\n    return x * f(x, n - 1)\n"
    )
    assert at(made(source), source, 2.0, 4) == pytest.approx(32.0)


def test_functions_that_call_each_other() -> None:
    source = (
        "def g(x: float, n: int):\n    if n == 0:\n        return x\n    return 2.0 * f(x, n - 1)\n\n\n"
        "def f(x: float, n: int):\n    if n == 0:\n        return x * x\n    return x * g(x, n - 1)\n"
    )
    assert at(made(source), source, 3.0, 4) == pytest.approx(4.0 * 4 * 27.0)


# --- the user's statements -------------------------------------------------------------------------


def test_statements_stay_as_written_with_their_comments() -> None:
    body = (
        "    # the first step\n    y = ( x*2 )  # doubled\n    assert (np.all( y > -1e9 ))\n"
        '    print( "y", y )\n    z = y  **  2\n'
    )
    source = NP + f"def f(x):\n    # pullback: x: (n,)\n{body}    return np.sum( z*y )  # done\n"
    text = made(source).function
    for line in body.splitlines():
        assert line in text, line
    assert text.count("# Backward pass") == 1


def test_the_value_is_not_computed_unless_it_is_asked_for() -> None:
    source = NP + "def f(x):\n    # pullback: x: (n,)\n    return np.sum(np.exp(x))\n"
    assert "np.sum" not in made(source).function
    assert "np.sum" in made(source, kind="value_and_grad").function
    assert "np.sum" not in made(source, kind="vjp").function


def test_what_the_result_does_not_depend_on_is_not_computed() -> None:
    source = NP + (
        "def f(x):\n    # pullback: x: (n,)\n    y = np.exp(x)\n"
        "    unused = np.median(y) + np.log(np.sum(y))\n    return np.sum(y)\n"
    )
    text = made(source).function
    assert "median" not in text and "log" not in text


def test_return_annotations_are_dropped() -> None:
    source = "def f(x: float) -> float:\n    return x * x\n"
    for kind in ("value_and_grad", "vjp"):
        assert "->" not in made(source, kind=kind).function


# --- header and digests ----------------------------------------------------------------------------

HEADER = re.compile(
    r"# pullback: (grad|value_and_grad|vjp) of [\w.]+ wrt \w+(, \w+)*( \w+=\w+)* \[[0-9a-f]{8} [0-9a-f]{8}\]"
)
PLAIN = """import numpy as np


def g(x):
    return np.sin(x)


def f(x, k=2.0):
    # pullback: x: (n,)
    y = g(x)
    return np.sum(k * y)
"""


def digests(source: str) -> tuple[str, str]:
    header = made(source).header
    assert HEADER.fullmatch(header), header
    first, second = header[header.index("[") + 1 : -1].split()
    return first, second


SAME = {
    "a comment": PLAIN.replace("    y = g", "    # why\n    y = g"),
    "a trailing comment": PLAIN.replace("g(x)\n", "g(x)  # why\n", 1),
    "white space": PLAIN.replace("k * y", "k*y").replace("np.sum(", "np.sum( "),
    "parentheses": PLAIN.replace("return np.sum(k * y)", "return (np.sum((k * y)))"),
    "line breaks": PLAIN.replace("np.sum(k * y)", "np.sum(\n        k * y\n    )"),
    "a docstring": PLAIN.replace("    # pullback: x", '    """Say it."""\n    # pullback: x'),
    "another place": PLAIN.replace("def g", "A = 1\n\n\ndef g"),
    "another function": PLAIN + "\n\ndef h(x):\n    return x\n",
    "line ends": PLAIN.replace("\n", "\r\n"),
    "quotes of a mark": PLAIN.replace(
        "    # pullback: x", "    # pullback: differentiable\n    # pullback: x"
    ),
}
OTHER = {
    "the function": PLAIN.replace("k * y", "k * y * y"),
    "a called function": PLAIN.replace("np.sin", "np.cos"),
    "a default": PLAIN.replace("k=2.0", "k=3.0"),
    "a shape": PLAIN.replace("x: (n,)", "x: (n, n)"),
    "a name": PLAIN.replace("k", "q"),
}


@pytest.mark.parametrize("what", SAME)
def test_the_source_digest_stays(what: str) -> None:
    assert SAME[what] != PLAIN
    assert digests(SAME[what])[0] == digests(PLAIN)[0]


@pytest.mark.parametrize("what", OTHER)
def test_the_source_digest_changes(what: str) -> None:
    assert OTHER[what] != PLAIN
    assert digests(OTHER[what])[0] != digests(PLAIN)[0]


def test_the_body_digest_is_of_the_body() -> None:
    from pullback.written import body_digest

    derived = made(PLAIN)
    header, _, body = derived.function.partition("\n")
    second = digests(PLAIN)[1]
    assert second in header
    assert body_digest(body) == second
    assert body_digest(body.replace("# Backward pass", "# backwards")) == second
    assert body_digest(body.replace("return ", "return 2.0 * ")) != second


# --- determinism -----------------------------------------------------------------------------------

PRINTING = """
import sys
from pullback import derive
source = sys.stdin.read()
for kind in ("grad", "value_and_grad", "vjp"):
    for wrt in ("*", None):
        print(derive(source, "f", kind, wrt).source)
bad = source.replace("np.tanh", "np.unknown").replace("a * b", "eval('a')")
print(derive(bad, "f", "grad", "*").diagnostics)
"""
BUSY = NP + (
    "def mix(a, b):\n    return a * b + np.tanh(a)\n\n\n"
    "def f(a, b, c, d, n: int):\n    h = np.zeros((n, 3))\n    for i in range(n):\n"
    "        e = mix(a, b) * c\n        if np.sum(e) > 0.0:\n            h[i] = h[i - 1] + e * d\n"
    "        else:\n            a, b = b, a\n    return np.sum(h * h) + np.sum(a @ b)\n"
)


def test_the_same_text_in_every_process() -> None:
    texts = set()
    for seed in ("0", "1", "77"):
        run = subprocess.run(
            [sys.executable, "-c", PRINTING],
            input=BUSY,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        texts.add(run.stdout)
    assert len(texts) == 1
    assert "def f_grad(" in texts.pop()


def test_twice_in_one_process() -> None:
    assert made(BUSY, wrt="*") == made(BUSY, wrt="*")


def test_generated_functions_are_functions_like_any_other() -> None:
    source = "def f(x: float):\n    return x**3\n"
    first = made(source)
    second = made(source + "\n\n" + (first.source or ""), "f_grad")
    assert second.name == "f_grad_grad"
    assert space_of(source, first.source or "", second.source or "")["f_grad_grad"](2.0) == 12.0


def test_what_is_not_there_says_so() -> None:
    source = "def f(x: float):\n    return x\n"
    with pytest.raises(UnknownTarget, match="no variable y"):
        derive(source, "f", insert={"y": "print(y_bar)"})
    with pytest.raises(UnknownTarget):
        derive("x = 1\n", "f")
