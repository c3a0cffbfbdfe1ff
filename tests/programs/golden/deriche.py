import math


# pullback: vjp of deriche wrt alpha, img [212f2e39 afe476de]
def deriche_vjp(alpha: float, img, deriche_bar):
    """Vector-Jacobian product of deriche with respect to alpha and img."""
    w, h = img.shape
    exp_alpha3 = np.exp(-alpha)
    difference2 = 1.0 - exp_alpha3
    k = difference2**2
    exp_alpha6 = np.exp(2.0 * alpha)
    difference = 1.0 + 2.0 * alpha * exp_alpha3 - exp_alpha6
    k = k / difference
    a1 = k
    a5 = k
    product = k * exp_alpha3
    a2 = product * (alpha - 1.0)
    a6 = a2
    a3 = product * (alpha + 1.0)
    a7 = a3
    exp_alpha = np.exp(-2.0 * alpha)
    a4 = -k * exp_alpha
    a8 = a4
    b1 = 2.0 ** (-alpha)
    b2 = -exp_alpha
    y1 = np.zeros_like(img)
    y2 = np.zeros_like(img)
    tape3 = []

    for i in range(w):
        ym1 = ym2 = xm1 = 0.0
        for j in range(h):
            tape3.append((xm1, ym1, ym2))
            y1[i, j] = a1 * img[i, j] + a2 * xm1 + b1 * ym1 + b2 * ym2
            xm1 = img[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    tape4 = []
    for i in range(w):
        yp1 = yp2 = xp1 = xp2 = 0.0
        for j in range(h - 1, -1, -1):
            tape4.append((xp1, xp2, yp1, yp2))
            y2[i, j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2
            xp2 = xp1
            xp1 = img[i, j]
            yp2 = yp1
            yp1 = y2[i, j]
    out = y1 + y2
    tape = []

    for j in range(h):
        tm1 = ym1 = ym2 = 0.0
        for i in range(w):
            tape.append((tm1, ym1, ym2))
            y1[i, j] = a5 * out[i, j] + a6 * tm1 + b1 * ym1 + b2 * ym2
            tm1 = out[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    tape2 = []
    for j in range(h):
        tp1 = tp2 = yp1 = yp2 = 0.0
        for i in range(w - 1, -1, -1):
            tape2.append((tp1, tp2, yp1, yp2))
            y2[i, j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2
            tp2 = tp1
            tp1 = out[i, j]
            yp2 = yp1
            yp1 = y2[i, j]
    # Backward pass
    y1_bar = deriche_bar.copy()
    y2_bar = deriche_bar.copy()
    a7_bar = 0.0
    a8_bar = 0.0
    b1_bar = 0.0
    b2_bar = 0.0
    out_bar = np.zeros_like(out, dtype=np.result_type(out, 0.0))
    for j in reversed(range(h)):
        tp1_bar = 0.0
        tp2_bar = 0.0
        yp1_bar = 0.0
        yp2_bar = 0.0
        for i in reversed(range(w - 1, -1, -1)):
            tp1, tp2, yp1, yp2 = tape2.pop()
            y2_bar[i, j] += yp1_bar
            yp1_bar = yp2_bar
            out_bar[i, j] += tp1_bar
            tp1_bar = tp2_bar
            a7_bar += y2_bar[i, j] * tp1
            tp1_bar += y2_bar[i, j] * a7
            a8_bar += y2_bar[i, j] * tp2
            tp2_bar = y2_bar[i, j] * a8
            b1_bar += y2_bar[i, j] * yp1
            yp1_bar += y2_bar[i, j] * b1
            b2_bar += y2_bar[i, j] * yp2
            yp2_bar = y2_bar[i, j] * b2
            y2_bar[i, j] = 0.0
    a5_bar = 0.0
    a6_bar = 0.0
    for j in reversed(range(h)):
        tm1_bar = 0.0
        ym1_bar = 0.0
        ym2_bar = 0.0
        for i in reversed(range(w)):
            tm1, ym1, ym2 = tape.pop()
            y1_bar[i, j] += ym1_bar
            ym1_bar = ym2_bar
            out_bar[i, j] += tm1_bar
            a5_bar += y1_bar[i, j] * out[i, j]
            a6_bar += y1_bar[i, j] * tm1
            tm1_bar = y1_bar[i, j] * a6
            b1_bar += y1_bar[i, j] * ym1
            ym1_bar += y1_bar[i, j] * b1
            b2_bar += y1_bar[i, j] * ym2
            ym2_bar = y1_bar[i, j] * b2
            out_bar[i, j] += y1_bar[i, j] * a5
            y1_bar[i, j] = 0.0
    y1_bar += out_bar
    y2_bar += out_bar
    a3_bar = 0.0
    a4_bar = 0.0
    img_bar = np.zeros_like(img, dtype=np.result_type(img, 0.0))
    for i in reversed(range(w)):
        xp1_bar = 0.0
        xp2_bar = 0.0
        yp1_bar = 0.0
        yp2_bar = 0.0
        for j in reversed(range(h - 1, -1, -1)):
            xp1, xp2, yp1_0, yp2_0 = tape4.pop()
            y2_bar[i, j] += yp1_bar
            yp1_bar = yp2_bar
            img_bar[i, j] += xp1_bar
            xp1_bar = xp2_bar
            a3_bar += y2_bar[i, j] * xp1
            xp1_bar += y2_bar[i, j] * a3
            a4_bar += y2_bar[i, j] * xp2
            xp2_bar = y2_bar[i, j] * a4
            b1_bar += y2_bar[i, j] * yp1_0
            yp1_bar += y2_bar[i, j] * b1
            b2_bar += y2_bar[i, j] * yp2_0
            yp2_bar = y2_bar[i, j] * b2
            y2_bar[i, j] = 0.0
    a1_bar = 0.0
    a2_bar = 0.0
    for i in reversed(range(w)):
        xm1_bar = 0.0
        ym1_bar = 0.0
        ym2_bar = 0.0
        for j in reversed(range(h)):
            xm1, ym1_0, ym2_0 = tape3.pop()
            y1_bar[i, j] += ym1_bar
            ym1_bar = ym2_bar
            img_bar[i, j] += xm1_bar
            a1_bar += y1_bar[i, j] * img[i, j]
            a2_bar += y1_bar[i, j] * xm1
            xm1_bar = y1_bar[i, j] * a2
            b1_bar += y1_bar[i, j] * ym1_0
            ym1_bar += y1_bar[i, j] * b1
            b2_bar += y1_bar[i, j] * ym2_0
            ym2_bar = y1_bar[i, j] * b2
            img_bar[i, j] += y1_bar[i, j] * a1
            y1_bar[i, j] = 0.0
    a4_bar += a8_bar
    alpha_bar = (
        b2_bar * exp_alpha * 2.0
        - b1_bar * b1 * math.log(2.0)
        + a4_bar * k * exp_alpha * 2.0
    )
    a3_bar += a7_bar
    product_bar = a3_bar * (alpha + 1.0)
    alpha_bar += a3_bar * product - product_bar * k * exp_alpha3
    a2_bar += a6_bar
    product_bar2 = a2_bar * (alpha - 1.0)
    alpha_bar += a2_bar * product - product_bar2 * k * exp_alpha3
    k_bar = (
        -a4_bar * exp_alpha
        + product_bar * exp_alpha3
        + product_bar2 * exp_alpha3
        + a5_bar
        + a1_bar
    )
    difference_bar = -k_bar * k / difference
    alpha_bar += 2.0 * difference_bar * (exp_alpha3 - alpha * exp_alpha3 - exp_alpha6)
    k_bar = k_bar / difference
    alpha_bar += 2 * k_bar * difference2 * exp_alpha3
    return alpha_bar, img_bar
