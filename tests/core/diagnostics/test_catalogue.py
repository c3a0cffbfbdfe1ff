"""The catalogue: every entry is whole, and its examples are Python."""

import ast
import string

import pytest

from pullback.diagnostics import SEVERITIES, report
from pullback.diagnostics.catalogue import codes, entry
from pullback.diagnostics.pages import FAMILIES, page
from pullback.ir import Span


def fields(message):
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


@pytest.mark.parametrize("code", codes())
def test_entry_is_whole(code):
    e = entry(code)
    assert e.code == code
    assert code[:3] in FAMILIES
    assert e.severity in SEVERITIES
    assert e.name == e.name.lower() and " " not in e.name
    assert not e.message.endswith(".") and "  " not in e.message
    assert e.meaning.strip() and e.why.strip()
    assert bool(e.bad) == bool(e.mended)


@pytest.mark.parametrize("code", [c for c in codes() if c != "PB001"])
def test_examples_are_python(code):
    e = entry(code)
    for source in (e.bad, e.mended):
        ast.parse(source)


def test_names_are_unique():
    names = [entry(c).name for c in codes()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("code", codes())
def test_report_fills_the_message(code):
    values = {name: f"<{name}>" for name in fields(entry(code).message)}
    d = report(code, Span(3, 5), function="f", **values)
    assert d.severity == entry(code).severity
    assert "{" not in d.message
    assert all(v in d.message for v in values.values())


def test_report_takes_another_severity():
    assert report("PB305", Span(0, 1), name="rng", severity="warning").severity == "warning"


def test_report_needs_every_value():
    with pytest.raises(KeyError):
        report("PB201", Span(0, 1), written="a")


def test_unknown_code():
    with pytest.raises(KeyError):
        entry("PB999")


def test_page_shows_both_examples():
    text = page("PB201")
    assert text.startswith("# PB201: possible-alias-written\n")
    assert entry("PB201").bad.strip() in text
    assert entry("PB201").mended.strip() in text
