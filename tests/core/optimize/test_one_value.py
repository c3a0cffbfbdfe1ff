from __future__ import annotations

from textwrap import dedent

from pullback.optimize.one_value import name_single_values

from .programs import body_of, function


def after(body: str) -> str:
    return body_of(name_single_values(function(body, "x, y, n, c", made=True)))


def same(text: str) -> str:
    return dedent(text).strip()


def test_what_is_pushed_and_popped_in_one_block_has_a_name() -> None:
    body = """
        x_tape = []
        w_tape = []
        for i in range(n):
            x_tape.append(x)
            w_tape.append(np.sin(x))
            x = x * x
            w = w_tape.pop()
            x = x_tape.pop()
            y += w * x
        return y
    """
    assert after(body) == same("""
        for i in range(n):
            x_0 = x
            w_0 = np.sin(x)
            x = x * x
            w = w_0
            x = x_0
            y += w * x
        return y
    """)


def test_what_holds_more_stays_a_tape() -> None:
    body = same("""
        x_tape = []
        w_tape = []
        for i in range(n):
            x_tape.append(x)
            x = x * x
        for i in reversed(range(n)):
            x = x_tape.pop()
            if c:
                w_tape.append(x)
            y += x
            w = w_tape.pop()
            y += w
        return y
    """)
    assert after(body) == body
