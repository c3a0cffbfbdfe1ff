"""Cotangents of containers: zeros, sums and copies to be added to, and the form that a result has.

While it is added to, the cotangent of a tuple is a list, and that of a record a dict.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .registry import helper

helper('''
def _fields(x):
    """The named parts of a dict, a NamedTuple or an object as a dict; None for anything else."""
    if isinstance(x, dict):
        return x
    names = getattr(x, "_fields", None) or getattr(x, "__dataclass_fields__", None)
    if names is None and not isinstance(x, np.ndarray) and not callable(x):
        names = getattr(x, "__dict__", None)
    return None if names is None else {name: getattr(x, name) for name in names}
''')

helper('''
def _zeros_like(x):
    """Zeros for the parts of x, to be added to: in dicts where they have names, in lists elsewhere."""
    fields = _fields(x)
    if fields is not None:
        return {name: _zeros_like(part) for name, part in fields.items()}
    if isinstance(x, (list, tuple)):
        return [_zeros_like(part) for part in x]
    if not isinstance(x, np.ndarray):
        return 0.0
    return np.zeros_like(x, dtype=np.result_type(x, 0.0))
''')

helper('''
def _opened(x_bar):
    """A copy of x_bar whose parts can be added to: in dicts where they have names, in lists elsewhere."""
    fields = _fields(x_bar)
    if fields is not None:
        return {name: _opened(part) for name, part in fields.items()}
    if isinstance(x_bar, (list, tuple)):
        return [_opened(part) for part in x_bar]
    return 0.0 if x_bar is None else 1.0 * x_bar
''')

helper('''
def _plus(x_bar, y_bar):
    """The sum of two cotangents, part by part; y_bar may have fewer names."""
    if isinstance(x_bar, dict):
        changed = {name: _plus(x_bar[name], part) for name, part in y_bar.items()}
        return {**x_bar, **changed}
    if isinstance(x_bar, (list, tuple)):
        return [_plus(*parts) for parts in zip(x_bar, y_bar)]
    return x_bar + y_bar
''')

helper('''
def _restored(x_bar, x):
    """x_bar in containers like those of x; None for parts of x that are not floating."""
    if isinstance(x, (list, tuple)) and not hasattr(x, "_fields"):
        return type(x)(_restored(*parts) for parts in zip(x_bar, x))
    fields = _fields(x)
    if fields is None:
        return x_bar if np.asarray(x).dtype.kind in "fc" else None
    parts = {name: _restored(x_bar[name], part) for name, part in fields.items()}
    if isinstance(x, dict):
        return parts
    if hasattr(x, "_fields") or hasattr(x, "__dataclass_fields__"):
        return type(x)(**parts)
    made = object.__new__(type(x))
    made.__dict__.update(parts)
    return made
''')

helper('''
def _stacked_rows(rows, shape):
    """The cotangents in rows, one for each element of an array of this shape, as arrays with its axes first."""
    fields = _fields(rows[0])
    if fields is not None:
        return {
            name: _stacked_rows([_fields(row)[name] for row in rows], shape)
            for name in fields
        }
    if isinstance(rows[0], (list, tuple)):
        return [_stacked_rows(parts, shape) for parts in zip(*rows)]
    if rows[0] is None:
        return None
    return np.stack(rows).reshape(shape + np.shape(rows[0]))
''')

helper('''
def _fitted(x_bar, x):
    """x_bar with the real part alone of what belongs to real parts of x."""
    fields = _fields(x)
    if fields is not None:
        return {name: _fitted(x_bar[name], part) for name, part in fields.items()}
    if isinstance(x, (list, tuple)):
        return [_fitted(*parts) for parts in zip(x_bar, x)]
    return x_bar if np.iscomplexobj(x) else x_bar.real
''')

helper('''
def _listed(y_bar, xs):
    """The parts of the cotangent of np.array(xs), in lists like those of xs."""
    if not isinstance(xs, (list, tuple)):
        return y_bar
    return [_listed(*parts) for parts in zip(y_bar, xs)]
''')

helper('''
def _chosen(y_bar, xs, y):
    """The cotangent of y = max(xs) or min(xs) for each of xs: those that are y share it."""
    share = [float(x == y) for x in xs]
    return [y_bar * x / sum(share) for x in share]
''')

helper('''
def _as_tangent(x_dot, x):
    """A copy of x_dot in the order of x: dicts where parts have names; zeros for what is None."""
    fields = _fields(x)
    if fields is not None:
        dots = {} if x_dot is None else _fields(x_dot)
        return {
            name: _as_tangent(dots.get(name), part) for name, part in fields.items()
        }
    if isinstance(x, (list, tuple)):
        dots = [None] * len(x) if x_dot is None else x_dot
        return type(x)(_as_tangent(*parts) for parts in zip(dots, x))
    if x_dot is not None:
        return 1.0 * x_dot
    if not isinstance(x, np.ndarray):
        return 0.0
    return np.zeros_like(x, dtype=np.result_type(x, 0.0))
''')

helper('''
def _chosen_dot(xs_dot, xs, y):
    """The tangent of y = max(xs) or min(xs): that of those that are y, in equal parts."""
    chosen = [x_dot for x_dot, x in zip(xs_dot, xs) if x == y]
    return sum(chosen) / len(chosen)
''')

helper('''
def _spread(y_bar, xs):
    """The cotangent of sum(xs) for each of xs."""
    return [_unbroadcast(y_bar, np.shape(x)) for x in xs]
''')
