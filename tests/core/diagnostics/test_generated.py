"""The fixes of generated functions: brought up to date where nobody has edited them, or handed over."""

from __future__ import annotations

from pullback import check, derive, ide
from pullback.diagnostics import Fix
from pullback.source.edits import apply_edits
from pullback.source.module import parse_module

MODEL = "import numpy as np\n\n\ndef loss(x: np.ndarray):\n    # pullback: x: (n,)\n    return np.sum(x * x)\n"


def with_gradient(source: str) -> str:
    """The module with the gradient of `loss` in it."""
    return source + "\n\n" + str(derive(source, "loss", modules={}).source)


def fixes(source: str) -> list[Fix]:
    return [fix for d in check(source, modules={}) for fix in d.fixes]


def test_what_is_out_of_date_is_regenerated() -> None:
    source = with_gradient(MODEL).replace("np.sum(x * x)", "np.sum(x * x * x)")
    (fix,) = fixes(source)
    assert (fix.title, fix.safe) == ("Regenerate loss_grad", True)
    assert apply_edits(source, fix.edits) == with_gradient(
        MODEL.replace("np.sum(x * x)", "np.sum(x * x * x)")
    )


def test_the_same_name_and_parameters_are_asked_for_again() -> None:
    before = "def loss(w: float, x: float):\n    return w * x\n"
    after = before.replace("w * x", "w * x * x")
    made, wanted = (
        text + "\n\n" + str(derive(text, "loss", "vjp", ("x",), name="slope", modules={}).source)
        for text in (before, after)
    )
    source = made.replace(before, after)
    (fix,) = fixes(source)
    assert apply_edits(source, fix.edits) == wanted


def test_what_cannot_be_generated_any_more_has_no_fix() -> None:
    source = with_gradient(MODEL).replace("np.sum(x * x)", "np.sum(eval('x'))")
    assert fixes(source) == []


def test_what_a_person_edited_is_kept_and_can_be_owned() -> None:
    source = with_gradient(MODEL).replace("return 2.0 * x", "return 2.0 * x  + 0.0")
    source = source.replace("np.sum(x * x)", "np.sum(x * x * x)")
    assert [d.code for d in check(source, modules={})] == ["PB401", "PB402"]
    keep, own, again = fixes(source)
    assert keep.title == "Keep loss_grad as edited, and say when loss changes"
    assert own.title == "Keep loss_grad as your own: delete its header"
    assert (again.title, again.safe) == ("Regenerate loss_grad, giving up what was edited", False)
    mended = apply_edits(source, again.edits)
    assert mended == with_gradient(MODEL.replace("np.sum(x * x)", "np.sum(x * x * x)"))
    mended = apply_edits(source, own.edits)
    assert check(mended, modules={}) == ()
    (header,) = [line for line in source.splitlines() if "grad of loss" in line]
    assert mended == source.replace(header + "\n", "")


def test_what_is_kept_as_edited_is_still_told_of_its_function() -> None:
    edited = with_gradient(MODEL).replace("return 2.0 * x", "return x + x")
    (keep, *_) = fixes(edited)
    kept = apply_edits(edited, keep.edits)
    assert "# pullback: grad of loss wrt x edited=yes [" in kept
    assert check(kept, modules={}) == ()
    stale = kept.replace("np.sum(x * x)", "np.sum(x * x) + 1.0")
    (found,) = check(stale, modules={})
    assert found.code == "PB401"
    (mark,) = found.fixes
    assert (mark.title, mark.safe) == ("Mark loss_grad as up to date with loss", False)
    assert check(apply_edits(stale, mark.edits), modules={}) == ()


def test_what_has_lost_its_function_can_be_owned() -> None:
    (fix,) = fixes(with_gradient(MODEL).replace(MODEL, ""))
    assert fix.title == "Keep loss_grad as your own: delete its header"
    source = with_gradient(MODEL).replace("def loss(", "def cost(").replace("x * x)", "x + x)")
    (fix,) = fixes(source)
    assert check(apply_edits(source, fix.edits), modules={}) == ()


def test_what_was_renamed_can_be_followed() -> None:
    renamed = MODEL.replace("def loss(", "def cost(")
    other = "\n\ndef other(x):\n    return x * x\n"
    follow, _ = fixes(with_gradient(MODEL).replace(MODEL, renamed) + other)
    assert (follow.title, follow.safe) == (
        "Follow the function to its new name: cost_grad",
        False,
    )
    source = with_gradient(MODEL).replace(MODEL, renamed) + other
    wanted = str(derive(renamed, "cost", modules={}).source)
    assert apply_edits(source, follow.edits) == f"{renamed}\n\n{wanted}{other}"


def test_what_is_out_of_date_shows_where_its_function_is() -> None:
    source = with_gradient(MODEL).replace("x * x)", "x * x * x)")
    (found,) = check(source, modules={})
    (place,) = found.related
    assert source[place.span.start : place.span.end] == "loss"
    module = parse_module(source)
    ide.diagnostics(module, lambda _: None)
    (moved,) = ide.diagnostics(parse_module("# top\n" + source, previous=module), lambda _: None)
    assert moved.related[0].span.start == place.span.start + len("# top\n")


def test_the_editor_makes_the_derivative_when_it_is_asked_for_the_fix() -> None:
    source = with_gradient(MODEL).replace("np.sum(x * x)", "np.sum(x * x * x)")
    module = parse_module(source)
    (found,) = ide.diagnostics(module, lambda _: None)
    assert found.fixes == () and ide.regeneration_title(module, found) == "Regenerate loss_grad"
    assert list(ide.fixes_of(module, found, lambda _: None)) == fixes(source)


def test_private_derivatives_of_private_derivatives_are_explained() -> None:
    source = "def mix(a, b):\n    return a * b\n\n\ndef loss(x: float):\n    return mix(x, x)\n"
    whole = source + "\n\n" + str(derive(source, "loss", "hvp", modules={}).source)
    assert "jvp of _mix_vjp" in whole
    assert check(whole, modules={}) == ()


def test_what_cannot_be_made_any_more_is_out_of_date() -> None:
    for old, new in (("np.sum(x * x)", "np.sum(eval('x'))"), ("loss(x: np.ndarray)", "loss(y)")):
        source = with_gradient(MODEL).replace(old, new, 1)
        assert "PB401" in [d.code for d in check(source, modules={})]


def test_an_edited_private_derivative_is_no_derivative_of_its_own() -> None:
    source = "def mix(a, b):\n    return a * b\n\n\ndef loss(x: float):\n    return mix(x, x)\n"
    whole = source + "\n\n" + str(derive(source, "loss", modules={}).source)
    edited = whole.replace("mix_bar * a", "1.0 * mix_bar * a", 1)
    assert edited != whole
    (found,) = check(edited, modules={})
    assert (found.code, found.function) == ("PB402", "_mix_vjp")
    assert [fix.title for fix in found.fixes] == ["Keep _mix_vjp as your own: delete its header"]
