"""What a derivative looks like from outside: name, parameters, decorators, docstring.

May not know: what is in its body.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Block, For, Function, If, Param, Stmt, While
from .request import DENSE, SPARSE, Request

KEPT = ("staticmethod", "classmethod", "final", "no_type_check")  # `override` would not be true


def signed(fn: Function, request: Request, seeds: tuple[str, ...], body: Block) -> Function:
    """The function of a derivative: name, parameters, docstring, and `body`."""
    params = fn.params
    if seeds:
        params = tuple(replace(p, default=None, default_value=None) for p in params)
        only = any(p.kind in ("keyword-only", "var-positional") for p in params)
        new = [Param(seed, "keyword-only" if only else "plain") for seed in seeds]
        at = next((i for i, p in enumerate(params) if p.kind == "var-keyword"), len(params))
        params = (*params[:at], *new, *params[at:])
    kept = () if request.helper else KEPT  # a private derivative is a function of the module
    decorators = tuple(d for d in fn.decorators if d.lstrip("@").rpartition(".")[2] in kept)
    owner, dot, _ = fn.qualname.rpartition(".")
    return replace(
        fn,
        name=request.name,
        qualname=f"{owner}{dot}{request.name}",
        params=params,
        body=tuple(_distinct(s) for s in body),
        decorators=decorators,
        returns=None,
        docstring=describe(fn, request),
        pragmas=(),
    )


def _distinct(s: Stmt) -> Stmt:
    """A copy: paths share statements, and later passes tell statements apart by identity."""
    if isinstance(s, (If, For, While)):
        body, orelse = (tuple(_distinct(x) for x in b) for b in (s.body, s.orelse))
        return replace(s, body=body, orelse=orelse)
    return replace(s)


def describe(fn: Function, request: Request, *, several: bool = False) -> str:
    """The docstring of a derivative, be it along `several` directions at once: one line."""
    names = _listed(request.wrt)
    if several and request.kind == "hvp":
        return f"Hessian of {fn.name} with respect to {names}, times several vectors."
    if several:
        return f"Tangents of {fn.name} with respect to {names}, along several directions."
    if request.kind == "grad":
        return f"Gradient of {fn.name} with respect to {names}."
    if request.kind == "value_and_grad":
        return f"Value of {fn.name} and its gradient with respect to {names}."
    if request.kind == "hvp":
        return f"Hessian of {fn.name} with respect to {names}, times a vector."
    if request.kind == SPARSE:
        return f"Entries of the Jacobian of {fn.name} with respect to {names}, at rows and columns."
    if request.kind in DENSE:
        return f"{request.kind.capitalize()} of {fn.name} with respect to {names}."
    if request.kind == "jvp":
        return f"Tangent of {fn.name} with respect to {names}."
    return f"Vector-Jacobian product of {fn.name} with respect to {names}."


def _listed(names: tuple[str, ...]) -> str:
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]
