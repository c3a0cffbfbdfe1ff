from __future__ import annotations

from textwrap import dedent

from pullback.optimize.unread import name_unread

from .programs import body_of, function


def after(body: str) -> str:
    return body_of(name_unread(function(body)))


def test_parts_of_a_tuple_that_nobody_reads_lose_their_name() -> None:
    assert after("a, b = x.shape\nreturn a") == "a, _ = x.shape\nreturn a"
    assert after("(a, b), c = x\nreturn b") == "(_, b), _ = x\nreturn b"


def test_parts_that_are_read_anywhere_keep_it() -> None:
    body = """
        for i in range(n):
            y = y + b
            a, b = x.shape
        return y
    """
    assert after(body) == dedent(body).strip().replace("a, b", "_, b")
    stored = "a, b = x\na[0] = 1.0\nreturn b"
    assert after(stored) == stored


def test_single_variables_are_left_alone() -> None:
    assert after("a = x\nreturn y") == "a = x\nreturn y"


def test_an_underscore_that_is_read_is_somebodys() -> None:
    body = "a, b = x.shape\nreturn _(a)"
    assert after(body) == body
