"""Makes a program smaller while what is found about it stays.

Works on the syntax tree, so that it also serves programs that Hypothesis did not make: statements go,
blocks take the place of their statement, subexpressions take the place of expressions.
"""

from __future__ import annotations

import ast
import copy
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.fuzz.programs import Program

SECONDS = 3.0


def shrink(p: Program, holds: Callable[[Program], bool], tries: int = 500) -> Program:
    """The smallest program found for which `holds`."""
    spent, since, at = 0, 0, 0
    while spent < tries:
        candidates = _smaller(p)
        if since > len(candidates) or not candidates:
            return p
        change, k = candidates[at % len(candidates)]
        for text in _changed(p.source, change, k):
            spent += 1
            if _safely(holds, replace(p, source=text)):
                p, since = replace(p, source=text), 0
                break
        else:
            at, since = (at + 1) % len(candidates), since + 1
    return p


def _safely(holds: Callable[[Program], bool], p: Program) -> bool:
    """Whether `holds`; a program that lost its way out of a loop is given up after a while."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return holds(p)
    except Exception:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(*_: object) -> None:
    raise TimeoutError


Change = Callable[[ast.Module, int], Iterator[ast.Module]]


def _smaller(p: Program) -> list[tuple[Change, int]]:
    """What may be tried on `p`: one thing less at its k-th node, big things first."""
    count = sum(1 for _ in ast.walk(ast.parse(p.source)))
    changes: tuple[Change, ...] = (_without_statement, _hoisted_block, _hoisted_expression)
    return [(change, k) for change in changes for k in range(count)]


def _changed(source: str, change: Change, k: int) -> Iterator[str]:
    for tree in change(ast.parse(source), k):
        text = "\n".join(ast.unparse(node) for node in tree.body) + "\n"
        if len(text) < len(source):
            yield text


def _node(tree: ast.Module, k: int) -> tuple[ast.Module, ast.AST]:
    new = copy.deepcopy(tree)
    return new, list(ast.walk(new))[k]


def _without_statement(tree: ast.Module, k: int) -> Iterator[ast.Module]:
    original = list(ast.walk(tree))[k]
    for name in ("body", "orelse"):
        block = getattr(original, name, None)
        if not isinstance(block, list):
            continue
        for i, s in enumerate(block):
            if isinstance(s, (ast.Import, ast.Return)) or (
                isinstance(s, ast.FunctionDef) and s.name == "f"
            ):
                continue
            new, node = _node(tree, k)
            del getattr(node, name)[i]
            if name == "orelse" or getattr(node, name):
                yield new


def _hoisted_block(tree: ast.Module, k: int) -> Iterator[ast.Module]:
    original = list(ast.walk(tree))[k]
    block = getattr(original, "body", None)
    if not isinstance(block, list) or isinstance(original, ast.Module):
        return
    for i, s in enumerate(block):
        for arm in ("body", "orelse"):
            if isinstance(s, (ast.If, ast.For, ast.While)) and getattr(s, arm):
                new, node = _node(tree, k)
                inner = getattr(node.body[i], arm)  # type: ignore[attr-defined]
                node.body[i : i + 1] = inner  # type: ignore[attr-defined]
                yield new


def _hoisted_expression(tree: ast.Module, k: int) -> Iterator[ast.Module]:
    """A subexpression for an expression."""
    original = list(ast.walk(tree))[k]
    for name, value in ast.iter_fields(original):
        if name in ("target", "targets", "ctx", "func", "annotation", "args") and not isinstance(
            original, ast.Call
        ):
            continue
        values = value if isinstance(value, list) else [value]
        for i, e in enumerate(values):
            if not isinstance(e, ast.expr) or isinstance(e, (ast.Name, ast.Constant)):
                continue
            for j, part in enumerate(ast.iter_child_nodes(e)):
                if not isinstance(part, ast.expr) or (isinstance(e, ast.Call) and part is e.func):
                    continue
                new, node = _node(tree, k)
                child = list(ast.iter_child_nodes(_get(node, name, i)))[j]
                _set(node, name, i, child)
                yield new


def _get(node: ast.AST, name: str, i: int) -> ast.AST:
    value = getattr(node, name)
    return value[i] if isinstance(value, list) else value


def _set(node: ast.AST, name: str, i: int, new: ast.AST) -> None:
    if isinstance(getattr(node, name), list):
        getattr(node, name)[i] = new
    else:
        setattr(node, name, new)
