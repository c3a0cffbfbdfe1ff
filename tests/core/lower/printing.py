"""The ir in short, for tables of expected results: f(a, b) for calls, &name for what is outside."""

from __future__ import annotations

from pullback import ir


def show(e: ir.Expr | None) -> str:
    """One expression."""
    if e is None:
        return ""
    if isinstance(e, ir.Const):
        return repr(e.value)
    if isinstance(e, ir.Name):
        return e.id
    if isinstance(e, ir.Ref):
        return f"&{e.qualname}"
    if isinstance(e, ir.Call):
        head = show(e.callee) if e.fn == "?" else e.fn
        args = [show(a) for a in e.args] + [f"{k}={show(v)}" for k, v in e.kwargs]
        return f"{head}({', '.join(args)})"
    if isinstance(e, ir.Compare):
        return " ".join([show(e.first), *(f"{o} {show(r)}" for o, r in zip(e.ops, e.rest))])
    if isinstance(e, ir.BoolOp):
        return f" {e.op} ".join(show(v) for v in e.values)
    if isinstance(e, ir.IfExp):
        return f"{show(e.body)} if {show(e.test)} else {show(e.orelse)}"
    if isinstance(e, ir.Tuple):
        left, right = "[]" if e.kind == "list" else "()"
        return left + ", ".join(show(i) for i in e.items) + right
    if isinstance(e, ir.Dict):
        return (
            "{" + ", ".join(f"{show(k) or '**'}: {show(v)}" for k, v in zip(e.keys, e.values)) + "}"
        )
    if isinstance(e, ir.Slice):
        return ":".join(show(p) for p in (e.lower, e.upper, e.step))
    if isinstance(e, ir.Star):
        return f"*{show(e.value)}"
    return f"<{e.kind} {' '.join(e.reads)}|{' '.join(e.writes)}>"


def show_block(block: ir.Block, indent: str = "") -> list[str]:
    """Statements, one a line."""
    return [line for s in block for line in _statement(s, indent)]


def _statement(s: ir.Stmt, indent: str) -> list[str]:
    inner = indent + "  "
    if isinstance(s, ir.If):
        word = "elif" if s.is_elif else "if"
        return [
            f"{indent}{word} {show(s.test)}",
            *show_block(s.body, inner),
            *_else(s.orelse, indent),
        ]
    if isinstance(s, ir.For):
        head = f"{indent}for {show(s.target)} in {show(s.iter)}"
        return [head, *show_block(s.body, inner), *_else(s.orelse, indent)]
    if isinstance(s, ir.While):
        return [
            f"{indent}while {show(s.test)}",
            *show_block(s.body, inner),
            *_else(s.orelse, indent),
        ]
    return [indent + _simple(s)]


def _else(block: ir.Block, indent: str) -> list[str]:
    return [f"{indent}else", *show_block(block, indent + "  ")] if block else []


def _simple(s: ir.Stmt) -> str:
    if isinstance(s, ir.Assign):
        return " = ".join([*(show(t) for t in s.targets), show(s.value)])
    if isinstance(s, ir.AugAssign):
        return f"{show(s.target)} {s.op}= {show(s.value)}"
    if isinstance(s, ir.Return):
        return f"return {show(s.value)}".rstrip()
    if isinstance(s, ir.ExprStmt):
        return show(s.value)
    if isinstance(s, (ir.Keep, ir.Barrier)):
        name = type(s).__name__.lower()
        return f"{name} {s.kind} {' '.join(s.reads)}|{' '.join(s.writes)}"
    return repr(s)
