"""Live functions around a made-up `derive`: namespaces, tracebacks, defaults, guards, refusals."""

import inspect
import linecache
import pdb
import textwrap
import traceback

import numpy as np
import pytest

from pullback import live
from pullback.derive import Derived
from pullback.diagnostics import report
from pullback.ir import Span
from pullback.live import DerivationError, derivative, grad

SCALE = 2.0


def cube(x, power=3):
    return SCALE * x**power


class Model:
    def loss(self, x):
        return x * x


def made(name, source, *diagnostics):
    source = textwrap.dedent(source).lstrip()
    return Derived(source, diagnostics, (), name, "", (), (), source)


@pytest.fixture
def derives(monkeypatch):
    """Makes `derive_in` return what it is given, and collects what it was asked."""
    asked = []

    def use(*results):
        left = list(results)

        def derive_in(module, func, kind, wrt, *, given=(), **options):
            if given:
                return Derived(None, ())
            asked.append((module.text, func, kind, wrt, module.path))
            return left.pop(0)

        monkeypatch.setattr(live, "derive_in", derive_in)
        return asked

    return use


def test_asks_with_the_text_of_the_file(derives):
    asked = derives(made("cube_grad", "def cube_grad(x, power=3): return 0.0"))
    grad(cube, "x")
    ((text, func, kind, wrt, path),) = asked
    assert (func, kind, wrt, path) == ("cube", "grad", "x", __file__)
    assert text == "".join(linecache.getlines(__file__))


def test_globals_are_read_at_the_call_and_stay_as_they_are(derives, monkeypatch):
    derives(
        made(
            "cube_grad",
            """
            import math

            def _twice(a):
                return math.fsum([a, a])

            def cube_grad(x, power=3):
                return _twice(SCALE) * x
            """,
        )
    )
    before = set(globals())
    g = grad(cube)
    assert g(1.0) == 4.0
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert g(1.0) == 10.0
    assert set(globals()) == before


def test_two_derivatives_do_not_share_helpers(derives):
    text = """
        def _mix_vjp(a):
            return {0}

        def cube_grad(x, power=3):
            return _mix_vjp(x)
        """
    derives(made("cube_grad", text.format("1.0")), made("cube_grad", text.format("2.0")))
    first, second = grad(cube), grad(cube)
    assert (first(0.0), second(0.0)) == (1.0, 2.0)


def test_source_and_names(derives):
    derives(made("cube_grad", "def cube_grad(x, power=3):\n    return 0.0\n"))
    g = grad(cube)
    assert g.source == "def cube_grad(x, power=3):\n    return 0.0\n"
    assert inspect.getsource(g) == g.source
    assert (g.__name__, g.__qualname__, g.__module__) == ("cube_grad", "cube_grad", __name__)


def test_defaults_are_the_live_ones(derives, monkeypatch):
    derives(made("cube_grad", "def cube_grad(x, power=3):\n    return power\n"))
    monkeypatch.setattr(cube, "__defaults__", (7,))
    assert grad(cube)(1.0) == 7


def test_traceback_shows_the_generated_line(derives):
    derives(
        made("cube_grad", "def cube_grad(x, power=3):\n    y = x\n    return y / 0.0  # here\n")
    )
    with pytest.raises(ZeroDivisionError) as caught:
        grad(cube)(1.0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.name == "cube_grad"
    assert last.line == "return y / 0.0  # here"


def test_the_debugger_sees_the_lines(derives):
    derives(made("cube_grad", "def cube_grad(x, power=3):\n    y = x\n    return y\n"))
    code = inspect.unwrap(grad(cube)).__code__
    shown = pdb.Pdb().format_stack_entry((_frame_of(code), code.co_firstlineno + 1), ": ")
    assert shown.endswith(": y = x")


def _frame_of(code):
    import types

    class Frame:
        f_code, f_locals, f_globals = code, {}, {}
        f_lineno = code.co_firstlineno + 1

    assert isinstance(code, types.CodeType)
    return Frame()


def test_a_derivative_can_be_differentiated(derives):
    asked = derives(
        made(
            "cube_grad",
            "def _h(a):\n    return a\n\n\ndef cube_grad(x, power=3):\n    return _h(x)\n",
        ),
        made("cube_grad_grad", "def cube_grad_grad(x, power=3):\n    return _h(3.0)\n"),
    )
    second = grad(grad(cube))
    assert second(1.0) == 3.0  # the helper of the first is there
    text, func, *_ = asked[1]
    assert func == "cube_grad"
    assert "def cube(x, power=3):" in text and "def cube_grad(x, power=3):" in text


def test_methods_stay_bound(derives):
    asked = derives(made("loss_grad", "def loss_grad(self, x):\n    return self, x\n"))
    model = Model()
    assert derivative(model.loss, "grad")(2.0) == (model, 2.0)
    assert asked[0][1] == "Model.loss"


def test_refusal_lists_places(derives):
    found = report("PB111", Span(0, 3), name="eval")
    derives(Derived(None, (found,), (), "cube_grad", "", (), (), ""))
    with pytest.raises(DerivationError) as caught:
        grad(cube)
    assert caught.value.diagnostics == (found,)
    assert f"{__file__}:1:1: PB111 eval " in str(caught.value)


def test_lambdas_are_refused():
    with pytest.raises(DerivationError, match="PB108"):
        grad(lambda x: x)


@pytest.mark.parametrize("f", [np.tanh, len, 3, Model])
def test_only_functions_written_in_python(f):
    with pytest.raises(TypeError, match="needs a function written in Python"):
        grad(f)


def test_a_file_that_changed_is_refused(tmp_path):
    file = tmp_path / "changing.py"
    file.write_text("def f(x):\n    return x\n")
    space = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    file.write_text("def f(x):\n    return x + 1\n")
    with pytest.raises(DerivationError, match="has changed since f was made from it"):
        grad(space["f"])


def test_no_source():
    space = {}
    exec("def f(x):\n    return x\n", space)
    with pytest.raises(DerivationError, match="source of f cannot be found"):
        grad(space["f"])
