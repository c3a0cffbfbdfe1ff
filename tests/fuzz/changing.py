"""Statements about what is used and then changes: masks, positions, what generators read, parts of containers."""

from __future__ import annotations

from tests.fuzz.expressions import condition, number
from tests.fuzz.mirrors import around, own_vector
from tests.fuzz.scope import Scope

Lines = list[str]


def _result(sc: Scope, s: str) -> None:
    sc.floats[s] = ()
    sc.writable.discard(s)


def _used_and_changed(sc: Scope, uses: tuple[str, ...], changes: tuple[str, ...]) -> Lines:
    """Statements that use something, change it, and use it again, perhaps in turns."""
    body = [sc.pick(uses), sc.pick(changes), sc.pick(uses), sc.pick((*changes, *uses))]
    return around(sc, body)


def masked(sc: Scope) -> Lines:
    """A mask that is written or bound anew between the uses of it."""
    made, u, n = own_vector(sc)
    m, s = sc.fresh("m"), sc.fresh("s")
    value = number(sc, 0)
    uses = (
        f"{u}[{m}] = {u}[{m}] * {value}",
        f"{u}[{m}] += {value}",
        f"{u}[~{m}] = np.sin({u}[~{m}])",
        f"{s} = {s} * 0.5 + np.sum({u}[{m}] ** 2)",
        f"{u} = np.where({m}, {u} * 0.5, np.cos({u}))",
        f"{s} = {s} + np.sum({u} * {m})",
        f"{s} = {s} + np.sum({u}, where={m})",
        f"np.copyto({u}, {value}, where={m})",
    )
    changes = (
        f"{m}[0] = False",
        f"{m}[-1] = not {m}[-1]",
        f"{m} = ~{m}",
        f"{m} = {m}[::-1]",
        f"{m} &= {u} > 0.1",
        f"{m} |= {u} < -0.3",
        f"{m}[:] = True",
        f"np.logical_not({m}, out={m})",
        f"n{m} = {m}; n{m}[1] = False",
        f"{m} = {u} > {s}",
    )
    start = sc.pick((f"{u} > 0.2", f"np.abs({u}) > 0.3", f"np.arange({n}) % 2 == 0"))
    turns = _used_and_changed(sc, uses, changes)
    _result(sc, s)
    return [*made, f"{m} = {start}", f"{s} = 0.5", *turns, f"{s} = {s} + np.sum({u} * {u})"]


def positioned(sc: Scope) -> Lines:
    """An index array that is written or bound anew between the uses of it."""
    made, u, n = own_vector(sc)
    at, s = sc.fresh("at"), sc.fresh("s")
    value = number(sc, 0)
    uses = (
        f"{u}[{at}] = {u}[{at}] * {value}",
        f"{u}[{at}] += {u}[{at}[::-1]]",
        f"{s} = {s} * 0.5 + np.sum({u}[{at}] * np.arange(len({at})))",
        f"np.add.at({u}, {at}, {value})",
        f"{s} = {s} + {u}[{at}[0]] * {u}[{at}[-1]]",
        f"{u} = {u}[{at}][np.arange({n}) % len({at})]",
    )
    changes = (
        f"{at}[0] = {n - 1}",
        f"{at} += 1; {at} %= {n}",
        f"{at} = {at}[::-1]",
        f"{at} = ({at} + 1) % {n}",
        f"o{at} = {at}; o{at}[-1] = 0",
        f"v{at} = {at}[:1]; v{at}[0] = 0",
        f"{at}.sort()",
        f"{at} = np.argsort({u})",
        f"{at}[0], {at}[-1] = {at}[-1], {at}[0]",
    )
    start = sc.pick((f"np.array([0, {n - 1}])", f"np.arange({n})", f"np.argsort({u})"))
    turns = _used_and_changed(sc, uses, changes)
    _result(sc, s)
    return [*made, f"{at} = {start}", f"{s} = 0.5", *turns, f"{s} = {s} + np.sum({u} * {u})"]


def generated(sc: Scope) -> Lines:
    """Generators and comprehensions: with conditions, nested, kept, used twice, over what changes."""
    made, u, n = own_vector(sc)
    s, g = sc.fresh("s"), sc.fresh("g")
    value = number(sc, 1)
    forms = (
        [f"{s} = sum(e * {value} for e in {u})"],
        [f"{s} = sum({u}[i] * {u}[j] for i in range({n}) for j in range(i) if j != 1)"],
        [f"{s} = max(np.sin(e) for e in {u}) + min(e * e for e in {u})"],
        [f"{s} = sum(sum(e * k for k in range(i)) for i, e in enumerate({u}))"],
        [
            f"{g} = [[e * f for i, f in enumerate({u}) if f > 0.1 or i < 1] for e in {u}]",
            f"{s} = sum(map(sum, {g}))",
        ],
        [
            f"{g} = [[e * f for i, f in enumerate({u}) if f > 0.1 or i < 1] for e in {u}]",
            f"{s} = sum(sum(r) for r in {g})",
        ],
        [f"{g} = (e * e for e in {u})", f"{s} = sum({g})"],
        [f"{g} = (e * e for e in {u})", f"{u} = {u} * 2.0", f"{s} = sum({g}) + sum({g})"],
        [f"{g} = (e * e for e in {u})", f"{u}[0] = {value}", f"{s} = sum({g})"],
        [f"{s} = {value}", f"{g} = ({s} * e for e in {u})", f"{s} = {s} * 2.0", f"{s} = sum({g})"],
        [f"{s} = 0.5", f"for {g} in (e * {s} for e in {u}):", f"    {s} = {s} + {g}"],
        [f"{s} = 0.5", f"for i, {g} in enumerate(e * e for e in {u}):", f"    {u}[i - 1] = {s}"],
        [f"{g} = [e * {value} for e in {u} if e > 0.1]", f"{s} = sum({g}) * len({g})"],
        [f"{g} = {{i: e * e for i, e in enumerate({u})}}", f"{s} = sum({g}.values()) * {g}[0]"],
        [f"{g} = np.array([e * np.sum({u}) for e in {u}])", f"{s} = np.sum({g} * {u})"],
        [f"{s} = sum(a * b for a, b in zip({u}[1:], {u}))"],
        [f"{s} = {u}[0] if any(e > 0.5 for e in {u}) else np.sum({u})"],
        [f"{g} = tuple(e * e for e in {u})", f"{s} = {g}[0] * {g}[-1]"],
        [f"{g} = [{u} * k for k in range(3)]", f"{g}[1][0] = {value}", f"{s} = np.sum({g})"],
    )
    _result(sc, s)
    return [*made, *sc.pick(forms), f"{s} = {s} + 0.5"]


def held(sc: Scope) -> Lines:
    """Arrays in dicts, lists and tuples, nested too, that are written under another name or bound anew."""
    made, u, _ = own_vector(sc)
    d, s = sc.fresh("d"), sc.fresh("s")
    value, test = number(sc, 0), condition(sc)
    start, first, second = sc.pick(
        (
            (f"{{'a': {u} * 1.5, 'b': {u} + 0.5}}", f"{d}['a']", f"{d}['b']"),
            (f"[{u} * 1.5, {u} + 0.5]", f"{d}[0]", f"{d}[1]"),
            (f"{{'p': {{'a': {u} * 1.5}}, 'b': {u} + 0.5}}", f"{d}['p']['a']", f"{d}['b']"),
            (f"[[{u} * 1.5, 0.3], {u} + 0.5]", f"{d}[0][0]", f"{d}[1]"),
            (f"({u} * 1.5, {u} + 0.5)", f"{d}[0]", f"{d}[1]"),
            (f"{{'a': ({u} * 1.5, 0.2), 'b': {u}}}", f"{d}['a'][0]", f"{d}['b']"),
        )
    )
    own = sc.fresh("w")
    steps = (
        f"{own} = {first}",
        f"{own} = {second} * {value}",
        f"{first}[0] = {second}[-1] * {value}",
        f"{first} *= {value}",
        f"{own}[0] = {value}",
        f"{own} = {own} * 2.0",
        f"{first} = {second} * 0.5",
        f"{u}[0] = {value}",
        f"{s} = {s} * 0.5 + np.sum({first} * {own})",
        f"if {test}: {second}[1:] = {value}",
    )
    picked = [sc.pick(steps) for _ in range(sc.r.randrange(1, 5))]
    body = around(sc, picked)
    lines = [*made, f"{d} = {start}", f"{own} = {first}", f"{s} = 0.5", *body]
    _result(sc, s)
    return [*lines, f"{s} = {s} + np.sum({first} * {second}) * {own}[0] + np.sum({u})"]


def state(sc: Scope) -> Lines:
    """The parts of a dict, list or tuple, which are replaced by what is made of others, in turns."""
    made, u, _ = own_vector(sc)
    d, g, s = sc.fresh("d"), sc.fresh("g"), sc.fresh("s")
    value, other = number(sc, 0), sc.pick(("sin", "cos", "tanh"))
    start, first, second = sc.pick(
        (
            (f"{{'a': {u} * 1.5, 'b': {u} + 0.5}}", f"{d}['a']", f"{d}['b']"),
            (f"[{u} * 1.5, {u} + 0.5]", f"{d}[0]", f"{d}[1]"),
            (f"({u} * 1.5, {u} + 0.5)", f"{d}[0]", f"{d}[1]"),
        )
    )
    anew = [f"{g} = {first} * {u}", f"{g} = np.{other}({second})", f"{g} = {second} * {value}"]
    anew += [f"{g} = {first}", f"{g} = {g} + {first}", f"{u} = {u} * 0.5 + {second}"]
    makers = [f"({first} + {g}, {second})", f"({g}, {first} * {second})", f"({second}, {first})"]
    steps = [f"{d} = {m}" for m in makers]
    if not start.startswith("("):
        steps = [f"{first} = {first} * 0.9 + {g}", f"{first} = {first} + {g}", f"{second} = {g}"]
        steps += [f"{second} = {second} - 0.1 * {first}", f"{first} = {second}"]
        steps += [f"{second} = {first} * {second}", f"{first} = {g} + {value}"]
        steps += [f"{first}, {second} = {second}, {first}"]
    if start.startswith("{"):
        steps += [f"{d} = {{**{d}, 'a': {second} * {g}}}", f"{d} = {d}.copy()", f"{d} = dict({d})"]
    elif start.startswith("["):
        steps += [f"h{d}, *{d} = [*{d}, {g}]", f"{d} = [{g}] + {d}[1:]", f"h{d}, {d}[0] = {d}"]
    body = [sc.pick(sc.pick((anew, steps, steps))) for _ in range(sc.r.randrange(2, 6))]
    lines = [*made, f"{d} = {start}", f"{g} = np.{other}({u})", *around(sc, body)]
    _result(sc, s)
    return [*lines, f"{s} = np.sum({first} * {second}) + np.sum({g} * {u})"]


def of_kinds(sc: Scope) -> Lines:
    """Whole numbers, truth values, arrays that have no axes and halves of complex numbers, among floats."""
    made, u, n = own_vector(sc)
    s, t = sc.fresh("s"), sc.fresh("t")
    value = number(sc, 0)
    forms = (
        [f"{t} = np.arange({n})", f"{s} = np.sum({t} * {u}) + np.sum({u} / ({t} + 1))"],
        [f"{t} = np.arange({n})", f"{t} = {t} * {u}", f"{t}[0] = {value}", f"{s} = np.sum({t})"],
        [f"{t} = np.arange({n}) / 2", f"{t} += {u}", f"{s} = np.sum({t} * {t})"],
        [f"{t} = {u} > 0.2", f"{s} = np.sum({t} * {u} + (1 - {t}) * {u} ** 2) + {t}.sum()"],
        [f"{s} = ({u}[0] > 0.1) * {value} + (not {u}[0] > 0.1) * {u}[-1]"],
        [f"{t} = np.asarray({value})", f"{t} = {t} * {u}[0]", f"{s} = {t} * np.sum({u})"],
        [f"{t} = np.array({u}[0])", f"{t} *= {value}", f"{s} = {t} + {u}[0]"],
        [f"{t} = np.sum({u}, keepdims=True)", f"{t}[0] *= {value}", f"{s} = np.sum({t} * {u})"],
        [f"{t} = {u} + 1j * {u}[::-1]", f"{t}.real[0] = {value}", f"{s} = np.sum(abs({t}) ** 2)"],
        [f"{t} = {u} + 1j * {u}[::-1]", f"r{t} = {t}.real", f"{t} = {t} * 1j",
         f"{s} = np.sum(r{t} * {t}.real)"],
        [f"{t} = {u} + 1j * {u}[::-1]", f"{t} = np.conj({t}) * {t} * (1 + 1j)",
         f"{s} = np.sum({t}.real * {t}.imag)"],
        [f"{t} = {u} * (2 + 1j)", f"{t}[1:] *= {t}[:-1]", f"{s} = np.sum({t}.imag) + {t}.real[0]"],
        [f"{t} = {u}[0, ...]", f"{u}[0] = {value}", f"{s} = {t} * np.sum({u})"],
        [f"{t} = int({u}[0] > 0.1) + 1", f"{s} = {u}[{t} % {n}] ** {t} * {t}"],
        [f"{t} = np.float64({value})", f"{s} = {t}", f"{t} += {u}[0]", f"{s} = {s} * {t}"],
    )  # fmt: skip
    lines = [*made, *sc.pick(forms)]
    _result(sc, s)
    return lines
