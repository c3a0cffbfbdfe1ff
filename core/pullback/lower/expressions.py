"""gast expressions -> ir expressions, every name resolved.

May not know: statements, rules, types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from .. import ir
from ..ir import Span
from ..source.module import Parsed
from .late import is_generator
from .names import ARRAY_ATTRIBUTES, NUMERIC, Scope, named, stored

_OPERATORS = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod",
    "Pow": "pow", "MatMult": "matmul", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor",
    "LShift": "lshift", "RShift": "rshift", "USub": "neg", "UAdd": "pos", "Invert": "invert", "Not": "not_",
}  # fmt: skip
_COMPARISONS = {
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=",
    "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip
_OPAQUE = {
    "ListComp": "comprehension", "SetComp": "comprehension", "DictComp": "comprehension",
    "GeneratorExp": "comprehension", "Lambda": "lambda", "JoinedStr": "f-string",
    "FormattedValue": "f-string", "TemplateStr": "f-string", "NamedExpr": "named-expression",
    "Yield": "yield", "YieldFrom": "yield", "Await": "await", "Set": "set",
}  # fmt: skip
_LATE = "a generator that runs later than it stands; a list has its parts at once"
# whose functions go through what they are given once, to its end
_TAKES_ALL = (
    "builtins.",
    "numpy.",
    "math.",
    "scipy.",
    "method.extend",
    "method.join",
    "method.update",
)
_TAKEN_APART = ("ListComp", "GeneratorExp", "DictComp")
_BINDING = (gast.NamedExpr, gast.Lambda, gast.Await, gast.Yield)
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


@dataclass
class Context:
    """What lowering a piece of a function needs to know; `used` collects what it asked of the scope."""

    parsed: Parsed
    start: int  # offset of the chunk in the file
    scope: Scope
    local: frozenset[str]
    imported: dict[str, tuple[str, str]] = field(
        default_factory=dict
    )  # bound by imports in the function
    open_names: bool = False  # names that nobody binds are local (formulas)
    used: dict[str, tuple[str, str]] = field(default_factory=dict)
    inserted: bool = False  # this is code for the backward pass, printed anew
    made: set[str] = field(default_factory=set)  # variables that lowering has added
    late: frozenset[int] = frozenset()  # generator expressions that run later than they stand

    def free(self, wanted: str) -> str:
        """A name that neither the text nor lowering uses."""
        name, n = wanted, 2
        while name in self.parsed.text or name in self.made:
            name, n = f"{wanted}{n}", n + 1
        return name

    def span(self, node: Any) -> Span:
        begin = self.parsed.offset(node.lineno, node.col_offset)
        end = self.parsed.offset(node.end_lineno, node.end_col_offset)
        return Span(self.start + begin, self.start + end)

    def text(self, span: Span) -> str:
        return self.parsed.text[span.start - self.start : span.end - self.start]

    def source(self, node: Any) -> str:
        return self.text(self.span(node))

    def is_local(self, name: str) -> bool:
        if name in self.imported:
            return False
        if name in self.local:
            return True
        return self.open_names and self.meaning(name)[1].startswith("?")

    def meaning(self, name: str) -> tuple[str, str]:
        """(kind, absolute name) of a name that is not local."""
        own = self.imported.get(name)
        if own is not None:
            return own
        known = self.used.get(name)
        if known is None:
            known = (self.scope.kind(name), self.scope.resolve(name))
            self.used[name] = known
        return known


def lower(node: Any, cx: Context) -> ir.Expr:
    """The ir of one gast expression."""
    handler = _LOWER.get(type(node).__name__)
    return handler(node, cx) if handler is not None else opaque(node, cx)


def lower_all(nodes: Iterable[Any], cx: Context) -> tuple[ir.Expr, ...]:
    return tuple(lower(n, cx) for n in nodes)


def opaque(node: Any, cx: Context) -> ir.Opaque:
    span = cx.span(node)
    name = type(node).__name__
    reads, writes = names_in(node, cx)
    if id(node) in cx.late:
        return ir.Opaque(_LATE, cx.text(span), reads, writes, span)
    parts = _comprehended(node, cx) if name in _TAKEN_APART else None
    return ir.Opaque(_OPAQUE.get(name, name.lower()), cx.text(span), reads, writes, span, parts)


def _comprehended(node: Any, cx: Context) -> ir.Comprehension | None:
    """The parts of a comprehension; None of an asynchronous one, and where an inner part binds names."""
    if any(g.is_async for g in node.generators) or any(
        isinstance(n, _BINDING) for n in gast.walk(node)
    ):
        return None
    own = {n for g in node.generators for n in stored(g.target)}
    inner = replace(cx, local=cx.local | own)
    generators = tuple(
        (lower(g.target, inner), lower(g.iter, inner if k else cx), lower_all(g.ifs, inner))
        for k, g in enumerate(node.generators)
    )
    if isinstance(node, gast.DictComp):
        key, element = lower(node.key, inner), lower(node.value, inner)
        return ir.Comprehension("dict", element, key, generators)
    return ir.Comprehension("list", lower(node.elt, inner), None, generators)


def _constant(node: Any, cx: Context) -> ir.Expr:
    return ir.Const(node.value, cx.span(node))


def _name(node: Any, cx: Context) -> ir.Expr:
    span = cx.span(node)
    if cx.is_local(node.id):
        return ir.Name(node.id, span)
    return ir.Ref(cx.meaning(node.id)[1], node.id, span)


def _attribute(node: Any, cx: Context) -> ir.Expr:
    dotted = dotted_name(node, cx)
    span = cx.span(node)
    if dotted is not None:
        return ir.Ref(dotted, _spelling(node), span)
    return ir.Call(f"attr.{node.attr}", (lower(node.value, cx),), origin=span)


def dotted_name(node: Any, cx: Context) -> str | None:
    """The absolute name of `a.b.c` where `a` is a module or class that the scope knows."""
    parts: list[str] = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name) or cx.is_local(node.id):
        return None
    parts.reverse()
    kind, qualname = cx.meaning(node.id)
    if qualname.startswith("?"):
        return None
    if kind not in ("module", "import", "class", "builtin") or not parts:
        return None
    if kind == "import" and parts[0] in ARRAY_ATTRIBUTES and qualname.split(".")[0] not in NUMERIC:
        return None  # `from params import W` and then `W.shape`: a value
    return ".".join([qualname, *parts])


def _spelling(node: Any) -> str:
    if isinstance(node, gast.Attribute):
        return f"{_spelling(node.value)}.{node.attr}"
    return str(node.id)


def _call(node: Any, cx: Context) -> ir.Expr:
    span = cx.span(node)
    fn, first, callee = _callee(node.func, cx)
    if not fn.startswith(_TAKES_ALL):  # it may ask a generator twice, or leave off
        given = (*node.args, *(k.value for k in node.keywords))
        kept = (id(a) for a in given if is_generator(a))
        cx = replace(cx, late=cx.late.union(kept))
    if fn == "builtins.dict" and node.keywords and not node.args:
        names = [None if k.arg is None else ir.Const(k.arg) for k in node.keywords]
        return ir.Dict(tuple(names), lower_all((k.value for k in node.keywords), cx), span)
    parts = _mapped(node, cx) if fn == "builtins.map" else None
    if parts is not None:
        return ir.Opaque("comprehension", cx.text(span), *names_in(node, cx), span, parts)
    args = (*first, *lower_all(node.args, cx))
    kwargs = tuple((k.arg or "**", lower(k.value, cx)) for k in node.keywords)
    return ir.Call(fn, args, kwargs, callee, span)


def _mapped(node: Any, cx: Context) -> ir.Comprehension | None:
    """`map(f, xs)` as `(f(x) for x in xs)`; None where it may run later, or its function is no plain one."""
    if id(node) in cx.late or node.keywords or len(node.args) < 2:
        return None
    function, *over = node.args
    if any(isinstance(n, (gast.Starred, *_BINDING[:1])) for a in node.args for n in gast.walk(a)):
        return None
    iterables = lower_all(over, cx)
    it = (
        iterables[0] if len(over) == 1 else ir.Call("builtins.zip", iterables, origin=cx.span(node))
    )
    if isinstance(function, gast.Lambda):
        names = [p.id for p in function.args.args]
        if list(parameters(function.args)) != function.args.args or function.args.defaults:
            return None
        if any(isinstance(n, (*_BINDING, *_COMPREHENSIONS)) for n in gast.walk(function.body)):
            return None
        inner = replace(cx, local=cx.local | set(names))
        element = lower(function.body, inner)
    else:
        names = [cx.free("part" if len(over) == 1 else f"part{k}") for k in range(len(over))]
        fn, first, callee = _callee(function, cx)
        element = ir.Call(fn, (*first, *map(ir.Name, names)), (), callee, cx.span(node))
    if len(names) != len(over):
        return None
    targets = tuple(map(ir.Name, names))
    target = targets[0] if len(over) == 1 else ir.Tuple(targets)
    return ir.Comprehension("list", element, None, ((target, it, ()),))


def _callee(func: Any, cx: Context) -> tuple[str, tuple[ir.Expr, ...], ir.Expr | None]:
    """(fn, receiver, callee) of what is called."""
    if isinstance(func, gast.Attribute) and dotted_name(func, cx) is None:
        return f"method.{func.attr}", (lower(func.value, cx),), None
    callee = lower(func, cx)
    if isinstance(callee, ir.Ref):
        return callee.qualname, (), callee
    return "?", (), callee


def _binary(node: Any, cx: Context) -> ir.Expr:
    args = (lower(node.left, cx), lower(node.right, cx))
    return ir.Call(operator_name(node.op), args, origin=cx.span(node))


def operator_name(op: Any) -> str:
    return f"operator.{_OPERATORS[type(op).__name__]}"


def _unary(node: Any, cx: Context) -> ir.Expr:
    if isinstance(node.op, gast.USub):
        value = number(node.operand)
        if value is not None:
            return ir.Const(-value, cx.span(node))
    return ir.Call(operator_name(node.op), (lower(node.operand, cx),), origin=cx.span(node))


def number(node: Any) -> Any:
    """The value of a numeric literal, None for anything else."""
    if not isinstance(node, gast.Constant) or isinstance(node.value, bool):
        return None
    return node.value if isinstance(node.value, (int, float, complex)) else None


def _compare(node: Any, cx: Context) -> ir.Expr:
    ops = tuple(_COMPARISONS[type(op).__name__] for op in node.ops)
    return ir.Compare(lower(node.left, cx), ops, lower_all(node.comparators, cx), cx.span(node))


def _bool(node: Any, cx: Context) -> ir.Expr:
    op = "and" if isinstance(node.op, gast.And) else "or"
    return ir.BoolOp(op, lower_all(node.values, cx), cx.span(node))


def _if(node: Any, cx: Context) -> ir.Expr:
    parts = (lower(node.test, cx), lower(node.body, cx), lower(node.orelse, cx))
    return ir.IfExp(*parts, origin=cx.span(node))


def _tuple(node: Any, cx: Context) -> ir.Expr:
    kind = "list" if isinstance(node, gast.List) else "tuple"
    return ir.Tuple(lower_all(node.elts, cx), kind, cx.span(node))


def _dict(node: Any, cx: Context) -> ir.Expr:
    keys = tuple(None if k is None else lower(k, cx) for k in node.keys)
    return ir.Dict(keys, lower_all(node.values, cx), cx.span(node))


def _subscript(node: Any, cx: Context) -> ir.Expr:
    args = (lower(node.value, cx), lower(node.slice, cx))
    return ir.Call("operator.getitem", args, origin=cx.span(node))


def _slice(node: Any, cx: Context) -> ir.Expr:
    parts = [None if p is None else lower(p, cx) for p in (node.lower, node.upper, node.step)]
    return ir.Slice(parts[0], parts[1], parts[2], cx.span(node))


def _starred(node: Any, cx: Context) -> ir.Expr:
    return ir.Star(lower(node.value, cx), cx.span(node))


_LOWER: dict[str, Any] = {
    "Constant": _constant, "Name": _name, "Attribute": _attribute, "Call": _call, "BinOp": _binary,
    "UnaryOp": _unary, "Compare": _compare, "BoolOp": _bool, "IfExp": _if, "Tuple": _tuple, "List": _tuple,
    "Dict": _dict, "Subscript": _subscript, "Slice": _slice, "Starred": _starred,
}  # fmt: skip


# --- what a piece of code reads and binds ----------------------------------------------------------


def names_in(node: Any, cx: Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The local variables that `node` may read, and those that it may bind or change, sorted by first use."""
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    for name, how, _ in uses(node):
        if how != "write" and cx.is_local(name):
            reads[name] = None
        if how != "read" and (name in cx.local or name in cx.imported):
            writes[name] = None
    return tuple(reads), tuple(writes)


Use = tuple[str, str, Any]  # a name; "read", "write" or "change"; the node, where it is a Name


def uses(node: Any, inner: frozenset[str] = frozenset()) -> Iterator[Use]:
    """What a node does with names of the scope around it; `inner` are names bound deeper."""
    if isinstance(node, gast.Name):
        if node.id not in inner:
            yield node.id, "read" if isinstance(node.ctx, gast.Load) else "write", node
    elif isinstance(node, gast.Lambda):
        yield from _deeper(node.args, [node.body], inner)
    elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
        yield node.name, "write", None
        for decorator in node.decorator_list:
            yield from uses(decorator, inner)
        yield from _deeper(node.args, node.body, inner)
    elif isinstance(node, gast.ClassDef):
        yield node.name, "write", None
        yield from _class(node, inner)
    elif isinstance(node, _COMPREHENSIONS):
        yield from _comprehension(node, inner)
    elif isinstance(node, (gast.Nonlocal, gast.Global)):
        for name in node.names:
            yield name, "change", None
    else:
        yield from ((name, how, None) for name, how in _own_names(node, inner))
        for child in gast.iter_child_nodes(node):
            yield from uses(child, inner)


def _own_names(node: Any, inner: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Names that a node holds as text, and variables whose contents it changes."""
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        yield from ((n, "write") for n in stored(node))
    elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        yield node.target.id, "change"
    elif isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
        base = base_name(node)
        if base is not None and base not in inner:
            yield base, "change"
    else:
        yield from ((n, "write") for n in named(node))


def base_name(node: Any) -> str | None:
    """The variable at the root of `a.b[c].d`."""
    while isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def _deeper(args: Any, body: list[Any], inner: frozenset[str]) -> Iterator[Use]:
    """Uses from inside of a nested function: its own names are its own, captured ones are read."""
    for default in (*args.defaults, *(d for d in args.kw_defaults if d is not None)):
        yield from uses(default, inner)
    shared = {n for node in body for n in _declared(node)}
    own = {p.id for p in parameters(args)} | {n for node in body for n in stored(node)}
    below = inner | (own - shared)
    for node in body:
        for use in uses(node, below):
            if use[1] != "write" or use[0] in shared:
                yield use


def _class(node: Any, inner: frozenset[str]) -> Iterator[Use]:
    for part in (*node.bases, *(k.value for k in node.keywords), *node.decorator_list):
        yield from uses(part, inner)
    for statement in node.body:
        yield from (use for use in uses(statement, inner) if use[1] != "write")


def _declared(node: Any) -> Iterator[str]:
    for n in gast.walk(node):
        if isinstance(n, (gast.Nonlocal, gast.Global)):
            yield from n.names


def _comprehension(node: Any, inner: frozenset[str]) -> Iterator[Use]:
    own = inner | {n for g in node.generators for n in stored(g.target)}
    for at, generator in enumerate(node.generators):
        yield from uses(generator.iter, inner if at == 0 else own)
        for test in generator.ifs:
            yield from uses(test, own)
    parts = (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)
    for part in parts:
        yield from uses(part, own)


def parameters(args: Any) -> Iterator[Any]:
    """The gast Names of a function's parameters, in the order of the signature."""
    yield from args.posonlyargs
    yield from args.args
    if args.vararg is not None:
        yield args.vararg
    yield from args.kwonlyargs
    if args.kwarg is not None:
        yield args.kwarg
