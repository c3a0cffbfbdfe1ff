"""A strided, padded convolution as a loop over the offsets of the kernel; layout (N, C, H, W).

For each offset (p, q) all places of the output read one strided slice of the padded image, so the innermost work is
one contraction over the channels.
"""

import numpy as np

DERIVATIVE = "vjp of conv_strided wrt x, w, b"


def arguments(size: int = 5):
    rng = np.random.default_rng(19)
    return (
        rng.normal(size=(2, 2, size, 4)),
        rng.normal(size=(3, 2, 3, 3)),
        rng.normal(size=3),
        2,
        1,
    )


def conv_strided(x, w, b, stride=1, pad=0):
    n, c, height, width = x.shape
    f, _, kh, kw = w.shape
    oh = (height + 2 * pad - kh) // stride + 1
    ow = (width + 2 * pad - kw) // stride + 1
    xp = np.zeros((n, c, height + 2 * pad, width + 2 * pad))
    xp[:, :, pad : pad + height, pad : pad + width] = x
    out = np.zeros((n, f, oh, ow))
    for p in range(kh):
        for q in range(kw):
            patch = xp[:, :, p : p + stride * oh : stride, q : q + stride * ow : stride]
            out += np.einsum("nchw,fc->nfhw", patch, w[:, :, p, q])
    out += b[:, None, None]
    return out
