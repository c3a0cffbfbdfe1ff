"""The words in which derivatives are written: one short entry a function.

    elementwise("numpy.tanh", "x", x="1.0 - y * y")
    linear("numpy.cumsum", "x, axis=None", x="np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis)", …)
    general("numpy.prod", "x, axis=None, keepdims=False", x="…y_bar…", tangent="…x_dot…", …)
    constant("numpy.floor", "x")
    unsupported("numpy.roots", "…the reason that the diagnostic shows…")
    holomorphic("numpy.exp numpy.matmul")
    on_complex("numpy.abs", "x", x="…y_bar…", tangent="…x_dot…", …)

A formula is a Python expression in NumPy terms. Its names are the function's own parameters, `y` for
the result, `y_bar` for the incoming cotangent and `x_dot` for the tangent of x; `np`, `math`, `scipy`
are the modules. What a formula does not name, the backward pass does not need: nobody writes that
twice. Conditional expressions whose test the text decides (`x.ndim == 2`, `axis is None`, `keepdims`)
are folded away; a test that cannot be decided stays in the generated code as it is written.
Broadcasting, dtypes and accumulation are the machinery's business, never a rule's: what an elementwise
entry, or any entry with shape="broadcast", gives is summed down to the parameter's shape by the engine.

Words that the engine expands inside a formula:
    unreduce(e, axis, keepdims)  e with the reduced axes put back as axes of length one
    count(x, axis)               how many elements of x were reduced over, a Python int
    unbroadcast(e, x)            e summed down to the shape of x
    _name(…)                     a private helper of rules/helpers.py. Where a helper is the last branch of a
                                 conditional it is right for every case, so that a chain of rank tests that
                                 cannot be decided may be replaced by it.
A partial derivative may be a mask (`x == y`): it multiplies, it is not a number to be returned alone.
Where the function gives several results, `results` says which, and `y` and `y_bar` are tuples. The cotangent
of a result that nothing uses is None: `y_bar[1] is None` is decided by the text, and a formula whose
`y_bar[k]` is None without asking gives nothing.

Elementwise entries state partial derivatives, once, and serve forward and reverse. Entries are data:
the core reads the texts and never runs them.

Complex numbers: cotangents pair with tangents as the real part of conj(bar) * dot. The cotangent of an
argument of a holomorphic function is what its formula gives for the conjugates of all that it names but
`y_bar`: `holomorphic` says of which entries that holds, and the engine conjugates, in reverse mode only.
Formulas of `linear` entries have real weights, and stay as they are. `on_complex` gives a function that is
neither an entry for complex arguments, whose formulas are taken as they are written; `not_on_complex`
refuses. The engine takes the real part where a parameter is real.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace

REAL = "real"


@dataclass(frozen=True)
class Rule:
    """One entry of the table.

    names     the functions that it covers: "numpy.exp", "math.exp", "operator.add", "method.sum", "attr.T"
    signature parameter list as in Python, the result is always `y`
    kind      "elementwise", "linear", "general", "constant" or "unsupported"
    reverse   parameter -> formula: the partial derivative (elementwise) or the cotangent (others)
    tangent   formula of the result's tangent ("" : sum of partials, or the function itself where linear)
    spread    the cotangent formulas give something that broadcasts to the parameter's shape (reductions)
    shape     how the result's shape follows (see analysis/shapes.py for the words)
    dtype     "float" (complex for complex arguments), "real", "complex", "promote", "int", "bool", or a
              parameter's name; "either" where an unsupported function may give complex numbers
    memory    "fresh", or "view x" (always shares memory with x), or "maybe x" (may share)
    domain    where elementwise entries are sampled by their test: "real", "positive", "unit" (-1 to 1),
              "fraction" (0 to 1), "above one", "nonnegative integer"; one word for all parameters, or one
              for each, with commas
    samples   argument lists for the test, as in a call: "normal(2, 3), axis=0". `normal`, `positive`, `unit`
              and `spd` make arrays of a shape; `np` is NumPy
    writes    the parameter whose elements the call writes, "" for none
    refused   parameters that have a derivative which no formula gives: an error where they are active
    because   why no formula gives it, for the diagnostic
    lends     parameters of which the value takes shape and dtype alone
    reason    why it is unsupported, for the diagnostic
    source    where the formula is from, when it is not in every calculus book
    conjugate what the formulas name is conjugated where it is complex, and partial derivatives are
    results   of a function with several results, each as "name: shape, dtype" (its own dtype where none is
              given); "refused" in place of the shape where it has a derivative that no formula gives
    several   "parameter=value": it gives several results then, and one (see shape) for any other value
    kink      the non-smooth points, as a hint says them ("at 0"), "" for smooth functions
    """

    names: tuple[str, ...]
    signature: str
    kind: str
    reverse: dict[str, str] = field(default_factory=dict)
    tangent: str = ""
    spread: bool = False
    shape: str = "unknown"
    dtype: str = "promote"
    memory: str = "fresh"
    domain: str = REAL
    samples: tuple[str, ...] = ()
    reason: str = ""
    source: str = ""
    kink: str = ""
    file: str = ""
    writes: str = ""
    refused: tuple[str, ...] = ()
    lends: tuple[str, ...] = ()
    conjugate: bool = False
    results: tuple[str, ...] = ()
    several: str = ""
    because: str = ""

    @property
    def reversible(self) -> bool:
        """Whether it says what cotangents are."""
        return self.kind not in ("constant", "unsupported") and all(self.reverse.values())


TABLE: dict[str, Rule] = {}
COMPLEX: dict[str, Rule] = {}  # the entries that hold where an argument is complex
HOLOMORPHIC: set[str] = set()
# Of functions that have a rule: arguments that it does not know, and those of which it does not know every value.
LACKING: dict[str, dict[str, str]] = {}
KNOWN_VALUES: dict[str, dict[str, tuple[object, ...]]] = {}


def elementwise(
    names: str,
    signature: str,
    *,
    domain: str = REAL,
    kink: str = "",
    source: str = "",
    dtype: str = "float",
    samples: tuple[str, ...] = (),
    refused: str = "",
    because: str = "",
    **partials: str,
) -> None:
    """A function of each element alone; `partials` gives d y / d parameter. Parameters not named are constant."""
    _enter(
        Rule(
            _split(names), signature, "elementwise", partials, shape="broadcast", domain=domain,
            kink=kink, source=source, dtype=dtype, samples=samples, refused=_split(refused),
            because=because,
        )
    )  # fmt: skip


def linear(
    names: str,
    signature: str,
    *,
    shape: str,
    samples: tuple[str, ...],
    dtype: str = "promote",
    memory: str = "fresh",
    spread: bool = False,
    source: str = "",
    lends: str = "",
    **cotangents: str,
) -> None:
    """Linear in the named parameters together: the tangent is the function itself on tangents."""
    _enter(
        Rule(
            _split(names), signature, "linear", cotangents, spread=spread, shape=shape, dtype=dtype,
            memory=memory, samples=samples, source=source, lends=_split(lends),
        )
    )  # fmt: skip


def general(
    names: str,
    signature: str,
    *,
    tangent: str,
    shape: str,
    samples: tuple[str, ...],
    dtype: str = "float",
    memory: str = "fresh",
    spread: bool = False,
    kink: str = "",
    source: str = "",
    refused: str = "",
    because: str = "",
    results: tuple[str, ...] = (),
    several: str = "",
    **cotangents: str,
) -> None:
    """Anything else: the cotangent of each named parameter, and the tangent of the result."""
    _enter(
        Rule(
            _split(names), signature, "general", cotangents, tangent, spread, shape, dtype, memory,
            samples=samples, kink=kink, source=source, refused=_split(refused), results=results,
            several=several, because=because,
        )
    )  # fmt: skip


def constant(
    names: str,
    signature: str = "*args, **kwargs",
    *,
    shape: str = "unknown",
    dtype: str = "float",
    memory: str = "fresh",
    refused: str = "",
    because: str = "",
) -> None:
    """No gradient by nature: integer or boolean results, shapes, fresh constants, piecewise constant functions."""
    _enter(
        Rule(
            _split(names), signature, "constant", shape=shape, dtype=dtype, memory=memory,
            refused=_split(refused), because=because,
        )
    )  # fmt: skip


def unsupported(names: str, reason: str, *, dtype: str = "any") -> None:
    """Has a derivative that nobody has written yet, or none that text can give; `reason` ends the diagnostic."""
    _enter(refusal(names, reason, dtype))


def refusal(names: str, reason: str, dtype: str = "any") -> Rule:
    """The entry of functions that are refused."""
    return Rule(
        _split(names), "*args, **kwargs", "unsupported", reason=reason, dtype=dtype, memory="maybe args"
    )  # fmt: skip


def holomorphic(names: str) -> None:
    """The formulas of the entries of these serve complex arguments too, conjugated."""
    HOLOMORPHIC.update(_split(names))


def on_complex(
    names: str,
    signature: str,
    *,
    tangent: str,
    shape: str,
    samples: tuple[str, ...],
    dtype: str = "promote",
    memory: str = "fresh",
    kink: str = "",
    results: tuple[str, ...] = (),
    several: str = "",
    **cotangents: str,
) -> None:
    """What functions that are not holomorphic are where an argument is complex."""
    rule = Rule(
        _split(names), signature, "general", cotangents, tangent, False, shape, dtype, memory,
        samples=samples, kink=kink, results=results, several=several,
    )  # fmt: skip
    _enter(rule, COMPLEX)


def not_on_complex(names: str, reason: str) -> None:
    """Refused where an argument is complex, although linear or constant on real numbers."""
    _enter(refusal(names, reason, "either"), COMPLEX)


def effect(names: str, signature: str, *, writes: str, reason: str) -> None:
    """Writes into an argument; without a derivative where that is active."""
    _enter(Rule(_split(names), signature, "unsupported", reason=reason, writes=writes))


def only(names: str, **values: tuple[object, ...]) -> None:
    """The values of arguments that the formulas of these functions know; others are refused where they are written."""
    for name in _split(names):
        KNOWN_VALUES.setdefault(name, {}).update(values)


def lacks(names: str, **reasons: str) -> None:
    """Arguments that the entries of these functions do not know, and what to write instead."""
    for name in _split(names):
        LACKING.setdefault(name, {}).update(reasons)


def _split(names: str) -> tuple[str, ...]:
    return tuple(names.split())


def _enter(rule: Rule, known: dict[str, Rule] = TABLE) -> None:
    entry = replace(rule, file=sys._getframe(2).f_code.co_filename)
    for name in entry.names:
        if name in known:
            raise ValueError(f"{name} has two rules")
        known[name] = entry
