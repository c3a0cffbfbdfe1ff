"""The reprojection errors of bundle adjustment: points seen by cameras with radial distortion.

A camera is rotation vector (3), centre (3), focal length, principal point (2), distortion (2). A point is rotated by
Rodrigues' formula, projected, distorted by 1 + k1 r^2 + k2 r^4, scaled and shifted (as in the ADBench suite).
"""

import numpy as np

DERIVATIVE = "vjp of reprojection_errors wrt cams, X, w"


def arguments(size: int = 5):
    rng = np.random.default_rng(17)
    cams = 0.1 * rng.normal(size=(3, 11))
    cams[:, 6] = 1.5
    cams[2, :3] = 0.0
    X = rng.normal(size=(4, 3)) + np.array([0.0, 0.0, 5.0])
    obs = np.array([(k % 2, k % 4) for k in range(size)])
    return cams, X, rng.random(size), obs, rng.normal(size=(size, 2))


def rodrigues_rotate_point(rot, x):
    sqtheta = np.sum(rot**2)
    if sqtheta != 0.0:
        theta = np.sqrt(sqtheta)
        axis = rot / theta
        return (
            x * np.cos(theta)
            + np.cross(axis, x) * np.sin(theta)
            + axis * (axis @ x) * (1.0 - np.cos(theta))
        )
    return x + np.cross(rot, x)


def radial_distort(rad_params, proj):
    rsq = proj @ proj
    L = 1.0 + rad_params[0] * rsq + rad_params[1] * rsq * rsq
    return proj * L


def project(cam, x):
    rot, centre, focal, x0, rad = cam[0:3], cam[3:6], cam[6], cam[7:9], cam[9:11]
    Xcam = rodrigues_rotate_point(rot, x - centre)
    distorted = radial_distort(rad, Xcam[0:2] / Xcam[2])
    return distorted * focal + x0


def reprojection_errors(cams, X, w, obs, feats):
    """Weighted errors in the image, one row an observation, and the errors of the weights."""
    p = len(obs)
    reproj_err = np.empty((p, 2))
    w_err = np.empty(p)
    for i in range(p):
        cam, pt = obs[i, 0], obs[i, 1]
        reproj_err[i] = w[i] * (project(cams[cam], X[pt]) - feats[i])
        w_err[i] = 1.0 - w[i] ** 2
    return reproj_err, w_err
