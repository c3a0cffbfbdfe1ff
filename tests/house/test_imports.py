"""What importing costs: nothing static brings NumPy in, and the package itself brings nothing in."""

import subprocess
import sys

import pytest


def loaded(statement):
    """The top-level modules that are loaded after `statement`, in a new process."""
    code = f"import sys\n{statement}\nprint(*sorted({{m.partition('.')[0] for m in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": ":".join(p for p in sys.path if p)},
    )  # fmt: skip
    return set(done.stdout.split())


def test_the_package_is_light():
    assert not {"numpy", "gast", "click"} & loaded("import pullback")


@pytest.mark.parametrize(
    "statement",
    [
        "import pullback.derive, pullback.check, pullback.ide",
        "import pullback.cli",
        "import pullback_server.__main__",
        "from pullback import derive\nderive('def f(x: float):\\n    return x * x\\n', 'f')",
    ],
)
def test_nothing_static_imports_numpy(statement):
    assert not {"numpy", "scipy"} & loaded(statement)


def test_public_names_are_functions_whatever_was_imported():
    code = (
        "import pullback.derive, pullback.check, pullback.verify, pullback, types\n"
        "assert not isinstance(pullback.derive, types.ModuleType)\n"
        "assert not isinstance(pullback.check, types.ModuleType)\n"
        "assert not isinstance(pullback.verify, types.ModuleType)\n"
        "assert set(pullback.__all__) <= set(dir(pullback))\n"
        "for name in pullback.__all__: getattr(pullback, name)"
    )
    loaded(code)
