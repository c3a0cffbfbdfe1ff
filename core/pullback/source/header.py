"""The line above a generated function that ties it to the function it came from.

    # pullback: grad of logistic_loss wrt w [3f9c01d2 a77b04e1]
    # pullback: vjp of fill in model wrt x, y out=grid [3f9c01d2 a77b04e1]

May not know: how digests are made, what the kinds mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

KINDS = (
    "grad",
    "value_and_grad",
    "vjp",
    "jvp",
    "hvp",
    "jacobian",
    "sparse_jacobian",
    "hessian",
)

_NAME = r"[^\W\d]\w*"
_DOTTED = rf"{_NAME}(?:\.{_NAME})*"
_HEADER = re.compile(
    rf"(?P<kind>[a-z_]+)\s+of\s+(?P<of>{_DOTTED})"
    rf"(?:\s+in\s+(?P<module>\.*{_DOTTED}))?"
    rf"(?:\s+wrt\s+(?P<wrt>\*|{_NAME}(?:\s*,\s*{_NAME})*))?"
    rf"(?P<options>(?:\s+{_NAME}=[^\s\[\]]+)*)"
    r"(?:\s+\[(?P<digests>[^\]]*)\])?\s*"
)
_PLAIN = "()*,.+-/<>=!'\":_"  # what stands in the code of an option as it is
_DIGEST = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True)
class Header:
    """What a header says: `source` is the digest of all it was made from, `body` that of what was made."""

    kind: str
    qualname: str
    module: str = ""
    wrt: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    source: str = ""
    body: str = ""


def is_header_of(
    header: Header, qualname: str, module: str, wrt: tuple[str, ...], out: tuple[str, ...], jit: str
) -> bool:
    """Whether a header is that of a function's derivative of some kind, be it out of date."""
    options = dict(header.options)
    said = (header.qualname, header.module, header.wrt, options.get("out", ""))
    asked = (qualname, module, wrt, ",".join(out))
    return said == asked and options.get("jit", "") == jit


def is_header(said: str) -> bool:
    """Whether the text after `pullback:` is meant as a header, be it well formed or not."""
    words = said.split(None, 2)
    return len(words) >= 2 and words[0] in KINDS and words[1] == "of"


def parse_header(said: str) -> Header | None:
    """The header in the text after `pullback:`, or in the whole comment; None where it is none."""
    said = said.strip()
    if said.startswith("#"):
        said = said[1:].strip().removeprefix("pullback:").strip()
    found = _HEADER.fullmatch(said)
    if found is None or found["kind"] not in KINDS:
        return None
    digests = _digests(found["digests"])
    if digests is None:
        return None
    wrt = tuple(n.strip() for n in (found["wrt"] or "").split(",") if n.strip())
    options = tuple(_option(o) for o in found["options"].split())
    return Header(found["kind"], found["of"], found["module"] or "", wrt, options, *digests)


def format_header(header: Header) -> str:
    """The comment line of a header; `parse_header` gives the same header back."""
    words = [f"# pullback: {header.kind} of {header.qualname}"]
    if header.module:
        words.append(f"in {header.module}")
    if header.wrt:
        words.append(f"wrt {', '.join(header.wrt)}")
    words += [f"{name}={value}" for name, value in header.options]
    if header.source:
        words.append(f"[{' '.join(d for d in (header.source, header.body) if d)}]")
    return " ".join(words)


def _digests(text: str | None) -> tuple[str, str] | None:
    """("", "") where none are given, None where they are malformed."""
    words = (text or "").split()
    if len(words) > 2 or not all(_DIGEST.fullmatch(w) for w in words):
        return None
    first, second = [*words, "", ""][:2]
    return first, second


def _option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


# --- code for the backward pass, which an option holds as a word without spaces and brackets ------


def insert_option(code: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The option that keeps code by variable; none where there is none."""
    parts = [f"{name}:{quote(text, safe=_PLAIN)}" for name, text in code.items()]
    return (("insert", ";".join(parts)),) if parts else ()


def inserted(header: Header) -> dict[str, str]:
    """The code that a header keeps, by variable."""
    said = dict(header.options).get("insert", "")
    parts = (part.partition(":") for part in said.split(";") if part)
    return {name: unquote(text) for name, _, text in parts}
