from __future__ import annotations

from textwrap import dedent

from pullback.optimize.cse import share_common

from .programs import body_of, function


def after(body: str, *, made: bool = True) -> str:
    return body_of(share_common(function(body, made=made)))


def same(text: str) -> str:
    return dedent(text).strip()


def test_an_expensive_call_gets_a_name() -> None:
    body = """
        p = 1.0 / (1.0 + np.exp(-x))
        x_bar = p * p * np.exp(-x)
        return x_bar
    """
    assert after(body) == same("""
        exp_x = np.exp(-x)
        p = 1.0 / (1.0 + exp_x)
        x_bar = p * p * exp_x
        return x_bar
    """)


def test_a_variable_that_holds_the_value_is_used() -> None:
    body = "t = np.tanh(x)\nx_bar = y * (1.0 - np.tanh(x) * np.tanh(x))\nreturn x_bar"
    assert after(body) == "t = np.tanh(x)\nx_bar = y * (1.0 - t * t)\nreturn x_bar"


def test_a_holder_that_changes_is_not_used() -> None:
    body = "t = np.tanh(x)\nt = t + 1.0\nx_bar = y * np.tanh(x)\nreturn x_bar * t"
    assert after(body).startswith("tanh_x = np.tanh(x)\nt = tanh_x\n")


def test_the_largest_call_comes_first() -> None:
    body = "a = np.exp(np.sin(x)) * y\nb = np.exp(np.sin(x))\nreturn a * b"
    assert after(body) == "exp_x = np.exp(np.sin(x))\na = exp_x * y\nb = exp_x\nreturn a * b"


def test_what_changes_between_is_computed_again() -> None:
    for change in ("x = y", "x[0] = 1.0", "x += y", "unknown(x)"):
        body = f"a = y * np.exp(x)\n{change}\nb = y * np.exp(x)\nreturn a * b"
        assert after(body) == body, change


def test_a_change_seen_through_a_view_counts() -> None:
    body = "v = x[1:]\na = y * np.exp(x)\nv[0] = 1.0\nb = y * np.exp(x)\nreturn a * b"
    assert after(body) == body


def test_cheap_calls_stay() -> None:
    body = "a = np.zeros(3) + x[0] * y\nb = np.zeros(3) + x[0] * y\nreturn a * b"
    assert after(body) == body


def test_the_users_statements_alone_are_left_as_they_are() -> None:
    body = "a = np.exp(x) * y\nb = np.exp(x)\nreturn a * b"
    assert after(body, made=False) == body


def test_matrix_products_and_taken_names() -> None:
    body = "x_y = 1.0\na = 2.0 * (x @ y)\nb = np.sin(x @ y)\nreturn a * b * x_y"
    assert after(body).splitlines()[1:3] == ["x_y2 = x @ y", "a = 2.0 * x_y2"]


def test_branches_share_within_themselves_only() -> None:
    body = """
        if n > 0:
            a = y * np.exp(x)
        else:
            a = np.exp(x)
        b = np.exp(x)
        return a * b
    """
    assert after(body) == same(body)


def test_one_literal_is_not_another() -> None:
    body = "a = np.exp(1 * x) * y\nb = np.exp(1.0 * x) * y\nreturn a * b"
    assert after(body) == body


def test_values_that_are_written_into_are_not_shared() -> None:
    for change in ("b += 1.0", "b[0] = 1.0", "c = b[1:]\nc[0] = 2.0"):
        body = f"a = y * np.exp(x)\nb = np.exp(x)\n{change}\nd = y / np.exp(x)\nreturn a * b * d"
        got = after(body)
        assert "b = np.exp(x)" in got and "d = y / exp_x" in got, got


def test_outputs_share_no_memory() -> None:
    body = "a = y * np.exp(x)\nreturn np.exp(x), np.exp(x)"
    assert after(body) == body
