"""Programs that take derivatives themselves, and arguments to hold them against: see constructs.py."""

from __future__ import annotations

from typing import Any

from tests.core.transform.constructs import V

_MODULE = """
        import pullback
        from pullback import grad


        def energy(q, k=2.0):
            return 0.5 * k * np.sum(q * q) + np.sum(np.cos(q))


        def newton(f, x):
            return x - f(x) / grad(f)(x)


        def descend(df, x):
            for _ in range(3):
                x = x - 0.1 * df(x)
            return x


        class Spring:
            def __init__(self, k):
                self.k = k

            def energy(self, x: float):
                return 0.5 * self.k * x * x * x

            def force(self, x: float):
                return -grad(self.energy)(x)


"""


def _program(text: str) -> str:
    return _MODULE + text.lstrip("\n")


NESTED: dict[str, tuple[str, tuple[Any, ...]]] = {
    name: (_program(text), args)
    for name, (text, args) in {
        "a gradient of a function of the module": (
            """
        def f(q):
            # pullback: q: (n,)
            return np.sum(pullback.grad(energy)(q) * q)
            """,
            (V,),
        ),
        "gradients in every step of a loop": (
            """
        def f(q):
            # pullback: q: (n,)
            p = np.zeros_like(q)
            for _ in range(5):
                p = p - 0.05 * grad(energy)(q, k=3.0)
                q = q + 0.1 * p
            return energy(q) + np.sum(p * p)
            """,
            (V,),
        ),
        "a derivative that has a name": (
            """
        def f(q, k: float):
            # pullback: q: (n,)
            force = grad(energy, "q")
            return np.sum(force(q, k) ** 3) + np.sum(force(2.0 * q, k))
            """,
            (V, 0.7),
        ),
        "with respect to several": (
            """
        def f(q, k: float):
            # pullback: q: (n,)
            dq, dk = grad(energy, ("q", "k"))(q, k)
            return np.sum(dq * q) * dk
            """,
            (V, 0.7),
        ),
        "a lambda and what it captures": (
            """
        def f(x: float):
            return x * grad(lambda y: x * y * y)(x + 1.0)
            """,
            (0.7,),
        ),
        "a nested function that calls another": (
            """
        def f(x: float, a: float):
            def inner(y):
                return y * y * x

            def outer(y):
                return inner(y) * inner(a * y)

            return grad(outer)(x)
            """,
            (0.7, 1.3),
        ),
        "three levels": (
            """
        def f(x: float):
            def g(y):
                def h(z):
                    return x * y * z * z

                return y * grad(h)(y)

            return x * grad(g)(x)
            """,
            (0.7,),
        ),
        "derivatives of derivatives": (
            """
        def f(x: float):
            third = grad(grad(grad(lambda y: x * y**5)))
            return third(x) + grad(grad(lambda y: np.sin(x * y)))(x)
            """,
            (0.7,),
        ),
        "every kind": (
            """
        def f(x: float):
            value, slope = pullback.value_and_grad(lambda y: np.sin(y) * x)(x)
            _, tangent = pullback.jvp(lambda y: np.sin(y) * x)(x, x * x)
            cotangent = pullback.vjp(lambda y: np.cos(y) * x)(x, x)
            curved = pullback.hvp(lambda y: np.sin(y) * x * y)(x, x + 2.0)
            return value * slope + tangent * cotangent + curved
            """,
            (0.7,),
        ),
        "Newton's method for a function that is passed": (
            """
        def f(a: float):
            x = 1.0
            for _ in range(3):
                x = newton(lambda z: z * z - a, x)
            return x
            """,
            (0.7,),
        ),
        "a derivative that is passed": (
            """
        def f(x: float):
            return descend(grad(lambda y: (y - x) ** 2 * x), 0.3) + descend(grad(cube), x)


        def cube(y):
            return y**3
            """,
            (0.7,),
        ),
        "steps of learning, learned from": (
            """
        def f(w):
            # pullback: w: (n,)
            def loss(v):
                return np.sum((np.tanh(v) - w) ** 2)

            v = w * 0.5
            for _ in range(3):
                v = v - 0.1 * grad(loss)(v)
            return loss(v)
            """,
            (V,),
        ),
        "a root by Newton's method": (
            """
        def f(x: float):
            y = 1.0
            while abs(y * y * y - x) > 1e-12:
                y = y - (y * y * y - x) / grad(lambda t: t**3)(y)
            return y
            """,
            (0.7,),
        ),
        "a method of the object itself": (
            """
        def f(x: float):
            return Spring(2.0).force(x) * x
            """,
            (0.7,),
        ),
        "a Jacobian": (
            """
        def f(x):
            # pullback: x: (n,)
            return np.sum(pullback.jacobian(lambda y: np.sin(y) * x * y)(x) ** 2)
            """,
            (V,),
        ),
        "a Hessian": (
            """
        def f(x):
            # pullback: x: (n,)
            return np.sum(pullback.hessian(energy)(x) @ x)
            """,
            (V,),
        ),
        "under a condition": (
            """
        def f(x: float):
            y = x * x if x < 0.0 else grad(lambda t: t**3 * x)(x)
            return y + (grad(lambda t: t * t)(x) if x > 0.0 else x)
            """,
            (0.7,),
        ),
    }.items()
}
