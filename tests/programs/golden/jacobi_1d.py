def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of jacobi_1d wrt A, B [cf50a6f4 48b58ece]
def jacobi_1d_vjp(tsteps, A, B, jacobi_1d_bar):
    """Vector-Jacobian product of jacobi_1d with respect to A and B."""
    A = A.copy()
    B = B.copy()
    shape_product2_tape = []
    shape_product_tape = []
    for t in range(tsteps):
        product2 = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        shape_product2 = np.shape(product2)
        shape_product2_tape.append(shape_product2)
        B[1:-1] = product2
        product = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
        shape_product = np.shape(product)
        shape_product_tape.append(shape_product)
        A[1:-1] = product
    # Backward pass
    A_bar = np.positive(jacobi_1d_bar[0])
    B_bar = np.positive(jacobi_1d_bar[1])
    for _ in range(tsteps):
        shape_product2 = shape_product2_tape.pop()
        shape_product = shape_product_tape.pop()
        total_bar = _unbroadcast(A_bar[1:-1], shape_product) * 0.33333
        B_bar[:-2] += total_bar
        B_bar[1:-1] += total_bar
        B_bar[2:] += total_bar
        A_bar[1:-1] = 0.0
        total_bar2 = _unbroadcast(B_bar[1:-1], shape_product2) * 0.33333
        A_bar[:-2] += total_bar2
        A_bar[1:-1] += total_bar2
        A_bar[2:] += total_bar2
        B_bar[1:-1] = 0.0
    return A_bar, B_bar
