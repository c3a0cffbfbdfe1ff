"""What is staged for TensorFlow gives the values of its function, and under a tape the gradients of Pullback."""

from __future__ import annotations

import copy
import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pullback import derive
from pullback.stage import stage_text
from tests.core.differences import returning, space_of
from tests.core.programs import PROGRAMS, with_seeds
from tests.core.staging.comparing import same
from tests.core.staging.constructs import FORWARD_ONLY, REVERSIBLE
from tests.core.staging.expected import staged_on

tf = pytest.importorskip("tensorflow", reason="TensorFlow is not installed")

TOP = "import numpy as np\n\n\n"
# programs that are traced and compiled for a minute: they are for `LONG=1 pytest`
LONG = ("adi", "durbin", "heat_3d", "lid_cavity", "nbody_loops")
SKIPPED = pytest.mark.skipif(not os.environ.get("LONG"), reason="TensorFlow takes a minute for it")
QUICK = ("atax", "bezier")
EVERY = [
    pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK) + [SKIPPED] * (n in LONG))
    for n in staged_on("tensorflow")
]
REFUSED = "rows that a mask selects"  # where nothing tells how many axes there are
# a tape passes loops whose turns only the run counts, too
CONSTRUCTS = {
    **{what: case for what, case in REVERSIBLE.items() if what != REFUSED},
    **{what: (*case, ("x",)) for what, case in FORWARD_ONLY.items()},
}


def staged(source: str, func: str) -> Callable[..., Any]:
    derived = stage_text(source, func, "tensorflow", modules={})
    assert derived.source is not None, derived.diagnostics
    made: Callable[..., Any] = space_of(source, derived.source)[derived.name]
    return made


def tensors(value: Any) -> Any:
    """Arguments whose floats and arrays are tensors, which a tape watches."""
    if isinstance(value, dict):
        return {k: tensors(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(tensors, value))
    numeric = isinstance(value, (float, np.ndarray))
    return tf.convert_to_tensor(np.asarray(value)) if numeric else value


def pulled_back(
    f: Callable[..., Any], plain: Callable[..., Any], args: Any, wrt: Any, seed: Any
) -> Any:
    """The cotangents of `wrt` by a tape."""
    given = [tensors(a) for a in args]
    names = list(inspect.signature(plain).parameters)
    watched = [given[names.index(w)] for w in wrt]
    with tf.GradientTape() as tape:
        tape.watch(tf.nest.flatten(watched))
        out = f(*given)
    seeds = tf.nest.map_structure(lambda s: tf.convert_to_tensor(np.asarray(s)), seed)
    return tape.gradient(out, watched, seeds, unconnected_gradients="zero")


@pytest.mark.parametrize("name", EVERY)
def test_a_program(name: str) -> None:
    p = PROGRAMS[name]
    f = staged(p.source, p.func)
    plain, args = p.space[p.func], p.arguments()
    same(f(*args), returning(plain, p.source)(*copy.deepcopy(args)))
    made = space_of(p.source, p.golden.read_text(encoding="utf-8"))[f"{p.func}_{p.kind}"]
    seeded = with_seeds(p)
    wanted = made(*seeded)
    got = pulled_back(f, plain, args, p.wrt, seeded[-1] if p.kind == "vjp" else 1.0)
    same(got, wanted if len(p.wrt) > 1 else (wanted,))


@pytest.mark.slow
@pytest.mark.parametrize("what", CONSTRUCTS)
def test_a_construct_and_its_gradient(what: str) -> None:
    text, args, wrt = CONSTRUCTS[what]
    f = staged(TOP + text, "f")
    plain = space_of(TOP + text)["f"]
    value = returning(plain, text)(*copy.deepcopy(args))
    same(f(*args), value)
    seed = np.ones(np.shape(value)) * 0.7
    derived = derive(TOP + text, "f", "vjp", wrt, modules={})
    assert derived.source is not None, derived.diagnostics
    wanted = space_of(TOP + text, derived.source)[derived.name](*copy.deepcopy(args), seed)
    same(pulled_back(f, plain, args, wrt, seed), wanted)


def test_a_mask_of_unknown_axes_is_refused() -> None:
    derived = stage_text(TOP + REVERSIBLE[REFUSED][0], "f", "tensorflow", modules={})
    assert derived.source is None
    assert {d.code for d in derived.diagnostics} == {"PB502"}


def test_a_mask_that_nothing_tells_of_is_refused_when_it_is_traced() -> None:
    f = staged(TOP + "def f(x: np.ndarray, k):\n    return np.sum(x[k])\n", "f")
    x = np.array([0.5, 1.5, -0.25])
    same(f(x, np.array([2, -3])), x[[2, -3]].sum())
    same(f(x, np.array(1)), x[1])
    with pytest.raises(IndexError, match="how many elements a mask selects"):
        f(x, x > 0.0)


def test_a_parameter_may_be_none() -> None:
    text = "def f(x, w=None):\n    y = x * x\n    if w is not None:\n        y = y * w\n    return np.sum(y)\n"
    f, plain = staged(TOP + text, "f"), space_of(TOP + text)["f"]
    x = np.array([0.5, 1.5])
    same(f(x), plain(x))
    same(f(x, x + 1.0), plain(x, x + 1.0))


@pytest.mark.parametrize("x", [2, 2.5, np.array([3, 4]), np.array([0.5, 1.5])])
def test_numbers_of_which_nothing_is_said_may_be_whole(x: Any) -> None:
    text = "def f(x, k, flag):\n    y = 0.5 * x + k\n    if flag:\n        y = y * k\n    return y**k\n"
    f, plain = staged(TOP + text, "f"), space_of(TOP + text)["f"]
    for flag in (True, False):
        same(f(x, 2, flag), plain(x, 2, flag))


def test_single_precision_stays_single() -> None:
    text = (
        "def f(x, n: int):\n    t = 0.0\n    for i in range(n):\n        t = t * 0.5 + x[i] * i\n"
        "    if t > 1.0:\n        t = 0.25\n    return t\n"
    )
    x = np.array([0.7, 0.2, 2.0, 0.3], np.float32)
    got = staged(TOP + text, "f")(x, 2)
    assert got.dtype == tf.float32
    np.testing.assert_allclose(got, space_of(TOP + text)["f"](x, 2), rtol=1e-6)


LOADED = """\
import sys

import tensorflow as tf

model = tf.saved_model.load(sys.argv[1])
x = tf.constant([0.5, 1.5, -0.25], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = model.f(x)
print(repr(float(y)), *map(repr, map(float, tape.gradient(y, x))))
"""


@pytest.mark.slow
def test_what_is_staged_is_saved_and_loaded_without_its_source(tmp_path: Path) -> None:
    text = (
        "def f(x: np.ndarray):\n    # pullback: x: (3,)\n    t = 0.0\n    for v in x:\n"
        "        t = t * t + v\n    return t\n"
    )
    model = tf.Module()
    model.f = staged(TOP + text, "f")
    x = np.array([0.5, 1.5, -0.25])
    model.f.get_concrete_function(tf.TensorSpec((3,), tf.float64))
    tf.saved_model.save(model, str(tmp_path))
    run = [sys.executable, "-c", LOADED, str(tmp_path)]
    out = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    value, *x_bar = map(float, out.split())
    derived = derive(TOP + text, "f", "grad", "x", modules={})
    space = space_of(TOP + text, derived.source)
    same(value, space["f"](x))
    same(np.array(x_bar), space[derived.name](x))
