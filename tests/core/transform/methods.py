"""Small programs, one for each way to call a method, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

from tests.core.transform.constructs import V, W

# name: (text of the classes and of the function f that calls their methods, arguments)
METHODS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "methods of an object that is made here": (
        """
        class Kernel:
            floor = 0.1

            def __init__(self, scale, power=2):
                self.scale = scale
                self.power = power

            def distance(self, u):
                return np.abs(u) * self.scale + self.floor

            def __call__(self, u):
                return np.exp(-(self.distance(u) ** self.power))


        def f(x):
            # pullback: x: (n,)
            k = Kernel(0.7)
            return np.sum(k(x) * k.distance(x[::-1])) + Kernel(0.3, power=3)(x[0])
        """,
        (V,),
    ),
    "methods of a parameter that has an annotation": (
        """
        class Spring:
            def __init__(self, k):
                self.k = k

            @staticmethod
            def bend(u):
                return u**3

            def force(self, u):
                return -self.k * u + self.bend(u)


        class Damped(Spring):
            def __init__(self, k, c):
                super().__init__(k)
                self.c = c

            def total(self, u, v):
                return self.force(u) - self.c * v + Spring.bend(v)


        DAMPED = Damped(0.3, 0.2)


        def swing(x, v, spring: "Damped"):
            for _ in range(3):
                v = v + 0.1 * spring.total(x, v)
                x = x + 0.1 * v
            return np.sum(x * v)


        def f(x, v):
            # pullback: x: (n,), v: (n,)
            return swing(x, v, DAMPED)
        """,
        (V, W),
    ),
    "a global object, its parts and its properties": (
        """
        class Wall:
            def __init__(self, height: float):
                self.height = height

            @property
            def half(self):
                return 0.5 * self.height


        class Room:
            def __init__(self, wall: Wall):
                self.wall = wall
                self.other = Wall(2.0)

            def echo(self, x):
                return np.sin(self.wall.half * x) + self.other.half * x**2


        ROOM = Room(Wall(3.0))


        def f(x):
            # pullback: x: (n,)
            return np.sum(ROOM.echo(x)) * ROOM.wall.half
        """,
        (V,),
    ),
    "class methods": (
        """
        class Unit:
            factor = 2.5

            @classmethod
            def scaled(cls, u):
                return cls.factor * cls.squared(u)

            @staticmethod
            def squared(u):
                return u * u

            def both(self, u):
                return self.scaled(u) + Unit.squared(u)


        def f(x):
            # pullback: x: (n,)
            return np.sum(Unit.scaled(x) * Unit().both(x))
        """,
        (V,),
    ),
    "a method that overrides and calls the one above": (
        """
        class Base:
            def term(self, u):
                return u**2

            def loss(self, u):
                return np.sum(self.term(u))


        class Derived(Base):
            def term(self, u):
                return super().term(u) * np.sin(u)

            def both(self, u):
                return np.sum(self.term(u)) + self.loss(u)


        def f(x):
            # pullback: x: (n,)
            d = Derived()
            return np.sum(d.term(x))
        """,
        (V,),
    ),
    "a method that is passed": (
        """
        class Decay:
            def __init__(self, rate):
                self.__rate = rate

            def slope(self, y):
                return -self.__rate * y * y

            def step(self, y, h):
                return heun(self.slope, y, h)


        def heun(g, y, h):
            k = g(y)
            return y + 0.5 * h * (k + g(y + h * k))


        def f(x, h: float):
            # pullback: x: (n,)
            decay = Decay(0.3)
            return np.sum(decay.step(x, h) * heun(decay.slope, x, h))
        """,
        (
            V,
            0.2,
        ),
    ),
    "a method that writes into an array": (
        """
        class Filter:
            def __init__(self, a):
                self.a = a

            def smooth(self, u):
                for i in range(1, len(u)):
                    u[i] += self.a * u[i - 1]


        def f(x):
            # pullback: x: (n,)
            y = x * x
            Filter(0.4).smooth(y)
            flt = Filter(0.2)
            flt.smooth(y)
            return np.sum(y * x)
        """,
        (V,),
    ),
    "a method that calls itself, a private one": (
        """
        class A:
            def __init__(self, w):
                self.w = w

            def g(self, x, deep=2):
                if deep == 0:
                    return x * self.w
                return self.g(x * x, deep=deep - 1)

            def _dot(self, a, b):
                return np.sum(a * b)


        def f(x):
            # pullback: x: (n,)
            a = A(3.0)
            return a._dot(x, a.g(x))
        """,
        (V,),
    ),
    "a property in a loop": (
        """
        class A:
            def __init__(self, w):
                self.w = w
            @property
            def half(self):
                return self.w / 2


        def f(x):
            # pullback: x: (n,)
            a = A(3.0)
            for i in range(len(x)):
                x[i] = np.sin(x[i] * a.half)
            return np.sum(x)
        """,
        (V,),
    ),
    "a method that counts its calls": (
        """
        class D:
            calls = 0

            def term(self, u):
                self.calls += 1
                return u * u


        def f(x):
            # pullback: x: (n,)
            d = D()
            return np.sum(d.term(x))
        """,
        (V,),
    ),
    "objects of a list": (
        """
        from typing import NamedTuple


        class Layer(NamedTuple):
            w: np.ndarray
            b: float

            def __call__(self, u):
                return np.tanh(u * self.w + self.b)

            def size(self):
                return np.sum(self.w * self.w)


        def f(x, c):
            layers = [Layer(x[0] * x, c), Layer(x, 2.0 * c)]
            return through(layers, x) + penalty(layers)


        def through(layers: list[Layer], x):
            for layer in layers:
                x = layer(x)
            return np.sum(x) * layers[0].size()


        def penalty(layers: list[Layer]):
            s = 0.0
            for k, layer in enumerate(reversed(layers)):
                s = s + layer.size() * k
            for first, second in zip(layers[:-1], layers[1:]):
                s = s + first.b * second.size()
            return s
        """,
        (V, 0.3),
    ),
}

# name: (text of the classes and of the function f, the code, and what is underlined)
REFUSED: dict[str, tuple[str, str, str]] = {
    "a method that a class below overrides": (
        """
        class Base:
            def term(self, u):
                return u**2

            def loss(self, u):
                return np.sum(self.term(u))


        class Derived(Base):
            def term(self, u):
                return np.sin(u)


        def f(x):
            # pullback: x: (n,)
            return Derived().loss(x)
        """,
        "PB307",
        "self.term(u)",
    ),
    "a method of a class that nobody knows": (
        """
        from somewhere import Base


        class D(Base):
            def loss(self, u):
                return np.sum(self.term(u))


        def f(x):
            # pullback: x: (n,)
            return D().loss(x)
        """,
        "PB307",
        "self.term(u)",
    ),
    "an attribute that hides a method": (
        """
        class D:
            def __init__(self):
                self.term = np.sin

            def term(self, u):
                return u


        def f(x):
            # pullback: x: (n,)
            d = D()
            return np.sum(d.term(x))
        """,
        "PB307",
        "d.term(x)",
    ),
    "a method that writes an attribute": (
        """
        class D:
            def __init__(self):
                self.h = 0.0

            def term(self, u):
                self.h = np.sum(u)
                return u * self.h


        def f(x):
            # pullback: x: (n,)
            d = D()
            return np.sum(d.term(x))
        """,
        "PB106",
        "self.h",
    ),
    "an attribute written by a method that gives nothing": (
        """
        class D:
            def __init__(self):
                self.h = 0.0

            def push(self, u):
                self.h = np.sum(u)

            def term(self, u):
                self.push(u)
                return u * self.h


        def f(x):
            # pullback: x: (n,)
            d = D()
            return np.sum(d.term(x))
        """,
        "PB106",
        "self.h",
    ),
    "an object that is given another part": (
        """
        class A:
            def term(self, u):
                return u * u


        class B(A):
            def other(self, u):
                return u


        class D:
            def __init__(self):
                self.a = A()


        def f(x):
            # pullback: x: (n,)
            d = D()
            d.a = B()
            return np.sum(d.a.term(x))
        """,
        "PB307",
        "d.a.term(x)",
    ),
    "a variable that holds one object or another": (
        """
        class A:
            def term(self, u):
                return u * u


        class B:
            def term(self, u):
                return u


        def f(x, n: int):
            # pullback: x: (n,)
            d = A()
            if n > 1:
                d = B()
            return np.sum(d.term(x))
        """,
        "PB307",
        "d.term(x)",
    ),
    "a class that is changed later": (
        """
        def twice(g):
            return lambda *a: 2 * g(*a)


        class A:
            @twice
            def term(self, u):
                return u * u

            def fill(self, u):
                u[0] = u[1]


        A.fill = A.term


        def f(x, n: int):
            # pullback: x: (n,)
            d = A()
            return np.sum(d.term(x))
        """,
        "PB307",
        "d.term(x)",
    ),
    "a decorator of a method": (
        """
        def twice(g):
            return lambda *a: 2 * g(*a)


        class A:
            @twice
            def term(self, u):
                return u * u


        def f(x, n: int):
            # pullback: x: (n,)
            d = A()
            return np.sum(d.term(x))
        """,
        "PB107",
        "term",
    ),
    "an object made of what is differentiated": (
        """
        class D:
            def __init__(self, k):
                self.k = k

            def term(self, u):
                return self.k * u * u


        def f(x, k: float):
            # pullback: x: (n,)
            return np.sum(D(k).term(x))
        """,
        "PB301",
        "D(k)",
    ),
    "an object out of a list": (
        """
        class A:
            def __init__(self, w):
                self.w = w

            def term(self, u):
                return u * u * self.w


        def f(x):
            # pullback: x: (n,)
            layers = [A(1.0), A(0.5)]
            for layer in layers:
                x = layer.term(x)
            return np.sum(x)
        """,
        "PB307",
        "layer.term(x)",
    ),
    "an attribute written where the result does not matter": (
        """
        class D:
            def push(self, u):
                self.h = np.sum(u)
                return 0


        class E:
            def __init__(self):
                self.d = D()

            def push(self, u):
                k = self.d.push(u)
                return 0


        def f(x):
            # pullback: x: (n,)
            e = E()
            k = e.push(x)
            return np.sum(x) * e.d.h
        """,
        "PB106",
        "self.h",
    ),
}
