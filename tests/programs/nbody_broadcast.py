"""N bodies under gravity, all pairs at once by broadcasting, with the leapfrog method.

The same equations as with loops over pairs, as they are written where speed comes from whole arrays.
"""

import numpy as np

DERIVATIVE = "vjp of simulate wrt pos, vel, mass"


def arguments(size: int = 4):
    rng = np.random.default_rng(6)
    n = size
    mass = 1.0 + rng.random((n, 1))
    return (
        mass,
        rng.normal(size=(n, 3)),
        0.3 * rng.normal(size=(n, 3)),
        n,
        3,
        0.05,
        0.9,
        0.1,
    )


def get_acc(pos, mass, G, softening):
    # positions r = [x, y, z] of all bodies, as columns
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]

    # all pairwise separations: r_j - r_i
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z

    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)

    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    return np.hstack((ax, ay, az))


def get_energy(pos, vel, mass, G):
    KE = 0.5 * np.sum(mass * vel**2)

    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    PE = G * np.sum(np.triu(-(mass * mass.T) * inv_r, 1))
    return KE, PE


def simulate(mass, pos, vel, N, Nt, dt, G, softening):
    # into the frame of the centre of mass
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = get_acc(pos, mass, G, softening)

    KE = np.ndarray(Nt + 1, dtype=np.float64)
    PE = np.ndarray(Nt + 1, dtype=np.float64)
    KE[0], PE[0] = get_energy(pos, vel, mass, G)
    for i in range(Nt):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = get_acc(pos, mass, G, softening)
        vel += acc * dt / 2.0
        KE[i + 1], PE[i + 1] = get_energy(pos, vel, mass, G)
    return KE, PE
