"""Modules cut at top-level statements: tiling, error tolerance, and edits that cost only what they touch."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pullback.source import module as module_room
from pullback.source.module import Module, parse_module


def pieces(text: str) -> list[str]:
    return [c.text for c in parse_module(text).chunks]


def tiles(module: Module) -> bool:
    at, line = 0, 1
    for chunk in module.chunks:
        if chunk.start != at or chunk.first_line != line or not chunk.text:
            return False
        at += len(chunk.text)
        line = 1 + module.text[:at].replace("\r\n", "\n").replace("\r", "\n").count("\n")
    return at == len(module.text) and "".join(c.text for c in module.chunks) == module.text


def defined(module: Module) -> list[str]:
    return [n.name for c in module.chunks for n in c.tree or () if hasattr(n, "name")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\nb = 2\n", ["a = 1\n", "b = 2\n"]),
        ("a = 1; b = 2", ["a = 1; b = 2"]),
        ("def f():\n    return 1\n\n\nx = 2\n", ["def f():\n    return 1\n", "\n\nx = 2\n"]),
        ("# of f\ndef f(): pass\n# of g\ndef g(): pass\n# last\n",
         ["# of f\ndef f(): pass\n", "# of g\ndef g(): pass\n# last\n"]),
        ("def f():\n    a = 1\n# in the body\n    return a\ng = f\n",
         ["def f():\n    a = 1\n# in the body\n    return a\n", "g = f\n"]),
        ("def f():\n    pass\n    # still f\ng = f\n", ["def f():\n    pass\n    # still f\n", "g = f\n"]),
        ("@one\n# between\n@two(1,\n  2)\n\ndef f():\n    pass\n",
         ["@one\n# between\n@two(1,\n  2)\n\ndef f():\n    pass\n"]),
        ("if a:\n    x = 1\n# why\nelif b:\n    x = 2\nelse:\n    x = 3\ny = x\n",
         ["if a:\n    x = 1\n# why\nelif b:\n    x = 2\nelse:\n    x = 3\n", "y = x\n"]),
        ("try:\n    a\nexcept E:\n    b\nfinally:\n    c\nd\n",
         ["try:\n    a\nexcept E:\n    b\nfinally:\n    c\n", "d\n"]),
        ('s = """\ndef f():\nx = 1\n"""\ny = 2\n', ['s = """\ndef f():\nx = 1\n"""\n', "y = 2\n"]),
        ("s = '''a\\'''\nb'''\ny = 2\n", ["s = '''a\\'''\nb'''\n", "y = 2\n"]),
        ("s = 'a\\\nb'\ny = 2\n", ["s = 'a\\\nb'\n", "y = 2\n"]),
        ("x = (1 +\n2)\ny = [\n3,\n]\n", ["x = (1 +\n2)\n", "y = [\n3,\n]\n"]),
        ("x = 1 + \\\n2\ny = 3\n", ["x = 1 + \\\n2\n", "y = 3\n"]),
        ("x = ')'  # ( '\ny = 2\n", ["x = ')'  # ( '\n", "y = 2\n"]),
        ("a = 1\r\nb = 2\rc = 3\n", ["a = 1\r\n", "b = 2\r", "c = 3\n"]),
        ("\ufeffa = 1\n", ["\ufeff", "a = 1\n"]),
        ("", []),
        ("\n# nothing\n", ["\n# nothing\n"]),
    ],
)  # fmt: skip
def test_splits_at_top_level_statements(text: str, expected: list[str]) -> None:
    module = parse_module(text)
    assert [c.text for c in module.chunks] == expected
    assert module.errors == ()
    assert tiles(module)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("def f(:\n    pass\ndef g():\n    return 1\n", ["g"]),
        ("def f():\n    return (1,\n\ndef g():\n    return 1\n", ["g"]),
        ("def f():\n    return (1,\n# of g\n@jit\ndef g():\n    return 1\n", ["g"]),
        ("x = foo(1,\n\nimport numpy as np\ndef g():\n    return 1\n", ["g"]),
        (
            "def f():\n    '''open\n\ndef g():\n    '''one'''\n    return 1\ndef h(): pass\n",
            ["g", "h"],
        ),
        ('def f():\n    """open\n\ndef g():\n    return 1\n\nclass C:\n    pass\n', ["g", "C"]),
        ("def f():\n  if x\n    y\ndef g(): pass\n", ["g"]),
        ("def f():\nreturn 1\ndef g(): pass\n", ["g"]),
        ("else:\n    pass\ndef g(): pass\n", ["g"]),
        ("def f():\n    x = 'open\n    return x\ndef g(): pass\n", ["g"]),
        ("@jit\ndef g(): pass\n)))\ndef h(): pass\n", ["g", "h"]),
    ],
)
def test_a_syntax_error_costs_one_statement(text: str, left: list[str]) -> None:
    module = parse_module(text)
    assert defined(module) == left
    assert module.errors
    assert tiles(module)
    for error in module.errors:
        assert 0 <= error.span.start < error.span.end <= len(text)
        assert error.message


def test_the_place_of_a_syntax_error_counts_in_the_file() -> None:
    text = "é = 1\ndef f(x):\n    return x +* 2\n"
    (error,) = parse_module(text).errors
    assert text[error.span.start : error.span.end] == "*"


@pytest.mark.parametrize(
    "text",
    [
        "x = '\0'\n",
        "x = '\ud800'\n",
        "(" * 5000,
        "x = " + "(" * 150 + "1" + ")" * 150,
        "-" * 20000 + "1",
        "x = " + "+".join(["a"] * 3000),
        "    indented = 1\n",
        "\\",
        "x = 1\\",
        "'''",
        "def",
        "\x0c\x0c\n",
        "a\u2028b = 1\n",
        "x = 1_000_j if yield else lambda: *\n",
        "x = " + "9" * 5000 + "\n",
    ],
)
def test_no_text_makes_parsing_raise(text: str) -> None:
    module = parse_module(text + "\ndef after(x):\n    return x\n")
    assert tiles(module)


def test_what_is_nested_too_deeply_is_said_and_the_rest_is_read() -> None:
    module = parse_module("x = " + "+".join(["a"] * 3000) + "\ndef g(): pass\n")
    assert defined(module) == ["g"]
    assert "deep" in module.errors[0].message


def test_an_edit_parses_only_the_statement_that_it_touched() -> None:
    text = "".join(f"def f{i}(x):\n    return x * {i}\n\n\n" for i in range(50))
    before = parse_module(text)
    after = parse_module(text.replace("x * 25", "x * x * 25"), previous=before)
    kept = {id(c.parsed) for c in before.chunks} & {id(c.parsed) for c in after.chunks}
    assert len(kept) == 49
    assert tiles(after)


def test_a_line_added_above_moves_what_is_below_and_parses_none_of_it() -> None:
    text = "a = 1\ndef f(x):\n    return x\ndef g(x):\n    return x\n"
    before = parse_module(text)
    after = parse_module("import os\n" + text, previous=before)
    assert after.chunks[2].parsed is before.chunks[1].parsed
    assert after.chunks[2].start == before.chunks[1].start + len("import os\n")
    assert after.chunks[2].first_line == before.chunks[1].first_line + 1


def test_the_same_text_gives_the_same_module() -> None:
    before = parse_module("x = 1\n", "a.py")
    assert parse_module("x = 1\n", "a.py", previous=before) is before
    assert parse_module("x = 1\n", "b.py", previous=before).chunks == before.chunks


def test_what_is_undone_or_moved_is_not_parsed_again() -> None:
    text = "a = 1\ndef f(x):\n    return x\nb = 2\ndef g(x):\n    return x\n"
    before = parse_module(text)
    broken = parse_module(text.replace("return x\nb", "return (x\nb"), previous=before)
    assert broken.errors
    undone = parse_module(text, previous=broken)
    assert [c.parsed for c in undone.chunks] == [c.parsed for c in before.chunks]
    cut = parse_module(text.replace("def f(x):\n    return x\n", ""), previous=undone)
    pasted = parse_module(cut.text + "def f(x):\n    return x\n", previous=cut)
    assert pasted.chunks[-1].tree is before.chunks[1].tree
    twice = parse_module(pasted.text + "def f(x):\n    return x\n", previous=pasted)
    assert twice.chunks[-1].tree is not twice.chunks[-2].tree


FRAGMENTS = [
    "def f(x):\n", "    return x\n", "\n", "\r\n", "\r", "# note\n", "    # note\n", "@jit\n", "(", ")", "[", '"""',
    "'''", "'", "\\\n", "else:\n", "if a:\n", "    pass\n", "x = 1\n", "class C:\n", "import os\n", " ", "é", "\ufeff",
    "async def g(): pass\n", "try:\n", "except E:\n", "\\", "\0", "elif b:\n", "from a import b\n", "\f", "\t", "🙂",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)


@st.composite
def edit_sequences(draw: st.DrawFn) -> list[str]:
    texts = [draw(TEXTS)]
    for _ in range(draw(st.integers(1, 5))):
        old = texts[-1]
        start = draw(st.integers(0, len(old)))
        end = draw(st.integers(start, min(len(old), start + 12)))
        new = "".join(draw(st.lists(st.sampled_from(FRAGMENTS), max_size=3)))
        texts.append(old[:start] + new + old[end:])
    return texts


@settings(max_examples=400, deadline=None)
@given(edit_sequences())
def test_edits_give_what_parsing_anew_gives(texts: list[str]) -> None:
    module = parse_module(texts[0])
    for text in texts[1:]:
        module = parse_module(text, previous=module)
        fresh = parse_module(text)
        assert tiles(module)
        seen = [(c.start, c.first_line, c.text, c.tree is None, c.error) for c in module.chunks]
        assert seen == [
            (c.start, c.first_line, c.text, c.tree is None, c.error) for c in fresh.chunks
        ]


def test_a_keystroke_in_a_long_file_parses_one_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(
        f"def f{i}(x, y):\n" + "    y = x * y + 1.0\n" * 8 + "    return y\n\n" for i in range(500)
    )
    module = parse_module(text)
    parsed: list[str] = []
    real = module_room.parse_piece

    def counted(piece: str, seen: int = 0) -> module_room.Parsed:
        parsed.append(piece)
        return real(piece, seen)

    monkeypatch.setattr(module_room, "parse_piece", counted)
    at = text.index("def f250(x") + 25
    edited = parse_module(text[:at] + "z" + text[at:], previous=module)
    assert [p.split("(")[0].strip() for p in parsed] == ["def f250"]
    assert sum(a.parsed is b.parsed for a, b in zip(module.chunks, edited.chunks)) == 499
