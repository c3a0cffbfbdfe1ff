"""Statements about names: two of one array of which one is bound anew, and one of values of several kinds."""

from __future__ import annotations

from tests.fuzz.expressions import array, condition, number
from tests.fuzz.scope import M, Scope

Lines = list[str]


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def own_vector(sc: Scope) -> tuple[Lines, str, int]:
    """A new array of the function's own, of the size of one that is there."""
    name = sc.fresh("u")
    n = sc.pick([sc.floats[v][0] for v in sc.arrays(1)] or [M])
    value = array(sc, (n,), 1)
    sc.floats[name] = (n,)
    return [f"{name} = 1.0 * ({value})"], name, n


def around(sc: Scope, lines: Lines) -> Lines:
    """`lines` as they are, in a loop of none to three turns, or under a condition."""
    if sc.chance(0.55):
        turns = sc.pick(("0", "2", "3", "3", *(n for n in sc.ints if n == "k")))
        return [f"for {sc.fresh('i')} in range({turns}):", *indented(lines)]
    return [f"if {condition(sc)}:", *indented(lines)] if sc.chance(0.3) else lines


def mirrored(sc: Scope) -> Lines:
    """A second name for an array or a part of it; then one of the two is bound anew or written, in any order."""
    made, u, n = own_vector(sc)
    w, s = sc.fresh("w"), sc.fresh("s")
    if n > 1 and sc.chance(0.45):
        view, size = sc.pick(((f"{u}[1:]", n - 1), (f"{u}[::-1]", n), (f"{u}[:-1]", n - 1)))
    else:
        forms = (u, u, f"{u}.T", f"{u}[:]", f"[{u}, {u} * 0.5][0]", f"({u}, 0.5)[0]")
        view, size = sc.pick(forms), n
    taken = f"{w} = {view}"
    steps = [_step(sc, u, w, s, taken, size == n) for _ in range(sc.r.randrange(2, 5))]
    inside = sc.chance(0.4)
    body = [line for step in steps for line in step]
    body = around(sc, [taken, *body] if inside else body)
    sc.floats[s] = ()
    lines = [*made, f"{s} = 0.5", *([] if inside and body[0] == taken else [taken]), *body]
    if sc.chance(0.5):
        lines.append(f"{s} = {s} + np.sum({w} * {w}) * np.sum({u})")
    return lines


def _step(sc: Scope, u: str, w: str, s: str, taken: str, same: bool) -> Lines:
    value = number(sc, 0)
    anew = [f"{u} = {u} * {value}", f"{u} = np.sin({u})", f"{u} = {u}.copy()", f"{u} = {u} + {s}"]
    anew += [f"{w} = {w} * 0.5", f"{w} = {w}.copy()", taken]
    anew += [f"{u} = np.cos({w})", f"{u} = {w} * {u}", f"{u}, {w} = {w}, {u}"] if same else []
    written = [f"{u} *= 0.7", f"{u} += {value}", f"{u}[0] = {w}[-1] * {value}", f"{u}[-1] += {s}"]
    written += [f"{w}[0] = {value}", f"{w} *= {u}[0]", f"{w}[:] = {w}[::-1]", f"{w}[-1] *= {s}"]
    read = [f"{s} = {s} * 0.5 + np.sum({w})", f"{s} = {s} + {u}[0] * {w}[-1]"]
    step = [sc.pick(sc.pick((anew, anew, written, written, read)))]
    return [f"if {condition(sc)}:", *indented(step)] if sc.chance(0.2) else step


def retaken(sc: Scope) -> Lines:
    """A name that holds an array, a number, a list one after the other, perhaps from turn to turn."""
    made, u, n = own_vector(sc)
    s, t = sc.fresh("s"), sc.fresh("t")
    sc.floats.pop(u)
    value = number(sc, 1)
    forms = (
        [f"{t} = {u} * {s}", f"{s} = np.sum({t})", f"{t} = {s} * 0.3", f"{s} = {s} + {t} * {t}"],
        [f"{t} = [{s}, {value}]", f"{s} = {t}[0] * {t}[1]", f"{t} = {s} * {u}", f"{s} = {t}[0]"],
        [f"{t} = ({u}[0], {u})", f"{s} = {s} * {t}[0]", f"{t} = {t}[1]", f"{s} += np.sum({t})"],
        [f"{t} = {u}", f"for {t} in {t}:", f"    {s} = np.sin({s} * {t})"],
        [f"{t} = {u} * 0.5", f"for {t} in {t}:", f"    {s} = {s} * 0.5 + {t}", f"{s} = {s} * {t}"],
        [f"{t} = {u}", f"for {t} in {u}[1:]:", "    pass", f"{s} = {s} * 0.5 + np.sum({t})"],
        [f"for _ in range({n}):", f"    {s} = {s} * 0.5 + {u}[_] * _", f"{s} = {s} + _"],
        ["_ = 2", f"for _ in {u}:", f"    {s} = {s} * 0.5 + _", f"    _ = {s} * _", f"{s} *= _"],
        [f"_, {t} = {u}[0] * {s}, {u}", f"{s} = _ * {t}[-1]", f"{t} = _", f"{s} = {s} + {t}"],
        [f"{t} = {s}", f"{t} = [{t} * e for e in {u}]", f"{s} = sum({t})"],
        [f"{t} = {s}", f"{s} = sum([{t} for {t} in {u}]) * {t}"],
        [f"{t} = {u}", f"{t} = np.outer({t}, {t})", f"{t} = {t}[0]", f"{s} = np.sum({t} * {u})"],
        [f"{t} = {u}", f"while np.ndim({t}) > 0:", f"    {t} = np.sin({t}).sum(0)", f"{s} *= {t}"],
        [f"{t} = 0.5", f"{t} = {t} * {u}", f"{t} += {u}", f"{s} = {s} * 0.5 + np.sum({t})"],
        [f"{t} = {u}", f"{t} = {t}[1:] * {t}[:-1]", f"{s} = {s} + np.sum({t})"],
        [f"for {s} in {u}:", f"    {t} = {s} * 2.0", f"{s} = {s} * {t}"],
        [f"for {t}, {s} in enumerate({u}):", f"    {s} = {s} * {t}", f"{s} = {s} + {t}"],
    )
    body = around(sc, sc.pick(forms))
    sc.floats[s] = ()
    return [*made, f"{s} = {value}", *body, f"{s} = {s} + np.sum({u})"]
