from __future__ import annotations

from textwrap import dedent

from pullback.optimize.inline import inline_single_use

from .programs import body_of, function


def after(body: str, **options: object) -> str:
    fn = function(body, made=True)
    may = options.pop("may_inline", lambda name: name not in ("x", "y", "n"))
    return body_of(inline_single_use(fn, may, **options))  # type: ignore[arg-type]


def same(text: str) -> str:
    return dedent(text).strip()


def test_a_temporary_moves_to_its_one_use() -> None:
    assert after("t = 2.0 * x\nz = t * y\nreturn z") == "return 2.0 * x * y"


def test_a_chain_of_temporaries_moves_together() -> None:
    body = "a = x * 2.0\nb = a + y\nc = b / 3.0\nfor i in range(n):\n    y += c\nreturn y"
    assert "c = (x * 2.0 + y) / 3.0" in after(body)


def test_literals_of_an_adjoint_and_of_where_it_moves_meet() -> None:
    body = "t_bar = y * -0.5\nz_bar = 2.0 * t_bar[:, None] * x\nreturn z_bar, z_bar"
    assert after(body).startswith("z_bar = -y[:, None] * x\n")


def test_a_name_read_twice_stays() -> None:
    kept = "t = np.exp(x)\nz = t * t\nw = z - t\nreturn w * z"
    assert after(kept, may_inline=lambda name: name == "t") == kept


def test_names_that_must_stay_stay() -> None:
    kept = "t = 2.0 * x\nu_bar = t * y\nv_bar = np.sum(u_bar, 0)\nreturn v_bar, u_bar"
    assert after(kept, may_inline=lambda name: False) == kept


def test_long_statements_stay_apart() -> None:
    body = "t = x * y + x / y\nz = np.exp(t) * np.tanh(x)\nw = z + z\nreturn w"
    assert after(body, budget=6).startswith("t = x * y + x / y\n")


def test_nothing_moves_over_a_change_of_what_it_reads() -> None:
    for change in ("x = y", "x[0] = 1.0", "x += y", "v[0] = 3.0", "unknown(x)", "x.sort()"):
        kept = f"v = x[1:]\nt = x * 2.0\n{change}\nz = t * y\nw = z - z * x\nreturn w - v"
        assert "t = x * 2.0" in after(kept, may_inline=lambda name: name == "t"), change


def test_moves_over_a_pop_that_does_not_concern_it() -> None:
    body = "tape = [y]\nt = 2.0 * x\ny = tape.pop()\nz_bar = t * y\nreturn z_bar, z_bar"
    assert "z_bar = 2.0 * x * y" in after(body, may_inline=lambda name: name == "t")


def test_a_value_for_the_next_turn_stays() -> None:
    kept = same("""
        for i in range(n):
            y = y * t
            t = x * 2.0
            z = t + y
        return y, z, z
    """)
    assert after("t = x\n" + kept, may_inline=lambda name: name == "t") == "t = x\n" + kept


def test_nothing_moves_into_a_loop_that_evaluates_it_again() -> None:
    kept = "t = np.exp(x)\nwhile t < y:\n    y = y - 1.0\nreturn y"
    assert after(kept) == kept
    kept = "t = np.exp(x)\nfor i in range(n):\n    y = y - t\nreturn y"
    assert after(kept) == kept


def test_an_array_that_is_written_into_keeps_its_name() -> None:
    kept = "h = np.zeros(3)\nh[n] = x\nreturn y, y"
    assert after(kept) == kept


def test_accumulation_right_after_a_first_value() -> None:
    body = "x_bar = 2.0 * y\nx_bar += y * y\nx_bar -= n\nreturn x_bar, x_bar"
    assert after(body) == "x_bar = 2.0 * y + y * y - n\nreturn x_bar, x_bar"


def test_a_zero_start_disappears_where_the_value_is_new() -> None:
    tail = "\nreturn x_bar, x_bar"
    assert after("x_bar = 0.0\nx_bar += y / n" + tail) == "x_bar = y / n" + tail
    assert after("x_bar = 0.0\nx_bar -= y" + tail) == "x_bar = -y" + tail
    kept = "x_bar = 0.0\nx_bar += y" + tail
    assert after(kept) == kept
    assert after(kept, scalar=lambda name: True) == "x_bar = y" + tail


def test_a_view_that_accumulates_stays_a_view() -> None:
    kept = "left_bar = v_bar[:-1]\nleft_bar += x\nreturn v_bar"
    assert after(kept) == kept


def test_returned_values_need_no_name() -> None:
    assert after("x_bar = y * 2.0\nreturn x_bar") == "return y * 2.0"
    body = "for i in range(n):\n    x_bar = x_bar * y\nx_bar += y_bar\nreturn x_bar"
    assert after(body).endswith("return x_bar + y_bar")


def test_statements_of_the_user_do_not_move() -> None:
    fn = function("t = 2.0 * x\nz = t * y\nreturn z")
    assert inline_single_use(fn, lambda name: True) is fn


def test_text_that_reads_a_name_holds_it() -> None:
    kept = "t = 2.0 * x\nz = [t for i in range(n)]\nprint(z)\nreturn y"
    assert after(kept) == kept
