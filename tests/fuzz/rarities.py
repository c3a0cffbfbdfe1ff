"""Statements that are less common, or that the language of Pullback leaves out: to be right or refused."""

from __future__ import annotations

from tests.fuzz.changing import generated, held, masked, of_kinds, positioned, state
from tests.fuzz.containers import container
from tests.fuzz.expressions import array, condition, expression, number, position
from tests.fuzz.mirrors import mirrored, retaken
from tests.fuzz.scope import M, Scope, Shape
from tests.fuzz.writers import handed_to_writers, left_early

Lines = list[str]


def rarity(sc: Scope) -> Lines:
    """One statement of the kind that is easily overlooked."""
    return sc.pick(_MAKERS)(sc)


def _bind(sc: Scope, name: str, shape: Shape, own: bool = False) -> str:
    sc.floats[name] = shape
    sc.writable.discard(name)
    if own:
        sc.writable.add(name)
    return name


def _own_vector(sc: Scope) -> tuple[Lines, str, int]:
    """An array to be written, made here where there is none."""
    names = [n for n in sc.arrays(1) if n in sc.writable]
    if names and sc.chance(0.7):
        name = sc.recent(names)
        return [], name, sc.floats[name][0]
    sources = sc.arrays(1)
    name = sc.fresh("u")
    text = f"{sc.pick(sources)}.copy()" if sources else f"np.zeros({M})"
    size = sc.floats[text.split(".")[0]][0] if sources else M
    _bind(sc, name, (size,), own=True)
    return [f"{name} = {text}"], name, size


def _method_that_writes(sc: Scope) -> Lines:
    made, u, n = _own_vector(sc)
    same = array(sc, (n,), 1)
    value = number(sc, 1)
    lines = sc.pick(
        (
            [f"{u}.fill({value})"],
            [f"fill_first({u}, {value})"],
            [f"{u} = filled({u}, {value})"],
            [f"w0 = filled({u}, {value})", f"{u} += w0[1]"],
            [f"np.copyto({u}, {same})"],
            [f"np.add.at({u}, [0, 0], {value})"],
            [f"np.multiply({u}, {same}, out={u})"],
            [f"np.sin({u}, out={u})"],
            [f"{u}.sort()"],
            [f"np.put({u}, 0, {value})"],
            [f"{u}.put(0, {value})"],
            [f"{u}.flat[1] = {value}"],
            [f"{u}.reshape(-1)[0] = {value}"],
            [f"{u}[1:][0] = {value}"],
            [f"{u}[:-1][-1] += {value}"],
            [f"{u}.T[0] *= {value}"],
            [f"np.add({u}[1:], {value}, {u}[1:])"],
            [f"np.put_along_axis({u}, np.array([0]), {value}, 0)"],
            [f"np.place({u}, {u} > 0.2, [{value}])"],
            [f"np.putmask({u}, {u} > 0.2, {same})"],
            [f"{u}.__setitem__(0, {value})"],
            [f"{u}.__iadd__({same})"],
            [f"{u}.partition(1)"],
            [f"{u}[{u}.argmax()] = {value}"],
            [f"{u}[np.argsort({u})] = {same}"],
            [f"{u}[[0, 1]] = {u}[[1, 0]]"],
            [f"{u}[[0, 0]] += {value}"],
            [f"{u}[None, :][0, 1] = {value}"],
            [f"{u}[-1], {u}[0] = {u}[0], {u}[-1]"],
            [f"{u}[0] = {u}[1] = {value}"],
            [f"{u}[:2], s0 = {value}, {number(sc, 0)}"],
            [f"{u}[0], {u}[1] = {value}, {u}[0] * 0.5"],
        )
    )
    return [*made, *lines]


def _lists(sc: Scope) -> Lines:
    name, items = sc.fresh("l"), sc.fresh("s")
    first, second = number(sc, 1), number(sc, 1)
    forms = (
        [f"{name} = [{first}, {second}]", f"{items} = {name}[0] * {name}[1]"],
        [f"{name} = []", f"{name}.append({first})", f"{items} = {name}[0] + {second}"],
        [f"{name} = [{first}]", f"{name} += [{second}]", f"{items} = sum({name})"],
        [f"{name} = ({first}, {second})", f"{items} = {name}[1] * {name}[-2]"],
        [
            f"{name} = {{'p': {first}}}",
            f"{name}['q'] = {second}",
            f"{items} = {name}['p'] * {name}['q']",
        ],
        [f"{name} = [e * {first} for e in range(3)]", f"{items} = np.sum({name})"],
        [f"{name} = lambda t: t * {first}", f"{items} = {name}({second})"],
        [f"{name} = ({items} := {first}) + 1.0", f"{items} += {name} * {second}"],
        [f"({items}, {name}), s0 = ({first}, {second}), 0.5", f"{items} += {name} * {items}"],
        [f"{items}, *{name} = [{first}, {second}, 0.5]", f"{items} += {name}[0]"],
        [f"{name} = sum([{first}, {second}])", f"{items} = {name} * 0.5"],
        [f"{name} = max([{first}, {second}])", f"{items} = {name} * 0.5"],
        [f"{name} = complex({first}, {second})", f"{items} = {name}.real + abs({name})"],
        [f"{name} = round({first}, 1) + int({second})", f"{items} = {name} * {first}"],
        [f"{name} = float({first})", f"{items} = {name} * {second} // 1.0 + {name}"],
        [f"{name} = np.float64({first})", f"{items} = {name} * {second} % 0.7 + {name}"],
        [f"{name} = {first}", f"{items} = {name} and {second}"],
        [f"{name} = {first}", f"{items} = ({name} > 0.3) * {second}"],
        [f"{name} = np.array({first})", f"{items} = float({name}) * {second}"],
        [f"{name} = np.asarray([{first}, {second}])", f"{items} = {name}[0] * {name}.item(1)"],
    )
    lines = sc.pick(forms)
    _bind(sc, items, ())
    return lines


def _views(sc: Scope) -> Lines:
    made, u, n = _own_vector(sc)
    w = sc.fresh("w")
    value = number(sc, 1)
    forms = (
        [f"{w} = {u}.reshape(-1)", f"{w}[0] = {value}"],
        [f"{w} = {u}.ravel()", f"{w} *= {value}"],
        [f"{w} = np.asarray({u})", f"{w}[1] = {value}"],
        [f"{w} = np.array({u}, copy=False)", f"{w}[1] = {value}"],
        [f"{w} = {u}[:]", f"{w}[-1] = {value}"],
        [f"{w} = {u}[...]", f"{w} += {value}"],
        [f"{w} = {u}[None]", f"{w}[0, 1] = {value}"],
        [f"{w} = {u} if {condition(sc)} else {u} * 2.0", f"{w}[0] = {value}"],
        [f"{w} = {u}", f"{u} = {u} * 0.5", f"{w}[0] = {value}"],
        [f"{w} = {u}", f"{u} += {value}", f"{w}[0] *= {w}[1]"],
        [f"{w} = {u}[1:]", f"{u} = {u}.copy()", f"{w}[0] = {value}"],
        [f"{w} = np.squeeze({u})", f"{w}[0] = {value}"],
        [f"{w} = np.atleast_1d({u})", f"{w}[0] = {value}"],
        [f"{w} = np.flip({u})", f"{w}[0] = {value}"],
        [f"{w} = np.broadcast_to({u}, ({n},)).copy()", f"{w}[0] = {value}"],
        [f"{w} = [{u}][0]", f"{w}[0] = {value}"],
        [f"{w} = np.split({u}, [1])[1]", f"{w}[0] = {value}"],
        [f"{w} = {u}.view()", f"{w}[0] = {value}"],
        [f"{w} = {u}.astype(float)", f"{w}[0] = {value}"],
        [f"{w} = {u}.astype(float, copy=False)", f"{w}[0] = {value}"],
        [f"{w} = np.ascontiguousarray({u})", f"{w}[0] = {value}"],
        [f"{w} = {u}.real", f"{w}[0] = {value}"],
        [f"{w} = np.where({u} > 0.2, {u}, 0.3)", f"{w}[0] = {value}"],
        [f"{w} = max([{u}, {u}], key=id)", f"{w}[0] = {value}"],
        [f"{w} = {u}.copy()[1:]", f"{w}[0] = {value}", f"{u}[0] = {w}[0]"],
    )
    return [*made, *sc.pick(forms)]


def _handed_over(sc: Scope) -> Lines:
    """Arrays that change their names, and are written under the new ones."""
    made, u, n = _own_vector(sc)
    v, w, i = sc.fresh("v"), sc.fresh("w"), sc.fresh("i")
    value, test = number(sc, 1), condition(sc)
    first = sc.pick((f"{u} * 0.5", f"np.zeros_like({u})", f"{u}.copy()", f"np.ones({n}) * {value}"))
    _bind(sc, v, (n,), own=True)
    forms = (
        [f"{u}, {v} = {v}, {u}"],
        [f"{w} = {u}", f"{u} = {v}", f"{v} = {w}"],
        [f"{w} = {u}[1:]", f"{u}, {v} = {v}, {u}", f"{v}[0] = {w}[0] * {value}"],
        [f"{w} = {u}", f"{u} = np.zeros_like({w})", f"{u}[1:] = {w}[:-1] * {value}"],
        [f"{w} = {u}", f"{u} = {w} * {value}", f"{u}[0] = {w}[1] * {u}[1]"],
        [f"{w} = {u} * {v}", f"{w}[1:] += {u}[:-1]", f"{u}, {v} = {v}, {w}"],
        [f"{w} = np.empty_like({u})", f"{w}[:] = {v} * {value}", f"{u} = {w}"],
        [f"if {test}:", f"    {u}, {v} = {v}, {u}"],
        [f"if {test}:", f"    {u} = {v}"],
        [f"if {test}:", f"    {u} = {v} * {value}", "else:", f"    {u} = {u} * 2.0"],
        [f"{u} = {v}", f"{u}[0] = {value}"],
        [f"{w} = {v} = np.zeros({n})", f"{w}[1] = {value}"],
        [f"({u}, {v}), {w} = ({v}, {u}), {value}"],
    )
    before = sc.pick(([], [f"{v}[1:] = {u}[:-1] * {u}[1:]"], [f"{v} *= {value}"]))
    after = sc.pick(([], [f"{u}[0] = {value} * {u}[1]"], [f"{v}[:1] += {u}[0]", f"{u}[1] *= 0.5"]))
    body = [*before, *sc.pick(forms), *after]
    if sc.chance(0.6):
        body = [f"for {i} in range({sc.pick((2, 3))}):", *("    " + line for line in body)]
    return [*made, f"{v} = {first}", *body]


def _jumps(sc: Scope) -> Lines:
    """Loops that are left early, and their else."""
    i = sc.fresh("i")
    name = sc.pick([n for n in sc.of_shape(()) if n not in sc.fixed] or [""])
    start: Lines = []
    if not name:
        value = number(sc, 1)
        name = _bind(sc, sc.fresh("s"), ())
        start = [f"{name} = {value}"]
    step = f"    {name} = {name} * 0.5 + np.sin({number(sc, 1)})"
    test, other = condition(sc), condition(sc)
    word = sc.pick(("break", "continue"))
    forms = (
        [f"for {i} in range(3):", f"    if {test}:", f"        {word}", step],
        [f"for {i} in range(3):", step, f"    if {name} > 0.3:", f"        {word}", step],
        [
            f"for {i} in range(3):",
            f"    if {test}:",
            "    " + step,
            f"        {word}",
            "    else:",
            "    " + step,
        ],
        [f"for {i} in range(3):", step, f"    if {test}:", "        break", "else:", step],
        [
            f"for {i} in range(3):",
            f"    if {test}:",
            f"        {word}",
            f"    if {other}:",
            "        break",
            step,
        ],
        [
            f"{i} = 0",
            f"while {i} < 3:",
            f"    {i} += 1",
            f"    if {test}:",
            f"        {word}",
            step,
        ],
        [f"{i} = 0", "while True:", step, f"    {i} += 1", f"    if {i} > 2:", "        break"],
        [
            f"for {i} in range(2):",
            f"    for j{i} in range(3):",
            f"        if {test}:",
            f"            {word}",
            "    " + step,
        ],
        [f"for {i} in (0.5, 1.5):", f"    {name} = {name} * {i}"],
        [f"for {i} in [{name}, {number(sc, 0)}]:", f"    {name} = {name} * {i}"],
        [f"for {name} in (0.5, {number(sc, 0)}):", "    pass"],
        [
            f"for {i} in range(3):",
            f"    if {test}:",
            "    " + step,
            f"        if {other}:",
            f"            {word}",
            step,
            "else:",
            step,
        ],
        [
            f"match {sc.pick((0, 1, 2))}:",
            "    case 0:",
            "    " + step,
            "    case 1 | 2:",
            "        pass",
        ],
        [f"{name} = {name} * ({number(sc, 0)} if {test} else {number(sc, 1)}) + 0.5"],
        [f"{name} = ({name} or {number(sc, 0)}) + ({number(sc, 0)} and {name})"],
        ["try:", step, "except ValueError:", "    pass"],
        ["with np.errstate(all='ignore'):", step],
        ["def inner(t):", f"    return t * {number(sc, 0)}", f"{name} = inner({name})"],
        [f"assert {name} < 1e9", f"{name} = {name} * {number(sc, 0)}"],
        [f"{i} = {name}", f"del {i}"],
        [
            f"if {test}:",
            f"    raise_{i} = {name} * 2.0",
            "else:",
            f"    raise_{i} = 0.5",
            f"{name} += raise_{i}",
        ],
    )
    return [*start, *sc.pick(forms)]


def _indices(sc: Scope) -> Lines:
    """Reads by computed positions."""
    names = sc.arrays(1)
    if not names:
        return _lists(sc)
    x = sc.recent(names)
    n = sc.floats[x][0]
    p = position(sc, n)
    other = array(sc, (n,), 0)
    s = sc.fresh("s")
    forms = (
        f"{x}[np.argmax({x})]",
        f"{x}[int(np.argmin({x}))] * {x}[{p}]",
        f"np.sum({x}[[0, 0, {p}]])",
        f"np.sum({x}[np.arange({n}) % 2])",
        f"np.sum(np.sort({x})[:2])",
        f"np.sum(np.take({x}, [0, 1, 0]))",
        f"np.sum({x}[{x}.nonzero()])",
        f"{x}[np.array([{p}])][0]",
        f"np.sum({x}[None, :, None] * {number(sc, 0)})",
        f"np.sum({x}[...] * {x}[::-1])",
        f"np.sum({x}.reshape(1, -1) @ {x}.reshape(-1, 1))",
        f"np.sum(np.tile({x}, 2)) + np.sum(np.repeat({x}, 2))",
        f"np.sum(np.vstack([{x}, {x} * 2.0])) + np.sum(np.hstack([{x}, {x}]) ** 2)",
        f"np.sum(np.roll({x}, 1) * {x})",
        f"np.linalg.norm({x} + 2.0) + np.trace(np.outer({x}, {x}))",
        f"np.sum(np.einsum('i,j->ij', {x}, {x})) + np.vdot({x}, {x})",
        f"np.var({x}) + np.std(np.append({x}, 0.7))",
        f"sum({x}) + max({x}) - min({x})",
        f"sum(e * e for e in {x})",
        f"np.sum([e * 2.0 for e in {x}])",
        f"math.fsum({x}) + len({x})",
        f"math.prod({x})",
        f"float(np.sum({x})) * {x}.sum(axis=0)",
        f"{x}.dot({other})",
        f"np.inner({x}, {x}) + np.tensordot({x}, {x}, 1)",
        f"np.sum({x}, where={x} > 0.2)",
        f"np.sum({x} * (({x} > 0.1) & ({x} < 0.9)))",
        f"np.sum({x}[({x} > 0.1) | ({x} < -0.3)] ** 2)",
        f"np.sum(np.select([{x} > 0.5, {x} > 0.0], [{x} ** 2, {x}], 0.1))",
        f"np.interp(0.4, np.arange({n}) * 1.0, {x})",
        f"np.add.reduce({x}) * np.multiply.reduce({x})",
        f"np.polyval({x}, 0.5)",
        f"np.sum(np.prod(np.stack([{x}, {x} + 1.0]), axis=0))",
        f"np.sum(np.max(np.stack([{x}, {x} * 1.5]), axis=0, keepdims=True))",
        f"np.sum(np.logaddexp({x}, 0.3)) + np.sum(np.hypot({x}, 1.0))",
        f"np.sum(np.power(np.abs({x}) + 0.5, {number(sc, 0)}))",
        f"np.sum(np.square({x}), dtype=float)",
        f"np.count_nonzero({x} > 0.2) * {x}[0]",
        f"np.any({x} > 0.2) * {x}[1]",
        f"np.cumsum({x})[-1] * np.cumprod({x})[-1]",
        f"np.sum(np.clip({x}, {x}[0], None))",
        f"np.sum(np.pad({x}, 1) * 2.0)",
        f"np.sum(np.diff({x}) ** 2)",
        f"np.median({x}) + np.average({x})",
        f"np.ptp({x})",
        f"np.sum(np.nan_to_num({x}))",
        f"np.sum(np.sign({x}) * {x} + np.floor({x}))",
        f"np.sum({x} // 0.3 + {x} % 0.7)",
        f"np.sum(np.divmod({x}, 0.7)[1])",
        f"np.sum(-{x} ** 2 + {x} ** -1.0 * 0.01)",
        f"np.sum(2.0 ** {x})",
        f"np.sum(np.exp2({x}) + np.expm1({x}) + np.log1p(np.abs({x})) + np.cbrt({x} + 3.0))",
        f"np.sum(np.arctan2({x}, 2.0)) + np.sum(np.sinh({x}) / np.cosh({x}))",
        f"np.sum(np.heaviside({x}, 0.5) * {x})",
        f"np.sum(np.copysign({x}, {other}))",
        f"np.sum(np.fmax({x}, 0.1) + np.fmin({x}, 0.2))",
        f"np.sum(np.full({n}, {x}[0]) + np.full_like({x}, {x}[1]))",
        f"np.sum(np.eye({n}) * {x}) + np.sum(np.diag({x}))",
        f"np.sum(np.meshgrid({x}, {x})[0])",
        f"np.sum(np.linspace({x}[0], {x}[1], 4))",
        f"np.sum(np.column_stack([{x}, {x}]) ** 2)",
        f"np.sum(np.triu(np.outer({x}, {x})))",
        f"np.sum(np.swapaxes(np.outer({x}, {x}), 0, 1)[0])",
        f"np.sum(np.convolve({x}, [0.5, 0.5]))",
        f"np.sum(np.apply_along_axis(np.sum, 0, np.outer({x}, {x})))",
        f"np.sum(np.vectorize(lambda t: t * t)({x}))",
        f"np.sum(np.kron({x}, {x}))",
        f"np.sum(np.cross({x}[:3], {x}[:3][::-1])) if len({x}) > 3 else {x}[0]",
    )
    _bind(sc, s, ())
    return [f"{s} = {sc.pick(forms)}"]


def _renamed(sc: Scope) -> Lines:
    """Names that an adjoint or a temporary might want."""
    wanted = sc.pick(
        ("f_bar", "a_bar", "x_bar", "product", "total", "s_tape", "k2", "value", "turns", "np_sum")
    )
    value = expression(sc, (), 1)
    return [f"{_bind(sc, wanted, ())} = {value}"]


def _through_complex(sc: Scope) -> Lines:
    """A complex vector that is changed once or twice, and a real one that is made of it."""
    n = sc.pick((M, 3))
    z = sc.fresh("z")
    lines = [f"{z} = {array(sc, (n,), 1)} + 1j * {array(sc, (n,), 1)}"]
    changes = (
        f"{z} = {z} * np.exp(1j * {array(sc, (n,), 0)})",
        f"{z}[0] = {number(sc, 1)}",
        f"{z}[{position(sc, n)}] += 1j * {number(sc, 1)}",
        f"{z} *= 0.5 + 0.2j",
        f"{z} = {z}.conj() + {array(sc, (n,), 0)}",
        f"{z} = np.fft.fft({z})",
        f"{z}.imag[1:] = {number(sc, 1)}",
        f"{z} = np.where({condition(sc)}, {z}, {array(sc, (n,), 0)})",
    )
    for _ in range(sc.r.randrange(3)):
        lines.append(sc.pick(changes))
    if sc.chance(0.3):
        lines += [f"if {condition(sc)}:", f"    {sc.pick(changes)}"]
    ends = (
        f"np.abs({z} + 3.0)",
        f"{z}.real",
        f"({z} * {z}.conj()).real + {z}.imag",
        f"np.fft.irfft({z}, {n})",
        f"np.imag({z} / (2.0 + {z}.real ** 2))",
    )
    text = sc.pick(ends)
    return [*lines, f"{_bind(sc, sc.fresh('v'), (n,))} = {text}"]


def _several_results(sc: Scope) -> Lines:
    """A function that gives two results, of which one or both are used."""
    n = sc.pick((M, 3))
    value = array(sc, (n,), 1)
    first, second = sc.fresh("v"), sc.fresh("v")
    text = sc.pick(
        (
            f"np.modf({value})",
            f"np.divmod({value}, 0.7)",
            f"np.broadcast_arrays({value}, 0.3 * {value})",
        )
    )
    _bind(sc, first, (n,))
    _bind(sc, second, (n,))
    if sc.chance(0.3):
        one, size = sc.fresh("v"), sc.r.randrange(1, n)
        parts = f"{first if sc.chance(0.5) else second}"
        line = f"{one}, _ = np.split({parts}, [{size}])"
        _bind(sc, one, (size,))
        return [f"{first}, {second} = {text}", line]
    return [f"{first}, {second} = {text}"]


NAMES_AND_CHANGES = (
    mirrored,
    mirrored,
    retaken,
    masked,
    positioned,
    generated,
    held,
    state,
    of_kinds,
    handed_to_writers,
    handed_to_writers,
    left_early,
)
_MAKERS = (
    _method_that_writes,
    _method_that_writes,
    _lists,
    _views,
    _views,
    _handed_over,
    _handed_over,
    _jumps,
    _jumps,
    _indices,
    _indices,
    _renamed,
    container,
    _through_complex,
    _through_complex,
    _several_results,
    *NAMES_AND_CHANGES,
    *NAMES_AND_CHANGES,
)
