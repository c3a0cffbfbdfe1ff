def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _matmul_a_bar(y_bar, a, b):
    """Cotangent of a where y = a @ b."""
    if np.ndim(b) == 1:
        y_bar = y_bar[..., None] if np.ndim(y_bar) else y_bar
        return _unbroadcast(y_bar * b, np.shape(a))
    if np.ndim(a) == 1:
        return _unbroadcast((b @ y_bar[..., None])[..., 0], np.shape(a))
    return _unbroadcast(y_bar @ np.swapaxes(b, -1, -2), np.shape(a))


def _matmul_b_bar(y_bar, a, b):
    """Cotangent of b where y = a @ b."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    if np.ndim(a) == 1:
        return _unbroadcast(a[:, None] * y_bar[..., None, :], np.shape(b))
    if np.ndim(b) == 1:
        return _unbroadcast(
            (np.swapaxes(a, -1, -2) @ y_bar[..., None])[..., 0], np.shape(b)
        )
    return _unbroadcast(np.swapaxes(a, -1, -2) @ y_bar, np.shape(b))


def _components(v, axis):
    """Vectors with their components in the last axis; the third of two is 0."""
    v = np.moveaxis(v, axis, -1)
    rest = 3 - v.shape[-1]
    return np.concatenate([v, np.zeros_like(v[..., :rest])], axis=-1) if rest else v


def _cross_bar(y_bar, a, b, axis):
    """Cotangent of a where y = np.cross(a, b, axis=axis); of two components in both, y is a number."""
    n = np.shape(a)[axis]
    if n == np.shape(b)[axis] == 2:
        third = np.asarray(y_bar, np.result_type(y_bar, a, b))[..., None]
        y_bar = np.concatenate([np.zeros_like(third), np.zeros_like(third), third], -1)
    else:
        y_bar = np.moveaxis(y_bar, axis, -1)
    a_bar = np.cross(_components(b, axis), y_bar)[..., :n]
    a_bar = _unbroadcast(a_bar, np.moveaxis(a, axis, -1).shape)
    return np.moveaxis(a_bar, -1, axis)


# pullback: vjp of project wrt cam, x private=yes [2dfae535 a3bfa301]
def _project_vjp(cam, x, project_bar):
    """Vector-Jacobian product of project with respect to cam and x."""
    rot, centre, focal, x0, rad = cam[0:3], cam[3:6], cam[6], cam[7:9], cam[9:11]
    Xcam = rodrigues_rotate_point(rot, x - centre)
    distorted = radial_distort(rad, Xcam[0:2] / Xcam[2])
    # Backward pass
    distorted_bar = _unbroadcast(project_bar * focal, distorted.shape)
    focal_bar = _unbroadcast(project_bar * distorted, np.shape(focal))
    x0_bar = _unbroadcast(project_bar, np.shape(x0))
    radial_distort_rad_params_bar, radial_distort_proj_bar = _radial_distort_vjp(
        rad, Xcam[0:2] / Xcam[2], distorted_bar
    )
    rad_bar = radial_distort_rad_params_bar
    Xcam_bar = np.zeros_like(Xcam, dtype=np.result_type(Xcam, 0.0))
    Xcam_bar[0:2] = _unbroadcast(radial_distort_proj_bar / Xcam[2], Xcam[0:2].shape)
    Xcam_bar[2] += _unbroadcast(
        -radial_distort_proj_bar * Xcam[0:2] / Xcam[2] / Xcam[2], np.shape(Xcam[2])
    )
    rodrigues_rotate_point_rot_bar, rodrigues_rotate_point_x_bar = (
        _rodrigues_rotate_point_vjp(rot, x - centre, Xcam_bar)
    )
    rot_bar = rodrigues_rotate_point_rot_bar
    x_bar = _unbroadcast(rodrigues_rotate_point_x_bar, np.shape(x))
    centre_bar = _unbroadcast(-rodrigues_rotate_point_x_bar, np.shape(centre))
    cam_bar = np.zeros_like(cam, dtype=np.result_type(cam, 0.0))
    cam_bar[0:3] = rot_bar
    cam_bar[3:6] = centre_bar
    cam_bar[6] += focal_bar
    cam_bar[7:9] += x0_bar
    cam_bar[9:11] += rad_bar
    return cam_bar, x_bar


# pullback: vjp of radial_distort wrt rad_params, proj private=yes [f0d67df5 5bfda1f8]
def _radial_distort_vjp(rad_params, proj, radial_distort_bar):
    """Vector-Jacobian product of radial_distort with respect to rad_params and proj."""
    rsq = proj @ proj
    L = 1.0 + rad_params[0] * rsq + rad_params[1] * rsq * rsq
    # Backward pass
    proj_bar = _unbroadcast(radial_distort_bar * L, proj.shape)
    L_bar = radial_distort_bar * proj
    product_bar = L_bar * rsq
    rsq_bar = (
        _unbroadcast(L_bar * rad_params[0], np.shape(rsq))
        + _unbroadcast(product_bar * rad_params[1], np.shape(rsq))
        + _unbroadcast(L_bar * rad_params[1] * rsq, np.shape(rsq))
    )
    rad_params_bar = np.zeros_like(rad_params, dtype=np.result_type(rad_params, 0.0))
    rad_params_bar[0] = _unbroadcast(L_bar * rsq, np.shape(rad_params[0]))
    rad_params_bar[1] = _unbroadcast(product_bar * rsq, np.shape(rad_params[1]))
    proj_bar += _matmul_a_bar(rsq_bar, proj, proj) + _matmul_b_bar(rsq_bar, proj, proj)
    return rad_params_bar, proj_bar


# pullback: vjp of rodrigues_rotate_point wrt rot, x private=yes [74326557 5ef3cd5a]
def _rodrigues_rotate_point_vjp(rot, x, rodrigues_rotate_point_bar):
    """Vector-Jacobian product of rodrigues_rotate_point with respect to rot and x."""
    sqtheta = np.sum(rot**2)
    if sqtheta != 0.0:
        theta = np.sqrt(sqtheta)
        axis = rot / theta
        cos_theta = np.cos(theta)
        cross = np.cross(axis, x)
        product2 = axis @ x
        # Backward pass
        cross_bar = _unbroadcast(
            rodrigues_rotate_point_bar * np.sin(theta), np.shape(cross)
        )
        product_bar = rodrigues_rotate_point_bar * (1.0 - cos_theta)
        product_bar2 = _unbroadcast(product_bar * axis, np.shape(product2))
        sin_theta2 = np.sin(theta)
        theta_bar = (
            np.sum(rodrigues_rotate_point_bar * cross) * np.cos(theta)
            - np.sum(rodrigues_rotate_point_bar * x) * sin_theta2
            + np.sum(rodrigues_rotate_point_bar * (axis * product2)) * sin_theta2
        )
        axis_bar = (
            _cross_bar(cross_bar, axis, x, -1)
            + _unbroadcast(product_bar * product2, np.shape(axis))
            + _matmul_a_bar(product_bar2, axis, x)
        )
        theta_bar -= np.sum(axis_bar * axis / theta)
        sqtheta_bar = 0.5 * theta_bar / theta
        rot_bar = axis_bar / theta + 2 * sqtheta_bar * rot
        return (
            rot_bar,
            _unbroadcast(rodrigues_rotate_point_bar * cos_theta, np.shape(x))
            + _cross_bar(-cross_bar, x, axis, -1)
            + _matmul_b_bar(product_bar2, axis, x),
        )
    # Backward pass
    cross_bar2 = _unbroadcast(rodrigues_rotate_point_bar, np.shape(np.cross(rot, x)))
    rot_bar = _cross_bar(cross_bar2, rot, x, -1)
    return (
        rot_bar,
        _unbroadcast(rodrigues_rotate_point_bar, np.shape(x))
        + _cross_bar(-cross_bar2, x, rot, -1),
    )


# pullback: vjp of reprojection_errors wrt cams, X, w [c3466b23 7484e95b]
def reprojection_errors_vjp(cams, X, w, obs, feats, reprojection_errors_bar):
    """Vector-Jacobian product of reprojection_errors with respect to cams, X and w."""
    p = len(obs)
    tape = []
    for i in range(p):
        cam, pt = obs[i, 0], obs[i, 1]
        project2 = project(cams[cam], X[pt])
        shape_project2 = np.shape(project2)
        difference = project2 - feats[i]
        tape.append((shape_project2, difference))
    # Backward pass
    reproj_err_bar = reprojection_errors_bar[0].copy()
    w_err_bar = reprojection_errors_bar[1].copy()
    w_bar = np.zeros_like(w, dtype=np.result_type(w, 0.0))
    cams_bar = np.zeros_like(cams, dtype=np.result_type(cams, 0.0))
    X_bar = np.zeros_like(X, dtype=np.result_type(X, 0.0))
    for i in reversed(range(p)):
        shape_project2, difference = tape.pop()
        cam = obs[i, 0]
        pt = obs[i, 1]
        w_bar[i] -= 2 * w_err_bar[i] * w[i]
        project_cam_bar, project_x_bar = _project_vjp(
            cams[cam], X[pt], _unbroadcast(reproj_err_bar[i] * w[i], shape_project2)
        )
        w_bar[i] += np.sum(reproj_err_bar[i] * difference)
        np.add.at(cams_bar, cam, project_cam_bar)
        np.add.at(X_bar, pt, project_x_bar)
    return cams_bar, X_bar, w_bar
