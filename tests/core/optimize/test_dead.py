from __future__ import annotations

from textwrap import dedent

from pullback.optimize.dead import live_after, remove_dead
from pullback.optimize.effects import known_pure, no_aliases, shared_memory

from .programs import body_of, function


def after(body: str, **options: object) -> str:
    return body_of(remove_dead(function(body), **options))  # type: ignore[arg-type]


def same(text: str) -> str:
    return dedent(text).strip()


def test_values_that_are_never_read_go() -> None:
    body = """
        a = x * 2.0
        b = a + 1.0
        a, c = x, b
        return x
    """
    assert after(body) == "return x"


def test_a_value_overwritten_unread_goes() -> None:
    assert after("x_bar = 0.0\nx_bar = y\nreturn x_bar") == "x_bar = y\nreturn x_bar"
    kept = "x_bar = 0.0\nx_bar += y\nreturn x_bar"
    assert after(kept) == kept


def test_a_tuple_that_is_partly_read_stays_whole() -> None:
    kept = "a, b = x, y\nreturn b"
    assert after(kept) == kept


def test_what_only_feeds_itself_round_a_loop_goes() -> None:
    body = """
        a = 0.0
        b = 1.0
        for i in range(n):
            a = a + b
            b = b * 2.0
        return x
    """
    assert after(body) == "return x"


def test_branches_that_became_empty_go() -> None:
    body = """
        a = 0.0
        if x > 0:
            a = 1.0
        elif x < -1:
            a = 2.0
        if x == y:
            a = 3.0
        else:
            y = 1.0
        return y
    """
    assert after(body) == same("""
        if x != y:
            y = 1.0
        return y
    """)


def test_an_elif_chain_keeps_its_order() -> None:
    body = """
        if x > 0:
            a = 1.0
        elif x < -1:
            y = 2.0
        return y
    """
    assert after(body) == same("""
        if x > 0:
            pass
        elif x < -1:
            y = 2.0
        return y
    """)


def test_headers_with_effects_stay() -> None:
    kept = same("""
        if x.pop():
            pass
        for i in y.take_next():
            pass
        return n
    """)
    assert after(kept) == kept


def test_a_loop_stays_while_its_variable_is_read() -> None:
    kept = "for i in range(n):\n    pass\nreturn i"
    assert after(kept) == kept
    assert after("for i in range(n):\n    a = i\nreturn x") == "return x"


def test_what_the_user_wrote_to_be_seen_stays() -> None:
    kept = same("""
        a = x * 2.0
        print(a)
        assert x > 0
        if y > 0:
            raise ValueError(y)
        unknown(x)
        np.testing.assert_allclose(a, y)
        np.sum(x)
        while x > 0:
            pass
        return x
    """)
    assert after(kept) == kept


def test_stores_into_an_array_that_nobody_reads_go() -> None:
    body = """
        h = np.zeros(3)
        g = np.zeros(3)
        for i in range(3):
            h[i] = x * i
            g[i] += h[i]
        np.add.at(g, y, 1.0)
        return h
    """
    assert after(body, aliases=no_aliases) == same("""
        h = np.zeros(3)
        for i in range(3):
            h[i] = x * i
        return h
    """)


def test_stores_seen_through_a_view_stay() -> None:
    kept = same("""
        h = np.zeros(3)
        v = h[1:]
        v[0] = x
        v *= 2.0
        return h
    """)
    assert after(kept) == kept


def test_stores_into_parameters_stay_unless_told_otherwise() -> None:
    kept = "x[0] = y\nreturn n"
    assert after(kept) == kept
    assert after(kept, visible=set()) == "return n"


def test_early_exits_keep_what_they_need() -> None:
    kept = same("""
        a = 1.0
        b = 2.0
        for i in range(n):
            if x > i:
                b = x * 3.0
                break
            if y > i:
                a = y
                continue
            if x == y:
                return a
            b = y
        return b
    """)
    assert after(kept) == kept


def test_a_value_for_the_next_turn_stays() -> None:
    kept = same("""
        p = x
        for i in range(n):
            y = y * p
            p = y + 1.0
        return y
    """)
    assert after(kept) == kept


def test_closures_read_at_any_time() -> None:
    kept = "f = lambda: y * 2.0\ny = x\nreturn f()"
    assert after(kept) == kept


def test_stale_passes_go() -> None:
    body = """
        if x > 0:
            pass
            y = 2.0
            z = 3.0
        return y
    """
    assert after(body) == "if x > 0:\n    y = 2.0\nreturn y"


def test_nothing_to_remove_gives_the_same_object() -> None:
    fn = function("y = x * 2.0\nif y > 0:\n    pass\nelse:\n    y = 1.0\nreturn y")
    assert remove_dead(fn) is fn


def test_purity_is_the_callers_word() -> None:
    body = "a = helper(x)\nreturn x"
    assert after(body) == body
    assert after(body, pure=lambda c: c.fn == "?" or known_pure(c) or True) == "return x"


def test_live_after_says_what_is_read_later() -> None:
    fn = function("a = x * 2.0\nb = y\nreturn a * b")
    live = live_after(fn)
    assert [sorted(live[id(s)]) for s in fn.body] == [["a", "y"], ["a", "b"], []]


def test_memory_groups_follow_views_and_containers() -> None:
    fn = function("a = x[1:]\nb = [a]\nc = 2.0 * y\nd = np.exp(a)\nreturn b")
    group = shared_memory(fn)
    assert group("a") >= {"a", "b", "x"}
    assert "c" not in group("y") and "d" not in group("a")


TAPE = """
    y_tape = []
    for i in range(n):
        y_tape.append(y)
        y = y * x
    print(y)
    for i in reversed(range(n)):
        y = y_tape.pop()
        x = x * {read}
    return x
"""


def test_a_tape_whose_values_nobody_reads_goes() -> None:
    got = body_of(remove_dead(function(TAPE.format(read="2.0"), made=True)))
    assert "tape" not in got and "y = y * x" in got and "print(y)" in got


def test_a_tape_that_is_read_stays() -> None:
    fn = function(TAPE.format(read="y"), made=True)
    assert remove_dead(fn) is fn


def test_a_list_of_the_users_stays() -> None:
    fn = function(TAPE.format(read="2.0"))
    assert remove_dead(fn) is fn


def test_a_tape_that_is_looked_at_in_another_way_stays() -> None:
    fn = function(TAPE.format(read="len(y_tape)"), made=True)
    assert remove_dead(fn) is fn
