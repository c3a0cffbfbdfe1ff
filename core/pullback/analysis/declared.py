"""What annotations and comments say of parameters and variables, as types.

May not know: how comments are found and parsed, bodies of functions, the transformation.
"""

from __future__ import annotations

import re

from ..ir import Function
from ..source.pragmas import Shape as Said
from ..source.pragmas import parse_all, parse_annotation
from .facts import Val
from .types import MISSING, Dim, Type, fresh, scalar

# annotations of what is neither a number nor an array
_OTHER = {"list", "dict", "tuple", "List", "Dict", "Tuple", "Callable", "Sequence", "Mapping"}


def declared(fn: Function) -> dict[str, Type]:
    """Types that comments and annotations give to parameters and variables."""
    out: dict[str, Type] = {}
    for p in fn.params:
        said = parse_annotation(p.annotation) if p.annotation else None
        if said is not None:
            out[p.name] = type_said(said, p.name)
        elif p.annotation and p.annotation.split("[")[0].strip() in _OTHER:
            out[p.name] = Type("other")
    pragmas, _, _ = parse_all(fn.pragmas)
    for pragma in pragmas:
        for name, said in pragma.shapes:
            out[name] = type_said(said, name)
    return out


def type_said(said: Said, name: str) -> Type:
    """The type that a comment or annotation gives to the variable `name`."""
    dtype = "any" if not said.dtype else re.sub(r"\d+$", "", said.dtype)
    if said.kind in ("float", "int", "bool", "complex"):
        const: object = Dim(name) if said.kind == "int" else MISSING
        return scalar(said.kind, const)
    if said.kind == "str":
        return Type("str")
    dims = said.dims
    if dims is None or "..." in dims:
        return Type(said.kind, fresh(name), dtype)
    if dims == ():
        return scalar(dtype)
    return Type("array", tuple(_dim(d) for d in dims), dtype)


def _dim(d: int | str) -> Dim:
    if isinstance(d, int):
        return Dim("", d)
    found = re.fullmatch(r"\s*(\w+)\s*([+-])\s*(\d+)\s*", d)
    if found:
        return Dim(found[1], int(found[2] + found[3]))
    return Dim(d)


def argument_type(t: Type, name: str) -> Type:
    """An argument's type as the parameter `name` has it: what the caller calls its dimensions is left behind."""
    if t.kind == "scalar" and t.dtype in ("float", "int", "bool"):
        return scalar(t.dtype)
    rank = t.rank()
    if t.kind == "array" and rank is not None and t.dtype == "float":
        return Type("array", tuple(Dim(f"{name}.{k}") for k in range(rank)), "float")
    return Type("any", fresh(name))


def common_types(a: tuple[Type, ...], b: tuple[Type, ...], fn: Function) -> tuple[Type, ...]:
    """What holds of the arguments of two calls."""
    return tuple(x if x == y else Type("any", fresh(p.name)) for x, y, p in zip(a, b, fn.params))


def type_word(t: Type) -> str:
    """A type in a word: float, int, array2, any."""
    if t.kind == "scalar":
        return t.dtype
    rank = t.rank()
    return "any" if rank is None else f"array{rank}"


def parameter_vals(
    fn: Function, wrt: tuple[str, ...], types: tuple[Type, ...] = ()
) -> dict[str, Val]:
    """What the parameters hold on entry: memory of the caller's, active where a derivative is wanted.

    `types` are those of the arguments where all calls are known.
    """
    said = declared(fn)
    given = {p.name: t for p, t in zip(fn.params, types) if t.kind != "any"}
    out: dict[str, Val] = {}
    for p in fn.params:
        t = said.get(p.name, given.get(p.name))
        if t is None:
            t = Type("any", fresh(p.name))
            if p.kind == "var-positional":
                t = Type("tuple")
            elif p.kind == "var-keyword":
                t = Type("dict")
        objs = frozenset() if t.kind in ("scalar", "str") else frozenset((f"param {p.name}",))
        out[p.name] = Val(t, objs, active=p.name in wrt)
    return out


def differentiable_params(fn: Function) -> tuple[str, ...]:
    """The parameters that a derivative can be taken with respect to, as far as the text tells."""
    said = declared(fn)
    out = []
    for k, p in enumerate(fn.params):
        if k == 0 and "method" in fn.flags and "static" not in fn.flags:
            continue
        t = said.get(p.name)
        if p.kind.startswith("var-"):
            continue
        if t is not None and (t.kind in ("str", "other") or t.dtype in ("int", "bool")):
            continue
        if t is None and p.default is not None and not isinstance(p.default_value, float):
            if isinstance(p.default_value, (bool, int, str)) or p.default == "None":
                continue
        out.append(p.name)
    return tuple(out)
