"""What the commands share: a target is found, a file is read, asked for and written, and what is wrong is said.

Whatever ends a command does it here: `Stop` with exit code 2, a syntax error in the way with 1.

May not know: the commands, how anything is derived, LSP, NumPy.
"""

from __future__ import annotations

import keyword
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pullback.diagnostics import Diagnostic
    from pullback.files import SourceFile
    from pullback.output import Located
    from pullback.source.module import Module


class Stop(click.ClickException):
    """Ends the command with exit code 2 and one line on stderr."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        click.echo(f"pullback: {self.message}", err=True)


class TargetCommand(click.Command):
    """A command whose target may be `-::FUNC`, which click would take for options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f"<stdin>{a[1:]}" if a[:3] == "-::" else a for a in args])


def target_of(target: str) -> tuple[SourceFile, str]:
    name, found, function = target.rpartition("::")
    if not found or not name or not function:
        raise Stop(
            f"{target}: expected FILE::FUNCTION, as in model.py::loss or model.py::Model.loss"
        )
    return read_file("-" if name == "<stdin>" else name), function


def read_file(name: str) -> SourceFile:
    from pullback.files import Unreadable, read

    try:
        return read(name)
    except Unreadable as error:
        raise Stop(str(error)) from None


def write_file(file: SourceFile, text: str) -> None:
    from pullback.files import Unreadable, write

    try:
        write(file, text)
    except Unreadable as error:
        raise Stop(str(error)) from None


def parsed(file: SourceFile) -> Module:
    from pullback.source.module import parse_module

    return parse_module(file.text, file.path)


def require_function(module: Module, file: SourceFile, function: str) -> None:
    """Leaves with 1 where a syntax error may hide the function, with 2 where there is none."""
    from pullback.diagnostics import report
    from pullback.lower import qualnames

    known = qualnames(module)
    if function in known:
        return
    if module.errors:
        complain([report("PB001", e.span, detail=e.message) for e in module.errors], file)
        sys.exit(1)
    methods = [n for n in known if n.startswith(f"{function}.") and not n.endswith("__")]
    hint = f"; did you mean {methods[0]}?" if methods else hint_at(function, known)
    raise Stop(f"{file.name}: there is no function {function}{hint}")


def require_parameters(
    module: Module, file: SourceFile, function: str, wrt: str | None
) -> tuple[str, ...] | str | None:
    """What `derive` takes as `wrt`; leaves with 2 where the function has no such parameter."""
    from pullback.lower import lower_function

    asked = names_in(wrt)
    if wrt is None or asked == ("*",):
        return wrt
    if not asked:
        raise Stop("--wrt names no parameter; leave it out for the first, or give '*' for all")
    lowered = lower_function(module, function)
    known = tuple(p.name for p in lowered.params) if lowered is not None else asked
    for parameter in asked:
        if parameter not in known:
            place = f"{file.name}: {function} has no parameter {parameter}"
            raise Stop(place + hint_at(parameter, known))
    return asked if len(asked) > 1 else asked[0]


def require_free(module: Module, file: SourceFile, name: str | None) -> None:
    """Leaves with 2 where a derivative cannot have that name; functions are looked at when writing."""
    from pullback.lower import definitions, scope_of

    if name is None:
        return
    if not name.isidentifier() or keyword.iskeyword(name):
        raise Stop(f"--name: {name!r} is not a name in Python")
    if name in scope_of(module).names and name not in definitions(module):
        raise Stop(f"{file.name}: {name} means something else in this file; give another --name")


def names_in(text: str | None) -> tuple[str, ...]:
    return tuple(n.strip() for n in (text or "").split(",") if n.strip())


def hint_at(name: str, known: Sequence[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {close[0]}?" if close else ""


def show_diff(file: SourceFile, text: str) -> None:
    import difflib

    rows = difflib.unified_diff(
        file.text.splitlines(keepends=True),
        text.splitlines(keepends=True),
        f"a/{file.name}",
        f"b/{file.name}",
    )
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for row in rows:
        click.secho(row.rstrip("\r\n"), fg=colours.get(row[0]))


def located_in(found: Sequence[Diagnostic], file: SourceFile) -> list[Located]:
    from pullback.files import other
    from pullback.output import locate

    return locate(found, file.name, file.text, lambda path: other(path, file.path))


def complain(found: Sequence[Diagnostic], file: SourceFile) -> None:
    """Errors and warnings on stderr, a line each; hints are for `check` and the editor."""
    from pullback.output import line_of

    told = [d for d in found if d.severity in ("error", "warning")]
    for item in sorted(located_in(told, file), key=lambda item: (item.file, item.start)):
        click.echo(line_of(item), err=True)


def paint(text: str, severity: str) -> str:
    from pullback.output import PAINTS

    return click.style(text, fg=PAINTS[severity], bold=True)
