"""What is known of a value: its kind, shape, dtype and, where the text shows it, its very value.

A shape is a tuple of dimensions where the rank is known, else a set of atoms (the shapes that it is the
broadcast of), so that `y = x * 0.5` has the shape of x although nobody knows which that is. A dimension
is a symbol plus an integer: `u[1:-1]` and `u[2:]` are both (n - 2,).

May not know: the rules, source text, NumPy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Union


@dataclass(frozen=True)
class Dim:
    """`sym + off`; a plain integer where `sym` is empty.

    Of a slice that is `cut` the array may end before: it has the length, but nobody counts with it.
    """

    sym: str = ""
    off: int = 0
    cut: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        if not self.sym:
            return str(self.off)
        return (
            self.sym
            if self.off == 0
            else f"{self.sym} {'+' if self.off > 0 else '-'} {abs(self.off)}"
        )


@dataclass(frozen=True)
class Atoms:
    """A shape of unknown rank: the broadcast of the shapes that the atoms stand for."""

    names: frozenset[str]


Shape = Union[tuple[Dim, ...], Atoms]
SCALAR: Shape = ()


class _Missing:
    def __repr__(self) -> str:
        return "…"


MISSING: Any = _Missing()


@dataclass(frozen=True)
class Type:
    """`kind` is one of

    "scalar"  a Python or NumPy number (bool and int included: see dtype), shape ()
    "array"   an ndarray for certain
    "number"  a float or an array, nobody knows which
    "tuple", "list", "dict", "record" (a NamedTuple or dataclass)  with `items` where they are known, of a
              dict and a record under `keys`; `each` is what holds of any of them
    "struct"  one of these, or an array: nobody knows which
    "class"   of a record, with the type of its instances as `each`
    "str", "none", "function", "module", "slice", "other"
    "any"     nothing is known

    `dtype` is "float", "int", "bool", "complex", "either" (real or complex), "inexact" (floating: what is
    made of a parameter of which nothing is said is taken as real) or "any". `const` is the value where it is
    known.
    `unique` marks an index array without repeats: "alone", or its place in the group of arrays that only
    together never repeat ("v:3.0:2", the first of two). `maker` is the class of a record, where it is known, and
    the function of the rule table that gave a tuple: it may have names.
    """

    kind: str = "any"
    shape: Shape = Atoms(frozenset())
    dtype: str = "any"
    items: tuple[Type, ...] | None = None
    const: Any = MISSING
    unique: str = ""
    keys: tuple[Any, ...] | None = None
    each: Type | None = None
    maker: str = ""

    def numeric(self) -> bool:
        return self.kind in ("scalar", "array", "number", "any")

    def rank(self) -> int | None:
        return len(self.shape) if isinstance(self.shape, tuple) else None


_LOOSE = "?"  # a dimension that may differ from part to part
CONTAINERS = ("tuple", "list", "dict", "record", "struct")

ANY = Type()
NONE = Type("none", const=None)


def scalar(dtype: str = "float", const: Any = MISSING) -> Type:
    return Type("scalar", SCALAR, dtype, const=const)


def array(shape: Shape, dtype: str = "float") -> Type:
    if shape == SCALAR:
        return scalar(dtype)
    return Type("array", shape, dtype)


def fresh(site: str) -> Shape:
    """The unknown shape of the value made at `site`: equal to itself only."""
    return Atoms(frozenset((site,)))


def dims(*names: str) -> tuple[Dim, ...]:
    return tuple(Dim(n) for n in names)


def of_constant(value: Any) -> Type:
    """The type of a literal, its value included."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return scalar("bool", value)
    if isinstance(value, int):
        return scalar("int", value)
    if isinstance(value, float):
        return scalar("float", value)
    if isinstance(value, complex):
        return scalar("complex", value)
    return Type("str" if isinstance(value, (str, bytes)) else "other", const=value)


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape that two shapes broadcast to; None where the text shows that they do not."""
    if a == b or b == SCALAR:
        return a
    if a == SCALAR:
        return b
    if isinstance(a, tuple) and isinstance(b, tuple):
        return _broadcast_dims(a, b)
    return Atoms(_atoms(a) | _atoms(b))


def _broadcast_dims(a: tuple[Dim, ...], b: tuple[Dim, ...]) -> Shape | None:
    n = max(len(a), len(b))
    one = Dim("", 1)
    pa = (one,) * (n - len(a)) + a
    pb = (one,) * (n - len(b)) + b
    out = []
    for x, y in zip(pa, pb):
        if x == y or y == one:
            out.append(x)
        elif x == one:
            out.append(y)
        elif not x.sym and not y.sym:
            return None
        elif not x.sym and x.off > 1:
            out.append(x)  # the other is 1 or the same
        elif not y.sym and y.off > 1:
            out.append(y)
        else:
            out.append(Dim(f"max({x},{y})"))
    return tuple(out)


def _atoms(s: Shape) -> frozenset[str]:
    if isinstance(s, Atoms):
        return s.names
    return frozenset(("(" + ",".join(map(str, s)) + ")",))


def promote(a: str, b: str) -> str:
    """The dtype of arithmetic on two dtypes."""
    both = (a, b)
    if "any" in both and not any(may_be_complex(d) for d in both):
        return "inexact" if "float" in both or "inexact" in both else "any"
    for d in ("complex", "either", "inexact", "float", "int", "bool"):
        if d in both:
            return d
    return "any"


def floating(dtype: str) -> bool:
    """Whether values of this dtype are floating for certain."""
    return dtype in ("float", "complex", "either", "inexact")


def may_be_complex(dtype: str) -> bool:
    """Whether the text shows that values of this dtype are, or on some path may be, complex."""
    return dtype in ("complex", "either")


_COMPLEX_WORDS = re.compile(
    r"\b[\d_.]+(?:[eE][-+]?\d+)?[jJ]\b|\bcomplex|fft\b|\.(?:roots|eigvals|eig)\("
)


def shows_complex(text: str) -> bool:
    """Whether a text that is not looked into may make complex numbers."""
    return _COMPLEX_WORDS.search(text) is not None


def leaf_dtype(t: Type) -> str:
    """The dtype of the array that a value makes: of a display, that of its items together."""
    if t.items is not None:
        out = "bool" if t.items else "float"
        for i in t.items:
            out = promote(out, leaf_dtype(i))
        return out
    return t.dtype if t.each is None else leaf_dtype(t.each)


def may_be_real(t: Type) -> bool:
    """Whether a value of which the text shows that it may be complex, or a part of it, may be real, too."""
    if t.items is not None:
        complexes = [i for i in t.items if may_be_complex(leaf_dtype(i))]
        return any(may_be_real(i) for i in complexes)
    return t.dtype == "either" if t.each is None else may_be_real(t.each)


def same_shape(a: Shape, b: Shape) -> bool:
    """Known to be equal (an empty set of atoms is equal to nothing)."""
    return a == b and not (isinstance(a, Atoms) and not a.names)


def join(a: Type, b: Type, site: str) -> Type:
    """What holds of a value that is one or the other; `site` names the meeting point."""
    if a == b:
        return a
    if a.kind in CONTAINERS and b.kind in CONTAINERS:
        return _join_containers(a, b, site)
    kinds = {a.kind, b.kind}
    if kinds & set(CONTAINERS) and kinds <= {*CONTAINERS, "array", "number", "any"}:
        return Type("struct")
    const = a.const if type(a.const) is type(b.const) and a.const == b.const else MISSING
    dtype = a.dtype if a.dtype == b.dtype else _join_dtype(a, b)
    shape = _join_shape(a.shape, b.shape, site)
    kind = a.kind if a.kind == b.kind else _join_kind(a.kind, b.kind)
    return Type(kind, shape, dtype, None, const, a.unique if a.unique == b.unique else "")


def _join_containers(a: Type, b: Type, site: str) -> Type:
    if a.kind != b.kind:
        return Type("struct")
    known = a.items is not None and b.items is not None
    if known and a.keys == b.keys and len(a.items or ()) == len(b.items or ()):
        pairs = enumerate(zip(a.items or (), b.items or ()))
        items = tuple(join(x, y, f"{site}.{i}") for i, (x, y) in pairs)
        maker = a.maker or b.maker if a.kind == "tuple" else a.maker
        return replace(a, items=items, const=MISSING, maker=maker)
    maker = a.maker if a.maker == b.maker else ""
    if a.items == () or b.items == ():  # begun empty: what is put in later says what it holds
        return Type(a.kind, each=element(b if a.items == () else a, site), maker=maker)
    x, y = element(a, site), element(b, site)
    each = None if x is None or y is None else loosened(join(x, y, site))
    return Type(a.kind, each=each, maker=maker)


def element(t: Type, site: str) -> Type | None:
    """What holds of every part of a container, whichever: no two need have the same shape."""
    if not t.items:
        return t.each
    out = loosened(t.items[0])
    for k, item in enumerate(t.items[1:]):
        out = loosened(join(out, loosened(item), f"{site}.{k}"))
    return out


def loosened(t: Type) -> Type:
    """`t` without what is told of one value alone: names of shapes that were made where it was made."""
    if isinstance(t.shape, Atoms):
        shape: Shape = Atoms(frozenset())
    else:
        shape = tuple(Dim(_LOOSE) if ":" in d.sym or "?" in d.sym else d for d in t.shape)
    items = None if t.items is None else tuple(loosened(i) for i in t.items)
    each = None if t.each is None else loosened(t.each)
    return replace(t, shape=shape, items=items, each=each, const=MISSING, unique="")


def repeating(t: Type) -> Type:
    """`t` where the index arrays that it tells of may have come to name an element twice."""
    items = None if t.items is None else tuple(repeating(i) for i in t.items)
    each = None if t.each is None else repeating(t.each)
    return replace(t, items=items, each=each, unique="")


def with_names(t: Type, name: Callable[[str], str]) -> Type:
    """`t` with other names for the lengths and shapes that it tells of."""

    def dim(d: Dim) -> Dim:
        return replace(d, sym=name(d.sym)) if d.sym else d

    if isinstance(t.shape, Atoms):
        shape: Shape = Atoms(frozenset(map(name, t.shape.names)))
    else:
        shape = tuple(map(dim, t.shape))
    const = dim(t.const) if isinstance(t.const, Dim) else t.const
    return replace(
        t,
        shape=shape,
        items=None if t.items is None else tuple(with_names(i, name) for i in t.items),
        each=None if t.each is None else with_names(t.each, name),
        const=MISSING if isinstance(const, Atoms) else const,
        unique=name(t.unique) if ":" in t.unique else t.unique,
    )


def placed(t: Type, site: str) -> Type:
    """A part of a container as it is had at `site`: what is not known of its shape has a name of its own."""
    if isinstance(t.shape, Atoms):
        return t if t.shape.names else replace(t, shape=fresh(site))
    if not any(d.sym == _LOOSE for d in t.shape):
        return t
    dims = (Dim(f"{site}.{k}") if d.sym == _LOOSE else d for k, d in enumerate(t.shape))
    return replace(t, shape=tuple(dims))


def _join_dtype(a: Type, b: Type) -> str:
    both = {a.dtype, b.dtype}
    if any(may_be_complex(d) for d in both):
        return "either"
    if a.kind == b.kind == "scalar" and both <= {"float", "int", "bool"}:
        return "float"  # an accumulator that starts at the integer 0
    return "inexact" if all(floating(d) for d in both) else "any"


def _join_shape(a: Shape, b: Shape, site: str) -> Shape:
    if same_shape(a, b):
        return a
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return tuple(x if x == y else Dim(f"{site}.{i}") for i, (x, y) in enumerate(zip(a, b)))
    return fresh(site)


def _join_kind(a: str, b: str) -> str:
    if {a, b} <= {"scalar", "array", "number"}:
        return "number"
    return "any"
