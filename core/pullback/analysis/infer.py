"""Abstract interpretation of one function: what its variables hold at every statement.

The walk is flow-sensitive: an environment maps each variable to a Val; branches join, loops repeat until
nothing changes. Results are Facts beside the tree.

May not know: how derivatives are made, source text beyond spans.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir import (
    Assign,
    AugAssign,
    Barrier,
    Block,
    Call,
    Expr,
    ExprStmt,
    For,
    Function,
    If,
    Insert,
    Keep,
    Name,
    Ref,
    Return,
    Star,
    Stmt,
    Tuple,
    While,
    root,
    statements,
    stmt_exprs,
    walk,
)
from ..ir.marks import FOUND
from ..steps import spend
from . import calls, containers
from .evaluate import Constant, Env, Evaluator, Summary
from .facts import Facts, Val
from .flow import bindings, liveness
from .indexing import BASIC, index_kind
from .marks import at_rest
from .meeting import corresponding
from .structure import spelling
from .surely import shows_elements
from .turns import carried, symbols
from .types import (
    ANY,
    CONTAINERS,
    NONE,
    Atoms,
    Dim,
    Type,
    array,
    fresh,
    leaf_dtype,
    may_be_complex,
    repeating,
    scalar,
    shows_complex,
)

_ROUNDS = 12


def infer(
    fn: Function,
    params: Mapping[str, Val],
    declared: Mapping[str, Type],
    summary: Summary,
    constant: Constant,
    prefix: str = "v",
) -> Facts:
    """Facts of `fn` for parameters as given.

    `summary` says what a workspace call returns and writes, `constant` what a module's global is. What
    is made in `fn` has names that begin with `prefix`.
    """
    interpreter = Interpreter(Facts(fn), declared, summary, constant, prefix)
    interpreter.block(fn.body, dict(params))
    return interpreter.facts


class Interpreter(Evaluator):
    """The state of one interpretation; methods mirror the shape of the tree."""

    def __init__(
        self,
        facts: Facts,
        declared: Mapping[str, Type],
        summary: Summary,
        constant: Constant,
        prefix: str,
    ) -> None:
        super().__init__(facts, summary, constant, prefix)
        # what is said of a parameter is said of what callers give, not of what its name is bound to later
        given = {p.name for p in facts.fn.params}
        self.declared = {n: t for n, t in declared.items() if n not in given}
        self.stopped: list[Env] = []  # environments that left a turn by continue
        self.left: list[Env] = []  # those that left the loop by break
        self.live: dict[int, set[str]] | None = None  # by statement, once it is asked for
        self.behind: Block = ()  # what stands behind the statement at hand
        self.gone_through: list[frozenset[str]] = []  # the memory that the loops at hand run over

    # --- statements ----------------------------------------------------------------------------

    def block(self, block: Block, env: Env | None) -> Env | None:
        """The environment behind `block`, None where it is never reached."""
        for k, s in enumerate(block):
            if env is None:
                return None
            self.outdate(s, env)
            self.facts.before[id(s)] = dict(env)
            self.stmt = s
            self.behind = block[k + 1 :]
            env = self.statement(s, env)
            if env is not None and id(s) in self.facts.mutated:
                self.overwritten(self.facts.touching(self.facts.mutated[id(s)]), env)
        return env

    def statement(self, s: Stmt, env: Env) -> Env | None:
        if isinstance(s, Assign):
            value = self.expr(s.value, env)
            self.takes(s, env)
            for t in s.targets:
                self.assign(t, value, s.value, env, s)
        elif isinstance(s, AugAssign):
            self.augment(s, env)
        elif isinstance(s, ExprStmt):
            self.expr(s.value, env)
            self.takes(s, env)
            self.effect(s, s.value, env)
        elif isinstance(s, Return):
            got = Val(NONE) if s.value is None else self.expr(s.value, env)
            old = self.facts.returned
            self.facts.returned = (
                got if old is None else self.join(old, got, f"{self.prefix}:return")
            )
            return None
        elif isinstance(s, If):
            self.expr(s.test, env)
            return self.merge(self.block(s.body, dict(env)), self.block(s.orelse, dict(env)), s)
        elif isinstance(s, (For, While)):
            return self.at_rest(s, env) if s.turns == FOUND else self.loop(s, env)
        elif isinstance(s, Keep):
            return self.kept(s, env)
        elif isinstance(s, Barrier):
            self.barrier(s, env)
        elif isinstance(s, Insert):
            for e in stmt_exprs(s):
                self.expr(e, env)
        return env

    def outdate(self, s: Stmt, env: Env) -> None:
        """What `s` made when it last ran is not what it makes now: variables that hold it know it as older."""
        if not isinstance(s, (Assign, AugAssign)):
            return
        made = {self.site(e) for e in walk(s.value) if isinstance(e, Call)}
        for o in made & {o for v in env.values() for o in v.objs}:
            older = f"{o}'"
            several = any(older in v.objs for v in env.values())
            self.facts.joined[older] = frozenset((o,))
            for n, v in env.items():
                if v.objs & {o, older}:
                    objs = v.objs - {o} | {older}
                    exact = v.exact and not several
                    env[n] = replace(v, type=repeating(v.type), objs=objs, exact=exact)

    def overwritten(self, objs: frozenset[str], env: Env) -> None:
        """Index arrays in memory `objs` hold other numbers now: they may name an element twice."""
        for n, v in env.items():
            if v.objs & objs:
                env[n] = replace(v, type=repeating(v.type))

    def kept(self, s: Keep, env: Env) -> Env | None:
        if s.kind in ("raise",):
            return None
        if s.kind in ("break", "continue"):
            (self.left if s.kind == "break" else self.stopped).append(dict(env))
            return None
        for n in s.writes:
            env[n] = Val()
        if s.kind == "del":
            for n in s.reads:
                env.pop(n, None)
        return env

    def barrier(self, s: Barrier, env: Env) -> None:
        touched = frozenset(o for n in s.reads if n in env for o in env[n].objs)
        self.mutate(s, touched)
        if s.kind not in ("def", "async def", "class"):
            self.write(s, frozenset(o for n in s.writes if n in env for o in env[n].objs))
        dtype = "either" if shows_complex(s.text) else "any"
        for n in s.writes:
            env[n] = Val(replace(ANY, dtype=dtype), touched | {""}, exact=False)

    def merge(self, a: Env | None, b: Env | None, node: object) -> Env | None:
        if a is None or b is None:
            return b if a is None else a
        out = dict(a)
        for n, v in b.items():
            out[n] = self.join(out[n], v, f"{self.site(node)}.{n}") if n in out else v
        for n in out.keys() - (a.keys() & b.keys()):
            out[n] = replace(out[n], sure=False)
        for n, (obj, pair) in corresponding(a, b, self.site(node)).items():
            sides = [env[n] for env in (a, b) if n in env]
            exact = all(v.exact for v in sides)
            out[n] = replace(out[n], objs=frozenset((obj,)), exact=exact)
            self.facts.joined[obj] = self.facts.joined.get(obj, frozenset()) | set(pair)
        return out

    def at_rest(self, s: For | While, env: Env) -> Env | None:
        """A loop that nothing flows back through: what it leaves as it is may still be active."""
        end = self.loop(s, at_rest(env))
        run = list(statements((s,)))
        names = {n for x in run for n in bindings(x)}
        written = frozenset(o for x in run for o in self.facts.mutated.get(id(x), frozenset()))
        stays = {n for n, v in env.items() if v.active and n not in names and not v.objs & written}

        def moving(found: Env) -> Env:
            return {n: replace(v, active=v.active or n in stays) for n, v in found.items()}

        self.facts.before[id(s)] = moving(self.facts.before[id(s)])
        return None if end is None else moving(end)

    def loop(self, s: For | While, env: Env) -> Env | None:
        outer = self.stopped, self.left
        self.facts.entered[id(s)] = dict(env)
        head, known = dict(env), symbols(env)
        for turn in range(_ROUNDS):
            spend(len(head))
            self.stopped, self.left = [], []
            end = self.turn(s, dict(head))
            ends = [e for e in (end, *self.stopped) if e is not None]
            new = dict(head)
            for e in ends:
                got = self.merge(new, e, s)
                new = got if got is not None else new
            new = {n: self.next_turn(s, n, v, known) for n, v in new.items()}
            if turn > _ROUNDS - 4:
                new = {
                    n: v if v == head.get(n) else Val(_any(v), v.objs, False, v.view, v.active)
                    for n, v in new.items()
                }
            if new == head:
                break
            head = new
        left = self.left
        self.stopped, self.left = outer
        self.facts.before[id(s)] = self.merged(dict(head), left, s) or {}
        return self.merged(self.block(s.orelse, dict(head)), left, s)

    def merged(self, env: Env | None, others: list[Env], node: object) -> Env | None:
        for other in others:
            env = self.merge(env, other, node)
        return env

    def turn(self, s: For | While, env: Env) -> Env | None:
        """The environment behind one turn."""
        if isinstance(s, While):
            self.expr(s.test, env)
            return self.block(s.body, env)
        self.for_target(s, env)
        self.gone_through.append(self.facts.of(s.iter).objs)
        end = self.block(s.body, env)
        self.gone_through.pop()
        return end

    def next_turn(self, s: Stmt, name: str, v: Val, known: set[str]) -> Val:
        """What a turn of loop `s` leaves in `name`, in the words of the next one."""
        t = carried(v.type, known, f"{self.site(s)}.{name}")
        return v if t == v.type else replace(v, type=t)

    def for_target(self, s: For, env: Env) -> None:
        it = self.expr(s.iter, env)
        got = self.element(s.iter, it, env)
        self.holds_named(s.target, s.iter)
        if got.active and it.type.kind == "any" and isinstance(s.iter, Name):
            if isinstance(s.target, Tuple):
                self.facts.used_as.setdefault(s.iter.id, "struct")
            elif _names_parts(s):
                self.facts.used_as.setdefault(s.iter.id, "dict")
        if got.active and it.type.kind == "any" and _names_parts(s):
            self.facts.vals[id(s.iter)] = replace(it, type=Type("dict"))
            got = Val(Type("str"))
        if got.active and got.type.kind == "any" and isinstance(s.target, Tuple):
            got = replace(got, type=Type("struct"))
        self.assign(s.target, got, None, env, s)

    def holds_named(self, target: Expr, it: Expr) -> None:
        """`for layer in layers: … layer["w"] …`: so `layers` holds dicts."""
        if isinstance(it, Call) and it.fn == "builtins.zip" and isinstance(target, Tuple):
            for t, a in zip(target.items, it.args):
                self.holds_named(t, a)
        elif isinstance(it, Call) and it.fn == "builtins.enumerate" and isinstance(target, Tuple):
            self.holds_named(target.items[-1], it.args[0])
        elif isinstance(it, Call) and it.fn in ("builtins.reversed", "operator.getitem"):
            self.holds_named(target, it.args[0])
        elif isinstance(it, Name) and self.facts.active(it) and self.facts.type(it).kind == "any":
            if isinstance(target, Name) and target.id in self.facts.used_as:
                self.facts.used_as.setdefault(it.id, "struct")

    # --- assignment ----------------------------------------------------------------------------

    def assign(self, target: Expr, value: Val, source: Expr | None, env: Env, s: Stmt) -> None:
        if isinstance(target, Name):
            t = self.declared.get(target.id)
            value = self.as_used(target.id, value, source)
            known = value.type if t is None else _with_declared(value.type, t)
            env[target.id] = replace(value, type=known, sure=True)
            if source is not None and known.kind in CONTAINERS and value.type.kind == "any":
                self.facts.vals[id(source)] = replace(value, type=known)
            self.facts.vals[id(target)] = env[target.id]
            self.facts.bound[(id(s), target.id)] = env[target.id]
        elif isinstance(target, Tuple):
            self.unpack(target, value, source, env, s)
        elif isinstance(target, Call) and target.fn == "operator.getitem":
            self.store(target, value, env, s)
        elif isinstance(target, Call) and target.fn.startswith("attr."):
            base = self.expr(target.args[0], env)
            self.mutate(s, base.objs or frozenset(("",)))
            if value.active or base.active:
                self.facts.attributes = True
                self.problem("PB106", target.origin or s.origin, target, name=_text(target))
        elif isinstance(target, Ref) and value.active:  # `Model.scale = x`
            self.problem("PB106", target.origin or s.origin, target, name=target.text)
        elif isinstance(target, Star):
            self.assign(target.value, value, None, env, s)

    def as_used(self, name: str, value: Val, source: Expr | None) -> Val:
        """`row = b[i]`, and `row[0]` right behind: so it is an array, and a view of `b`."""
        if value.type.kind != "number" or not isinstance(source, Call):
            return value
        if source.fn != "operator.getitem" or not shows_elements(name, self.behind):
            return value
        got = replace(value, type=replace(value.type, kind="array"))
        if index_kind(source.args[1], self.facts.type) == BASIC:
            got = replace(got, exact=self.facts.of(source.args[0]).exact)
        self.facts.vals[id(source)] = got
        return got

    def unpack(self, target: Tuple, value: Val, source: Expr | None, env: Env, s: Stmt) -> None:
        items = target.items
        starred = any(isinstance(i, Star) for i in items)
        if (
            isinstance(source, Call)
            and source.fn == "attr.shape"
            and isinstance(source.args[0], Name)
            and not starred
        ):
            self.refine_rank(source.args[0], len(items), env)
            value = self.expr(source, env)
        if isinstance(source, Tuple) and len(source.items) == len(items) and not starred:
            for t, e in zip(items, source.items):
                self.assign(t, self.facts.of(e), e, env, s)
            return
        if value.type.kind == "any" and value.active and source is not None:
            value = containers.taken_apart(self, source, value)
        star = next((k for k, t in enumerate(items) if isinstance(t, Star)), len(items))
        for k, t in enumerate(items):
            behind = len(items) - 1 - k
            if containers.is_container(value.type):
                place = k if k <= star else k - len(items)
                site = f"{self.site(target)}.{k}"
                got = containers.unpacked(value, place, behind, k == star, site)
                if isinstance(source, Call) and k < star:
                    got = calls.part_of_result(self, source, k, got)
            elif starred:
                got = Val(
                    Type("any", fresh(f"{self.site(target)}.{k}")),
                    value.objs,
                    False,
                    True,
                    value.active,
                )
            elif (
                isinstance(value.type.shape, tuple)
                and value.type.shape
                and value.type.kind in ("array", "number")
            ):
                got = self.part(value, array(value.type.shape[1:], value.type.dtype))
            else:
                got = Val(
                    Type("any", fresh(f"{self.site(target)}.{k}")),
                    value.objs,
                    False,
                    True,
                    value.active,
                )
            self.assign(t, got, None, env, s)

    def refine_rank(self, x: Name, rank: int, env: Env) -> None:
        """`n, d = x.shape` tells that x has two dimensions."""
        v = env.get(x.id)
        if v is not None and v.type.rank() is None and v.type.numeric():
            site = (
                f"{x.id}@{self.site(x)}" if not any(o == f"param {x.id}" for o in v.objs) else x.id
            )
            env[x.id] = replace(
                v, type=array(tuple(Dim(f"{site}.{k}") for k in range(rank)), v.type.dtype)
            )

    def store(self, target: Call, value: Val, env: Env, s: Stmt) -> None:
        """`a[i] = value`."""
        base_expr, index = target.args
        base = self.expr(base_expr, env)
        self.expr(index, env)
        self.facts.vals[id(target)] = self.getitem(target, base, index)
        if containers.is_container(base.type):
            containers.put(self, s, target, value, env)
            return
        self.write(s, base.objs or frozenset(("",)))
        if value.active and base.type.kind not in ("list", "tuple", "dict"):
            name = base_expr.id if isinstance(base_expr, Name) else "the array"
            self.narrowed(base, value.type, name, target, s)
        outer = root(base_expr)
        if value.active and isinstance(outer, Ref):
            self.problem("PB105", target.origin or s.origin, target, name=outer.text)
        if value.active:
            self.activate(base.objs, env)

    def narrowed(self, base: Val, value: Type, name: str, node: object, s: Stmt) -> None:
        """Reports a store that cuts off: of floats into integers, of complex numbers into floats."""
        into = base.type
        if into.kind in ("array", "number") and into.dtype in ("int", "bool"):
            code = "PB304"
        elif may_be_complex(leaf_dtype(value)) and not may_be_complex(into.dtype):
            code = "PB310"
        else:
            return
        self.problem(code, s.origin, node, *self.makers(base.objs), name=name)

    def activate(self, objs: frozenset[str], env: Env) -> None:
        """An active value went into memory: every name of that memory is active from here on."""
        for n, v in env.items():
            if v.objs & objs and not v.active:
                env[n] = replace(v, active=True)

    def augment(self, s: AugAssign, env: Env) -> None:
        value = self.expr(s.value, env)
        old = self.expr(s.target, env)
        both = self.augmented(s, old, value)
        if not isinstance(s.target, Name):
            if isinstance(s.target, Call) and s.target.fn == "operator.getitem":
                held = containers.is_container(self.facts.type(s.target.args[0]))
                if held and old.type.kind != "scalar":
                    self.augment_part(s, root(s.target), old, env)
                self.store(s.target, both, env, s)
            else:
                self.assign(s.target, both, None, env, s)
            return
        name = s.target.id
        if old.type.kind == "scalar" and old.objs and not s.made:
            self.without_axes(s, name, old, both, env)
            return
        holders = [v.objs for n, v in env.items() if n != name] + self.gone_through
        shared = any(objs & old.objs for objs in holders)
        rebinds = old.type.kind == "scalar" or not old.objs or not (shared or _foreign(old.objs))
        if old.type.kind in ("list", "tuple", "str", "dict", "record", "struct"):
            rebinds = old.type.kind in ("tuple", "str")
            self.mutate(s, frozenset() if rebinds else old.objs)
        elif not rebinds and old.type.kind != "array":
            rebinds = not self.is_seen(s, name, old, env)
            if not rebinds:
                self.unsure_kind(s, name, old, env)
        self.facts.rebinds[id(s)] = rebinds
        if rebinds:
            objs = old.objs or both.objs  # a number that becomes an array goes by its own name
            env[name] = replace(both, objs=objs if both.type.kind != "scalar" else frozenset())
            self.facts.bound[(id(s), name)] = env[name]
            if old.type.kind != "scalar":
                self.write(s, old.objs, elements=False)
            return
        if value.active:
            self.narrowed(old, value.type, name, s, s)
        self.write(s, old.objs, elements=old.type.kind == "array")
        if both.active:
            self.activate(old.objs, env)

    def augment_part(self, s: AugAssign, base: Expr | None, old: Val, env: Env) -> None:
        """`d["k"] op= …` of what may be an array, which changes in place."""
        objs = containers.without_containers(old.objs)
        self.write(s, objs, elements=old.type.kind == "array" and len(objs) == 1)
        others = sorted(n for n, v in env.items() if Name(n) != base and v.objs & objs)
        if others and old.type.rank() == 0:
            written = base.id if isinstance(base, Name) else "a part"
            self.problem("PB201", s.origin, s, written=written, other=others[0])

    def without_axes(self, s: AugAssign, name: str, old: Val, both: Val, env: Env) -> None:
        """`name op= …` of an array that has no axes: a number to all but those who hold it, too."""
        others = self.facts.namesakes(s, name)
        if others:
            self.problem("PB201", s.origin, s, written=name, other=others[0])
        else:
            self.write(s, old.objs, elements=False)
        self.facts.rebinds[id(s)] = True
        surely = not _foreign(self.facts.origins(old.objs))
        t = scalar(both.type.dtype) if surely else both.type  # an array keeps its shape
        env[name] = replace(old, type=t, active=both.active)
        self.facts.bound[(id(s), name)] = env[name]

    def is_seen(self, s: AugAssign, name: str, old: Val, env: Env) -> bool:
        """Whether a write into the memory of `name` may be seen behind `s` by another: whether it is one may matter."""
        if self.live is None:
            self.live = liveness(self.facts.fn.body)
        live = self.live.get(id(s), set(env))
        others = [v.objs for n, v in env.items() if n != name and n in live]
        own = self.facts.origins(old.objs)
        held = (self.facts.origins(objs) for objs in (*others, *self.gone_through))
        return _foreign(own) or any(own & objs for objs in held)

    def unsure_kind(self, s: AugAssign, name: str, old: Val, env: Env) -> None:
        """`name op= …` where nothing tells whether `name` is a number: the parameter it is from would."""
        params = [p for p in self.facts.fn.params if p.name in env and env[p.name].objs & old.objs]
        role = "viewed" if old.view else "parameter"
        places = tuple((role, p.origin) for p in params if p.origin is not None)
        named = ", ".join(p.name for p in params)
        self.problem("PB204", s.target.origin, s, *places, name=name, parameter=named)

    def augmented(self, s: AugAssign, old: Val, value: Val) -> Val:
        """`x op= e` as the expression `x op e`, so that one rule serves both."""
        node = self.facts.augmented.get(id(s))
        if node is None:
            node = Call(s.op, (replace(s.target), s.value), origin=s.origin)
            self.facts.augmented[id(s)] = node
        assert isinstance(node, Call)
        self.facts.vals[id(node.args[0])] = old
        got = calls.result(self, node, (old, value))
        if old.type.kind == "array":  # in place: the array keeps its shape
            got = replace(got, type=replace(got.type, kind="array", shape=old.type.shape))
        self.facts.vals[id(node)] = got
        return got

    def takes(self, s: Stmt, env: Env) -> None:
        """`x = xs.pop()` leaves a list with one part less; the tapes of generated code are known as a whole."""
        e = containers.taking(s)
        if e is None or self.facts.type(e.args[0]).kind != "list":
            return
        tape = e.args[0]
        if not (s.made and isinstance(tape, Name) and tape.id in self.tapes):
            containers.take(self, s, e, env)

    def effect(self, s: Stmt, e: Expr, env: Env) -> None:
        """A call that stands alone is there for what it does: it may write into its arguments."""
        if not isinstance(e, Call):
            return
        tape = e.args[0] if s.made and e.fn == "method.append" else None
        if isinstance(tape, Name) and tape.id in self.tapes:
            active = env[tape.id].active or self.tapes[tape.id].active
            env[tape.id] = replace(env[tape.id], type=Type("list"), active=active)
            return
        if containers.taking(s) is e and self.facts.type(e.args[0]).kind == "list":
            return
        if e.fn in containers.PUTS and self.facts.type(e.args[0]).kind == "list":
            containers.put(self, s, e, self.facts.of(e.args[-1]), env)
            return
        if e.fn == "numpy.add.at" and any(self.facts.active(a) for a in e.args[2:]):
            self.activate(self.facts.of(e.args[0]).objs, env)
        args = (*e.args, *(v for _, v in e.kwargs))
        objs = frozenset(o for a in args for o in self.facts.of(a).objs)
        self.mutate(s, objs)
        told = any(node == id(e) for node, _ in self.facts.problems)
        if any(self.facts.active(a) for a in args) and not told:
            code = "PB307" if e.fn.startswith("method.") else "PB301"
            self.problem(code, e.origin or s.origin, s, name=_text(e))


def _names_parts(s: For) -> bool:
    """Whether a turn takes the part of what the loop runs over that its target names: `for k in d: … d[k] …`."""
    wanted = Call("operator.getitem", (s.iter, s.target))
    exprs = (e for x in statements(s.body) for e in stmt_exprs(x))
    return any(n == wanted for e in exprs for n in walk(e))


def _foreign(objs: frozenset[str]) -> bool:
    """Whether something in `objs` was not made by the function itself."""
    return any(o == "" or o.startswith("param ") for o in objs)


def _any(v: Val) -> Type:
    """A type that holds of whatever `v` may turn into."""
    return replace(ANY, dtype="either") if may_be_complex(leaf_dtype(v.type)) else ANY


def _with_declared(found: Type, declared: Type) -> Type:
    """What a comment or an annotation says goes before what was found, but a known value stays."""
    kind = declared.kind if declared.kind != "any" else found.kind
    dtype = declared.dtype if declared.dtype != "any" else found.dtype
    shape = declared.shape if declared.shape != Atoms(frozenset()) else found.shape
    if declared.kind == found.kind and found.items is not None:
        return found
    return replace(declared if kind in CONTAINERS else found, kind=kind, shape=shape, dtype=dtype)


def _text(e: Expr) -> str:
    if isinstance(e, Name):
        return e.id
    if isinstance(e, Ref):
        return e.text
    if isinstance(e, Call):
        if e.fn.startswith(("method.", "attr.")):
            return e.fn.split(".", 1)[1]
        return spelling(e)
    return type(e).__name__.lower()
