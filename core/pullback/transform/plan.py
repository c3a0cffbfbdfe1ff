"""What is decided about the values that the backward pass needs, while it is being decided.

May not know: how it is decided, how it is written down.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from ..analysis.flow import BlockKey
from ..ir import Expr, Name, Stmt, rebuild, walk
from .context import Context

Place = tuple[BlockKey, int]  # before the statement of that index in that block
Version = tuple[str, Hashable]  # a variable and which of its values
SAVED = "\1"  # stands for the name of a saved version until all are known


@dataclass
class Plan:
    """What the forward pass gets, and what each hole becomes.

    inserts      statements before the one at a place of the forward pass
    restores     statements that begin the backward pass of a block
    temporaries  statement -> subexpression -> the name that holds it
    remade       the statements of loops that are run again, by what stands for them in the backward code
    records      False for the first run of such a loop, of which nothing is recorded
    """

    filled: dict[str, Expr] = field(default_factory=dict)
    inserts: dict[Place, list[Stmt]] = field(default_factory=dict)
    restores: dict[BlockKey, list[Stmt]] = field(default_factory=dict)
    temporaries: dict[int, dict[int, str]] = field(default_factory=dict)
    remade: dict[str, tuple[Stmt, ...]] = field(default_factory=dict)
    records: bool = True


@dataclass
class Maker:
    """The plan in the making: what was asked for so far.

    needs     the versions of variables that must be saved, with the places that need them
    names     a stand-in for the name of each, until all that need it are known
    again     versions that are computed again where their block begins: the statement and its expression
    hoisted   the temporary that holds an expression at a statement, and `hoist_nodes` in full, with sizes
    own_name  variables whose own name one saved version has taken, and `stays` those that none may take
    """

    ctx: Context
    plan: Plan
    needs: dict[Version, list[tuple[Stmt, str]]] = field(default_factory=dict)
    names: dict[Version, str] = field(default_factory=dict)
    again: dict[Version, tuple[Stmt, Expr]] = field(default_factory=dict)
    hoisted: dict[tuple[int, Expr], str] = field(default_factory=dict)
    hoist_nodes: list[tuple[Stmt, Expr, str, int]] = field(default_factory=list)
    recorded: set[str] = field(default_factory=set)  # temporaries that the backward pass reads
    own_name: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)  # variables that the backward pass reads anyway
    stays: set[str] = field(default_factory=set)
    last: set[str] = field(default_factory=set)  # arrays whose elements are read as they were left


def with_names(e: Expr, names: dict[int, str]) -> Expr:
    """`e` with the subexpressions that temporaries hold replaced by their names."""
    return rebuild(e, lambda c: Name(names[id(c)]) if id(c) in names else with_names(c, names))


def size_of(e: Expr) -> int:
    return sum(1 for _ in walk(e))
