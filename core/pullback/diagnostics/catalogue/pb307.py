"""PB307: unknown-method."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB307",
    name="unknown-method",
    severity="error",
    message="the method {name} belongs to an object that is not known here; call a function instead",
    meaning="""\
A method is called on a value whose class the text does not show, and a value that is differentiated
passes through it.
""",
    why="""\
Methods of arrays are known. A method of anything else could do anything.
""",
    bad="""\
def loss(model, x: float):
    return model.predict(x) ** 2
""",
    mended="""\
def predict(slope, x):
    return slope * x


def loss(slope: float, x: float):
    return predict(slope, x) ** 2
""",
)
