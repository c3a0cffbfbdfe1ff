"""Every public name of NumPy and of math is classified, and the documentation says so."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from pullback.rules import STRUCTURAL, rule_for, table
from pullback.rules.page import page

from .harness import function

ROOT = Path(__file__).parents[3]
NAMESPACES = {"numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft, "math": math}
# Modules that NumPy 1 shows as attributes, and names of the oldest supported versions.
OLD = {"numpy.compat", "numpy.oldnumeric", "numpy.version", "numpy.tracemalloc_domain"}


@pytest.mark.parametrize("prefix", NAMESPACES)
def test_every_public_name_is_classified(prefix):
    known = {*table(), *STRUCTURAL, *OLD}
    names = {f"{prefix}.{n}" for n in dir(NAMESPACES[prefix]) if not n.startswith("_")}
    assert not names - known, (
        "enter these in the table: a rule, constant, or unsupported with a reason"
    )


# Names that the newest NumPy and the oldest Python do not have.
ABSENT = {"numpy.trapz", "numpy.newaxis", "math.cbrt", "math.exp2", "math.fma", "math.sumprod"}


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="names are still added")
def test_a_name_that_numpy_removes_is_noticed():
    spaces = tuple(f"{n}." for n in NAMESPACES)
    listed = {n for n in (*table(), *STRUCTURAL) if n.startswith(spaces) and not n.endswith(".")}
    absent = {n for n in listed if function(n) is None}
    assert absent <= ABSENT | {"numpy.row_stack"}, "they are gone: take their entries out"


def test_every_method_and_attribute_of_arrays_is_classified():
    known = table()
    names = [n for n in dir(np.ndarray) if not n.startswith("_")]
    assert [n for n in names if f"method.{n}" not in known and f"attr.{n}" not in known] == []


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
