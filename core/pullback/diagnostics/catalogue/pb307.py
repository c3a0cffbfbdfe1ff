"""PB307: unknown-method."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB307",
    name="unknown-method",
    severity="error",
    message="{name} belongs to an object that is not known here; pass the value as an argument, or call a function",
    meaning="""\
A method is called, or an attribute read, of an object whose class the text does not show, and a value that
is differentiated passes through it. Such are `model.predict(x)` of a parameter without an annotation, a method
that a class below overrides, and `parts.append(x)`.
""",
    why="""\
Methods of arrays are known, and those of the workspace's own classes: an annotation (`model: Model`) says which class
is meant. A method of anything else could do anything. In place of a list that grows,
fill an array: `parts = np.zeros(n)`, `parts[i] = x`.
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
