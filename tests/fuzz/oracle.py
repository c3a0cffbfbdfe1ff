"""Whether the derivative of a program is right: central differences along random directions.

judge(program)   a Verdict: "right", "refused" (with its code), "wrong" (with what differs), or
                 "unsuited" where the program itself does not run or has no derivative there
"""

from __future__ import annotations

import builtins
import copy
import inspect
import re
import symtable
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pullback.derive import Derived, derive
from tests.core.differences import returning, run_text
from tests.fuzz.programs import Program

STEPS = (2e-5, 1e-5)
Values = list[Any]


@dataclass(frozen=True)
class Verdict:
    """`kind` is said above; `detail` is a code or what differs; `text` is the derivative's source."""

    kind: str
    detail: str = ""
    text: str = ""

    @property
    def signature(self) -> tuple[str, str]:
        """What two findings of one cause have in common, roughly."""
        head = self.detail.split(":")[0]
        return self.kind, "value" if head.startswith("value") else head


class Finding(Exception):
    """Something is wrong with a derivative: its message says what."""


class Guarded(Exception):
    """The derivative itself says that there is none at these arguments."""


GUARDS = ("stores an element twice", "does not return a scalar")


def judge(
    p: Program, kind: str = "vjp", *, twice: bool = True, made: Derived | None = None
) -> Verdict:
    """The derivative of `kind` of `p.source`'s function f with respect to all of `p.wrt`, or `made`.

    A jvp is held against finite differences, and against the vjp where there is one.
    """
    plain = run_module(p.source)
    value = _called(plain, p.args)
    if value is None:
        return Verdict("unsuited", "it does not run")
    derived = made or derive(p.source, "f", kind, _asked(p), modules={})
    if derived.source is None:
        code = derived.diagnostics[0].code if derived.diagnostics else "none"
        said = derived.diagnostics[0].message if derived.diagnostics else "refused without a word"
        broken = code in ("PB001", "PB002", "none")
        return Verdict("wrong", f"internal {said}") if broken else Verdict("refused", code)
    try:
        if twice and derive(p.source, "f", kind, _asked(p), modules={}) != derived:
            raise Finding("text differs: the second derivation is not the first")
        _check_text(p, derived)
        check = _check_tangents if kind == "jvp" else _check_values
        smooth = check(p, plain, derived, value, kind)
        if smooth and twice and kind != "jvp":
            _check_dtypes(p, plain, derived, kind)
    except Guarded:
        return Verdict("refused", "at run time")
    except Finding as found:
        return Verdict("wrong", str(found), derived.source)
    return Verdict("right" if smooth else "unsuited", "" if smooth else "a kink", derived.source)


def run_module(text: str) -> dict[str, Any]:
    """What a module's text defines; an f that returns nothing gives what it writes into its parameters."""
    space = run_text(text, {})
    space["f"] = returning(space["f"], text)
    return space


def _called(space: dict[str, Any], args: tuple[Any, ...]) -> Any:
    """What f returns, None where it raises or overflows."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = space["f"](*copy.deepcopy(args))
    except Exception:
        return None
    flat = np.concatenate([np.ravel(v) for v in outputs_of(value)])
    return value if np.all(np.isfinite(flat)) and np.max(np.abs(flat), initial=0) < 1e4 else None


def outputs_of(value: Any) -> Values:
    return list(value) if isinstance(value, tuple) else [value]


# --- the text ------------------------------------------------------------------------------------


def _check_text(p: Program, derived: Derived) -> None:
    assert derived.source is not None
    whole = p.source + "\n\n" + derived.source
    try:
        compile(whole, "<derivative>", "exec")
    except SyntaxError as e:
        raise Finding(f"syntax: {e}") from None
    if len(derived.source_map) != len(derived.source.splitlines()):
        raise Finding("source map: it has not one entry a line")
    new = sorted(_undefined(whole) - _undefined(p.source))
    if new:
        raise Finding(f"undefined: {', '.join(new)}")


def _undefined(text: str) -> set[str]:
    """Names that functions of a module read and nobody binds."""
    table = symtable.symtable(text, "<derivative>", "exec")
    known = set(table.get_identifiers()) | set(dir(builtins))
    symbols = [s for t in table.get_children() for s in t.get_symbols() if s.is_global()]
    return {s.get_name() for s in symbols} - known


# --- the values ----------------------------------------------------------------------------------


def _check_values(
    p: Program, plain: dict[str, Any], derived: Derived, value: Any, kind: str
) -> bool:
    """Raises Finding where the derivative is wrong; False where there is none (a kink)."""
    rng = np.random.default_rng(0)
    seeds = [drawn(rng, v) for v in outputs_of(value)]
    if kind != "vjp":
        seeds = [1.0]
    got = _cotangents(p, derived, tuple(seeds), value, kind)
    names = _parameter_names(plain)
    where = [names.index(w) for w in p.wrt]
    _check_results(p, where, got, seeds)
    phi = _objective(plain, p, where, seeds)
    for trial in range(3):
        direction = [drawn(rng, p.args[k]) for k in where]
        reference = difference_along(phi, direction)
        if reference is None:
            return False
        mine = sum(paired(g, d) for g, d in zip(got, direction))
        if not abs(mine - reference) <= 1e-5 * (1 + abs(reference)):
            parts = _parts(phi, got, direction, p.wrt)
            raise Finding(f"value {parts}: derivative {mine:.8g}, differences {reference:.8g}")
    return True


def drawn(rng: np.random.Generator, like: Any) -> Any:
    """A random number or array of the shape of `like`, complex where that is."""
    drawn: Any = rng.normal(size=np.shape(like))
    if np.iscomplexobj(like):
        drawn = drawn + 1j * rng.normal(size=np.shape(like))
    return drawn if np.ndim(like) else np.asarray(drawn).item()


def paired(bar: Any, dot: Any) -> float:
    """What a cotangent makes of a tangent: the real part of conj(bar) * dot; None is that of no float."""
    if dot is None:
        return 0.0
    return float(np.sum(np.multiply(np.conj(bar), dot)).real)


def _check_tangents(
    p: Program, plain: dict[str, Any], derived: Derived, value: Any, kind: str
) -> bool:
    """Raises Finding where the tangent is wrong; False where there is none (a kink)."""
    rng = np.random.default_rng(0)
    weights = [drawn(rng, v) for v in outputs_of(value)]
    names = _parameter_names(plain)
    where = [names.index(w) for w in p.wrt]
    phi = _objective(plain, p, where, weights)
    back = derive(p.source, "f", "vjp", _asked(p), modules={})
    for trial in range(3):
        direction = [drawn(rng, p.args[k]) for k in where]
        reference = difference_along(phi, direction)
        if reference is None:
            return False
        dots = _tangents(p, derived, direction, value)
        mine = sum(paired(w, d) for w, d in zip(weights, dots))
        if not abs(mine - reference) <= 1e-5 * (1 + abs(reference)):
            raise Finding(f"value: tangent {mine:.8g}, differences {reference:.8g}")
        if back.source is not None:
            bars = _cotangents(p, back, tuple(weights), value, "vjp")
            other = sum(paired(b, d) for b, d in zip(bars, direction))
            if not abs(mine - other) <= 1e-9 * (1 + abs(other)):
                raise Finding(f"value: tangent {mine:.12g}, by the vjp {other:.12g}")
    return True


def _tangents(p: Program, derived: Derived, direction: Values, value: Any) -> Values:
    """The tangents of the outputs; raises Finding where the jvp breaks a promise."""
    args, seeds = copy.deepcopy(p.args), copy.deepcopy(direction)
    got, dots = _run(p, derived, (*args, *seeds))
    if not all(np.array_equal(a, b) for a, b in zip((*p.args, *direction), (*args, *seeds))):
        raise Finding("arguments changed: an argument or a seed is written")
    if isinstance(value, tuple) and not (isinstance(got, tuple) and isinstance(dots, tuple)):
        raise Finding("outputs: not a tuple")
    given, out = outputs_of(got), outputs_of(dots)
    if len(out) != len(outputs_of(value)):
        raise Finding(f"outputs: {len(out)} tangents of {len(outputs_of(value))}")
    for k, (v, g, d) in enumerate(zip(outputs_of(value), given, out)):
        if not np.allclose(v, g, rtol=1e-12, atol=1e-12):
            raise Finding(f"value of output {k}: {g} is not {v}")
        if np.asarray(v).dtype.kind not in "fc":
            if d is not None:
                raise Finding(f"tangent {k}: {d} of an output that is not floating")
            continue
        if np.shape(d) != np.shape(v):
            raise Finding(f"shape of tangent {k}: {np.shape(d)} for {np.shape(v)}")
        if np.asarray(d).dtype.kind != ("c" if np.iscomplexobj(v) else "f"):
            raise Finding(f"dtype of tangent {k}: {np.asarray(d).dtype}")
    _check_memory([*given, *out] if _apart(value) else out, [*args, *seeds])
    return out


def _apart(value: Any) -> bool:
    """Whether the outputs of the function itself share no memory with each other."""
    arrays = [v for v in outputs_of(value) if isinstance(v, np.ndarray)]
    pairs = [(a, b) for k, a in enumerate(arrays) for b in arrays[:k]]
    return not any(np.shares_memory(a, b) for a, b in pairs)


def _check_dtypes(p: Program, plain: dict[str, Any], derived: Derived, kind: str) -> None:
    """Single precision stays single; whole numbers have the derivatives of the floats that they are."""
    for dtype in (np.float32, np.int64):
        base = tuple(np.round(2 * a) if dtype is np.int64 and _real(a) else a for a in p.args)
        args = tuple(a.astype(dtype) if _real(a) else a for a in base)
        value, double = _called(plain, args), _called(plain, base)
        if value is None or double is None or not _close(value, double, 1e-4):
            continue
        whole = dtype is np.int64
        if whole and _STORED.search(p.source):
            continue
        if not whole and (_MIXED.search(p.source) or any(isinstance(a, float) for a in args)):
            continue
        if not whole and any(getattr(v, "dtype", None) != dtype for v in outputs_of(value)):
            continue
        kinds = [float if whole else getattr(v, "dtype", float) for v in outputs_of(value)]
        seeds = tuple(np.ones(np.shape(v), k)[()] for v, k in zip(outputs_of(value), kinds))
        got = _cotangents(replace(p, args=args), derived, seeds, value, kind)
        wanted = _cotangents(replace(p, args=base), derived, seeds, double, kind)
        for name, arg, g, w in zip(p.wrt, _wrt_args(p, plain, args), got, wanted):
            made = np.asarray(g).dtype
            if whole and np.ndim(g) and made.kind not in "fc":
                raise Finding(f"dtype of whole {name}_bar: {made}")
            if not whole and isinstance(arg, np.ndarray) and made != dtype:
                raise Finding(f"dtype of single {name}_bar: {made}")
            if not _close(g, w, 1e-3):
                raise Finding(f"value at {dtype.__name__} {name}: {g} is not {w}")


_STORED = re.compile(
    r"\] [-+*/]?= |out=|\.(fill|put|sort|partition|__\w+__)\(|np\.(copyto|put|place)"
)
# What makes double precision of single, so that nothing can be said of the adjoints in between.
_MIXED = re.compile(r"np\.(ones|zeros|full|eye|array|arange|linspace)\(|\] [-+*/]?= |np\.\w+\(-?\d")


def _wrt_args(p: Program, plain: dict[str, Any], args: tuple[Any, ...]) -> Values:
    names = _parameter_names(plain)
    return [args[names.index(w)] for w in p.wrt]


def _real(a: Any) -> bool:
    return isinstance(a, np.ndarray) and a.dtype == float


def _close(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, tuple):
        return all(_close(x, y, tolerance) for x, y in zip(a, b))
    return bool(np.allclose(a, b, tolerance, tolerance))


def _parts(
    phi: Callable[[Values, float], float], got: Values, direction: Values, wrt: tuple[str, ...]
) -> str:
    """The parameters whose cotangents are wrong."""
    out = []
    for k, name in enumerate(wrt):
        alone = [d if j == k else d * 0.0 for j, d in enumerate(direction)]
        reference = difference_along(phi, alone)
        mine = paired(got[k], direction[k])
        if reference is None or abs(mine - reference) > 1e-5 * (1 + abs(reference)):
            out.append(name)
    return "of " + ", ".join(out or ["?"])


def _parameter_names(space: dict[str, Any]) -> list[str]:
    return list(inspect.signature(space["f"]).parameters)


def _cotangents(
    p: Program, derived: Derived, seeds: tuple[Any, ...], value: Any, kind: str
) -> Values:
    args = copy.deepcopy(p.args)
    given: tuple[Any, ...] = ()
    if kind == "vjp":
        given = (copy.deepcopy(seeds) if isinstance(value, tuple) else copy.deepcopy(seeds[0]),)
    result = _run(p, derived, (*args, *given))
    for before, after in zip(p.args, args):
        if not np.array_equal(before, after):
            raise Finding("arguments changed: an argument is written")
    if given and not _same(given[0], seeds if isinstance(value, tuple) else seeds[0]):
        raise Finding("seed changed: the seed is written")
    if kind == "value_and_grad":
        if not np.allclose(result[0], value):
            raise Finding("value: it is not the function's")
        result = result[1]
    out = list(result) if len(p.wrt) > 1 else [result]
    _check_memory(out, [*args, *_leaves(given)])
    return out


def _run(p: Program, derived: Derived, given: tuple[Any, ...]) -> Any:
    """What the derivative gives; what it raises is a Finding."""
    assert derived.source is not None
    space = run_module(p.source + "\n\n" + derived.source)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return space[derived.name](*given)
    except Exception as e:
        if any(g in str(e) for g in GUARDS):
            raise Guarded from None
        line = traceback.extract_tb(e.__traceback__)[-1].lineno
        text = (p.source + "\n\n" + derived.source).splitlines()
        at = text[line - 1].strip() if line and line <= len(text) else ""
        raise Finding(f"{type(e).__name__}: {e} at `{at}`") from None


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return all(_same(x, y) for x, y in zip(a, b))
    return bool(np.array_equal(a, b))


def _leaves(x: Any) -> Values:
    return [leaf for item in x for leaf in _leaves(item)] if isinstance(x, tuple) else [x]


def _check_memory(out: Values, given: Values) -> None:
    arrays = [x for x in given if isinstance(x, np.ndarray)]
    for k, g in enumerate(out):
        if not isinstance(g, np.ndarray):
            continue
        if not g.flags.writeable:
            raise Finding("read-only: a result cannot be written")
        if any(np.shares_memory(g, x) for x in arrays):
            raise Finding("shared: a result shares memory with an argument or the seed")
        if any(np.shares_memory(g, h) for h in out[:k] if isinstance(h, np.ndarray)):
            raise Finding("shared: two results share memory")


def _check_results(p: Program, where: list[int], got: Values, seeds: Values) -> None:
    for name, k, g in zip(p.wrt, where, got):
        if np.shape(g) != np.shape(p.args[k]):
            raise Finding(f"shape of {name}_bar: {np.shape(g)} for {np.shape(p.args[k])}")
        if np.asarray(g).dtype.kind != ("c" if np.iscomplexobj(p.args[k]) else "f"):
            raise Finding(f"dtype of {name}_bar: {np.asarray(g).dtype}")


def _objective(
    plain: dict[str, Any], p: Program, where: list[int], seeds: Values
) -> Callable[[Values, float], float]:
    def phi(direction: Values, step: float) -> float:
        args = list(copy.deepcopy(p.args))
        for k, d in zip(where, direction):
            moved = args[k] + step * d
            args[k] = np.asarray(moved).item() if np.ndim(moved) == 0 else moved
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = plain["f"](*args)
        return sum(paired(s, v) for s, v in zip(seeds, outputs_of(value)))

    return phi


def difference_along(phi: Callable[[Values, float], float], direction: Values) -> float | None:
    """The derivative along a direction; None where two steps, or the two sides, disagree."""
    centre = phi(direction, 0.0)
    found = []
    for h in STEPS:
        ahead, behind = phi(direction, h), phi(direction, -h)
        central = (ahead - behind) / (2 * h)
        lopsided = abs((ahead - centre) / h - (centre - behind) / h)
        if not np.isfinite(central) or lopsided > 1e-2 * (1 + abs(central)):
            return None
        found.append(central)
    return found[1] if abs(found[0] - found[1]) <= 2e-6 * (1 + abs(found[1])) else None


def _asked(p: Program) -> str | tuple[str, ...]:
    return p.wrt if len(p.wrt) > 1 else p.wrt[0]
