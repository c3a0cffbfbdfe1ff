"""Positions in the units of editors, and edits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pullback.ir import Span
from pullback.source.edits import Edit, apply_edits, difference
from pullback.source.text import Lines

ANY_TEXT = st.text(st.sampled_from("ab\r\né🙂\u2028\f\ud800"), max_size=20)


@pytest.mark.parametrize(
    ("text", "offset", "unit", "expected"),
    [
        ("ab\ncd", 4, "utf-32", (1, 1)),
        ("ab\r\ncd", 4, "utf-32", (1, 0)),
        ("ab\rcd", 3, "utf-32", (1, 0)),
        ("é🙂x", 2, "utf-32", (0, 2)),
        ("é🙂x", 2, "utf-16", (0, 3)),
        ("é🙂x", 2, "utf-8", (0, 6)),
        ("a\u2028b\x0cc", 4, "utf-16", (0, 4)),
        ("ab", 99, "utf-16", (0, 2)),
        ("", 0, "utf-8", (0, 0)),
    ],
)
def test_position_of_an_offset(
    text: str, offset: int, unit: str, expected: tuple[int, int]
) -> None:
    assert Lines(text).position(offset, unit) == expected


@pytest.mark.parametrize(
    ("text", "line", "column", "unit", "expected"),
    [
        ("é🙂x", 0, 3, "utf-16", 2),
        ("é🙂x", 0, 2, "utf-16", 1),  # inside of a surrogate pair: the character's start
        ("é🙂x", 0, 6, "utf-8", 2),
        ("ab\r\ncd", 0, 99, "utf-16", 2),
        ("ab\r\ncd", 9, 0, "utf-16", 6),
        ("ab\ncd", -1, 5, "utf-8", 0),
        ("é\ncd", 0, 99, "utf-8", 1),
    ],
)
def test_offset_of_a_position(text: str, line: int, column: int, unit: str, expected: int) -> None:
    assert Lines(text).offset(line, column, unit) == expected


@given(ANY_TEXT, st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_positions_lead_back(text: str, unit: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        line, column = lines.position(offset, unit)
        back = lines.offset(line, column, unit)
        between_cr_and_lf = text[offset - 1 : offset + 1] == "\r\n"
        assert back == (offset - 1 if between_cr_and_lf else offset)


NEWLINES = st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "b\nc", "é🙂"]), max_size=12).map(
    "".join
)


@settings(max_examples=300, deadline=None)
@given(NEWLINES, st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4), NEWLINES), max_size=8))
def test_the_lines_of_an_edited_text_are_those_of_the_text_it_gives(
    text: str, changes: list[tuple[int, int, str]]
) -> None:
    lines = Lines(text)
    for start, length, new in changes:
        start = min(start, len(text))
        end = min(start + length, len(text))
        lines = lines.edited(start, end, new)
        text = text[:start] + new + text[end:]
        fresh = Lines(text)
        assert lines.text == text and len(lines) == len(fresh)
        assert [lines.start(n) for n in range(len(lines))] == [
            fresh.start(n) for n in range(len(fresh))
        ]
        assert [lines.position(o) for o in range(len(text) + 1)] == [
            fresh.position(o) for o in range(len(text) + 1)
        ]


def test_lines_without_their_newlines() -> None:
    lines = Lines("a\r\nb\rc\n")
    assert [lines.line(i) for i in range(len(lines))] == ["a", "b", "c", ""]


def test_edits_are_made_at_once() -> None:
    edits = [
        Edit(Span(3, 5), "X"),
        Edit(Span(0, 0), "a"),
        Edit(Span(0, 0), "b"),
        Edit(Span(5, 6), ""),
    ]
    assert apply_edits("012345678", edits) == "ab012X678"


@pytest.mark.parametrize("spans", [[(0, 3), (2, 4)], [(0, 99)], [(3, 1)]])
def test_edits_that_cannot_be_made_are_refused(spans: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="edit at"):
        apply_edits("01234", [Edit(Span(*s), "") for s in spans])


@given(ANY_TEXT, ANY_TEXT)
def test_the_difference_of_two_texts_makes_one_of_the_other(old: str, new: str) -> None:
    edit = difference(old, new)
    assert apply_edits(old, [edit]) == new
    if old == new:
        assert edit.text == "" and edit.span.start == edit.span.end


def test_the_difference_is_small() -> None:
    assert difference("abcabc", "abcXabc") == Edit(Span(3, 3), "X")
    assert difference("aaa", "aa") == Edit(Span(2, 3), "")
