"""Random NumPy programs: source text and arguments that it runs with.

    program(r)   a Program from any source of choices: random.Random, or Hypothesis' st.randoms()

The program is a module with the function `f`, perhaps with helper functions before it. It reads like
what people write: it reuses names, writes arrays in place, loops, branches and returns early.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.fuzz.expressions import (
    array,
    call,
    condition,
    expression,
    number,
    slicing,
    subscripts,
)
from tests.fuzz.rarities import rarity
from tests.fuzz.scope import SHAPES, Chooser, Helper, M, N, Scope, Shape
from tests.fuzz.stores import bind, is_new, local, view, with_operator, write
from tests.fuzz.writers import called_for

HEAD = "import math\nimport numpy as np\n\n\n"
SIZES = {N: "n", M: "m", 1: "1"}
Lines = list[str]


@dataclass(frozen=True)
class Program:
    """A module's text, the arguments for its function `f`, and its differentiable parameters."""

    source: str
    args: tuple[Any, ...]
    wrt: tuple[str, ...]
    scalar: bool


def program(r: Chooser) -> Program:
    """A random program; `f` depends on its parameters in a differentiable way where it is smooth."""
    sc = Scope(r, rare=r.choice((0.0, 0.0, 0.1, 0.3)))
    texts = []
    for k in range(r.choice((0, 0, 1, 2))):
        texts.append(_helper(sc, f"part{k + 1}"))
    params, args = _parameters(sc)
    notes = _comment(sc) if sc.chance(0.4) else []
    body = _body(sc, r.randrange(2, 7))
    last, scalar = _return(sc)
    lines = [f"def f({', '.join(params)}):", *_indented([*notes, *body, last])]
    texts.append("\n".join(lines) + "\n")
    texts = [*called_for(texts[-1]), *texts]
    return Program(HEAD + "\n\n".join(texts), args, _differentiable(params), scalar)


def _indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def _differentiable(params: list[str]) -> tuple[str, ...]:
    names = [p.split(":")[0].split("=")[0].strip() for p in params]
    return tuple(n for n in names if n[0] in "abxyzABC")


# --- parameters ----------------------------------------------------------------------------------


def _parameters(sc: Scope) -> tuple[list[str], tuple[Any, ...]]:
    params: list[str] = []
    args: list[Any] = []
    annotated = sc.chance(0.5)
    rng = np.random.default_rng(sc.r.randrange(0, 1000))
    for name in "ab"[: sc.r.choice((0, 1, 1, 2))]:
        sc.floats[name] = ()
        params.append(f"{name}: float" if annotated else name)
        args.append(float(np.round(rng.uniform(-1.5, 1.5), 3)))
    for name in "xyz"[: sc.r.choice((0, 1, 1, 2)) + (not params)]:
        shape = sc.pick(((1,), (N, 1), (1, M))) if sc.chance(0.1) else sc.pick(SHAPES)
        name = name if len(shape) == 1 else "ABC"["xyz".index(name)]
        sc.floats[name] = shape
        params.append(f"{name}: np.ndarray" if annotated and sc.chance(0.5) else name)
        args.append(np.round(rng.normal(0.1, 0.8, shape), 3))
    if sc.chance(0.5):
        k = sc.r.choice((0, 1, 2, 3, 3))
        sc.ints["k"] = (k, k)
        params.append("k: int" if annotated else "k")
        args.append(k)
    if sc.chance(0.2):
        sc.index_arrays["idx"] = (M,)
        params.append("idx")
        args.append(rng.integers(0, 3, M))
    if sc.chance(0.12):
        sc.masks["mask"] = (N,)
        params.append("mask")
        args.append(rng.random(N) > 0.4)
    sc.fixed |= {"k"}
    return params, tuple(args)


def _comment(sc: Scope) -> Lines:
    """`# pullback:` with the shapes of the array parameters."""
    parts = [
        f"{name}: ({', '.join(SIZES[d] for d in shape)}{',' if len(shape) == 1 else ''})"
        for name, shape in sc.floats.items()
        if shape
    ]
    return [f"# pullback: {', '.join(parts)}"] if parts else []


# --- blocks --------------------------------------------------------------------------------------


def _body(sc: Scope, count: int) -> Lines:
    """Statements; `sc` knows what they leave behind."""
    out: Lines = []
    for _ in range(count):
        out += _statement(sc)
    return out


def _block(sc: Scope, count: int) -> tuple[Lines, Scope]:
    inner = sc.inner()
    lines = _body(inner, count)
    sc.made = inner.made
    return _indented(lines) or ["    pass"], inner


def _statement(sc: Scope) -> Lines:
    makers = [
        _new,
        _new,
        _new,
        _new,
        _again,
        _again,
        _again,
        _augmented,
        _augmented,
        local,
        local,
    ]
    makers += [write, write, write, write, view, _several, _shared]
    if sc.chance(sc.rare):
        makers = [rarity]
    if sc.loops < 2 and makers != [rarity]:
        makers += [_for, _for, _for, _while]
    if sc.branches < 2 and makers != [rarity]:
        makers += [_if, _if, _if_returning]
    if makers != [rarity] and any(len(h.results) > 1 for h in sc.helpers):
        makers += [_unpacked]
    return sc.pick(makers)(sc)


def _any_shape(sc: Scope) -> Shape:
    shapes = [s for s in sc.floats.values() if s]
    if shapes and sc.chance(0.6):
        return sc.pick(shapes)
    return () if sc.chance(0.6) or not shapes else sc.pick(((N,), (M,), (2,), *shapes))


def _new(sc: Scope) -> Lines:
    shape = _any_shape(sc)
    name = sc.fresh("s" if not shape else "v" if len(shape) == 1 else "V")
    value = expression(sc, shape, 2)
    bind(sc, name, shape, own=is_new(value))
    return [f"{name} = {value}"]


def _assignable(sc: Scope) -> list[str]:
    return [n for n in sc.floats if n not in sc.fixed]


def _again(sc: Scope) -> Lines:
    """An existing variable gets a new value, often made from the old one."""
    names = _assignable(sc)
    if not names:
        return _new(sc)
    name = sc.recent(names)
    shape = sc.floats[name]
    value = expression(sc, shape, 1)
    if sc.chance(0.5):
        old = name if sc.chance(0.6) else f"np.sin({name})"
        value = f"{old} * 0.5 + {value}" if sc.chance(0.6) else f"{old} - 0.3 * ({value})"
    bind(sc, name, shape, own=is_new(value))
    return [f"{name} = {value}"]


def _augmented(sc: Scope) -> Lines:
    names = [n for n in _assignable(sc) if not sc.floats[n] or n in sc.writable]
    if not names:
        return _new(sc)
    name = sc.recent(names)
    shape = sc.floats[name]
    value = number(sc, 1) if sc.chance(0.4) else expression(sc, shape, 1)
    return [with_operator(sc, name, value)]


# --- several at once -----------------------------------------------------------------------------


def _several(sc: Scope) -> Lines:
    names = _assignable(sc)
    pairs = [(a, b) for a in names for b in names if a != b and sc.floats[a] == sc.floats[b]]
    if pairs and sc.chance(0.5):
        a, b = sc.pick(pairs)
        if sc.chance(0.5):
            for n in (a, b):
                sc.writable.discard(n)
            return [f"{a}, {b} = {b}, {a}"]
        first, second = (
            expression(sc, sc.floats[a], 1),
            f"{a} * 0.5 + {expression(sc, sc.floats[b], 0)}",
        )
        bind(sc, a, sc.floats[a], own=is_new(first))
        bind(sc, b, sc.floats[b], own=True)
        return [f"{a}, {b} = {first}, {second}"]
    p, q = sc.fresh("p"), sc.fresh("q")
    shape, other = _any_shape(sc), _any_shape(sc)
    values = expression(sc, shape, 1), expression(sc, other, 1)
    bind(sc, p, shape, own=is_new(values[0]))
    bind(sc, q, other, own=is_new(values[1]))
    return [f"{p}, {q} = {values[0]}, {values[1]}"]


def _shared(sc: Scope) -> Lines:
    """`p = q = value`."""
    shape = _any_shape(sc) if sc.chance(0.3) else ()
    p, q = sc.fresh("p"), sc.fresh("q")
    value = expression(sc, shape, 1)
    bind(sc, p, shape, own=is_new(value))
    bind(sc, q, shape, own=is_new(value))
    return [f"{p} = {q} = {value}"]


def _unpacked(sc: Scope) -> Lines:
    helper = sc.pick([h for h in sc.helpers if len(h.results) > 1])
    value = call(sc, helper, 1)
    names = [sc.fresh("h") for _ in helper.results]
    for n, shape in zip(names, helper.results):
        bind(sc, n, shape)
    return [f"{', '.join(names)} = {value}"]


# --- control flow --------------------------------------------------------------------------------


def _if(sc: Scope) -> Lines:
    sc.branches += 1
    out: Lines = []
    before = set(sc.writable)
    new = _made_in_all(sc)
    for head in (f"if {condition(sc)}:", *([f"elif {condition(sc)}:"] if sc.chance(0.3) else [])):
        lines, inner = _block(sc, sc.r.randrange(1, 3))
        out += [head, *lines, *_indented(_bound_here(inner, new))]
        before &= inner.writable
    if new or sc.chance(0.6):
        lines, inner = _block(sc, sc.r.randrange(1, 3))
        out += ["else:", *lines, *_indented(_bound_here(inner, new))]
        before &= inner.writable
    sc.writable = before
    if new:
        bind(sc, *new)
    sc.branches -= 1
    return out


def _made_in_all(sc: Scope) -> tuple[str, Shape] | None:
    """A variable that every arm binds."""
    return (sc.fresh("c"), _any_shape(sc)) if sc.chance(0.3) else None


def _bound_here(sc: Scope, new: tuple[str, Shape] | None) -> Lines:
    return [] if new is None else [f"{new[0]} = {expression(sc, new[1], 1)}"]


def _if_returning(sc: Scope) -> Lines:
    """`if …: return …`, at the top of a function that gives a number."""
    if sc.loops or sc.branches or not sc.chance(0.5):
        return _if(sc)
    sc.branches += 1
    lines, inner = _block(sc, sc.r.randrange(0, 2))
    lines = [] if lines == ["    pass"] else lines
    out = [f"if {condition(sc)}:", *lines, f"    return {number(inner, 2)}"]
    sc.branches -= 1
    return out


def _for(sc: Scope) -> Lines:
    head, names = _header(sc)
    inner = sc.inner()
    inner.loops += 1
    for name, what in names.items():
        if isinstance(what, tuple) and what and what[0] == "int":
            inner.ints[name] = what[1:]
            inner.floats.pop(name, None)
        else:
            bind(inner, name, what)
        inner.fixed.add(name)
    carried = sc.pick(_assignable(sc)) if _assignable(sc) and sc.chance(0.5) else None
    lines = _body(inner, sc.r.randrange(1, 4))
    if carried is not None:
        shape = sc.floats[carried]
        lines.append(f"{carried} = {carried} * 0.5 + np.sin({expression(inner, shape, 1)})")
        inner.writable.discard(carried) if not shape else None
    sc.made = inner.made
    sc.writable &= inner.writable
    return [head, *_indented(lines)]


def _header(sc: Scope) -> tuple[str, dict[str, object]]:
    i = sc.fresh("i")
    makers = [_over_range, _over_range, _over_range]
    if sc.arrays():
        makers += [_over_array, _over_enumerate, _over_zip]
    return sc.pick(makers)(sc, i)


def _over_range(sc: Scope, i: str) -> tuple[str, dict[str, object]]:
    vectors = sc.arrays()
    size = N
    length = str(N)
    if vectors:
        name = sc.recent(vectors)
        size = sc.floats[name][0]
        length = sc.pick((f"len({name})", f"{name}.shape[0]", str(size)))
    options: list[tuple[str, int, int]] = [
        (f"range({length})", 0, size - 1),
        (f"range({length})", 0, size - 1),
        (f"range(1, {length})", 1, size - 1),
        (f"range({length} - 1)", 0, size - 2),
        (f"range({length} - 1, -1, -1)", 0, size - 1),
        (f"range({length} - 2, 0, -1)", 0, size - 2),
        (f"range(0, {length}, 2)", 0, size - 1),
        (f"reversed(range({length}))", 0, size - 1),
        ("range(3)", 0, 2),
        ("range(2)", 0, 1),
    ]
    for name, (lo, hi) in sc.ints.items():
        if lo >= 0 and hi <= size:
            options += [
                (f"range({name})", 0, max(hi - 1, 0)),
                (f"range({name}, {length})", lo, size - 1),
            ]
            options += [(f"range({name} + 1)", 0, hi)]
    text, lo, hi = sc.pick(options)
    return f"for {i} in {text}:", {i: ("int", lo, max(lo, hi))}


def _over_array(sc: Scope, i: str) -> tuple[str, dict[str, object]]:
    name = sc.recent(sc.arrays())
    shape = sc.floats[name]
    if sc.chance(0.2):
        text, shape = subscripts(sc, shape)
        return f"for e{i} in {name}[{text}]:", {f"e{i}": shape[1:]}
    if sc.chance(0.15):
        value = array(sc, shape, 1)
        return f"for e{i} in {value}:", {f"e{i}": shape[1:]}
    return f"for e{i} in {name}:", {f"e{i}": shape[1:]}


def _over_enumerate(sc: Scope, i: str) -> tuple[str, dict[str, object]]:
    name = sc.recent(sc.arrays())
    shape = sc.floats[name]
    known: dict[str, object] = {i: ("int", 0, shape[0] - 1), f"e{i}": shape[1:]}
    return f"for {i}, e{i} in enumerate({name}):", known


def _over_zip(sc: Scope, i: str) -> tuple[str, dict[str, object]]:
    a, b = sc.recent(sc.arrays()), sc.recent(sc.arrays())
    known: dict[str, object] = {f"e{i}": sc.floats[a][1:], f"g{i}": sc.floats[b][1:]}
    return f"for e{i}, g{i} in zip({a}, {b}):", known


def _while(sc: Scope) -> Lines:
    i = sc.fresh("j")
    turns = sc.r.randrange(0, 4)
    inner = sc.inner()
    inner.loops += 1
    inner.ints[i] = (0, max(turns - 1, 0))
    inner.fixed.add(i)
    limit = "k" if "k" in sc.ints and sc.chance(0.4) else str(turns)
    if limit == "k":
        inner.ints[i] = (0, max(sc.ints["k"][1] - 1, 0))
    test = f"{i} < {limit}"
    if sc.of_shape(()) and sc.chance(0.25):
        test += f" and {sc.pick(sc.of_shape(()))} < 1.2"
    lines = _body(inner, sc.r.randrange(1, 3))
    sc.made = inner.made
    sc.writable &= inner.writable
    counted = f"{i} += 1" if sc.chance(0.5) else f"{i} = {i} + 1"
    return [f"{i} = 0", f"while {test}:", *_indented([*lines, counted])]


# --- results -------------------------------------------------------------------------------------


def _return(sc: Scope) -> tuple[str, bool]:
    """Most programs give a number made of what was computed; some an array, some a tuple."""
    if sc.chance(0.65):
        return f"return {_summed(sc)}", True
    shape = _any_shape(sc)
    if sc.chance(0.5):
        return f"return {expression(sc, shape, 1)}", not shape
    return f"return {_summed(sc)}, {expression(sc, shape, 1)}", False


def _summed(sc: Scope) -> str:
    """A number in which the latest variables have a part."""
    names = list(sc.floats)[-sc.r.randrange(1, 4) :]
    parts = []
    for k, n in enumerate(names):
        forms = ("{}", "np.sin({})", "{} * 0.7") if not sc.floats[n] else _SUMS
        parts.append(sc.pick(forms).format(n))
    return " + ".join(parts) or number(sc, 1)


_SUMS = ("np.sum({})", "np.sum({0} * {0})", "np.mean({})", "np.sum(np.sin({}))", "np.sum({}) * 0.5")


# --- helper functions ----------------------------------------------------------------------------


def _helper(sc: Scope, name: str) -> str:
    """A function that `f` may call; its text, while `sc` gets to know it."""
    own = Scope(sc.r, helpers=list(sc.helpers))
    params: list[tuple[str, Shape, str]] = []
    for k in range(sc.r.randrange(1, 4)):
        shape = sc.pick(((), (), (N,), (M,)))
        default = sc.pick(("0.5", "1.5")) if not shape and params and sc.chance(0.6) else ""
        params.append((f"{'xsvt'[k]}{'' if shape else 's'}", shape, default))
    params.sort(key=lambda p: bool(p[2]))
    for n, shape, _ in params:
        own.floats[n] = shape
    lines = _body(own, sc.r.randrange(0, 3))
    results = [_any_shape(own) for _ in range(sc.r.choice((1, 1, 1, 2)))]
    early = any(x.strip().startswith("return") for x in lines)
    if early:
        results = [()]
    last = "return " + ", ".join(expression(own, s, 2) for s in results)
    sc.helpers.append(Helper(name, tuple(params), tuple(results)))
    signature = ", ".join(n if not d else f"{n}={d}" for n, _, d in params)
    return "\n".join([f"def {name}({signature}):", *_indented([*lines, last])]) + "\n"


__all__ = ["Program", "program", "slicing"]
