"""Each rule through the whole engine: a function of one call, its vjp derived, run, and compared.

What the table's own test cannot see: binding, folding of conditions, shapes, broadcasting, printing.
"""

from __future__ import annotations

import ast
import warnings

import numpy as np
import pytest

from pullback.derive import derive
from pullback.rules import rule_on_complex, table
from pullback.rules.notation import Rule
from pullback.rules.page import OPERATORS

from . import harness

IMPORTS = (
    "import copy\nimport math\nimport numpy as np\nimport scipy.special\nimport scipy.linalg\n"
)
IMPORTS += "import scipy.signal\nimport scipy.stats\nimport scipy.integrate\nimport scipy.fft\n"
RULES = table()


def cases():
    for name, rule in RULES.items():
        if name != rule.names[0] or not rule.reverse or harness.function(name) is None:
            continue
        if any(": refused" in r for r in rule.results):
            continue
        count = len(harness.samples(rule, name))
        for k in range(count):
            for told in (False, True):
                quick = (k, told) in ((count - 1, False), (0, True))
                marks = [] if quick else [pytest.mark.slow]
                yield pytest.param(name, k, told, id=f"{name}-{k}-{told}", marks=marks)


def call_text(name: str, args: list[str]) -> str:
    """The call as a user writes it."""
    head, _, rest = name.partition(".")
    if head == "operator":
        pattern = OPERATORS[rest]
        return f"({pattern})".replace("a", args[0]).replace("b", args[1] if len(args) > 1 else "")
    if head == "attr":
        return f"{args[0]}.{rest}"
    if head == "method":
        return f"{args[0]}.{rest}({', '.join(args[1:])})"
    spelled = {"numpy": f"np.{rest}", "builtins": rest}.get(head, name)
    return f"{spelled}({', '.join(args)})"


def program(
    name: str, sample: harness.Sample, space: dict[str, object], told: bool
) -> tuple[str, dict[str, object]]:
    """A function of the call's arrays and floats, and their values; what has no literal goes into `space`.

    `told`: a comment tells the shapes.
    """
    values: dict[str, object] = {}
    texts = []
    pieces = [(None, v) for v in sample.args] + list(sample.kwargs.items())
    for k, (keyword, v) in enumerate(pieces):
        text = f"p{k}"
        if (
            isinstance(v, (float, complex, np.ndarray))
            and np.asarray(v).dtype.kind in "fcbi"
            and not isinstance(v, bool)
        ):
            values[text] = v
        elif isinstance(v, tuple) and any(isinstance(i, np.ndarray) for i in v):
            space[text] = v
        else:
            text = literal(v)
        texts.append(text if keyword is None else f"{keyword}={text}")
    header = ", ".join(p + annotation(v) for p, v in values.items())
    shapes = ", ".join(
        f"{p}: {v.shape}"
        for p, v in values.items()
        if isinstance(v, np.ndarray) and v.ndim and v.dtype.kind != "c"
    )
    comment = f"    # pullback: {shapes}\n" if told and shapes else ""
    return f"{IMPORTS}\ndef f({header}):\n{comment}    return {call_text(name, texts)}\n", values


def annotation(v: object) -> str:
    """What the header says of a parameter: that it is a number, or complex."""
    if isinstance(v, np.ndarray):
        return ': Complex[np.ndarray, "..."]' if v.dtype.kind == "c" else ""
    return f": {type(v).__name__}" if isinstance(v, (float, complex)) else ""


def literal(v: object) -> str:
    if isinstance(v, type):
        return v.__name__ if v.__module__ == "builtins" else f"np.{v.__name__}"
    return repr(v)


@pytest.mark.parametrize(("name", "k", "told"), cases())
def test_rule_through_the_engine(name, k, told):
    hold(RULES[name], name, harness.samples(RULES[name], name)[k], told)


COMPLEX_TOO = [
    n
    for n in RULES
    if (rule := rule_on_complex(n))
    and rule.reverse
    and harness.function(n) is not None
    and n == rule.names[0]
    and not n.startswith(("numpy.fft.rfft", "numpy.ldexp"))  # of real numbers only
]


@pytest.mark.parametrize("name", COMPLEX_TOO)
def test_rule_on_complex_arguments_through_the_engine(name):
    rule = rule_on_complex(name)
    for sample in harness.samples(rule, name)[::3]:
        hold(rule, name, harness.turned(sample), False)


def hold(rule: Rule, name: str, sample: harness.Sample, told: bool) -> None:
    """The derivative of a function of one call is the one that differences give."""
    space: dict[str, object] = {}
    source, values = program(name, sample, space, told)
    active = tuple(p for p, v in values.items() if harness.floating(v) and moved(rule, sample, p))
    if not active:
        return
    derived = derive(source, "f", kind="vjp", wrt=active)
    assert derived.source is not None, [d.message for d in derived.diagnostics]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(source + derived.source, space)
        y = space["f"](*values.values())
        rng = np.random.default_rng(2)
        y_bar = harness.like(rng, y)
        bars = space["f_vjp"](*values.values(), y_bar)
        step = 0.5 if rule.kind == "linear" else harness.STEP
        for p, bar in zip(active, bars):
            x_dot = harness.like(rng, values[p])
            ends = [
                space["f"](*{**values, p: values[p] + h * x_dot}.values()) for h in (step, -step)
            ]
            y_dot = slope(ends[0], ends[1], 2.0 * step)
            assert np.shape(bar) == np.shape(values[p]), (
                f"{p}_bar has shape {np.shape(bar)}\n{derived.source}"
            )
            got, wanted = harness.pair(bar, x_dot), harness.pair(y_bar, y_dot)
            first = y[0] if isinstance(y, tuple) else y
            rtol = {2: 3e-3, 4: 1e-5}.get(np.asarray(first).dtype.itemsize, 2e-6)
            assert np.isclose(got, wanted, rtol=rtol, atol=rtol / 100.0), derived.source


def slope(ahead: object, behind: object, step: float) -> object:
    """The difference quotient of a result, of each where there are several."""
    if isinstance(ahead, tuple) and isinstance(behind, tuple):
        return tuple(slope(a, b, step) for a, b in zip(ahead, behind))
    return (1 * np.asarray(ahead) - behind) / step


def moved(rule: Rule, sample: harness.Sample, p: str) -> bool:
    """Whether the argument is one that the rule gives a derivative."""
    places = harness.places(rule, sample)
    k = int(p[1:])
    where = k if k < len(sample.args) else list(sample.kwargs)[k - len(sample.args)]
    return any(places.get(q) == where for q in rule.reverse)


def test_calls_are_written_as_people_do():
    assert call_text("operator.add", ["p0", "p1"]) == "(p0 + p1)"
    assert call_text("method.sum", ["p0", "axis=0"]) == "p0.sum(axis=0)"
    assert ast.parse(call_text("numpy.sum", ["p0"]), mode="eval")
