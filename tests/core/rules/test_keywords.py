"""No argument of a known function is ignored: it is named by the entry, refused, changes no value, or is tested.

The functions' own signatures are held against those of the entries, as NumPy and SciPy that are installed have them.
"""

from __future__ import annotations

import ast
import inspect
import re

import numpy as np
import pytest

from pullback.analysis.signatures import AT_REST, INDIFFERENT, parameters
from pullback.derive import derive
from pullback.ir import Name, Ref, walk
from pullback.lower import FORMULA, lower_expression
from pullback.rules import STRUCTURAL, lacking, table
from pullback.rules.notation import Rule
from tests.core.transform.library import LIBRARY

from . import harness
from .calls import CALLS
from .test_through_engine import IMPORTS, call_text, literal

RULES = table()


def real_parameters(name: str) -> list[inspect.Parameter] | None:
    """The parameters of the function itself; None where it is not here, or written in C without saying them."""
    f = harness.function(name)
    if name.startswith("method."):
        f = getattr(np.ndarray, name.removeprefix("method."), None)
    if f is None or name.startswith(("operator.", "attr.")):
        return None
    try:
        return list(inspect.signature(f).parameters.values())
    except (ValueError, TypeError):
        return None


# A call with `out=` is a store of its result: tests/core/transform/in_place.py.
STORES = {"out"}
# What changes how something is computed, or copied, and no value.
OF_THE_ENGINE = {"numpy.einsum": {"optimize"}, "numpy.meshgrid": {"copy"}}
OF_THE_ENGINE |= {"scipy.signal.correlate": {"method"}}
OF_THE_ENGINE |= {
    f"numpy.{n}": {"dtype", "copy", "order", "subok"}
    for n in ("array", "asarray", "asanyarray", "asarray_chkfinite")
}
# Distributions say `*args, **kwds`, and have these; a ufunc has what all have (see the engine's `elementwise`).
OF_ALL_UFUNCS = {"out", "where", "casting", "order", "dtype", "subok", "signature"}
DIFFERENTIATED = [n for n, r in RULES.items() if r.reverse and real_parameters(n) is not None]
TAKEN_APART = [n for n in STRUCTURAL if real_parameters(n) is not None]


def keywords(name: str) -> list[str]:
    """The arguments of a function that its entry does not name, by the names that a call can give them."""
    known = {p.name for p in parameters(RULES[name].signature)} if name in RULES else set()
    real = real_parameters(name) or []
    ufunc = OF_ALL_UFUNCS if isinstance(harness.function(name), np.ufunc) else set()
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    named = [p.name for p in real if p.kind in kinds and p.name not in known | ufunc]
    first = 1 if real and real[0].name in ("self", "array") else 0
    own = {p.name for p in real[: max(first, required(real))]}
    skipped = own | INDIFFERENT | STORES | OF_THE_ENGINE.get(name, set())
    return [k for k in named if k not in skipped]


def required(real: list[inspect.Parameter]) -> int:
    """How many arguments a call must have: what they are called there is not what an entry calls them."""
    return sum(p.default is p.empty and p.kind is not p.KEYWORD_ONLY for p in real)


UNKNOWN = [(n, k) for n in (*DIFFERENTIATED, *TAKEN_APART) for k in keywords(n)]
TESTED = (*LIBRARY, *CALLS.values(), *(f"{n}({s})" for n, r in RULES.items() for s in r.samples))


@pytest.mark.parametrize(("name", "keyword"), UNKNOWN)
def test_an_argument_that_no_entry_names_is_refused_or_tested(name: str, keyword: str) -> None:
    call = base_call(name)
    if call is None:
        pytest.skip("no sample of it is written with names alone")
    texts, params = call
    given = call_text(name, [*texts, f"{keyword}=given"])
    source = f"{IMPORTS}\ndef f({', '.join([*params, 'given'])}):\n    return {given}\n"
    made = derive(source, "f", kind="vjp", wrt=params[0])
    if made.source is None:
        assert {d.code for d in made.diagnostics} <= {"PB302", "PB303"}
        return
    last = name.rpartition(".")[2]
    shown = any(re.search(rf"\b{last}\(.*\b{keyword}=", text) for text in TESTED)
    assert shown, f"{given} is differentiated, and nothing tests that\n{made.source}"


def base_call(name: str) -> tuple[list[str], list[str]] | None:
    """A call of the function as texts, its arrays as parameters."""
    if name in CALLS:
        calls = (n for n in ast.walk(ast.parse(CALLS[name])) if isinstance(n, ast.Call))
        return [ast.unparse(a) for a in next(calls).args], ["x", "a"]
    samples = harness.samples(RULES[name], name)
    if not samples:
        return None
    sample = samples[0]
    texts, params = [], []
    for k, v in enumerate(sample.args):
        named = harness.floating(v) or isinstance(v, np.ndarray)
        texts.append(f"p{k}" if named else literal(v))
        params += [f"p{k}"] if named else []
    texts += [f"{k}={v!r}" for k, v in sample.kwargs.items()]
    return (texts, params) if params else None


# Of the result they say the type and where its memory is, of a call whether it raises: no formula needs them.
OF_THE_RESULT = {"dtype", "order", "copy", "subok", "casting", "mode", "exact"}
# Where the shape of the result says all, or the result itself.
NEEDLESS = {
    **dict.fromkeys(("numpy.full", "numpy.reshape", "method.reshape"), frozenset({"shape"})),
    "builtins.sum": {"start"},
    "numpy.copysign": {"x2"},
    "numpy.nextafter": {"x2"},
    "math.nextafter": {"x2"},
    **{f"{m}.fft.{f}": {"n"} for m in ("numpy", "scipy") for f in ("fftfreq", "rfftfreq")},
    "copy.deepcopy": {"memo"},
    "numpy.real_if_close": {"tol"},
    "numpy.expand_dims": {"axis"},
    "numpy.squeeze": {"axis"},
    "method.squeeze": {"axis"},
    "numpy.broadcast_to": {"shape"},
    "numpy.unwrap": {"discont", "axis", "period"},
    "numpy.bincount": {"minlength"},
    "scipy.special.lambertw": {"k", "tol"},
    "scipy.linalg.eigh": {"eigvals_only"},
    "scipy.stats.norm.entropy": {"loc"},
    "scipy.stats.multivariate_normal.entropy": {"mean"},
    "numpy.interp": {"left", "right"},  # another call without a period, and unread with one
}


@pytest.mark.parametrize("name", [n for n, r in RULES.items() if r.reverse])
def test_an_argument_that_an_entry_names_is_used_by_its_formulas(name: str) -> None:
    rule = RULES[name]
    named = {p.name for p in parameters(rule.signature)} - OF_THE_RESULT
    unused = named - set(rule.reverse) - used(rule) - set(rule.lends) - set(lacking(name))
    assert unused == NEEDLESS.get(name, set())


def used(rule: Rule) -> set[str]:
    """What the formulas of an entry name; a linear function has itself for a tangent."""
    texts = [*rule.reverse.values(), rule.tangent or "0.0"]
    trees = [n for text in texts for n in walk(lower_expression(text, FORMULA))]
    builtins = {n.qualname.removeprefix("builtins.") for n in trees if isinstance(n, Ref)}
    return {n.id for n in trees if isinstance(n, Name)} | builtins


@pytest.mark.parametrize("name", DIFFERENTIATED)
def test_what_is_given_by_position_is_what_the_function_takes_there(name: str) -> None:
    real = [p for p in real_parameters(name) or [] if p.kind < p.KEYWORD_ONLY]
    if any(p.kind is p.VAR_POSITIONAL for p in real):
        return
    mine = [p for p in parameters(RULES[name].signature) if not p.keyword_only]
    assert (
        len(mine) <= len(real) or name == "numpy.arange"
    )  # `dtype` has its place, and NumPy does not say it
    for a, b in list(zip(mine, real))[required(real) :]:
        if b.kind is not b.POSITIONAL_ONLY:
            assert a.name == b.name


def test_what_is_at_rest_has_the_value_that_functions_give_it() -> None:
    """`AT_REST` tells, for all functions at once, with which value an argument changes nothing."""
    for name in DIFFERENTIATED:
        known = {p.name for p in parameters(RULES[name].signature)}
        for p in real_parameters(name) or []:
            if p.name in AT_REST and p.name not in known and p.default is not p.empty:
                nothing = isinstance(p.default, tuple) and set(p.default) == {None}
                assert nothing or p.default in (AT_REST[p.name], np._NoValue), (name, p)
