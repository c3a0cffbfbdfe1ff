"""Times the gradient of a tree-shaped recursive network on random trees: compiled by Numba, and by PyTorch.

    python -m benchmarks.trees [--leaves N] [--size M] [--rounds R]

The model is a binary TreeLSTM (Tai, Socher and Manning, 2015): a function that calls itself on both children. Pullback
writes its gradient for Numba; PyTorch records the same recursion, as it is written with its tensors. Values and
gradients are compared first; what is shown is the median over rounds, both run once in each, in an order drawn anew.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from pullback import derive

MODEL = '''\
import numba
import numpy as np


@numba.njit
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@numba.njit
def encoded(node: int, left, right, words, w, u, b):
    """Hidden state and cell of a node, one behind the other."""
    # pullback: left: (n,), right: (n,), words: (n, d), w: (d, g), u: (s, g), b: (g,)
    m = len(b) // 5
    if left[node] < 0:
        z = words[node] @ w + b
        c = sigmoid(z[:m]) * np.tanh(z[4 * m :])
        return np.concatenate((sigmoid(z[m : 2 * m]) * np.tanh(c), c))
    one = encoded(left[node], left, right, words, w, u, b)
    two = encoded(right[node], left, right, words, w, u, b)
    z = np.concatenate((one[:m], two[:m])) @ u + b
    kept = sigmoid(z[2 * m : 3 * m]) * one[m:] + sigmoid(z[3 * m : 4 * m]) * two[m:]
    c = kept + sigmoid(z[:m]) * np.tanh(z[4 * m :])
    return np.concatenate((sigmoid(z[m : 2 * m]) * np.tanh(c), c))


@numba.njit
def loss(left, right, words, w, u, b):
    # pullback: left: (n,), right: (n,), words: (n, d), w: (d, g), u: (s, g), b: (g,)
    state = encoded(len(left) - 1, left, right, words, w, u, b)
    return np.sum(state * state)
'''
WRT = ("w", "u", "b")


def compiled() -> Callable[..., Any]:
    """Value and gradient of the model, for Numba."""
    derived = derive(MODEL, "loss", "value_and_grad", WRT, modules={}, jit="numba")
    assert derived.source is not None, derived.diagnostics
    module = types.ModuleType("trees_model")
    sys.modules[module.__name__] = module  # Numba looks for functions that call themselves there
    exec(f"{MODEL}\n\n{derived.source}", module.__dict__)
    made: Callable[..., Any] = module.__dict__[derived.name]
    return made


def by_torch(left: Any, right: Any, words: Any, w: Any, u: Any, b: Any) -> Any:
    """The same by PyTorch, from arrays to arrays."""
    import torch

    torch.set_num_threads(1)
    given = [torch.tensor(a, requires_grad=True) for a in (w, u, b)]
    total = _loss_of_torch(left, right, torch.tensor(words), *given)
    total.backward()
    return total.item(), tuple(a.grad.numpy() for a in given)


def _loss_of_torch(left: Any, right: Any, words: Any, w: Any, u: Any, b: Any) -> Any:
    import torch

    def encoded(node: int) -> tuple[Any, Any]:
        if left[node] < 0:
            i, o, _, _, g = (words[node] @ w + b).chunk(5)
            c = torch.sigmoid(i) * torch.tanh(g)
        else:
            (h1, c1), (h2, c2) = encoded(left[node]), encoded(right[node])
            i, o, f1, f2, g = (torch.cat((h1, h2)) @ u + b).chunk(5)
            c = torch.sigmoid(f1) * c1 + torch.sigmoid(f2) * c2 + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c

    h, c = encoded(len(left) - 1)
    return (h * h).sum() + (c * c).sum()


def tree(leaves: int, size: int, seed: int) -> tuple[Any, ...]:
    """A random binary tree, children before parents, and random words and weights."""
    rng = np.random.default_rng(seed)
    left, right = np.full((2, 2 * leaves - 1), -1)
    roots = list(range(leaves))
    for node in range(leaves, 2 * leaves - 1):
        left[node], right[node] = (roots.pop(rng.integers(len(roots))) for _ in range(2))
        roots.append(node)
    words = rng.normal(size=(2 * leaves - 1, size))
    w, u = rng.normal(size=(size, 5 * size)), rng.normal(size=(2 * size, 5 * size))
    return left, right, words, w / size**0.5, u / size**0.5, rng.normal(size=5 * size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--leaves", type=int, default=64)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    ways = {"Numba": compiled(), "PyTorch": by_torch}
    given = [tree(asked.leaves, asked.size, seed) for seed in range(asked.rounds)]
    compared(*(way(*given[0]) for way in ways.values()))
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for args in given:
        for name in random.sample(list(ways), len(ways)):
            start = time.perf_counter()
            ways[name](*args)
            taken[name].append(time.perf_counter() - start)
    for name, seconds in taken.items():
        print(f"{name}: {statistics.median(seconds) * 1e3:.2f} ms")
    ratio = statistics.median(a / b for a, b in zip(taken["PyTorch"], taken["Numba"]))
    load = f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    print(f"PyTorch takes {ratio:.1f} times as long ({asked.leaves} leaves, {load})")


def compared(one: Any, other: Any) -> None:
    """Whether two ways give the same value and gradients."""
    for a, b in zip((one[0], *one[1]), (other[0], *other[1]), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10)


if __name__ == "__main__":
    main()
