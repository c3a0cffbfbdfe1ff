"""Statements with lists, dicts and tuples: filled in loops, stored into, handed to functions, taken apart."""

from __future__ import annotations

from tests.fuzz.expressions import array, number
from tests.fuzz.scope import Scope

Lines = list[str]


def container(sc: Scope) -> Lines:
    """A few lines that put numbers and arrays into a container, and a number that they come to."""
    name, total = sc.fresh("l"), sc.fresh("s")
    lines = [line for make in (_filled, _read) for line in sc.pick(make)(sc, name, total)]
    sc.floats[total] = ()
    sc.writable.discard(total)
    return lines


def _grown(sc: Scope, name: str, total: str) -> Lines:
    return [
        f"{name} = [{number(sc, 1)}, {number(sc, 1)}]",
        "for k in range(3):",
        f"    {name}.append({name}[k] * {number(sc, 1)} + {name}[-1])",
    ]


def _chosen(sc: Scope, name: str, total: str) -> Lines:
    return [
        f"{name} = [{number(sc, 1)}]",
        "for k in range(4):",
        f"    if {name}[-1] > {number(sc, 0)}:",
        f"        {name}.append({number(sc, 1)} * k)",
        "    else:",
        f"        {name}[0] = {name}[0] * {number(sc, 0)}",
    ]


def _stored(sc: Scope, name: str, total: str) -> Lines:
    return [
        f"{name} = [0.0] * 4",
        f"{name}[0] = {number(sc, 1)}",
        "for k in range(1, 4):",
        f"    {name}[k] = {name}[k - 1] * {number(sc, 1)}",
        f"    {name}[-1] += {number(sc, 0)}",
    ]


def _comprehended(sc: Scope, name: str, total: str) -> Lines:
    return [f"{name} = [{number(sc, 1)} * k + {number(sc, 0)} for k in range(3)]"]


def _paired(sc: Scope, name: str, total: str) -> Lines:
    vector = array(sc, (3,), 1)
    return [f"{name} = []", f"for e in {vector}:", f"    {name} += [e * {number(sc, 0)}]"]


_filled = (_grown, _chosen, _stored, _comprehended, _paired)


def _summed(sc: Scope, name: str, total: str) -> Lines:
    return [f"{total} = sum({name}) * {number(sc, 0)}"]


def _stacked(sc: Scope, name: str, total: str) -> Lines:
    return [f"{total} = np.sum(np.array({name}) ** 2)"]


def _walked(sc: Scope, name: str, total: str) -> Lines:
    return [
        f"{total} = {number(sc, 1)}",
        f"for k, e in enumerate({name}):",
        f"    {total} = {total} * 0.5 + e * k",
    ]


def _taken(sc: Scope, name: str, total: str) -> Lines:
    return [f"first, *rest = {name}", f"{total} = first * rest[-1] + len(rest)"]


def _named(sc: Scope, name: str, total: str) -> Lines:
    return [
        f"d = {{'a': {name}[0], 'b': {name}[-1]}}",
        f"d['a'] += d['b'] * {number(sc, 0)}",
        f"{total} = 0.0",
        "for key, e in d.items():",
        f"    {total} += e * d['a']",
    ]


def _carried(sc: Scope, name: str, total: str) -> Lines:
    return [
        f"state = ({name}[0], {number(sc, 1)})",
        "for k in range(2):",
        "    state = (state[1] * 0.5, state[0] + np.sin(state[1]))",
        f"{total} = state[0] * state[1]",
    ]


def _copied(sc: Scope, name: str, total: str) -> Lines:
    return [
        f"other = {name}[1:] + [{number(sc, 1)}]",
        f"other[0] = other[-1] * {name}[0]",
        f"{total} = max(other) + other[0]",
    ]


_read = (_summed, _stacked, _walked, _taken, _named, _carried, _copied)
