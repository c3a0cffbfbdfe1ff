"""Generator expressions that are not used up where they stand: what they read may have changed by then.

    total = sum(x[i] ** 2 for i in range(n))         used up at once, as a list would be

    parts = (x[i] ** 2 for i in range(n))            runs when `parts` is asked, and once
    for b in (y[i] ** 2 for i in range(n)):          runs between the turns, which write y
        y[n - 1] += b

May not know: the IR.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

# what asks its arguments for a part only when it is asked itself
_LAZY = frozenset({"zip", "enumerate", "map", "filter", "iter", "reversed"})


def late_generators(function: Any) -> frozenset[int]:
    """The identities of the generator expressions in `function` that may not be taken for lists."""
    parents = {id(c): n for n in gast.walk(function) for c in gast.iter_child_nodes(n)}
    found = (n for n in gast.walk(function) if is_generator(n))
    return frozenset(id(g) for g in found if not _used_up(g, parents))


def _used_up(g: Any, parents: dict[int, Any]) -> bool:
    node, parent = g, parents.get(id(g))
    while _is_lazy(parent) or (isinstance(parent, gast.comprehension) and parent.iter is node):
        owner = parents[id(parent)] if isinstance(parent, gast.comprehension) else parent
        if isinstance(owner, (gast.ListComp, gast.SetComp, gast.DictComp)):
            return True
        node, parent = owner, parents.get(id(owner))
    if isinstance(parent, (gast.For, gast.AsyncFor)) and parent.iter is node:
        return not _read(g) & set(_changed(parent))
    return isinstance(parent, (gast.Call, gast.keyword, gast.Starred))


def _is_lazy(node: Any) -> bool:
    return (
        isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in _LAZY
    )


def is_generator(node: Any) -> bool:
    """A generator expression, or `map(f, xs)`, which is one written differently."""
    return isinstance(node, gast.GeneratorExp) or (_is_lazy(node) and node.func.id == "map")


def _read(g: Any) -> set[str]:
    """The variables that the parts of a generator are made of."""
    if isinstance(g, gast.Call):
        return {n.id for a in g.args for n in gast.walk(a) if isinstance(n, gast.Name)}
    parts = [g.elt, *(e for k in g.generators for e in (k.iter, *k.ifs))]
    own = {n.id for k in g.generators for n in gast.walk(k.target) if isinstance(n, gast.Name)}
    return {n.id for p in parts for n in gast.walk(p) if isinstance(n, gast.Name)} - own


def _changed(loop: Any) -> Iterator[str]:
    """The variables that a loop's turns bind, write into, or hand to a call that stands alone."""
    for n in [*gast.walk(loop.target), *(x for s in loop.body for x in gast.walk(s))]:
        stored = not isinstance(getattr(n, "ctx", gast.Load()), gast.Load)
        if isinstance(n, gast.Name) and stored:
            yield n.id
        elif _writes(n) or (isinstance(n, (gast.Subscript, gast.Attribute)) and stored):
            yield from _names(n.value)


def _writes(node: Any) -> bool:
    return isinstance(node, gast.Expr) or (isinstance(node, gast.keyword) and node.arg == "out")


def _names(node: Any) -> Iterator[str]:
    return (n.id for n in gast.walk(node) if isinstance(n, gast.Name))
