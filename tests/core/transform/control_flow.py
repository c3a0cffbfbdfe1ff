"""Programs with jumps, choices and targets as people write them, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

from tests.core.transform.constructs import V, W

# name: (text of the function f, arguments)
CONTROL_FLOW: dict[str, tuple[str, tuple[Any, ...]]] = {
    "the else of a loop that may break": (
        """
        def f(a: float):
            for i in range(5):
                a = a * 1.3
                if a > 1.5:
                    break
            else:
                a = a * a
            return a
        """,
        (0.7,),
    ),
    "… that does not": (
        """
        def f(a: float):
            for i in range(3):
                a = a * 0.9
                if a > 1.5:
                    break
            else:
                a = a * a
            return a
        """,
        (0.7,),
    ),
    "the else of a while loop": (
        """
        def f(a: float, b: float):
            k = 0
            while k < 4:
                k += 1
                if b > 0.5:
                    continue
                a = a * b
                if a < 0.01:
                    break
            else:
                a = a * a + b
            return a
        """,
        (0.7, 0.4),
    ),
    "the else of loops in loops, and a return": (
        """
        def f(x, b: float):
            # pullback: x: (n,)
            s = 0.0
            for i in range(len(x)):
                for j in range(len(x)):
                    if x[j] > 1.0:
                        s = s + x[i] * b
                        break
                    if i == 3:
                        return s * s
                else:
                    s = s * b
                    continue
                if i == 2:
                    break
            else:
                s = 2.0 * s
            return s
        """,
        (V, 0.4),
    ),
    "elements swapped": (
        """
        def f(x):
            # pullback: x: (n,)
            u = x * x
            u[0], u[1] = u[1], u[0] * x[2]
            u[2], b = x[0] * u[0], u[2]
            return np.sum(u * x) * b
        """,
        (V,),
    ),
    "elements swapped where they are out of order": (
        """
        def f(x):
            # pullback: x: (n,)
            for i in range(len(x)):
                for j in range(len(x) - 1 - i):
                    if x[j] > x[j + 1]:
                        x[j], x[j + 1] = x[j + 1], x[j]
            return x[0] * 1.0 + x[1] * x[2] * 2.0
        """,
        (V,),
    ),
    "one array under two names": (
        """
        def f(x):
            # pullback: x: (m,)
            a = b = np.zeros(4)
            a[0] = b[1] = x[0] * x[1]
            c = a[2] = x[2]
            b[3:] = x[3:] * x[:1]
            a *= 2.0
            return np.sum(a * b) * c
        """,
        (V,),
    ),
    "targets inside targets": (
        """
        def f(x, y: float):
            # pullback: x: (m,)
            u = x.copy()
            v = x * y
            (u, v), w = (v, u), y * y
            u[0], (b, v[1]) = y, (u[1], w)
            return np.sum(u * v) * b
        """,
        (V, 0.3),
    ),
    "results of a call stored into elements": (
        """
        def g(a):
            return a * a, 2.0 * a


        def f(x):
            # pullback: x: (m,)
            u = np.zeros(4)
            u[0], b = g(x[1])
            u[1:3], u[3] = x[:2], b
            return np.sum(u * u)
        """,
        (V,),
    ),
    "slices swapped through views": (
        """
        def f(x):
            # pullback: x: (m,)
            u = x.copy()
            v = x * 2.0
            u[:2], v[:2] = v[:2], u[:2]
            return np.sum(u * x) + np.sum(v * v * x)
        """,
        (V,),
    ),
    "a break in an arm that may go on": (
        """
        def f(x: float, n: int):
            for i in range(n):
                if x > 1.0:
                    x = x * 0.7
                    if x > 2.0:
                        break
                x = x * 1.5
            return x
        """,
        (0.8, 5),
    ),
    "breaks and continues at all depths": (
        """
        def f(x: float, y: float, n: int):
            for i in range(n):
                if x > 1.0:
                    x = x * 0.7
                    if x > 1.2:
                        continue
                    x = x * y
                    if i == 4:
                        break
                elif y > 0.0:
                    y = y * x
                    if i == 1:
                        y = y + x
                        continue
                else:
                    y = x
                x = x * 1.5
                if y > 3.0:
                    if x > 0.5:
                        return x * y
                    y = 0.5 * y
                y = y + 0.1 * x
            return x
        """,
        (0.8, 0.9, 6),
    ),
    "what stands behind a jump": (
        """
        def f(x: float, n: int):
            for i in range(n):
                x = x * 1.1
                if i == 3:
                    break
                    x = 3.0
                continue
                x = 2.0
            return x
        """,
        (0.8, 6),
    ),
    "a return in an else": (
        """
        def f(x, t: float):
            # pullback: x: (n,)
            for i in range(3):
                for j in range(len(x)):
                    t = t + x[j] * x[i]
                    if t > 1.6:
                        break
                else:
                    return t * t
                t = 0.5 * t
            return t
        """,
        (V, 0.8),
    ),
    "an else that only a return leaves out": (
        """
        def f(x, t: float):
            # pullback: x: (n,)
            for i in range(3):
                t = t + x[i]
                if t > 5.0:
                    return t
            else:
                t = t * t
            return t
        """,
        (V, 0.8),
    ),
    "conditional expressions inside expressions": (
        """
        def f(a: float, b: float):
            y = a * (b if a > 0.5 else a * a) + (a if b > 1.0 else (b if a < 0.2 else a * b))
            return y * y
        """,
        (0.7, 0.4),
    ),
    "… as arguments, in a return": (
        """
        def f(a: float, b: float):
            return math.sin(b if a > 0.5 else a) + max(a, b if b > 0.0 else -b)
        """,
        (0.7, 0.4),
    ),
    "… in what is stored": (
        """
        def f(x):
            # pullback: x: (n,)
            u = np.zeros(4)
            for i in range(4):
                u[i] = x[i] * (x[i - 1] if i > 0 else 1.0)
                u[0] += 0.5 * (x[i] if x[i] > 0.25 else x[0] * x[1])
            return np.sum(u * u)
        """,
        (V,),
    ),
    "… whose other arm would fail": (
        """
        def f(x, i: int):
            # pullback: x: (n,)
            s = 0.0
            for k in range(6):
                s += x[0] * (x[k] if k < len(x) else x[k - 4] * s)
            return s
        """,
        (V, 1),
    ),
    "… in a display": (
        """
        def f(a: float, b: float):
            v = np.array([a, b if a > 0.3 else 1.0, (a or b) * 2.0])
            return np.sum(v * v)
        """,
        (0.7, 0.4),
    ),
    "and and or as values": (
        """
        def f(a: float, b: float, z: int):
            y = (z and a) or b
            w = z or a or b
            q = 2.0 * (a and b and (b if a > 0.0 else a))
            return y * w * q + a
        """,
        (0.7, 0.4, 0),
    ),
    "chained comparisons": (
        """
        def f(a: float, b: float):
            y = a * b
            if 0.0 < a < 1.0 < 2.0:
                y = y * (a if -1.0 < b < 0.5 else b)
            return y
        """,
        (0.7, 0.4),
    ),
    "… inside the arm of another": (
        """
        def f(a: float, b: float):
            y = a * (b if b > 0.5 else 2.0 * b) if a > 0.5 else a
            return y
        """,
        (0.7, 0.4),
    ),
    "… of arrays": (
        """
        def f(x, y, flag: bool):
            # pullback: x: (n,), y: (n,)
            z = np.sum((x if flag else y) * (y[1:] if not flag else x[:1]))
            return z * z
        """,
        (V, W, True),
    ),
    "… around calls": (
        """
        def g(a, b):
            return a * b


        def f(a: float, b: float):
            return g(a if a > 0.2 else b, b) * (g(a, a) if b > 0.0 else 1.0)
        """,
        (0.7, 0.4),
    ),
    "a loop over one of two arrays": (
        """
        def f(x, y, flag: bool):
            # pullback: x: (n,), y: (n,)
            s = 1.0
            for e in (x if flag else y):
                s = s * (1.0 + e)
            return s
        """,
        (V, W, True),
    ),
    "… in a while loop": (
        """
        def f(a: float, b: float):
            k = 0
            while k < 3:
                a = 0.5 * (a + (b if a < b else a * b))
                k += 1
                b -= 0.1 * (a if k % 2 else b)
            return a
        """,
        (0.7, 0.4),
    ),
    "match with a guard": (
        """
        def f(x: float, m: int):
            match m:
                case 0:
                    y = x
                case 1 | 2:
                    y = x * x
                case n if n > 5:
                    y = n * x
                case _:
                    y = x ** 3
            return y * y
        """,
        (0.7, 7),
    ),
    "match in a loop that is left": (
        """
        def f(x, ops):
            # pullback: x: (n,)
            s = 1.0
            for i in range(len(x)):
                match i % 3:
                    case 0:
                        continue
                    case 1 as k:
                        s = s * x[i] + k
                    case _:
                        s = s + x[i] * s
                        if s > 2.5:
                            break
            return s
        """,
        (V, 0),
    ),
    "match on None": (
        """
        def f(x: float, m):
            match m:
                case None:
                    x = x * x
                case True | "a":
                    x = 2.0 * x
            return x
        """,
        (0.7, None),
    ),
    "statements inside a context": (
        """
        def f(x, n: int):
            # pullback: x: (n,)
            with np.errstate(all="ignore"):
                # inside
                y = x * x
                z = np.sin(y) / y
            return np.sum(z * y)
        """,
        (V, 3),
    ),
    "a return inside a context": (
        """
        def f(x: float, n: int):
            with np.errstate(all="ignore"):
                if x > 2.0:
                    return x * x
                y = x * x * x
                return y * x
        """,
        (0.7, 3),
    ),
    "jumps inside contexts": (
        """
        def f(x: float, n: int):
            for i in range(n):
                with np.errstate(divide="ignore"), np.errstate(over="ignore"):
                    x = x * 1.3
                    if i == 1:
                        continue
                    if x > 1.6:
                        break
                x = x * x
            return x
        """,
        (0.9, 5),
    ),
    "a context that gives a value": (
        """
        def f(x: float, n: int):
            with np.errstate(all="ignore") as old:
                y = np.exp(x)
                with np.printoptions(precision=2):
                    y = y * y
            return y + x
        """,
        (0.9, 5),
    ),
    ":= in the test of a loop, whose turns end in several ways": (
        """
        def f(x: float, n: int):
            k = 0
            total = 0.0
            while (y := x * 0.7**k) > 0.1 and k < n:
                k += 1
                if k == 2:
                    continue
                for j in range(3):
                    if j == 1:
                        continue
                    total += y * x
                if total > 9.0:
                    break
                total = total * y
            else:
                total = total + y * y
            return total * y
        """,
        (0.9, 5),
    ),
    ":= where it may be left out": (
        """
        def f(x: float, n: int):
            y = x
            if n > 9 and (y := x * x) > 0.0:
                return y
            elif n < 9 and (x < 0.0 or (y := y * x) > 0.1) and (z := y * y) > 0.0:
                y = z * y
            return y * (z if n < 9 else (z := x)) + (0.1 < x < (u := x * x + 1.0)) * y
        """,
        (0.9, 5),
    ),
    ":= behind what it changes": (
        """
        def f(x: float, n: int):
            y = x * x
            z = y * (y := np.sin(y)) + np.exp(y) * (y := y * x)
            z += (y := y * z)
            values = [y, (y := y * y), y]
            return values[0] * values[1] + values[2] * z
        """,
        (0.9, 5),
    ),
    ":= beside calls that write": (
        """
        def bump(v):
            v[0] = v[0] * v[1]
            return v[0]

        def f(x, n: int):
            # pullback: x: (k,)
            v = x.copy()
            y = v[0] * (z := bump(v))
            for u in (w := v * z):
                y += u * z
            return y * w[1]
        """,
        (V, 5),
    ),
    ":= in a statement of its own, and in what is assigned to": (
        """
        def f(x, n: int):
            # pullback: x: (k,)
            y = x.copy()
            (z := y[0] * y[1])
            y[(k := 0)] = z * y[1]
            for i in range(n):
                y[(k := k + i % 2)] *= y[k - 1] * (z := z * y[k])
            return y[k] * y[0]
        """,
        (V, 3),
    ),
}
