"""Modules brought into step: what is made anew, what goes, what is kept and reported."""

from __future__ import annotations

import numpy as np
import pytest

from pullback import derive
from pullback.emit.insert import insertion
from pullback.source.edits import apply_edits, line_differences
from pullback.source.module import parse_module
from pullback.sync import out_of_step, synced
from tests.core.differences import space_of

CALLED = """\
import numpy as np


def mix(a, b):
    return a * b


def loss(x: np.ndarray):
    return np.sum(mix(x, x))
"""
BROADCAST = "import numpy as np\n\n\ndef loss(x, w):\n    return np.sum(w * x)\n"


def written(text: str, *asked: tuple[str, str]) -> str:
    """The module with derivatives in it, as `grad --write` puts them."""
    for function, kind in asked:
        derived = derive(text, function, kind, modules={})
        assert derived.source is not None, derived.diagnostics
        text = apply_edits(text, insertion(parse_module(text), derived))
    return text


def sync(text: str) -> str:
    return synced(parse_module(text), {}).module.text


def codes(text: str) -> list[str]:
    return [d.code for d in synced(parse_module(text), {}).left]


@pytest.mark.parametrize("kinds", [("grad",), ("vjp", "grad"), ("jvp",)])
def test_derivatives_follow_the_function_and_what_it_calls(kinds: tuple[str, ...]) -> None:
    asked = [("loss", kind) for kind in kinds]
    for old, new in (("np.sum(mix(x, x))", "np.sum(mix(x, x) * x)"), ("a * b", "a * b * b")):
        stale = written(CALLED, *asked).replace(old, new, 1)
        assert {d.code for d in out_of_step(parse_module(stale), {})} == {"PB401"}
        wanted = written(CALLED.replace(old, new, 1), *asked)
        assert sync(stale) == wanted
        assert out_of_step(parse_module(wanted), {}) == ()


@pytest.mark.parametrize("kinds", [("hvp",), ("hvp", "grad")])
def test_private_derivatives_of_private_derivatives_follow(kinds: tuple[str, ...]) -> None:
    """An hvp has tangents of private derivatives, which the file has, too, where there is a grad."""
    asked = [("loss", kind) for kind in kinds]
    for old, new in (("np.sum(mix(x, x))", "np.sum(mix(x, x) * x)"), ("a * b", "a * b * b")):
        found = synced(parse_module(written(CALLED, *asked).replace(old, new, 1)), {})
        assert found.left == ()
        fresh = space_of(written(CALLED.replace(old, new, 1), *asked))
        x, x_dot = np.array([0.5, -2.0]), np.array([1.0, 3.0])
        made = space_of(found.module.text)["loss_hvp"](x, x_dot)
        np.testing.assert_allclose(made, fresh["loss_hvp"](x, x_dot))


def test_what_is_in_step_stays_as_it_is() -> None:
    for text in (CALLED, "x = 1", "", written(CALLED, ("loss", "grad"))):
        assert synced(parse_module(text), {}).module.text == text


@pytest.mark.parametrize("text", [CALLED, BROADCAST])
def test_helpers_that_nothing_uses_go_and_leave_no_trace(text: str) -> None:
    start, plain = text.split("def loss")[0], "def loss(x, w):\n    return 2.0 * x\n"
    stale = written(text, ("loss", "vjp")).replace(text[len(start) :], plain)
    found = synced(parse_module(stale), {})
    assert "_unbroadcast" in found.removed and found.regenerated == ("loss_vjp",)
    assert found.module.text == written(start + plain, ("loss", "vjp"))


def test_helpers_that_only_call_each_other_go_together() -> None:
    text = """\
import numpy as np


def even(x: float, n: int):
    return x if n == 0 else x * odd(x, n - 1)


def odd(x: float, n: int):
    return 1.0 if n == 0 else x + even(x, n - 1)


def f(x: float):
    return even(x, 5)
"""
    stale = written(text, ("f", "grad")).replace("return even(x, 5)", "return x * x")
    assert synced(parse_module(stale), {}).removed == ("_even_vjp", "_odd_vjp")
    assert sync(stale) == written(text.replace("return even(x, 5)", "return x * x"), ("f", "grad"))


def test_a_helper_of_the_users_stays() -> None:
    text = written(BROADCAST, ("loss", "vjp")).replace("np.sum(w * x)", "2.0 * w")
    mine = text.replace("def _unbroadcast(", "def _unbroadcast(*more, ").replace(
        "return _unbroadcast(", "return _unbroadcast(None, "
    )
    assert mine != text
    assert "def _unbroadcast(*more" in sync(mine)


def test_a_helper_that_a_comment_or_a_string_names_stays() -> None:
    text = written(CALLED, ("loss", "grad")).replace("np.sum(mix(x, x))", "np.sum(x)")
    assert "_mix_vjp" not in sync(text)
    assert "def _mix_vjp" in sync(text + '\n\n__all__ = ["_mix_vjp"]\n')


def test_what_a_person_edited_is_kept_and_reported() -> None:
    text = written(CALLED, ("loss", "grad"), ("loss", "vjp"))
    stale = text.replace("np.sum(mix(x, x))", "np.sum(mix(x, x) * x)")
    edited = stale.replace("return mix_a_bar + mix_b_bar", "return mix_a_bar", 1)
    assert edited != stale
    found = synced(parse_module(edited), {})
    assert "return mix_a_bar\n" in found.module.text
    assert len(found.regenerated) == 1
    assert {d.code for d in found.left} == {"PB401", "PB402"}


def test_an_edited_helper_stands_in_the_way_of_what_would_call_it() -> None:
    text = written(CALLED, ("loss", "grad")).replace("a * b", "a * b * b", 1)
    edited = text.replace("mix_bar * a", "1.0 * mix_bar * a")
    assert edited != text
    assert sync(edited) == edited
    assert codes(edited) == ["PB402", "PB401"]


def test_what_cannot_be_made_anew_says_why() -> None:
    text = written(CALLED, ("loss", "grad")).replace("mix(x, x)", "eval('x')")
    assert codes(text) == ["PB401", "PB111"]
    assert sync(text) == text


def test_an_orphan_is_reported() -> None:
    text = written(CALLED, ("loss", "grad")).replace("def loss(", "def cost(")
    assert codes(text) == ["PB403"]


def test_what_took_the_usual_name_may_go() -> None:
    text = "def f(x: float, y: float):\n    return x * y\n"
    both = text
    for wrt in ("x", "y"):
        both = apply_edits(
            both, insertion(parse_module(both), derive(both, "f", "grad", wrt, modules={}))
        )
    head, _, tail = both.partition("# pullback: grad of f wrt y")
    alone = head[: head.index("# pullback: grad of f wrt x")] + "# pullback: grad of f wrt y" + tail
    found = synced(parse_module(alone.replace("x * y", "x * y * y")), {})
    assert (found.regenerated, found.left) == (("f_grad_y",), ())
    assert found.module.text.count("def ") == 2


def test_a_derivative_of_a_derivative_follows_in_one_go() -> None:
    text = "def g(x: float):\n    return f_grad(x) * x\n\n\ndef f(x: float):\n    return x * x\n"
    both = written(text, ("f", "grad"), ("g", "grad"))
    stale = both.replace("return x * x\n", "return x * x * x\n")
    wanted = written(
        text.replace("return x * x\n", "return x * x * x\n"), ("f", "grad"), ("g", "grad")
    )
    assert sync(stale) == wanted


def test_methods_and_tabs() -> None:
    text = "class Model:\n\trate = 2.0\n\n\tdef loss(self, x: float):\n\t\treturn self.rate * x\n"
    stale = written(text, ("Model.loss", "grad")).replace("self.rate * x", "self.rate * x * x", 1)
    wanted = written(text.replace("self.rate * x", "self.rate * x * x"), ("Model.loss", "grad"))
    assert sync(stale) == wanted
    compile(wanted, "model.py", "exec")


def test_the_edits_are_those_of_the_lines_that_differ() -> None:
    old = "a\r\nb\r\nc\r\nd"
    new = "a\r\nB\r\nc\r\nd\r\ne"
    edits = line_differences(old, new)
    assert apply_edits(old, edits) == new
    assert [old[e.span.start : e.span.end] for e in edits] == ["b\r\n", "d"]
    assert line_differences(old, old) == ()


def test_helpers_and_private_derivatives_at_the_end_of_a_file_go_together() -> None:
    text = written(CALLED.replace("x: np.ndarray", "x"), ("loss", "grad"))
    rest = text[: text.index("# pullback: grad of loss")]
    assert sync(rest) == CALLED.replace("x: np.ndarray", "x")
