"""Programs with loops over rows that are written and over iterators, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

from tests.core.transform.constructs import A, U, V

# name: (text of the function f, arguments)
ITERATION: dict[str, tuple[str, tuple[Any, ...]]] = {
    "rows that are written": (
        """
        def f(A, v):
            # pullback: A: (n, m), v: (n,)
            b = A * 1.0
            for row in b:
                row *= np.sum(row)
            for row, c in zip(b, v):
                row -= c * row[0]
            total = 0.0
            for i, row in enumerate(b):
                total += i * np.sum(row * row)
            return total
        """,
        (A, V),
    ),
    "… in each turn of a loop around": (
        """
        def f(A, n: int):
            # pullback: A: (k, m)
            b = A * 1.0
            for _ in range(n):
                for row in b:
                    row *= row[0]
                for k, row in enumerate(b, 1):
                    row -= np.mean(row) / k
            return np.sum(b * b)
        """,
        (A, 2),
    ),
    "… backwards, with what they are multiplied by beside them": (
        """
        def f(A, v):
            # pullback: A: (n, m), v: (n,)
            b = A * 1.0
            for row in reversed(b):
                row *= row[0]
                b[0] += row
            for k, (row, c) in enumerate(zip(b, v), start=len(v)):
                row[:] = row[::-1] * c * k
            return np.sum(b * b)
        """,
        (A, V),
    ),
    "rows that nothing declares, whose elements are stored": (
        """
        def f(A):
            b = A.copy()
            for row in b:
                row[0] = row[1] * row[0]
                row *= row[0]
            return np.sum(b * b)
        """,
        (A,),
    ),
    "… and those of a matrix of which the shape is asked": (
        """
        def f(A):
            n, m = A.shape
            b = A.copy()
            for i in range(n):
                row = b[i]
                row *= np.sum(row)
            for i in range(1, n):
                row = b[i]
                row += b[i - 1] * row[0]
            return np.sum(b) / m
        """,
        (A,),
    ),
    "a product of ranges": (
        """
        def f(A, w, n: int):
            # pullback: A: (k, m), w: (l,)
            from itertools import product

            total = 0.0
            for i, j in product(range(n), range(A.shape[1])):
                if i == j:
                    continue
                total += A[i, j] * A[0, j] ** 2 * i
            for a, b in product(w, repeat=2):
                total += np.sin(a) * b
            return total
        """,
        (A, U, 3),
    ),
    "… that is left early": (
        """
        def f(x, n: int):
            # pullback: x: (k,)
            import itertools

            total = 0.0
            for i, j in itertools.product(range(n), range(n)):
                total += x[i] * x[j] ** 2
                if j > i:
                    break
            for i, j in itertools.product(range(n), range(n)):
                if i + j == 3:
                    return total * x[j]
                total = total * x[i]
            return total
        """,
        (V, 3),
    ),
    "… whose ranges change, and whose variables are read behind it": (
        """
        def f(x, n: int):
            # pullback: x: (k,)
            from itertools import product

            total = 0.0
            m = n
            for i, j in product(range(n), range(m)):
                total += x[i] * x[j] ** 2
                m = m - 1
            for p, q in product(range(2), range(n)):
                total = total * x[p] + x[q]
            return total * x[p] * x[q]
        """,
        (V, 3),
    ),
    "all indices of an array": (
        """
        def f(A):
            # pullback: A: (n, m)
            n, m = A.shape
            y = np.zeros((n, m))
            for i, j in np.ndindex(n, m):
                y[i, j] = A[i, j] * A[0, j]
            for i, j in np.ndindex(A.shape):
                y[i, j] *= y[0, 0] + A[i, j]
            for k, (i, j) in enumerate(np.ndindex(*A.shape)):
                y[i, j] += A[i, j] * k
            total = 0.0
            for at in np.ndindex((n, m)):
                total += y[at] ** 2
            return total
        """,
        (A,),
    ),
    "pairs and triples": (
        """
        def f(x):
            # pullback: x: (n,)
            from itertools import combinations

            energy = 0.0
            for i, j in combinations(range(len(x)), 2):
                energy += 1.0 / (x[i] - x[j]) ** 2
            for i, j, k in combinations(range(len(x)), 3):
                energy += x[i] * x[j] * x[k] ** 2
            return energy
        """,
        (V,),
    ),
    "functions mapped over arrays": (
        """
        def part(e):
            return e * np.sin(e)

        def f(x, a: float):
            e = a * x[0]
            s = sum(map(lambda e: e * a + x[1], x)) * max(map(abs, x))
            for k, v in enumerate(map(part, x)):
                s = s * 0.5 + v * k
            y = list(map(lambda p, q: p * q, x, x[1:]))
            return s * y[0] * e + sum(map(np.cos, map(part, y)))
        """,
        (V, 0.7),
    ),
}
