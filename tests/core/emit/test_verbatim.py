"""The user's statements come out as they went in: source -> IR -> source."""

from __future__ import annotations

import textwrap

import pytest

from pullback.emit import emit_function
from pullback.lower import lower_function
from pullback.source.module import parse_module

CORPUS = {
    "plain": """
        def f(x, y):
            z = x*y   # odd spacing,   kept
            return (z +
                    1)
        """,
    "comments and blank lines": """
        def f(x):
            # about a
            a = x

            # about b,
            # in two lines


            b = a + x  # after b
            return b
            # at the end
        """,
    "branches": """
        def f(x, n):
            if x > 1:  # big
                # inside
                y = x
                # below
            # above elif
            elif (x >
                  0):
                y = 2 * x
            # above else
            else:  # small

                y = -x
            return y
        """,
    "loops": """
        def f(xs):
            s = 0
            for i, (a, b) in enumerate(xs):
                while s < a[1:2]:
                    s += b
                    if s: break
                else:
                    continue
            else:
                s = 1
            return s
        """,
    "strings": '''
        def f(x):
            if x:
                t = """one
          two
                three"""
                s = f("a",
                      \'\'\'
        b\'\'\')
            return t
        ''',
    "statements of every kind": """
        def f(x, *args, k=1, **kw):
            import math
            from os import (path,
                            sep)
            assert x, "why"
            global G
            y: float = x
            (a, b), *c = y
            a = b = c
            x[a:b, ..., ::2] **= -y ** 2
            del a
            with open(x) as h:
                # in the block
                pass

            try:
                raise ValueError
            except ValueError:
                pass

            def inner(q):
                return q

            return lambda: {k: v for k, v in x if v}, *c
        """,
    "long lines are left alone": f"""
        def f(x):
            y = {" + ".join(["x"] * 60)}
            return y
        """,
    "a lambda and a slice before the colon": """
        def f(x):
            while (lambda q: q[1:2])(x): # loop
                x = {1: 2}[x]
            for i in {1: 2}: x += i
            return x
        """,
    "names that are not ASCII": """
        def f(λ, größe):
            # é ü 𝛼
            µ = λ * größe  # 𝛽
            return µ
        """,
    "line continuation": """
        def f(x):
            if x > 1 and \\
                    x < 2:
                y = x + \\
                    1
            return y
        """,
}
ONE_LINE_BODIES = ("loops", "a lambda and a slice before the colon")


def emitted(text: str) -> str:
    fn = lower_function(parse_module(text), "f")
    assert fn is not None
    return emit_function(fn, text).text


@pytest.mark.parametrize("name", [n for n in CORPUS if n not in ONE_LINE_BODIES])
@pytest.mark.parametrize("unit", ["    ", "\t", "  "])
def test_round_trip(name: str, unit: str) -> None:
    text = textwrap.dedent(CORPUS[name]).lstrip("\n").replace("    ", unit)
    assert emitted(text) == text


@pytest.mark.parametrize("name", list(CORPUS))
def test_windows_line_ends(name: str) -> None:
    text = textwrap.dedent(CORPUS[name]).lstrip("\n")
    assert emitted(text.replace("\n", "\r\n")) == emitted(text)


def test_statements_on_the_header_line_move_below_it() -> None:
    text = "def f(x):\n    for i in x: y = i; z = y  # both\n    return z\n"
    expected = "def f(x):\n    for i in x:\n        y = i\n        z = y  # both\n    return z\n"
    assert emitted(text) == expected


def test_a_method_moves_to_the_left_margin() -> None:
    text = textwrap.dedent(
        '''
        class Model:
            def f(self, x):
                # above
                if x:
                    t = """
            raw
        """

                return (x +
                        t)
        '''
    )
    fn = lower_function(parse_module(text), "Model.f")
    assert fn is not None
    assert emit_function(fn, text).text == textwrap.dedent(
        '''\
        def f(self, x):
            # above
            if x:
                t = """
            raw
        """

            return (x +
                    t)
        '''
    )


def test_pragmas_are_not_repeated() -> None:
    text = "def f(x):\n    # pullback: x: (n,)\n    # plain\n    y = x  # pullback: stop\n    return y\n"
    assert emitted(text) == "def f(x):\n    # plain\n    y = x\n    return y\n"


def test_each_line_knows_its_statement() -> None:
    text = (
        "def f(x):\n    # c\n    y = (\n        x\n    )\n    if y:\n        y = 1\n    return y\n"
    )
    fn = lower_function(parse_module(text), "f")
    assert fn is not None
    result = emit_function(fn, text, header="# pullback: grad of f wrt x")
    spans = [None if s is None else text[s.start : s.end].split("\n")[0] for s in result.lines]
    y = "y = ("
    assert spans == [None, None, y, y, y, y, "if y:", "y = 1", "return y"]
    assert len(result.lines) == result.text.count("\n")
