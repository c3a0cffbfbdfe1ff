"""What the languages of tracing compilers say differently, as data: names, calls, writes, branches and loops.

All that comes before is the same for them: what is static, what is passed on, which turns take place.

May not know: how statements are walked, text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..analysis.types import Type
from ..ir import Assign, AugAssign, Call, Expr, Function, Stmt
from .static import Static

if TYPE_CHECKING:
    from .passing import Branch, Loop, Staging
    from .words import Words

NUMPY = "numpy."
Pair = tuple[Expr, ...]


@dataclass(frozen=True)
class Backend:
    """One language. Callables are given an expression as it was, whose facts are known, and as it is now.

    `typed`: what branches and turns pass on has to be an array already, of one type on all ways
    `stops`: a loop that counts ends with a flag too, and reverse mode passes loops whose turns only the run counts
    """

    title: str
    decorator: Callable[[tuple[str, ...]], str]  # of a function with these static parameters
    array: str  # where NumPy's functions are, under their own names
    names: Mapping[str, str]  # functions with another name, both in full
    modules: Mapping[str, str]  # what names of modules begin with, here and there
    has: Callable[[str], bool]  # whether a function of NumPy's is there
    known: Callable[
        [Expr, Static], Expr
    ]  # what is static, where forms of arrays are asked otherwise
    alike: Callable[[Words, Pair, Pair], Pair]  # two operands
    said: Callable[[Words, Call, Call], Expr | None]  # a call that has another form
    stored: Callable[
        [Staging, Assign, Expr], Stmt | None
    ]  # a store into a part, its value as it was
    updated: Callable[[Staging, AugAssign, Expr], Stmt | None]
    branch: Callable[[Branch], Expr]
    choice: str  # between two numbers that are both there
    counted: Callable[[Staging, Loop], list[Stmt]]
    open: Callable[[Staging, Loop], list[Stmt]]
    passed: Callable[
        [Words, Expr, bool, Type, str], Expr
    ]  # a value, which may be a number of Python's
    opening: Callable[[Words, Function], list[Stmt]]  # what a function begins with
    parts: Callable[
        [Words, Expr, Expr], Expr
    ]  # what a loop of Python's goes through, or is unpacked
    truth: Callable[[Words, Expr, Expr], Expr]  # what decides a branch
    typed: bool = False
    stops: bool = False
