"""Small programs about containers, one for each way to use one, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

import numpy as np

W = np.array([[0.3, -0.5], [0.2, 0.7]])
B = np.array([0.1, -0.4])
X = np.array([0.6, -1.1])
V = np.array([0.3, -0.7, 1.1, 0.4])
LAYERS = [(W, B), (W.T * 0.5, B + 1.0)]
PARAMS = {"first": {"w": W, "b": B}, "second": {"w": W * 2.0, "b": B - 0.3}}


class Made(tuple[Any, ...]):
    """A class of the program by name, and the arguments of its constructor."""


def instance(a: Any, space: dict[str, Any]) -> Any:
    """An argument, with objects of the program's own classes where they are asked for."""
    if isinstance(a, Made):
        return space[a[0]](*(instance(p, space) for p in a[1:]))
    if isinstance(a, dict):
        return {k: instance(p, space) for k, p in a.items()}
    return type(a)([instance(p, space) for p in a]) if isinstance(a, (list, tuple)) else a


# name: (text of the function f, arguments)
CONTAINERS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a dict with another part": (
        """
        def f(d: dict, s: float):
            e = {**d, "b": d["b"] * s, "c": d["a"] * 2.0}
            for _ in range(2):
                d = {**d, "a": d["a"] * e["b"]}
            return np.sum(e["a"] * e["b"] * e["c"]) * e["n"] + np.sum(d["a"])
        """,
        ({"a": B, "b": X, "name": "one", "n": 3}, 0.7),
    ),
    "parts that a dict may not have": (
        """
        def f(d: dict, x):
            w, v = d.get("w", x), d.get("v", x * 2.0)
            sums = {}
            for i in range(4):
                sums[i % 2] = sums.get(i % 2, 0.0) + w[i % 2] * v[0] * i
            return sums[0] * sums[1]
        """,
        ({"w": B}, X),
    ),
    "the keys of a dict in a dict": (
        """
        def f(p: dict, x):
            s = 1.0
            for k in p["first"]:
                s = np.sin(s * p["first"][k] * x[0])
            return s
        """,
        ({"first": {"w": 0.4, "b": 0.7}, "rate": 0.2}, X),
    ),
    "the keys of a dict in order": (
        """
        def f(p: dict):
            s = 1.0
            for k in sorted(p):
                s = np.sin(s * p[k])
            for k in sorted(p.keys(), reverse=True):
                s = np.cos(s * p[k])
            return s
        """,
        ({"w": 0.4, "b": 0.7},),
    ),
    "dicts in a list of which nothing is said": (
        """
        def f(layers, x):
            for k, layer in enumerate(layers[:-1]):
                x = np.tanh(layer["w"] @ x + layer["b"] * k)
            return np.sum(layers[-1]["w"] @ x) + layers[-1]["b"][0]
        """,
        ([{"w": W, "b": B}, {"w": W * 2.0, "b": B}], X),
    ),
    "a dict": (
        """
        def f(params, x):
            return np.tanh(params["w"] @ x + params["b"]) * params["scale"]
        """,
        ({"w": W, "b": B, "scale": 0.7, "name": "one", "steps": 3}, X),
    ),
    "a part that takes the name of its dict": (
        """
        def f(p: dict):
            s = 0.0
            for k, p in p.items():
                s = s * p + p ** 2
            return s
        """,
        ({"a": 0.5, "b": 0.7},),
    ),
    "a part that takes the name of its annotated container": (
        """
        def f(p: dict, q: list):
            p = p["w"]
            for q in q:
                p = p * q + q ** 2
            return np.sum(p ** 2)
        """,
        ({"w": X}, [B, X]),
    ),
    "an array of the caller's dict is multiplied": (
        """
        def f(d, c):
            d["a"] *= c
            d["c"] = d["a"] + d["b"]
            return np.sum(d["c"] ** 2)
        """,
        ({"a": X, "b": B}, 2.0),
    ),
    "an array of the caller's list is added to": (
        """
        def f(xs: list[np.ndarray], c: float):
            for _ in range(2):
                xs[0] *= c
                xs[1] += np.sin(xs[0] * xs[1])
            return np.sum(xs[0] * xs[1])
        """,
        ([X, B], 2.0),
    ),
    "a record made where it is returned": (
        """
        class State(NamedTuple):
            x: np.ndarray
            v: np.ndarray


        def f(s: State, dt: float):
            v = s.v - dt * s.x
            return State(s.x + dt * v, v)
        """,
        (Made(("State", X, B)), 0.3),
    ),
    "… replaced in part, beside an array": (
        """
        class State(NamedTuple):
            x: np.ndarray
            n: int


        def f(s: State):
            return s._replace(x=np.sin(s.x)), s.x * 2.0
        """,
        (Made(("State", X, 3)),),
    ),
    "an object of a plain class": (
        """
        class Layer:
            def __init__(self, w, b, name):
                self.w = w
                self.b = b
                self.name = name


        def f(p, x):
            return np.tanh(p.w @ x + p.b)
        """,
        (Made(("Layer", W, B, "first")), X),
    ),
    "an object of a plain class, annotated, in a list": (
        """
        class Layer:
            def __init__(self, w, b):
                self.w = w
                self.b = b


        def step(p: Layer, x):
            return np.tanh(p.w @ x + p.b)


        def f(layers: list[Layer], x):
            for p in layers:
                x = step(p, x)
            return x
        """,
        ([Made(("Layer", W, B)), Made(("Layer", W.T, B * 2.0))], X),
    ),
    "a dict of dicts": (
        """
        def f(params, x):
            for name in ("first", "second"):
                layer = params[name]
                x = np.tanh(layer["w"] @ x + layer["b"])
            return x
        """,
        (PARAMS, X),
    ),
    "a dict of dicts, by chained subscripts": (
        """
        def f(params, x):
            return params["second"]["w"] @ np.tanh(params["first"]["w"] @ x)
        """,
        (PARAMS, X),
    ),
    "an annotated dict": (
        """
        def f(params: dict[str, np.ndarray], x: np.ndarray):
            return params["w"] @ x + params["b"]
        """,
        ({"w": W, "b": B, "unused": V}, X),
    ),
    "a dict of floats": (
        """
        def f(rates: dict[str, float], y: float):
            return rates["birth"] * y - rates["death"] * y ** 2
        """,
        ({"birth": 0.7, "death": 0.2, "other": 1.5}, 0.8),
    ),
    "the items of a dict": (
        """
        def f(params):
            total = 0.0
            for name, value in params.items():
                total += np.sum(value ** 2)
            return total
        """,
        ({"w": W, "b": B, "s": 0.4},),
    ),
    "the values of a dict": (
        """
        def f(params):
            total = 0.0
            for value in params.values():
                total = total * 0.5 + np.sum(np.sin(value))
            return total
        """,
        ({"w": W, "b": B, "s": 0.4},),
    ),
    "the keys of a dict": (
        """
        def f(params, x):
            for name in params:
                x = np.tanh(params[name] * x)
            for name in params.keys():
                x = x + params[name]
            return x
        """,
        ({"a": B, "b": X, "c": 0.4}, X),
    ),
    "dicts in the items of a dict": (
        """
        def f(params, x):
            for name, layer in params.items():
                x = np.tanh(layer["w"] @ x + layer["b"])
            return x
        """,
        (PARAMS, X),
    ),
    "a list of pairs": (
        """
        def f(params, x):
            for w, b in params:
                x = np.tanh(w @ x + b)
            return x
        """,
        (LAYERS, X),
    ),
    "a list of pairs, the last apart": (
        """
        def f(params, x):
            for w, b in params[:-1]:
                x = np.tanh(w @ x + b)
            w, b = params[-1]
            return w @ x + b
        """,
        (LAYERS, X),
    ),
    "an annotated list of pairs": (
        """
        def f(params: list[tuple[np.ndarray, np.ndarray]], x: np.ndarray):
            for i, (w, b) in enumerate(params):
                x = np.tanh(w @ x + b) + 0.1 * i
            return x
        """,
        (LAYERS, X),
    ),
    "a list of pairs by position": (
        """
        def f(params, x):
            for i in range(len(params)):
                w, b = params[i]
                x = np.tanh(w @ x + b)
            return x
        """,
        (LAYERS, X),
    ),
    "two lists side by side": (
        """
        def f(ws: list[np.ndarray], bs: list[np.ndarray], x: np.ndarray):
            for w, b in zip(ws, bs):
                x = np.tanh(w @ x + b)
            return x
        """,
        ([W, W.T], [B, X], X),
    ),
    "a list of floats": (
        """
        def f(xs: list[float]):
            y = 1.0
            for x in xs:
                y = y * np.sin(x)
            return y
        """,
        ([0.4, 1.2, 0.9],),
    ),
    "a tuple, unpacked": (
        """
        def f(params, x):
            w, b = params
            return w @ x + b
        """,
        ((W, B), X),
    ),
    "an array, unpacked": (
        """
        def f(point):
            a, b = point
            return a * b + np.sin(a)
        """,
        (np.array([0.3, 0.8]),),
    ),
    "a pair of floats": (
        """
        def f(p: tuple[float, float]):
            a, b = p
            return a * b + p[0] ** 2
        """,
        ((0.3, 0.8),),
    ),
    "an annotated tuple": (
        """
        def f(p: tuple[np.ndarray, float, int], x: np.ndarray):
            return p[0] @ x * p[1] ** p[2]
        """,
        ((W, 0.7, 2), X),
    ),
    "a starred target": (
        """
        def f(params, x):
            first, *rest, last = params
            for w in rest:
                x = np.tanh(w @ x)
            return first @ x + last
        """,
        ([W, W.T, W * 0.3, X], X),
    ),
    "nested targets": (
        """
        def f(params, x):
            (w, b), scale = params
            return (w @ x + b) * scale
        """,
        (((W, B), 0.4), X),
    ),
    "parts by number": (
        """
        def f(params, x):
            return np.tanh(params[0] @ x + params[1]) @ params[2]
        """,
        ([W, B, X], X),
    ),
    "a NamedTuple": (
        """
        class Spring(NamedTuple):
            k: float
            rest: float
            name: str

        def f(spring: Spring, x: float):
            return 0.5 * spring.k * (x - spring.rest) ** 2
        """,
        (Made(("Spring", 2.0, 0.3, "left")), 0.8),
    ),
    "a NamedTuple, unpacked": (
        """
        class Spring(NamedTuple):
            k: float
            rest: float

        def f(spring: Spring, x: float):
            k, rest = spring
            return 0.5 * k * (x - rest) ** 2 + spring[0]
        """,
        (Made(("Spring", 2.0, 0.3)), 0.8),
    ),
    "a dataclass": (
        """
        @dataclass
        class Layer:
            w: np.ndarray
            b: np.ndarray
            act: str

        def f(layer: Layer, x: np.ndarray):
            return np.tanh(layer.w @ x + layer.b)
        """,
        (Made(("Layer", W, B, "tanh")), X),
    ),
    "a dataclass without annotation": (
        """
        @dataclass(frozen=True)
        class Layer:
            w: np.ndarray
            b: np.ndarray

        def f(layer, x):
            return np.tanh(layer.w @ x + layer.b)
        """,
        (Made(("Layer", W, B)), X),
    ),
    "dataclasses in a dataclass": (
        """
        @dataclass
        class Layer:
            w: np.ndarray
            b: np.ndarray

        @dataclass
        class Net:
            layers: list[Layer]
            scale: float

        def f(net: Net, x: np.ndarray):
            for layer in net.layers:
                x = np.tanh(layer.w @ x + layer.b)
            return x * net.scale
        """,
        (Made(("Net", [Made(("Layer", W, B)), Made(("Layer", W.T, X))], 0.3)), X),
    ),
    "a container handed to a helper": (
        """
        def layer(p, x):
            return np.tanh(p["w"] @ x + p["b"])

        def f(params, x):
            for name in ("first", "second"):
                x = layer(params[name], x)
            return x
        """,
        (PARAMS, X),
    ),
    "a whole list handed to a helper, twice": (
        """
        def forward(params, x):
            for w, b in params:
                x = np.tanh(w @ x + b)
            return x

        def f(params, x):
            y = forward(params, x)
            return forward(params, y) * np.sum(params[0][1])
        """,
        (LAYERS, X),
    ),
    "a part of a container in a branch": (
        """
        def f(params, x, deep: bool):
            if deep:
                x = params["w"] @ x
            return x * params["s"]
        """,
        ({"w": W, "s": 0.4}, X, False),
    ),
    "elements of a part": (
        """
        def f(params):
            total = 0.0
            for i in range(2):
                total += params["w"][i, i] * params["b"][i]
            return total
        """,
        ({"w": W, "b": B},),
    ),
    "an unused container": (
        """
        def f(params, x: float):
            y = params["a"] * 0.0
            return x * x
        """,
        ({"a": 0.3, "b": V}, 1.5),
    ),
    "a list that grows, stacked": (
        """
        def f(w: np.ndarray, x: np.ndarray):
            cols = []
            for j in range(2):
                h = np.tanh(w[:, j] + x)
                cols.append(h)
            cols.append(cols[0] * cols[-1])
            return np.stack(cols, axis=1)
        """,
        (W, X),
    ),
    "a stack that is taken down again": (
        """
        def f(x, n: int):
            ys = []
            for k in range(n):
                ys.append(x * (k + 1.0))
                x = np.sin(x)
            total = 1.0
            for k in range(n):
                y = ys.pop()
                total = total * np.sum(y * y) + x
            return total
        """,
        (X, 3),
    ),
    "a stack of pairs, some of them taken by another branch": (
        """
        def f(x: float, n: int):
            y, stack = x, []
            for k in range(n):
                stack.append((y, k, np.ones(2) * y))
                y = y * np.sin(y) + x
            total = 0.0
            while len(stack) > 0:
                if total < 1.0:
                    y, k, z = stack.pop()
                    total += y * k + z[0] * z[1]
                else:
                    _, _, z = stack.pop()
                    total = total * z[1]
            return total
        """,
        (0.7, 4),
    ),
    "a queue, and what nobody takes": (
        """
        def f(x: float):
            queue = [x, x * x, x ** 3, 2.0]
            first = queue.pop(0)
            queue.append(first * queue[1])
            queue.pop()
            last = queue.pop()
            second = queue.pop(0)
            return first * second * last + queue[0]
        """,
        (0.7,),
    ),
    "a list that is read before parts of it are taken out": (
        """
        def f(x: float):
            ys = [x, x * x, 1, x ** 3]
            total = ys[0] * ys[3]
            y = ys.pop()
            k = ys.pop()
            return total * k + ys[1]
        """,
        (0.7,),
    ),
    "arrays of a stack handed on": (
        """
        def f(x: np.ndarray):
            stack = [x, x * x]
            y = stack.pop()
            z = stack.pop()
            other = [y]
            other.append(z)
            z = other.pop()
            return z * y + other[0]
        """,
        (X,),
    ),
    "the last of a list": (
        """
        def f(w, xs):
            hs = [np.zeros(2)]
            for t in range(len(xs)):
                hs.append(np.tanh(xs[t] + w @ hs[-1]))
            return np.stack(hs)
        """,
        (W, W),
    ),
    "a list of numbers as an array": (
        """
        def f(x: float, n: int):
            powers = []
            for k in range(n):
                powers.append(x ** k)
            return np.array(powers)
        """,
        (0.7, 4),
    ),
    "a list of lists as an array": (
        """
        def f(x: np.ndarray):
            rows = []
            for i in range(2):
                row = []
                for j in range(3):
                    row.append(x[j] * x[i])
                rows.append(row)
            return np.array(rows)
        """,
        (V,),
    ),
    "arrays of several lengths, joined": (
        """
        def f(x: np.ndarray):
            pieces = []
            for k in range(3):
                pieces.append(x[k:] * x[k])
            return np.concatenate(pieces)
        """,
        (V,),
    ),
    "a list that is read while it grows": (
        """
        def f(x: float):
            xs = [x, x * x]
            for k in range(4):
                xs.append(xs[k] * xs[k + 1] + xs[-2])
            return xs[5] * xs[2]
        """,
        (0.7,),
    ),
    "a list that grows in branches": (
        """
        def f(x: np.ndarray):
            big = []
            small = []
            for v in x:
                if v > 0.0:
                    big.append(v * v)
                else:
                    small.append(v)
            total = 0.0
            for b in big:
                total += b * small[0]
            return total
        """,
        (V,),
    ),
    "a value put in at the front": (
        """
        def f(x: float):
            xs = [x]
            for k in range(3):
                xs.insert(0, xs[0] * x)
            return np.array(xs)
        """,
        (0.7,),
    ),
    "the length of a list while it grows": (
        """
        def f(x: float):
            xs = [x]
            while len(xs) < 5:
                xs.append(xs[len(xs) - 1] * x * len(xs))
            return xs[4]
        """,
        (0.7,),
    ),
    "a list that is read before it grows": (
        """
        def f(x: float):
            xs = [x, x * x]
            y = xs[-1] * 2.0
            xs.append(1.0)
            return y * len(xs)
        """,
        (0.7,),
    ),
    "a list begun again in each turn": (
        """
        def f(x: np.ndarray):
            total = 0.0
            for i in range(3):
                row = []
                for j in range(2):
                    row.append(x[i] * x[j])
                total += row[0] * row[1]
            return total
        """,
        (V,),
    ),
    "a dict made in the function": (
        """
        def f(x: float, y: float):
            state = {"x": x, "y": x * y}
            return state["x"] * np.sin(state["y"])
        """,
        (0.7, 0.4),
    ),
    "a NamedTuple made in the function": (
        """
        class State(NamedTuple):
            x: float
            v: float = 1.0

        def step(s: State, dt: float):
            return State(s.x + dt * s.v, v=s.v - dt * np.sin(s.x))

        def f(x: float, v: float):
            s = State(x, v)
            for _ in range(3):
                s = step(s, 0.1)
            return s.x * s.v
        """,
        (0.7, 0.4),
    ),
    "a record with one field replaced": (
        """
        class State(NamedTuple):
            x: float
            v: float

        def f(x: float, v: float):
            s = State(x, v)
            s = s._replace(x=s.x * s.v)
            return s.x + s.v ** 2
        """,
        (0.7, 0.4),
    ),
    "a dataclass with one field replaced": (
        """
        @dataclass
        class State:
            x: np.ndarray
            v: np.ndarray

        def f(x: np.ndarray, v: np.ndarray):
            s = State(x=x, v=v)
            for _ in range(2):
                s = replace(s, v=s.v - 0.1 * np.sin(s.x))
                s = replace(s, x=s.x + 0.1 * s.v)
            return s.x
        """,
        (X, B),
    ),
    "a tuple as a value": (
        """
        def f(x: float, v: float):
            state = (x, v)
            for _ in range(3):
                state = (state[0] + 0.1 * state[1], state[1] - 0.1 * np.sin(state[0]))
            x, v = state
            return x * v
        """,
        (0.7, 0.4),
    ),
    "tuples in a list": (
        """
        def f(x: float):
            pairs = []
            for k in range(3):
                pairs.append((x * k, x ** 2))
            total = 0.0
            for a, b in pairs:
                total += a * b
            return total
        """,
        (0.7,),
    ),
    "lists joined and repeated": (
        """
        def f(x: float):
            xs = [x, x * x] + [1.0]
            ys = [x] * 3
            return xs[1] * ys[2] + ys[0]
        """,
        (0.7,),
    ),
    "the sum of a list": (
        """
        def f(x: float):
            xs = []
            for k in range(4):
                xs.append(x ** k)
            return sum(xs) * max(xs[1], xs[2])
        """,
        (0.7,),
    ),
    "the sum of a list of arrays": (
        """
        def f(x: np.ndarray):
            xs = []
            for k in range(3):
                xs.append(x * x[k])
            return sum(xs) + np.sum(xs)
        """,
        (V,),
    ),
    "a dict that is returned": (
        """
        def f(x: float, y: np.ndarray):
            return {"total": x * np.sum(y), "parts": x * y, "name": "sum"}
        """,
        (0.7, V),
    ),
    "a list that is returned": (
        """
        def f(x: np.ndarray):
            xs = []
            for k in range(3):
                xs.append(x * x[k])
            return xs
        """,
        (V,),
    ),
    "a record that is returned": (
        """
        class State(NamedTuple):
            x: float
            v: np.ndarray

        def f(x: float, v: np.ndarray):
            s = State(x * x, v * x)
            return s
        """,
        (0.7, V),
    ),
    "a tuple of containers that is returned": (
        """
        def f(x: float, y: np.ndarray):
            return {"a": x * x}, [y * x, x], (x, (y, x * y[0]))
        """,
        (0.7, V),
    ),
    "containers from helpers": (
        """
        def stats(x):
            return {"mean": np.mean(x), "spread": np.sum(x * x)}

        def powers(x, n):
            out = []
            for k in range(n):
                out.append(x ** k)
            return out

        def f(x: np.ndarray):
            s = stats(x)
            p = powers(x[0], 4)
            return s["mean"] * s["spread"] * p[3] + p[1]
        """,
        (V,),
    ),
    "a copy of a list": (
        """
        def f(x: float):
            xs = [x, x * x]
            ys = xs.copy()
            ys.append(x)
            zs = list(xs)
            zs.append(xs[1])
            return ys[0] * zs[2] + ys[2]
        """,
        (0.7,),
    ),
    "part of a list": (
        """
        def f(x: float):
            xs = [x, x * x, x ** 3]
            tail = xs[1:]
            return tail[0] * tail[-1] + xs[0]
        """,
        (0.7,),
    ),
    "elements of a list, stored": (
        """
        def f(x: float, n: int):
            xs = [0.0] * n
            xs[0] = x
            for k in range(1, n):
                xs[k] = xs[k - 1] * np.sin(x) + xs[-1]
            xs[-1] += x * x
            return xs[-1] * xs[1]
        """,
        (0.7, 4),
    ),
    "arrays in a list, stored": (
        """
        def f(x: np.ndarray, w: np.ndarray):
            xs = [x, x * x, x]
            for k in range(2):
                xs[k + 1] = np.tanh(w @ xs[k]) * xs[k + 1]
                xs[k] = xs[k] * 2.0
            return xs[0] * xs[1] * xs[2]
        """,
        (X, W),
    ),
    "a dict that is filled": (
        """
        def f(x: float):
            d = {}
            for k, name in enumerate(("a", "b", "c")):
                d[name] = x ** (k + 1)
            d["a"] = d["a"] * d["b"]
            d["sum"] = d["a"] + d["c"]
            return d["sum"] * d["b"]
        """,
        (0.7,),
    ),
    "sums in a dict": (
        """
        def f(x: np.ndarray):
            sums = {"even": 0.0, "odd": 0.0}
            for i in range(4):
                sums["odd" if i % 2 else "even"] += x[i] ** 2
                sums["odd"] *= 0.5
            return sums["even"] * sums["odd"]
        """,
        (V,),
    ),
    "arrays in a dict, added to": (
        """
        def f(x: np.ndarray, w: np.ndarray):
            grads = {"w": np.zeros((2, 2)), "x": np.zeros(2)}
            for k in range(3):
                h = w @ x * (k + 1.0)
                grads["w"] += np.outer(h, x)
                grads["x"] -= h * x
            return np.sum(grads["w"] @ grads["x"])
        """,
        (X, W),
    ),
    "a list in a dict that is stored": (
        """
        def f(x: float):
            d = {"xs": [x, 1.0]}
            d["xs"] = [d["xs"][0] * x, d["xs"][1] * x]
            return d["xs"][0] + d["xs"][1] ** 2
        """,
        (0.7,),
    ),
    "a list parameter that is written": (
        """
        def f(xs: list[float]):
            xs[0] = xs[1] * 2.0
            xs.append(xs[0])
            return xs[0] * xs[1] + xs[2]
        """,
        ([0.7, 0.3],),
    ),
    "a dict parameter that is written": (
        """
        def f(state, dt: float):
            state["x"] = state["x"] + dt * state["v"]
            state["v"] = state["v"] - dt * np.sin(state["x"])
            return state
        """,
        ({"x": 0.7, "v": 0.3, "name": "ball"}, 0.1),
    ),
    "a list that is added to": (
        """
        def f(x: float):
            xs = [x]
            for k in range(3):
                xs += [xs[-1] * x, xs[0] + k]
            xs.extend([x, x * xs[-1]])
            return sum(xs) * xs[-1]
        """,
        (0.7,),
    ),
    "a comprehension": (
        """
        def f(x: np.ndarray):
            ys = [v * v for v in x if v > 0.0]
            return sum(y * k for k, y in enumerate(ys)) + len(ys) * x[0]
        """,
        (V,),
    ),
    "a comprehension of a comprehension": (
        """
        def f(x: np.ndarray):
            return np.array([[x[i] * x[j] for j in range(2)] for i in range(3)])
        """,
        (V,),
    ),
    "comprehensions with several loops": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            return np.array([a * b for a in x for b in y if a > b])
        """,
        (V, X),
    ),
    "a comprehension over what it replaces": (
        """
        def f(xs: list[float], k: int):
            xs = [x * xs[0] for x in xs]
            xs = [x + k for k, x in enumerate(xs)]
            return xs[k] * xs[0]
        """,
        ([0.7, 0.3, 0.2], 2),
    ),
    "a generator in a call": (
        """
        def f(params, x):
            penalty = sum(np.sum(w ** 2) for w in params.values())
            return penalty * x + max(x * k for k in range(2))
        """,
        ({"w": W, "b": B}, 0.4),
    ),
    "a dict comprehension": (
        """
        def f(params, rate: float):
            grads = {k: np.sin(v) for k, v in params.items()}
            return {k: v - rate * grads[k] for k, v in params.items()}
        """,
        ({"w": W, "b": B}, 0.4),
    ),
    "a comprehension of tuples": (
        """
        def f(layers, x):
            scaled = [(w * 0.5, b) for w, b in layers]
            for w, b in scaled:
                x = w @ x + b
            return x
        """,
        (LAYERS, X),
    ),
    "a comprehension in the head of a loop, in a test and in what is returned": (
        """
        def f(x: np.ndarray):
            total = 0.0
            for v in [a * a for a in x]:
                total += np.sin(v)
            if sum([a for a in x]) > 0.0:
                total *= 2.0
            return [total * v for v in x]
        """,
        (V,),
    ),
    "a comprehension in a helper": (
        """
        def powers(x, n):
            return [x ** k for k in range(n)]

        def f(x: float):
            p = powers(x, 4)
            return p[1] * p[3] + sum(powers(x, 3))
        """,
        (0.7,),
    ),
    "a comprehension that names the same variable twice": (
        """
        def f(x: np.ndarray):
            k = 2
            rows = [[x[k] * x[j] for k in range(2)] for j in range(2)]
            return rows[1][0] * x[k] + sum(x[k] for k in range(3))
        """,
        (V,),
    ),
    "numbers of a dict that are multiplied where they are": (
        """
        def f(x: float):
            d = {"lr": 0.1, "x": x}
            for k in range(3):
                d["lr"] *= 0.5
                d["x"] *= x * d["lr"]
            return d["x"] * d["lr"]
        """,
        (0.7,),
    ),
    "arrays that a dict holds, written where they are": (
        """
        def f(x):
            # pullback: x: (n,)
            d = {"u": x * 1.0, "v": np.zeros(4), "net": {"w": x * 2.0}}
            for i in range(3):
                d["v"][i] = d["u"][i] * x[0]
                d["net"]["w"][i + 1] += d["v"][i] ** 2
            d["u"][d["u"] > 0.0] *= d["net"]["w"][1]
            d["u"] *= 0.5
            np.add.at(d["v"], [0, 0], x[:2])
            np.multiply(d["v"], x, out=d["v"])
            return np.sum(d["u"] * d["v"]) + np.sum(d["net"]["w"] ** 2)
        """,
        (V,),
    ),
    "… and a list": (
        """
        def f(x, n: int):
            # pullback: x: (m,)
            levels = [np.zeros(4) for _ in range(n)]
            levels[0][:] = x
            for k in range(1, n):
                levels[k][1:] = levels[k - 1][:-1] * x[0]
                levels[k - 1][0] *= levels[k][1]
            history = []
            for k in range(n):
                h = levels[k] * k
                history.append(h)
                history[k][1] = np.sin(history[0][2]) * x[1]
            return sum(np.sum(v * v) for v in levels) + sum(np.sum(h) for h in history)
        """,
        (V, 3),
    ),
    "… and an object, by functions that it is passed to": (
        """
        @dataclass
        class State:
            u: np.ndarray
            v: np.ndarray

        def step(s: State, c):
            s.u[1:] += c * s.v[:-1]
            s.v[0] *= s.u[1]

        def f(x, n: int):
            # pullback: x: (m,)
            u = x.copy()
            s = State(u, x * x)
            for _ in range(n):
                step(s, x[0])
                s.v[1:-1] = s.u[2:] - s.u[:-2] * s.v[0]
            return np.sum(s.u * s.v)
        """,
        (V, 3),
    ),
    "arrays in the caller's containers, which stay as they are": (
        """
        @dataclass
        class State:
            u: np.ndarray
            v: np.ndarray
            rate: float

        def f(s: State, d: dict[str, np.ndarray], layers: list[tuple[np.ndarray, np.ndarray]]):
            s.u[1:] = s.u[1:] * s.u[0]
            s.v[0] += s.u[1] * s.rate
            d["w"][0] = d["w"][1] * s.v[0]
            for k in range(2):
                layers[k][1][0] = layers[k][0][0, 1] * d["w"][0]
            return np.sum(s.u * s.v) + np.sum(layers[0][1] * d["w"]) + layers[1][1][0]
        """,
        (Made(("State", V, V * V, 0.7)), {"w": X, "unused": B}, LAYERS),
    ),
}

# name: (text of the function f, the code of the report, the line that it is about)
REFUSED: dict[str, tuple[str, str, str]] = {
    "a union of dicts": (
        """
        def f(d: dict):
            e = d | {"b": d["a"] * 2.0}
            return e["a"] * e["b"]
        """,
        "PB110",
        'e = d | {"b": d["a"] * 2.0}',
    ),
    "a union of what may be dicts": (
        """
        def f(d, c):
            e = d | c
            return e["a"] * e["b"]
        """,
        "PB110",
        "e = d | c",
    ),
    "the items of a dict, taken apart": (
        """
        def f(d: dict):
            (_, a), (_, b) = d.items()
            return a * b * b
        """,
        "PB301",
        "(_, a), (_, b) = d.items()",
    ),
    "the largest of pairs": (
        """
        def f(x: np.ndarray):
            v, k = max((e, k) for k, e in enumerate(x))
            return v * x[k - 1]
        """,
        "PB110",
        "v, k = max((e, k) for k, e in enumerate(x))",
    ),
    "a sum of lists": (
        """
        def f(x: np.ndarray):
            xs = sum([[x[0]], [x[1], x[2]]], [])
            return xs[0] * xs[2]
        """,
        "PB110",
        "xs = sum([[x[0]], [x[1], x[2]]], [])",
    ),
    "two names for a list that grows": (
        """
        def f(x: float):
            xs = [x]
            ys = xs
            xs.append(x * x)
            return ys[1]
        """,
        "PB202",
        "xs.append(x * x)",
    ),
    "a list in a list grows": (
        """
        def f(x: float):
            row = [x]
            rows = [row]
            row.append(x * x)
            return rows[0][1]
        """,
        "PB202",
        "row.append(x * x)",
    ),
    "an array written after it was put into a list": (
        """
        def f(x: np.ndarray):
            y = x * x
            xs = []
            xs.append(y)
            y[0] = 1.0
            return np.sum(xs[0])
        """,
        "PB202",
        "y[0] = 1.0",
    ),
    "an array that has no axes, written in a dict while it has a name": (
        """
        def f(x: float):
            v = np.array(x)
            d = {"a": v}
            d["a"] *= 2.0
            return d["a"] * v
        """,
        "PB201",
        'd["a"] *= 2.0',
    ),
    "an array that has no axes, written before it is held by a list": (
        """
        def f(x: float):
            v = np.zeros(())
            v += x
            d = [v]
            d[0] *= x
            return d[0] + v
        """,
        "PB201",
        "d[0] *= x",
    ),
    "an array in a dict written": (
        """
        def f(x: np.ndarray):
            y = x * x
            d = {"y": y}
            y[0] = 1.0
            return np.sum(d["y"])
        """,
        "PB202",
        "y[0] = 1.0",
    ),
    "a set": (
        """
        def f(x: float):
            return max({x, 1.0})
        """,
        "PB110",
        "return max({x, 1.0})",
    ),
    "an array that is in a dict twice": (
        """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x * x
            d = {"u": u, "v": u}
            d["u"][0] = x[1] * x[2]
            return np.sum(d["v"])
        """,
        "PB201",
        'd["u"][0] = x[1] * x[2]',
    ),
    "an array that is put into a list in each turn": (
        """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x * x
            levels = []
            for _ in range(3):
                levels.append(u)
            levels[0][1] = x[0]
            return np.sum(levels[2])
        """,
        "PB201",
        "levels[0][1] = x[0]",
    ),
    "arrays in a list that is repeated": (
        """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            levels = [x * x] * 3
            levels[0][1] = x[0]
            return np.sum(levels[2])
        """,
        "PB201",
        "levels[0][1] = x[0]",
    ),
    "an array in a dict whose own name is read later": (
        """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x * x
            d = {"u": u, "v": x * 2.0}
            d["u"][0] = x[1] * x[2]
            return np.sum(u * d["v"])
        """,
        "PB202",
        'd["u"][0] = x[1] * x[2]',
    ),
    "an array in a dict that another list holds": (
        """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            d = {"u": x * x, "v": x * 2.0}
            held = [d["u"]]
            d["u"][0] = x[1] * x[2]
            return np.sum(held[0])
        """,
        "PB202",
        'd["u"][0] = x[1] * x[2]',
    ),
    "what may be a list in a dict": (
        """
        def f(d: dict):
            d["u"][0] = d["w"][1] * d["w"][0]
            return d["u"][0]
        """,
        "PB110",
        'd["u"][0] = d["w"][1] * d["w"][0]',
    ),
}
