"""A derivative as it is shown: the passes of the optimizer over what either mode made.

May not know: facts, how derivatives are made.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from ..ir import Call, Function, Stmt, reads, statements, stmt_exprs, walk
from ..optimize.copies import drop_copies
from ..optimize.cse import share_common
from ..optimize.dead import remove_dead
from ..optimize.effects import known_pure
from ..optimize.first_stores import store_first
from ..optimize.inline import inline_single_use
from ..optimize.literals import literals_where_read
from ..optimize.one_tape import one_tape_a_loop
from ..optimize.one_value import name_single_values
from ..optimize.tidy import tidy
from ..optimize.unread import name_unread
from ..rules.helpers import TEXTS
from .narrow import with_made
from .request import Request


def optimized(
    fn: Function,
    request: Request,
    watch: Callable[[str, Function], None] = lambda name, fn: None,
    *,
    last: bool = True,
    harmless: Callable[[str], bool] = lambda fn: False,
    narrow: AbstractSet[str] = frozenset(),
) -> Function:
    """Dead code away, common subexpressions shared, temporaries moved to their one use.

    `watch` is shown the function after each pass. What is not the `last` form but is differentiated again keeps
    its tapes apart. `harmless` says of a workspace function that calling it does nothing but give its result.
    The variables `narrow` may hold something that is not floating.
    """

    def pure(call: Call) -> bool:
        if call.fn.startswith("<helper>."):
            return "_check_" not in call.fn
        return known_pure(call) or harmless(call.fn)

    results = {f"{w}_bar" for w in request.wrt}
    users = {n for s in statements(fn.body) for n in _user_names(s)}

    def may_inline(name: str) -> bool:
        return name in results or not (
            name.rpartition("_")[0] in users and name.endswith(("_bar", "_dot"))
        )

    # what goes backwards leaves its arguments as they were; a tangent is written beside its primal
    seen = None if request.kind == "jvp" else set[str]()
    passes: list[tuple[str, Callable[[Function], Function]]] = [
        ("tapes of one value", lambda f: name_single_values(f, pure)),
        ("dead code", lambda f: remove_dead(f, pure, visible=seen)),
        ("common subexpressions", lambda f: share_common(f, pure=pure)),
        (
            "temporaries with one use",
            lambda f: inline_single_use(f, may_inline, pure=pure, narrow=with_made(f, narrow)),
        ),
        ("copies", lambda f: drop_copies(f, may_inline, pure=pure)),
        ("literals where they are read", lambda f: literals_where_read(f, pure, narrow)),
        ("dead code again", lambda f: remove_dead(f, pure, visible=seen)),
        ("what is not read", name_unread),
        ("first stores", store_first),
        ("tidying", tidy),
    ]
    if last:
        passes.append(("one tape a loop", lambda f: one_tape_a_loop(f, pure)))
    for name, run in passes:
        fn = run(fn)
        watch(name, fn)
    return fn


def _user_names(s: Stmt) -> set[str]:
    if getattr(s, "made", False):
        return set()
    out: set[str] = set()
    for e in stmt_exprs(s):
        out |= reads(e)
    return out


def calls_of(fn: Function) -> set[str]:
    """The resolved names of the functions that one calls."""
    every = (e for s in statements(fn.body) for top in stmt_exprs(s) for e in walk(top))
    return {e.fn for e in every if isinstance(e, Call)}


def calls_of_helpers(fn: Function | None) -> set[str]:
    """The private functions that a generated one calls."""
    called = set() if fn is None else calls_of(fn)
    return {name.removeprefix("<helper>.") for name in called if name.startswith("<helper>.")}


def called_helpers(fn: Function | None) -> set[str]:
    """The helpers that a generated function calls: those of the gradient, where that is differentiated."""
    return calls_of_helpers(fn) & set(TEXTS)
