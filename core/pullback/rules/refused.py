"""Functions without a rule, each with the reason that the diagnostic shows.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import unsupported

unsupported("numpy.roots", "the roots of a polynomial meet and part, where they have no derivative")
