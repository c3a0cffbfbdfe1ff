"""A loop whose path depends on the value that it computes."""


def settle(x: float, n: int):
    y = x
    for i in range(n):
        if y > 1.0:
            y = y * 0.5
        else:
            y = y * x
    return y
