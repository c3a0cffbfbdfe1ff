# pullback: vjp of correlation wrt data [4064eb70 e4d8f905]
def correlation_vjp(data, correlation_bar):
    """Vector-Jacobian product of correlation with respect to data."""
    n, m = data.shape
    mean = np.mean(data, axis=0)
    difference = data - mean
    stddev = np.sqrt(np.mean(difference**2, axis=0))
    stddev_0 = stddev.copy()
    stddev[stddev <= 0.1] = 1.0
    sqrt_n = np.sqrt(n)
    product = sqrt_n * stddev
    data = (data - mean) / product
    # Backward pass
    corr_bar = correlation_bar.copy()
    data_bar = np.zeros_like(data)
    for i in reversed(range(m - 1)):
        for j in reversed(range(i + 1, m)):
            corr_bar[i, j] += corr_bar[j, i]
            data_bar[:, i] += corr_bar[i, j] * data[:, j]
            data_bar[:, j] += corr_bar[i, j] * data[:, i]
    difference_bar = np.where(data_bar != 0.0, data_bar / product, 0.0)
    stddev_bar = (
        np.sum(np.where(data_bar != 0.0, -data_bar * data / product, 0.0), axis=0)
        * sqrt_n
    )
    stddev_bar[stddev_0 <= 0.1] = 0.0
    power_bar = np.where(stddev_bar != 0.0, 0.5 * stddev_bar / stddev_0, 0.0)[None] / n
    difference_bar2 = np.where(power_bar != 0.0, 2 * power_bar * difference, 0.0)
    mean_bar = -np.sum(difference_bar, axis=0) - np.sum(difference_bar2, axis=0)
    return difference_bar + difference_bar2 + mean_bar[None] / n
