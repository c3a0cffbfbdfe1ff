"""Binding a call's arguments to the parameters of a rule or of a workspace function.

May not know: types, the transformation.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Union

from ..ir import Call, Const, Expr, Function, Opaque, Param, Star, Tuple

Bound = dict[str, Union[Expr, "tuple[Expr, ...]"]]


@dataclass(frozen=True)
class Parameter:
    name: str
    default: Expr | None = None
    many: str = ""  # "*" or "**"
    keyword_only: bool = False


@cache
def parameters(signature: str) -> tuple[Parameter, ...]:
    """The parameters of a rule's signature text."""
    made = ast.parse(f"lambda {signature}: 0", mode="eval").body
    assert isinstance(made, ast.Lambda)
    args = made.args
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + [_constant(d) for d in args.defaults]
    out = [Parameter(a.arg, d) for a, d in zip(plain, defaults)]
    if args.vararg:
        out.append(Parameter(args.vararg.arg, many="*"))
    out += [
        Parameter(a.arg, None if d is None else _constant(d), keyword_only=True)
        for a, d in zip(args.kwonlyargs, args.kw_defaults)
    ]
    if args.kwarg:
        out.append(Parameter(args.kwarg.arg, many="**"))
    return tuple(out)


def default_of(signature: str, name: str) -> Expr | None:
    """What the parameter is where a call does not give it."""
    return next((p.default for p in parameters(signature) if p.name == name), None)


def _constant(node: ast.expr) -> Expr:
    if isinstance(node, ast.Tuple):
        return Tuple(tuple(_constant(i) for i in node.elts))
    return Const(ast.literal_eval(node))


# keywords of known functions that change no value
INDIFFERENT = {"check_finite", "kind", "stable", "driver", "workers", "device"}
# and those that change none as long as they have these values
AT_REST: dict[str, object] = {
    **dict.fromkeys(("out", "like", "plan", "weights", "zi")),
    **dict.fromkeys(("assume_a", "subset_by_index", "subset_by_value", "orthogonalize", "axes")),
    **dict.fromkeys(("overwrite_a", "overwrite_b", "overwrite_x", "overwrite_ab"), False),
    **dict.fromkeys(("overwrite_input", "hermitian", "descending", "transposed"), False),
    **dict.fromkeys(("return_rank", "homogeneous_eigvals", "return_sign", "derivative"), False),
}


def bind(signature: str, call: Call) -> Bound | None:
    """Parameter name -> argument or default; None where the call does not fit the signature."""
    names = {p.name for p in parameters(signature)}
    kwargs = tuple(kv for kv in call.kwargs if kv[0] in names or not _changes_nothing(*kv))
    plain = call if len(kwargs) == len(call.kwargs) else replace(call, kwargs=kwargs)
    return bind_to(parameters(signature), plain)


def _changes_nothing(name: str, value: Expr) -> bool:
    return name in INDIFFERENT or (name in AT_REST and value == Const(AT_REST[name]))


def misfit(signature: str, call: Call) -> tuple[str, str]:
    """Of a call that does not fit the signature: the keyword that stands in the way, "" for none, and the reason."""
    params = parameters(signature)
    names = {p.name for p in params}
    for name, value in call.kwargs:
        if name not in names and name != "**" and not _changes_nothing(name, value):
            return name, f"no rule is written for its argument `{name}`"
    places = [p for p in params if not p.keyword_only and p.many != "**"]
    if not any(p.many for p in places) and len(call.args) > len(places):
        return "", f"more than {len(places)} arguments are given by position; name the others"
    return "", "these arguments are not understood"


def bind_to(params: Sequence[Parameter], call: Call) -> Bound | None:
    """`bind` to parameters that are known already."""
    for a in call.args:
        if isinstance(a, Star):
            return None
    out: Bound = {}
    rest = list(call.args)
    for p in params:
        if p.many == "*":
            out[p.name] = tuple(rest)
            rest = []
        elif rest and not p.many and not p.keyword_only:
            out[p.name] = rest.pop(0)
    if rest:
        return None
    if call.kwargs and not _bind_by_name(params, call, out):
        return None
    for p in params:
        if p.name in out or p.many:
            continue
        if p.default is None:
            return None
        out[p.name] = p.default
    return out


def _bind_by_name(params: Sequence[Parameter], call: Call, out: Bound) -> bool:
    names = {p.name for p in params if not p.many}
    loose = any(p.many == "**" for p in params)
    for k, v in call.kwargs:
        if k == "**" or k in out or (k not in names and not loose):
            return False
        if k in names:
            out[k] = v
    return True


def of_function(fn: Function) -> tuple[Parameter, ...]:
    """A workspace function's parameters."""
    many = {"var-positional": "*", "var-keyword": "**"}
    return tuple(
        Parameter(
            p.name,
            None if p.default is None else _default(p),
            many.get(p.kind, ""),
            p.kind == "keyword-only",
        )
        for p in fn.params
    )


def gathered(bound: Bound, call: Call, p: Param) -> tuple[Expr, ...]:
    """The arguments that the parameter `*p` or `**p` collects."""
    if p.kind == "var-keyword":
        return tuple(v for k, v in call.kwargs if k not in bound)
    values = bound.get(p.name, ())
    return values if isinstance(values, tuple) else ()


def _default(p: Param) -> Expr:
    """A literal; anything else by its text: it is made once, where the function is defined."""
    literal = p.default_value is not None or p.default == "None"
    return Const(p.default_value) if literal else Opaque("default", p.default or "")
