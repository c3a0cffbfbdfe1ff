"""Functions that what is staged for TensorFlow calls where an expression will not do, put above it as they are.

May not know: the IR, TensorFlow.
"""

from __future__ import annotations

HELPERS = {
    "_put": '''
def _put(x, index, value):
    """x with value in the part that index, of numbers and slices, selects."""
    value, part = tf.cast(tnp.asarray(value), x.dtype), x[index]
    if not value.shape.is_fully_defined() or value.shape != part.shape:
        value = tf.broadcast_to(value, tf.shape(part))
    begin, end, step = [], [], []
    first = last = single = 0
    for axis, i in enumerate(index if isinstance(index, tuple) else (index,)):
        if isinstance(i, slice):
            first |= (i.start is None) << axis
            last |= (i.stop is None) << axis
            i = (i.start or 0, i.stop or 0, i.step or 1)
        else:
            i = tf.cast(i, tf.int64) if tf.is_tensor(i) else i
            single |= 1 << axis
            i = (i, i, 1)  # where an axis goes, TensorFlow finds the end itself
        for ends, k in zip((begin, end, step), i):
            ends.append(k)
    return tf.raw_ops.TensorStridedSliceUpdate(
        input=x,
        begin=tf.convert_to_tensor(begin, tf.int64),
        end=tf.convert_to_tensor(end, tf.int64),
        strides=tf.convert_to_tensor(step, tf.int64),
        value=value,
        begin_mask=first,
        end_mask=last,
        shrink_axis_mask=single,
    )
''',
    "_dtype": '''
def _dtype(*values):
    """The type that NumPy computes with for what these are or hold: of single precision where all have that."""
    return tnp.result_type(*map(tnp.asarray, tf.nest.flatten(values)), tf.float32)
''',
    "_tensors": '''
def _tensors(value, dtype):
    """value, or what a container holds, as tensors of that type."""
    return tf.nest.map_structure(lambda part: tnp.asarray(part, dtype), value)
''',
    "_items": '''
def _items(value):
    """What a loop goes through: the rows of a tensor, the parts of a container."""
    return tf.unstack(value) if tf.is_tensor(value) else value
''',
    "_places": '''
def _places(index, n):
    """Places on an axis of length n, negative ones counted from its end."""
    index = tnp.asarray(index)
    if index.dtype == tf.bool:
        raise IndexError("how many elements a mask selects is only known when it runs")
    index = tf.cast(index, tf.int64)
    return tf.where(index < 0, index + n, index)
''',
    "_put_rows": '''
def _put_rows(x, index, value, put=tf.tensor_scatter_nd_update):
    """x with value put where index selects along the first axis."""
    index = _places(index, x.shape[0])
    value = tf.cast(tnp.asarray(value), x.dtype)
    return put(x, index[..., None], tf.broadcast_to(value, index.shape + x.shape[1:]))
''',
}
_CALLED = {"_put_rows": ("_places",)}


def helper_texts(names: set[str]) -> dict[str, str]:
    """The helpers of these names and those that they call, called ones first."""
    needed = names | {n for name in names for n in _CALLED.get(name, ())}
    return {name: text for name, text in HELPERS.items() if name in needed}
