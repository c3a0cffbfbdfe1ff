"""Functions that are staged as live ones.

May not know: how anything is staged.
"""


def settle(x: float, n: int):
    y = x
    for _ in range(n):
        if y > 1.0:
            y = y * 0.5
        else:
            y = y * x
    return y


def depth(n: int):
    return 0 if n < 2 else 1 + depth(n // 2)
