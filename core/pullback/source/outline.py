"""Which functions a module has, where they stand, and what each depends on.

Everything is read from one statement's tree at a time and kept with it, so that after an edit only
the edited statement is looked at again. Dependence is by name and errs on the side of more.

May not know: the IR's meaning, analyses, diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gast

from pullback.ir import Span
from pullback.source.assembled import assembled
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
    away: frozenset[tuple[str, str]] = frozenset()  # those of other modules: module and function
    ignored: tuple[tuple[Span, frozenset[str]], ...] = ()  # lines, and the codes hidden there
    misread: tuple[PragmaError, ...] = ()  # comments that say nothing that is known

    @property
    def generates(self) -> bool:
        """Whether a generated function stands here."""
        return bool(self.derived or self.away)

    @cached_property
    def named(self) -> dict[str, Target]:
        """The functions by qualified name; the last definition counts."""
        found: dict[str, Target] = {}
        for target in self.targets:
            found.pop(target.qualname, None)
            found[target.qualname] = target
        return found


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


def located(module: Module) -> Located:
    """By qualified name each function, its spans counting in the statement that holds it (itself, or its
    class), and that statement."""
    return Located(module, numbered(module).statement)


@dataclass(eq=False)
class Located(Mapping[str, tuple[Target, Chunk]]):
    """The functions of a module by qualified name, looked up one at a time."""

    module: Module
    numbers: dict[str, int]

    def __getitem__(self, qualname: str) -> tuple[Target, Chunk]:
        chunk = self.module.chunks[self.numbers[qualname]]
        return outline(chunk.parsed).named[qualname], chunk

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(eq=False)
class Numbered:
    """Each function's statement by its number, in the order of their last definitions."""

    statement: dict[str, int]

    @cached_property
    def by_last_name(self) -> dict[str, tuple[str, ...]]:
        """The functions that have the same name, in classes or not."""
        found: dict[str, tuple[str, ...]] = {}
        for qualname in self.statement:
            name = qualname.rpartition(".")[2]
            found[name] = (*found.get(name, ()), qualname)
        return found


def numbered(module: Module) -> Numbered:
    return assembled(module, "outline.numbered", lambda p: tuple(outline(p).named), _numbered)


def _numbered(parts: list[tuple[str, ...]]) -> Numbered:
    found: dict[str, int] = {}
    for number, qualnames in enumerate(parts):
        for qualname in qualnames:
            found.pop(qualname, None)
            found[qualname] = number
    return Numbered(found)


def function_at(module: Module, offset: int) -> Target | None:
    """The function or method whose text, decorators and comments above left out, holds `offset`."""
    last = module.number_at(offset)
    if last is None:
        return None
    statement = numbered(module).statement
    for number in (last, last - 1) if last else (last,):  # one may end where the next one begins
        chunk = module.chunks[number]
        at = offset - chunk.start
        for qualname, target in reversed(outline(chunk.parsed).named.items()):
            if target.whole.start <= at <= target.whole.end and statement[qualname] == number:
                return _placed(target, chunk.start)
    return None


def function_named(module: Module, qualname: str) -> Target | None:
    found = located(module).get(qualname)
    return None if found is None else _placed(found[0], found[1].start)


def parameter_at(target: Target, offset: int) -> str:
    """The name of the parameter that holds `offset`, otherwise of the first."""
    at = [p.name for p in target.params if p.span.start <= offset <= p.span.end]
    return at[0] if at else target.params[0].name


def asked_for(module: Module, also: frozenset[str] = frozenset()) -> frozenset[str]:
    """The functions that the user wants derivatives of: marked, with a derivative in the file, or one of
    `also`; and all that these call."""
    names = numbered(module)

    def wanted(parsed: Parsed) -> _Wanted:
        return _wanted(outline(parsed), names.by_last_name)

    return assembled(module, "outline.asked", wanted, _Asking, given=names).of(also)


def derived_from(module: Module, other: str) -> frozenset[str]:
    """The functions of module `other` that have a generated derivative in `module`."""
    found = (outline(parsed).away for parsed in module.statements)
    return frozenset(function for away in found for of, function in away if of == other)


@dataclass(frozen=True)
class _Wanted:
    """What one statement says: which functions have derivatives in it, and of each of its own functions
    whether it is marked and what it may call."""

    derived: frozenset[str]
    functions: tuple[tuple[str, bool, tuple[str, ...]], ...]


def _wanted(said: Outline, by_last_name: dict[str, tuple[str, ...]]) -> _Wanted:
    found = []
    for qualname, target in said.named.items():
        names = sorted(target.uses & by_last_name.keys())
        found.append((qualname, target.asked, tuple(q for n in names for q in by_last_name[n])))
    return _Wanted(said.derived, tuple(found))


@dataclass(eq=False)
class _Asking:
    """What all statements say of what is wanted."""

    parts: list[_Wanted]
    known: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)

    def of(self, also: frozenset[str]) -> frozenset[str]:
        """What is asked for where `also` is: the same object as before for the same."""
        if also not in self.known:
            self.known = {also: _asked(self.parts, also)}
        return self.known[also]


def _asked(parts: list[_Wanted], also: frozenset[str]) -> frozenset[str]:
    functions = {q: (marked, calls) for part in parts for q, marked, calls in part.functions}
    todo = [q for q, (marked, _) in functions.items() if marked or q in also]
    todo += (q for part in parts for q in part.derived if q in functions)
    found: set[str] = set()
    while todo:
        qualname = todo.pop()
        if qualname not in found:
            found.add(qualname)
            todo += functions[qualname][1]
    return frozenset(found)


def is_ignored(module: Module, code: str, place: Span) -> bool:
    """Whether a comment `# pullback: ignore` hides reports of `code` that begin or end on its line."""
    for at in (place.start, place.end):
        chunk = module.chunk_at(at)
        if chunk is not None:
            place = Span(at - chunk.start, at - chunk.start)
            if ignores(chunk.parsed, code, place):
                return True
    return False


def ignores(parsed: Parsed, code: str, place: Span) -> bool:
    """`is_ignored` for a place in a statement, counted from its start."""
    return any(
        (not codes or code in codes)
        and any(line.start <= at <= line.end for at in (place.start, place.end))
        for line, codes in outline(parsed).ignored
    )


def needed(module: Module, chunk: Chunk) -> tuple[Chunk, ...]:
    """A statement and all statements that bind, directly or not, a name which it uses; in order."""
    number = module.number_at(chunk.start)
    assert number is not None
    return tuple(module.chunks[k] for k in sorted(dependence(module).of(number)))


@dataclass(eq=False)
class Dependence:
    """Which statements each statement depends on, by their numbers: itself, and all that bind its names.

    `needs` are the names of the module that each needs; a name that thousands bind is looked up once.
    """

    needs: list[frozenset[str]]
    binders: Mapping[str, Sequence[int]]
    known: dict[int, frozenset[int]] = field(default_factory=dict)

    def of(self, number: int) -> frozenset[int]:
        """All that a statement depends on, directly or not."""
        found = self.known.get(number)
        if found is None:
            found = self.known[number] = _reached([number], self.needs, self.binders)
        return found

    def on(self, numbers: Iterable[int]) -> frozenset[int]:
        """All that depend on any of these, directly or not."""
        return _reached(list(numbers), self._binds, self._users)

    @cached_property
    def _users(self) -> dict[str, list[int]]:
        """The statements that need each name."""
        found: dict[str, list[int]] = {}
        for number, names in enumerate(self.needs):
            for name in names:
                found.setdefault(name, []).append(number)
        return found

    @cached_property
    def _binds(self) -> list[list[str]]:
        """The names that each statement binds."""
        found: list[list[str]] = [[] for _ in self.needs]
        for name, numbers in self.binders.items():
            for number in numbers:
                found[number].append(name)
        return found


def _reached(
    start: list[int], names: Sequence[Iterable[str]], steps: Mapping[str, Sequence[int]]
) -> frozenset[int]:
    """What is reached from statements over names, by `steps` from each of the `names` of a statement."""
    todo, found, gone = [*start], set(start), set[str]()
    while todo:
        for name in names[todo.pop()]:
            if name not in gone:
                gone.add(name)
                new = [k for k in steps.get(name, ()) if k not in found]
                found.update(new)
                todo += new
    return frozenset(found)


def dependence(module: Module) -> Dependence:
    """Which statements of a module depend on which: the same object as long as none changes."""
    binders = binding(module)

    def needs(parsed: Parsed) -> frozenset[str]:
        return frozenset(outline(parsed).needs & binders.keys())

    def whole(found: list[frozenset[str]]) -> Dependence:
        return Dependence(found, binders)

    return assembled(module, "outline.dependence", needs, whole, given=binders)


def binding(module: Module) -> dict[str, tuple[int, ...]]:
    """The statements that bind each module-level name, by their numbers."""
    return assembled(module, "outline.binding", lambda p: outline(p).binds, _binding)


def _binding(parts: list[frozenset[str]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for number, binds in enumerate(parts):
        for name in binds:
            found.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}


# --- one statement -------------------------------------------------------------------------------


def _outline(parsed: Parsed) -> Outline:
    tree = parsed.tree or ()
    said = list(_said(parsed.text))
    read = [(at, parse_pragma(text, Span(at, end))) for at, end, text in said]
    pragmas = [(at, p) for at, p in read if isinstance(p, Pragma)]
    marks = [at for at, p in pragmas if p.kind == "differentiable"]
    words = [w for *_, text in said for w in _WORD.findall(text)]
    binds = frozenset(n for node in tree for n in _binds(node))
    uses = {id(node): _uses(node) for node in tree}
    headers = [h for *_, text in said if (h := parse_header(text)) is not None]
    return Outline(
        targets=tuple(
            _target(parsed, q, node, marks, uses.get(id(node)) or _uses(node))
            for q, node in _definitions(tree)
        ),
        binds=binds,
        needs=frozenset((ANY, *binds, *words)).union(*uses.values()),
        derived=frozenset(h.qualname for h in headers if not h.module),
        away=frozenset((h.module, h.qualname) for h in headers if h.module),
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


def _target(
    parsed: Parsed, qualname: str, node: Any, marks: list[int], uses: frozenset[str]
) -> Target:
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
        uses=uses,
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
        yield from (n for s in _nodes(node) if isinstance(s, gast.Global) for n in s.names)
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


def _nodes(root: Any) -> list[Any]:
    """`root` and all nodes below it; `gast.walk` asks every field by name, and this runs at every keystroke."""
    found = [root]
    for node in found:  # which grows meanwhile
        for value in node.__dict__.values():
            if isinstance(value, gast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [v for v in value if isinstance(v, gast.AST)]
    return found


def _uses(node: Any) -> frozenset[str]:
    """All names and attributes in a statement."""
    names = set()
    for n in _nodes(node):
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
