"""Arrays built of others, chosen from others, cut up: right for every rank, told or not."""

from __future__ import annotations

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import assert_derivative, space_of

V = np.array([0.7, -1.2, 2.0])
W = np.array([0.3, 0.4, -0.6])
A = np.array([[0.5, -0.3, 1.1], [0.2, 0.8, -0.7]])
B = np.array([[1.5, 0.1, -0.4], [0.9, -0.2, 0.6]])
C = np.arange(12.0).reshape(2, 3, 2) / 7.0

# (what f(x, y) returns, arguments)
EXPRESSIONS = [
    ("np.r_[x, 1.0, y]", (V, W)),
    ("np.r_[x[0], y[1:], x[1] * y[0]]", (V, W)),
    ("np.r_[x, y]", (A, B)),
    ("np.c_[x, y, x * y]", (V, W)),
    ("np.c_[x, y]", (A, V[:2])),
    ("np.c_[x, y]", (C, C * C)),
    ("np.vstack([x, y])", (V, W)),
    ("np.vstack((x, y))", (A, W)),
    ("np.hstack([x, y, x * y])", (V, W)),
    ("np.hstack([x, y])", (A, B)),
    ("np.hstack([x, y])", (C, C * 2.0)),
    ("np.dstack([x, y])", (V, W)),
    ("np.dstack([x, y])", (A, B)),
    ("np.column_stack([x, y])", (V, W)),
    ("np.column_stack([x, y])", (A, V[:2])),
    ("np.block([x, y])", (V, W)),
    ("np.block([[x, y], [y * y, x]])", (A, B)),
    ("np.block([[x, np.zeros((2, 2))], [x[:1] * 2.0, y[:1, :2]]])", (A, B)),
    ("np.concatenate([x, y], axis=None)", (A, W)),
    ("np.concatenate([x, y], axis=-1)", (A, B)),
    ("np.stack([x, y], axis=-2)", (A, B)),
    ("np.insert(x, 1, y[0] * y[1])", (V, W)),
    ("np.insert(x, -1, y)", (A, W)),
    ("np.vander(x, 4)[:, 1] * np.vander(y, 3, increasing=True)[:, 2]", (V, W)),
    ("np.vander(x)[:, 1] * y", (V, W)),
    ("np.select([x > 1.0, x > 0.0], [x * y, y ** 2], default=-x)", (V, W)),
    ("np.select([x > 1.0, y > 0.0], [x * y, y ** 2])", (V, W)),
    ("np.linalg.multi_dot([x, x.T @ y, y.T])", (A, B)),
    ("np.linalg.multi_dot((x[0], y.T, x, y[1]))", (A, B)),
    ("np.choose(np.array([0, 2, 1]), [x, y, x * y])", (V, W)),
    ("max(x[0], y[1], x[2] * 0.1) * min([x[1], y[0], y[2]])", (V, W)),
    ("x.item(1) * y.item(0, 1)", (V, B)),
    ("np.quantile(x, [0.2, 0.7]) * np.percentile(y, (30.0, 60.0))", (V, W)),
    ("np.quantile(x * y, np.array([0.2, 0.7]), axis=1)", (A, B)),
    ("np.einsum('...j,kj->...k', x, y)", (C.transpose(0, 2, 1), B)),
    ("np.einsum('i...,...->i...', x, y)", (A, W)),
    ("np.einsum('...ij,...jk->...ik', x, y)", (A, C)),
    ("np.subtract.outer(x, y) * np.multiply.outer(y, x).T", (V, W)),
    ("np.add.reduce(x) * np.multiply.reduce(y, axis=0) + np.maximum.accumulate(x)", (A, B)),
]
SOLVES = [
    "scipy.linalg.cho_solve((np.linalg.cholesky(m), True), y)",
    "scipy.linalg.cho_solve((np.linalg.cholesky(m).T, False), y)",
]


@pytest.mark.parametrize("told", [False, True], ids=["ranks unknown", "shapes told"])
@pytest.mark.parametrize(("text", "args"), EXPRESSIONS)
def test_expression(text: str, args: tuple[np.ndarray, np.ndarray], told: bool) -> None:
    shapes = f"    # pullback: x: {args[0].shape}, y: {args[1].shape}\n" if told else ""
    held(f"import numpy as np\n\n\ndef f(x, y):\n{shapes}    return {text}\n", args)


@pytest.mark.parametrize("text", SOLVES)
def test_solve(text: str) -> None:
    source = "import numpy as np\nimport scipy.linalg\n\n\ndef f(x, y):\n"
    held(f"{source}    m = x @ x.T + np.eye(2)\n    return {text}\n", (A, V[:2]))


def held(source: str, args: tuple[np.ndarray, np.ndarray]) -> None:
    made = derive(source, "f", kind="vjp", wrt=("x", "y"))
    assert made.source is not None, made.diagnostics
    space = space_of(source, made.source)
    assert_derivative(space["f"], space["f_vjp"], args, "vjp", ("x", "y"))


def test_parts_that_are_not_written_out_are_refused() -> None:
    source = "import numpy as np\n\n\ndef f(x):\n    return np.r_[x, 0:3]\n"
    made = derive(source, "f", kind="vjp", wrt="x")
    assert made.source is None
    assert [d.code for d in made.diagnostics] == ["PB302"]
    assert "np.r_" in made.diagnostics[0].message
