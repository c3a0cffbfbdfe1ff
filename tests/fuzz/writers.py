"""Calls of functions that write their arguments, return them or views of them; loops that write arrays and are left.

HELPERS are put before a program that calls them.
"""

from __future__ import annotations

from tests.fuzz.expressions import condition, number
from tests.fuzz.mirrors import around, indented, own_vector
from tests.fuzz.scope import Scope

Lines = list[str]

HELPERS = {
    "fill_first": """def fill_first(u, s):
    u[0] = s * u[1]
    u[1:] *= s
""",
    "filled": """def filled(u, s):
    u[-1] = s
    return u
""",
    "shifted": """def shifted(u, v):
    for i in range(len(v)):
        u[i] = u[i] * 0.5 + v[i] * v[i]
""",
    "added": """def added(u, v):
    u += v
    return v
""",
    "behind": """def behind(u):
    return u[1:]
""",
    "halves": """def halves(u):
    n = len(u) // 2
    return u[:n], u[n:]
""",
    "either": """def either(u, s):
    if s > 0.2:
        return u
    return u * s
""",
    "until": """def until(u, s):
    for i in range(len(u)):
        if u[i] > s:
            return u[i] * i
        u[i] = u[i] * u[i - 1]
    return np.sum(u)
""",
    "exchanged": """def exchanged(u, v):
    for i in range(min(len(u), len(v))):
        t = u[i]
        u[i] = v[i] * 0.5
        v[i] = t
    return u, v
""",
    "parts_of": """def parts_of(d, s):
    w = d["a"]
    d["a"] = w * s
    return np.sum(d["a"] * d["b"]) + w[0]
""",
    "rows_of": """def rows_of(us):
    s = 0.0
    for u in us:
        s = s * 0.5 + np.sum(u * u)
    return s * us[0][0]
""",
}


def called_for(text: str) -> list[str]:
    """The helpers that a program calls."""
    return [body for name, body in HELPERS.items() if f"{name}(" in text]


def handed_to_writers(sc: Scope) -> Lines:
    """Calls with an array, with overlapping parts of it, and with what other calls gave."""
    made, u, _ = own_vector(sc)
    s, w = sc.fresh("s"), sc.fresh("w")
    value = number(sc, 0)
    calls = (
        f"shifted({u}[1:], {u}[:-1])",
        f"shifted({u}[:-1], {u}[1:])",
        f"shifted({u}, {w})",
        f"{w} = added({u}[1:], {u}[:-1])",
        f"{w} = added({u}, {u}[::-1])",
        f"added({u}[1:], {w}[0])",
        f"{w} = behind({u})",
        f"{w} = behind({u}) * {value}",
        f"{w}, r{w} = halves({u})",
        f"{w} = halves({u})[1]",
        f"{w} = either({u}, {value})",
        f"{s} = {s} + until({u}, {value})",
        f"{s} = {s} * 0.5 + until({u} * 2.0, {value})",
        f"{u}, {w} = exchanged({u}, {u} * 0.5)",
        f"exchanged({u}[1:], {u}[:-1])",
        f"exchanged({u}, {w})",
        f"fill_first({u}[::-1], {value})",
        f"{w} = filled({u}, {value})",
        f"{s} = {s} + parts_of({{'a': {u}, 'b': {u} * 2.0}}, {value})",
        f"{s} = {s} + rows_of([{u}, {u} * {value}])",
        f"{w}[0] = {value}",
        f"{w} *= {u}[0]",
        f"{u} = {u} * 0.9",
        f"{s} = {s} * 0.5 + np.sum({w}) * {u}[0]",
    )
    body = [sc.pick(calls) for _ in range(sc.r.randrange(2, 5))]
    lines = [*made, f"{w} = {sc.pick((u, f'{u} * 1.5'))}", f"{s} = 0.5", *around(sc, body)]
    sc.floats[s] = ()
    return [*lines, f"{s} = {s} + np.sum({u} * {u}) + np.sum({w})"]


def left_early(sc: Scope) -> Lines:
    """Loops that write an array and are left, or go on, in the middle of a turn; their else; ends that data decide."""
    made, u, n = own_vector(sc)
    s, i, j = sc.fresh("s"), sc.fresh("i"), sc.fresh("j")
    value, test = number(sc, 0), condition(sc)
    word, other = sc.pick(("break", "continue")), sc.pick(("break", "continue"))
    step, jump = _writes(sc, u, s, i), sc.pick((f"{u}[{i}] > {value}", f"{s} > 0.8", test))
    turns = sc.pick((f"range({n})", f"range({n})", "range(0)", f"range({n} - 1, -1, -1)"))
    forms = (
        [f"for {i} in {turns}:", *indented([*step, f"if {jump}:", f"    {word}", *step])],
        [f"for {i} in {turns}:", *indented([*step, f"if {jump}:", f"    {word}", f"{u} = {u} * 0.9"]),
         "else:", *indented([f"{s} = {s} * 2.0"])],
        [f"for {i} in {turns}:", f"    for {j} in range({n}):",
         *indented(indented([f"if {u}[{j}] > {value}:", f"    {word}", *step])),
         "    else:", *indented(indented([*_writes(sc, u, s, i), other])), *indented(step)],
        [f"{i} = 0", f"while {i} < {n} and np.sum({u} * {u}) > 0.1:", *indented([*step, f"{i} += 1"])],
        [f"{i} = 0", f"while {i} < {n}:", *indented([*step, f"{i} += 1", f"if {test}:", f"    {word}",
         f"{u}[0] = {s}"]), "else:", *indented([f"{s} = {s} * {u}[0]"])],
        [f"{i} = 0", "while True:", *indented([*step, f"{i} += 1", f"if {i} >= {n} or {s} > 1.0:",
         "    break", f"if {test}:", "    continue", f"{u} *= 0.9"])],
        [f"for {i} in {turns}:", *indented([*step, f"if {u}[{i}] > 1.5:", *_exit(sc, s, u)])],
        ["try:", *indented([f"{u}[0] = {u}[1] * {value}"]), "finally:",
         f"    {u} = {u} * 0.5"],
        [f"xs{i} = []", f"for {i} in {turns}:", *indented([f"if {jump}:", f"    {word}",
         f"xs{i}.append({u}[{i}] * {s})", *step]), f"{s} = {s} + sum(xs{i}) * len(xs{i})"],
    )  # fmt: skip
    lines = [*made, f"{s} = 0.5", *sc.pick(forms)]
    sc.floats[s] = ()
    return [*lines, f"{s} = {s} + np.sum({u} * {u})"]


def _writes(sc: Scope, u: str, s: str, i: str) -> Lines:
    forms = (
        [f"{u}[{i}] = {u}[{i} - 1] * {s}", f"{s} = {s} * 0.5 + {u}[{i}]"],
        [f"{s} = {s} * 0.5 + np.sin({u}[{i}])", f"{u}[0] = {s}"],
        [f"{u}[{i} - 1] *= 0.8", f"{s} = {s} + {u}[{i} - 1] * {u}[0]"],
        [f"{u} = np.sin({u}) + {s} * 0.1", f"{s} = {u}[{i} - 1]"],
    )
    return sc.pick(forms)


def _exit(sc: Scope, s: str, u: str) -> Lines:
    """A return where the function may return, else a break."""
    if sc.loops or sc.branches:
        return ["    break"]
    return [f"    return {s} * np.sum({u})"]
