"""Statements that write arrays in place: of the function's own, and by views of them."""

from __future__ import annotations

from tests.fuzz.expressions import expression, number, position, subscripts
from tests.fuzz.scope import M, N, Scope, Shape

Lines = list[str]


def bind(sc: Scope, name: str, shape: Shape, *, own: bool = False) -> None:
    sc.floats[name] = shape
    sc.writable.discard(name)
    if own:
        sc.writable.add(name)


def is_new(value: str) -> bool:
    """The value is memory of its own: not a name, a subscript, or another form of one."""
    return any(c in value for c in "+-*/") and not value.endswith(
        (".T", "]", "reshape(-1)", "ravel()")
    )


def with_operator(sc: Scope, target: str, value: str) -> str:
    op = sc.pick(("+=", "+=", "-=", "*=", "/="))
    return f"{target} {op} 2.0 + np.square({value})" if op == "/=" else f"{target} {op} {value}"


def local(sc: Scope) -> Lines:
    """An array of the function's own, to be written."""
    shape = sc.pick([s for s in sc.floats.values() if s] or [(N,)])
    if sc.chance(0.3):
        shape = sc.pick(((N,), (N + 1,), (M, M), (2, N)))
    name = sc.fresh("u" if len(shape) == 1 else "U")
    same = sc.of_shape(shape)
    size = str(shape[0]) if len(shape) == 1 else str(shape)
    vectors = sc.arrays(1)
    if vectors and sc.chance(0.4):
        other = sc.pick(vectors)
        if (sc.floats[other][0],) == shape:
            size = sc.pick(
                (f"len({other})", f"{other}.shape", f"{other}.shape[0]", f"{other}.size")
            )
    forms = [f"np.zeros({size})", f"np.ones({size})", f"np.full({size}, {number(sc, 0)})"]
    if same:
        forms += [
            f"np.zeros_like({sc.pick(same)})",
            f"{sc.pick(same)}.copy()",
            f"np.copy({sc.pick(same)})",
        ]
        forms += [f"{sc.pick(same)}.copy()", f"{sc.pick(same)} * 0.5", f"np.array({sc.pick(same)})"]
    bind(sc, name, shape, own=True)
    return [f"{name} = {sc.pick(forms)}", *(write(sc) if sc.chance(0.7) else [])]


# --- writing in place ----------------------------------------------------------------------------


def write(sc: Scope) -> Lines:
    names = [n for n in sc.floats if sc.floats[n] and n in sc.writable]
    if not names:
        return local(sc)
    name = sc.recent(names)
    shape = sc.floats[name]
    target, part = _target(sc, name, shape)
    value = _stored(sc, name, shape, part)
    if sc.chance(0.35):
        return [with_operator(sc, target, value)]
    return [f"{target} = {value}"]


def _target(sc: Scope, name: str, shape: Shape) -> tuple[str, Shape]:
    if sc.chance(0.4):
        return f"{name}[{', '.join(position(sc, n) for n in shape)}]", ()
    if len(shape) == 1 and sc.index_arrays and shape[0] >= 3 and sc.chance(0.3):
        return f"{name}[{sc.pick(list(sc.index_arrays))}]", (M,)
    if shape == (N,) and sc.masks and sc.chance(0.5):
        return f"{name}[{sc.pick(list(sc.masks))}]", ()
    same = [n for n in sc.of_shape(shape) if n != name]
    if same and sc.chance(0.15):
        return f"{name}[{sc.pick(same)} > 0.2]", ()
    if sc.chance(0.08):
        return f"{name}[{sc.pick(('...', ':'))}]", shape
    text, part = subscripts(sc, shape)
    return f"{name}[{text}]", part


def _stored(sc: Scope, name: str, shape: Shape, part: Shape) -> str:
    """A value that fits `part`; often made from other places of the same array."""
    if part and sc.chance(0.3):
        return number(sc, 1)
    if sc.chance(0.5):
        for _ in range(3):
            text, got = subscripts(sc, shape)
            if got == part:
                return f"{name}[{text}] * {number(sc, 0)} + {expression(sc, part, 0)}"
        if not part:
            read = ", ".join(position(sc, n) for n in shape)
            return f"{name}[{read}] * {number(sc, 0)} + {number(sc, 1)}"
    return expression(sc, part, 1)


def view(sc: Scope) -> Lines:
    """A name for a part of an array, or another name for all of it; perhaps written then."""
    names = sc.arrays()
    if not names:
        return local(sc)
    name = sc.recent([n for n in names if n in sc.writable] or names)
    shape = sc.floats[name]
    new = sc.fresh("w")
    own = name in sc.writable
    form = sc.pick(("part", "part", "part", "same", "turned"))
    if form == "turned" and len(shape) == 2:
        bind(sc, new, shape[::-1], own=own)
        return [f"{new} = {name}.T"]
    if form == "same":
        bind(sc, new, shape, own=own)
        return [f"{new} = {name}"]
    text, part = subscripts(sc, shape)
    bind(sc, new, part, own=own)
    return [f"{new} = {name}[{text}]"]
