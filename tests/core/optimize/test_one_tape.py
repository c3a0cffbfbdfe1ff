from __future__ import annotations

from textwrap import dedent

from pullback.optimize.one_tape import one_tape_a_loop

from .programs import body_of, function


def after(body: str) -> str:
    return body_of(one_tape_a_loop(function(body, "x, y, n, c", made=True)))


def same(text: str) -> str:
    return dedent(text).strip()


def test_what_a_turn_records_goes_on_one_tape() -> None:
    body = """
        u_tape = []
        w_tape = []
        for i in range(n):
            u = np.sin(x)
            u_tape.append(u)
            w = np.cos(x)
            w_tape.append(w)
            x = u * w
        for i in reversed(range(n)):
            w = w_tape.pop()
            u = u_tape.pop()
            y += u * w * i
        return y
    """
    assert after(body) == same("""
        tape = []
        for i in range(n):
            u = np.sin(x)
            w = np.cos(x)
            tape.append((u, w))
            x = u * w
        for i in reversed(range(n)):
            u, w = tape.pop()
            y += u * w * i
        return y
    """)


def test_what_changes_in_between_is_put_aside() -> None:
    body = same("""
        u_tape = []
        w_tape = []
        for i in range(n):
            u_tape.append(u)
            u = np.sin(x)
            w_tape.append(u)
            x = u * 2.0
        for i in reversed(range(n)):
            u = u_tape.pop()
            w = w_tape.pop()
            y += u * w * i
        return y
    """)
    assert after(body) == same("""
        tape = []
        for i in range(n):
            u_0 = u
            u = np.sin(x)
            tape.append((u_0, u))
            x = u * 2.0
        for i in reversed(range(n)):
            u, w = tape.pop()
            y += u * w * i
        return y
    """)


def test_a_loop_that_only_reads_a_tape_runs_over_it() -> None:
    body = """
        x_tape = []
        for i in range(n):
            x_tape.append(x)
            x = np.sin(x)
        for _ in range(n):
            x = x_tape.pop()
            y = y * np.cos(x)
        return y
    """
    assert after(body) == same("""
        x_tape = []
        for i in range(n):
            x_tape.append(x)
            x = np.sin(x)
        for x in reversed(x_tape):
            y = y * np.cos(x)
        return y
    """)


def test_a_loop_that_is_one_of_many_leaves_the_rest_on_the_tape() -> None:
    body = same("""
        x_tape = []
        for k in range(c):
            for i in range(n):
                x_tape.append(x)
                x = np.sin(x)
        for _ in range(c):
            for _ in range(n):
                x = x_tape.pop()
                y = y * np.cos(x)
        return y
    """)
    assert after(body) == body


def test_a_turn_that_may_end_early_does_not_fill_the_tape() -> None:
    body = same("""
        x_tape = []
        for i in range(n):
            if x > 1.0:
                continue
            x_tape.append(x)
            x = np.sin(x)
        for _ in range(n):
            x = x_tape.pop()
            y = y * np.cos(x)
        return y
    """)
    assert after(body) == body
