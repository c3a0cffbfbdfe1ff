"""Matrices that the text shows to be symmetric: no value is left out by a decomposition that reads one triangle.

Elsewhere the cotangent of what is not read is kept from meeting an infinite slope, by `np.where`.
"""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from pullback import derive
from tests.fuzz.oracle import judge
from tests.fuzz.programs import HEAD, Program

X = np.array([0.3, -0.7, 1.1, 0.4])
POINTS = np.array([[0.3, -0.2], [0.9, 0.4], [-0.5, 0.8], [0.1, -0.9]])

SYMMETRIC = {
    "a kernel of a vector": "np.exp(-0.5 * (x[:, None] - x[None, :]) ** 2) + 0.5 * np.eye(len(x))",
    "a kernel of points": "np.exp(-np.sum((p[:, None, :] - p[None, :, :]) ** 2, axis=-1)) + np.diag(x * x + 0.2)",
    "products of a matrix with itself": "p @ p.T + np.exp(x[0]) * np.eye(4) + np.outer(x, x) * 0.0",
    "halves together": "0.5 * (np.exp(q) + np.exp(q).T) + 6.0 * np.eye(4)",
}
NOT = {
    "two vectors": "np.exp(x[:, None] * y[None, :] * 0.1) + 9.0 * np.eye(4)",
    "a difference": "np.exp(0.1 * (x[:, None] - x[None, :])) + 9.0 * np.eye(4)",
    "another slice": "np.exp(0.1 * x[:, None] + x[None, ::-1] * 0.1) + 9.0 * np.eye(4)",
    "a diagonal beside a matrix": "np.exp(0.1 * np.outer(x, x)) * np.diag(q * 0.1 + 1.0) + 9.0 * np.eye(4)",
    "a matrix from outside": "np.exp(q) + 9.0 * np.eye(4)",
    "a factor for each row": "np.exp((x[:, None] - x[None, :]) ** 2 * y * 0.1) + 9.0 * np.eye(4)",
}
BODY = """
def f(x: np.ndarray, y: np.ndarray, p: np.ndarray, q: np.ndarray):
    # pullback: x: (n,), y: (n,), p: (n, d), q: (n, n)
    a = {matrix}
    {more}
    low = np.linalg.cholesky(a)
    return np.sum(np.log(np.diag(low))) + np.linalg.eigvalsh(a)[-1] + low[2, 1]
"""


def _program(matrix: str, more: str = "") -> Program:
    text = dedent(BODY.format(matrix=matrix, more=more)).strip() + "\n"
    q = 0.1 * np.outer(X, X[::-1])
    return Program(HEAD + text, (X, X[::-1].copy(), POINTS, q), ("x", "p", "q"), True)


def _is_guarded(p: Program) -> bool:
    derived = derive(p.source, "f", "vjp", p.wrt, modules={})
    assert derived.source is not None, derived.diagnostics
    return "np.where" in derived.source.partition("def f_vjp")[2]


@pytest.mark.parametrize("name", SYMMETRIC)
@pytest.mark.parametrize("more", ["", "a[np.diag_indices(4)] += 0.1 + x[1] ** 2"])
def test_nothing_is_left_out_of_what_is_symmetric(name: str, more: str) -> None:
    p = _program(SYMMETRIC[name], more)
    verdict = judge(p)
    assert verdict.kind == "right", verdict.detail
    assert not _is_guarded(p), verdict.text


@pytest.mark.parametrize("name", NOT)
def test_what_need_not_be_symmetric_is_guarded(name: str) -> None:
    p = _program(NOT[name])
    verdict = judge(p)
    assert verdict.kind == "right", verdict.detail
    assert _is_guarded(p), verdict.text


def test_what_is_written_above_the_diagonal_is_not_symmetric() -> None:
    assert _is_guarded(_program(SYMMETRIC["a kernel of a vector"], "a[0] *= x[2]"))
