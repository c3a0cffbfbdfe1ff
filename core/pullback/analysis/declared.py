"""What annotations and comments say of parameters and variables, as types.

May not know: how comments are found and parsed, the transformation.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from ..ir import (
    Call,
    Const,
    Expr,
    For,
    Function,
    IfExp,
    Name,
    Tuple,
    statements,
    stmt_exprs,
    walk,
)
from ..source.pragmas import Shape as Said
from ..source.pragmas import parse_all, parse_annotation
from .counted import counted
from .facts import Facts, Val
from .flow import bindings
from .types import (
    CONTAINERS,
    MISSING,
    Dim,
    Type,
    fresh,
    leaf_dtype,
    loosened,
    may_be_complex,
    scalar,
    shows_complex,
)

_KINDS = {
    "list": "list", "List": "list", "Sequence": "list", "tuple": "tuple", "Tuple": "tuple",
    "dict": "dict", "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "OrderedDict": "dict",
}  # fmt: skip


# what is asked of complex numbers only: a parameter that it is asked of may be one
_OF_COMPLEX = {
    "attr.imag", "method.conj", "method.conjugate",
    "numpy.imag", "numpy.angle", "numpy.conj", "numpy.conjugate",
}  # fmt: skip

_REAL = {"abs", "absolute", "real", "imag", "angle", "shape", "size", "ndim", "len", "range"}

_OF_FIRST = ("operator.getitem", "operator.pow")


Meaning = Callable[[str], "Type | None"]


def declared(fn: Function, meaning: Meaning = lambda text: None) -> dict[str, Type]:
    """Types that comments, annotations and use give to parameters and variables.

    `meaning` says what the name of a class means.
    """
    out: dict[str, Type] = {}
    for p in fn.params:
        said = annotated(p.annotation, p.name, meaning) if p.annotation else None
        if said is not None:
            out[p.name] = said
    pragmas, _, _ = parse_all(fn.pragmas)
    for pragma in pragmas:
        for name, shape in pragma.shapes:
            out[name] = type_said(shape, name)
    for name in _used_as_complex(fn):
        t = out.get(name, Type("any", fresh(name)))
        if t.dtype == "any":
            out[name] = replace(t, dtype="either")
    return out


def _used_as_complex(fn: Function) -> set[str]:
    """Parameters of whose values the imaginary part, angle or conjugate is taken, or whose default is complex."""
    out = {p.name for p in fn.params if isinstance(p.default_value, complex)}
    asked: set[str] = set()
    for s in statements(fn.body):
        for e in (x for whole in stmt_exprs(s) for x in walk(whole)):
            if isinstance(e, Call) and e.fn in _OF_COMPLEX and e.args:
                asked |= _carried(e.args[0])
    return out | (_made_of(fn, asked) & {p.name for p in fn.params}) if asked else out


def _made_of(fn: Function, names: set[str]) -> set[str]:
    """`names`, and the variables whose values they carry; not those that the text makes complex themselves."""
    given: dict[str, set[str]] = {}
    for s in statements(fn.body):
        source = s.iter if isinstance(s, For) else getattr(s, "value", None)
        for n in bindings(s):
            given.setdefault(n, set()).update(_carried(source))
    out: set[str] = set()
    todo = set(names)
    while todo:
        out |= todo
        todo = {n for name in todo for n in given.get(name, ())} - out
    return out


def _carried(e: Expr | None) -> set[str]:
    """The variables that are complex if the value of `e` is, and the text does not show why it is."""
    if e is None or any(_shows_complex(x) for x in walk(e)):
        return set()
    if isinstance(e, Name):
        return {e.id}
    if isinstance(e, (Tuple, IfExp)):
        parts = e.items if isinstance(e, Tuple) else (e.body, e.orelse)
        return set().union(*map(_carried, parts))
    if not isinstance(e, Call) or e.fn.rpartition(".")[2] in _REAL:
        return set()
    every = e.fn.startswith(("operator.", "builtins.zip")) and e.fn not in _OF_FIRST
    return set().union(*map(_carried, e.args if every else e.args[:1]))


def _shows_complex(e: Expr) -> bool:
    if isinstance(e, Const):
        return isinstance(e.value, complex)
    return isinstance(e, Call) and shows_complex(f"{e.fn}(")


def annotated(text: str, name: str, meaning: Meaning) -> Type | None:
    """The type that an annotation gives to `name`; None where it says nothing."""
    said = parse_annotation(text)
    if said is not None:
        return type_said(said, name)
    try:
        tree = ast.parse(text.strip().strip("\"'"), mode="eval").body
    except SyntaxError:
        return None
    return _container(tree, name, meaning)


def type_said(said: Said, name: str) -> Type:
    """The type that a comment or annotation gives to the variable `name`."""
    dtype = "any" if not said.dtype else re.sub(r"\d+$", "", said.dtype)
    if said.kind in ("float", "int", "bool", "complex"):
        const: object = Dim(name) if said.kind == "int" else MISSING
        return scalar(said.kind, const)
    if said.kind == "str":
        return Type("str")
    dims = said.dims
    if dims is None or "..." in dims:
        return Type(said.kind, fresh(name), dtype)
    if dims == ():
        return scalar(dtype)
    return Type("array", tuple(_dim(d) for d in dims), dtype)


def _container(tree: ast.expr, name: str, meaning: Meaning) -> Type | None:
    """The type that the annotation of a list, tuple, dict, record or function gives; None for any other."""
    base = tree.value if isinstance(tree, ast.Subscript) else tree
    word = getattr(base, "attr", getattr(base, "id", ""))
    if word == "Callable":
        return Type("other")
    kind = _KINDS.get(word)
    if kind is None and isinstance(tree, ast.Name):
        return meaning(tree.id)
    if kind is None or not isinstance(tree, ast.Subscript):
        return None if kind is None else Type(kind)
    inside = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    many = kind != "tuple" or (len(inside) == 2 and ast.unparse(inside[1]) == "...")
    if many:
        return Type(kind, each=loosened(_part(inside[-1 if kind == "dict" else 0], name, meaning)))
    return Type(kind, items=tuple(_part(x, f"{name}.{k}", meaning) for k, x in enumerate(inside)))


def _part(tree: ast.expr, name: str, meaning: Meaning) -> Type:
    return annotated(ast.unparse(tree), name, meaning) or Type("any", fresh(name))


def _dim(d: int | str) -> Dim:
    if isinstance(d, int):
        return Dim("", d)
    found = re.fullmatch(r"\s*(\w+)\s*([+-])\s*(\d+)\s*", d)
    if found:
        return Dim(found[1], int(found[2] + found[3]))
    return Dim(d)


def argument_type(t: Type, name: str) -> Type:
    """An argument's type as the parameter `name` has it: what the caller calls its dimensions is left behind."""
    if t.kind == "scalar" and t.dtype in ("float", "int", "bool", "complex"):
        return scalar(t.dtype)
    if t.kind in CONTAINERS:
        complex_part = Type(dtype="either") if may_be_complex(leaf_dtype(t)) else None
        return replace(loosened(t), items=None, keys=None, each=complex_part)
    rank = t.rank()
    if t.kind == "array" and rank is not None and t.dtype in ("float", "complex"):
        return Type("array", tuple(Dim(f"{name}.{k}") for k in range(rank)), t.dtype)
    return Type("any", fresh(name), t.dtype if may_be_complex(t.dtype) else "any")


def common_types(a: tuple[Type, ...], b: tuple[Type, ...], fn: Function) -> tuple[Type, ...]:
    """What holds of the arguments of two calls."""
    return tuple(x if x == y else _either(x, y, p.name) for x, y, p in zip(a, b, fn.params))


def _either(a: Type, b: Type, name: str) -> Type:
    if a.kind in CONTAINERS and replace(a, each=None) == replace(b, each=None):
        return a if a.each is not None else b  # of one of them the parts may be complex
    both = (leaf_dtype(a), leaf_dtype(b))
    if not any(may_be_complex(d) for d in both):
        return Type("any", fresh(name))
    return Type("any", fresh(name), "complex" if both == ("complex", "complex") else "either")


def type_word(t: Type) -> str:
    """A type in a word: float, int, array2, any."""
    if t.kind == "scalar":
        return t.dtype
    if t.kind in CONTAINERS:
        return t.kind
    rank, field = t.rank(), "complex " if may_be_complex(t.dtype) else ""
    return f"{field}any" if rank is None else f"{field}array{rank}"


def type_of_word(word: str, name: str) -> Type:
    """The type that a word of `type_word` stands for, of the parameter `name`."""
    field, _, last = word.rpartition(" ")
    dtype = "complex" if field else "float"
    if word in ("float", "int", "bool", "complex"):
        return scalar(word)
    if word in CONTAINERS:
        return Type(word)
    rank = last.removeprefix("array")
    if rank.isdigit():
        return Type("array", tuple(Dim(f"{name}.{k}") for k in range(int(rank))), dtype)
    return Type("any", fresh(name), "either" if field else "any")


def parameter_vals(
    fn: Function,
    wrt: tuple[str, ...],
    types: tuple[Type, ...] = (),
) -> dict[str, Val]:
    """What the parameters hold on entry: memory of the caller's, active where a derivative is wanted.

    `types` are those of the arguments where all calls are known.
    """
    said = declared(fn)
    given = {p.name: t for p, t in zip(fn.params, types) if t != Type("any", fresh(p.name))}
    said = {n: t for n, t in said.items() if n not in given or not _says_less(t, given[n])}
    ints = {n: scalar("int", Dim(n)) for n in counted(fn) if n not in wrt}
    out: dict[str, Val] = {}
    for p in fn.params:
        t = said.get(p.name, given.get(p.name, ints.get(p.name)))
        if t is None:
            t = Type("any", fresh(p.name))
            if p.kind == "var-positional":
                t = Type("tuple")
            elif p.kind == "var-keyword":
                t = Type("dict")
        number = t.kind == "scalar" and t.dtype != "any"  # `()` may be an array that has no axes
        held = not number and t.kind != "str"
        objs = frozenset((f"param {p.name}",)) if held else frozenset[str]()
        out[p.name] = Val(t, objs, active=p.name in wrt)
    return out


def _says_less(said: Type, given: Type) -> bool:
    """Whether a declaration leaves open what the argument is: `x: np.ndarray` tells no axes."""
    if said.rank() is not None or said.dtype not in ("any", given.dtype):
        return False
    return said.kind in ("any", "number") or (said.kind == "array" and given.kind == "array")


def used(vals: dict[str, Val], facts: Facts) -> dict[str, Val]:
    """`vals` with the containers that the use of parameters shows them to be."""
    kinds = facts.used_as
    return {
        n: replace(v, type=Type(kinds[n])) if n in kinds and v.type.kind == "any" else v
        for n, v in vals.items()
    }


def is_constant(t: Type) -> bool:
    """Whether a value of this type has no derivative."""
    return t.kind in ("str", "other") or t.dtype in ("int", "bool")


def differentiable_params(fn: Function) -> tuple[str, ...]:
    """The parameters that a derivative can be taken with respect to, as far as the text tells."""
    said, counts = declared(fn), counted(fn)
    out = []
    for k, p in enumerate(fn.params):
        if k == 0 and "method" in fn.flags and "static" not in fn.flags:
            continue
        t = said.get(p.name)
        if p.kind.startswith("var-"):
            continue
        if is_constant(t) if t is not None else p.name in counts:
            continue
        if t is None and p.default is not None and not isinstance(p.default_value, float):
            if isinstance(p.default_value, (bool, int, str)) or p.default == "None":
                continue
        out.append(p.name)
    return tuple(out)
