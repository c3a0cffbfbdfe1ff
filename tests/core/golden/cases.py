"""Golden cases as Markdown: prose, the function, what is asked, what is answered, where it is run.

A case is a section (`## title`) with a `py` block that holds the function, a line of what is asked for
such as

    `vjp of clamp wrt x, y` at `(0.5, np.ones(3))`

and a second block: `py` with the derivative, or `text` with the lines that stand in the way, carets
under the place. The part in front of the first section may say anything.

May not know: how anything is derived.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pullback import Derived, derive
from pullback.diagnostics import Diagnostic
from tests.core.differences import asked

FOLDER = Path(__file__).parent
_IMPORTS = (("math", "import math"), ("np", "import numpy as np"))
_SECTION = re.compile(r"^## (?P<title>.+)\n", re.M)
_CASE = re.compile(
    r"\A(?P<prose>.*?)"
    r"^```py\n(?P<primal>.*?)^```\n\s*"
    r"^`(?P<asked>[^`\n]+)`(?: at `(?P<args>[^`\n]+)`)?[^\n]*\n"
    r"(?P<answer>.*)\Z",
    re.M | re.S,
)
_ASKED = re.compile(
    r"(?P<kind>grad|value_and_grad|vjp|jvp|hvp|jacobian|sparse_jacobian|hessian) of (?P<func>[\w.]+)"
    r" wrt (?P<wrt>\*|[\w, ]+?)"
    r"(?: name=(?P<name>\w+))?(?: jit=(?P<jit>\w+))?"
)


@dataclass(frozen=True)
class Case:
    """One section. `args` is an expression, or None where the answer is a refusal."""

    title: str
    prose: str
    primal: str
    asked: str
    args: str | None
    answer: str
    kind: str
    func: str
    wrt: str | tuple[str, ...]
    name: str | None
    jit: str | None

    @property
    def source(self) -> str:
        """The module: a block without imports has those that it uses above it."""
        if re.search(r"^(import|from) ", self.primal, re.M):
            return self.primal
        used = [line for name, line in _IMPORTS if re.search(rf"\b{name}\.", self.primal)]
        return "\n\n".join(used) + "\n\n\n" + self.primal if used else self.primal

    def derived(self) -> Derived:
        wrt = self.wrt if isinstance(self.wrt, str) else asked(self.wrt)
        return derive(
            self.source, self.func, self.kind, wrt, name=self.name, jit=self.jit, modules={}
        )


def read(path: Path) -> tuple[str, list[Case]]:
    """What stands in front of the first section, and the cases."""
    text = path.read_text(encoding="utf-8")
    starts = list(_SECTION.finditer(text))
    ends = [m.start() for m in starts[1:]] + [len(text)]
    head = text[: starts[0].start()] if starts else text
    return head, [_case(path, m["title"], text[m.end() : e]) for m, e in zip(starts, ends)]


def _case(path: Path, title: str, body: str) -> Case:
    found = _CASE.match(body)
    if found is None:
        raise ValueError(f"{path.name}: section {title!r} is no case: see cases.py")
    asked = _ASKED.fullmatch(found["asked"])
    if asked is None:
        raise ValueError(f"{path.name}: {title!r} asks for {found['asked']!r}: see cases.py")
    names = asked["wrt"] if asked["wrt"] == "*" else tuple(re.findall(r"\w+", asked["wrt"]))
    return Case(
        title,
        found["prose"].strip(),
        found["primal"],
        found["asked"],
        found["args"],
        found["answer"].strip(),
        asked["kind"],
        asked["func"],
        names,
        asked["name"],
        asked["jit"],
    )


def answer_for(case: Case) -> str:
    """The block that the case should end with."""
    derived = case.derived()
    if derived.source is None:
        shown = "\n".join(pointed(case.source, d) for d in derived.diagnostics)
        return f"```text\n{shown}\n```"
    return f"```py\n{derived.source.strip()}\n```"


def pointed(source: str, d: Diagnostic) -> str:
    """The line that is reported, carets under the place, and what is said of it."""
    start = source.rfind("\n", 0, d.span.start) + 1
    end = source.find("\n", d.span.start)
    line = source[start : end if end >= 0 else len(source)]
    width = max(1, min(d.span.end, start + len(line)) - d.span.start)
    carets = " " * (d.span.start - start) + "^" * width
    return f"{line}\n{carets}\n{d.code} {d.message}"


def written(head: str, cases: list[Case], answer_for: Callable[[Case], str] = answer_for) -> str:
    """The file's text with every answer as it is now."""
    return head + "\n".join(_section(c, answer_for(c)) for c in cases)


def _section(case: Case, answer: str) -> str:
    at = f" at `{case.args}`" if case.args else ""
    prose = f"{case.prose}\n\n" if case.prose else ""
    return f"## {case.title}\n\n{prose}```py\n{case.primal}```\n\n`{case.asked}`{at}\n\n{answer}\n"


def generated(case: Case) -> str | None:
    """The code of the answer; None for a refusal."""
    found = re.fullmatch(r"```py\n(.*)\n```", case.answer, re.S)
    return None if found is None else found[1] + "\n"


def statements(text: str, name: str) -> list[ast.stmt]:
    """All statements of a function but its docstring, nested ones included."""
    [fn] = [
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef) and n.name == name
    ]
    found = [n for n in ast.walk(fn) if isinstance(n, ast.stmt) and n is not fn]
    return [s for s in found if not _docstring(s)]


def _docstring(s: ast.stmt) -> bool:
    return (
        isinstance(s, ast.Expr)
        and isinstance(s.value, ast.Constant)
        and isinstance(s.value.value, str)
    )
