"""Helpers of loops that are run again: which states are kept.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .registry import helper

helper('''
def _kept_turns(first, last, free):
    """Where states are kept on the way from turn first to last, and how many places are free there (revolve)."""
    kept = {}
    while free > 0 and first < last:
        kept[first] = free
        count, runs = last - first + 1, 1
        while math.comb(free + runs, free) < count:
            runs += 1
        least = count - math.comb(free + runs - 2, free - 1)
        first += min(math.comb(free + runs - 1, free), least)
        free -= 1
    return kept
''')
