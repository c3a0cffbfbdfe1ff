"""The programs of `tests/programs`: what each file says of itself, and its derivative.

A program is a plain module: a docstring with its definition and source, `DERIVATIVE` with what is asked of
it (`vjp of atax wrt A, x`), `arguments(size)` with small arguments that are always the same (`size` has
a default), the function, and its helpers. What is generated lies in `golden/`, under the same name.

May not know: how anything is derived.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pullback import Derived, derive
from tests.core.differences import returning, seed_for, space_of, written_parameters

FOLDER = Path(__file__).parents[1] / "programs"
_DECLARED = re.compile(r"\s*# pullback: \w+: ")
_ASKED = re.compile(r"(?P<kind>\w+) of (?P<func>[\w.]+) wrt (?P<wrt>\w+(?:, \w+)*)")


@dataclass(frozen=True)
class Program:
    """One file. `space` is what its text defines."""

    path: Path
    source: str
    space: dict[str, Any]
    kind: str
    func: str
    wrt: tuple[str, ...]

    @property
    def golden(self) -> Path:
        return self.path.parent / "golden" / self.path.name

    def derived(self) -> Derived:
        wrt = self.wrt if len(self.wrt) > 1 else self.wrt[0]
        return derive(self.source, self.func, self.kind, wrt, modules={})

    def arguments(self, *size: int) -> tuple[Any, ...]:
        made: tuple[Any, ...] = self.space["arguments"](*size)
        return made


def with_seeds(p: Program) -> tuple[Any, ...]:
    """The program's arguments, with the cotangent of what it returns or fills where its derivative takes one."""
    if p.kind != "vjp":
        return p.arguments()
    value = returning(p.space[p.func], p.source)(*p.arguments())
    return (*p.arguments(), seed_for(value))


def scalar_form(p: Program) -> str:
    """The program with a function `total` behind it that gives one number: its own, or the sum of the squares of
    what it returns or fills. It is declared as the program is."""
    [node] = [n for n in ast.parse(p.source).body if getattr(n, "name", "") == p.func]
    assert isinstance(node, ast.FunctionDef)
    text = ast.get_source_segment(p.source, node) or ""
    names = [a.arg for a in node.args.args]
    value = p.space[p.func](*p.arguments())
    outputs = [f"out{k}" for k in range(len(value))] if isinstance(value, tuple) else ["out"]
    call = f"{', '.join(outputs)} = {p.func}({', '.join(names)})"
    if value is None:
        outputs, call = written_parameters(node), call.removeprefix("out = ")
    result = " + ".join(f"np.sum({name} * {name})" for name in outputs)
    if value is not None and not isinstance(value, tuple) and np.ndim(value) == 0:
        result = "out"
    said = [line.strip() for line in text.splitlines() if _DECLARED.match(line)]
    body = "\n    ".join([*said, call, f"return {result}"])
    return f"{p.source}\n\ndef total({ast.unparse(node.args)}):\n    {body}\n"


def read(path: Path) -> Program:
    source = path.read_text(encoding="utf-8")
    space = space_of(source)
    asked = _ASKED.fullmatch(space["DERIVATIVE"])
    assert asked is not None, f"{path.name} asks for {space['DERIVATIVE']!r}"
    wrt = tuple(asked["wrt"].split(", "))
    return Program(path, source, space, asked["kind"], asked["func"], wrt)


PROGRAMS = {path.stem: read(path) for path in sorted(FOLDER.glob("*.py"))}
