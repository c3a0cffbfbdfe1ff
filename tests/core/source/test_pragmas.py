"""The grammar of `# pullback:` comments, headers and annotations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pullback.ir import Span
from pullback.source.header import Header, format_header, parse_header
from pullback.source.pragmas import (
    Pragma,
    PragmaError,
    Shape,
    parse_all,
    parse_annotation,
    parse_pragma,
    parse_shape,
)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("x: (n, d), w: (d,)",
         Pragma("shapes", shapes=(("x", Shape(dims=("n", "d"))), ("w", Shape(dims=("d",)))))),
        ("x: float", Pragma("shapes", shapes=(("x", Shape("float", (), "float")),))),
        ("s: ()", Pragma("shapes", shapes=(("s", Shape(dims=())),))),
        ("x: (2, n + 1, ...)", Pragma("shapes", shapes=(("x", Shape(dims=(2, "n + 1", "..."))),))),
        ("stop: (n,)", Pragma("shapes", shapes=(("stop", Shape(dims=("n",))),))),
        ('x: Float[np.ndarray, "n d"]', Pragma("shapes", shapes=(("x", Shape("array", ("n", "d"), "float")),))),
        ("differentiable", Pragma("differentiable")),
        ("differentiable wrt x, w", Pragma("differentiable", names=("x", "w"))),
        ("ignore", Pragma("ignore")),
        ("ignore[PB201, PB3]", Pragma("ignore", codes=("PB201", "PB3"))),
        ("stop", Pragma("stop")),
        ("stop x,y", Pragma("stop", names=("x", "y"))),
        ("straight-through", Pragma("straight-through")),
        ("checkpoint", Pragma("checkpoint")),
        ("checkpoint every=16", Pragma("checkpoint", options=(("every", "16"),))),
        ("checkpoint snapshots=9", Pragma("checkpoint", options=(("snapshots", "9"),))),
        ("implicit residual=g", Pragma("implicit", options=(("residual", "g"),))),
        ("example np.ones(3), {'a': 1}", Pragma("example", text="np.ones(3), {'a': 1}")),
        ("insert h: h_bar = np.clip(h_bar, -1, 1)",
         Pragma("insert", names=("h",), text="h_bar = np.clip(h_bar, -1, 1)")),
    ],
)  # fmt: skip
def test_pragmas(said: str, expected: Pragma) -> None:
    assert parse_pragma(said) == expected


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("", "x: (n, d)"),
        ("differntiable", "differentiable"),
        ("x: (n", "(n, d)"),
        ("x: (n, d), w", "`w`"),
        ("x: wibble", "wibble"),
        ("ignore PB201", "brackets"),
        ("ignore[X1]", "brackets"),
        ("ignore[]", "brackets"),
        ("stop 3", "`3`"),
        ("straight-through x", "`x`"),
        ("differentiable x", "`x`"),
        ("checkpoint 16", "name=value"),
        ("insert h", "insert h:"),
        ("example", "arguments"),
        ("grad of", "digest"),
        ("grad of f wrt", "generate"),
    ],
)
def test_what_is_no_pragma_says_what_to_write(said: str, word: str) -> None:
    found = parse_pragma(said, Span(3, 9))
    assert isinstance(found, PragmaError)
    assert word in found.message
    assert found.span == Span(3, 9)


@given(st.text(st.sampled_from("ignore[PB201] stop:x(,).=\"'\0é wrtgradof\n")))
def test_no_comment_makes_parsing_raise(said: str) -> None:
    assert isinstance(parse_pragma(said), (Pragma, PragmaError, Header))
    parse_annotation(said)
    parse_shape(said)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("# pullback: grad of logistic_loss wrt w [3f9c01d2 a77b04e1]",
         Header("grad", "logistic_loss", "", ("w",), (), "3f9c01d2", "a77b04e1")),
        ("# pullback: vjp of Model.fill in a.model wrt x, y out=grid jit=numba [3f9c01d2 a77b04e1]",
         Header("vjp", "Model.fill", "a.model", ("x", "y"), (("out", "grid"), ("jit", "numba")), "3f9c01d2",
                "a77b04e1")),
        ("# pullback: hessian of f", Header("hessian", "f")),
        ("# pullback: grad of größe wrt straße", Header("grad", "größe", "", ("straße",))),
    ],
)  # fmt: skip
def test_headers_read_and_write(text: str, header: Header) -> None:
    assert parse_header(text) == header
    assert parse_header(text.removeprefix("# pullback:")) == header
    assert format_header(header) == text


@pytest.mark.parametrize(
    "text", ["# pullback: glad of f", "# pullback: grad of f [xyz]", "# grad", "grad of 3 wrt x"]
)
def test_what_is_no_header(text: str) -> None:
    assert parse_header(text) is None


def test_comments_are_sorted_by_what_they_are() -> None:
    raw = [("stop", Span(0, 1)), ("grad of f wrt x", Span(1, 2)), ("stpo", Span(2, 3))]
    pragmas, headers, errors = parse_all(raw)
    assert [p.kind for p in pragmas] == ["stop"]
    assert [h.qualname for h in headers] == ["f"]
    assert [e.span for e in errors] == [Span(2, 3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("float", Shape("float", (), "float")),
        ('"int"', Shape("int", (), "int")),
        ('Float[np.ndarray, "n d"]', Shape("array", ("n", "d"), "float")),
        ("jaxtyping.Float32[Array, ' 3  n+1 ']", Shape("array", (3, "n+1"), "float32")),
        ('Float[np.ndarray, ""]', Shape("array", (), "float")),
        ('Float[np.ndarray, "*batch n"]', Shape("array", ("...", "n"), "float")),
        ('Int[np.ndarray, "..."]', Shape("array", ("...",), "int")),
        ('Float[np.ndarray, "rows=3 _"]', Shape("array", (3, "_"), "float")),
        ("np.ndarray", Shape("array", None, "")),
        ("npt.NDArray[np.float64]", Shape("array", None, "float")),
        ("NDArray[np.float32]", Shape("array", None, "float32")),
        ("npt.ArrayLike", Shape("any", None, "")),
        ("np.float64", Shape("float", (), "float")),
        ("np.int32", Shape("int", (), "int")),
    ],
)
def test_annotations(text: str, expected: Shape) -> None:
    assert parse_annotation(text) == expected


@pytest.mark.parametrize(
    "text", ["", "Model", "list[float]", 'Float[np.ndarray, "#n"]', "float | None", "Float"]
)
def test_annotations_that_say_nothing(text: str) -> None:
    assert parse_annotation(text) is None
