# pullback: vjp of de_casteljau wrt control private=yes args=any,float [c38ebbd9 c94a68bd]
def _de_casteljau_vjp(control, t, de_casteljau_bar):
    """Vector-Jacobian product of de_casteljau with respect to control."""
    points = control.copy()
    n = len(points)
    for r in range(1, n):
        for i in range(n - r):
            points[i] = (1.0 - t) * points[i] + t * points[i + 1]
    # Backward pass
    points_bar = np.zeros_like(points, dtype=np.result_type(points, 0.0))
    points_bar[0] = de_casteljau_bar
    for r in reversed(range(1, n)):
        for i in reversed(range(n - r)):
            points_new_bar = np.copy(points_bar[i])
            points_bar[i] = 0.0
            points_bar[i] += points_new_bar * (1.0 - t)
            points_bar[i + 1] += points_new_bar * t
    return points_bar


# pullback: vjp of arc_length wrt control [ab7f5b6d 5bc83976]
def arc_length_vjp(control, pieces, arc_length_bar):
    """Vector-Jacobian product of arc_length with respect to control."""
    last = control[0]
    tape = []
    for k in range(1, pieces + 1):
        here = de_casteljau(control, k / pieces)
        difference = here - last
        sqrt = np.sqrt(np.sum(difference**2))
        tape.append((difference, sqrt))
        last = here
    # Backward pass
    length_bar = arc_length_bar
    last_bar = np.zeros_like(last, dtype=np.result_type(last, 0.0))
    control_bar = np.zeros_like(control, dtype=np.result_type(control, 0.0))
    for k in reversed(range(1, pieces + 1)):
        difference, sqrt = tape.pop()
        here_bar = last_bar
        difference_bar = length_bar / sqrt * difference
        here_bar += difference_bar
        last_bar = -difference_bar
        control_bar += _de_casteljau_vjp(control, k / pieces, here_bar)
    control_bar[0] += last_bar
    return control_bar
