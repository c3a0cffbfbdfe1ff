def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of end_error wrt start, m1, m2, l1, l2 [f8434417 f7e203de]
def end_error_vjp(start, m1, m2, l1, l2, goal, h, n, end_error_bar):
    """Vector-Jacobian product of end_error with respect to start, m1, m2, l1 and l2."""
    g = 9.81

    path = np.empty((n + 1, 4))
    path[0] = start
    tape = []
    for k in range(n):
        y = path[k]
        t1, t2, w1, w2 = y[0], y[1], y[2], y[3]
        d = t1 - t2
        cos_d6 = np.cos(2.0 * d)
        den = 2.0 * m1 + m2 - m2 * cos_d6
        sin_t1 = np.sin(t1)
        cos_d = np.cos(d)
        product28 = 2.0 * np.sin(d)
        difference4 = t1 - 2.0 * t2
        product29 = w1**2 * l1
        product33 = product28 * m2
        sin4 = np.sin(difference4)
        product8 = -g * (2.0 * m1 + m2)
        total8 = w2**2 * l2 + product29 * cos_d
        a1 = (product8 * sin_t1 - m2 * g * sin4 - product33 * total8) / (l1 * den)
        cos_t1 = np.cos(t1)
        product31 = w2**2 * l2
        product5 = g * (m1 + m2)
        product30 = product31 * m2
        total7 = product29 * (m1 + m2) + product5 * cos_t1 + product30 * cos_d
        a2 = (product28 * total7) / (l2 * den)
        k1 = np.array([w1, w2, a1, a2])
        shape_k1 = np.shape(k1)
        s = y + h / 2 * k1
        t12, t22, w12, w22 = s[0], s[1], s[2], s[3]
        shape_t22 = np.shape(t22)
        d2 = t12 - t22
        cos_d23 = np.cos(2.0 * d2)
        den2 = 2.0 * m1 + m2 - m2 * cos_d23
        sin_t12 = np.sin(t12)
        cos_d2 = np.cos(d2)
        product19 = 2.0 * np.sin(d2)
        difference3 = t12 - 2.0 * t22
        product20 = w12**2 * l1
        product24 = product19 * m2
        sin3 = np.sin(difference3)
        total6 = w22**2 * l2 + product20 * cos_d2
        a12 = (product8 * sin_t12 - m2 * g * sin3 - product24 * total6) / (l1 * den2)
        cos_t12 = np.cos(t12)
        product22 = w22**2 * l2
        product21 = product22 * m2
        total5 = product20 * (m1 + m2) + product5 * cos_t12 + product21 * cos_d2
        a22 = (product19 * total5) / (l2 * den2)
        k2 = np.array([w12, w22, a12, a22])
        shape_k2 = np.shape(k2)
        s2 = y + h / 2 * k2
        t13, t23, w13, w23 = s2[0], s2[1], s2[2], s2[3]
        shape_t23 = np.shape(t23)
        d3 = t13 - t23
        cos_d33 = np.cos(2.0 * d3)
        den3 = 2.0 * m1 + m2 - m2 * cos_d33
        sin_t13 = np.sin(t13)
        cos_d3 = np.cos(d3)
        product10 = 2.0 * np.sin(d3)
        difference2 = t13 - 2.0 * t23
        product11 = w13**2 * l1
        product15 = product10 * m2
        sin2 = np.sin(difference2)
        total4 = w23**2 * l2 + product11 * cos_d3
        a13 = (product8 * sin_t13 - m2 * g * sin2 - product15 * total4) / (l1 * den3)
        cos_t13 = np.cos(t13)
        product13 = w23**2 * l2
        product12 = product13 * m2
        total3 = product11 * (m1 + m2) + product5 * cos_t13 + product12 * cos_d3
        a23 = (product10 * total3) / (l2 * den3)
        k3 = np.array([w13, w23, a13, a23])
        shape_k3 = np.shape(k3)
        s3 = y + h * k3
        t14, t24, w14, w24 = s3[0], s3[1], s3[2], s3[3]
        shape_t24 = np.shape(t24)
        d4 = t14 - t24
        cos_d43 = np.cos(2.0 * d4)
        den4 = 2.0 * m1 + m2 - m2 * cos_d43
        sin_t14 = np.sin(t14)
        cos_d4 = np.cos(d4)
        product = 2.0 * np.sin(d4)
        difference = t14 - 2.0 * t24
        product2 = w14**2 * l1
        product6 = product * m2
        sin = np.sin(difference)
        total2 = w24**2 * l2 + product2 * cos_d4
        a14 = (product8 * sin_t14 - m2 * g * sin - product6 * total2) / (l1 * den4)
        cos_t14 = np.cos(t14)
        product4 = w24**2 * l2
        product3 = product4 * m2
        total = product2 * (m1 + m2) + product5 * cos_t14 + product3 * cos_d4
        a24 = (product * total) / (l2 * den4)
        k4 = np.array([w14, w24, a14, a24])
        shape_k4 = np.shape(k4)
        tape.append(
            (
                cos_d6,
                d,
                sin_t1,
                cos_d,
                product28,
                difference4,
                product29,
                product33,
                sin4,
                product8,
                total8,
                w1,
                t1,
                w2,
                den,
                cos_t1,
                product31,
                product5,
                product30,
                total7,
                a1,
                a2,
                shape_k1,
                s,
                shape_t22,
                t12,
                cos_d23,
                d2,
                sin_t12,
                cos_d2,
                product19,
                difference3,
                product20,
                product24,
                sin3,
                total6,
                w12,
                w22,
                den2,
                cos_t12,
                product22,
                product21,
                total5,
                a12,
                a22,
                shape_k2,
                s2,
                shape_t23,
                t13,
                cos_d33,
                d3,
                sin_t13,
                cos_d3,
                product10,
                difference2,
                product11,
                product15,
                sin2,
                total4,
                w13,
                w23,
                den3,
                cos_t13,
                product13,
                product12,
                total3,
                a13,
                a23,
                shape_k3,
                s3,
                shape_t24,
                t14,
                cos_d43,
                d4,
                sin_t14,
                cos_d4,
                product,
                difference,
                product2,
                product6,
                sin,
                total2,
                w14,
                w24,
                den4,
                cos_t14,
                product4,
                product3,
                total,
                a14,
                a24,
                shape_k4,
            )
        )
        path[k + 1] = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    # Backward pass
    path_bar = np.zeros_like(path)
    path_bar[-1] = _unbroadcast(2 * end_error_bar * (path[-1] - goal), path[-1].shape)
    l1_bar = np.zeros_like(l1, dtype=np.result_type(l1, 0.0))
    m1_bar = np.zeros_like(m1, dtype=np.result_type(m1, 0.0))
    m2_bar = np.zeros_like(m2, dtype=np.result_type(m2, 0.0))
    l2_bar = np.zeros_like(l2, dtype=np.result_type(l2, 0.0))
    for k in reversed(range(n)):
        (
            cos_d6,
            d,
            sin_t1,
            cos_d,
            product28,
            difference4,
            product29,
            product33,
            sin4,
            product8,
            total8,
            w1,
            t1,
            w2,
            den,
            cos_t1,
            product31,
            product5,
            product30,
            total7,
            a1,
            a2,
            shape_k1,
            s,
            shape_t22,
            t12,
            cos_d23,
            d2,
            sin_t12,
            cos_d2,
            product19,
            difference3,
            product20,
            product24,
            sin3,
            total6,
            w12,
            w22,
            den2,
            cos_t12,
            product22,
            product21,
            total5,
            a12,
            a22,
            shape_k2,
            s2,
            shape_t23,
            t13,
            cos_d33,
            d3,
            sin_t13,
            cos_d3,
            product10,
            difference2,
            product11,
            product15,
            sin2,
            total4,
            w13,
            w23,
            den3,
            cos_t13,
            product13,
            product12,
            total3,
            a13,
            a23,
            shape_k3,
            s3,
            shape_t24,
            t14,
            cos_d43,
            d4,
            sin_t14,
            cos_d4,
            product,
            difference,
            product2,
            product6,
            sin,
            total2,
            w14,
            w24,
            den4,
            cos_t14,
            product4,
            product3,
            total,
            a14,
            a24,
            shape_k4,
        ) = tape.pop()
        y_bar = path_bar[k]
        path_new_bar = path_bar[k + 1].copy()
        total_bar = path_new_bar * h / 6
        k1_bar = _unbroadcast(total_bar, shape_k1)
        k2_bar = _unbroadcast(total_bar * 2, shape_k2)
        k3_bar = _unbroadcast(total_bar * 2, shape_k3)
        k4_bar = _unbroadcast(total_bar, shape_k4)
        path_bar[k + 1] = 0.0
        y_bar += _unbroadcast(path_new_bar, path[k].shape)
        w14_bar = k4_bar[0]
        w24_bar = k4_bar[1]
        a14_bar = k4_bar[2]
        a24_bar = k4_bar[3]
        product_bar = a24_bar / (l2 * den4)
        total_bar2 = product_bar * product
        product_bar2 = total_bar2 * (m1 + m2)
        total_bar3 = total_bar2 * product2
        total_bar4 = total_bar2 * cos_t14 * g
        product_bar3 = total_bar2 * cos_d4
        product_bar4 = product_bar3 * m2
        product_bar5 = -a24_bar * a24 / (l2 * den4)
        d4_bar = _unbroadcast(
            product_bar * total * 2.0 * np.cos(d4), np.shape(d4)
        ) + _unbroadcast(-total_bar2 * product3 * np.sin(d4), np.shape(d4))
        w14_bar = w14_bar + _unbroadcast(2 * product_bar2 * l1 * w14, np.shape(w14))
        l1_bar += _unbroadcast(product_bar2 * w14**2, np.shape(l1))
        m1_bar += _unbroadcast(total_bar3, np.shape(m1)) + _unbroadcast(
            total_bar4, np.shape(m1)
        )
        m2_bar += (
            _unbroadcast(total_bar3, np.shape(m2))
            + _unbroadcast(total_bar4, np.shape(m2))
            + _unbroadcast(product_bar3 * product4, np.shape(m2))
        )
        t14_bar = _unbroadcast(-total_bar2 * product5 * np.sin(t14), np.shape(t14))
        w24_bar = w24_bar + _unbroadcast(2 * product_bar4 * l2 * w24, np.shape(w24))
        l2_bar += _unbroadcast(product_bar4 * w24**2, np.shape(l2)) + _unbroadcast(
            product_bar5 * den4, np.shape(l2)
        )
        den4_bar = _unbroadcast(product_bar5 * l2, np.shape(den4))
        difference_bar = a14_bar / (l1 * den4)
        total_bar5 = -difference_bar * sin_t14 * g
        product_bar6 = -difference_bar
        difference_bar2 = product_bar6 * m2 * g * np.cos(difference)
        product_bar7 = -difference_bar
        product_bar8 = product_bar7 * total2
        total_bar6 = product_bar7 * product6
        product_bar9 = total_bar6 * cos_d4
        product_bar10 = -a14_bar * a14 / (l1 * den4)
        m1_bar += _unbroadcast(total_bar5 * 2.0, np.shape(m1))
        m2_bar += (
            _unbroadcast(total_bar5, np.shape(m2))
            + _unbroadcast(product_bar6 * sin * g, np.shape(m2))
            + _unbroadcast(product_bar8 * product, np.shape(m2))
        )
        t14_bar += _unbroadcast(
            difference_bar * product8 * np.cos(t14), np.shape(t14)
        ) + _unbroadcast(difference_bar2, np.shape(t14))
        t24_bar = _unbroadcast(difference_bar2 * -2.0, shape_t24)
        d4_bar += _unbroadcast(
            product_bar8 * m2 * 2.0 * np.cos(d4), np.shape(d4)
        ) + _unbroadcast(-total_bar6 * product2 * np.sin(d4), np.shape(d4))
        w24_bar += _unbroadcast(2 * total_bar6 * l2 * w24, np.shape(w24))
        l2_bar += _unbroadcast(total_bar6 * w24**2, np.shape(l2))
        w14_bar += _unbroadcast(2 * product_bar9 * l1 * w14, np.shape(w14))
        l1_bar += _unbroadcast(product_bar9 * w14**2, np.shape(l1)) + _unbroadcast(
            product_bar10 * den4, np.shape(l1)
        )
        den4_bar += _unbroadcast(product_bar10 * l1, np.shape(den4))
        product_bar11 = -den4_bar
        m1_bar += _unbroadcast(den4_bar * 2.0, np.shape(m1))
        m2_bar += _unbroadcast(den4_bar, np.shape(m2)) + _unbroadcast(
            product_bar11 * cos_d43, np.shape(m2)
        )
        d4_bar += _unbroadcast(
            product_bar11 * m2 * np.sin(2.0 * d4) * -2.0, np.shape(d4)
        )
        t14_bar += _unbroadcast(d4_bar, np.shape(t14))
        t24_bar += _unbroadcast(-d4_bar, shape_t24)
        s3_bar = np.zeros_like(s3)
        s3_bar[0] = t14_bar
        s3_bar[1] = t24_bar
        s3_bar[2] = w14_bar
        s3_bar[3] = w24_bar
        y_bar += _unbroadcast(s3_bar, path[k].shape)
        k3_bar += _unbroadcast(s3_bar * h, shape_k3)
        w13_bar = k3_bar[0]
        w23_bar = k3_bar[1]
        a13_bar = k3_bar[2]
        a23_bar = k3_bar[3]
        product_bar12 = a23_bar / (l2 * den3)
        total_bar7 = product_bar12 * product10
        product_bar13 = total_bar7 * (m1 + m2)
        total_bar8 = total_bar7 * product11
        total_bar9 = total_bar7 * cos_t13 * g
        product_bar14 = total_bar7 * cos_d3
        product_bar15 = product_bar14 * m2
        product_bar16 = -a23_bar * a23 / (l2 * den3)
        d3_bar = _unbroadcast(
            product_bar12 * total3 * 2.0 * np.cos(d3), np.shape(d3)
        ) + _unbroadcast(-total_bar7 * product12 * np.sin(d3), np.shape(d3))
        w13_bar = w13_bar + _unbroadcast(2 * product_bar13 * l1 * w13, np.shape(w13))
        l1_bar += _unbroadcast(product_bar13 * w13**2, np.shape(l1))
        m1_bar += _unbroadcast(total_bar8, np.shape(m1)) + _unbroadcast(
            total_bar9, np.shape(m1)
        )
        m2_bar += (
            _unbroadcast(total_bar8, np.shape(m2))
            + _unbroadcast(total_bar9, np.shape(m2))
            + _unbroadcast(product_bar14 * product13, np.shape(m2))
        )
        t13_bar = _unbroadcast(-total_bar7 * product5 * np.sin(t13), np.shape(t13))
        w23_bar = w23_bar + _unbroadcast(2 * product_bar15 * l2 * w23, np.shape(w23))
        l2_bar += _unbroadcast(product_bar15 * w23**2, np.shape(l2)) + _unbroadcast(
            product_bar16 * den3, np.shape(l2)
        )
        den3_bar = _unbroadcast(product_bar16 * l2, np.shape(den3))
        difference_bar3 = a13_bar / (l1 * den3)
        total_bar10 = -difference_bar3 * sin_t13 * g
        product_bar17 = -difference_bar3
        difference_bar4 = product_bar17 * m2 * g * np.cos(difference2)
        product_bar18 = -difference_bar3
        product_bar19 = product_bar18 * total4
        total_bar11 = product_bar18 * product15
        product_bar20 = total_bar11 * cos_d3
        product_bar21 = -a13_bar * a13 / (l1 * den3)
        m1_bar += _unbroadcast(total_bar10 * 2.0, np.shape(m1))
        m2_bar += (
            _unbroadcast(total_bar10, np.shape(m2))
            + _unbroadcast(product_bar17 * sin2 * g, np.shape(m2))
            + _unbroadcast(product_bar19 * product10, np.shape(m2))
        )
        t13_bar += _unbroadcast(
            difference_bar3 * product8 * np.cos(t13), np.shape(t13)
        ) + _unbroadcast(difference_bar4, np.shape(t13))
        t23_bar = _unbroadcast(difference_bar4 * -2.0, shape_t23)
        d3_bar += _unbroadcast(
            product_bar19 * m2 * 2.0 * np.cos(d3), np.shape(d3)
        ) + _unbroadcast(-total_bar11 * product11 * np.sin(d3), np.shape(d3))
        w23_bar += _unbroadcast(2 * total_bar11 * l2 * w23, np.shape(w23))
        l2_bar += _unbroadcast(total_bar11 * w23**2, np.shape(l2))
        w13_bar += _unbroadcast(2 * product_bar20 * l1 * w13, np.shape(w13))
        l1_bar += _unbroadcast(product_bar20 * w13**2, np.shape(l1)) + _unbroadcast(
            product_bar21 * den3, np.shape(l1)
        )
        den3_bar += _unbroadcast(product_bar21 * l1, np.shape(den3))
        product_bar22 = -den3_bar
        m1_bar += _unbroadcast(den3_bar * 2.0, np.shape(m1))
        m2_bar += _unbroadcast(den3_bar, np.shape(m2)) + _unbroadcast(
            product_bar22 * cos_d33, np.shape(m2)
        )
        d3_bar += _unbroadcast(
            product_bar22 * m2 * np.sin(2.0 * d3) * -2.0, np.shape(d3)
        )
        t13_bar += _unbroadcast(d3_bar, np.shape(t13))
        t23_bar += _unbroadcast(-d3_bar, shape_t23)
        s2_bar = np.zeros_like(s2)
        s2_bar[0] = t13_bar
        s2_bar[1] = t23_bar
        s2_bar[2] = w13_bar
        s2_bar[3] = w23_bar
        y_bar += _unbroadcast(s2_bar, path[k].shape)
        k2_bar += _unbroadcast(s2_bar * h / 2, shape_k2)
        w12_bar = k2_bar[0]
        w22_bar = k2_bar[1]
        a12_bar = k2_bar[2]
        a22_bar = k2_bar[3]
        product_bar23 = a22_bar / (l2 * den2)
        total_bar12 = product_bar23 * product19
        product_bar24 = total_bar12 * (m1 + m2)
        total_bar13 = total_bar12 * product20
        total_bar14 = total_bar12 * cos_t12 * g
        product_bar25 = total_bar12 * cos_d2
        product_bar26 = product_bar25 * m2
        product_bar27 = -a22_bar * a22 / (l2 * den2)
        d2_bar = _unbroadcast(
            product_bar23 * total5 * 2.0 * np.cos(d2), np.shape(d2)
        ) + _unbroadcast(-total_bar12 * product21 * np.sin(d2), np.shape(d2))
        w12_bar = w12_bar + _unbroadcast(2 * product_bar24 * l1 * w12, np.shape(w12))
        l1_bar += _unbroadcast(product_bar24 * w12**2, np.shape(l1))
        m1_bar += _unbroadcast(total_bar13, np.shape(m1)) + _unbroadcast(
            total_bar14, np.shape(m1)
        )
        m2_bar += (
            _unbroadcast(total_bar13, np.shape(m2))
            + _unbroadcast(total_bar14, np.shape(m2))
            + _unbroadcast(product_bar25 * product22, np.shape(m2))
        )
        t12_bar = _unbroadcast(-total_bar12 * product5 * np.sin(t12), np.shape(t12))
        w22_bar = w22_bar + _unbroadcast(2 * product_bar26 * l2 * w22, np.shape(w22))
        l2_bar += _unbroadcast(product_bar26 * w22**2, np.shape(l2)) + _unbroadcast(
            product_bar27 * den2, np.shape(l2)
        )
        den2_bar = _unbroadcast(product_bar27 * l2, np.shape(den2))
        difference_bar5 = a12_bar / (l1 * den2)
        total_bar15 = -difference_bar5 * sin_t12 * g
        product_bar28 = -difference_bar5
        difference_bar6 = product_bar28 * m2 * g * np.cos(difference3)
        product_bar29 = -difference_bar5
        product_bar30 = product_bar29 * total6
        total_bar16 = product_bar29 * product24
        product_bar31 = total_bar16 * cos_d2
        product_bar32 = -a12_bar * a12 / (l1 * den2)
        m1_bar += _unbroadcast(total_bar15 * 2.0, np.shape(m1))
        m2_bar += (
            _unbroadcast(total_bar15, np.shape(m2))
            + _unbroadcast(product_bar28 * sin3 * g, np.shape(m2))
            + _unbroadcast(product_bar30 * product19, np.shape(m2))
        )
        t12_bar += _unbroadcast(
            difference_bar5 * product8 * np.cos(t12), np.shape(t12)
        ) + _unbroadcast(difference_bar6, np.shape(t12))
        t22_bar = _unbroadcast(difference_bar6 * -2.0, shape_t22)
        d2_bar += _unbroadcast(
            product_bar30 * m2 * 2.0 * np.cos(d2), np.shape(d2)
        ) + _unbroadcast(-total_bar16 * product20 * np.sin(d2), np.shape(d2))
        w22_bar += _unbroadcast(2 * total_bar16 * l2 * w22, np.shape(w22))
        l2_bar += _unbroadcast(total_bar16 * w22**2, np.shape(l2))
        w12_bar += _unbroadcast(2 * product_bar31 * l1 * w12, np.shape(w12))
        l1_bar += _unbroadcast(product_bar31 * w12**2, np.shape(l1)) + _unbroadcast(
            product_bar32 * den2, np.shape(l1)
        )
        den2_bar += _unbroadcast(product_bar32 * l1, np.shape(den2))
        product_bar33 = -den2_bar
        m1_bar += _unbroadcast(den2_bar * 2.0, np.shape(m1))
        m2_bar += _unbroadcast(den2_bar, np.shape(m2)) + _unbroadcast(
            product_bar33 * cos_d23, np.shape(m2)
        )
        d2_bar += _unbroadcast(
            product_bar33 * m2 * np.sin(2.0 * d2) * -2.0, np.shape(d2)
        )
        t12_bar += _unbroadcast(d2_bar, np.shape(t12))
        t22_bar += _unbroadcast(-d2_bar, shape_t22)
        s_bar = np.zeros_like(s)
        s_bar[0] = t12_bar
        s_bar[1] = t22_bar
        s_bar[2] = w12_bar
        s_bar[3] = w22_bar
        y_bar += _unbroadcast(s_bar, path[k].shape)
        k1_bar += _unbroadcast(s_bar * h / 2, shape_k1)
        w1_bar = k1_bar[0]
        w2_bar = k1_bar[1]
        a1_bar = k1_bar[2]
        a2_bar = k1_bar[3]
        product_bar34 = a2_bar / (l2 * den)
        total_bar17 = product_bar34 * product28
        product_bar35 = total_bar17 * (m1 + m2)
        total_bar18 = total_bar17 * product29
        total_bar19 = total_bar17 * cos_t1 * g
        product_bar36 = total_bar17 * cos_d
        product_bar37 = product_bar36 * m2
        product_bar38 = -a2_bar * a2 / (l2 * den)
        cos_d5 = np.cos(d)
        sin_d = np.sin(d)
        d_bar = (
            np.sum(product_bar34 * total7) * 2.0 * cos_d5
            - np.sum(total_bar17 * product30) * sin_d
        )
        l1_bar += _unbroadcast(product_bar35 * w1**2, np.shape(l1))
        m1_bar += _unbroadcast(total_bar18, np.shape(m1)) + _unbroadcast(
            total_bar19, np.shape(m1)
        )
        m2_bar += (
            _unbroadcast(total_bar18, np.shape(m2))
            + _unbroadcast(total_bar19, np.shape(m2))
            + _unbroadcast(product_bar36 * product31, np.shape(m2))
        )
        l2_bar += _unbroadcast(product_bar37 * w2**2, np.shape(l2)) + _unbroadcast(
            product_bar38 * den, np.shape(l2)
        )
        den_bar = _unbroadcast(product_bar38 * l2, np.shape(den))
        difference_bar7 = a1_bar / (l1 * den)
        total_bar20 = -difference_bar7 * sin_t1 * g
        product_bar39 = -difference_bar7
        difference_bar8 = np.sum(product_bar39 * m2 * g) * np.cos(difference4)
        product_bar40 = -difference_bar7
        product_bar41 = product_bar40 * total8
        total_bar21 = product_bar40 * product33
        product_bar42 = total_bar21 * cos_d
        product_bar43 = -a1_bar * a1 / (l1 * den)
        m1_bar += _unbroadcast(total_bar20 * 2.0, np.shape(m1))
        m2_bar += (
            _unbroadcast(total_bar20, np.shape(m2))
            + _unbroadcast(product_bar39 * sin4 * g, np.shape(m2))
            + _unbroadcast(product_bar41 * product28, np.shape(m2))
        )
        d_bar += (
            np.sum(product_bar41 * m2) * 2.0 * cos_d5
            - np.sum(total_bar21 * product29) * sin_d
        )
        w2_bar = (
            w2_bar
            + 2 * np.sum(product_bar37 * l2) * w2
            + 2 * np.sum(total_bar21 * l2) * w2
        )
        l2_bar += _unbroadcast(total_bar21 * w2**2, np.shape(l2))
        w1_bar = (
            w1_bar
            + 2 * np.sum(product_bar35 * l1) * w1
            + 2 * np.sum(product_bar42 * l1) * w1
        )
        l1_bar += _unbroadcast(product_bar42 * w1**2, np.shape(l1)) + _unbroadcast(
            product_bar43 * den, np.shape(l1)
        )
        den_bar += _unbroadcast(product_bar43 * l1, np.shape(den))
        product_bar44 = -den_bar
        m1_bar += _unbroadcast(den_bar * 2.0, np.shape(m1))
        m2_bar += _unbroadcast(den_bar, np.shape(m2)) + _unbroadcast(
            product_bar44 * cos_d6, np.shape(m2)
        )
        d_bar -= np.sum(product_bar44 * m2) * np.sin(2.0 * d) * 2.0
        t1_bar = (
            -np.sum(total_bar17 * product5) * np.sin(t1)
            + (np.sum(difference_bar7 * product8) * np.cos(t1) + difference_bar8)
            + d_bar
        )
        t2_bar = difference_bar8 * -2.0 - d_bar
        y_bar[0] += t1_bar
        y_bar[1] += t2_bar
        y_bar[2] += w1_bar
        y_bar[3] += w2_bar
    start_bar = _unbroadcast(path_bar[0], np.shape(start))
    path_bar[0] = 0.0
    return start_bar, m1_bar, m2_bar, l1_bar, l2_bar
