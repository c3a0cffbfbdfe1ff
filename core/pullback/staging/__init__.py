"""Functions written for a compiler: what its language lacks is said in other words, and what cannot be is found.

May not know: how derivatives are made, text.
"""
