"""No call in vain: nothing is computed that no one reads, and no call gives back what it was passed."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

import pytest

from tests.core.golden.cases import FOLDER, read
from tests.core.programs import PROGRAMS

# methods and functions that are called for what they do
_ACTING = {
    "append",
    "at",
    "copyto",
    "extend",
    "fill",
    "pop",
    "print",
    "put",
    "put_along_axis",
    "sort",
    "update",
}
_ONCE = {
    "asarray",
    "conj",
    "copy",
    "float",
    "ravel",
}  # twice, they do no more than once, or nothing
_SHAPED = {"_unbroadcast", "broadcast_to", "reshape"}


def idle(text: str) -> Iterator[str]:
    """The calls of a module's functions that are in vain, as text."""
    for f in ast.walk(ast.parse(text)):
        if isinstance(f, ast.FunctionDef):
            yield from _unread(f)
            yield from (ast.unparse(e) for e in ast.walk(f) if _gives_its_argument(e))


def _unread(f: ast.FunctionDef) -> Iterator[str]:
    read = {n.id for n in ast.walk(f) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for s in ast.walk(f):
        if not isinstance(s, (ast.Assign, ast.Expr)) or not isinstance(s.value, ast.Call):
            continue
        bound = s.targets if isinstance(s, ast.Assign) else []
        if all(isinstance(t, ast.Name) and t.id not in read for t in bound):
            if not _name(s.value).startswith("_check") and _name(s.value) not in _ACTING:
                yield ast.unparse(s.value)


def _gives_its_argument(e: ast.AST) -> bool:
    if isinstance(e, ast.Attribute):
        return e.attr == "T" and isinstance(e.value, ast.Attribute) and e.value.attr == "T"
    if not isinstance(e, ast.Call):
        return False
    method = isinstance(e.func, ast.Attribute) and ast.unparse(e.func.value) != "np"
    first, *rest = [e.func.value, *e.args] if method else e.args or [None]
    if any(k.arg == "axis" and ast.unparse(k.value) == "()" for k in e.keywords):
        return True
    if first is None or (_name(e) in _ONCE and isinstance(first, ast.Call)):
        return isinstance(first, ast.Call) and _name(first) == _name(e)
    own = ast.unparse(first)
    return (
        _name(e) in _SHAPED
        and len(rest) == 1
        and ast.unparse(rest[0]) in (f"{own}.shape", f"np.shape({own})")
    )


def _name(e: ast.Call) -> str:
    return ast.unparse(e.func).rpartition(".")[2]


def test_calls_in_vain_are_found() -> None:
    text = """
        def f_grad(x):
            y = np.sin(x)
            np.cos(x)
            a = x.T.T * np.asarray(np.asarray(x)) + x.reshape(x.shape)
            return a + np.sum(x, axis=()) + np.broadcast_to(x, np.shape(x)) + x.copy().copy()
    """
    assert sorted(idle(textwrap.dedent(text))) == [
        "np.asarray(np.asarray(x))",
        "np.broadcast_to(x, np.shape(x))",
        "np.cos(x)",
        "np.sin(x)",
        "np.sum(x, axis=())",
        "x.T.T",
        "x.copy().copy()",
        "x.reshape(x.shape)",
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_have_none(name: str) -> None:
    program = PROGRAMS[name]
    assert set(idle(program.golden.read_text(encoding="utf-8"))) <= set(idle(program.source))


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda p: p.stem)
def test_golden_answers_have_none(page) -> None:
    for case in read(page)[1]:
        if case.args is not None:
            answer = case.answer.partition("```py\n")[2].partition("```")[0]
            assert set(idle(answer)) <= set(idle(case.primal)), case.title
