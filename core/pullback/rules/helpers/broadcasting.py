"""The machinery's own helpers: undoing broadcasts and reductions whose shapes the text does not tell.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .registry import helper

helper('''
def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar
''')

helper('''
def _check_distinct(index, shape):
    """Raises ValueError where index names an element of an array of this shape twice: one stays."""
    items = []
    for item in index if isinstance(index, tuple) else (index,):
        if np.asarray(item).dtype == bool:
            items += np.nonzero(item)
        elif item is not None:
            items.append(item)
    chosen, axis = [], 0
    for k, item in enumerate(items):
        if item is ...:
            axis = k - len(items)
        elif not isinstance(item, slice):
            chosen.append(np.asarray(item) % shape[axis])
        axis += 1
    if chosen:
        chosen = np.stack(np.broadcast_arrays(*chosen)).reshape(len(chosen), -1)
        if np.unique(chosen, axis=1).shape != chosen.shape:
            raise ValueError(
                "a statement stores an element twice: only the last one stays"
            )
''')

helper('''
def _unreduced(y_bar, axis, keepdims):
    """y_bar with the axes that a reduction took away put back with length 1."""
    return y_bar if keepdims or axis is None else np.expand_dims(y_bar, axis)
''')
