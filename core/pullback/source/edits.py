"""Changes to a text as plain data: made anywhere, applied in one place.

May not know: Python, the IR beyond its Span.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

from ..ir import Span

_BLOCK = 4096


@dataclass(frozen=True)
class Edit:
    """Put `text` in the place of `span`."""

    span: Span
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with all `edits` made; their spans all count in `text` itself.

    Insertions at one place keep the order in which they are given.
    """
    ordered = sorted(edits, key=lambda e: (e.span.start, e.span.end))
    pieces: list[str] = []
    done = 0
    for edit in ordered:
        start, end = edit.span.start, edit.span.end
        if not 0 <= start <= end <= len(text):
            raise ValueError(
                f"edit at {start}..{end} lies outside of a text of {len(text)} characters"
            )
        if start < done:
            raise ValueError(f"edit at {start}..{end} overlaps the one that ends at {done}")
        pieces += (text[done:start], edit.text)
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def difference(old: str, new: str) -> Edit:
    """The one edit that makes `new` of `old` and leaves the common beginning and end alone."""
    head, tail = common_ends(old, new)
    return Edit(Span(head, len(old) - tail), new[head : len(new) - tail])


def common_ends(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """How many items at the beginning, and how many of the others at the end, are alike."""
    most = min(len(old), len(new))
    # slices are compared at memory speed; halves of a large text would be copied to new memory each
    head, step = 0, _BLOCK
    while step:
        while head + step <= most and old[head : head + step] == new[head : head + step]:
            head += step
        step //= 2
    tail, step, behind, end = 0, _BLOCK, len(old), len(new)
    while step:
        while (
            tail + step <= most - head
            and old[behind - tail - step : behind - tail] == new[end - tail - step : end - tail]
        ):
            tail += step
        step //= 2
    return head, tail


def line_differences(old: str, new: str) -> tuple[Edit, ...]:
    """The edits that make `new` of `old`, one for each run of lines that differ."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0, *accumulate(len(line) for line in before)]
    runs = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return tuple(
        Edit(Span(starts[a], starts[b]), "".join(after[c:d]))
        for tag, a, b, c, d in runs
        if tag != "equal"
    )
