from __future__ import annotations

from textwrap import dedent

from pullback.optimize.copies import drop_copies

from .programs import body_of, function


def after(body: str, keep: str = "") -> str:
    fn = function(body, "x, y, n, p, q, c", made=True)
    return body_of(drop_copies(fn, lambda n: n != keep))


def same(text: str) -> str:
    return dedent(text).strip()


def test_a_variable_that_is_another_goes() -> None:
    body = """
        a = x * 2.0
        b = a
        for i in range(n):
            y = y + b
        return b
    """
    assert after(body) == same("""
        a = x * 2.0
        for i in range(n):
            y = y + a
        return a
    """)


def test_a_variable_that_is_another_for_a_while_stays() -> None:
    for body in (
        "a = x * 2.0\nb = a\na = y\nreturn a + b",
        "a = x * 2.0\nb = a\nb += y\nreturn a + b",
        "a = x * 2.0\nb = a\na[0] = y\nreturn b",
        "b = x\nx = y\nreturn b",
        "a = x * 2.0\nb = a\nreturn b",
    ):
        assert after(body, keep="b" if body.endswith("return b") else "") == body


def test_a_variable_that_is_read_in_the_next_turn_stays() -> None:
    body = same("""
        for i in range(n):
            y = y + b
            a = x * y
            b = a
        return y
    """)
    assert after(body) == body


def test_a_negative_becomes_a_minus() -> None:
    body = """
        t = -c[i]
        p += t * x / y
        q -= t
        return p + q
    """
    assert after(body) == same("""
        p += -c[i] * x / y
        q -= -c[i]
        return p + q
    """)


def test_a_negative_stays_where_it_is_no_first_factor_or_has_changed() -> None:
    for body in (
        "t = -c\np += x * t\nreturn p",
        "t = -c\np = t * x\nreturn p",
        "t = -c[i]\nc[i] += t * x\nq += t\nreturn q",
        "t = -c\np += t * x\nreturn t",
        "t = -(x + y)\np += t * x\nreturn p",
    ):
        assert after(body) == body
