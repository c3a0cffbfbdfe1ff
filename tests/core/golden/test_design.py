"""The derivatives that the design writes out come out as written there, or shorter, without a helper."""

from __future__ import annotations

import pytest

from tests.core.golden.cases import FOLDER, Case, read, statements

LOGISTIC_LOSS = """
def logistic_loss_grad(w, X, y):
    z = X @ w
    exp_z = np.exp(-z)
    p = 1.0 / (1.0 + exp_z)
    p_bar = ((1.0 - y) / (1.0 - p) - y / p) / p.size
    z_bar = p_bar * p * p * exp_z
    return X.T @ z_bar
"""

SETTLE = """
def settle_grad(x: float, n: int):
    y = x
    y_tape = []
    for i in range(n):
        y_tape.append(y)
        if y > 1.0:
            y = y * 0.5
        else:
            y = y * x
    x_bar = 0.0
    y_bar = 1.0
    for i in reversed(range(n)):
        y = y_tape.pop()
        if y > 1.0:
            y_bar = y_bar * 0.5
        else:
            x_bar += y_bar * y
            y_bar = y_bar * x
    x_bar += y_bar
    return x_bar
"""

RNN_LOSS = """
def rnn_loss_grad(W, inputs):
    h = np.zeros((len(inputs) + 1, W.shape[1]))
    for t in range(len(inputs)):
        h[t + 1] = np.tanh(inputs[t] @ W + h[t])
    W_bar = np.zeros_like(W)
    h_bar = np.zeros_like(h)
    h_bar[1:] += 1.0
    for t in reversed(range(len(inputs))):
        a_bar = h_bar[t + 1] * (1.0 - h[t + 1] ** 2)
        W_bar += np.outer(inputs[t], a_bar)
        h_bar[t] += a_bar
    return W_bar
"""

DESIGNED = {"logistic_loss": LOGISTIC_LOSS, "settle": SETTLE, "rnn_loss": RNN_LOSS}
CASES = {case.func: case for case in read(FOLDER / "design.md")[1]}


@pytest.mark.parametrize("name", DESIGNED)
def test_no_more_statements(name: str) -> None:
    made = statements(CASES[name].derived().function, f"{name}_grad")
    assert 0 < len(made) <= len(statements(DESIGNED[name], f"{name}_grad"))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_needs_nothing_beside_it(case: Case) -> None:
    derived = case.derived()
    assert derived.helpers == ()
    assert derived.imports == ()
    assert "isinstance" not in derived.function and "raise" not in derived.function


def test_nothing_is_recorded_for_cells_written_once() -> None:
    assert "tape" not in CASES["rnn_loss"].derived().function
    assert "tape" not in CASES["smooth"].derived().function


def test_one_tape_for_a_path_that_depends_on_the_values() -> None:
    text = CASES["settle"].derived().function
    assert text.count(".append(") == 1 and text.count("in reversed(y_tape)") == 1
