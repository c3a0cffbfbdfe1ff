"""Small programs as text: to the ir, through a pass, back to text, and run."""

from __future__ import annotations

import math
from dataclasses import replace
from textwrap import dedent, indent

import numpy as np

from pullback import ir
from pullback.emit import emit_expression, emit_function
from pullback.lower import lower_expression, lower_function, scope_of
from pullback.source.module import parse_module

IMPORTS = "import math\nimport numpy as np\n"
SCOPE = scope_of(parse_module(IMPORTS))


def expr(text: str) -> ir.Expr:
    return lower_expression(text, SCOPE)


def shown(e: ir.Expr) -> str:
    return emit_expression(e, "", lambda name: name.replace("numpy", "np"))


def function(body: str, params: str = "x, y, n", *, made: bool = False) -> ir.Function:
    """The function f with that body; `made` as if a pass had written all its statements."""
    text = f"{IMPORTS}def f({params}):\n{indent(dedent(body).strip(), '    ')}\n"
    fn = lower_function(parse_module(text), "f")
    assert fn is not None
    return bare(fn, made=made)


def bare(fn: ir.Function, *, made: bool = False) -> ir.Function:
    """`fn` without ties to its text, so that it prints from the ir alone."""
    return replace(fn, body=_bare(fn.body, made), origin=None, name_span=None)


def _bare(block: ir.Block, made: bool) -> ir.Block:
    out = []
    for s in block:
        if isinstance(s, (ir.If, ir.For, ir.While)):
            s = replace(s, body=_bare(s.body, made), orelse=_bare(s.orelse, made))
        out.append(replace(s, origin=None, verbatim=False, made=made))
    return tuple(out)


def body_of(fn: ir.Function) -> str:
    """The text of the function's body at the left margin."""
    text = emit_function(fn, IMPORTS, header=None).text
    return dedent("\n".join(text.splitlines()[1:])).strip()


def run(fn: ir.Function, *args: object) -> object:
    """What the function returns or raises, and what it leaves in its arguments."""
    space: dict[str, object] = {"np": np, "math": math}
    exec(emit_function(fn, IMPORTS, header=None).text, space)  # our own text
    args = tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)
    with np.errstate(all="ignore"):
        result = space["f"](*args)  # type: ignore[operator]
    return result, args
