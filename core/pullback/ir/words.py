"""Names of modules inside of code that is kept as text.

What a piece of text says of its module's globals holds in that module alone. Where the code goes elsewhere,
each such name becomes one word that holds its absolute name, and stays a name to whoever reads the text;
the emitter spells it as the module writes it that the code goes to.

May not know: what a name means, how a module writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_MARK = "\u01c0"  # a letter to Python, and to nobody who names things
_WORD = re.compile(rf"{_MARK}(\w+)")


def word(qualname: str) -> str:
    """The word for an absolute name."""
    return _MARK + qualname.replace(".", _MARK)


def qualname_of(name: str) -> str | None:
    """The absolute name in a word; None for what is no such word."""
    return name[1:].replace(_MARK, ".") if name.startswith(_MARK) else None


def spelled(text: str, spell: Callable[[str], str]) -> str:
    """`text` with its words spelled."""
    if _MARK not in text:
        return text
    return _WORD.sub(lambda found: spell(found[1].replace(_MARK, ".")), text)
