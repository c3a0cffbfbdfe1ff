"""From the IR to Python source, and into the user's file.

expressions -> forms (how it is spelled), style and parentheses (where it may break), layout (where
it does), statements and function (lines with the spans behind them), spelling (the names of imported modules),
insert (a derivative's place in a file).

May not know: what a derivative is.
"""

from pullback.emit.function import (
    Emitted,
    emit_block,
    emit_expression,
    emit_function,
    indentation,
)
from pullback.emit.spelling import Spelling, respelled

__all__ = [
    "Emitted",
    "Spelling",
    "emit_block",
    "emit_expression",
    "emit_function",
    "indentation",
    "respelled",
]
