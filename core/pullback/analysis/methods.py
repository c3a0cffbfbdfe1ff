"""Calls of methods of known classes as calls of the classes' functions, which is what Python makes of them.

    self.rate(x)  ->  Model.rate(self, x)        Model(0.7).loss(x)  ->  Model.loss(Model(0.7), x)

They print as they were written (`ir.written_behind`). What the text does not show stays as it is. `self`, and
what an annotation says, may be of a class that overrides: where the text shows such a class, it is not known
which method is meant; where it does not, the class of the text is meant (docs/assumptions.md).

May not know: types, rules, how classes are found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..ir import (
    Assign,
    AugAssign,
    Call,
    Comprehension,
    Const,
    Expr,
    For,
    Function,
    Name,
    Opaque,
    Ref,
    Slice,
    Stmt,
    Tuple,
    map_statement,
    rebuild,
    statements,
    stmt_exprs,
    walk,
)
from .flow import bindings

PARTIAL = "functools.partial"
_OWN_MEANING = ("?", "operator.", "method.", "attr.", "builtins.", "numpy.", "math.", "<helper>.")


@dataclass(frozen=True)
class Instance:
    """What is known of a value: the class that it is an instance of, or is. `exact`: of no class under it.

    `many`: it is a list or tuple of such.
    """

    of: str
    exact: bool = False
    itself: bool = False
    many: bool = False


@dataclass(frozen=True)
class Member:
    """What an attribute of a class is: a function of that resolved name and kind."""

    function: str
    kind: str


@dataclass(frozen=True)
class Objects:
    """What a program tells of classes.

    meaning    what a resolved name means, where that is a class or an instance
    member     a name looked up in a class; with `super_of`, behind that class
    overridden whether a class under this one has a member of that name
    part       what an attribute of an instance is
    said       what an annotation of a module says
    """

    meaning: Callable[[str], Instance | None]
    member: Callable[[str, str, str], Member | None]
    overridden: Callable[[str, str], bool]
    part: Callable[[str, str], Instance | None]
    said: Callable[[str], Instance | None]


Env = Mapping[str, Instance]


def with_functions(
    fn: Function, objects: Objects, *, away: bool, around: Function | None = None
) -> Function:
    """`fn` with the functions of known classes in the place of methods.

    `away`: its statements will stand outside of its class. `around`: the function that it is made in.
    """
    env = {} if around is None else Methods(around, objects, {}, away).known()
    return Methods(fn, objects, env, away).rewritten()


@dataclass
class Methods:
    fn: Function
    objects: Objects
    env: dict[str, Instance]
    away: bool
    home: str = field(default="", init=False)
    stored: set[str] = field(default_factory=set, init=False)  # attributes that `fn` writes

    def known(self) -> dict[str, Instance]:
        """What the variables are that hold instances: parameters, and those that are bound once."""
        self.stored = {
            t.fn[5:]
            for s in statements(self.fn.body)
            for t in _targets(s)
            if isinstance(t, Call) and t.fn.startswith("attr.")
        }
        made = [n for s in statements(self.fn.body) for n in bindings(s)]
        own = {*made, *(p.name for p in self.fn.params)}
        self.env = {n: v for n, v in self.env.items() if n not in own}
        owner = self.fn.qualname.rpartition(".")[0]
        if "method" in self.fn.flags and owner:
            self.home = f"{self.fn.module}.{owner}"
        for k, p in enumerate(self.fn.params):
            said = self.objects.said(p.annotation) if p.annotation else None
            if k == 0 and self.home and "static" not in self.fn.flags:
                said = Instance(self.home, itself="class" in self.fn.flags)
            if said is None or p.name in made or p.kind.startswith("var-"):
                continue
            if not (said.many and self.is_changed(p.name)):
                self.env[p.name] = said
        params = {p.name for p in self.fn.params}
        for s in statements(self.fn.body):
            for target, known in self.bound_by(s):
                if made.count(target.id) == 1 and target.id not in params:
                    self.env[target.id] = known
        return self.env

    def is_changed(self, name: str) -> bool:
        """Whether the function gives a list other items, of classes that its annotation need not say."""
        for s in statements(self.fn.body):
            for e in (n for x in stmt_exprs(s) for n in walk(x) if isinstance(n, Call) and n.args):
                grows = e.fn in ("method.append", "method.extend", "method.insert")
                stores = e.fn == "operator.getitem" and any(e is t for t in _targets(s))
                if (grows or stores) and e.args[0] == Name(name):
                    return True
        return False

    def bound_by(self, s: Stmt) -> list[tuple[Name, Instance]]:
        """The variables that a statement binds to instances."""
        if isinstance(s, For):
            pairs = self.taken(s.target, s.iter)
        elif isinstance(s, Assign) and len(s.targets) == 1:
            pairs = [(s.targets[0], self.instance(s.value))]
        else:
            return []
        return [(t, v) for t, v in pairs if isinstance(t, Name) and v is not None]

    def taken(self, target: Expr, it: Expr) -> list[tuple[Expr, Instance | None]]:
        """What a loop takes of what it runs over: `for k, layer in enumerate(layers)`."""
        if isinstance(it, Call) and it.fn == "builtins.reversed" and len(it.args) == 1:
            return self.taken(target, it.args[0])
        if isinstance(it, Call) and it.fn in ("builtins.zip", "builtins.enumerate"):
            items = target.items if isinstance(target, Tuple) else ()
            over = it.args if it.fn == "builtins.zip" else (Const(None), *it.args[:1])
            parts = zip(items, over) if len(items) == len(over) else ()
            return [pair for t, x in parts for pair in self.taken(t, x)]
        held = self.instance(it)
        return [(target, replace(held, many=False))] if held is not None and held.many else []

    def instance(self, e: Expr) -> Instance | None:
        """What `e` is an instance of."""
        if isinstance(e, Name):
            return self.env.get(e.id)
        if isinstance(e, Ref):
            return self.objects.meaning(e.qualname)
        if not isinstance(e, Call):
            return None
        if e.fn.startswith("attr.") and len(e.args) == 1:
            owner = self.instance(e.args[0])
            return None if owner is None else self.part(owner, e.fn[5:])
        if e.fn == "operator.getitem":
            held = self.instance(e.args[0])
            if held is None or not held.many:
                return None
            return replace(held, many=isinstance(e.args[1], Slice))
        called = self.instance(e.callee) if e.callee is not None else self.named(e.fn)
        return Instance(called.of, exact=True) if called is not None and called.itself else None

    def named(self, qualname: str) -> Instance | None:
        return None if qualname.startswith(_OWN_MEANING) else self.objects.meaning(qualname)

    def member(self, owner: Instance, name: str, after: str = "") -> Member | None:
        """The function that `name` is of what is an `owner`."""
        hidden = owner.many or name in self.stored
        found = None if hidden else self.objects.member(owner.of, name, after)
        if found is None or (not owner.exact and not owner.itself and not after):
            if found is None or self.objects.overridden(owner.of, name):
                return None
        return found

    def part(self, owner: Instance, name: str) -> Instance | None:
        known = not (owner.itself or owner.many) and name not in self.stored
        return self.objects.part(owner.of, name) if known else None

    # --- the function --------------------------------------------------------------------------

    def rewritten(self) -> Function:
        self.known()
        body = tuple(self.statement(s) for s in self.fn.body)
        same = all(a is b for a, b in zip(body, self.fn.body))
        return self.fn if same else replace(self.fn, body=body)

    def statement(self, s: Stmt) -> Stmt:
        written = {id(t) for t in _targets(s)}
        new = map_statement(
            s, lambda e: self.target(e) if id(e) in written else self.expr(e), self.statement
        )
        old, now = stmt_exprs(s), stmt_exprs(new)
        if all(a is b for a, b in zip(old, now)) and _same_blocks(s, new):
            return s
        return replace(new, verbatim=s.verbatim and not any(map(self.is_respelled, old)))

    def target(self, e: Expr) -> Expr:
        """What is written is an attribute, whatever it is called."""
        return rebuild(e, self.expr if isinstance(e, Call) else self.target)

    def expr(self, e: Expr) -> Expr:
        if isinstance(e, Opaque):
            return self.comprehension(e)
        e = rebuild(e, self.expr)
        if isinstance(e, Ref):
            return self.of_reference(e)
        if not isinstance(e, Call):
            return e
        got = self.called(e)
        outside = self.mangled(got)
        if not outside or not isinstance(got, Call):
            return got
        return replace(got, fn=f"{got.fn.partition('.')[0]}.{outside}")

    def called(self, e: Call) -> Expr:
        if e.fn.startswith("attr.") and len(e.args) == 1:
            return self.attribute(e)
        if e.fn.startswith("method."):
            return self.method(e)
        return self.function(e)

    def comprehension(self, e: Opaque) -> Expr:
        p = e.parts
        if p is None:
            return e
        generators = tuple(
            (t, self.expr(it), tuple(self.expr(x) for x in tests)) for t, it, tests in p.generators
        )
        key = None if p.key is None else self.expr(p.key)
        return replace(e, parts=Comprehension(p.kind, self.expr(p.element), key, generators))

    # --- what is called ------------------------------------------------------------------------

    def method(self, e: Call) -> Expr:
        """`receiver.name(...)`."""
        name, receiver = e.fn[7:], e.args[0]
        if _is_super(receiver) and self.home and self.fn.params:
            me = Name(self.fn.params[0].name, receiver.origin)
            found = _method(self.member(Instance(self.home), name, self.home))
            return _call(e, found, (me, *e.args[1:]), "")
        owner = self.instance(receiver)
        if owner is None:
            return e
        found = self.member(owner, name)
        if found is not None:
            return self.bound(e, found, owner, receiver, e.args[1:])
        part = self.part(owner, name)
        if part is None:
            return e
        call = _method(self.member(part, "__call__"))
        held = Call(f"attr.{name}", (receiver,), origin=receiver.origin)
        return _call(e, call, (held, *e.args[1:]), "()")

    def bound(
        self, e: Call, found: Member, owner: Instance, receiver: Expr, args: tuple[Expr, ...]
    ) -> Expr:
        """A call of a member on a receiver."""
        name = found.function.rpartition(".")[2]
        behind = f".{self.mangled(e) or name}()"
        plain = isinstance(receiver, (Name, Ref))
        if found.kind == "static" and plain:
            return _call(e, found, args, "")
        if found.kind == "class" and (owner.itself or plain):
            me = receiver if owner.itself else Ref(owner.of, "", receiver.origin)
            return _call(e, found, (me, *args), behind)
        if found.kind == "method":
            if owner.itself:
                return _call(e, found, args, "")
            return _call(e, found, (receiver, *args), behind)
        return e

    def function(self, e: Call) -> Expr:
        """`Model.name(...)`, `MODEL.name(...)` of another module, `kernel(...)` of an instance."""
        owner = self.instance(e.callee) if e.callee is not None else self.named(e.fn)
        if owner is not None:
            call = None if owner.itself else _method(self.member(owner, "__call__"))
            return e if e.callee is None else _call(e, call, (e.callee, *e.args), "()")
        above, _, name = e.fn.rpartition(".")
        owner = self.named(above) if above.strip(".") else None
        found = None if owner is None else self.member(owner, name)
        if owner is None or found is None:
            return e
        text = e.callee.text.rpartition(".")[0] if isinstance(e.callee, Ref) else ""
        return self.bound(e, found, owner, Ref(above, text, e.origin), e.args)

    def attribute(self, e: Call) -> Expr:
        """`receiver.name`: a property is called, a method is a function that knows its receiver."""
        owner = self.instance(e.args[0])
        found = None if owner is None or owner.itself else self.member(owner, e.fn[5:])
        if found is None:
            return e
        if found.kind == "property":
            return _call(e, found, e.args, f".{e.fn[5:]}")
        if found.kind == "method":
            return Call(PARTIAL, (Ref(found.function, "", e.origin), *e.args), origin=e.origin)
        return e

    def of_reference(self, e: Ref) -> Expr:
        """`MODEL.rate` of another module's instance, where that is a property or a method."""
        above, _, name = e.qualname.rpartition(".")
        owner = self.named(above) if above.strip(".") else None
        if owner is None or owner.itself:
            return e
        text = e.text.rpartition(".")[0]
        made = Call(f"attr.{name}", (Ref(above, text, e.origin),), origin=e.origin)
        got = self.attribute(made)
        return e if got is made else got

    def is_respelled(self, e: Expr) -> bool:
        """Whether `e` says what only means something in its class: `super()`, `self.__rate`."""
        return any(_is_super(x) or self.mangled(x) for x in walk(e))

    def mangled(self, e: Expr) -> str:
        """What `self.__rate` is called outside of the class; "" for other expressions, and inside."""
        kind, _, name = e.fn.partition(".") if isinstance(e, Call) else ("", "", "")
        private = kind in ("attr", "method") and name.startswith("__") and not name.endswith("__")
        owner = self.home.rpartition(".")[2].lstrip("_")
        return f"_{owner}{name}" if private and owner and self.away else ""


def _call(e: Call, found: Member | None, args: tuple[Expr, ...], text: str) -> Call:
    """`e` as a call of what was found, if anything was."""
    if found is None:
        return e
    return replace(e, fn=found.function, args=args, callee=Ref(found.function, text, e.origin))


def _method(found: Member | None) -> Member | None:
    return found if found is not None and found.kind == "method" else None


def _targets(s: Stmt) -> tuple[Expr, ...]:
    if isinstance(s, Assign):
        return s.targets
    return (s.target,) if isinstance(s, (AugAssign, For)) else ()


def _is_super(e: Expr) -> bool:
    return isinstance(e, Call) and e.fn == "builtins.super" and not e.args


def _same_blocks(a: Stmt, b: Stmt) -> bool:
    olds = [*getattr(a, "body", ()), *getattr(a, "orelse", ())]
    news = [*getattr(b, "body", ()), *getattr(b, "orelse", ())]
    return all(x is y for x, y in zip(olds, news))
