"""Derivatives in a module beside that of their functions: what is written, how it runs, how it stays in step."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from pullback import check, derive
from pullback.derive import derive_in
from pullback.emit.insert import insertion
from pullback.generated import check_generated, fixes_of
from pullback.placing import BELOW, Asked, beside_for
from pullback.siblings import sibling, sibling_path
from pullback.source.edits import apply_edits
from pullback.source.module import parse_module
from pullback.sync import synced
from tests.core.differences import assert_derivative

MODEL = '''\
"""A model."""

import numpy as np
from scipy import special as sp

LIMIT = 3.0
SCALE: float = 2.0


class Range(tuple):
    """Two numbers."""


def ramp(x):
    return np.maximum(x, LIMIT)


def bend(w, X):
    # pullback: w: (n,), X: (m, n)
    scale = SCALE * np.sin(X @ w)
    return np.sum(scale**3) * LIMIT


def loss(w: np.ndarray, X, rate: float = SCALE, span: Range = Range((0, 1))):
    # how steep
    z = X @ w  # linear
    assert z.size < LIMIT**3, f"{{}} {LIMIT:.1f} of {SCALE!r}, {z.size}"
    if rate > 100.0 * LIMIT:
        raise ValueError(f"rate {rate} above {LIMIT}")
    worst = sorted([LIMIT, SCALE], key=lambda t: t * SCALE)
    p = sp.expit(z) * LIMIT + worst[0] + sum(z[i] * SCALE for i in range(int(LIMIT)))
    with np.errstate(divide="ignore"):
        q = np.log(p * p + span[1])
    return np.sum(ramp(4.0 * q * rate))
'''
ARGS = (np.array([0.3, -0.2]), np.arange(8.0).reshape(4, 2) / 5.0)


def beside(model: str, grad: str | None = None, *names: str, kind: str = "grad") -> str:
    """The text of `model_grad.py` after derivatives of functions were put there."""
    texts = {"model": model, ".model_grad": grad}
    for name in names:
        found = sibling(parse_module(model, "model.py"), texts.get)
        assert found is not None
        derived = derive_in(found.module, name, kind, modules=texts.get, of=found.of)
        assert derived.source is not None, derived.diagnostics
        texts[".model_grad"] = apply_edits(found.module.text, insertion(found.module, derived))
    made = texts[".model_grad"]
    assert made is not None
    return made


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Imports modules that are written as files, the way their user does."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def imported(name: str, **files: str):
        for module, text in files.items():
            path = tmp_path / f"{module.replace('_in_', '/')}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield imported
    for name in ("model", "model_grad", "pkg", "pkg.model", "pkg.model_grad"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "kind"),
    [*(("loss", k) for k in ("grad", "jvp", "vjp", "jacobian")), ("bend", "hvp"), ("bend", "grad")],
)
def test_a_derivative_reads_its_function_s_globals_through_the_module(run, name, kind) -> None:
    grad = beside(MODEL, None, name, kind=kind)
    made = run("model_grad", model=MODEL, model_grad=grad)
    args = (*ARGS, 1.5, (0, 1)) if name == "loss" else ARGS
    function = getattr(sys.modules["model"], name)
    assert_derivative(function, getattr(made, f"{name}_{kind}"), args, kind, ("w",))


def test_what_the_user_wrote_stays_where_it_says_the_same() -> None:
    grad = beside(MODEL, None, "loss")
    assert grad.startswith('"""Derivatives of model."""\n\nimport model\nimport numpy as np\n')
    assert "# pullback: grad of loss in model wrt w [" in grad
    assert (
        "    w: np.ndarray, X, rate: float = model.SCALE, span: model.Range = model.Range((0, 1))\n"
        in grad
    )
    assert "    # how steep\n    z = X @ w  # linear\n" in grad
    assert 'f"{{}} {model.LIMIT:.1f} of {model.SCALE!r}, {z.size}"' in grad
    assert "key=lambda t: t * model.SCALE)" in grad
    assert '    with np.errstate(divide="ignore"):\n' in grad


def test_an_annotation_that_is_for_type_checkers_alone_goes() -> None:
    model = (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from arrays import Array\n\n\n"
        "def square(x: Array, k: float):\n    return k * x * x\n"
    )
    assert "def square_grad(x, k: float):" in beside(model, None, "square")


def test_in_a_package_the_module_is_imported_from_there(run) -> None:
    model = "import math\n\nRATE = 0.5\n\n\ndef decay(x: float):\n    return math.exp(-RATE * x)\n"
    texts = {".": "", "model": model, ".model": model}
    found = sibling(parse_module(model, "pkg/model.py"), texts.get)
    assert found is not None
    made = derive_in(found.module, "decay", modules=texts.get, of=found.of)
    grad = apply_edits(found.module.text, insertion(found.module, made))
    assert "\nfrom . import model\n" in grad
    module = run(
        "pkg.model_grad",
        **{"pkg_in___init__": "", "pkg_in_model": model, "pkg_in_model_grad": grad},
    )
    assert module.decay_grad(2.0) == pytest.approx(-0.5 * np.exp(-1.0))


def test_several_share_imports_and_helpers_and_names_of_other_modules_do_not_clash(run) -> None:
    model = MODEL + "\n\ndef other(model, x: float):\n    return model * x * LIMIT\n"
    grad = beside(model, None, "loss", "other")
    assert grad.count("import numpy as np\n") == 1
    assert "import model as model2\n" in grad and "model2.LIMIT * x" in grad
    made = run("model_grad", model=model, model_grad=grad)
    assert made.other_grad(2.0, 5.0) == 15.0


# --- in step --------------------------------------------------------------------------------------


def codes(model: str, grad: str) -> list[str]:
    modules = {"model": model, ".model_grad": grad}.get
    found = check(grad, path="model_grad.py", modules=modules)
    return [d.code for d in found if d.code.startswith("PB4")]


def test_what_is_beside_is_as_well_looked_after_as_what_is_below() -> None:
    grad = beside(MODEL, None, "loss")
    changed = MODEL.replace("4.0 * q", "5.0 * q")
    called = MODEL.replace("np.maximum(x, LIMIT)", "np.maximum(2.0 * x, LIMIT)")
    assert codes(MODEL, grad) == []
    assert codes(changed, grad) == ["PB401"]
    assert codes(called, grad) == ["PB401"]
    assert codes(MODEL, grad.replace("return _matmul_b_bar(", "return 2.0 * _matmul_b_bar(")) == [
        "PB402"
    ]
    assert codes(MODEL.replace("def loss", "def cost"), grad) == ["PB403"]
    made = synced(parse_module(grad, "model_grad.py"), {"model": changed})
    assert made.regenerated == ("loss_grad",) and not made.left
    assert made.module.text == beside(changed, None, "loss")


def test_a_derivative_follows_its_function_to_a_new_name() -> None:
    grad = beside(MODEL, None, "loss")
    renamed = MODEL.replace("def loss", "def cost")
    module, modules = parse_module(grad, "model_grad.py"), {"model": renamed}
    (found,) = check_generated(module, "loss_grad", modules)
    (follow, *_) = fixes_of(module, found, modules)
    assert follow.title == "Follow the function to its new name: cost_grad"
    assert apply_edits(grad, follow.edits) == beside(renamed, None, "cost")


def test_what_stands_in_the_way_is_said_at_the_function_that_has_its_derivative_beside() -> None:
    grad = beside(MODEL, None, "loss")
    refused = MODEL.replace("4.0 * q * rate", "np.unique(q)")
    modules = {"model": refused, ".model_grad": grad}.get
    found = check(refused, path="model.py", modules=modules)
    assert [(d.code, d.function) for d in found if d.severity == "error"] == [("PB302", "loss")]
    alone = check(refused, path="model.py", modules={})
    assert not [d for d in alone if d.severity == "error"]


@pytest.mark.parametrize("jit, stands", [(None, True), ("numba", False)])
def test_one_for_a_compiler_is_another_derivative_than_the_one_that_stands(jit, stands) -> None:
    """What is beside stays there; another one goes where new ones go, which is below here."""
    modules = {".model_grad": beside(MODEL, None, "bend")}
    asked = Asked("bend", "grad", None, jit=jit)
    found = beside_for(parse_module(MODEL, "model.py"), asked, modules.get, BELOW)
    assert (found is not None) is stands


def test_newlines_are_those_of_the_function_s_file() -> None:
    grad = beside(MODEL.replace("\n", "\r\n"), None, "ramp", kind="vjp")
    assert grad.count("\n") == grad.count("\r\n") > 5


@pytest.mark.parametrize(
    "name", ["__init__.py", "my-model.py", "2d.py", "class.py", "notes.ipynb", "-"]
)
def test_what_cannot_be_imported_has_no_sibling(name: str) -> None:
    assert sibling_path(name) is None


def test_a_file_named_as_a_library_has_no_sibling() -> None:
    assert sibling(parse_module("", "math.py"), {}.get) is None


def test_the_digest_of_what_stands_beside_is_that_of_what_stands_below() -> None:
    own = derive(MODEL, "loss", modules={}).header
    (there,) = (
        x for x in beside(MODEL, None, "loss").splitlines() if x.startswith("# pullback: grad")
    )
    assert own.split("[")[1].split()[0] == there.split("[")[1].split()[0]
