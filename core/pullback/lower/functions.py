"""Finding a module's functions, and lowering one of them.

A function's ir is made with spans that count from its chunk and kept there; it is made again only when
the chunk's text changed or a name that it uses came to mean something else. For a chunk that moved the
kept one is copied with its spans shifted, so that whoever keeps facts by chunk can keep them.

May not know: rules, types, files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import gast

from .. import ir
from ..ir import Span
from ..source.assembled import assembled
from ..source.module import Chunk, Module, Parsed, parse_piece
from ..source.split import comments
from .expressions import Context, lower, number, parameters
from .late import late_generators
from .marked import Page, inserted_behind, marked
from .moved import moved
from .names import Scope, package_of, rewrapped, scope_of, stored
from .statements import lower_block
from .survey import Survey, is_deep, survey

PRAGMA = "pullback:"
_AT_PLACE = 32  # functions that are kept with their spans in the text of the module


@dataclass(frozen=True)
class Definition:
    """A `def` found in a chunk. `flags` as in ir.Function."""

    qualname: str
    node: Any
    flags: frozenset[str]
    chunk: Chunk


@dataclass(frozen=True)
class Local:
    """A lowered function whose spans count from the start of its chunk; `used` are the names it asked for."""

    function: ir.Function
    used: dict[str, tuple[str, str]]


@dataclass(eq=False)
class Definitions(Mapping[str, Definition]):
    """The functions of a module by qualified name, looked up one at a time: the statement's number, and
    which of the functions that it defines."""

    module: Module
    places: dict[str, tuple[int, int]]

    def __getitem__(self, qualname: str) -> Definition:
        number, which = self.places[qualname]
        chunk = self.module.chunks[number]
        _, node, flags = defined_in(chunk.parsed)[which]
        return Definition(qualname, node, flags, chunk)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def qualnames(module: Module) -> tuple[str, ...]:
    """All functions of a module and methods of its classes by qualified name, in order of their last definition."""
    return tuple(q for q, d in definitions(module).items() if "nested" not in d.flags)


def definitions(module: Module) -> Definitions:
    """The last definition of each qualified name; `outer.inner` for functions in functions."""
    scope = scope_of(module)

    def places(defined: list[_Defined]) -> dict[str, tuple[int, int]]:
        tops = _by_top(defined, scope)
        return {q: place for group in tops.values() for q, place in group.items()}

    return Definitions(module, assembled(module, "definitions", _defined, places, given=scope))


def defined_around(module: Module, qualname: str) -> Definition | None:
    """The function of that name, or the one around it that makes it."""
    known = definitions(module)
    while qualname not in known and "." in qualname:
        qualname = qualname.rpartition(".")[0]
    return known.get(qualname)


@dataclass(frozen=True)
class _Defined:
    """What one statement defines: classes by name, functions by qualified name."""

    classes: tuple[str, ...]
    functions: tuple[str, ...]


def _defined(parsed: Parsed) -> _Defined:
    classes = (n.name for n in parsed.tree or () if isinstance(n, gast.ClassDef))
    return _Defined(tuple(classes), tuple(q for q, _, _ in defined_in(parsed)))


def _by_top(defined: list[_Defined], scope: Scope) -> dict[str, dict[str, tuple[int, int]]]:
    """Definitions by the top-level name they belong to: a class or function defined again loses its old parts."""
    tops: dict[str, dict[str, tuple[int, int]]] = {}
    for at, statement in enumerate(defined):
        for name in statement.classes:
            tops.pop(name, None)
        for which, qualname in enumerate(statement.functions):
            top = qualname.partition(".")[0]
            if qualname == top:
                tops.pop(top, None)
            if not _is_rebound(qualname, scope):
                group = tops.setdefault(top, {})
                group.pop(qualname, None)
                group[qualname] = (at, which)
    return tops


def _is_rebound(qualname: str, scope: Scope) -> bool:
    """Whether something else than the definition has its name in the end (`f = table["f"]`)."""
    return scope.kind(qualname.partition(".")[0]) in ("global", "import", "module")


def defined_in(parsed: Parsed) -> list[tuple[str, Any, frozenset[str]]]:
    """The functions that one statement defines: qualified name, node, flags."""
    known: list[tuple[str, Any, frozenset[str]]] | None = parsed.notes.get("definitions")
    if known is None:
        try:
            known = [d for node in parsed.tree or () for d in _defs(node, "", frozenset())]
        except RecursionError:
            known = []
        parsed.notes["definitions"] = known
    return known


def _defs(
    node: Any, outer: str, flags: frozenset[str]
) -> Iterator[tuple[str, Any, frozenset[str]]]:
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
        qualname = f"{outer}{node.name}"
        if not _is_overload(node):
            yield qualname, node, flags
        nested = (flags - {"method"}) | {"nested"}
        for inner in node.body:
            yield from _defs(inner, f"{qualname}.", nested)
    elif isinstance(node, gast.ClassDef):
        for inner in node.body:
            yield from _defs(inner, f"{outer}{node.name}.", flags | {"method"})
    elif isinstance(node, gast.stmt):
        maybe = flags if "nested" in flags else flags | {"conditional"}
        for inner in gast.iter_child_nodes(node):
            if (
                isinstance(inner, (gast.stmt, gast.ExceptHandler))
                or type(inner).__name__ == "match_case"
            ):
                yield from _defs(inner, outer, maybe)
    elif hasattr(node, "body"):
        for inner in node.body:
            yield from _defs(inner, outer, flags)


def _is_overload(node: Any) -> bool:
    return any(_last_name(d) == "overload" for d in node.decorator_list)


def _last_name(node: Any) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def lower_function(module: Module, qualname: str) -> ir.Function | None:
    """The ir of a function or method by qualified name, with spans in the module's text; None where there is none."""
    found = definitions(module).get(qualname)
    if found is None:
        return None
    kept: dict[str, ir.Function] = module.notes.setdefault("functions", {})
    made = kept.pop(qualname, None)
    if made is None:
        made = moved(local_function(module, found).function, found.chunk.start)
    kept[qualname] = made  # as the one that was asked for last
    if len(kept) > _AT_PLACE:
        del kept[next(iter(kept))]
    return made


def local_function(module: Module, found: Definition) -> Local:
    """The ir of a definition with spans from its chunk's start: the same object while text and names stay."""
    scope = scope_of(module)
    package = package_of(module)
    key = ("lowered", found.qualname, id(found.node), module.name, package)
    wrappers = _wrappers(module, found.qualname)
    kept = found.chunk.parsed.notes.get(key)
    if kept is not None and kept[1] == wrappers and _still(kept[0].used, scope):
        local: Local = kept[0]
        return local
    around = _around(module, found, package)
    local = _lower(found, scope, package, module.name, wrappers, around)
    found.chunk.parsed.notes[key] = (local, wrappers)
    return local


def _still(used: dict[str, tuple[str, str]], scope: Scope) -> bool:
    return all((scope.kind(n), scope.resolve(n)) == meaning for n, meaning in used.items())


def _wrappers(module: Module, name: str) -> tuple[str, ...]:
    """Wrappers put on a function after its definition (`f = jit(f)`), as decorators' texts."""
    return assembled(module, "wrappers", _wraps, _outermost_first).get(name, ())


def _outermost_first(wraps: list[tuple[tuple[str, str], ...]]) -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for wrapped, text in (w for statement in wraps for w in statement):
        known[wrapped] = (text, *known.get(wrapped, ()))
    return known


def _wraps(parsed: Parsed) -> tuple[tuple[str, str], ...]:
    cx = Context(parsed, 0, Scope(), frozenset())
    return tuple(
        (node.targets[0].id, cx.source(wrapper))
        for statement in parsed.tree or ()
        for node in _own_statements(statement)
        if (wrapper := rewrapped(node)) is not None
    )


# --- one function --------------------------------------------------------------------------------


def _lower(
    found: Definition,
    scope: Scope,
    package: str,
    module: str,
    wrappers: tuple[str, ...],
    around: tuple[Survey, ...] = (),
) -> Local:
    node = found.node
    cx = Context(found.chunk.parsed, 0, scope, frozenset())
    own = survey(node, package)
    if own.deep:
        body: ir.Block = (_too_deep(node, cx),)
    else:
        cx.local = own.local.union(*(outer.local for outer in around))
        for outer in around:
            cx.imported |= outer.modules()
        cx.imported = {n: m for n, m in cx.imported.items() if n not in own.local} | own.modules()
        cx.late = late_generators(node) if own.lazy else frozenset()
        body = lower_block(node.body, cx)
    params, pragmas, name_span = _params(node.args, cx), _pragmas(found, cx), _name_span(node, cx)
    page = Page(cx.parsed.text, name_span.start, lambda code, own: lower_code(code, own, cx))
    body, misplaced = marked(body, pragmas, params, page)
    function = ir.Function(
        name=node.name,
        qualname=found.qualname,
        params=params,
        body=body,
        decorators=(*wrappers, *(cx.source(d) for d in node.decorator_list)),
        returns=None if node.returns is None else cx.source(node.returns),
        docstring=_docstring(node),
        pragmas=pragmas,
        flags=_flags(found, own),
        module=module,
        misplaced=misplaced,
        name_span=name_span,
        origin=Span(_first(node, cx), cx.span(node).end),
    )
    return Local(function, cx.used)


def _around(module: Module, found: Definition, package: str) -> tuple[Survey, ...]:
    """What the functions around a nested one bind, outermost first."""
    if "nested" not in found.flags:
        return ()
    known, out = definitions(module), []
    name = found.qualname.rpartition(".")[0]
    while name in known:
        out.append(survey(known[name].node, package))
        name = name.rpartition(".")[0]
    return tuple(reversed(out))


def lower_lambda(module: Module, made: ir.Opaque) -> ir.Function | None:
    """The ir of a lambda; what it captures are the variables of the function around it."""
    tree = _parsed_expression(made.text).tree or ()
    node = tree[0].value if len(tree) == 1 and isinstance(tree[0], gast.Expr) else None
    if not isinstance(node, gast.Lambda) or is_deep(tree[0]):
        return None
    start = 0 if made.origin is None else made.origin.start
    own = frozenset(p.id for p in parameters(node.args))
    cx = Context(_parsed_expression(made.text), start, scope_of(module), own.union(made.reads))
    body = ir.Return(lower(node.body, cx), cx.span(node.body), False)
    return ir.Function("lambda", "lambda", _params(node.args, cx), (body,), module=module.name)


def _too_deep(node: Any, cx: Context) -> ir.Barrier:
    span = Span(cx.span(node.body[0]).start, cx.span(node.body[-1]).end)
    names = tuple(p.id for p in parameters(node.args))
    return ir.Barrier("deep nesting", cx.text(span), names, (), _name_span(node, cx), span, True)


def _own_statements(node: Any) -> Iterator[Any]:
    """`node` and the statements in it that belong to the same scope."""
    yield node
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        return
    for child in gast.iter_child_nodes(node):
        if (
            isinstance(child, (gast.stmt, gast.ExceptHandler))
            or type(child).__name__ == "match_case"
        ):
            yield from _own_statements(child)


def _params(args: Any, cx: Context) -> tuple[ir.Param, ...]:
    plain = [*args.posonlyargs, *args.args]
    first_default = len(plain) - len(args.defaults)
    out: list[ir.Param] = []
    for at, p in enumerate(plain):
        kind = "positional-only" if at < len(args.posonlyargs) else "plain"
        out.append(
            _param(p, kind, args.defaults[at - first_default] if at >= first_default else None, cx)
        )
    if args.vararg is not None:
        out.append(_param(args.vararg, "var-positional", None, cx))
    for p, default in zip(args.kwonlyargs, args.kw_defaults):
        out.append(_param(p, "keyword-only", default, cx))
    if args.kwarg is not None:
        out.append(_param(args.kwarg, "var-keyword", None, cx))
    return tuple(out)


def _param(p: Any, kind: str, default: Any, cx: Context) -> ir.Param:
    begin = cx.parsed.offset(p.lineno, p.col_offset)
    return ir.Param(
        name=p.id,
        kind=kind,
        default=None if default is None else cx.source(default),
        annotation=None if p.annotation is None else cx.source(p.annotation),
        default_value=_literal(default),
        origin=Span(begin, begin + len(p.id)),
    )


def _literal(node: Any) -> Any:
    if isinstance(node, gast.Constant):
        return node.value
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        value = number(node.operand)
        return None if value is None else -value
    return None


def _docstring(node: Any) -> str | None:
    first = node.body[0] if node.body else None
    if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant):
        return first.value.value if isinstance(first.value.value, str) else None
    return None


def _flags(found: Definition, own: Survey) -> frozenset[str]:
    node = found.node
    flags = set(found.flags)
    if isinstance(node, gast.AsyncFunctionDef):
        flags.add("async")
    if own.generator:
        flags.add("generator")
    names = {_last_name(d) for d in node.decorator_list}
    flags |= {
        flag
        for name, flag in (("staticmethod", "static"), ("classmethod", "class"))
        if name in names
    }
    return frozenset(flags)


def _first(node: Any, cx: Context) -> int:
    """The offset where a function begins, its decorators included."""
    start = cx.span(node).start
    if not node.decorator_list:
        return start
    return max(cx.parsed.text.rfind("@", 0, cx.span(node.decorator_list[0]).start), 0)


def _name_span(node: Any, cx: Context) -> Span:
    start = cx.span(node).start
    text = cx.parsed.text
    at = text.find("def", start) + 3
    at += len(text[at:]) - len(text[at:].lstrip(" \t\f\\\r\n"))
    return Span(at, at + len(node.name))


# --- pragmas -------------------------------------------------------------------------------------


def _pragmas(found: Definition, cx: Context) -> tuple[tuple[str, Span], ...]:
    """The `# pullback:` comments in a function and on the lines directly above it."""
    text = cx.parsed.text
    if PRAGMA not in text:
        return ()
    begin, end = _region(found.node, cx)
    out: list[tuple[str, Span]] = []
    for start, stop in comments(text):
        if begin <= start < end:
            said = text[start + 1 : stop].strip()
            if said.startswith(PRAGMA):
                out.append((said[len(PRAGMA) :].strip(), Span(start, stop)))
    return tuple(out)


def _region(node: Any, cx: Context) -> tuple[int, int]:
    """From the first comment line directly above a function to the last comment that is indented under it."""
    text, starts = cx.parsed.text, cx.parsed.starts
    first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
    indent = node.col_offset
    line = first - 1
    while line > 0 and _line(text, starts, line - 1)[indent : indent + 1] == "#":
        if _line(text, starts, line - 1)[:indent].strip():
            break
        line -= 1
    last = node.end_lineno
    while last < len(starts):
        below = _line(text, starts, last)
        inside = len(below) - len(below.lstrip()) > indent and below.lstrip().startswith("#")
        if below.strip() and not inside:
            break
        last += 1
    return starts[line], starts[last] if last < len(starts) else len(text) + 1


def _line(text: str, starts: list[int], line: int) -> str:
    end = starts[line + 1] if line + 1 < len(starts) else len(text)
    return text[starts[line] : end]


def inserted_code(module: Module, fn: ir.Function, name: str, text: str) -> ir.Function | str:
    """`fn` with code for the backward pass behind each assignment of variable `name`; or why there is none."""
    found = definitions(module)[fn.qualname]
    own = survey(found.node, package_of(module))
    cx = Context(found.chunk.parsed, 0, scope_of(module), own.local, own.modules())
    return inserted_behind(fn, name, text, Page("", 0, lambda code, n: lower_code(code, n, cx)))


# --- code and expressions from elsewhere ---------------------------------------------------------


def lower_code(text: str, own: frozenset[str], cx: Context) -> ir.Block | None:
    """Statements that are written in a comment of the function of `cx`; None where they are none."""
    parsed = _parsed_expression(text)
    if not parsed.tree or any(is_deep(node) for node in parsed.tree):
        return None
    bound = frozenset(n for node in parsed.tree for n in stored(node))
    inner = replace(cx, parsed=parsed, start=0, local=cx.local | own | bound, inserted=True)
    return lower_block(parsed.tree, inner)


def lower_expression(text: str, scope: Scope, local: Iterable[str] = ()) -> ir.Expr:
    """The ir of an expression's text, spans counting in it. Names in `local` and names that the scope does
    not know are variables. A text that is no expression gives Opaque("syntax error")."""
    parsed = _parsed_expression(text)
    body = (parsed.tree or (None,))[0]
    if len(parsed.tree or ()) != 1 or not isinstance(body, gast.Expr):
        return ir.Opaque("syntax error", text, origin=Span(0, len(text)))
    if is_deep(body):
        return ir.Opaque("deep nesting", text, origin=Span(0, len(text)))
    return lower(body.value, Context(parsed, 0, scope, frozenset(local), open_names=True))


@lru_cache(maxsize=4096)
def _parsed_expression(text: str) -> Parsed:
    return parse_piece(text)
