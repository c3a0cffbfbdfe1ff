"""Which functions can be targets, with respect to what, and what their derivatives are called.

May not know: how a derivative is made.
"""

from __future__ import annotations

from dataclasses import replace

from . import ir
from .analysis.declared import differentiable_params, is_constant, parameter_vals
from .analysis.facts import Problem
from .analysis.flow import bindings
from .diagnostics import Diagnostic, Source, report
from .emit.insert import standing
from .ir import Function, Span
from .source.header import is_header_of
from .source.module import Module
from .source.pragmas import parse_all

# decorators that a derivative does without
_DROPPED = {
    "njit",
    "jit",
    "cache",
    "lru_cache",
    "staticmethod",
    "classmethod",
    "property",
    "cached_property",
    "override",
    "final",
    "overload",
    "no_type_check",
}


class UnknownTarget(LookupError):
    """There is no such function, or no such parameter; the message says which."""


def wanted(
    fn: Function, wrt: str | int | tuple[str | int, ...] | None, given: int = 0
) -> tuple[str, ...]:
    """The parameters that `wrt` means; raises UnknownTarget for one that is not there.

    Those that are `given`, the first ones, do not count.
    """
    if given:
        fn = replace(fn, params=fn.params[given:], flags=fn.flags - {"method"})
    names = [p.name for p in fn.params]
    own = names[1:] if "method" in fn.flags and "static" not in fn.flags else names
    if wrt is None:
        if not own:
            raise UnknownTarget(f"{fn.name} has no parameter to differentiate with respect to")
        return (own[0],)
    if wrt == "*":
        return differentiable_params(fn)
    out = []
    for w in wrt if isinstance(wrt, tuple) else (wrt,):
        if isinstance(w, int):
            if not -len(own) <= w < len(own):
                raise UnknownTarget(f"{fn.name} has no parameter number {w}")
            out.append(own[w])
        elif w in names:
            out.append(w)
        else:
            raise UnknownTarget(f"{fn.name} has no parameter {w}; it has {', '.join(own)}")
    if not out:
        raise UnknownTarget(f"`wrt` is empty: name at least one parameter of {fn.name}")
    return tuple(dict.fromkeys(out))


def outputs(fn: Function, out: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """The variables that `out` names; raises UnknownTarget for one that `fn` does not have."""
    names = (out,) if isinstance(out, str) else tuple(out or ())
    known = {p.name for p in fn.params} | {n for s in ir.statements(fn.body) for n in bindings(s)}
    for name in names:
        if name not in known:
            raise UnknownTarget(f"{fn.name} has no variable {name}")
    return tuple(dict.fromkeys(names))


def derivative_name(
    fn: Function,
    kind: str,
    wrt: tuple[str, ...],
    out: tuple[str, ...],
    jit: str,
    module: Module,
) -> str:
    """`f_grad`; `f_grad_w` where another derivative of that kind stands in the file."""
    plain = f"{fn.name}_{kind}"
    owner = fn.qualname.rpartition(".")[0]
    there = standing(module, f"{owner}.{plain}" if owner else plain)
    if there is None:
        return plain
    same = there.header is not None and is_header_of(
        there.header, fn.qualname, fn.module, wrt, out, jit
    )
    return plain if same else "_".join((plain, *wrt, *out, *([jit] if jit else ())))


def target_problems(
    fn: Function, wrt: tuple[str, ...], source: Source | None = None
) -> list[Diagnostic]:
    """What makes a function no target at all; with fixes where the `source` that it is from is given."""
    at, path = place_of(fn), fn.module or None
    out = []
    if "async" in fn.flags:
        out.append(report("PB103", at, function=fn.qualname, path=path, name=fn.name))
    if "generator" in fn.flags:
        out.append(
            report("PB102", _yield_span(fn) or at, function=fn.qualname, path=path, name=fn.name)
        )
    if "nested" in fn.flags or "conditional" in fn.flags:
        out.append(report("PB108", at, function=fn.qualname, path=path, name=fn.name))
    for d in fn.decorators:
        last = d.lstrip("@").split("(")[0].rpartition(".")[2]
        if last not in _DROPPED:
            out.append(
                report(
                    "PB107", at, function=fn.qualname, path=path, name=d.lstrip("@").split("(")[0]
                )
            )
    _, _, errors = parse_all(fn.pragmas)
    for word, why, span in fn.misplaced:
        out.append(report("PB112", span, function=fn.qualname, path=path, word=word, detail=why))
    for e in errors:
        out.append(
            report(
                "PB004",
                e.span or at,
                function=fn.qualname,
                path=path,
                source=source,
                detail=e.message,
            )
        )
    vals = parameter_vals(fn, ())
    collects = {p.name for p in fn.params if p.kind.startswith("var-")}
    for w in wrt:
        if w in collects or is_constant(vals[w].type):
            out.append(report("PB308", at, function=fn.qualname, path=path, name=w))
    return out


def _yield_span(fn: Function) -> Span | None:
    for s in ir.statements(fn.body):
        for e in ir.stmt_exprs(s):
            for n in ir.walk(e):
                if isinstance(n, ir.Opaque) and "yield" in n.kind:
                    return n.origin
        if isinstance(s, ir.Keep) and "yield" in s.text:
            return s.origin
    return None


def diagnostic(p: Problem, fn: Function, source: Source) -> Diagnostic:
    """A problem as the catalogue says it; with fixes where it is in the file at hand, whose text is `source`."""
    values = {
        "construct": "",
        "name": "",
        "parameter": "",
        "reason": "",
        "where": "",
        "detail": "",
        "written": "",
        "other": "",
        "word": "",
        **dict(p.values),
    }
    return report(
        p.code,
        p.span,
        function=fn.qualname,
        places=p.places,
        severity=p.severity or None,
        source=None if fn.module else source,
        path=fn.module or None,
        **values,
    )


def place_of(fn: Function) -> Span:
    """Where to report what concerns the whole function."""
    return fn.name_span or fn.origin or Span(0, 0)
