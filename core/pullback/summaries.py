"""What a call of a function gives, and what an analysis saw of the functions that it calls.

An analysis holds when such a function changes, as long as it would see the same of it: a body that is typed
into mostly gives what it gave.

May not know: how facts are found, how derivatives are made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from .analysis.facts import ATTRIBUTE, Facts, Val
from .analysis.signatures import Bound
from .analysis.types import CONTAINERS, Type, with_names
from .ir import Expr, Function, Opaque, Return, Star, Tuple, statements
from .steps import LIMIT, OverBudget, counted

Question = Callable[[Any], object]  # of a program
_NAME = re.compile(r"[^\W\d]\w*")
_NEW = "new"


@dataclass
class Seen:
    """What an analysis saw of the functions of a program.

    statements  those whose statements it looked at, by module and name
    answers     what it asked about others, by a key: the question and the answer
    steps       how many it took, with all that it asked for
    whole       whether that is all: derivatives that functions take themselves are not noted
    """

    statements: set[tuple[str, str]] = field(default_factory=set)
    answers: dict[object, tuple[Question, object]] = field(default_factory=dict)
    steps: int = 0
    whole: bool = True

    def holds(self, program: object, changed: frozenset[str]) -> bool:
        """Whether an analysis of `program` would see the same, in which some of the file's functions changed."""
        looked_at = {name.partition(".")[0] for owner, name in self.statements if not owner}
        if not self.whole or looked_at & changed:
            return False
        try:
            with counted(LIMIT - self.steps):
                return all(ask(program) == answer for ask, answer in self.answers.values())
        except (OverBudget, RecursionError):
            return False


def signature(fn: Function) -> Function:
    """`fn` without its statements and all that is said of them: what is needed to call it."""
    return replace(
        fn, body=(), docstring=None, pragmas=(), misplaced=(), name_span=None, origin=None
    )


# --- what a call gives ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Summary:
    """What a call gives for arguments as given. Memory is a parameter's ("param x"), unknown (""), "new", or "new.1",
    which the part number 1 of the tuple that is returned has for itself.

    returned    the value
    written     the memory that is written into
    attributes  whether attributes are written with what is differentiated
    used_as     parameters of unknown type that are used as containers, and as which kind
    troubled    whether something stands in the way of its derivative
    """

    returned: Val
    written: frozenset[str]
    attributes: bool
    used_as: tuple[tuple[str, str], ...]
    troubled: bool


def summary_of(facts: Facts) -> Summary:
    """What the facts of a function say to those that call it."""
    got = facts.returned or Val(Type("none"))
    written = frozenset(f"param {p}" for p in facts.written)
    return Summary(
        returned=replace(got, objs=_memory_of_result(facts, got)),
        written=_memory(facts, written),
        attributes=facts.attributes,
        used_as=tuple(sorted(facts.used_as.items())),
        troubled=bool(facts.problems),
    )


def _memory(facts: Facts, objs: frozenset[str]) -> frozenset[str]:
    return frozenset(o if not o or o.startswith("param ") else _NEW for o in facts.origins(objs))


def _memory_of_result(facts: Facts, got: Val) -> frozenset[str]:
    """The memory of what a function returns; the parts of a tuple apart that share theirs with nothing else."""
    shown = [s.value for s in statements(facts.fn.body) if isinstance(s, Return)]
    tuples = [e.items for e in shown if isinstance(e, Tuple) and e.kind == "tuple"]
    if len(tuples) < len(shown) or len({len(items) for items in tuples}) != 1:
        return _memory(facts, got.objs)
    places = range(len(tuples[0]))
    apart = [k for k in places if all(_is_apart(facts, items, k) for items in tuples)]
    held = {
        o for items in tuples for k in places if k not in apart for o in facts.of(items[k]).objs
    }
    return _memory(facts, frozenset(held)) | {f"{_NEW}.{k}" for k in apart}


def _is_apart(facts: Facts, items: tuple[Expr, ...], k: int) -> bool:
    """Whether number k of `items` is memory that the function made, and nothing of the others'."""
    if any(isinstance(i, Star) for i in items) or facts.type(items[k]).kind in CONTAINERS:
        return False
    own, *others = (
        facts.origins(facts.of(i).objs) for i in (items[k], *items[:k], *items[k + 1 :])
    )
    foreign = any(not o or o.startswith("param ") for o in own)
    return bool(own) and not foreign and not any(own & held for held in others)


def given_by(
    said: Summary, own: str, bound: Bound, vals: dict[int, Val]
) -> tuple[Val, frozenset[str]]:
    """What a call with arguments as bound gives, and the memory that it writes into; `own` begins the names that
    the summary gives to shapes."""

    def there(objs: frozenset[str]) -> frozenset[str]:
        out: set[str] = set()
        for o in objs:
            if o.startswith("param "):
                v = bound.get(o[6:])
                unknown = isinstance(v, Opaque) and id(v) not in vals
                out |= {""} if unknown else vals.get(id(v), Val()).objs
            else:
                out.add(o)
        return frozenset(out)

    got = said.returned
    shared = any(o.startswith("param ") for o in got.objs)
    written = there(said.written) | ({ATTRIBUTE} if said.attributes else set())
    local = re.compile(rf"(?<![\w:]){re.escape(own)}:\w+")
    whole = replace(got, type=retagged(got.type, local), objs=there(got.objs))
    return (replace(whole, exact=False, view=True) if shared else whole), written


# --- names of shapes ------------------------------------------------------------------------------


def of_callee(t: Type, called: str) -> Type:
    """`t` with the names that the callee's text gives to shapes told apart from the caller's."""
    return retagged(t, _NAME, f"{called}:") if called else t


def outside(t: Type) -> Type:
    """`t` with the names of shapes as those of another function's."""
    return retagged(t, _NAME, "outside:")


def retagged(t: Type, local: re.Pattern[str], tag: str = "new:") -> Type:
    """`t` with the shapes that were made inside the callee marked as made by this call."""

    return with_names(t, lambda s: local.sub(lambda m: tag + m[0], s))
