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


def _shares(hits, axis, x):
    """One for each hit along axis, divided among equals, in the dtype of x."""
    hits = np.asarray(hits).astype(np.asarray(x).dtype)
    return hits / np.sum(hits, axis, keepdims=True)


# pullback: vjp of logsumexp wrt x private=yes [54236178 9d75dad5]
def _logsumexp_vjp(x, logsumexp_bar):
    """Vector-Jacobian product of logsumexp with respect to x."""
    mx = np.max(x)
    exp = np.exp(x - mx)
    # Backward pass
    difference_bar = logsumexp_bar / np.sum(exp) * exp
    x_bar = difference_bar
    mx_bar = logsumexp_bar - np.sum(difference_bar)
    return x_bar + mx_bar * _shares(x == mx, None, x)


# pullback: vjp of log_wishart_prior wrt sum_qs, Qdiags, icf private=yes args=int,any,any,any,any,any [9f40ff1b dfe10375]
def _log_wishart_prior_vjp(p, gamma, m, sum_qs, Qdiags, icf, log_wishart_prior_bar):
    """Vector-Jacobian product of log_wishart_prior with respect to sum_qs, Qdiags and icf."""
    # Backward pass
    frobenius_bar = np.sum(log_wishart_prior_bar * (0.5 * gamma * gamma))
    Qdiags_bar = 2 * frobenius_bar * Qdiags
    icf_bar = np.zeros_like(icf, dtype=np.result_type(icf, 0.0))
    icf_bar[:, p:] = 2 * frobenius_bar * icf[:, p:]
    return (
        np.full_like(
            sum_qs,
            -np.sum(log_wishart_prior_bar * m),
            dtype=np.result_type(sum_qs, 0.0),
        ),
        Qdiags_bar,
        icf_bar,
    )


# pullback: vjp of Qtimes wrt Qdiag, L, x private=yes args=any,array2,any [ab1fb02c 29b01caa]
def _Qtimes_vjp(Qdiag, L, x, Qtimes_bar):
    """Vector-Jacobian product of Qtimes with respect to Qdiag, L and x."""
    # Backward pass
    product_bar = _unbroadcast(Qtimes_bar, np.shape(L @ x))
    return (
        _unbroadcast(Qtimes_bar * x, np.shape(Qdiag)),
        _matmul_a_bar(product_bar, L, x),
        _unbroadcast(Qtimes_bar * Qdiag, np.shape(x))
        + _matmul_b_bar(product_bar, L, x),
    )


# pullback: vjp of constructL wrt icf private=yes args=int,any [eac10462 2b6fcb20]
def _constructL_vjp(d, icf, constructL_bar):
    """Vector-Jacobian product of constructL with respect to icf."""
    at = d
    tape = []
    for i in range(d):
        n = d - i - 1
        total = at + n
        shape = np.shape(icf[at:total])
        tape.append((total, shape, at))
        at += n
    # Backward pass
    L_bar = constructL_bar.copy()
    icf_bar = np.zeros_like(icf, dtype=np.result_type(icf, 0.0))
    for i in reversed(range(d)):
        total, shape, at = tape.pop()
        icf_bar[at:total] += _unbroadcast(L_bar[i + 1 :, i], shape)
    return icf_bar


# pullback: vjp of gmm_objective wrt alphas, means, icf [015e7a8f 6019877d]
def gmm_objective_vjp(
    alphas, means, icf, x, wishart_gamma, wishart_m, gmm_objective_bar
):
    """Vector-Jacobian product of gmm_objective with respect to alphas, means and icf."""
    n, d = x.shape
    k = means.shape[0]
    sum_qs = np.sum(icf[:, :d], axis=1)
    Qdiags = np.exp(icf[:, :d])
    main_term_tape = []
    tape = []
    for ix in range(n):
        main_term = np.empty(k)
        for ik in range(k):
            L = constructL(d, icf[ik])
            Qxcentered = Qtimes(Qdiags[ik], L, x[ix] - means[ik])
            tape.append((L, Qxcentered))
            main_term[ik] = alphas[ik] + sum_qs[ik] - 0.5 * np.sum(Qxcentered**2)
        main_term_tape.append(main_term.copy())
    # Backward pass
    difference_bar = np.sum(gmm_objective_bar)
    slse_bar = difference_bar
    alphas_bar = _logsumexp_vjp(alphas, -difference_bar * n)
    prior_bar = gmm_objective_bar
    (
        log_wishart_prior_sum_qs_bar,
        log_wishart_prior_Qdiags_bar,
        log_wishart_prior_icf_bar,
    ) = _log_wishart_prior_vjp(
        d, wishart_gamma, wishart_m, sum_qs, Qdiags, icf, prior_bar
    )
    sum_qs_bar = log_wishart_prior_sum_qs_bar
    Qdiags_bar = log_wishart_prior_Qdiags_bar
    icf_bar = log_wishart_prior_icf_bar
    means_bar = np.zeros_like(means, dtype=np.result_type(means, 0.0))
    for ix in reversed(range(n)):
        main_term = main_term_tape.pop()
        main_term_bar = _logsumexp_vjp(main_term, slse_bar)
        for ik in reversed(range(k)):
            L, Qxcentered = tape.pop()
            Qxcentered_bar = -np.sum(main_term_bar[ik]) * Qxcentered
            alphas_bar[ik] += _unbroadcast(main_term_bar[ik], np.shape(alphas[ik]))
            sum_qs_bar[ik] += _unbroadcast(main_term_bar[ik], np.shape(sum_qs[ik]))
            main_term_bar[ik] = 0.0
            Qtimes_Qdiag_bar, Qtimes_L_bar, Qtimes_x_bar = _Qtimes_vjp(
                Qdiags[ik], L, x[ix] - means[ik], Qxcentered_bar
            )
            L_bar = Qtimes_L_bar
            Qdiags_bar[ik] += Qtimes_Qdiag_bar
            means_bar[ik] += _unbroadcast(-Qtimes_x_bar, np.shape(means[ik]))
            icf_bar[ik] += _constructL_vjp(d, icf[ik], L_bar)
    icf_bar[:, :d] += np.where(Qdiags_bar != 0.0, Qdiags_bar * Qdiags, 0.0)
    icf_bar[:, :d] += np.expand_dims(sum_qs_bar, 1)
    return alphas_bar, means_bar, icf_bar
