"""Editor-shaped questions: what a keystroke analyses again, where reports land after it, what is shown."""

from __future__ import annotations

import random

import pytest

from pullback import hovers, ide, reports
from pullback.derive import Looked
from pullback.diagnostics import Diagnostic, Fix, Related
from pullback.ir import Span
from pullback.source.edits import Edit, apply_edits
from pullback.source.module import Module, parse_module
from pullback.source.outline import function_named
from pullback.source.project import Modules

MODEL = """\
import numpy as np


# pullback: differentiable
def outer(x):
    return inner(x) + 1.0


def inner(x):
    return np.exp(x)


# pullback: differentiable
def alone(x):
    return np.sin(x)


def numeric(x):
    return np.cos(x)


def plain(x):
    return x
"""


def none(name: str) -> str | None:
    return None


class Analysis:
    """Stands in for the deep analysis: reports every `return`, and says which functions it saw."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[str] = []
        monkeypatch.setattr(reports, "check_function", self)

    def __call__(self, module: Module, qualname: str, modules: Modules) -> Looked:
        self.seen.append(qualname)
        target = function_named(module, qualname)
        assert target is not None
        start = module.text.index("return", target.whole.start)
        here = Span(start, start + 6)
        fix = Fix("…", (Edit(here, "yield"),))
        found = Diagnostic(
            "PB301", "error", qualname, here, qualname, (Related(here, "…"),), (fix,)
        )
        return Looked((found,))

    def on(self, module: Module) -> list[str]:
        """The functions that were analysed for the reports on a module, which are checked for place."""
        self.seen = []
        for d in ide.diagnostics(module, none):
            assert d.fix is not None
            for place in (d.span, d.related[0].span, d.fix.edits[0].span):
                assert module.text[place.start : place.end] == "return"
                around = ide.function_at(module, place.start)
                assert around is not None and around.qualname == d.message
        return self.seen


def after(module: Module, old: str, new: str) -> Module:
    assert old in module.text
    return parse_module(module.text.replace(old, new, 1), previous=module)


def test_an_edit_analyses_its_function_and_its_callers_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analysis = Analysis(monkeypatch)
    module = parse_module(MODEL)
    assert analysis.on(module) == ["outer", "inner", "alone", "numeric"]
    assert analysis.on(parse_module(MODEL, previous=module)) == []
    module = after(module, "np.sin(x)", "np.sin(x * x)")
    assert analysis.on(module) == ["alone"]
    module = after(module, "np.exp(x)", "np.exp(x + x)")
    assert analysis.on(module) == ["outer", "inner"]
    module = after(module, "return x\n", "return x + 1\n")
    assert analysis.on(module) == []
    module = after(module, "import numpy as np\n", "import math\nimport numpy as np\n")
    assert analysis.on(module) == []
    module = after(module, "import numpy as np\n", "import numpy\n")
    assert analysis.on(module) == ["outer", "inner", "alone"]


CALLS = """\
import numpy as np


def inner(x, scale=1.0):
    y = np.sin(x) * scale
    return np.sum(y)


# pullback: differentiable
def outer(x):
    return inner(x) * 2.0


# pullback: differentiable
def outermost(x):
    return outer(x) + 1.0


# pullback: differentiable
def filled(x):
    out = np.zeros(3)
    fill(out, x)
    return np.sum(out)


def fill(out, x):
    out[:] = x
"""


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("np.sin(x)", "np.sin(x + 1.0)", ["inner"]),
        ("    y = np.sin", "    y = 2.0\n    y = np.sin", ["inner"]),
        ("np.sin(x) * scale", "nobody_knows(x)", ["inner", "outer", "outermost"]),
        ("return np.sum(y)", "return y", ["inner", "outer", "outermost"]),  # an array, maybe
        ("return np.sum(y)", "x[0] = 1.0\n    return np.sum(y)", ["inner", "outer", "outermost"]),
        ("return np.sum(y)", "return int(np.sum(y))", ["inner", "outer", "outermost"]),
        ("return np.sum(y)", "yield np.sum(y)", ["inner", "outer", "outermost"]),
        ("scale=1.0", "scale=2.0", ["inner", "outer"]),
        ("x, scale=1.0", "x, scale", ["inner", "outer", "outermost"]),
        ("def inner", "def inside", None),
        ("out[:] = x", "out[:] = x * x", ["fill", "filled"]),  # its statements stand in the caller
    ],
)
def test_callers_are_analysed_again_only_where_what_they_see_has_changed(
    old: str, new: str, again: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    real = reports.check_function

    def counted(module: Module, qualname: str, modules: Modules) -> Looked:
        seen.append(qualname)
        return real(module, qualname, modules)

    monkeypatch.setattr(reports, "check_function", counted)
    module = parse_module(CALLS)
    ide.diagnostics(module, none)
    seen.clear()
    module = after(module, old, new)
    found = ide.diagnostics(module, none)
    if again is not None:
        assert sorted(seen) == sorted(again)
    assert found == ide.diagnostics(parse_module(module.text), none)


def test_full_severity_is_for_what_is_asked_for_and_plain_code_gets_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Analysis(monkeypatch)
    found = ide.diagnostics(parse_module(MODEL), none)
    assert [(d.function, d.severity) for d in found] == [
        ("outer", "error"),
        ("inner", "error"),
        ("alone", "error"),
        ("numeric", "hint"),
    ]
    unmarked = MODEL.replace("# pullback: differentiable\n", "")
    assert ide.diagnostics(parse_module(unmarked), none) == ()


def test_what_two_functions_say_of_one_place_is_said_once_with_the_greater_weight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = Span(0, 6)

    def found(module: Module, qualname: str, modules: Modules) -> Looked:
        return Looked((Diagnostic("PB301", "error", "the same", here),))

    monkeypatch.setattr(reports, "check_function", found)
    assert [d.severity for d in ide.diagnostics(parse_module(MODEL), none)] == ["error"]


def test_a_defect_of_ours_costs_its_function_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analysis = Analysis(monkeypatch)

    def failing(module: Module, qualname: str, modules: Modules) -> Looked:
        if qualname == "outer":
            raise ZeroDivisionError("of ours")
        return analysis(module, qualname, modules)

    monkeypatch.setattr(reports, "check_function", failing)
    first, *others = ide.diagnostics(parse_module(MODEL), none)
    assert (first.code, first.function) == ("PB002", "outer") and "of ours" in first.message
    assert MODEL[first.span.start : first.span.end] == "outer"
    assert [d.code for d in others] == ["PB301"] * 3


@pytest.mark.parametrize(
    ("source", "severity"),
    [
        ("def f(:\n    pass\n", "hint"),
        ("# pullback: differentiable\ndef f(:\n    pass\n", "error"),
        ("# pullback: differentiable\ndef f(x):\n    return x\n\n\ndef g(:\n", "error"),
    ],
)
def test_a_syntax_error_matters_where_derivatives_are_wanted(source: str, severity: str) -> None:
    found = [d for d in ide.diagnostics(parse_module(source), none) if d.code == "PB001"]
    assert [d.severity for d in found] == [severity]


@pytest.mark.parametrize("start", [0, 40, 75, 120, len(MODEL)])
def test_the_reports_at_a_place_are_those_that_touch_it(
    start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    Analysis(monkeypatch)
    module = parse_module(MODEL)
    for end in range(start, len(MODEL) + 1, 9):
        here = ide.diagnostics_at(module, Span(start, end), none)
        assert here == tuple(
            d for d in ide.diagnostics(module, none) if d.span.start <= end and start <= d.span.end
        )


LOSS = """\
import numpy as np


def loss(w: float, n):
    z = w * 3.0
    return np.exp(z)
"""


def shown(marked: str) -> hovers.Hover | None:
    offset = marked.index("$0")
    return hovers.hover(parse_module(marked.replace("$0", "")), offset, none)


def test_a_hover_covers_the_name_that_it_is_about() -> None:
    found = shown(LOSS.replace("z =", "$0z ="))
    assert found is not None
    assert LOSS[found.span.start : found.span.end] == "z"


def test_an_attribute_is_not_the_function_of_its_name() -> None:
    found = shown("import numpy as np\n\n\ndef exp(x):\n    return x\n\n\ny = np.e$0xp(1)\n")
    assert found is None


def test_a_gradient_is_inserted_once_and_a_hand_edited_one_is_kept() -> None:
    module = parse_module(LOSS)
    made = ide.gradient(module, "loss", "grad", "w", none)
    assert made.edits and made.name == "loss_grad"
    written = apply_edits(LOSS, made.edits)
    again = ide.gradient(parse_module(written), "loss", "grad", "w", none)
    assert apply_edits(written, again.edits) == written
    changed = written.replace("def loss_grad(w: float, n):", "def loss_grad(w: float, n=1):")
    refused = ide.gradient(parse_module(changed), "loss", "grad", "w", none)
    assert refused.edits == () and [d.code for d in refused.diagnostics] == ["PB402"]


def test_a_second_derivative_of_a_function_does_not_take_the_place_of_the_first() -> None:
    module = parse_module("def f(a: float, b: float):\n    return a * b\n")
    assert ide.gradient(module, "f", "grad", "b", none).name == "f_grad"
    first = ide.gradient(module, "f", "grad", "a", none)
    written = parse_module(apply_edits(module.text, first.edits), previous=module)
    second = ide.gradient(written, "f", "grad", "b", none)
    assert second.name == "f_grad_b"
    both = parse_module(apply_edits(written.text, second.edits), previous=written)
    assert [t.qualname for t in ide.functions(both)] == ["f", "f_grad", "f_grad_b"]


def test_the_adjoint_of_a_function_of_many_values_is_its_product() -> None:
    module = parse_module(
        "import numpy as np\n\n\ndef pair(x: float):\n    return x * x, np.sin(x)\n"
    )
    assert (
        "def pair_vjp(x: float, pair_bar):" in ide.adjoint_text(module, "pair", "grad", none).text
    )
    found = hovers.hover(module, module.text.index("pair"), none)
    assert found is not None and found.title == "Vector-Jacobian product of `pair`"


def test_a_function_that_is_gone_has_no_gradient() -> None:
    assert ide.gradient(parse_module(LOSS), "gone", "grad", None, none).edits == ()


def test_every_line_of_an_adjoint_has_its_origin_or_none() -> None:
    module = parse_module(LOSS)
    made = ide.adjoint_text(module, "loss", "grad", none)
    assert len(made.lines) == len(made.text.splitlines())
    moved = parse_module(
        "# above\n\n\n" + LOSS.replace("import numpy as np", "import numpy as np"), previous=module
    )
    texts = [
        {m.text[s.start : s.end] for s in ide.adjoint_text(m, "loss", "grad", none).lines if s}
        for m in (module, moved)
    ]
    assert texts[0] == texts[1] and "z = w * 3.0" in texts[0]


PIECES = (
    "",
    "\n",
    "yield x\n",
    "    return np.sort(x)\n",
    "    x = inner(x)\n",
    "# pullback: differentiable\n",
    "def inner(x):\n    return np.unique(x)\n",
    "np = 3\n",
    "import math as np\n",
    "class A:\n    def outer(self, x):\n        return inner(x)\n",
    "import pullback\n\n\n@pullback.adjoint(inner)\ndef rule(x, y_bar):\n    return y_bar\n",
    "def broken(:\n",
    "'''",
)


def test_a_rule_of_the_users_own_changes_what_is_said_of_those_who_call_its_function() -> None:
    text = "import pullback\nfrom lib import inner\n\n\n# pullback: differentiable\ndef outer(x: float):\n"
    module = parse_module(text + "    return inner(x)\n")
    assert [d.code for d in ide.diagnostics(module, none)] == ["PB301"]
    rule = "\n\n@pullback.adjoint(inner)\ndef rule(x, y_bar):\n    return 2.0 * y_bar\n"
    module = parse_module(module.text + rule, previous=module)
    assert ide.diagnostics(module, none) == ()
    module = after(module, "rule(x, y_bar)", "rule(x, *y_bar)")
    assert [d.code for d in ide.diagnostics(module, none)] == ["PB311"]


@pytest.mark.parametrize("seed", range(6))
def test_reports_after_edits_are_those_of_a_fresh_start(seed: int) -> None:
    chance = random.Random(seed)
    module = parse_module(MODEL)
    for _ in range(25):
        lines = module.text.splitlines(keepends=True)
        at = chance.randrange(len(lines) + 1)
        lines[at : at + chance.randrange(3)] = [chance.choice(PIECES)]
        module = parse_module("".join(lines), previous=module)
        assert ide.diagnostics(module, none) == ide.diagnostics(parse_module(module.text), none)
        if len(module.text) > 2000:
            module = parse_module(MODEL, previous=module)


def test_a_backward_pass_that_is_one_return_is_shown() -> None:
    text = "def f(x, y):\n    x[0] += 1.0\n    y[0] += 1.0\n"
    shown = ide.adjoint_text(parse_module(text), "f", "vjp", none, backward_only=True)
    assert shown.text.splitlines()[-2].strip() == "# Backward pass"
