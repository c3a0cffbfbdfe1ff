"""Functions that people have published, differentiated as they stand and held against finite differences.

python -m tests.fuzz.real_code [--functions 30] [--refusals] [--record] scipy numpy …

A function of an installed package is tried where its text shows nothing but arithmetic in its reach: arguments
are invented for it (numbers, vectors, matrices), and where it gives floating numbers that depend on them, its
derivative is made from its file's text and run in its module. Each module has a process of its own, with a
time limit, since this runs what it finds: for packages that one trusts.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib
import inspect
import itertools
import multiprocessing
import random
import re
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from typing import Any

import numpy as np

from pullback.derive import derive
from tests.fuzz.oracle import difference_along, drawn, outputs_of, paired
from tests.fuzz.tried import folder_of, packages, record, table

# what no function of numbers needs
_EFFECTS = re.compile(
    r"\b(open|os|sys|subprocess|shutil|pathlib|random|time|socket|urllib|print|input|eval|exec"
    r"|global|yield|await|warnings?|tempfile|threading|ctypes)\b"
)
WRONG = ("wrong", "raised")
SECONDS = 2  # for one run of a function that nobody knows
_NUMBER, _COUNT = 0.6, 2
_VECTOR = np.array([0.7, 1.3, 0.4])
_MATRIX = np.array([[2.1, 0.3, 0.5], [0.2, 1.7, 0.4], [0.6, 0.1, 1.9]])
_INVENTED: tuple[Any, ...] = (_NUMBER, _VECTOR, _MATRIX, _COUNT)


@dataclass(frozen=True)
class Found:
    """`kind` is "right", "refused", "wrong" or "raised"; `detail` a code, or what differs; `message` the refusal's."""

    module: str
    name: str
    kind: str
    detail: str = ""
    message: str = ""


def main() -> int:
    options = _options()
    found: list[Found] = []
    for package in options.packages:
        importlib.import_module(package)  # once, and not in each process again
        of_package: list[Found] = []
        for module in modules_of(package):
            of_package += _in_process(module)
            if len(of_package) >= options.functions:
                break
        for f in of_package:
            if f.kind in WRONG or (options.refusals and f.kind == "refused"):
                print(f"{f.kind}: {f.module}.{f.name}: {f.detail} {f.message}", flush=True)
        found += of_package
        print(tabulated(of_package), flush=True)
    text = f"{packages(options.packages)}\n\n{tabulated(found)}"
    print(text)
    if options.record:
        record("functions", text)
    return 1 if any(f.kind in WRONG for f in found) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Differentiate what packages hold.")
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--functions", type=int, default=30, help="of each package, about")
    parser.add_argument("--refusals", action="store_true", help="print what was refused, and why")
    parser.add_argument("--record", action="store_true", help="put the table into docs/tried.md")
    return parser.parse_args()


def tabulated(found: list[Found]) -> str:
    """The shares by package, and what was refused for."""
    names = list(dict.fromkeys(f.module.partition(".")[0] for f in found))
    rows = []
    for package in (*names, "all") if len(names) > 1 else names:
        of = [f for f in found if package in ("all", f.module.partition(".")[0])]
        counts = Counter(f.kind for f in of)
        wrong = sum(counts[kind] for kind in WRONG)
        rows.append([package, *map(str, (len(of), counts["right"], counts["refused"], wrong))])
    codes = Counter(f.detail for f in found if f.kind == "refused")
    said = ", ".join(f"{code} {n}" for code, n in codes.most_common())
    heads = ("package", "functions", "right", "refused", "wrong")
    return f"{table(heads, rows)}\n\nRefused for: {said or 'nothing'}."


# --- what is tried ---------------------------------------------------------------------------------


def modules_of(package: str) -> list[str]:
    """The modules of a package that hold candidates, tests left out, from here and there: always in one order."""
    top = folder_of(package)
    names = []
    for path in sorted(top.rglob("*.py")):
        parts = (package, *path.relative_to(top).with_suffix("").parts)
        left_out = any(p.startswith(("test", "conftest", "setup", "__main__")) for p in parts)
        if not left_out and any(candidates(path.read_text(encoding="utf-8"))):
            names.append(".".join(parts).removesuffix(".__init__"))
    random.Random(0).shuffle(names)
    return names


def candidates(text: str) -> Iterator[tuple[str, int]]:
    """The functions of a module's text that may be functions of numbers, with their required arguments."""
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef) or node.decorator_list:
            continue
        a = node.args
        required = len(a.posonlyargs) + len(a.args) - len(a.defaults)
        plain = a.vararg is None and not any(d is None for d in a.kw_defaults)
        returns = any(isinstance(n, ast.Return) and n.value for n in ast.walk(node))
        body = ast.unparse(node)
        if plain and returns and 1 <= required <= 4 and not _EFFECTS.search(body):
            yield node.name, required


def _in_process(module: str) -> list[Found]:
    """What is found in one module; what it found so far where it hangs or breaks the interpreter."""
    context = multiprocessing.get_context("fork")
    queue: Any = context.Queue()
    process = context.Process(target=_judge_module, args=(module, queue), daemon=True)
    process.start()
    found: list[Found] = []
    while True:
        try:
            got = queue.get(timeout=60)
        except Empty:
            break
        if got is None:
            break
        found.append(got)
    process.kill()
    process.join()
    return found


def _judge_module(name: str, queue: Any) -> None:
    with contextlib.suppress(BaseException), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        module = importlib.import_module(name)
        path = inspect.getsourcefile(module)
        assert path is not None
        text = Path(path).read_text(encoding="utf-8")
        for function, required in candidates(text):
            got = _judge(module, text, path, function, required)
            if got is not None:
                queue.put(Found(name, function, *got))
    queue.put(None)


# --- one function ----------------------------------------------------------------------------------


def _judge(module: Any, text: str, path: str, name: str, required: int) -> tuple[str, ...] | None:
    f = getattr(module, name, None)
    args = None if f is None else _arguments(f, required)
    if f is None or args is None:
        return None
    names = list(inspect.signature(f).parameters)
    wrt = tuple(n for n, a in zip(names, args) if not isinstance(a, int))
    derived = derive(text, name, "vjp", wrt, path=path)
    if derived.source is None:
        refusals = [d for d in derived.diagnostics if d.severity == "error"]
        if not refusals:
            return "wrong", "refused without a word"
        return "refused", refusals[0].code, refusals[0].message
    space = dict(vars(module))
    exec(compile(derived.source, "<derivative>", "exec"), space)
    return _compared(f, _limited(space[derived.name]), args)


def _arguments(f: Callable[..., Any], required: int) -> tuple[Any, ...] | None:
    """The first invented arguments at which f is a smooth function of them, and always the same."""
    choices = sorted(
        itertools.product(_INVENTED, repeat=required),
        key=lambda args: len({type(a) for a in args}) + sum(isinstance(a, int) for a in args),
    )
    for chosen in choices[:40]:
        if all(isinstance(a, int) for a in chosen):
            continue
        # no two alike: where arguments are equal, branches that nothing near them takes may be taken
        args = tuple(a if isinstance(a, int) else a + 0.13 * k for k, a in enumerate(chosen))
        one, two = _value(f, args), _value(f, args)
        if one is None or two is None or not _alike(one, two):
            continue
        if _moves(f, args):
            return args
    return None


def _value(f: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What f gives where that is floating numbers; None otherwise."""
    try:
        value = _limited(f)(*copy.deepcopy(args))
    except Exception:
        return None
    kinds = (float, np.floating, np.ndarray)
    parts = outputs_of(value)
    if not parts or not all(isinstance(v, kinds) for v in parts):
        return None
    arrays = [np.asarray(v) for v in parts]
    usable = all(v.dtype == float and np.all(np.isfinite(v)) for v in arrays)
    return value if usable and all(np.max(np.abs(v), initial=0) < 1e6 for v in arrays) else None


def _alike(one: Any, two: Any) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(outputs_of(one), outputs_of(two), strict=True))


def _moves(f: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    moved = tuple(a if isinstance(a, int) else a * 1.01 + 0.003 for a in args)
    there = _value(f, moved)
    here = _value(f, args)
    if there is None or here is None or len(outputs_of(here)) != len(outputs_of(there)):
        return False
    pairs = list(zip(outputs_of(here), outputs_of(there)))
    return all(np.shape(a) == np.shape(b) for a, b in pairs) and not _alike(here, there)


def _compared(
    f: Callable[..., Any], made: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[str, str] | None:
    """The verdict; None where f has no derivative at `args`."""
    rng = np.random.default_rng(0)
    value = f(*copy.deepcopy(args))
    seeds = [drawn(rng, v) for v in outputs_of(value)]
    where = [k for k, a in enumerate(args) if not isinstance(a, int)]

    def phi(direction: list[Any], step: float) -> float:
        moved = list(copy.deepcopy(args))
        for k, d in zip(where, direction):
            moved[k] = args[k] + step * d
        return sum(paired(s, v) for s, v in zip(seeds, outputs_of(f(*moved))))

    directions = [[drawn(rng, args[k]) for k in where] for _ in range(2)]
    slopes = [difference_along(phi, d) for d in directions]
    if any(slope is None for slope in slopes):
        return None
    try:
        got = _called(f, made, args, tuple(seeds) if isinstance(value, tuple) else seeds[0])
    except Exception as e:
        return "raised", f"{type(e).__name__}: {e}"
    bars = got if len(where) > 1 else (got,)
    for direction, slope in zip(directions, slopes):
        mine = sum(paired(b, d) for b, d in zip(bars, direction))
        if slope is not None and not abs(mine - slope) <= 1e-4 * (1 + abs(slope)):
            return "wrong", f"derivative {mine:.8g}, differences {slope:.8g} at {args!r}"
    return "right", ""


def _called(
    f: Callable[..., Any], made: Callable[..., Any], args: tuple[Any, ...], seed: Any
) -> Any:
    """What the vjp gives: its parameters have no defaults, and its seed is a keyword where f has some."""
    bound = inspect.signature(f).bind(*copy.deepcopy(args))
    bound.apply_defaults()
    if bound.kwargs:
        return made(*bound.args, **bound.kwargs, **{f"{f.__name__}_bar": seed})
    return made(*bound.args, seed)


def _limited(f: Callable[..., Any]) -> Callable[..., Any]:
    """f, stopped after a time."""

    def run(*args: Any, **options: Any) -> Any:
        signal.signal(signal.SIGALRM, _late)
        signal.alarm(SECONDS)
        try:
            return f(*args, **options)
        finally:
            signal.alarm(0)

    return run


def _late(*_: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    raise SystemExit(main())
