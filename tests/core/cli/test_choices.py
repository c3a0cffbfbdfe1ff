"""The command line spells out what can be chosen, so that it starts without the core: the words are the core's."""

from __future__ import annotations

from pullback import cli
from pullback.derive import COMPILERS, KINDS
from pullback.stage import BACKENDS


def test_the_choices_are_those_of_the_core() -> None:
    assert cli.KINDS == KINDS
    assert cli.COMPILERS == COMPILERS
    assert sorted(cli.BACKENDS) == sorted(BACKENDS)
