"""The one grammar of `# pullback:` comments, and of shapes wherever the user writes them.

    x: (n, d), w: (d,), k: float, n: int     shapes and kinds of parameters and variables
    differentiable                           this function is to be differentiated: report in full
    differentiable wrt x, w                  … with respect to these
    ignore[PB201, PB304]                     hide these reports on this line; `ignore` hides all
    stop                                     nothing flows back through this statement
    stop x, y                                … through these of its variables
    straight-through                         this statement's derivative is taken as the identity
    checkpoint                               recompute this loop instead of storing it
    checkpoint every=16                      … keeping every 16th state
    checkpoint snapshots=16                  … keeping no more than 16 states at a time
    implicit                                 differentiate this loop as the solution that it finds
    example np.ones(3), 0.5                  arguments at which the function can be run
    insert h: h_bar = np.clip(h_bar, -1, 1)  put code into the backward pass where h_bar is complete

Annotations in jaxtyping's notation (`Float[np.ndarray, "n d"]`) give the same `Shape`.

May not know: functions, the IR beyond its Span, what a pragma does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..ir import Span
from .header import Header, is_header, parse_header

Dim = int | str  # a number, a name, an expression such as "n + 1", or "..." for any number of them
SCALARS = ("float", "int", "bool", "complex", "str")


@dataclass(frozen=True)
class Shape:
    """What a comment or annotation says about a value.

    `kind` is "array", one of SCALARS, or "any"; `dims` is None where the shape is not said; `dtype` is
    "float", "float32", "int", "bool", "complex" or "" where it is not said.
    """

    kind: str = "array"
    dims: tuple[Dim, ...] | None = None
    dtype: str = ""


@dataclass(frozen=True)
class Pragma:
    """One comment as data. `kind` is the first word of the table above, or "shapes"."""

    kind: str
    shapes: tuple[tuple[str, Shape], ...] = ()
    names: tuple[str, ...] = ()  # differentiable wrt, stop, insert
    codes: tuple[str, ...] = ()  # ignore; empty means all
    options: tuple[tuple[str, str], ...] = ()  # checkpoint, implicit
    text: str = ""  # example, insert
    span: Span | None = None


@dataclass(frozen=True)
class PragmaError:
    """A comment that is none of the grammar's: what is wrong and what to write."""

    message: str
    span: Span | None = None


_NAME = re.compile(r"[^\W\d]\w*")
_ENTRY = re.compile(r"\s*([^\W\d]\w*)\s*:\s*")
_CODE = re.compile(r"PB\d{1,3}")
_OPTION = re.compile(r"([^\W\d]\w*)=(\S+)")
_DIM = re.compile(r"[\w.+\-*/ ]+")
_WORDS = (
    "differentiable", "ignore", "stop", "straight-through", "checkpoint", "implicit", "example",
    "insert",
)  # fmt: skip
_FIRST = re.compile(r"(straight-through|[^\W\d]\w*)(?![\w-])\s*")


def parse_pragma(said: str, span: Span | None = None) -> Pragma | Header | PragmaError:
    """The meaning of the text after `pullback:`."""
    said = said.strip()
    if is_header(said):
        return parse_header(said) or PragmaError(
            "this is no header that Pullback writes: it reads `KIND of FUNCTION wrt a, b "
            "[digest digest]`; generate the function again",
            span,
        )
    first = _FIRST.match(said)
    if first is not None and first[1] in _WORDS and not said[first.end() :].startswith(":"):
        return _by_word(first[1], said[first.end() :].strip(), span)
    if _ENTRY.match(said):
        return _shapes(said, span)
    word = said.split()[0] if said else ""
    return PragmaError(f"`{word}` is no `# pullback:` comment; it is one of {_known()}", span)


def parse_all(
    pragmas: Iterable[tuple[str, Span]],
) -> tuple[tuple[Pragma, ...], tuple[Header, ...], tuple[PragmaError, ...]]:
    """A function's raw comments (`ir.Function.pragmas`), sorted by what they turned out to be."""
    parsed = [parse_pragma(said, span) for said, span in pragmas]
    return (
        tuple(p for p in parsed if isinstance(p, Pragma)),
        tuple(p for p in parsed if isinstance(p, Header)),
        tuple(p for p in parsed if isinstance(p, PragmaError)),
    )


def closest(word: str) -> str | None:
    """The word of the grammar that a misspelt one is close to."""
    from difflib import get_close_matches  # few comments are misspelt

    return next(iter(get_close_matches(word, _WORDS, 1)), None)


def _known() -> str:
    return ", ".join(f"`{w}`" for w in ("x: (n, d)", *_WORDS))


def _by_word(word: str, rest: str, span: Span | None) -> Pragma | PragmaError:
    if word == "ignore":
        return _ignore(rest, span)
    if word == "example":
        if rest:
            return Pragma(word, text=rest, span=span)
        return PragmaError("`example` needs arguments: `example np.ones(3), 0.5`", span)
    if word == "insert":
        return _insert(rest, span)
    if word in ("checkpoint", "implicit"):
        return _options(word, rest, span)
    if word == "straight-through":
        return Pragma(word, span=span) if not rest else _excess(word, rest, span)
    if word == "differentiable" and rest:
        if not re.match(r"wrt\s", rest):
            return _excess(word, rest, span)
        rest = rest[3:].strip()
    names = _names(rest)
    return _excess(word, rest, span) if names is None else Pragma(word, names=names, span=span)


def _excess(word: str, rest: str, span: Span | None) -> PragmaError:
    return PragmaError(f"`{rest}` after `{word}` is not understood; remove it", span)


def _names(text: str) -> tuple[str, ...] | None:
    parts = [p.strip() for p in text.split(",")] if text else []
    return tuple(parts) if all(_NAME.fullmatch(p) for p in parts) else None


def _ignore(rest: str, span: Span | None) -> Pragma | PragmaError:
    if not rest:
        return Pragma("ignore", span=span)
    codes = [c.strip() for c in rest[1:-1].split(",")]
    if rest[0] != "[" or rest[-1] != "]" or not all(_CODE.fullmatch(c) for c in codes):
        return PragmaError("`ignore` takes codes in brackets: `ignore[PB201, PB304]`", span)
    return Pragma("ignore", codes=tuple(codes), span=span)


def _insert(rest: str, span: Span | None) -> Pragma | PragmaError:
    entry = _ENTRY.match(rest)
    if entry is None or not rest[entry.end() :].strip():
        return PragmaError("`insert` needs a variable and code: `insert h: h_bar = …`", span)
    return Pragma("insert", names=(entry[1],), text=rest[entry.end() :].strip(), span=span)


def _options(word: str, rest: str, span: Span | None) -> Pragma | PragmaError:
    found = [_OPTION.fullmatch(part) for part in rest.split()]
    options = tuple((m[1], m[2]) for m in found if m is not None)
    if len(options) < len(found):
        return PragmaError(f"`{word}` takes options as name=value, not `{rest}`", span)
    return Pragma(word, options=options, span=span)


# --- shapes --------------------------------------------------------------------------------------


def _shapes(said: str, span: Span | None) -> Pragma | PragmaError:
    shapes: list[tuple[str, Shape]] = []
    for piece in _pieces(said):
        entry = _ENTRY.match(piece)
        if entry is None:
            return PragmaError(f"`{piece.strip()}` is no shape; write `name: (n, d)`", span)
        value = piece[entry.end() :].strip()
        shape = parse_shape(value)
        if shape is None:
            return PragmaError(
                f"the shape `{value}` of `{entry[1]}` is not understood; write `(n, d)`, `(n,)`, "
                "`()`, `float`, `int`, `bool` or `complex`",
                span,
            )
        shapes.append((entry[1], shape))
    return Pragma("shapes", shapes=tuple(shapes), span=span)


def _pieces(text: str) -> list[str]:
    """`text` cut at commas outside of brackets and quotes; a last empty piece is dropped."""
    out, depth, begin, quote = [], 0, 0, ""
    for at, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            out.append(text[begin:at])
            begin = at + 1
    if text[begin:].strip():
        out.append(text[begin:])
    return out


def parse_shape(text: str) -> Shape | None:
    """`(n, d)`, `(n,)`, `()`, `float` …, or an annotation; None where it is neither."""
    text = text.strip()
    if text in SCALARS:
        return Shape(text, (), "" if text == "str" else text)
    if not (text.startswith("(") and text.endswith(")")):
        return parse_annotation(text)
    dims = [_dim(p) for p in _pieces(text[1:-1])]
    known = tuple(d for d in dims if d is not None)
    return Shape("array", known) if len(known) == len(dims) else None


def _dim(text: str) -> Dim | None:
    text = text.strip()
    if text.isascii() and text.isdigit():
        return int(text)
    if text == "..." or _NAME.fullmatch(text):
        return text
    whole = _DIM.fullmatch(text) is not None and text[:1] not in "+*/." and text[-1:] not in "+-*/."
    return " ".join(text.split()) if text and whole else None


# --- annotations ---------------------------------------------------------------------------------

_JAXTYPING = re.compile(
    r"(?:\w+\.)*([A-Z]\w*)\s*\[\s*([^,\[\]]+?)\s*,\s*[rf]?([\"'])(.*)\3\s*\]", re.S
)
_DTYPES = {
    "Float": "float", "Float32": "float32", "Float64": "float", "Float16": "float16", "Real": "",
    "Inexact": "", "Num": "", "Shaped": "", "Int": "int", "Integer": "int", "UInt": "int",
    "Int8": "int", "Int16": "int", "Int32": "int", "Int64": "int", "UInt8": "int", "UInt16": "int",
    "UInt32": "int", "UInt64": "int", "Bool": "bool", "Complex": "complex", "Complex64": "complex64",
    "Complex128": "complex",
}  # fmt: skip
_ARRAY = re.compile(r"(?:\w+\.)*(?:ndarray|NDArray|ArrayLike)\b\s*(?:\[(.*)\])?", re.S)
_ELEMENT = re.compile(r"\b(float32|float64|float16|int\d+|uint\d+|bool_?|complex64|complex128)\b")
_NUMPY_SCALAR = re.compile(r"(?:np|numpy)\.(float32|float64|float16|int\d+|intp|bool_|complex128)")


def parse_annotation(text: str) -> Shape | None:
    """What an annotation says about a value; None where it says nothing about numbers or arrays."""
    text = _unquoted(text.strip())
    if text in SCALARS:
        return Shape(text, (), "" if text == "str" else text)
    found = _JAXTYPING.fullmatch(text)
    if found is not None and found[1] in _DTYPES:
        dims = _jax_dims(found[4])
        return None if dims is None else Shape("array", dims, _DTYPES[found[1]])
    array = _ARRAY.fullmatch(text)
    if array is not None:
        element = _ELEMENT.search(array[1] or "")
        # ArrayLike takes numbers and lists too, so it does not say that this is an array
        kind = "any" if "ArrayLike" in text else "array"
        return Shape(kind, None, _element(element[1]) if element else "")
    scalar = _NUMPY_SCALAR.fullmatch(text)
    if scalar is not None:
        dtype = _element(scalar[1])
        return Shape("float" if dtype.startswith("float") else dtype, (), dtype)
    return None


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] in "\"'" and text[-1] == text[0] and text[0] not in text[1:-1]:
        return text[1:-1].strip()
    return text


def _element(name: str) -> str:
    if name in ("float32", "float16", "complex64"):
        return name
    for kind in ("float", "uint", "int", "bool", "complex"):
        if name.startswith(kind):
            return "int" if kind == "uint" else kind
    return ""


def _jax_dims(text: str) -> tuple[Dim, ...] | None:
    """The axes of a jaxtyping string: names, numbers, `...`, `*batch` (any number), `_`, `a=3`, `n+1`."""
    dims: list[Dim] = []
    for word in text.split():
        if word == "..." or word.startswith("*") or "*" in word[:2]:
            dims.append("...")
            continue
        name, _, size = word.lstrip("#_?").partition("=")
        if word.startswith("#"):
            return None  # may be broadcast: says nothing about the size
        dim = _dim(size or name) if (size or name) else "_"
        if dim is None:
            return None
        dims.append(dim)
    return tuple(dims) if dims.count("...") < 2 else None
