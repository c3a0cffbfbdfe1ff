"""The tangents of private helpers: what forward mode makes of a call of one.

A helper is linear in each of some parameters (a cotangent, and the arrays that it is multiplied with): its
tangent is the sum of the helper with each of them replaced by its tangent. What only counts, chooses or
looks at shapes has no tangent. Helpers that are not here have none that anybody has written: a second
derivative through them is refused. In reverse mode the helper's own text is differentiated, but for those
whose cotangents broadcasting gives.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from ..notation import Rule

TANGENTS: dict[str, Rule] = {}
CONTAINERS: set[str] = set()  # the helpers that take containers as they are


def _linear(
    name: str,
    signature: str,
    parameters: str,
    memory: str = "fresh",
    refused: str = "",
    cotangent: str = "",
) -> None:
    """A helper that is linear in each of `parameters`; those that are `refused` it also depends on.

    The `cotangent` is what broadcasts to that of its first parameter.
    """
    names = [p.split("=")[0].strip() for p in signature.split(",")]
    moving = parameters.split()
    terms = []
    for p in moving:
        given = ", ".join(f"{n}_dot" if n == p else n for n in names)
        terms.append(f"{name}({given})")
    full = f"<helper>.{name}"
    TANGENTS[full] = Rule(
        (full,),
        signature,
        "general",
        dict.fromkeys(moving, cotangent),
        " + ".join(terms),
        bool(cotangent),
        memory=memory,
        refused=tuple(refused.split()),
        shape="summed shape" if "shape" in names else "unknown",
    )


def _itself(name: str, signature: str, parameters: str) -> None:
    """A helper of containers, linear in `parameters` together: its tangent is the helper of their tangents."""
    full = f"<helper>.{name}"
    moving = dict.fromkeys(parameters.split(), "")
    CONTAINERS.add(full)
    TANGENTS[full] = Rule((full,), signature, "linear", moving, shape="unknown")


def _still(name: str, signature: str, dtype: str = "float", refused: str = "") -> None:
    """A helper whose result does not vary with its arguments, but with those that are `refused`."""
    full = f"<helper>.{name}"
    TANGENTS[full] = Rule(
        (full,), signature, "constant", dtype=dtype, refused=tuple(refused.split())
    )


_linear("_unbroadcast", "x_bar, shape", "x_bar", cotangent="y_bar")
_linear("_unreduced", "y_bar, axis, keepdims", "y_bar", "maybe y_bar")
_linear("_matmul_a_bar", "y_bar, a, b", "y_bar b")
_linear("_matmul_b_bar", "y_bar, a, b", "y_bar a")
_linear("_dot_a_bar", "y_bar, a, b", "y_bar b")
_linear("_dot_b_bar", "y_bar, a, b", "y_bar a")
_linear("_inner_b_bar", "y_bar, a, b", "y_bar a")
_linear("_cross_bar", "y_bar, a, b, axis", "y_bar b")
_linear("_tensordot_a_bar", "y_bar, a, b, axes", "y_bar b")
_linear("_tensordot_b_bar", "y_bar, a, b, axes", "y_bar a")
_linear("_convolve_bar", "y_bar, a, v, mode", "y_bar v")
_linear("_correlate_bar", "y_bar, a, v, mode", "y_bar v")
_linear("_correlate_v_bar", "y_bar, a, v, mode", "y_bar a")
_linear("_triangular_stack_b_bar", "y_bar, a, b, trans, lower, unit_diagonal", "y_bar", refused="a")
_linear("_kron_blocks", "y_bar, a, b", "y_bar")
_linear("_diff_bar", "y_bar, n, axis, length", "y_bar")
_linear("_diff_part", "y_bar, n, axis, parts, k", "y_bar")
_linear("_interp_bar", "y_bar, x, xp", "y_bar", refused="x xp")
_linear("_take_bar", "y_bar, x, indices, axis", "y_bar")
_linear("_gather_bar", "y_bar, places, x", "y_bar")
_linear("_diagonal_bar", "y_bar, x, offset", "y_bar")
_linear("_diag_bar", "y_bar, x, k", "y_bar", "maybe y_bar")
_linear("_untranspose", "y_bar, axes", "y_bar", "view y_bar")
_linear("_rollaxis_bar", "y_bar, axis, start", "y_bar", "view y_bar")
_linear("_unpad", "y_bar, pad_width", "y_bar", "view y_bar")
_linear("_pad_bar", "y_bar, x, pad_width, mode", "y_bar", "maybe y_bar")
_itself("_opened", "x_bar", "x_bar")
_itself("_plus", "x_bar, y_bar", "x_bar y_bar")
_itself("_restored", "x_bar, x", "x_bar")
_itself("_fitted", "x_bar, x", "x_bar")
_itself("_as_tangent", "x_dot, x", "x_dot")
_itself("_listed", "y_bar, xs", "y_bar")
_itself("_spread", "y_bar, xs", "y_bar")
_itself("_chosen", "y_bar, xs, y", "y_bar")
_itself("_chosen_dot", "xs_dot, xs, y", "xs_dot")
_still("_zeros_like", "x")
_still("_shares", "hits, axis, x")
_still("_quantile_weights", "x, q, axis, method, skip_nan=False", refused="q")
_still("_positions", "x", "int")
