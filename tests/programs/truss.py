"""A truss by the finite element method: its compliance under a load, for shape and size optimization.

Each bar gives E A / L times the outer product of its direction to the stiffness matrix, which is assembled by
np.ix_; supports are removed, the displacements solve K u = f, and the compliance is f . u.
"""

import numpy as np

DERIVATIVE = "vjp of compliance wrt nodes, areas, E, loads"


def arguments(size: int = 3):
    n = size + 3  # triangles side by side
    nodes = np.array([(0.6 * k, 0.9 * (k % 2)) for k in range(n)])
    bars = np.array([(k, k + d) for d in (1, 2) for k in range(n - d)])
    loads = np.zeros(2 * n)
    loads[3] = -1.0
    free = np.array([k for k in range(2 * n) if k not in (0, 1, 2 * n - 1)])
    return nodes, bars, np.linspace(0.5, 1.1, len(bars)), 2.0, loads, free


def stiffness(nodes, bars, areas, E):
    n = 2 * nodes.shape[0]
    K = np.zeros((n, n))
    for b in range(bars.shape[0]):
        i, j = bars[b]
        d = nodes[j] - nodes[i]
        length = np.sqrt(d @ d)
        c, s = d / length
        t = np.array([-c, -s, c, s])
        dofs = np.array([2 * i, 2 * i + 1, 2 * j, 2 * j + 1])
        K[np.ix_(dofs, dofs)] += E * areas[b] / length * np.outer(t, t)
    return K


def compliance(nodes, bars, areas, E, loads, free):
    K = stiffness(nodes, bars, areas, E)
    u = np.zeros(K.shape[0])
    u[free] = np.linalg.solve(K[np.ix_(free, free)], loads[free])
    return loads @ u
