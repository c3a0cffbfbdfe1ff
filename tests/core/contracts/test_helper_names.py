"""A helper's name that means something else in the file is left alone."""

from __future__ import annotations

from pullback.derive import derive

SOURCE = """import numpy as np


def _unbroadcast(a, b):
    return a + b


def f(x, y):
    return np.sum(x * y) + _unbroadcast(2.0, 1.0)
"""


def test_a_function_of_the_file_keeps_its_name() -> None:
    made = derive(SOURCE, "f").source
    assert made is not None
    assert "def _unbroadcast2(x_bar, shape):" in made
    assert "_unbroadcast2(" in made.split("def f_grad")[1]
    assert "def _unbroadcast(" not in made


def test_a_helper_that_stands_in_the_file_is_used_again() -> None:
    plain = SOURCE.replace("_unbroadcast", "plus")
    first = derive(plain, "f").source
    assert first is not None
    second = derive(f"{plain}\n\n{first}", "f", "value_and_grad").source
    assert second is not None
    assert "_unbroadcast2" not in second


def test_spelled_through_another_alias_it_is_still_the_helper() -> None:
    plain = SOURCE.replace("_unbroadcast", "plus").replace("as np", "as xp").replace("np.", "xp.")
    first = derive(plain, "f").source
    assert first is not None and "xp.sum(x_bar" in first
    second = derive(f"{plain}\n\n{first}", "f", "value_and_grad").source
    assert second is not None
    assert "_unbroadcast2" not in second
