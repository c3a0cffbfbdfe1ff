"""Where two paths meet: which variables share memory behind the meeting point.

    u, v = v, u

Two paths may bring different arrays under the same names. Where the arrays of one path correspond to those
of the other one to one, as they do around a loop that swaps two buffers, each pair is one object under a new
name: behind the meeting the variables share what they shared before it. Where they do not correspond, a
variable may hold either.

May not know: statements, expressions.
"""

from __future__ import annotations

from collections.abc import Mapping

from .containers import OWN
from .facts import Val

Pair = tuple[str, str]


def corresponding(
    a: Mapping[str, Val], b: Mapping[str, Val], site: str
) -> dict[str, tuple[str, Pair]]:
    """By variable, the object that stands for a pair of them, and the pair."""
    pairs = _pairs(a, b)
    classes: dict[Pair, list[str]] = {}
    for n, pair in pairs.items():
        classes.setdefault(pair, []).append(n)
    single = _one_to_one(a, b, pairs)
    names = {pair: f"{site}@{min(ns)}" for pair, ns in classes.items() if pair in single}
    out: dict[str, tuple[str, Pair]] = {n: (names[p], p) for n, p in pairs.items() if p in names}
    first = {p: (name, (p, q)) for (p, q), name in names.items()}
    second = {q: (name, (p, q)) for (p, q), name in names.items()}
    for n in sorted(a.keys() ^ b.keys()):  # bound on one path only
        known, objs = (first, a[n].objs) if n in a else (second, b[n].objs)
        if len(objs) == 1 and (got := known.get(next(iter(objs)))) is not None:
            out[n] = got
    stay = {o for env in (a, b) for n, v in env.items() if n not in out for o in v.objs}
    return {n: got for n, got in out.items() if got[0] not in stay}


def _pairs(a: Mapping[str, Val], b: Mapping[str, Val]) -> dict[str, Pair]:
    """The one object of each variable on the one path and on the other."""
    return {
        n: (next(iter(v.objs)), next(iter(b[n].objs)))
        for n, v in sorted(a.items())
        if n in b and len(v.objs) == 1 and len(b[n].objs) == 1
    }


def _one_to_one(a: Mapping[str, Val], b: Mapping[str, Val], pairs: Mapping[str, Pair]) -> set[Pair]:
    """The pairs of different objects whose members are in no other pair, and in no set of several.

    A container's own memory has names that say so: it stays as it is.
    """
    found = set(pairs.values())
    left = [p for p, _ in found]
    right = [q for _, q in found]
    loose_a = {o for n, v in a.items() if n in b and n not in pairs for o in v.objs} | {""}
    loose_b = {o for n, v in b.items() if n in a and n not in pairs for o in v.objs} | {""}
    loose_a |= {o for n, v in a.items() if n not in b and len(v.objs) > 1 for o in v.objs}
    loose_b |= {o for n, v in b.items() if n not in a and len(v.objs) > 1 for o in v.objs}
    return {
        (p, q)
        for p, q in found
        if p != q and left.count(p) == right.count(q) == 1
        if p not in loose_a and q not in loose_b and OWN not in (p[:1], q[:1])
    }
