"""What the engine takes for granted of an entry: its texts can be read, its words are known."""

from __future__ import annotations

import pytest

from pullback.analysis.signatures import parameters
from pullback.ir import Call, Name, Opaque, walk
from pullback.lower import FORMULA, lower_expression
from pullback.rules import table
from pullback.rules.helpers import HELPERS

RULES = table()
ENTRIES = {r.names[0]: r for r in RULES.values()}
WORDS = {"unreduce", "count", "unbroadcast"}
SHAPES = {
    "broadcast", "scalar", "same", "reduce", "matmul", "dot", "outer", "given", "transpose", "given_counts",
    "solve", "vector", "matrix", "arange", "eye", "take", "diag", "expand", "swap", "tuple", "spectrum", "half",
    "unknown", "batch", "rows", "columns", "left", "middle", "right", "refused", "along", "trace", "cross",
    "differences", "padded",
}  # fmt: skip
DTYPES = {"float", "real", "complex", "promote", "int", "bool", "dtype", "any", "either"}


@pytest.mark.parametrize("name", ENTRIES)
def test_signature_shape_dtype_and_memory_are_understood(name):
    rule = ENTRIES[name]
    names = [p.name for p in parameters(rule.signature)]
    word, *args = rule.shape.split()
    assert word in SHAPES and set(args) <= set(names)
    assert rule.dtype in DTYPES | set(names)
    how, _, param = rule.memory.partition(" ")
    assert (how == "fresh" and not param) or (how in ("view", "maybe") and param in names)
    assert set(rule.reverse) <= set(names) and set(rule.refused) <= set(names)
    assert not rule.writes or rule.writes in names


@pytest.mark.parametrize("name", [n for n, r in ENTRIES.items() if r.reverse])
def test_formulas_lower_to_nothing_opaque(name):
    rule = ENTRIES[name]
    for text in filter(None, (*rule.reverse.values(), rule.tangent)):
        for node in walk(lower_expression(text, FORMULA)):
            assert not isinstance(node, Opaque), text
            if isinstance(node, Call) and node.fn == "?":
                assert isinstance(node.callee, Name)
                assert node.callee.id in WORDS or node.callee.id in HELPERS, text
