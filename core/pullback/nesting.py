"""Derivatives that primals take themselves, each made by a derivation of its own.

May not know: text, files, where they are called.
"""

from __future__ import annotations

from dataclasses import replace

from .analysis.types import Type
from .derivation import Derivation
from .nested import Made, Nested, Private, Wanted
from .program import Program
from .transform.dense import COLUMNS
from .transform.request import DENSE


def nested_derivative(program: Program, name: str, nested: Nested, types: tuple[Type, ...]) -> Made:
    """A derivative that a primal takes, made for arguments of these types; its values are asked for too."""
    base = program.nested.asked.get(nested.key)  # the derivative of a derivative
    under = Made({}) if base is None else nested_derivative(program, nested.key, base, types)
    fn = nested.fn if base is None else under.functions.get(nested.key)
    if fn is None:
        return under
    called = name.removeprefix("<helper>.")
    own = program.with_made(under.functions)
    job = Derivation(own, fn, nested.kind, nested.wrt, called, alone=nested.alone, given=types)
    job.by = COLUMNS if nested.kind in DENSE else ""
    made, privates = job.result(private=True)
    if made is None or made.fn is None:
        return Made({}, found=tuple(job.found))
    main = Private(Wanted(nested.kind, nested.key, nested.wrt), fn, replace(made, types=types))
    every = (main, *job.firsts, *privates)
    sources = {*under.sources, nested.key, *job.before, *job.inlined, *job.ruled}
    sources |= {p.wanted.fn for p in privates}
    functions = {
        f"<helper>.{p.made.fn.name}": job.again_differentiable(p) for p in every if p.made.fn
    }
    return Made({**under.functions, **functions}, (*every, *under.privates), frozenset(sources))
