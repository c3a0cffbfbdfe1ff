"""Short answers about a place in a text: a function, a variable, a call, a statement, a report.

May not know: LSP, documents, how a derivative is made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pullback import ir
from pullback.analysis.facts import Facts, Val
from pullback.analysis.types import Atoms, Type
from pullback.diagnostics import Diagnostic
from pullback.diagnostics.catalogue import entry
from pullback.ide import (
    adjoint_text,
    any_derivative,
    backward_lines,
    diagnostics_at,
    known_facts,
    reasons,
)
from pullback.ir import Span
from pullback.mathematics import mathematical
from pullback.rules_text import describe, known_names
from pullback.source.module import Module
from pullback.source.outline import Target, function_at, function_named
from pullback.source.project import Modules
from pullback.source.recall import Move
from pullback.states import states

_DTYPES = ("float", "float32", "int", "bool", "complex")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Hover:
    """A short answer about the text at `span`: a line, code, and closing lines (either may be "").

    `code_name` is the code of the report that it explains.
    """

    span: Span
    title: str
    code: str = ""
    note: str = ""
    code_name: str = ""


def hover(module: Module, offset: int, modules: Modules) -> Hover | None:
    """What is to be said of a place: the smallest thing there that there is something to say of."""
    word = _word_at(module.text, offset)
    if word is not None:
        named = _named_at(module, word)
        if named is not None:
            return _function_hover(module, named, word, modules)
    target = function_at(module, offset)
    if target is None or offset < target.header.start:
        return None
    found = None if word is None else _word_hover(module, target, word, modules)
    if found is None and offset > target.header.end:
        found = _statement_hover(module, target, offset, modules)
    return found


def explained(module: Module, offset: int, modules: Modules) -> tuple[Hover, ...]:
    """The reports at a place, each with what it means."""
    return tuple(
        Hover(d.span, f"{d.code}: {d.message}", note=_meaning(d), code_name=d.code)
        for d in diagnostics_at(module, Span(offset, offset), modules)
    )


def why(
    module: Module, qualname: str, kind: str, line: int, modules: Modules, *, backward_only: bool
) -> Hover | None:
    """Why a line is in a derivative: the statement that it comes from, and the rules of what that calls."""
    made = adjoint_text(module, qualname, kind, modules, backward_only=backward_only)
    target = function_named(module, qualname)
    origin = made.lines[line] if 0 <= line < len(made.lines) else None
    if target is None or origin is None:
        return None
    facts, move = known_facts(module, target, modules)
    called = [] if facts is None else [e.fn for e in _calls_in(facts, move, origin)]
    rules = [describe(fn) for fn in dict.fromkeys(called) if mathematical(fn)]
    said = " ".join(module.text[origin.start : origin.end].split())
    return Hover(origin, f"From `{said}`", "\n".join(rules))


def _calls_in(facts: Facts, move: Move, place: Span) -> list[ir.Call]:
    """The calls of functions with a rule that stand in a place."""
    known = set(known_names())
    return [
        e
        for e in _expressions(facts)
        if isinstance(e, ir.Call) and e.fn in known and e.origin is not None
        for span in [move(e.origin)]
        if place.start <= span.start and span.end <= place.end
    ]


def _meaning(d: Diagnostic) -> str:
    e = entry(d.code)
    return " ".join(e.meaning.split()) + "\n\n" + " ".join(e.why.split())


# --- functions ------------------------------------------------------------------------------------


def _named_at(module: Module, word: Span) -> Target | None:
    """The function that a word defines or names."""
    around = function_at(module, word.start)
    if around is not None and around.name_span == word:
        return around
    if module.text[max(word.start - 1, 0) : word.start] == ".":
        return None  # an attribute: of what, the text does not tell
    return function_named(module, module.text[word.start : word.end])


def _function_hover(module: Module, target: Target, span: Span, modules: Modules) -> Hover:
    shown = _gradient_hover(module, target, span, modules)
    said = _standing(module, target, modules)
    return replace(shown, note="\n\n".join(n for n in (shown.note, said) if n))


def _gradient_hover(module: Module, target: Target, span: Span, modules: Modules) -> Hover:
    derived, move = any_derivative(module, target, None, modules)
    if derived.source is None:
        title = f"`{target.qualname}` cannot be differentiated"
        return Hover(span, title, note="\n\n".join(reasons(module, derived, move)))
    title = f"Gradient of `{target.qualname}`"
    if derived.name.endswith("_vjp"):
        title = f"Vector-Jacobian product of `{target.qualname}`"
    return Hover(span, title, derived.function.removeprefix(derived.header).strip("\n"))


def _standing(module: Module, target: Target, modules: Modules) -> str:
    """How the generated functions of a function stand, or a generated one itself."""
    known = states(module, modules)
    own = [f"Generated from `{s.primal}`: {s.word}" for s in known if s.qualname == target.qualname]
    of = [f"`{s.qualname}`: {s.word}" for s in known if s.primal == target.qualname]
    return "\n\n".join((*own, *of))


# --- what stands in a body ------------------------------------------------------------------------


def _word_hover(module: Module, target: Target, word: Span, modules: Modules) -> Hover | None:
    facts, move = known_facts(module, target, modules)
    call = None if facts is None else _call_at(module, facts, move, word)
    if call is not None:
        return _rule_hover(call, word)
    return _variable_hover(module, target, word, facts, move, modules)


def _call_at(module: Module, facts: Facts, move: Move, word: Span) -> ir.Call | None:
    """The call of a function with a rule whose name a word ends."""
    if not module.text[word.end :].lstrip(" ").startswith("("):
        return None
    around = [
        (span.end - span.start, e)
        for e in _expressions(facts)
        if isinstance(e, ir.Call) and e.origin is not None
        for span in [move(e.origin)]
        if span.start <= word.start and word.end < span.end
    ]
    call = min(around, key=lambda found: found[0])[1] if around else None
    return call if call is not None and call.fn in known_names() else None


def _rule_hover(call: ir.Call, word: Span) -> Hover:
    text = describe(call.fn)
    return Hover(word, f"Derivative of `{call.fn}`", text, mathematical(call.fn))


def _variable_hover(
    module: Module, target: Target, word: Span, facts: Facts | None, move: Move, modules: Modules
) -> Hover | None:
    name = module.text[word.start : word.end]
    lines = _adjoint_lines(module, target, name, modules)
    val = None if facts is None else _val_at(facts, move, target, word, name)
    if not lines and val is None:
        return None
    title = f"Adjoint of `{name}`" if lines else f"`{name}`"
    return Hover(word, title, "\n".join(lines), "" if val is None else _said(val))


def _adjoint_lines(module: Module, target: Target, name: str, modules: Modules) -> list[str]:
    derived, move = any_derivative(module, target, "*", modules)
    if derived.source is None:
        return []
    return [x for x, _ in backward_lines(module, derived, move) if _writes_adjoint(x, name)]


def _val_at(facts: Facts, move: Move, target: Target, word: Span, name: str) -> Val | None:
    """What is known of the variable that a word names: there, or as a parameter."""
    for s in ir.statements(facts.fn.body):
        for e in (n for x in ir.stmt_exprs(s) for n in ir.walk(x)):
            if isinstance(e, ir.Name) and e.origin is not None and move(e.origin) == word:
                return facts.bound.get((id(s), name)) or facts.of(e)
    if facts.fn.body and any(p.span == word for p in target.params):
        return facts.var(facts.fn.body[0], name)
    return None


def _said(val: Val) -> str:
    """Type and shape, and whether a derivative passes through."""
    words = [said_type(val.type)]
    words.append("active" if val.active else "carries no derivative")
    if val.view:
        words.append("a view" if val.exact else "may be a view")
    return ", ".join(words)


def said_type(t: Type) -> str:
    """A type as a person says it; what the analysis names for itself is not shown."""
    if t.kind in ("any", "number"):
        return "float or array"
    dtype = f"{t.dtype} " if t.dtype in _DTYPES else ""
    if t.kind == "scalar":
        return dtype.strip() or "number"
    if t.kind != "array":
        return t.kind
    if isinstance(t.shape, Atoms):
        return f"{dtype}array"
    dims = [str(d) if ":" not in str(d) else "?" for d in t.shape]
    return f"{dtype}array ({', '.join(dims)}{',' if len(dims) == 1 else ''})"


def _expressions(facts: Facts) -> list[ir.Expr]:
    return [e for s in ir.statements(facts.fn.body) for x in ir.stmt_exprs(s) for e in ir.walk(x)]


def _statement_hover(module: Module, target: Target, offset: int, modules: Modules) -> Hover | None:
    derived, move = any_derivative(module, target, "*", modules)
    backward = backward_lines(module, derived, move) if derived.source is not None else []
    around = [s for _, s in backward if s is not None and s.start <= offset <= s.end]
    if not around:
        return None
    place = min(around, key=lambda s: s.end - s.start)
    lines = [line for line, s in backward if s == place]
    return Hover(place, "Adjoint of this statement", "\n".join(lines))


def _writes_adjoint(line: str, name: str) -> bool:
    return re.match(rf"{re.escape(name)}_bar\d*(\[.*\])? *[-+*/@]?=(?!=)", line) is not None


def _word_at(text: str, offset: int) -> Span | None:
    """The identifier that holds `offset` or ends there."""
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    found = _IDENTIFIER.match(text, start)
    return Span(found.start(), found.end()) if found else None
