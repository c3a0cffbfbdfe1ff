"""`stage`: what is written for a backend, whether it is installed or not; and on Numba, what it gives."""

from __future__ import annotations

import ast
import re

import numpy as np
import pytest

from pullback.emit.imports import import_edits
from pullback.source.edits import apply_edits
from pullback.source.module import parse_module
from pullback.stage import BACKENDS, stage_text
from pullback.targets import UnknownTarget
from tests.core.programs import PROGRAMS
from tests.core.ruff import assert_ruff_clean
from tests.core.staging.constructs import FORWARD_ONLY, REVERSIBLE
from tests.core.staging.expected import REPORTED
from tests.core.staging.numba_programs import compiled_space

TOP = "import numpy as np\n\n\n"
HELD = ("vae",)  # names a class of its module
CALLS = """\
def even(n: int):
    return True if n == 0 else odd(n - 1)


def odd(n: int):
    return False if n == 0 else even(n - 1)


def climb(x: float, n: int):
    if n == 0:
        return x
    return climb(0.5 * x, n - 1) + x
"""


def codes(text: str, backend: str = "jax") -> set[str]:
    return {d.code for d in stage_text(TOP + text, "f", backend, modules={}).diagnostics}


@pytest.mark.parametrize("backend", ["jax", "tensorflow"])
def test_every_staged_program_passes_ruff(tmp_path, backend: str) -> None:
    texts = {name: (p.source, p.func) for name, p in PROGRAMS.items() if name not in HELD}
    for k, (text, *_) in enumerate([*REVERSIBLE.values(), *FORWARD_ONLY.values()]):
        texts[f"construct_{k}"] = TOP + text, "f"
    count = 0
    for name, (source, func) in texts.items():
        derived = stage_text(source, func, backend, modules={})
        if derived.source is not None:
            (tmp_path / f"{name}.py").write_text(with_imports(derived.source), encoding="utf-8")
            count += 1
    assert count > 65
    assert_ruff_clean(tmp_path)


def with_imports(text: str) -> str:
    """The text with the imports that the module has for what stays as it is."""
    lines = {"np": "import numpy as np", "math": "import math"}
    used = [line for name, line in lines.items() if re.search(rf"(?<!\w){name}\.", text)]
    return apply_edits(text, import_edits(parse_module(text), used))


def test_state_is_what_turns_pass_on_and_no_more() -> None:
    text = (
        "def f(x, n: int):\n    y = x\n    for _ in range(n):\n        a = y * 2.0\n        b = a + x\n"
        "        y = b * a\n    return y\n"
    )
    source = stage_text(text, "f", "jax", modules={}).source
    assert source is not None
    assert "lax.fori_loop(0, n, turn, y)" in source


SUMS = """\
def f(x: float, y: float, n: int):
    for _ in range(n):
        s = x * y
        if s < 0.0:
            continue
        x += s
        if x > 2.0:
            break
    return x
"""


@pytest.mark.parametrize(
    "backend, where, array", [("jax", "jnp.where", "jnp"), ("tensorflow", "tf.where", "tnp")]
)
def test_sums_of_numbers_are_chosen_without_a_branch(backend: str, where: str, array: str) -> None:
    source = stage_text(TOP + SUMS, "f", backend, modules={}).source
    assert source is not None
    assert f"{array}.logical_or(test, {array}.logical_not(x2 > 2.0))" in source
    assert f"{where}(test, x, x2)" in source
    assert "cond(s" not in source


@pytest.mark.parametrize("value", ["x * y", "x / y", "np.log(x)"])
def test_what_may_have_no_finite_slope_stays_in_its_branch(value: str) -> None:
    text = f"def f(x: float, y: float):\n    z = 0.5\n    if x > 0.0:\n        z = {value}\n    return z\n"
    source = stage_text(TOP + text, "f", "jax", modules={}).source
    assert source is not None
    assert "lax.cond(x > 0.0, then, otherwise, z)" in source


def test_a_variable_of_one_way_within_another_is_reported() -> None:
    text = (
        "def f(x: float, y: float):\n    z = y\n    if x > y:\n        if x > 1.0:\n            w = 2.0 * x\n"
        "        z = z + w\n    return z\n"
    )
    assert "PB503" in codes(text)


def test_what_has_to_be_known_is_static() -> None:
    text = "def f(x, rows, mode='sum'):\n    y = x.reshape(rows, -1)\n    return y.sum() if mode == 'sum' else y\n"
    source = stage_text(text, "f", "jax", modules={}).source
    assert source is not None
    assert 'static_argnames=("rows", "mode")' in source


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("def f(x: np.ndarray):\n    y = x[1:]\n    x[0] = 1.0\n    return np.sum(x * y)\n", None),
        ("def f(x: np.ndarray):\n    x[0] = 1.0\n    return np.sum(x[x > 0.0])\n", "PB502"),
        ("def f(x, n):\n    return np.random.normal(size=n) * x\n", "PB502"),
        ("def f(x: float):\n    if x > 0.0:\n        print(x)\n    return x\n", "PB505"),
        ("def f(x: float):\n    return 1.0 if bool(x > 0.0) else x\n", "PB508"),
        ("import time\n\n\ndef f(x: float):\n    return x * time.time()\n", "PB508"),
        (
            "RNG = np.random.default_rng(1)\n\n\ndef f(x: float):\n    return x * RNG.normal()\n",
            "PB508",
        ),
        ("def f(x: float, out: np.ndarray):\n    out[0] = x\n    return x * x\n", "PB509"),
        (
            "def f(x: np.ndarray):\n    out = []\n    for v in x:\n        if v > 0.0:\n"
            "            out.append(v)\n    return np.sum(np.array(out))\n",
            "PB502",
        ),
        (
            "def f(x: np.ndarray):\n    out = [x]\n    while x[0] > 0.0:\n        x = x - 1.0\n"
            "        out.append(x)\n    return np.sum(out[0])\n",
            "PB502",
        ),
        (
            "def f(x: float):\n    kept = [x, x * x]\n    y = x\n    if x > 0.0:\n"
            "        y = kept.pop()\n    return y * kept[-1]\n",
            "PB502",
        ),
        (
            "def f(x: np.ndarray, n: int):\n    prev = None\n    t = 0.0\n    for i in range(n):\n"
            "        if prev is not None:\n            t += prev * x[i]\n        prev = x[i]\n    return t\n",
            "PB504",
        ),
        (
            "def f(x: float):\n    last = None\n    if x > 1.0:\n        last = x\n"
            "    return x if last is None else last\n",
            "PB504",
        ),
        ("def f(x: float):\n    if x > 1.0:\n        return x\n    return None\n", "PB504"),
        (
            "def f(x: np.ndarray):\n    y = x * x\n    if x[0] > 1.0:\n        y = 0.0\n    return y\n",
            "PB504",
        ),
        ("def f(x: np.ndarray):\n    return np.where(x > 0.5)[0].size * np.sum(x)\n", "PB502"),
        ("def f(x: np.ndarray):\n    return len(x[x > 0.5]) * np.sum(x)\n", "PB502"),
        ("def f(x: np.ndarray):\n    kinds = np.unique(x)\n    return np.sum(kinds)\n", "PB502"),
        ("def f(x: float, y: float):\n    n = int(x) or int(y)\n    return n * x\n", "PB502"),
        (
            "def g(v):\n    v[0] = 1.0\n    return g(v) if v[0] < 0.5 else v\n\n\ndef f(x):\n    g(x)\n    return x\n",
            "PB502",
        ),
    ],
)
def test_what_is_reported(text: str, code: str | None) -> None:
    found = codes(text)
    assert code in found if code is not None else "PB502" in found


def test_a_global_that_is_written_is_named() -> None:
    text = "COUNT = 0\n\n\ndef f(x: float):\n    global COUNT\n    COUNT = COUNT + 1\n    return x * COUNT\n"
    said = [d.message for d in stage_text(text, "f", "jax", modules={}).diagnostics]
    assert any("`COUNT`" in m for m in said) and not any("``" in m for m in said)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_staged_or_reported(name: str, backend: str) -> None:
    p = PROGRAMS[name]
    derived = stage_text(p.source, p.func, backend, modules={})
    errors = {d.code for d in derived.diagnostics if d.severity == "error"}
    code = REPORTED[backend].get(name)
    assert errors == ({code} if code else set())
    assert (derived.source is None) == (code is not None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(x: np.ndarray):\n    return np.fft.fft(x)\n", "numpy.fft.fft"),
        ("def f(x: np.ndarray):\n    return np.take(x, [-1])\n", "numpy.take"),
        ("def f(x: np.ndarray):\n    return np.std(x, ddof=1)\n", "numpy.std"),
        ("def f(x: np.ndarray):\n    return np.pad(x, 1)\n", "numpy.pad"),
        ("def f(x: np.ndarray):\n    return x.partition(2)\n", "partition"),
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n, n, n)\n    k = np.array([0, 1])\n"
            "    return np.sum(x[k, :, k])\n",
            "a subscript",
        ),
    ],
)
def test_what_tensorflow_does_not_say(text: str, said: str) -> None:
    found = stage_text(TOP + text, "f", "tensorflow", modules={})
    assert found.source is None
    assert any(d.code == "PB502" and f"`{said}`" in d.message for d in found.diagnostics)


def test_for_tensorflow_turns_that_only_the_run_counts_are_no_matter() -> None:
    text, _ = FORWARD_ONLY["while with an exit"]
    found = stage_text(TOP + text, "f", "tensorflow", modules={})
    assert found.source is not None and not found.diagnostics


def test_for_tensorflow_a_loop_ends_with_its_break() -> None:
    source = stage_text(TOP + REVERSIBLE["break"][0], "f", "tensorflow", modules={}).source
    assert source is not None
    assert "return tnp.logical_and(i < n, going)" in source


def test_a_method_is_refused() -> None:
    text = "class M:\n    def f(self, x: float):\n        return x * self.a\n"
    assert {d.code for d in stage_text(text, "M.f", "jax").diagnostics} == {"PB502"}


def test_unknown_names() -> None:
    with pytest.raises(UnknownTarget):
        stage_text(CALLS, "g", "jax")
    with pytest.raises(ValueError, match="'theano' is no backend that is known"):
        stage_text(CALLS, "climb", "theano")


@pytest.mark.parametrize("backend", BACKENDS)
def test_names_that_are_taken(backend: str) -> None:
    text = f"def f(x: float):\n    return x\n\n\ndef f_{backend}(x):\n    return x\n"
    assert stage_text(text, "f", backend).name == f"f_{backend}2"


def test_for_numba_functions_are_decorated_with_those_that_they_call() -> None:
    source = stage_text(CALLS, "even", "numba").source
    assert source is not None
    functions = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]
    assert [f.name for f in functions] == ["_odd_numba", "even_numba"]
    assert all(ast.unparse(f.decorator_list[0]) == "numba.njit" for f in functions)
    assert "jax" not in source


def test_recursion_on_numba() -> None:
    pytest.importorskip("numba", reason="Numba is not installed")
    space = compiled_space(CALLS, stage_text(CALLS, "climb", "numba").source or "")
    assert space["climb_numba"](1.5, 6) == pytest.approx(space["climb"](1.5, 6))


def test_mutual_recursion_on_numba() -> None:
    pytest.importorskip("numba", reason="Numba is not installed")
    space = compiled_space(CALLS, stage_text(CALLS, "even", "numba").source or "")
    assert [space["even_numba"](n) for n in range(4)] == [True, False, True, False]


ALONG = """\
def f(x, axis: int):
    a = x.max(axis=1, keepdims=True) - np.min(x, 0)
    b = np.mean(x, axis=-1) * np.linalg.norm(x, axis=0)[: len(x)]
    return a * np.roll(x, -2, axis=1) + np.roll(x, 1, 0) * b[:, None] + np.mean(x)
"""


def test_along_an_axis_on_numba() -> None:
    pytest.importorskip("numba", reason="Numba is not installed")
    x = np.random.default_rng(2).normal(size=(3, 4))
    derived = stage_text(TOP + ALONG, "f", "numba", modules={})
    space = compiled_space(TOP + ALONG, derived.source or "")
    np.testing.assert_allclose(space["f_numba"](x, 1), space["f"](x, 1))


@pytest.mark.parametrize(
    "call", ["np.mean(x, axis=axis)", "np.max(x, axis=(0, 1))", "x.std(axis=0)"]
)
def test_an_axis_that_numba_does_not_go_along_is_reported(call: str) -> None:
    assert codes(f"def f(x, axis):\n    return {call}\n", "numba") == {"PB501"}


def test_a_mask_and_a_dict_that_numba_does_not_take() -> None:
    mask = "def f(x: np.ndarray):\n    # pullback: x: (n, m)\n    y = x * x\n    y[y > 1.0] = 0.0\n    return y\n"
    assert codes(mask, "numba") == {"PB501"}
    assert codes('def f(p, x):\n    return p["w"] * x\n', "numba") == {"PB501"}


@pytest.mark.parametrize("comment", ["implicit", "checkpoint", "checkpoint snapshots=3"])
def test_what_comments_say_of_derivatives_is_left_out(comment: str) -> None:
    text = (
        "def f(p: float, n: int):\n    x = 1.0\n    for _ in range(n):  # pullback: {}\n"
        "        x = x * p + 1.0\n    return x\n"
    )
    marked, plain = (
        stage_text(text.format(said), "f", "jax").source for said in (comment, "ignore")
    )
    assert marked is not None and plain is not None
    assert marked.partition("def f_jax")[2] == plain.partition("def f_jax")[2]
