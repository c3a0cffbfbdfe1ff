"""PB107: unknown-decorator."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB107",
    name="unknown-decorator",
    severity="error",
    message="what the decorator {name} does to this function is not known; take it off, or derive the function inside",
    meaning="""\
A decorator replaces the function by what it returns. Pullback keeps `staticmethod`, `classmethod`
and typing's decorators, drops caches and compilers (`njit`, `jit`, `lru_cache`), and refuses the rest.
""",
    why="""\
The derivative of the function as written need not be that of the function as decorated.
""",
    bad="""\
def scaled(f):
    return lambda x: 2.0 * f(x)


@scaled
def cube(x: float):
    return x**3
""",
    mended="""\
def cube(x: float):
    return 2.0 * x**3
""",
)
