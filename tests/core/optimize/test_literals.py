from __future__ import annotations

from textwrap import dedent

from pullback.optimize.literals import literals_where_read

from .programs import body_of, function


def after(body: str) -> str:
    return body_of(literals_where_read(function(body, "x, y, n, x_bar", made=True)))


def same(text: str) -> str:
    return dedent(text).strip()


def test_a_literal_stands_where_it_is_read() -> None:
    body = """
        s_bar = 1.0
        for i in reversed(range(n)):
            x_bar[i] += s_bar * (x[i] + np.cos(y[i]))
        return x_bar
    """
    assert after(body) == same("""
        for i in reversed(range(n)):
            x_bar[i] += x[i] + np.cos(y[i])
        return x_bar
    """)


def test_what_is_made_of_literals_is_one() -> None:
    body = "a_bar = 2.0\nb_bar = np.sum(a_bar)\nreturn b_bar * x"
    assert after(body) == "return 2.0 * x"


def test_a_literal_stands_where_it_is_read_until_the_name_is_bound_again() -> None:
    # NumPy's sum of a Python float is a double, which single precision must not meet
    body = """
        s_bar = 0.7
        if n > 2:
            x_bar += np.sum(s_bar) * x
        s_bar = s_bar * 0.5 * np.cos(y)
        return x_bar, s_bar
    """
    assert after(body) == same("""
        if n > 2:
            x_bar += 0.7 * x
        s_bar = 0.35 * np.cos(y)
        return x_bar, s_bar
    """)


def test_what_may_be_bound_again_stays() -> None:
    for body in (
        "a = 0.7\nif n > 2:\n    a = x\na = a * y\nreturn a",
        "a = 0.7\nfor i in range(n):\n    if x > i:\n        break\n    a = a * 0.5\nreturn a",
    ):
        assert after(body) == body


def test_what_changes_stays() -> None:
    for body in (
        "a = 1.0\nfor i in range(n):\n    a = a * 0.5\nreturn a",
        "a = 0.0\na += x\nreturn a",
        "x = 2.0\nreturn x * y",
    ):
        assert after(body) == body


def test_a_one_that_makes_a_float_keeps_its_name() -> None:
    body = "y_bar = 1.0\nx_bar = y_bar * x\nreturn x_bar"
    assert after(body) == body
