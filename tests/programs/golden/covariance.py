# pullback: vjp of covariance wrt data [47ed504b 4fa1066b]
def covariance_vjp(data, covariance_bar):
    """Vector-Jacobian product of covariance with respect to data."""
    n, m = data.shape
    mean = np.zeros(m)
    for j in range(m):
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= n
    centred = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            centred[i, j] = data[i, j] - mean[j]
    # Backward pass
    cov_bar = covariance_bar.copy()
    centred_bar = np.zeros_like(centred)
    for i in reversed(range(m)):
        for j in reversed(range(i, m)):
            cov_new_bar = cov_bar[j, i]
            cov_bar[j, i] = 0.0
            cov_bar[i, j] += cov_new_bar
            cov_bar[i, j] = cov_bar[i, j] / (n - 1.0)
            for k in reversed(range(n)):
                centred_bar[k, i] += cov_bar[i, j] * centred[k, j]
                centred_bar[k, j] += cov_bar[i, j] * centred[k, i]
    data_bar = np.zeros_like(data, dtype=np.result_type(data, 0.0))
    mean_bar = np.zeros_like(mean)
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            data_bar[i, j] += centred_bar[i, j]
            mean_bar[j] -= centred_bar[i, j]
    for j in reversed(range(m)):
        mean_bar[j] = mean_bar[j] / n
        for i in reversed(range(n)):
            data_bar[i, j] += mean_bar[j]
    return data_bar
