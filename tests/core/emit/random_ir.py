"""Random expressions and statements, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable

from pullback import ir
from pullback.ir import AugAssign, BoolOp, Call, Compare, Const, Dict, IfExp, Name, Slice, Tuple

NAMES = ("x", "w", "h_bar", "weights", "activation_bar", "inputs", "t", "residual_of_the_fit", "i")
BINARY = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and_",
    "or_",
    "xor",
    "lshift",
    "rshift",
]
COMMON = ["add", "sub", "mul", "truediv", "pow", "matmul"]
FUNCTIONS = (
    "numpy.exp",
    "numpy.tanh",
    "numpy.where",
    "numpy.linalg.solve",
    "math.log",
    "builtins.len",
    ".mix",
    "<helper>._unbroadcast",
    "scipy.special.digamma",
)
METHODS = ("sum", "copy", "reshape", "transpose")


class Maker:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def name(self) -> Name:
        return Name(self.rng.choice(NAMES))

    def leaf(self) -> ir.Expr:
        if self.rng.random() < 0.7:
            return self.name()
        values = (1.0, 2, 0.5, 1e-9, 123456789.25, True, None, "axis", "a long string of text")
        return Const(self.rng.choice(values))

    def expr(self, depth: int) -> ir.Expr:
        if depth <= 0:
            return self.leaf()
        kinds: list[tuple[Callable[[int], ir.Expr], int]] = [
            (self.binary, 10),
            (self.call, 6),
            (self.method, 3),
            (self.item, 4),
            (self.attr, 2),
            (self.sign, 2),
            (self.compare, 1),
            (self.boolean, 1),
            (self.choice, 1),
            (self.tuple, 1),
            (self.dict, 1),
        ]
        make = self.rng.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
        return make(depth - 1)

    def binary(self, d: int) -> ir.Expr:
        ops = COMMON if self.rng.random() < 0.9 else BINARY
        return Call(
            f"operator.{self.rng.choice(ops)}", (self.expr(d), self.expr(self.rng.randint(0, d)))
        )

    def sign(self, d: int) -> ir.Expr:
        op = self.rng.choice(("neg", "neg", "neg", "invert", "not_", "pos"))
        value = self.expr(d)
        if isinstance(value, Const):
            value = self.name()
        if op == "not_" and isinstance(value, Compare):
            return value
        return Call(f"operator.{op}", (value,))

    def call(self, d: int) -> ir.Expr:
        args = tuple(self.expr(self.rng.randint(0, d)) for _ in range(self.rng.randint(0, 3)))
        kwargs = (("axis", self.expr(0)),) if self.rng.random() < 0.3 else ()
        return Call(self.rng.choice(FUNCTIONS), args, kwargs)

    def receiver(self, d: int) -> ir.Expr:
        value = self.expr(d)
        return self.name() if isinstance(value, (Const, Tuple, Dict)) else value

    def method(self, d: int) -> ir.Expr:
        rest = tuple(self.expr(0) for _ in range(self.rng.randint(0, 2)))
        return Call(f"method.{self.rng.choice(METHODS)}", (self.receiver(d), *rest))

    def attr(self, d: int) -> ir.Expr:
        return Call(f"attr.{self.rng.choice(('T', 'shape', 'size'))}", (self.receiver(d),))

    def item(self, d: int) -> ir.Expr:
        index: ir.Expr = self.index(d)
        if self.rng.random() < 0.4:
            index = Tuple(tuple(self.index(d) for _ in range(self.rng.randint(1, 3))))
        return Call("operator.getitem", (self.receiver(d), index))

    def index(self, d: int) -> ir.Expr:
        if self.rng.random() < 0.4:
            return Slice(*(self.bound(min(d, 1)) for _ in range(3)))
        return self.expr(min(d, 1))

    def bound(self, d: int) -> ir.Expr | None:
        return None if self.rng.random() < 0.5 else self.expr(d)

    def compare(self, d: int) -> ir.Expr:
        n = 1 if self.rng.random() < 0.8 else 2
        ops = tuple(self.rng.choice(("<", ">=", "==", "in", "is not")) for _ in range(n))
        return Compare(self.plain(d), ops, tuple(self.plain(d) for _ in ops))

    def plain(self, d: int) -> ir.Expr:
        """Something that ruff's linter lets stand in a comparison."""
        value = self.expr(d)
        return self.name() if isinstance(value, (Const, Tuple, Dict)) else value

    def boolean(self, d: int) -> ir.Expr:
        op = self.rng.choice(("and", "or"))
        values = [self.expr(d) for _ in range(self.rng.randint(2, 3))]
        return BoolOp(
            op, tuple(v for v in values if not isinstance(v, BoolOp)) + (self.name(),) * 2
        )

    def choice(self, d: int) -> ir.Expr:
        return IfExp(self.expr(d), self.expr(d), self.expr(d))

    def tuple(self, d: int) -> ir.Expr:
        items = tuple(self.expr(d) for _ in range(self.rng.randint(0, 3)))
        return Tuple(items, self.rng.choice(("tuple", "list")))

    def dict(self, d: int) -> ir.Expr:
        n = self.rng.randint(0, 3)
        keys = tuple(Const(f"key{i}") for i in range(n))
        return Dict(keys, tuple(self.expr(d) for _ in keys))

    # --- statements ---

    def target(self) -> ir.Expr:
        if self.rng.random() < 0.3:
            return Call("operator.getitem", (self.name(), self.index(1)))
        return self.name()

    def simple(self) -> ir.Stmt:
        value = self.expr(self.rng.randint(1, 6))
        kind = self.rng.random()
        if kind < 0.05:
            return ir.Assign((self.name(), self.target(), self.target()), value)
        if kind < 0.55:
            return ir.Assign((self.target(),), value)
        if kind < 0.7:
            return AugAssign(self.target(), f"operator.{self.rng.choice(COMMON)}", value)
        if kind < 0.8:
            return ir.Assign((Tuple((self.name(), self.target())),), Tuple((value, self.expr(2))))
        if kind < 0.9:
            return ir.Return(value if self.rng.random() < 0.5 else Tuple((value, self.expr(3))))
        return ir.ExprStmt(self.call(3))

    def statement(self, depth: int) -> ir.Stmt:
        kind = self.rng.random()
        if depth <= 0 or kind < 0.7:
            return self.simple()
        if kind < 0.8:
            target = self.name() if kind < 0.75 else Tuple((self.name(), self.name()))
            return ir.For(target, self.call(2), self.block(depth - 1))
        if kind < 0.9:
            return ir.While(self.expr(4), self.block(depth - 1))
        return ir.If(self.expr(4), self.block(depth - 1), self.orelse(depth - 1))

    def orelse(self, depth: int) -> ir.Block:
        if self.rng.random() < 0.4:
            return ()
        if self.rng.random() < 0.4:
            return (ir.If(self.expr(4), self.block(depth), self.block(depth), is_elif=True),)
        return self.block(depth)

    def block(self, depth: int) -> ir.Block:
        return tuple(self.statement(depth) for _ in range(self.rng.randint(1, 3)))
