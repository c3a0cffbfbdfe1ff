"""What is known of a generated function's parameters: its header names the function that it is a derivative of.

They are that function's parameters, with the cotangent of what it gives or the tangents of some behind them. What
comments say there, the ranks that its statements show, and the types that the derivative was made for (`args=`)
hold of them too, though the derivative's own statements need not show them again. One that a person has changed
is a function like any other.

May not know: how derivatives are made, text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .analysis.declared import type_of_word
from .analysis.types import MISSING, Atoms, Dim, Shape, Type, fresh, may_be_complex
from .emit.insert import standing
from .ir import Function
from .source.header import Header
from .source.module import Module
from .transform.outputs import returns_values
from .transform.prepare import as_called
from .transform.request import FORWARD, Request

if TYPE_CHECKING:
    from .program import Program

Known = dict[str, Type]  # by parameter


def known_parameters(program: Program, module: Module, fn: Function) -> Known:
    """What is known of the parameters of `fn`, a function of `module`, where that is a derivative as it was made."""
    there = standing(module, fn.qualname)
    if there is None or there.header is None or there.edited:
        return {}
    header = there.header
    primal = program.function(f"{header.module or fn.module}.{header.qualname}")
    if primal is None:
        return {}
    options = dict(header.options)
    words = options["args"].split(",") if "args" in options else []
    types = tuple(type_of_word(w, p.name) for w, p in zip(words, primal.params))
    request = Request(header.kind, header.wrt, fn.name, private="private" in options)
    whole, vals = as_called(primal, request, types, program.facts, program.inlining())
    own = {name: v.type for name, v in vals.items()}
    given = program.facts(whole, vals).returned
    result = given.type if given is not None and returns_values(whole) else Type()
    behind = [p.name for p in fn.params if p.name not in own]
    seeds = _seeds(header, behind, own, Type() if "out" in options else result)
    if "directions" in options:
        seeds = {name: _with_directions(t, name) for name, t in seeds.items()}
    return {name: t for name, t in {**own, **seeds}.items() if t.kind != "any"}


def _seeds(header: Header, names: list[str], own: Known, result: Type) -> Known:
    """The types of the cotangent or of the tangents that a derivative has behind its primal's parameters."""
    if header.kind == "vjp":
        of = [result]
    elif header.kind in FORWARD:
        of = [own.get(w, Type()) for w in header.wrt]
    else:
        of = []
    if len(of) != len(names):
        return {}
    shared = {d.sym for t in own.values() if isinstance(t.shape, tuple) for d in t.shape}
    return {name: _seed(t, name, shared, own) for name, t in zip(names, of)}


def _with_directions(t: Type, name: str) -> Type:
    """The type of a tangent with an axis of directions behind its own."""
    if not isinstance(t.shape, tuple):
        return Type("any", fresh(name))
    return replace(t, kind="array", shape=(*t.shape, Dim(f"{name}.directions")))


def _seed(t: Type, name: str, shared: set[str], own: Known) -> Type:
    """The type of a cotangent or tangent of what has type `t`: the same axes, but for what nobody outside can name."""
    if t.kind == "tuple" and t.items is not None:
        parts = (_seed(x, f"{name}.{k}", shared, own) for k, x in enumerate(t.items))
        return Type("tuple", items=tuple(parts))
    if t.dtype in ("int", "bool") or t.kind not in ("scalar", "array", "number"):
        return Type("any", fresh(name))
    kind = "number" if t.kind == "scalar" else t.kind
    dtype = t.dtype if may_be_complex(t.dtype) else "any"
    return replace(
        t, kind=kind, shape=_named(t.shape, name, shared, own), dtype=dtype, const=MISSING
    )


def _named(shape: Shape, name: str, shared: set[str], own: Known) -> Shape:
    """`shape` in the lengths of the parameters; where it has others, they are those of `name`."""
    if isinstance(shape, Atoms):
        return shape if shape.names <= set(own) else fresh(name)
    return tuple(
        d if not d.sym or d.sym in shared else Dim(f"{name}.{k}") for k, d in enumerate(shape)
    )
