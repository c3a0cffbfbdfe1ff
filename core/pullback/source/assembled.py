"""What is known of a module as a whole, put together from what each of its statements says.

An edit changes what one statement says, and most edits not even that: a body that is typed into binds the
names that it bound before. So the parts are asked of the edited statement alone, and where they are as they
were, the whole is the very object that it was.

A whole names statements by their number, never by their place: places change with every keystroke.

May not know: what is put together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

from .edits import common_ends
from .module import Module, Parsed

Part = TypeVar("Part")
Whole = TypeVar("Whole")


@dataclass(frozen=True)
class _Assembled:
    statements: tuple[Parsed, ...]
    parts: list[object]
    given: object
    whole: object


def assembled(
    module: Module,
    key: str,
    part: Callable[[Parsed], Part],
    whole: Callable[[list[Part]], Whole],
    given: object = None,
) -> Whole:
    """whole([part(s) for each statement s]), made again only where a part or `given` has changed.

    A part depends on its statement's text and on `given` alone, is told from others by ==, and is not
    changed by `whole`.
    """
    statements = module.statements
    known = module.memory.get(key)
    if not isinstance(known, _Assembled) or known.given is not given:
        parts = [part(s) for s in statements]
        made = whole(parts)
    elif known.statements is statements:
        return cast(Whole, known.whole)
    else:
        head, tail = common_ends(known.statements, statements)
        parts = cast(list[Part], known.parts)
        made = cast(Whole, known.whole)
        new = [part(s) for s in statements[head : len(statements) - tail]]
        if new != parts[head : len(parts) - tail]:
            parts = [*parts[:head], *new, *parts[len(parts) - tail :]]
            made = whole(parts)
    module.memory[key] = _Assembled(statements, cast(list[object], parts), given, made)
    return made
