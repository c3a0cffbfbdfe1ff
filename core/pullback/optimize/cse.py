"""Common subexpressions: what costs something is computed once in a block.

    p = 1.0 / (1.0 + np.exp(-z))             exp_z = np.exp(-z)
    z_bar = p_bar * p * p * np.exp(-z)   ->  p = 1.0 / (1.0 + exp_z)
                                             z_bar = p_bar * p * p * exp_z

Two occurrences are one value while nothing between them changes a variable that they read. A statement
of the user's is changed only where a made statement needs the same value.

May not know: rules, types.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    Function,
    If,
    IfExp,
    Name,
    Return,
    Stmt,
    Tuple,
    children,
    is_expr,
    map_blocks,
    reads,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from .effects import (
    Aliases,
    Pure,
    captured,
    is_new,
    is_pure,
    known_pure,
    names_bound,
    names_stored,
    shared_memory,
    words,
)
from .keys import Keys

_CHEAP = frozenset(
    words("""shape size ndim zeros ones empty full zeros_like ones_like empty_like full_like arange
    asarray array copy reshape transpose ravel float64 float32 int64""")
)


def is_expensive(call: Call) -> bool:
    """Whether computing `call` twice is worth a name: functions of NumPy and math, matrix products."""
    if call.fn == "operator.matmul":
        return True
    module, _, name = call.fn.rpartition(".")
    return module.startswith(("numpy", "math", "scipy")) and name not in _CHEAP


def share_common(
    fn: Function,
    *,
    expensive: Callable[[Call], bool] = is_expensive,
    pure: Pure = known_pure,
    aliases: Aliases | None = None,
) -> Function:
    """`fn` with repeated expensive calls of a block computed once, under a name that tells what it is."""
    taken = _names(fn)
    groups = shared_memory(fn) if aliases is None else aliases
    work = _Work(expensive, pure, groups, taken, captured(fn), _stored(fn, pure))
    body = _block(fn.body, work)
    return fn if body is fn.body else replace(fn, body=body)


@dataclass
class _Work:
    expensive: Callable[[Call], bool]
    pure: Pure
    aliases: Aliases
    taken: set[str]
    pinned: frozenset[str]
    stored: set[str]  # variables whose contents change somewhere
    keys: Keys = field(default_factory=Keys)


def _stored(fn: Function, pure: Pure) -> set[str]:
    out: set[str] = set()
    for s in statements(fn.body):
        stored = names_stored(s, pure)
        out |= _names(fn) if stored is None else stored
    return out


def _names(fn: Function) -> set[str]:
    out = {p.name for p in fn.params}
    for s in statements(fn.body):
        out |= names_bound(s)
        for e in stmt_exprs(s):
            out |= reads(e)
    return out


def _block(block: Block, work: _Work) -> Block:
    out = [map_blocks(s, lambda b: _block(b, work)) for s in block]
    while True:
        new = _shared_once(out, work)
        if new is None:
            break
        out = new
    return unless_same(out, block)


def _shared_once(out: list[Stmt], work: _Work) -> list[Stmt] | None:
    """The block after the first group of equal calls has been shared; None where there is none."""
    seen: dict[int, list[tuple[int, Call]]] = {}
    for i, s in enumerate(out):
        for call in _candidates(s, work):
            seen.setdefault(work.keys.of(call), []).append((i, call))
    groups = [g for g in seen.values() if len(g) > 1]
    for group in sorted(groups, key=lambda g: -_size(g[0][1])):
        for start in range(len(group) - 1):
            run = _unchanged_run(out, group[start:], work)
            if len(run) > 1 and any(out[i].made for i, _ in run):
                return _rewritten(out, run, work)
    return None


def _candidates(s: Stmt, work: _Work) -> list[Call]:
    """The calls that `s` itself surely evaluates once, and that may be shared."""
    out: list[Call] = []
    todo = [] if _hands_on(s, work) else list(reversed(_values(s)))
    while todo:
        e = todo.pop()
        if isinstance(e, Call) and work.expensive(e) and is_pure(e, work.pure):
            if not reads(e) & work.pinned:
                out.append(e)
        if isinstance(e, IfExp):
            todo.append(e.test)
        else:
            todo.extend(reversed(children(e)))
    return out


def _values(s: Stmt) -> tuple[Expr, ...]:
    if isinstance(s, (Assign, AugAssign, Return)):
        return (s.value,) if is_expr(s.value) else ()
    return (s.test,) if isinstance(s, If) and not s.is_elif else ()


def _hands_on(s: Stmt, work: _Work) -> bool:
    """Whether the memory of what `s` computes goes somewhere that is written into later."""
    if isinstance(s, Return) and isinstance(s.value, Tuple):
        return not all(isinstance(e, Name) or is_new(e) for e in s.value.items) or any(
            isinstance(e, Call) and work.expensive(e) for e in s.value.items
        )
    if not isinstance(s, Assign):
        return False
    if is_new(s.value) and not (isinstance(s.value, Call) and work.expensive(s.value)):
        return False
    if not all(isinstance(t, Name) for t in s.targets):
        return not isinstance(s.value, Call)
    names = {other for n in names_bound(s) for other in work.aliases(n) | {n}}
    return bool(names & work.stored)


def _unchanged_run(
    out: list[Stmt], group: list[tuple[int, Call]], work: _Work
) -> list[tuple[int, Call]]:
    """The occurrences from the first on that have its value."""
    run = [group[0]]
    names = reads(group[0][1])
    memory = {other for n in names for other in work.aliases(n)} | names
    for i, call in group[1:]:
        if not all(_keeps(s, names, memory, work) for s in out[run[-1][0] : i]):
            break
        run.append((i, call))
    return run


def _keeps(s: Stmt, names: set[str], memory: set[str], work: _Work) -> bool:
    for t in statements((s,)):
        stored = names_stored(t, work.pure)
        if stored is None or names_bound(t) & names or stored & memory:
            return False
    return True


def _rewritten(out: list[Stmt], run: list[tuple[int, Call]], work: _Work) -> list[Stmt]:
    first, call = run[0]
    s = out[first]
    held = _holder(s, call)
    if held is not None and _lasts(out[first + 1 : run[-1][0]], held, work):
        name, new = held, out[: first + 1]
        rest = first + 1
    else:
        name = _fresh_name(call, work.taken)
        work.taken.add(name)
        new = [*out[:first], Assign((Name(name),), call, s.origin, made=True)]
        rest = first
    where = {i for i, _ in run}
    for i in range(rest, len(out)):
        new.append(_with_name(out[i], call, name, work) if i in where else out[i])
    return new


def _holder(s: Stmt, call: Call) -> str | None:
    """The variable to which `s` assigns just that value, where later statements can read it."""
    if not isinstance(s, Assign) or s.value is not call or len(s.targets) != 1:
        return None
    target = s.targets[0]
    return target.id if isinstance(target, Name) and target.id not in reads(call) else None


def _lasts(between: list[Stmt], name: str, work: _Work) -> bool:
    memory = work.aliases(name) | {name}
    return name not in work.pinned and all(_keeps(s, {name}, memory, work) for s in between)


def _with_name(s: Stmt, call: Call, name: str, work: _Work) -> Stmt:
    """`s` itself (not its blocks) with `name` for each occurrence of `call`."""
    key = work.keys.of(call)

    def change(e: Expr) -> Expr:
        return _named(e, key, name, work)

    if isinstance(s, (Assign, AugAssign)):
        value = change(s.value)
        return s if value is s.value else replace(s, value=value, verbatim=False)
    if isinstance(s, Return) and s.value is not None:
        value = change(s.value)
        return s if value is s.value else replace(s, value=value, verbatim=False)
    if isinstance(s, If) and not s.is_elif:
        test = change(s.test)
        return s if test is s.test else replace(s, test=test, verbatim=False)
    return s


def _named(e: Expr, key: object, name: str, work: _Work) -> Expr:
    if work.keys.of(e) == key:
        return Name(name)
    return rebuild(e, lambda c: _named(c, key, name, work))


def _fresh_name(call: Call, taken: set[str]) -> str:
    """`exp_z` for np.exp(-z), `X_w` for X @ w; a number is added where that is taken."""
    parts = [] if call.fn == "operator.matmul" else [call.fn.rpartition(".")[2]]
    for n in walk(call):
        if isinstance(n, Name) and n.id not in parts and len(parts) < 3:
            parts.append(n.id)
    base = "_".join(parts) if parts else "value"
    name, k = base, 2
    while name in taken or keyword.iskeyword(name) or hasattr(builtins, name):
        name, k = f"{base}{k}", k + 1
    return name


def _size(e: Expr) -> int:
    return sum(1 for n in walk(e) if not isinstance(n, Const))
