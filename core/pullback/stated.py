"""The user's own rules that a program knows: those of the file, of the modules that it imports, and of those whose
functions it looks at.

May not know: how derivatives are made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .analysis.declared import Meaning, annotated
from .analysis.own_rules import (
    NO_SOURCE,
    RESULT,
    RULED,
    Read,
    read_rule,
    shared_parameters,
)
from .analysis.types import Type, fresh, loosened
from .ir import Call, Function, Name, Return
from .lower import definitions, scope_of
from .lower.own_rules import Stated, own_rules
from .objects import Place, place
from .rules import rule_for
from .source.module import Module


@dataclass
class Entered:
    """The rules that were found: by function and mode, with the module that states each; the modules looked through."""

    rules: dict[str, dict[str, tuple[str, Stated]]] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class OwnRules:
    """`module` gives a module by name ("" is the file), `text` its text, `known` those that were parsed, `function`
    the ir of a function of the workspace by resolved name, `entered` what was found so far."""

    module: Callable[[str], Module | None]
    text: Callable[[str], str | None]
    known: dict[str, Module | None]
    function: Callable[[str], Function | None]
    entered: Entered

    def modes(self, fn: str) -> dict[str, tuple[str, Stated]]:
        """By mode the rule that is stated for a function, with the module that states it."""
        if "" not in self.entered.read:
            self._imports()
        for owner in ("", *self.known):
            self._enter(owner)
        return self.entered.rules.get(self._defined(fn), {})

    def rule(self, fn: str, mode: str) -> Read | None:
        """The rule for a function, read; None where there is none."""
        found = self.modes(fn).get(mode)
        if found is None:
            return None
        owner, stated = found
        name = f"{owner}.{stated.qualname}"
        own = self.function(name)
        assert own is not None
        of = self.function(fn)
        params = None if of is None else tuple(p.name for p in of.params)
        return read_rule(mode, fn.rpartition(".")[2], name, own, params)

    def misstated(self) -> list[tuple[Stated, str]]:
        """The decorators of the file that make no rule, each with the reason."""
        module = self.module("")
        found = () if module is None else own_rules(module)
        nothing = [(s, "it names no function") for s in found if not s.of or "?" in s.of]
        return nothing + [(s, "Pullback has one") for s in found if rule_for(s.of) is not None]

    def without_source(self, fn: str) -> Function | None:
        """What stands for a function that is known by its rule alone: the parameters that the rule names."""
        for owner, stated in self.modes(fn).values():
            own = self.function(f"{owner}.{stated.qualname}")
            if own is not None:
                params = own.params[: len(shared_parameters(stated.mode, own))]
                name, flags = fn.rpartition(".")[2], frozenset((RULED, NO_SOURCE))
                return Function(name, name, params, (), flags=flags, module=owner)
        return None

    def result(self, rules: list[Read], fn: str, meaning: Meaning) -> Type:
        """What a function without source gives, as its rule says of `y`."""
        for rule in rules:
            for p in rule.fn.params:
                if p.name == RESULT and p.annotation is not None:
                    said = annotated(p.annotation, f"{fn}()", meaning)
                    if said is not None:
                        return loosened(said)
        return Type("any", fresh("new"))

    def _imports(self) -> None:
        """Parses the modules that the file imports and that may state rules."""
        module = self.module("")
        assert module is not None
        imported = scope_of(module).imports.values()
        for name in dict.fromkeys(n for q in imported for n in (q, q.rpartition(".")[0])):
            if name.strip(".") and "pullback" in (self.text(name) or ""):
                self.module(name)

    def _enter(self, owner: str) -> None:
        module = self.module(owner)
        if module is None or owner in self.entered.read:
            return
        self.entered.read.add(owner)
        for stated in own_rules(module):
            of = f"{owner}{stated.of}" if stated.of.startswith(".") else stated.of
            modes = self.entered.rules.setdefault(self._defined(of), {})
            modes.setdefault(stated.mode, (owner, stated))

    def _defined(self, fn: str) -> str:
        """A function's name in the module that defines it, behind imports of imports."""
        at: Place | None = place(fn, self.module)
        return (
            f"{at.owner}.{at.name}" if at is not None and at.name in definitions(at.module) else fn
        )


def as_call(fn: Function, name: str) -> Function:
    """A function that has a rule as a call of itself, by its resolved name, so that the rule gives its derivative."""
    call = Call(name, tuple(Name(p.name) for p in fn.params))
    return replace(
        fn,
        body=(Return(call, fn.origin, made=True),),
        decorators=(),
        docstring=None,
        flags=fn.flags - {RULED, NO_SOURCE},
    )
