"""Dense Jacobians and Hessians against differences.

Their products are held by the tests of jvp, vjp and hvp; here it is what is made of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import asked, assert_dense, returning, space_of
from tests.core.tangent.test_hessian import SCALAR
from tests.core.transform.tables import entries, program

STEP = 3  # every third: what differs from program to program is the product


def _checked(table: str, name: str, kind: str) -> set[str]:
    """The codes that refuse the derivative; one that is given is right."""
    p = program(table, name)
    derived = derive(p.source, "f", kind, asked(p.wrt), modules={})
    if derived.source is None:
        return {d.code for d in derived.diagnostics}
    space: dict[str, Any] = space_of(p.source, derived.source)
    with np.errstate(all="ignore"):
        assert_dense(returning(space["f"], p.source), space[f"f_{kind}"], p.args, kind, p.wrt)
    return set()


@pytest.mark.parametrize(("table", "name"), entries("constructs", "in place")[::STEP])
def test_a_jacobian_has_a_column_for_each_element(table: str, name: str) -> None:
    assert not _checked(table, name, "jacobian")


@pytest.mark.parametrize(("table", "name"), [e for e in SCALAR if e[0] != "regressions"][::STEP])
def test_a_hessian_is_the_jacobian_of_the_gradient(table: str, name: str) -> None:
    assert _checked(table, name, "hessian") <= {"PB302", "PB202"}


def test_complex_results_of_real_parameters_have_complex_slopes() -> None:
    text = "import numpy as np\n\n\ndef f(x: np.ndarray):\n    return x[0] * np.exp(1j * x)\n"
    derived = derive(text, "f", "jacobian", modules={})
    x = np.array([0.7, -0.3, 1.2])
    waves = np.exp(1j * x)
    want = np.diag(x[0] * 1j * waves)
    want[:, 0] += waves
    np.testing.assert_allclose(space_of(text, derived.source or "")["f_jacobian"](x), want)
