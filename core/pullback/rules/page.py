"""The documentation page of the rule table, made from the table.

`python -m pullback.rules.page [FILE]` writes it (docs/rules.md by default).

May not know: the IR, how rules are applied, NumPy.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pullback.rules import STRUCTURAL, table
from pullback.rules.notation import COMPLEX, HOLOMORPHIC, Rule

TITLES = {
    "operators": "Operators and builtins",
    "elementwise": "Each element alone",
    "math_module": "The math module",
    "reductions": "Sums, means, extremes",
    "ufunc_methods": "Methods of ufuncs",
    "linalg": "Products and linear algebra",
    "shaping": "Elements moved",
    "calculus": "Differences, integrals, interpolation",
    "special": "Special functions",
    "bessel": "Bessel functions, integrals, polynomials",
    "scipy_linalg": "SciPy's linear algebra",
    "statistics": "Densities",
    "fourier": "Fourier transforms",
    "constants": "No gradient by nature",
    "refused": "No derivative, and why",
    "older": "Names of older releases of NumPy",
    "complex_numbers": "Complex arguments",
}

HEAD = """# Rules

Made from the rule table by `python -m pullback.rules.page`.

`y` is the result, `y_bar` its cotangent, `x_dot` the tangent of `x`. Of an elementwise function the
table states the partial derivative of each parameter; of any other function, the cotangent. What
broadcasting stretched is summed by the engine. `unreduce(e, axis, keepdims)` puts reduced axes back with
length one, `count(x, axis)` is how many elements were reduced, and names that begin with an underscore
are private helpers that are written beside the derivative. What is given at non-smooth points:
[conventions](conventions.md).
"""


def page() -> str:
    """The whole page."""
    rules = list({id(r): r for r in (*table().values(), *COMPLEX.values())}.values())
    parts = [HEAD, _summary()]
    for file in sorted({_file(r) for r in rules}, key=_order):
        parts.append(
            f"## {TITLES.get(file, file)}\n\n{_section([r for r in rules if _file(r) == file])}"
        )
    serving = ", ".join(f"`{short(n)}`" for n in sorted(HOLOMORPHIC))
    parts.append(
        "The formulas of these hold for complex arguments too, with the conjugates of all that they name but "
        f"`y_bar`: {serving}.\n"
    )
    listed = ", ".join(f"`{short(n)}`" for n in STRUCTURAL)
    parts.append(
        f"## Taken apart by the engine\n\nTheir derivative follows from how the call is written: {listed}.\n"
    )
    return "\n".join(parts)


def short(name: str) -> str:
    """A name as people write it: `np.exp`, `x.sum`, `+`."""
    head, _, rest = name.partition(".")
    if head == "operator":
        return OPERATORS.get(rest, rest)
    if head in ("method", "attr"):
        return f"x.{rest}" + ("()" if head == "method" else "")
    if name == "numpy.random.":
        return "np.random.*"
    return {"numpy": f"np.{rest}", "builtins": rest}.get(head, name)


OPERATORS = {
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "truediv": "a / b",
    "floordiv": "a // b",
    "mod": "a % b",
    "pow": "a ** b",
    "matmul": "a @ b",
    "neg": "-a",
    "pos": "+a",
    "invert": "~a",
    "and_": "a & b",
    "or_": "a | b",
    "xor": "a ^ b",
    "lshift": "a << b",
    "rshift": "a >> b",
    "not_": "not a",
    "getitem": "a[i]",
}


def _summary() -> str:
    counts: dict[str, int] = {}
    for rule in table().values():
        word = rule.kind if rule.kind in ("constant", "unsupported") else "derivative"
        counts[word] = counts.get(word, 0) + 1
    return (
        f"{counts['derivative']} names have a derivative, {counts['constant']} have none by nature, "
        f"{counts['unsupported']} are refused with a reason, {len(STRUCTURAL)} are taken apart by the engine.\n"
    )


def _file(rule: Rule) -> str:
    return Path(rule.file).stem


def _order(file: str) -> int:
    return list(TITLES).index(file) if file in TITLES else len(TITLES)


def _section(rules: list[Rule]) -> str:
    if all(r.kind == "constant" for r in rules):
        return ", ".join(f"`{short(n)}`" for r in rules for n in r.names) + ".\n"
    rows = ["| function | derivative | not smooth |", "| --- | --- | --- |"]
    rows += [_row(r) for r in rules]
    return "\n".join(rows) + "\n"


def _row(rule: Rule) -> str:
    names = "<br>".join(f"`{_cell(short(n))}`" for n in rule.names)
    return f"| {names} | {_derivative(rule)} | {_cell(rule.kink)} |"


def _derivative(rule: Rule) -> str:
    if rule.kind == "constant":
        return "none: constant almost everywhere"
    if rule.kind == "unsupported":
        return _cell(rule.reason)
    word = "∂y/∂{}" if rule.kind == "elementwise" else "{}_bar"
    lines = [f"{word.format(p)} = `{_cell(text)}`" for p, text in rule.reverse.items()]
    if rule.results:
        lines.append("results: " + ", ".join(f"`{r.partition(':')[0]}`" for r in rule.results))
    if rule.refused:
        why = f": {_cell(rule.because)}" if rule.because else ""
        lines.append(f"none in {', '.join(f'`{p}`' for p in rule.refused)}{why}")
    if rule.source:
        lines.append(f"({_cell(rule.source)})")
    return "<br>".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(argv: list[str]) -> None:
    """Writes the page."""
    target = Path(argv[0]) if argv else Path("docs/rules.md")
    target.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
