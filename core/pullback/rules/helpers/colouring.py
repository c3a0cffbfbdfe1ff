"""Helpers of sparse Jacobians: which columns, or rows, one product may hold together.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .registry import helper

helper('''
def _groups(rows, columns):
    """Places of entries in groups whose columns have no row in common (Curtis, Powell and Reid)."""
    of_column = {}
    for place, column in enumerate(np.asarray(columns).tolist()):
        of_column.setdefault(column, []).append(place)
    groups, taken = [], []
    for places in of_column.values():
        own = set(np.asarray(rows)[places].tolist())
        free = (k for k, held in enumerate(taken) if held.isdisjoint(own))
        k = next(free, len(groups))
        if k == len(groups):
            groups.append([])
            taken.append(set())
        groups[k] += places
        taken[k] |= own
    return [np.array(places) for places in groups]
''')

helper('''
def _check_entries(entries, rows, columns, x_dot, y_dot):
    """Raises where the entries of a matrix, times x_dot, are not y_dot: then it has others, too."""
    want = np.ravel(y_dot)
    made = np.zeros_like(want)
    np.add.at(made, rows, entries * np.ravel(x_dot)[columns])
    close = np.sqrt(np.finfo(entries.dtype).eps)
    size = np.max(np.abs(want), initial=0.0)
    if not np.allclose(made, want, close, close * size, equal_nan=True):
        raise ValueError("the Jacobian is not zero outside rows and columns")
''')
