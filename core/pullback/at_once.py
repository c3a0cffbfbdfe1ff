"""Products along several directions at once: the private derivatives of a Jacobian, with an axis of directions.

    _, column = _f_jvp(x, x_dot)      direction by direction
    columns = _f_jvp(x, np.eye(n))    all at once

A tangent's function is made as ever, and gets the axis where all that it does is known to work with one; else the
Jacobian is made direction by direction.

May not know: text, files, how the Jacobian is put together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from .analysis.facts import Val
from .analysis.types import Type
from .ir import Call, Expr, Function
from .nested import Private, Wanted
from .transform.directions import tangents_alone, with_directions
from .transform.finish import calls_of_helpers, optimized
from .transform.prepare import as_called
from .transform.request import Request
from .transform.signature import describe

if TYPE_CHECKING:
    from .derivation import Derivation


def at_once(job: Derivation, wanted: Wanted, name: str, seeds: tuple[str, ...]) -> Private | None:
    """The private derivative `wanted`, called `name`, for `seeds` with an axis of directions, where it can have one."""
    found = [*job.found]
    made = _made(job, wanted, name, seeds)
    job.found = found  # what stands in the way is told where it is made direction by direction
    return made


def _made(job: Derivation, wanted: Wanted, name: str, seeds: tuple[str, ...]) -> Private | None:
    callee, types = job.callee(wanted), job.types(wanted)
    request = job.asked(wanted, name)
    made = job.derived(callee, request, types)
    if made is None or made.fn is None:
        return None
    fn = optimized(made.fn, request, last=False, harmless=job.harmless, narrow=made.narrow)
    paired = wanted.kind == "jvp" and not wanted.product
    fn = tangents_alone(fn) if wanted.kind == "jvp" and wanted.product else fn
    program = job.program.with_made(_called_by(job, fn))
    facts = program.facts(fn, _entry(job, callee, request, seeds, types))
    several = with_directions(
        fn,
        facts,
        seeds,
        lambda call, carries: _called(job, call, carries),
        paired=paired,
        narrow=made.narrow,
    )
    if several is None:
        return None
    whole = replace(several, docstring=describe(callee, request, several=True))
    return Private(wanted, callee, replace(made, fn=whole, types=types))


def _called_by(job: Derivation, fn: Function) -> dict[str, Function]:
    """The private derivatives that `fn` and these call, direction by direction, by the names that call them."""
    out: dict[str, Function] = {}
    todo = [fn]
    while todo:
        called = calls_of_helpers(todo.pop())  # deriving one asks for others
        wanted_of = {name: wanted for wanted, (name, _) in job.private_made.items()}
        for name in sorted(called):
            wanted = wanted_of.get(name)
            if wanted is None or f"<helper>.{name}" in out:
                continue
            callee, types = job.callee(wanted), job.types(wanted)
            made = job.derived(callee, job.asked(wanted, name), types)
            if made is not None and made.fn is not None:
                one = job.again_differentiable(Private(wanted, callee, made))
                out[f"<helper>.{name}"] = one
                todo.append(one)
    return out


def _entry(
    job: Derivation,
    callee: Function,
    request: Request,
    seeds: tuple[str, ...],
    types: tuple[Type, ...],
) -> dict[str, Val]:
    """What the parameters of a tangent's function hold: only the seeds are active, and are as what they are of."""
    program = job.program
    types = program.with_known(callee, types)
    _, vals = as_called(callee, request, types, program.facts, program.inlining())
    still = {name: replace(v, active=False) for name, v in vals.items()}
    moving = {
        seed: Val(vals[w].type, frozenset((f"param {seed}",)), active=True)
        for seed, w in zip(seeds, request.wrt)
    }
    return {**still, **moving}


def _called(job: Derivation, call: Call, carries: Callable[[Expr], bool]) -> str | None:
    """The like of a private derivative for several directions, where all its seeds have them."""
    name = call.fn.removeprefix("<helper>.")
    for wanted, (own, seeds) in job.private_made.items():
        if own == name and not (wanted.product or wanted.many) and wanted.kind == "jvp":
            given = (*call.args[len(call.args) - len(seeds) :],)
            if call.kwargs or not all(map(carries, given)):
                return None
            several = job.several(replace(wanted, many=True))
            return None if several is None else f"<helper>.{several[0]}"
    return None
