"""Which functions a module has, where they stand, and what each depends on.

Everything is read from one statement's tree at a time and kept with it, so that after an edit only
the edited statement is looked at again. Dependence is by name and errs on the side of more.

May not know: the IR's meaning, analyses, diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

from pullback.ir import Span
from pullback.source.header import parse_header
from pullback.source.module import Chunk, Module, Parsed
from pullback.source.pragmas import Pragma, PragmaError, parse_pragma
from pullback.source.split import comments

ANY = "*"  # what `from m import *` binds, and what the user's own rules change the meaning of

_DEF = re.compile(r"(?:async\s+)?def\s+")
_WORD = re.compile(r"\w+")
_MARK = "pullback:"
_RULES = ("adjoint", "tangent")


@dataclass(frozen=True)
class Parameter:
    name: str
    span: Span


@dataclass(frozen=True)
class Target:
    """A function that can be asked about. `header` is its `def` line, or lines, up to the colon.

    `params` are those that a derivative can be taken for: without `self`, `*args` and `**kwargs`.
    """

    qualname: str
    header: Span
    name_span: Span
    whole: Span
    params: tuple[Parameter, ...]
    asked: bool  # bears the mark `# pullback: differentiable`
    uses: frozenset[str]  # the names and attributes in its text


@dataclass(frozen=True)
class Outline:
    """What one statement says about names; spans count from its start.

    What it says depends on the statements that bind one of `needs`: the names that it uses, and its own.
    """

    targets: tuple[Target, ...]
    binds: frozenset[str]
    needs: frozenset[str]
    derived: frozenset[str]  # functions of this file that have a generated derivative here
    ignored: tuple[tuple[Span, frozenset[str]], ...] = ()  # lines, and the codes hidden there
    misread: tuple[PragmaError, ...] = ()  # comments that say nothing that is known


def outline(parsed: Parsed) -> Outline:
    """The outline of a statement, made once for its text."""
    found = parsed.notes.get("outline")
    if found is None:
        try:
            found = _outline(parsed)
        except RecursionError:
            found = Outline((), frozenset(), frozenset(), frozenset())
        parsed.notes["outline"] = found
    assert isinstance(found, Outline)
    return found


def functions(module: Module) -> tuple[Target, ...]:
    """The functions and methods of a module in their order; the last definition of a name counts."""
    return tuple(_placed(target, chunk.start) for target, chunk in located(module).values())


def located(module: Module) -> dict[str, tuple[Target, Chunk]]:
    """By qualified name each function, its spans counting in the statement that holds it (itself, or its
    class), and that statement."""
    found: dict[str, tuple[Target, Chunk]] | None = module.notes.get("outline.located")
    if found is None:
        found = {}
        for chunk in module.chunks:
            for target in outline(chunk.parsed).targets:
                found.pop(target.qualname, None)
                found[target.qualname] = (target, chunk)
        module.notes["outline.located"] = found
    return found


def function_at(module: Module, offset: int) -> Target | None:
    """The function or method whose text, decorators and comments above left out, holds `offset`."""
    around = [t for t in functions(module) if t.whole.start <= offset <= t.whole.end]
    return around[-1] if around else None


def function_named(module: Module, qualname: str) -> Target | None:
    found = located(module).get(qualname)
    return None if found is None else _placed(found[0], found[1].start)


def parameter_at(target: Target, offset: int) -> str:
    """The name of the parameter that holds `offset`, otherwise of the first."""
    at = [p.name for p in target.params if p.span.start <= offset <= p.span.end]
    return at[0] if at else target.params[0].name


def asked_for(module: Module) -> frozenset[str]:
    """The functions that the user wants derivatives of: marked, with a derivative in the file, and
    all that these call."""
    targets = {q: target for q, (target, _) in located(module).items()}
    todo = [q for q, target in targets.items() if target.asked]
    for chunk in module.chunks:
        todo += (q for q in outline(chunk.parsed).derived if q in targets)
    by_name: dict[str, list[str]] = {}
    for qualname in targets:
        by_name.setdefault(qualname.rpartition(".")[2], []).append(qualname)
    found: set[str] = set()
    while todo:
        qualname = todo.pop()
        if qualname in found:
            continue
        found.add(qualname)
        for name in targets[qualname].uses & by_name.keys():
            todo += by_name[name]
    return frozenset(found)


def is_ignored(module: Module, code: str, place: Span) -> bool:
    """Whether a comment `# pullback: ignore` hides reports of `code` that begin or end on its line."""
    for chunk in module.chunks:
        for line, codes in outline(chunk.parsed).ignored:
            on_it = any(
                line.start <= at - chunk.start <= line.end for at in (place.start, place.end)
            )
            if on_it and (not codes or code in codes):
                return True
    return False


def needed(module: Module, chunk: Chunk) -> tuple[Chunk, ...]:
    """A statement and all statements that bind, directly or not, a name which it uses; in order."""
    binders = _binders(module)
    todo, found = [chunk], {chunk.start: chunk}
    while todo:
        for name in outline(todo.pop().parsed).needs & binders.keys():
            for other in binders[name]:
                if other.start not in found:
                    found[other.start] = other
                    todo.append(other)
    return tuple(found[start] for start in sorted(found))


def _binders(module: Module) -> dict[str, list[Chunk]]:
    found: dict[str, list[Chunk]] | None = module.notes.get("outline.binders")
    if found is None:
        found = {}
        for chunk in module.chunks:
            for name in outline(chunk.parsed).binds:
                found.setdefault(name, []).append(chunk)
        module.notes["outline.binders"] = found
    return found


# --- one statement -------------------------------------------------------------------------------


def _outline(parsed: Parsed) -> Outline:
    tree = parsed.tree or ()
    said = list(_said(parsed.text))
    read = [(at, parse_pragma(text, Span(at, end))) for at, end, text in said]
    pragmas = [(at, p) for at, p in read if isinstance(p, Pragma)]
    marks = [at for at, p in pragmas if p.kind == "differentiable"]
    words = [w for *_, text in said for w in _WORD.findall(text)]
    binds = frozenset(n for node in tree for n in _binds(node))
    headers = [h for *_, text in said if (h := parse_header(text)) is not None and not h.module]
    return Outline(
        targets=tuple(_target(parsed, q, node, marks) for q, node in _definitions(tree)),
        binds=binds,
        needs=frozenset((ANY, *binds, *words)).union(*(_uses(node) for node in tree)),
        derived=frozenset(h.qualname for h in headers),
        ignored=tuple(
            (_line(parsed, at), frozenset(p.codes)) for at, p in pragmas if p.kind == "ignore"
        ),
        misread=tuple(p for _, p in read if isinstance(p, PragmaError)),
    )


def _line(parsed: Parsed, at: int) -> Span:
    """The line that holds offset `at`."""
    start = parsed.text.rfind("\n", 0, at) + 1
    end = parsed.text.find("\n", at)
    return Span(start, len(parsed.text) if end < 0 else end)


def _said(text: str) -> Iterator[tuple[int, int, str]]:
    """The `# pullback:` comments of a text: where they start and end, and what follows the colon."""
    if _MARK not in text:
        return
    for start, end in comments(text):
        before, mark, after = text[start + 1 : end].partition(_MARK)
        if mark and not before.strip():
            yield start, end, after


def _definitions(tree: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Functions and methods with their qualified names; no `@overload`, nothing nested in a function."""
    for node in tree:
        if isinstance(node, gast.ClassDef):
            yield from _definitions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
            if not any(_last_name(d) == "overload" for d in node.decorator_list):
                yield prefix + node.name, node


def _target(parsed: Parsed, qualname: str, node: Any, marks: list[int]) -> Target:
    start = parsed.offset(node.lineno, node.col_offset)
    end = parsed.offset(node.end_lineno, node.end_col_offset)
    keyword = _DEF.match(parsed.text, start)
    name_start = keyword.end() if keyword else start
    first = node.decorator_list[0] if node.decorator_list else node
    above = _above(parsed.text, parsed.offset(first.lineno, 0))
    return Target(
        qualname=qualname,
        header=Span(start, _header_end(parsed, node, name_start)),
        name_span=Span(name_start, name_start + len(node.name)),
        whole=Span(start, end),
        params=tuple(_params(parsed, node, "." in qualname)),
        asked=any(above <= at < end for at in marks),
        uses=_uses(node),
    )


def _header_end(parsed: Parsed, node: Any, start: int) -> int:
    """The end of the line on which the signature ends."""
    signature = [*node.args.defaults, *node.args.kw_defaults, node.returns, *_arguments(node)]
    ends = [parsed.offset(n.end_lineno, n.end_col_offset) for n in signature if n is not None]
    last = max([start, *ends])
    line = next((s for s in parsed.starts if s > last), len(parsed.text) + 1)
    return line - 1


def _params(parsed: Parsed, node: Any, method: bool) -> Iterator[Parameter]:
    plain = [*node.args.posonlyargs, *node.args.args]
    static = any(_last_name(d) == "staticmethod" for d in node.decorator_list)
    skipped = plain[:1] if method and not static else []
    for arg in (*plain, *node.args.kwonlyargs):
        if arg not in skipped:
            start = parsed.offset(arg.lineno, arg.col_offset)
            yield Parameter(arg.id, Span(start, start + len(arg.id)))


def _arguments(node: Any) -> Iterator[Any]:
    a = node.args
    for arg in (*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg):
        if arg is not None:
            yield arg
            if arg.annotation is not None:
                yield arg.annotation


def _above(text: str, start: int) -> int:
    """The start of the comment lines that stand directly above the line at `start`."""
    while start > 0:
        before = text.rfind("\n", 0, start - 1) + 1
        if not text[before:start].lstrip(" \t").startswith("#"):
            return start
        start = before
    return start


def _binds(node: Any) -> Iterator[str]:
    """The module-level names that a top-level statement may bind."""
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
        yield node.name
        yield from (n for s in gast.walk(node) if isinstance(s, gast.Global) for n in s.names)
        yield from (ANY for d in node.decorator_list if _last_name(d) in _RULES)
    elif isinstance(node, gast.ClassDef):
        yield node.name
    elif isinstance(node, (gast.Import, gast.ImportFrom)):
        yield from ((a.asname or a.name).partition(".")[0] for a in node.names)
    elif isinstance(node, gast.Name):
        if not isinstance(node.ctx, gast.Load):
            yield node.id
    else:
        for child in gast.iter_child_nodes(node):
            yield from _binds(child)


def _uses(node: Any) -> frozenset[str]:
    """All names and attributes in a statement."""
    names = set()
    for n in gast.walk(node):
        if isinstance(n, gast.Name):
            names.add(n.id)
        elif isinstance(n, gast.Attribute):
            names.add(n.attr)
    return frozenset(names)


def _last_name(decorator: Any) -> str:
    if isinstance(decorator, gast.Call):
        return _last_name(decorator.func)
    if isinstance(decorator, gast.Attribute):
        return str(decorator.attr)
    return decorator.id if isinstance(decorator, gast.Name) else ""


def _placed(target: Target, by: int) -> Target:
    def moved(span: Span) -> Span:
        return Span(span.start + by, span.end + by)

    params = tuple(Parameter(p.name, moved(p.span)) for p in target.params)
    return Target(
        target.qualname,
        moved(target.header),
        moved(target.name_span),
        moved(target.whole),
        params,
        target.asked,
        target.uses,
    )
