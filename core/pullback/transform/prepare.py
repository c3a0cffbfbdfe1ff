"""A function made ready to be differentiated: what has a simpler equal is replaced by that, step by step.

Each step gives a function that does the same. Steps that look at facts get those of the function as it is
then; forward mode takes exits, comprehensions and iterables as they are.

May not know: how a derivative is made, text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..analysis.declared import parameter_vals, used
from ..analysis.facts import Facts, Problem, Val
from ..analysis.ranks import with_ranks
from ..analysis.types import Type
from ..ir import Function
from .choices import with_choices_before
from .comprehensions import expansion, has_comprehensions, with_loops
from .desugar import desugar, with_copies, with_numbers, with_own_iterables
from .exits import with_else_behind, with_nested_exits, with_returns_as_breaks
from .fixed_points import with_solutions
from .in_place import with_stores
from .inlining import Inlining
from .iterables import with_sequences
from .makers import has_makers, with_made_functions
from .outputs import filled, returns_values, with_outputs
from .picked import with_known_callees
from .products import has_products, with_nested_loops
from .renaming import with_own_names, with_own_rows, with_own_views
from .request import Request
from .rewrites import has_rewrites, with_plain_calls
from .roots import has_roots, with_roots
from .segments import with_segments
from .targets import with_plain_targets, with_targets_once
from .turn_names import with_own_targets

Inferred = Callable[[Function, dict[str, Val]], Facts]  # the facts of a function for its parameters
FactsOf = Callable[[Function], Facts]  # of a function, for parameters that are settled


@dataclass(frozen=True)
class Prepared:
    """What is differentiated.

    fn       the function in its simplest form, and its `facts`
    written  the function as it is read: with what its calls do, before it was made simpler
    unclear  what its text leaves open of its outputs
    """

    fn: Function
    facts: Facts
    written: Function
    unclear: tuple[Problem, ...]


def prepared(
    fn: Function,
    request: Request,
    types: tuple[Type, ...],
    inferred: Inferred,
    inlining: Inlining,
    add: Callable[[Function], str] | None,
) -> Prepared:
    """`fn` ready for `request`; a private derivative is made for arguments of these `types`.

    `add` makes functions known that state equations which `fn` solves; without it solutions are found as it finds them.
    """
    fn, vals = as_called(fn, request, types, inferred, inlining)

    def facts(f: Function) -> Facts:
        return inferred(f, vals)

    fn = with_own_names(fn, facts(fn).written)
    unclear: tuple[Problem, ...] = ()
    if add is not None:
        fn = with_roots(fn, facts(fn), inlining, add) if has_roots(fn) else fn
        fn, unclear = with_solutions(fn, facts, add)
    written: dict[str, bool] = facts(fn).written
    if not (request.private or request.out):
        written, unfilled = filled(fn, facts(fn))
        unclear = (*unclear, *unfilled)
    plain = fn if request.private else _with_outputs(fn, request, written)
    if request.forward:
        plain = _for_forward(plain, {} if request.private else written, facts)
    else:
        plain, unfit = _for_reverse(plain, written, facts)
        unclear = (*unclear, *unfit)
    return Prepared(plain, facts(plain), fn, unclear)


def as_called(
    fn: Function,
    request: Request,
    types: tuple[Type, ...],
    inferred: Inferred,
    inlining: Inlining,
) -> tuple[Function, dict[str, Val]]:
    """`fn` with what its calls do in their place where they write into what they are passed, and what its parameters
    hold."""
    fn = with_known_callees(fn)
    vals = _parameters(fn, request, types, inferred)
    if has_makers(fn):
        fn = with_made_functions(fn, inferred(fn, vals))
        vals = _parameters(fn, request, types, inferred)
    whole = _with_calls_inlined(fn, lambda f: inferred(f, vals), inlining)
    return (fn, vals) if whole is fn else (whole, _parameters(whole, request, types, inferred))


def facts_as_written(fn: Function, request: Request, inferred: Inferred) -> Facts:
    """What is known of a function before anything in it is replaced."""
    return inferred(fn, _parameters(fn, request, (), inferred))


def _parameters(
    fn: Function, request: Request, types: tuple[Type, ...], inferred: Inferred
) -> dict[str, Val]:
    """What the parameters hold on entry, with what the text of `fn` shows."""
    vals = parameter_vals(fn, request.wrt, types)
    vals = used(vals, inferred(fn, vals))
    return with_ranks(fn, vals, lambda params: inferred(fn, params))


def _with_calls_inlined(fn: Function, facts: FactsOf, inlining: Inlining) -> Function:
    """`fn` with what its calls do that write into their arguments in their place."""
    while True:
        new = inlining.run(fn, facts(fn))
        if new is fn:
            return fn
        fn = new


def _with_outputs(fn: Function, request: Request, written: dict[str, bool]) -> Function:
    """`fn` returning its outputs: those asked for, or what it fills where it returns nothing."""
    if request.out:
        return with_outputs(fn, request.out)
    names = tuple(p.name for p in fn.params if written.get(p.name))
    return fn if returns_values(fn) or not names else with_outputs(fn, names)


def _for_forward(fn: Function, written: dict[str, bool], facts: FactsOf) -> Function:
    fn = with_copies(fn, written, facts(fn), lists=True) if written else fn
    fn = with_nested_loops(fn, facts(fn)) if has_products(fn) else fn
    fn = _without_comprehensions(with_plain_targets(fn), facts)
    fn = with_stores(fn, facts(fn))
    fn = _with_plain_calls(fn, facts)
    fn = with_choices_before(fn, facts(fn), every=False)
    return desugar(fn, facts(fn))


def _for_reverse(
    fn: Function, written: dict[str, bool], facts: FactsOf
) -> tuple[Function, tuple[Problem, ...]]:
    fn = with_copies(fn, written, facts(fn)) if written else fn
    fn = with_nested_loops(fn, facts(fn)) if has_products(fn) else fn
    fn = with_own_views(fn, facts)
    fn = with_own_rows(with_plain_targets(fn), facts)
    fn = with_nested_exits(with_returns_as_breaks(with_else_behind(fn)))
    fn = with_targets_once(_without_comprehensions(fn, facts))
    fn = with_stores(fn, facts(fn))
    fn = _with_plain_calls(fn, facts)
    fn = with_choices_before(fn, facts(fn))
    fn = desugar(fn, facts(fn))
    fn = with_numbers(fn, facts(fn))
    fn = with_sequences(fn, facts(fn))
    known = facts(fn)
    named = with_own_iterables(fn, known)
    return with_segments(with_own_targets(named, known if named is fn else facts(named)))


def _with_plain_calls(fn: Function, facts: FactsOf) -> Function:
    """`fn` without calls that are other calls, written differently."""
    return with_plain_calls(fn, facts(fn)) if has_rewrites(fn) else fn


def _without_comprehensions(fn: Function, facts: FactsOf) -> Function:
    """`fn` with loops for its active comprehensions, those inside others last."""
    if not has_comprehensions(fn):
        return fn
    work = expansion(fn, facts(fn))
    while True:
        new = with_loops(fn, work)
        if new is fn:
            return fn
        fn, work.facts = new, facts(new)
