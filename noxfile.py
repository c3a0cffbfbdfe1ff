"""The tests on every Python that Pullback supports, with the oldest and the newest of what it stands on.

nox                              all of them; a Python that is not installed is named as skipped
nox -s "tests-3.12(newest)"      one of them
nox -- tests/core/contracts      other tests than those of `FAST`

Needs `pip install "nox[uv]"`. What JAX, TensorFlow and Numba compile is not among these tests: they are pinned with
requirements/dev.txt, and `./test` runs them.
"""

import nox

nox.options.default_venv_backend = "uv"
nox.options.error_on_missing_interpreters = False
nox.options.download_python = "never"

# The oldest NumPy that is supported and built for each Python, and a SciPy of its time.
OLDEST = {
    "3.10": ("numpy==1.24.*", "scipy==1.11.*"),
    "3.11": ("numpy==1.24.*", "scipy==1.11.*"),
    "3.12": ("numpy==1.26.*", "scipy==1.11.*"),
    "3.13": ("numpy==2.1.*", "scipy==1.14.*"),
}
TOOLS = [
    "hypothesis>=6.100",
    "pytest>=8.3",
    "pytest-asyncio>=1.0",
    "pytest-lsp>=1.0",
    "ruff>=0.12",
    "sympy>=1.12",
]
FAST = ["tests/core", "tests/server", "tests/fuzz", "tests/house/test_nothing_runs.py"]
VERSIONS = """
import platform
from importlib.metadata import version
names = ("numpy", "scipy", "click", "gast", "pygls", "lsprotocol")
print("Python", platform.python_version(), *(f"{name} {version(name)}" for name in names))
"""


@nox.session(python=list(OLDEST))
@nox.parametrize("versions", ["oldest", "newest"], ids=["oldest", "newest"])
def tests(session: nox.Session, versions: str) -> None:
    """The fast tests, with `versions` of NumPy, SciPy and the packages that Pullback depends on."""
    if versions == "oldest":
        # the lowest versions that pyproject.toml names, and of NumPy and SciPy the lowest that are built
        built = ["--only-binary", "numpy", "--only-binary", "scipy"]
        lowest = ["--resolution", "lowest-direct"]
        session.install(*lowest, *built, ".", *OLDEST[str(session.python)])
        session.install(*TOOLS)
    else:
        session.install("--upgrade", ".", "numpy", "scipy", *TOOLS)
    session.run("python", "-c", VERSIONS)
    session.run("pytest", "-q", "-m", "not slow", *(session.posargs or FAST))
