"""Lists, tuples, dicts and records in the abstract interpretation: their parts, and what is put into them.

The memory of a container made in the function is an object of its own, apart from that of its parts: "[v:3"
of the container itself, "[[v:3" of what it is a part of.

May not know: the rule table, the transformation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..ir import (
    Assign,
    Call,
    Comprehension,
    Const,
    Dict,
    Expr,
    ExprStmt,
    Name,
    Slice,
    Star,
    Stmt,
    Tuple,
)
from .facts import Val
from .types import (
    ANY,
    CONTAINERS,
    MISSING,
    NONE,
    Atoms,
    Type,
    element,
    fresh,
    join,
    leaf_dtype,
    loosened,
    may_be_complex,
    placed,
    scalar,
)

if TYPE_CHECKING:
    from .evaluate import Env, Evaluator

OWN = "["  # begins the name of a container's own memory
GET = "method.get"
PUTS = {"method.append": 1, "method.insert": 2}  # what puts a value into a list, and its arguments
TAKE = "method.pop"  # what takes a value out of a list
DEEP = "copy.deepcopy"
COPIES = {
    "builtins.list": "list", "builtins.tuple": "tuple", "builtins.dict": "dict",
    "method.copy": "", "copy.copy": "", DEEP: "",
}  # fmt: skip
CHOICES = ("builtins.max", "builtins.min")
_OF_SETS = ("operator.or_", "operator.and_", "operator.xor")
REPLACE = ("method._replace", "dataclasses.replace", "copy.replace")
_NOT_CLASSES = (
    "operator.",
    "method.",
    "attr.",
    "builtins.",
    "numpy.",
    "math.",
    "<helper>.",
    "?",
    "<word>.",
)
# what private helpers give, in memory of its own: the form of their first argument that tangents and adjoints
# have, or that of their last
ZEROS = "<helper>._zeros_like"
_OPENING = {f"<helper>.{n}" for n in ("_zeros_like", "_opened", "_plus", "_fitted")}
_LIKE_LAST = {f"<helper>.{n}" for n in ("_restored", "_as_tangent")}
_VIEWS = ("method.keys", "method.values", "method.items")
# attributes of arrays: nothing else is told by them
_OF_ARRAYS = frozenset(
    [
        "T",
        "mT",
        "shape",
        "ndim",
        "size",
        "dtype",
        "real",
        "imag",
        "flat",
        "strides",
        "itemsize",
        "nbytes",
    ]
)


def is_field(t: Type, fn: str) -> bool:
    """Whether `fn`, "attr.w", is about a part of a container (or of what may be one)."""
    name = fn.removeprefix("attr.")
    return name != fn and (name in (t.keys or ()) or name not in _OF_ARRAYS)


def is_container(t: Type) -> bool:
    return t.kind in CONTAINERS and not isinstance(t.const, Atoms)  # no shape of unknown length


def display(e: Tuple | Dict, vals: tuple[Val, ...], site: str) -> Val:
    """`(a, b)`, `[a, b]`, `{"a": a, "b": b}`."""
    own = frozenset((OWN + site,)) if isinstance(e, Dict) or e.kind == "list" else frozenset()
    keys = e.keys if isinstance(e, Dict) else (MISSING,) * len(vals)
    pairs = zip(keys, vals)
    objs = own.union(*(within(_contents(v.objs) if k is None else v.objs) for k, v in pairs))
    active = any(v.active for v in vals)
    types = tuple(held(v) for v in vals)
    if isinstance(e, Tuple):
        starred = any(isinstance(i, Star) for i in e.items)
        made = Type(e.kind) if starred else Type(e.kind, items=types)
    elif all(isinstance(k, Const) and isinstance(k.value, (str, int)) for k in e.keys):
        made = Type(
            "dict", items=types, keys=tuple(k.value for k in e.keys if isinstance(k, Const))
        )
    elif None in e.keys:
        made = _merged(e, types, site)
    else:
        made = Type("dict", each=element(Type("dict", items=types), site))
    return Val(made, objs, False, True, active)


def _merged(e: Dict, types: tuple[Type, ...], site: str) -> Type:
    """The type of `{**d, "k": v}`."""
    parts: dict[object, Type] = {}
    for k, t in zip(e.keys, types):
        if isinstance(k, Const):
            parts[k.value] = t
        elif k is None and t.kind == "dict" and t.keys is not None and t.items is not None:
            parts.update(zip(t.keys, t.items))
        else:
            every = [element(t, site) if k is None else t for k, t in zip(e.keys, types)]
            known = tuple(t for t in every if t is not None)
            whole = element(Type("dict", items=known), site) if len(known) == len(every) else None
            return Type("dict", each=whole)
    return Type("dict", items=tuple(parts.values()), keys=tuple(parts))


def held(v: Val) -> Type:
    """The type of a part that is `v`: an array that has no axes is memory, which a number has not."""
    memory = v.type.kind == "scalar" and bool(v.objs)
    return replace(v.type, kind="number", const=MISSING) if memory else v.type


def gathered(parts: Comprehension, value: Val, site: str) -> Val:
    """What a comprehension gives."""
    made = Type(parts.kind, each=loosened(held(value)))
    return Val(made, within(value.objs) | {OWN + site}, False, True, value.active)


def _place(t: Type, key: object) -> int | None:
    """Which of the known parts `key` is."""
    if t.items is None:
        return None
    if t.keys is not None and key in t.keys:
        return t.keys.index(key)
    by_number = t.kind in ("list", "tuple", "record") and type(key) is int
    return key % len(t.items) if by_number and -len(t.items) <= key < len(t.items) else None  # type: ignore[operator]


def part(base: Val, key: object, site: str) -> Val:
    """The part of `base` at `key` (MISSING where nobody knows which)."""
    t = base.type
    at = _place(t, key)
    got = t.items[at] if at is not None and t.items is not None else element(t, site)
    return piece(base, Type("any", fresh(site)) if got is None else placed(got, site))


def piece(base: Val, t: Type) -> Val:
    """A part of `base` that is known to be a `t`."""
    active = base.active and leaf_dtype(t) not in ("int", "bool") and t.kind not in ("str", "none")
    if t.kind in ("scalar", "str", "none"):
        return Val(t, active=active)
    objs = _contents(base.objs)
    if t.kind in ("array", "number"):
        objs = without_containers(objs)
    return Val(t, objs, False, True, active)


def within(objs: frozenset[str]) -> frozenset[str]:
    """The memory of a part, as the container that it is put into has it."""
    return frozenset(OWN + o if o.startswith(OWN) else o for o in objs)


def _contents(objs: frozenset[str]) -> frozenset[str]:
    """The memory of the parts of a container."""
    deep = OWN + OWN
    return frozenset(
        o[1:] if o.startswith(deep) else o for o in objs if o.startswith(deep) or o[:1] != OWN
    )


def own_memory(objs: frozenset[str]) -> frozenset[str]:
    """That of a container itself, without its parts."""
    return frozenset(o for o in objs if o.startswith(OWN) and not o.startswith(OWN + OWN))


def without_containers(objs: frozenset[str]) -> frozenset[str]:
    return frozenset(o for o in objs if not o.startswith(OWN))


def _copied(base: Val, site: str) -> frozenset[str]:
    """The memory of a new container of the same parts."""
    return within(_contents(base.objs)) | {OWN + site}


def sliced(base: Val, site: str) -> Val:
    """`xs[a:b]`: a new container of the same parts; of what may be an array, a view."""
    t = base.type
    made = replace(t, items=None, keys=None, each=element(t, site), const=MISSING)
    return Val(made, _copied(base, site), False, True, base.active)


def unpacked(base: Val, k: int, behind: int, star: bool, site: str) -> Val:
    """What the target number `k` of an unpacking takes; `behind` targets stand behind a star."""
    t = base.type
    if star:
        stop = None if t.items is None else len(t.items) - behind
        items = None if t.items is None else t.items[k:stop]
        each = element(t, site) if items is None else None
        made = Type("list", items=items, each=each)
        return Val(made, _copied(base, site), False, True, base.active)
    return part(base, k, site)


def each_turn(base: Val, site: str) -> Val:
    """What one turn of a loop over a container takes."""
    if base.type.kind == "dict":
        return Val(Type("str"))
    return part(base, MISSING, site)


def no_numbers(e: Call, args: tuple[Val, ...], site: str) -> str:
    """What a call does to containers that is no arithmetic on what they hold; empty where it is nothing of the kind."""
    active = [a.type for a in args if a.active]
    if e.fn in _OF_SETS and any(t.kind in ("any", *CONTAINERS) for t in active):
        told = any(a.type.dtype in ("int", "bool") for a in args)  # so none is a dict
        return "" if told else "a union of what may be dicts; write each key out"
    summed = e.fn == "builtins.sum"
    if not active or not (summed or (e.fn in CHOICES and len(args) == 1)):
        return ""
    parts = (element(active[0], site), *active[1:])
    held = any(t is not None and is_container(t) for t in parts)
    return f"{e.fn.removeprefix('builtins.')} of lists or tuples" if held else ""


def of_call(walk: Evaluator, e: Call, args: tuple[Val, ...], site: str) -> Val | None:
    """What a call on containers gives; None for one that is not of this kind."""
    if not args or not (is_container(args[0].type) or _inside(walk, e, args[0])):
        return None
    base, t = args[0], args[0].type
    if e.fn in PUTS and t.kind == "list" and len(args) == PUTS[e.fn] + 1 and _alone(walk, e):
        return Val(NONE)
    if e.fn == TAKE and t.kind == "list" and walk.stmt is not None and taking(walk.stmt) is e:
        return part(base, MISSING if len(args) > 1 else -1, site)
    if e.fn in COPIES and len(args) == 1 and not e.kwargs and t.kind != "struct":
        kind = COPIES[e.fn] or t.kind
        if (kind == "dict") == (t.kind == "dict"):
            deep = e.fn == DEEP
            objs = frozenset(OWN * k + site for k in range(4)) if deep else _copied(base, site)
            return Val(replace(t, kind=kind), objs, False, True, base.active)
    if e.fn == "builtins.sorted" and len(args) == 1:
        one = Type("str") if t.kind == "dict" else element(t, site)
        if one is not None and one.kind == "str":  # of the keys of a dict
            return Val(Type("list", each=one), frozenset((OWN + site,)))
    if e.fn in CHOICES and len(args) == 1 and not e.kwargs and t.kind in ("list", "tuple"):
        return part(base, MISSING, site)
    if e.fn == GET and len(args) == 3 and t.kind == "dict":
        key = walk.facts.type(e.args[1]).const
        if t.keys is not None:
            return part(base, key, site) if key in t.keys else args[2]
        return walk.join(part(base, key, site), args[2], site)
    if e.fn in _VIEWS and len(args) == 1 and t.kind in ("dict", "struct"):
        one = element(t, site) or Type("any", fresh(site))
        words = {
            "keys": Type("str"),
            "values": one,
            "items": Type("tuple", items=(Type("str"), one)),
        }
        made = Type("list", each=words[e.fn[7:]])
        return Val(made, base.objs, False, True, base.active and e.fn != "method.keys")
    if e.fn in ("operator.add", "operator.mul") and len(args) == 2:
        return _joined(e, args, site)
    if t.kind in ("record", "struct", "any") and is_field(t, e.fn):
        return part(base, e.fn[5:], site)
    return None


def of_helper(e: Call, args: tuple[Val, ...], site: str) -> Val | None:
    """What a helper for the cotangents of containers gives; None for all others."""
    if e.fn not in _OPENING | _LIKE_LAST:
        return None
    if any(may_be_complex(leaf_dtype(a.type)) for a in args):
        return None
    kind = args[0 if e.fn in _OPENING else -1].type.kind
    if e.fn in _OPENING:
        kind = {"record": "dict", "tuple": "list"}.get(kind, kind)
    made = Type(kind) if kind in CONTAINERS else Type("any", fresh(site))
    if e.fn == ZEROS and args[0].type.kind in ("list", "tuple"):
        made = _zeros(args[0].type)
    active = e.fn != ZEROS and any(a.active for a in args)
    return Val(made, frozenset((OWN + site, site)), False, False, active)


def _zeros(t: Type) -> Type:
    """The type of zeros for what is a `t`, in lists; "any" where that may be something else."""
    if t.kind in ("list", "tuple") and not t.maker and is_container(t):
        items = None if t.items is None else tuple(map(_zeros, t.items))
        return Type("list", items=items, each=None if t.each is None else _zeros(t.each))
    return scalar() if t.kind == "scalar" else Type("any")


def fields_of(made: Type, e: Call) -> dict[str, Expr] | None:
    """The arguments of a record's constructor by field; None where they do not fit."""
    names = made.keys or ()
    if len(e.args) > len(names) or any(isinstance(a, Star) for a in e.args):
        return None
    out: dict[str, Expr] = dict(zip(names, e.args))
    for k, v in e.kwargs:
        if k in out or k not in names:
            return None
        out[k] = v
    optional = made.const if isinstance(made.const, tuple) else ()
    return out if all(n in out or n in optional for n in names) else None


def constructed(walk: Evaluator, e: Call) -> Val | None:
    """`State(x=x, v=v)`, `state._replace(x=x)`, `dataclasses.replace(state, x=x)`: a record."""
    made = made_by(walk, e)
    if made is None:
        return None
    given = fields_of(made, e) if e.fn not in REPLACE else dict(e.kwargs)
    base = walk.facts.of(e.args[0]) if e.fn in REPLACE else None
    if given is None or any(k not in (made.keys or ()) for k in given):
        return None
    vals = {k: walk.facts.of(v) for k, v in given.items()}
    pairs = zip(made.keys or (), made.items or ())
    items = tuple(held(vals[k]) if k in vals else t for k, t in pairs)
    every = [*vals.values(), *([base] if base is not None else [])]
    objs = frozenset(o for v in every for o in v.objs)
    active = any(v.active for v in every)
    return Val(replace(made, items=items, const=MISSING), objs, False, True, active)


def made_by(walk: Evaluator, e: Call) -> Type | None:
    """The record that a call makes: by its class, or from another."""
    if e.fn in REPLACE:
        t = walk.facts.type(e.args[0]) if len(e.args) == 1 else None
        return t if t is not None and t.kind == "record" and t.keys is not None else None
    if not e.fn.startswith(_NOT_CLASSES):
        known = walk.constant(e.fn)
        return known.each if known is not None and known.kind == "class" else None
    return None


def _inside(walk: Evaluator, e: Call, base: Val) -> bool:
    """Whether `e` is about a part of a container of which nothing is known."""
    if base.type.kind != "any" or isinstance(e.args[0], Name):
        return False
    up = root(e.args[0])
    return up is not None and is_container(walk.facts.type(up))


def _joined(e: Call, args: tuple[Val, ...], site: str) -> Val | None:
    """`xs + ys`, `[x] * n`."""
    a, b = args[0].type, args[1].type
    objs = _copied(args[0], site) | _copied(args[1], site)
    active = args[0].active or args[1].active
    if a.kind not in ("list", "tuple"):
        return None
    if e.fn == "operator.add" and b.kind == a.kind:
        if a.items is not None and b.items is not None:
            return Val(Type(a.kind, items=(*a.items, *b.items)), objs, False, True, active)
        whole = join(Type(a.kind, each=element(a, site)), Type(a.kind, each=element(b, site)), site)
        return Val(whole, objs, False, True, active)
    if e.fn == "operator.mul" and b.kind == "scalar" and b.dtype == "int":
        every = element(a, site)
        if every is None or is_container(every):  # all parts are one
            objs |= {""}
        return Val(Type(a.kind, each=every), objs, False, True, active)
    return None


def _alone(walk: Evaluator, e: Call) -> bool:
    return isinstance(walk.stmt, ExprStmt) and walk.stmt.value is e


def taking(s: Stmt) -> Call | None:
    """The call by which a statement takes a value out of a list: `x = xs.pop()`, `a, b = xs.pop()`, `xs.pop()`."""
    if not isinstance(s, (Assign, ExprStmt)) or (isinstance(s, Assign) and len(s.targets) > 1):
        return None
    e = s.value
    if not isinstance(e, Call) or e.fn != TAKE or e.kwargs or len(e.args) > 2:
        return None
    named = not isinstance(s, Assign) or _of_names(s.targets[0])
    return e if named and isinstance(e.args[0], Name) else None


def _of_names(target: Expr) -> bool:
    if isinstance(target, Tuple):
        return all(_of_names(i) for i in target.items)
    return isinstance(target, Name)


def take(walk: Evaluator, s: Stmt, e: Call, env: Env) -> None:
    """What is left of a list when `s` has taken a value out of it."""
    _change(walk, s, e, env, Val(NONE), lambda t: _without_last(t, len(e.args) == 1))


def _without_last(t: Type, last: bool) -> Type:
    """A list's type with one part less."""
    if t.items is None:
        return t
    if last and t.items:
        return replace(t, items=t.items[:-1])
    return Type(t.kind, each=element(t, ""))


def put(walk: Evaluator, s: Stmt, target: Expr, value: Val, env: Env) -> None:
    """`xs.append(value)`, `xs[i] = value`, `d["k"] = value`: `target` is the call or the subscript."""
    assert isinstance(target, Call)
    base = walk.facts.of(target.args[0])
    replaced = base.type.kind == "list" and isinstance(target.args[-1], Slice) and not s.made
    if replaced and (value.active or base.active):  # it may come to hold more parts, or fewer
        walk.problem("PB110", s.origin, target, construct="a slice of a list that is replaced")
    _change(walk, s, target, env, value, lambda t: _with(walk, t, target, held(value)))


def _change(
    walk: Evaluator, s: Stmt, target: Call, env: Env, value: Val, made: Callable[[Type], Type]
) -> None:
    """The container that `target` is about holds `value`, too, and has another type: what is `made` of its own."""
    base = walk.facts.of(target.args[0])
    name = target.args[0]
    own = own_memory(base.objs)
    lent = sorted(o[6:] for o in base.objs if o.startswith("param "))
    if lent and (not own or not isinstance(name, Name)):
        walk.problem(
            "PB110", s.origin, s, construct=f"a store into {lent[0]}, which belongs to the caller"
        )
        walk.facts.written[lent[0]] = True
    known = own or base.objs or frozenset(("",))
    touched = known | {OWN * k + o for o in own for k in (1, 2, 3)}
    walk.mutate(s, touched)
    for n, v in env.items():
        if not v.objs & touched or not is_container(v.type):
            continue
        t = made(v.type) if Name(n) == name else Type(v.type.kind, maker=v.type.maker)
        env[n] = replace(
            v, type=t, objs=v.objs | within(value.objs), active=v.active or value.active
        )


def _with(walk: Evaluator, t: Type, target: Call, value: Type) -> Type:
    """A container's type with one more part."""
    site = walk.site(target)
    if target.fn == "method.append" and t.items is not None and not t.items:
        return Type("list", items=(value,))
    if target.fn == "method.append" and t.items is not None:
        return replace(t, items=(*t.items, value))
    key = walk.facts.type(target.args[1]).const if target.fn == "operator.getitem" else MISSING
    at = _place(t, key)
    if at is not None and t.items is not None:
        return replace(t, items=(*t.items[:at], value, *t.items[at + 1 :]))
    if t.kind == "dict" and isinstance(key, (str, int)) and (t.keys is not None or not t.items):
        if t.each is None:
            return Type("dict", items=(*(t.items or ()), value), keys=(*(t.keys or ()), key))
    old = element(t, site)
    if old is None and t.items != ():
        return Type(t.kind)
    return Type(t.kind, each=loosened(value if old is None else join(old, loosened(value), site)))


def root(e: Expr) -> Name | None:
    """The variable that `e` is a part of: p of `p["w"].x[0]`."""
    while isinstance(e, Call) and (e.fn == "operator.getitem" or e.fn.startswith("attr.")):
        e = e.args[0]
    return e if isinstance(e, Name) else None


def evidence(e: Call, index: Type | None) -> str | None:
    """The kind of container that this use of a value shows it to be: `p["w"]`, `p.items()`, `p.w`."""
    if not e.args:
        return None
    named = e.fn in ("operator.getitem", GET) and index is not None and index.kind == "str"
    if named or (e.fn in _VIEWS and len(e.args) == 1):
        return "dict"
    return "record" if is_field(ANY, e.fn) else None


def taken_apart(walk: Evaluator, source: Expr, value: Val) -> Val:
    """`source`, of which nothing is known, is unpacked: it is a container, or an array."""
    up = root(source)
    if up is None:
        return value
    if walk.facts.type(up).kind == "any":
        walk.facts.used_as.setdefault(up.id, "struct")
    made = replace(value, type=Type("struct"))
    walk.facts.vals[id(source)] = made
    return made


def noticed(walk: Evaluator, e: Call, args: tuple[Val, ...]) -> None:
    """Remembers the variables of unknown type that this use shows to be containers."""
    kind = evidence(e, args[1].type if len(args) > 1 else None)
    if kind and args[0].type.kind in ("any", "struct") and args[0].active:
        if isinstance(e.args[0], Name):
            walk.facts.used_as[e.args[0].id] = kind
        elif kind == "dict" and (up := root(e.args[0])) and walk.facts.type(up).kind == "any":
            walk.facts.used_as.setdefault(up.id, "struct")
    if e.fn in ("operator.matmul", "numpy.dot", "numpy.matmul"):
        for a in e.args:
            if isinstance(a, Call) and a.fn == "operator.getitem" and isinstance(a.args[0], Name):
                base = walk.facts.of(a.args[0])
                number = walk.facts.type(a.args[1]).kind == "scalar"
                if (
                    number and base.active and base.type.kind == "any"
                ):  # matrices in a list, or an array
                    walk.facts.used_as.setdefault(a.args[0].id, "struct")


def length(t: Type) -> Type | None:
    """The type of `len(x)` of a container."""
    if not is_container(t):
        return None
    return scalar("int", MISSING if t.items is None else len(t.items))
