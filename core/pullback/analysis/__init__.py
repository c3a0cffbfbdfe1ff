"""Facts about one function, kept beside the tree: types and shapes, memory, activity, flow.

May not know: how a derivative is written.
"""
