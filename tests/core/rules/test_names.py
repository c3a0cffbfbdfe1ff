"""Every public name of NumPy and of math is classified, and the documentation says so.

`numpy_names.txt` records what each supported release of NumPy added to its public names and took away. A new
release whose names differ fails here: write below the last line what is new.
"""

from __future__ import annotations

import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pullback.rules import STRUCTURAL, rule_for, table
from pullback.rules.notation import COMPLEX
from pullback.rules.page import page

ROOT = Path(__file__).parents[3]
NAMESPACES = {"numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft}
# Names that not every platform has.
LONG = {"numpy.float96", "numpy.float128", "numpy.complex192", "numpy.complex256"}
# Which of them show as attributes depends on what was imported.
_MODULES = """char compat core ctypeslib dtypes emath exceptions f2py fft fft.helper lib linalg linalg.lapack_lite
    linalg.linalg ma math polynomial random rec strings testing typing version"""
MODULES = {f"numpy.{n}" for n in _MODULES.split()}
KNOWN = {*table(), *STRUCTURAL}


def recorded() -> dict[str, set[str]]:
    """The public names of NumPy by release, `numpy.ndarray.…` for what arrays have; modules are not among them."""
    releases: dict[str, set[str]] = {}
    now: set[str] = set()
    for line in (Path(__file__).parent / "numpy_names.txt").read_text(encoding="utf-8").split("\n"):
        sign, *names = line.split() or [""]
        if sign == "+":
            now |= set(names)
        elif sign == "-":
            now -= set(names)
        elif sign:
            now = releases[sign] = set(now)
    return releases


RECORDED = recorded()


def entries(name: str) -> set[str]:
    """The names that an entry of the table may have for a public name."""
    on_arrays = name.removeprefix("numpy.ndarray.")
    return {name} if on_arrays == name else {f"method.{on_arrays}", f"attr.{on_arrays}"}


@pytest.mark.parametrize("release", RECORDED)
def test_every_public_name_of_a_release_is_classified(release):
    assert sorted(n for n in RECORDED[release] if not entries(n) & KNOWN) == []


def test_the_names_of_the_release_that_is_installed_are_those_recorded():
    major, minor, *_ = np.__version__.split(".")
    latest = list(RECORDED)[-1]
    spaces = {**NAMESPACES, "numpy.ndarray": np.ndarray}
    here = {
        f"{prefix}.{n}"
        for prefix, space in spaces.items()
        for n in dir(space)
        if not n.startswith("_") and not isinstance(getattr(space, n, None), ModuleType)
    }
    wanted = RECORDED.get(f"{major}.{minor}", RECORDED[latest])
    assert sorted(here - wanted - LONG) == [], "added: enter them in numpy_names.txt"
    assert sorted(wanted - here) == [], "removed: enter them in numpy_names.txt"


def test_a_name_that_no_release_has_is_noticed():
    named = {n for n in KNOWN if n.rpartition(".")[0] in NAMESPACES and not n.endswith(".")}
    assert sorted(named - set().union(*RECORDED.values()) - LONG - MODULES) == []


@pytest.mark.parametrize("prefix", [*NAMESPACES, "math"])
def test_every_public_name_that_is_installed_is_classified(prefix):
    space = {**NAMESPACES, "math": math}[prefix]
    names = {f"{prefix}.{n}" for n in dir(space) if not n.startswith("_")}
    assert sorted(names - KNOWN) == []


# Their derivative is 0 wherever there is one, and autograd says so.
STEPS = {"scipy.special.gammasgn"}


def test_what_autograd_differentiates_is_differentiated():
    """`autograd_names.txt` is what `python -m benchmarks.agreement` finds in autograd 1.9."""
    text = (Path(__file__).parent / "autograd_names.txt").read_text(encoding="utf-8")
    here = {n for known in (COMPLEX, table()) for n, r in known.items() if r.reverse}
    assert sorted(set(text.split()) - here - set(STRUCTURAL) - STEPS) == []
    assert all(table()[n].kind == "constant" for n in STEPS)


def test_a_name_is_in_one_place():
    assert not set(STRUCTURAL) & set(table())


def test_refused_names_give_a_reason():
    for name, rule in table().items():
        assert bool(rule.reason) == (rule.kind == "unsupported"), name


def test_a_random_draw_is_refused_whatever_its_name():
    assert rule_for("numpy.random.normal").kind == "unsupported"
    assert rule_for("numpy.nowhere") is None


def test_the_page_of_rules_is_current():
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert text == page(), "run `python -m pullback.rules.page`"


def test_the_page_has_every_entry():
    text = page()
    for rule in table().values():
        for formula in rule.reverse.values():
            assert formula.replace("|", "\\|") in text
