"""Where names of the workspace are defined, and what its classes are: their order, members, instances.

May not know: functions' statements, types, how derivatives are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .analysis.methods import Instance, Member, Objects
from .lower import definitions, scope_of
from .lower.classes import METHODS, Class, class_said, classes, instances
from .source.module import Module

_FARTHEST = 8  # imports of imports that are followed
UNKNOWN = "?"


@dataclass(frozen=True)
class Place:
    """Module `owner` ("" for the file itself) defines `name`, which has a dot in a class."""

    module: Module
    owner: str
    name: str


def place(qualname: str, modules: Callable[[str], Module | None], far: int = 0) -> Place | None:
    """Where a resolved name is defined, as far as the text tells."""
    own = qualname.startswith(".") and not qualname.startswith("..")
    owner = "" if own else qualname.rpartition(".")[0]
    while own or owner.strip("."):
        module = modules(owner)
        if module is not None:
            name = qualname[len(owner) + 1 :]
            there = _imported(module, owner, name)
            if there is None or far >= _FARTHEST:
                return Place(module, owner, name)
            return place(there, modules, far + 1)
        owner = owner.rpartition(".")[0]
    return None


def _imported(module: Module, owner: str, name: str) -> str | None:
    """The name that a module has `name` from; None where it is its own."""
    first, dot, rest = name.partition(".")
    scope = scope_of(module)
    known = scope.kind(first)
    passed = known in ("import", "module") or (known == "unknown" and bool(scope.stars))
    if not owner or not passed or name in definitions(module):
        return None
    meant = scope.resolve(first)
    return None if meant.startswith(("?", ".")) else f"{meant}{dot}{rest}"


@dataclass(frozen=True)
class Classes:
    """The classes that the names of a program lead to; `module` is the file itself."""

    place: Callable[[str], Place | None]
    module: Module

    def seen_from(self, owner: str) -> Objects:
        """What the passes ask, where annotations are those of module `owner`."""

        def said(annotation: str) -> Instance | None:
            at = self.place(f"{owner}.x")
            return None if at is None else self.said(annotation, at.module, owner)

        return Objects(self.meaning, self.member, self.overridden, self.part, said)

    def find(self, qualname: str) -> tuple[str, Place, Class] | None:
        """A class by a resolved name: the name that it has where it is defined, and the class."""
        at = self.place(qualname)
        found = None if at is None else classes(at.module).get(at.name)
        return None if at is None or found is None else (f"{at.owner}.{at.name}", at, found)

    def meaning(self, qualname: str) -> Instance | None:
        found = self.find(qualname)
        if found is not None:
            return Instance(found[0], itself=True)
        at = self.place(qualname)
        made = None if at is None else instances(at.module).get(at.name)
        of = None if at is None or made is None else self.find(_absolute(made, at.owner))
        return None if of is None else Instance(of[0], exact=True)

    def said(self, annotation: str, module: Module, owner: str) -> Instance | None:
        """What an annotation says of a value."""
        name, many = class_said(annotation, scope_of(module)) or ("", False)
        found = self.find(_absolute(name, owner)) if name else None
        return None if found is None else Instance(found[0], many=many)

    def order(self, qualname: str, seen: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The order in which attributes are looked up; UNKNOWN from where the text does not tell."""
        found = self.find(qualname)
        if found is None or qualname in seen:
            return (UNKNOWN,)
        name, at, cls = found
        bases = [_absolute(b, at.owner) for b in cls.bases]
        named = [self.find(b) for b in bases]
        heads = [UNKNOWN if f is None else f[0] for f in named]
        orders = [self.order(h, (*seen, name)) for h in heads]
        return (name, *_merged([*map(list, orders), heads]))

    def classes_of(self, qualname: str) -> Iterator[tuple[str, Place, Class]]:
        for name in self.order(qualname):
            found = self.find(name)
            if found is not None:
                yield found

    def member(self, qualname: str, name: str, after: str) -> Member | None:
        order = self.order(qualname)
        every = [c for _, _, c in self.classes_of(qualname)]
        if any(name in c.stored or not c.plain for c in every):
            return None
        for of in order[order.index(after) + 1 if after in order else 0 :]:
            found = self.find(of)
            if found is None:
                return None
            kind = found[2].members.get(name)
            if kind is not None:
                return Member(f"{of}.{name}", kind) if kind in METHODS else None
        return None

    def overridden(self, qualname: str, name: str) -> bool:
        found = self.find(qualname)
        there = [self.place(".x")] if found is None else [self.place(".x"), found[1]]
        for at in there:
            for other, cls in classes(at.module).items() if at is not None else ():
                below = f"{at.owner if at else ''}.{other}"
                if below != qualname and (name in cls.members or name in cls.stored):
                    if qualname in self.order(below):
                        return True
        return False

    def part(self, qualname: str, name: str) -> Instance | None:
        every = list(self.classes_of(qualname))
        holders = [(at, c) for _, at, c in every if name in {*c.stored, *c.members, *c.declared}]
        if len(holders) != 1 or any(not c.plain for _, _, c in every):
            return None
        at, cls = holders[0]
        if name in cls.made:
            found = self.find(_absolute(cls.made[name], at.owner))
            return None if found is None else Instance(found[0], exact=True)
        said = cls.declared.get(name)
        return None if said is None else self.said(said, at.module, at.owner)


def _absolute(name: str, owner: str) -> str:
    return f"{owner}{name}" if name.startswith(".") else name


def _merged(orders: list[list[str]]) -> list[str]:
    """C3: each class before its bases, bases in their order."""
    out: list[str] = []
    while orders := [o for o in orders if o]:
        head = next((o[0] for o in orders if not any(o[0] in p[1:] for p in orders)), UNKNOWN)
        out.append(head)
        if head == UNKNOWN:
            return out
        orders = [[c for c in o if c != head] for o in orders]
    return out
