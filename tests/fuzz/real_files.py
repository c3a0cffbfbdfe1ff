"""Files that people have published, checked as they stand, and some of them with functions asked for.

python -m tests.fuzz.real_files [--every 1] [--asked 20] [--record] scipy numpy …

As they stand nothing is asked for, so whatever is told at full severity is a false alarm. Every twentieth file is
checked again with its first function asked for, where hints on the others are counted (a person who asks for one
derivative is not to be bothered about the rest), and with all of them asked for. Nothing may fail inside, and every
file must come to an end.

Each file has a process of its own, so that the memory is that of one file.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import time
from dataclasses import asdict, dataclass

from pullback import ide
from pullback.check import check_module
from pullback.diagnostics import Diagnostic
from pullback.files import python_files
from pullback.source.module import parse_module
from pullback.source.project import default_modules, read_text
from tests.fuzz.tried import folder_of, packages, record, table

MARK = "# pullback: differentiable\n"
SECONDS = 600  # of computing; what takes longer hangs
INSIDE, BUDGET = "PB002", "PB003"


@dataclass
class Checked:
    """What one file gave; `failed` says why where it gave nothing."""

    lines: int = 0
    alarms: int = 0  # at full severity, as it stands
    hints: int = 0  # as it stands
    asked: int = 0  # lines, where functions were asked for
    hints_asked: int = 0  # with one function asked for
    over: int = 0  # functions over the budget of steps, with all asked for
    seconds: float = 0.0
    megabytes: float = 0.0
    failed: str = ""


def main() -> int:
    options = _options()
    found: dict[str, list[Checked]] = {}
    for package in options.packages:
        found[package] = []
        paths = list(python_files((str(folder_of(package)),)))[:: options.every]
        for number, path in enumerate(paths):
            one = _apart(path, number % options.asked == 0)
            found[package].append(one)
            if one.failed or one.alarms:
                print(f"{path}: {one.failed or f'{one.alarms} alarms'}", flush=True)
        print(tabulated({package: found[package]}), flush=True)
    text = f"{packages(options.packages)}\n\n{tabulated(found)}"
    print(text)
    if options.record:
        record("files", text)
    return 1 if any(c.failed or c.alarms for of in found.values() for c in of) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check what packages hold.")
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="check every so many files only")
    parser.add_argument(
        "--asked", type=int, default=20, help="every so many files, all is asked for"
    )
    parser.add_argument("--record", action="store_true", help="put the table into docs/tried.md")
    return parser.parse_args()


# --- one file --------------------------------------------------------------------------------------


def _apart(path: str, asked: bool) -> Checked:
    """`checked` in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        with os.fdopen(writing, "w") as out:
            json.dump(asdict(_measured(path, asked)), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    if text:
        return Checked(**json.loads(text))
    code = os.waitstatus_to_exitcode(status)
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return Checked(failed=f"ended by {name}")


def _measured(path: str, asked: bool) -> Checked:
    try:
        found = checked(path, asked)
    except Exception as error:
        found = Checked(failed=f"{type(error).__name__}: {error}")
    found.seconds = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found.megabytes = peak / (2**20 if sys.platform == "darwin" else 2**10)
    return found


def checked(path: str, asked: bool) -> Checked:
    """What is said of a file: as it stands and, where `asked`, with functions asked for."""
    text = read_text(path)
    if text is None:
        return Checked(failed="cannot be read")
    told = [*_editor(path, text), *_command(path, text)]
    found = Checked(
        lines=text.count("\n") + 1,
        alarms=sum(d.severity in ("error", "warning") for d in told),
        hints=sum(d.severity == "hint" for d in told),
    )
    if asked:
        of_all = _editor(path, marked(text))
        told += of_all
        found.asked = found.lines
        found.hints_asked = sum(d.severity == "hint" for d in _editor(path, marked(text, most=1)))
        found.over = sum(d.code == BUDGET for d in of_all)
    found.failed = next((d.message for d in told if d.code == INSIDE), "")
    return found


def _command(path: str, text: str) -> list[Diagnostic]:
    """What `pullback check` says."""
    return [d for d in check_module(parse_module(text, path)) if d.path is None]


def _editor(path: str, text: str) -> list[Diagnostic]:
    return list(ide.diagnostics(parse_module(text, path), default_modules(path)))


def marked(text: str, most: int | None = None) -> str:
    """The text with functions of the module asked for: all of them, or the first so many."""
    lines = text.splitlines(keepends=True)
    places = [k for k, line in enumerate(lines) if line.startswith("def ")]
    for k in reversed(places[:most]):
        lines.insert(k, MARK)
    return "".join(lines)


# --- the table -------------------------------------------------------------------------------------


HEADS = (
    *("package", "files", "lines", "failed", "false alarms", "hints a 1,000 lines"),
    *("the same, one function asked for", "over budget", "slowest file, s", "largest, MB"),
)


def tabulated(found: dict[str, list[Checked]]) -> str:
    rows = [_row(package, of) for package, of in found.items()]
    if len(found) > 1:
        rows.append(_row("all", [c for of in found.values() for c in of]))
    return table(HEADS, rows)


def _row(package: str, of: list[Checked]) -> list[str]:
    lines, asked = sum(c.lines for c in of), sum(c.asked for c in of)
    return [
        package,
        f"{len(of):,}",
        f"{lines:,}",
        str(sum(bool(c.failed) for c in of)),
        str(sum(c.alarms for c in of)),
        f"{1000 * sum(c.hints for c in of) / max(lines, 1):.2f}",
        f"{1000 * sum(c.hints_asked for c in of) / max(asked, 1):.2f}",
        str(sum(c.over for c in of)),
        f"{max((c.seconds for c in of), default=0.0):.0f}",
        f"{max((c.megabytes for c in of), default=0.0):.0f}",
    ]


if __name__ == "__main__":
    raise SystemExit(main())
