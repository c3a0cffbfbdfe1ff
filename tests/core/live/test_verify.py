"""`verify` around made-up derivatives: what it finds wrong, what it leaves alone."""

from dataclasses import dataclass

import numpy as np
import pytest

from pullback import verify as verify_function
from pullback.live import DerivationError
from pullback.verify import VerificationError, verify
from pullback.verify.differences import difference


def with_derivative(monkeypatch, made, tangent=None):
    """`made` is the derivative of reverse mode; without a `tangent`, forward mode is refused."""

    def derivative(f, kind, wrt):
        if kind == "jvp" and tangent is None:
            raise DerivationError("there is no tangent")
        return tangent if kind == "jvp" else made

    monkeypatch.setattr("pullback.live.derivative", derivative)
    monkeypatch.setitem(verify.__globals__, "derivative", derivative)


def product(x, y):
    return np.sum(x * x * y)


def test_right(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: 2.0 * x * y)
    report = verify(product, (np.array([1.0, 2.0, -3.0]), 0.5))
    assert report.ok
    assert report.compared == 3
    assert report.worst.error < 1e-9
    report.raise_if_wrong()
    assert "grad of product agrees with finite differences" in str(report)


def test_wrong_element_is_named(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: 2.0 * x * y + np.array([0.0, 1e-4, 0.0]))
    report = verify(product, (np.array([1.0, 2.0, -3.0]), 0.5))
    assert not report.ok
    assert (report.worst.argument, report.worst.place) == ("x", "[1]")
    with pytest.raises(VerificationError, match=r"worst: x\[1\]: derivative 2\.0001, reference 2,"):
        report.raise_if_wrong()


@pytest.mark.parametrize("bad", [np.zeros(2), np.zeros((3, 1)), None, np.full(3, np.nan)])
def test_wrong_shape_or_nothing(monkeypatch, bad):
    with_derivative(monkeypatch, lambda x, y: bad)
    assert not verify(product, (np.array([1.0, 2.0, -3.0]), 0.5)).ok


def test_several_arguments(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: (2.0 * x * y, float(np.sum(x * x))))
    assert verify(product, (np.array([1.0, 2.0]), 0.5), wrt=("x", "y")).ok
    with_derivative(monkeypatch, lambda x, y: (2.0 * x * y, 0.0))
    report = verify(product, (np.array([1.0, 2.0]), 0.5), wrt="*")
    assert [e.argument for e in report.wrong] == ["y"]


def test_containers(monkeypatch):
    @dataclass
    class Part:
        b: float
        name: str

    def f(p):
        return p["w"][0] * p["part"].b

    with_derivative(monkeypatch, lambda p: {"w": [p["part"].b, 0.0], "part": Part(p["w"][0], None)})
    assert verify(f, ({"w": [2.0, 1.0], "part": Part(3.0, "n")},)).ok


def test_the_arguments_stay_as_they_were(monkeypatch):
    def f(x):
        x[0] = 0.0
        return np.sum(x * x)

    def made(x):
        x[:] = 2.0 * x
        x[0] = 0.0
        return x

    x = np.array([1.0, 2.0])
    with_derivative(monkeypatch, made)
    assert verify(f, (x,)).ok
    assert x.tolist() == [1.0, 2.0]


def test_beside_a_kink(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: np.array([1.0, -1.0]))
    assert verify(lambda x, y: np.sum(np.abs(x)), (np.array([1e-5, -1.0]), 0.0)).ok


def test_noise_is_unsure_not_wrong(monkeypatch):
    rng = np.random.default_rng(1)
    with_derivative(monkeypatch, lambda x, y: 1.0)
    report = verify(lambda x, y: x + rng.normal(), (1.0, 0.0))
    assert len(report.unsure) == 1 and not report.wrong
    assert not report.ok  # nothing could be compared
    assert "1 without a usable reference, such as x" in str(report)


@pytest.mark.parametrize("given, wrong", [(0.0, 0), (0.3, 0), (1.1, 1)])
def test_at_a_kink_any_slope_between_is_unsure(monkeypatch, given, wrong):
    with_derivative(monkeypatch, lambda x, y: np.array([given, 1.0]))
    report = verify(lambda x, y: np.sum(np.maximum(x, 0.0)), (np.array([0.0, 1.0]), 0.0))
    assert len(report.wrong) == wrong
    assert len(report.unsure) == 1 - wrong


def test_whole_numbers_are_named_as_the_reason(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: 4.0)
    assert "write 1.0 instead of 1" in str(verify(product, (2, 1)))


def test_arguments_need_a_tuple():
    with pytest.raises(TypeError, match="in a tuple"):
        verify(product, 2.0)


def test_single_precision(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: 2.0 * x * y)
    x = np.array([1.1, 2.3], dtype=np.float32)
    report = verify(product, (x, np.float32(0.7)))
    assert report.ok and report.tolerance == 1e-3


def test_value_and_grad(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: (np.sum(x * x * y) + 1.0, 2.0 * x * y))
    report = verify(product, (np.array([1.0]), 0.5), kind="value_and_grad")
    assert [e.argument for e in report.wrong] == ["value"]


def test_vjp(monkeypatch):
    def f(x):
        return x * x, 3, np.sum(x)

    with_derivative(monkeypatch, lambda x, f_bar: 2.0 * x * f_bar[0] + f_bar[2])
    assert verify(f, (np.array([1.0, 2.0]),), kind="vjp").ok


def fill(x, out, norm):
    out[:] = x * x
    norm[0] = np.sum(x)


@pytest.mark.parametrize("kind", ["vjp", "jvp", "jacobian"])
def test_a_function_that_fills_its_arguments(kind):
    report = verify_function(fill, (np.array([1.0, 2.0]), np.zeros(2), np.zeros(1)), "x", kind)
    assert report.ok
    assert report.compared == 2


def scaled(x, *rest, scale=2.0):
    return {"y": x * scale, "n": len(x)}


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
def test_a_seed_that_goes_by_name_in_containers(kind):
    assert verify_function(scaled, (np.array([1.0, 2.0]), 3), "x", kind).ok


def test_many_elements_are_sampled(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: 2.0 * x * y)
    report = verify(product, (np.arange(500.0), 0.5))
    assert report.ok
    assert (report.compared, report.left_out) == (200, 300)


def test_nothing_compared_is_not_ok(monkeypatch):
    with_derivative(monkeypatch, lambda x, y: np.zeros(0))
    report = verify(product, (np.zeros(0), 0.5))
    assert not report.ok
    assert "could not be compared" in str(report)


@pytest.mark.parametrize(
    ("f", "x", "slope"),
    [
        (np.exp, 30.0, np.exp(30.0)),
        (np.sin, 1e6, np.cos(1e6)),
        (lambda x: np.log(np.real(x)), 0.05, 20.0),
        (lambda x: float(np.real(x)) ** 0.5, 0.03, 0.5 / 0.03**0.5),
    ],
)
def test_reference(f, x, slope):
    value, doubt = difference(lambda given: f(given["x"]), {"x": x}, "x", (), (), 1.0)
    assert value == pytest.approx(slope, rel=1e-7)
    assert doubt < 1e-6


def test_complex_argument(monkeypatch):
    with_derivative(monkeypatch, lambda z: 2.0 * z)
    assert verify(lambda z: np.abs(z) ** 2, (1.0 + 2.0j,)).ok


def test_the_package_gives_the_function():
    assert verify_function is verify


def stretched(x, k):
    return x**2 * k, np.sum(x) * k, len(x)


def energy(x, k):
    return np.sum(np.sin(x) * k) ** 2


AT = (np.array([0.4, -1.1]), 0.7)


@pytest.mark.parametrize("wrt", ["x", ("x",), ("x", "k")])
def test_a_jacobian_is_compared_along_seeds_of_its_outputs(wrt):
    report = verify_function(stretched, AT, wrt, "jacobian")
    assert report.ok
    assert report.compared == (3 if "k" in wrt else 2)


@pytest.mark.parametrize("wrt", ["x", ("x",), ("x", "k")])
@pytest.mark.parametrize("kind", ["hvp", "hessian"])
def test_second_derivatives_are_compared_along_a_vector(wrt, kind):
    report = verify_function(energy, AT, wrt, kind)
    assert report.ok
    assert report.compared == (3 if "k" in wrt else 2)


def test_a_wrong_block_of_a_jacobian_is_named(monkeypatch):
    def made(x, k):
        return np.diag(2.0 * x * k) + np.diag([0.0, 1e-4]), np.full(2, k), None

    with_derivative(monkeypatch, made)
    report = verify(stretched, AT, "x", "jacobian")
    assert [(e.argument, e.place) for e in report.wrong] == [("x", "[1]")]


# --- along a direction -----------------------------------------------------------------------------


def along(report):
    return {check.name: check.ok for check in report.along}


def many(x):
    return np.sum(x * x * x)


def test_what_is_not_sampled_is_found_by_its_remainder(monkeypatch):
    def made(x):
        bar = 3.0 * x * x
        bar[17] += 0.1
        return bar

    x = np.linspace(-1.0, 2.0, 5000)
    with_derivative(monkeypatch, made)
    report = verify(many, (x,))
    assert not report.wrong
    assert not report.ok
    assert along(report) == {"Taylor remainder": False}
    assert "Taylor remainder: order 1.0 (wrong)" in str(report)
    with_derivative(monkeypatch, lambda x: 3.0 * x * x)
    assert along(verify(many, (x,))) == {"Taylor remainder": True}


@pytest.mark.parametrize("x", [0.3, 1e3, -1e-3])
def test_a_remainder_of_second_order_is_right(monkeypatch, x):
    with_derivative(monkeypatch, lambda x: np.cos(x))
    assert along(verify(lambda x: np.sin(x), (x,))) == {"Taylor remainder": True}


def test_at_a_kink_a_remainder_tells_nothing(monkeypatch):
    with_derivative(monkeypatch, lambda x: 0.0)
    assert along(verify(abs, (0.0,))) == {"Taylor remainder": None}


def test_noise_is_no_remainder(monkeypatch):
    with_derivative(monkeypatch, lambda x: 1.0)
    report = verify(lambda x: x + 1e-7 * np.sin(1e9 * x), (0.5,))
    assert along(report)["Taylor remainder"] is None


def test_the_modes_are_compared(monkeypatch):
    x = np.array([1.0, 2.0, -3.0])
    with_derivative(
        monkeypatch, lambda x: 3.0 * x * x, lambda x, x_dot: (many(x), np.sum(3.0 * x * x * x_dot))
    )
    assert along(verify(many, (x,)))["dot product of the modes"]
    with_derivative(
        monkeypatch, lambda x: 3.0 * x * x, lambda x, x_dot: (many(x), np.sum(x * x * x_dot))
    )
    report = verify(many, (x,))
    assert along(report) == {"Taylor remainder": True, "dot product of the modes": False}
    with pytest.raises(VerificationError, match=r"dot product of the modes: .* \(wrong\)"):
        report.raise_if_wrong()


def cubes(x, k: float):
    return x * x * x * k


@pytest.mark.parametrize("kind", ["vjp", "jvp", "jacobian"])
def test_both_modes_are_made_for_every_kind(kind):
    report = verify_function(cubes, (np.array([0.4, -1.1]), 0.7), wrt=("x", "k"), kind=kind)
    assert report.ok
    assert along(report) == {"Taylor remainder": True, "dot product of the modes": True}


@pytest.mark.parametrize("kind", ["hvp", "hessian"])
def test_a_hessian_is_symmetric(kind):
    report = verify_function(many, (np.array([0.4, -1.1]),), kind=kind)
    assert along(report) == {"Taylor remainder": True, "symmetry": True}
