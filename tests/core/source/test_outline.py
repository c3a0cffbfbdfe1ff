"""Which functions a module has, what they depend on, and which the user asked for."""

from __future__ import annotations

import pytest

from pullback.ir import Span
from pullback.source.module import Module, parse_module
from pullback.source.outline import (
    asked_for,
    function_at,
    function_named,
    functions,
    located,
    needed,
    parameter_at,
)

MODEL = '''\
import numpy as np
from typing import overload

SCALE = 2.0


@overload
def mix(a: int) -> int: ...
def mix(a, /, b=1.0, *rest, c: float = 2.0, **more):
    """Doc."""
    def inner(q):
        return q
    return inner(a) * SCALE


class Model:
    @staticmethod
    def zero(k):
        return k * 0.0

    @property
    def size(self): return 1

    class Part:
        def loss(
            self,
            w,
        ) -> float:
            return mix(w)


def mix_twice(é, b): return mix(mix(é))
'''


def text(module: Module, span: Span) -> str:
    return module.text[span.start : span.end]


def test_functions_and_methods_have_names_headers_and_parameters() -> None:
    module = parse_module(MODEL)
    found = {t.qualname: t for t in functions(module)}
    assert {q: [p.name for p in t.params] for q, t in found.items()} == {
        "mix": ["a", "b", "c"],
        "Model.zero": ["k"],
        "Model.size": [],
        "Model.Part.loss": ["w"],
        "mix_twice": ["é", "b"],
    }
    assert all(text(module, t.name_span) == q.rpartition(".")[2] for q, t in found.items())
    assert all(text(module, p.span) == p.name for t in found.values() for p in t.params)
    assert text(module, found["Model.Part.loss"].header).startswith("def loss(\n")
    assert text(module, found["mix_twice"].header) == "def mix_twice(é, b): return mix(mix(é))"


def test_of_two_definitions_the_last_counts() -> None:
    module = parse_module("def f(a):\n    return a\n\n\ndef f(b):\n    return b\n")
    (found,) = functions(module)
    assert found.params[0].name == "b"


def test_a_place_belongs_to_the_method_around_it() -> None:
    module = parse_module(MODEL)
    at = function_at(module, MODEL.index("k * 0.0"))
    assert at is not None and at.qualname == "Model.zero"
    inside = function_at(module, MODEL.index("return q"))
    assert inside is not None and inside.qualname == "mix"
    assert function_at(module, MODEL.index("SCALE")) is None


def test_the_parameter_at_a_place_is_the_one_that_holds_it_otherwise_the_first() -> None:
    module = parse_module("def f(a, b):\n    return a\n")
    target = function_named(module, "f")
    assert target is not None
    assert [parameter_at(target, o) for o in (0, 6, 9, 10)] == ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# pullback: differentiable\ndef f(x):\n    return x\n", {"f"}),
        ("# pullback: differentiable wrt x\n# why\n@jit\ndef f(x):\n    return x\n", {"f"}),
        ("def f(x):\n    # pullback: differentiable\n    return x\n", {"f"}),
        ("def f(x):\n    '# pullback: differentiable'\n    return x\n", set()),
        ("# pullback: differentiable\n\n\ndef f(x):\n    return x\n", set()),
        ("# pullback: x: (n,)\ndef f(x):\n    return x\n", set()),
        (
            "def f(x):\n    return x\n\n\n# pullback: grad of f wrt x [00000000 00000000]\n"
            "def f_grad(x):\n    return 1.0\n",
            {"f"},
        ),
        ("# pullback: grad of f in other wrt x\ndef f_grad(x):\n    return 1.0\n", set()),
    ],
)
def test_what_is_asked_for(source: str, expected: set[str]) -> None:
    assert asked_for(parse_module(source)) == expected


def test_what_is_called_is_asked_for_with_its_caller() -> None:
    source = (
        "def c(x): return x\ndef b(x): return c(x)\ndef alone(x): return b(x)\n"
        "# pullback: differentiable\ndef a(x, m): return b(x) + m.step(x)\n"
        "class M:\n    def step(self, x): return x\n    def other(self): return 1\n"
    )
    assert asked_for(parse_module(source)) == {"a", "b", "c", "M.step"}


def test_a_function_needs_the_statements_that_bind_its_names() -> None:
    module = parse_module(MODEL)
    _, chunk = located(module)["mix_twice"]
    heads = [c.text.strip().split("\n")[0] for c in needed(module, chunk)]
    assert heads == [
        "from typing import overload",
        "SCALE = 2.0",
        "@overload",
        "def mix(a, /, b=1.0, *rest, c: float = 2.0, **more):",
        "def mix_twice(é, b): return mix(mix(é))",
    ]


def test_a_star_import_may_bind_anything() -> None:
    module = parse_module("from m import *\n\n\ndef f(x):\n    return x\n")
    assert len(needed(module, located(module)["f"][1])) == 2


@pytest.mark.parametrize(
    "source", ["", "def", "x = " + "-" * 5000 + "1", "class A:", "\x00", "def f(" * 300]
)
def test_any_text_has_an_outline(source: str) -> None:
    assert functions(parse_module(source)) == ()
