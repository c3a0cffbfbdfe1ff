"""PB004: comment-not-understood."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import respelled

ENTRY = Entry(
    code="PB004",
    name="comment-not-understood",
    severity="error",
    message="this comment is not understood: {detail}",
    meaning="""\
A comment begins with `pullback:`, and what follows is none of the things that can be said there.
""",
    why="""\
A comment that is passed over in silence is one that you rely on in vain: a mark that asks for nothing, a
shape that nobody reads. [Comments](../comments.md) lists them all.

In a function that nothing is asked of, this is a warning where the word is close to one that is known, and
a hint otherwise.
""",
    bad="""\
# pullback: differentiable
def spread(x: float, y: float):
    return abs(x - y)  # pullback: ignroe[PB306]
""",
    mended="""\
# pullback: differentiable
def spread(x: float, y: float):
    return abs(x - y)  # pullback: ignore[PB306]
""",
    fixes=(
        Recipe(
            "Write the word that is closest",
            respelled,
            safe=True,
            note="Nothing that runs changes, and the comment said nothing before.",
        ),
    ),
)
