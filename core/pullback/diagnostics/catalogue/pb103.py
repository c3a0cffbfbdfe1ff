"""PB103: async-function."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB103",
    name="async-function",
    severity="error",
    message="async code may be suspended at any await; move the numbers to a plain function and await around it",
    meaning="""\
Derivatives are written for plain functions. An `async def` may be suspended at any `await`.
""",
    why="""\
What other tasks do between two of its statements is not in the text of the function.
""",
    bad="""\
async def loss(x, fetch):
    scale = await fetch()
    return scale * x**2
""",
    mended="""\
def loss(x, scale):
    return scale * x**2
""",
)
