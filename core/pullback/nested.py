"""The derivatives that primals take themselves: what they are called, and what has been made of them.

    pullback.grad(cost)(x)      _cost_grad, made for the types of the arguments at all its calls

It is made for those of the first call that is seen; when all calls are known and bring others, it is made again.
`version` counts that, so that whoever has looked at what was there before can look again.

May not know: how derivatives are made, how the calls are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import reduce

from .analysis.declared import argument_type, common_types
from .analysis.facts import Problem, Val
from .analysis.signatures import bind_to, of_function
from .analysis.types import Type, fresh
from .diagnostics import Diagnostic
from .ir import Call, Function, Span, is_expr
from .transform.naming import plain_name
from .transform.request import Reversed


@dataclass(frozen=True)
class Wanted:
    """A derivative that another one calls: its kind, the function, the parameters.

    A `product` is of the function at hand itself: its Jacobian is made of products. `many` takes several directions
    at once.
    """

    kind: str
    fn: str
    params: tuple[str, ...]
    product: bool = False
    many: bool = False


@dataclass(frozen=True)
class Private:
    """What was made for a Wanted."""

    wanted: Wanted
    callee: Function
    made: Reversed


@dataclass(frozen=True)
class Nested:
    """A derivative that a primal takes: `key` names the function `fn`, which may be such a derivative itself."""

    kind: str
    key: str
    fn: Function
    wrt: tuple[str, ...]
    alone: bool = False


@dataclass(frozen=True)
class Made:
    """What was made for a Nested.

    functions  the derivative and the private ones that it calls, by the names that call them, to be
               differentiated again; none where `found` stands in the way
    privates   the same, to be written
    sources    the functions of the workspace that they were made from
    """

    functions: dict[str, Function]
    privates: tuple[Private, ...] = ()
    sources: frozenset[str] = frozenset()
    found: tuple[Diagnostic, ...] = ()


_CHANGES = 3  # after so many the types only get wider
Derive = Callable[[str, Nested, tuple[Type, ...]], Made]  # of that name, for these types


@dataclass
class Derivatives:
    """Those of one derivation, by the names that call them; `unclear` says why others have none, by module and place.

    types   of the arguments that each is made for
    calls   the types of arguments by who makes the calls; `changes` counts how often that led to other types
    """

    asked: dict[str, Nested] = field(default_factory=dict)
    types: dict[str, tuple[Type, ...]] = field(default_factory=dict)
    made: dict[str, Made] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    calls: dict[str, dict[str, tuple[Type, ...]]] = field(default_factory=dict)
    changes: dict[str, int] = field(default_factory=dict)
    working: list[str] = field(default_factory=list)
    unclear: dict[tuple[str, Span | None], str] = field(default_factory=dict)
    version: int = 0

    def name(self, nested: Nested, free: Callable[[str], bool]) -> str:
        """What a derivative is called by; `free` says whether it can have a name."""
        for name, asked in self.asked.items():
            if replace(asked, fn=nested.fn) == nested:
                return name
        wish = f"_{plain_name(nested.fn).lstrip('_')}_{nested.kind}"
        name, n = wish, 2
        while f"<helper>.{name}" in self.asked or not free(name):
            name, n = f"{wish}{n}", n + 1
        self.asked[f"<helper>.{name}"] = nested
        return f"<helper>.{name}"

    def function(self, name: str, derive: Derive) -> Function | None:
        """The derivative of that name, or a private one that such a derivative calls."""
        if name in self.asked and name not in self.made and name not in self.working:
            self.working.append(name)
            made = derive(name, self.asked[name], self.types.get(name, ()))
            self.working.pop()
            self.made[name] = made
            self.functions.update(made.functions)
            self.version += 1
        return self.functions.get(name)

    def called(self, call: Call, vals: dict[int, Val], *, aside: bool) -> None:
        """Notes the types of the arguments of a call: the first to be seen, and any in a function that is only
        looked at, `aside` of what is made."""
        asked = self.asked.get(call.fn)
        if asked is None:
            return
        if aside:
            self.note("", call, vals)
            self.settle()
        self.types.setdefault(call.fn, _types(asked, call, vals))

    def note(self, maker: str, call: Call, vals: dict[int, Val]) -> None:
        """Notes a call in what `maker` has made: all that it calls are known in the end."""
        asked = self.asked.get(call.fn)
        if asked is not None:
            new, known = _types(asked, call, vals), self.calls.setdefault(maker, {})
            known[call.fn] = common_types(known.get(call.fn, new), new, asked.fn)

    def settle(self) -> None:
        """Gives up what was made for other types than those of all calls."""
        for name, asked in self.asked.items():
            found = [types[name] for types in self.calls.values() if name in types]
            if not found:
                continue
            new = reduce(lambda a, b: common_types(a, b, asked.fn), found)
            old = self.types.get(name, new)
            if self.changes.get(name, 0) > _CHANGES:
                new = common_types(old, new, asked.fn)
            if new != old:
                self.changes[name] = self.changes.get(name, 0) + 1
                for made in self.made.pop(name, Made({})).functions:
                    self.functions.pop(made, None)
                self.version += 1
            self.types[name] = new

    def found(self, names: Iterable[str]) -> tuple[Diagnostic, ...]:
        """What stands in the way of those among `names` that cannot be made."""
        return tuple(d for n in names for d in self.made.get(n, Made({})).found)

    def explained(self, p: Problem, module: str) -> Problem | tuple[Diagnostic, ...]:
        """Of a problem with a derivative that a function of `module` takes, what is behind it."""
        taken = f"<helper>.{dict(p.values).get('name')}"
        if p.code == "PB302" and taken in self.asked:
            own = replace(p, code="PB312", values=(("reason", "it is made of itself"),))
            return self.found([taken]) or own
        places = [at for m, at in self.unclear if m == module and at is not None]
        if p.code == "PB301" and p.span in places:
            return replace(p, code="PB312", values=(("reason", self.unclear[module, p.span]),))
        inside = p.code == "PB101" and any(at.start <= p.span.start < at.end for at in places)
        return () if inside else p

    def names(self) -> set[str]:
        """What must not be called otherwise."""
        return {name.removeprefix("<helper>.") for name in (*self.asked, *self.functions)}

    def private(self, wanted: Wanted, types: tuple[Type, ...]) -> Private | None:
        """A private derivative that was made already, for arguments of these types."""
        return next(
            (p for p in self.privates() if (p.wanted, p.made.types) == (wanted, types)), None
        )

    def privates(self) -> list[Private]:
        return [p for m in self.made.values() for p in m.privates]


def _types(asked: Nested, call: Call, vals: dict[int, Val]) -> tuple[Type, ...]:
    """The types of the arguments of a call, as the function's parameters have them."""
    seeds = 1 if asked.kind == "vjp" else len(asked.wrt) if asked.kind in ("jvp", "hvp") else 0
    of = bind_to(
        of_function(asked.fn), Call(call.fn, call.args[: len(call.args) - seeds], call.kwargs)
    )
    bound = (
        {}
        if of is None
        else {n: vals[id(v)].type for n, v in of.items() if is_expr(v) and id(v) in vals}
    )

    def type_of(name: str) -> Type:
        given = argument_type(bound.get(name, Type()), name)
        # what is differentiated counts as real
        return (
            Type("any", fresh(name))
            if name in asked.wrt and given.dtype in ("int", "bool")
            else given
        )

    return tuple(type_of(p.name) for p in asked.fn.params)
