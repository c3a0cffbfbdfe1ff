"""The command line: reads files, asks the core, prints what it says, and sets the exit code.

Exit codes: 0 done; 1 refused, or findings of severity warning or error; 2 no such file, function or
parameter. What the core needs is imported where it is needed, so that starting is fast.

May not know: how anything is derived, LSP, NumPy.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pullback import __version__
from pullback.terminal import (
    Stop,
    TargetCommand,
    complain,
    hint_at,
    located_in,
    names_in,
    paint,
    parsed,
    read_file,
    require_free,
    require_function,
    require_parameters,
    show_diff,
    target_of,
    write_file,
)

if TYPE_CHECKING:
    from pullback.derive import Derived
    from pullback.files import SourceFile
    from pullback.output import Located
    from pullback.source.module import Module
    from pullback.sync import Synced

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
# the others need no more than arguments
VERIFIED = tuple(kind for kind in KINDS if kind != "sparse_jacobian")
COMPILERS = ("numba",)
BACKENDS = ("jax", "tensorflow", "numba")
FORMATS = ("full", "concise", "json", "github", "sarif")
UNASKED = (
    "nothing was looked into: no function here has a generated derivative "
    "or the comment `# pullback: differentiable`"
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pullback", message="%(prog)s %(version)s")
def main() -> None:
    """Write the derivatives of NumPy functions as plain NumPy source."""
    for stream in (sys.stdout, sys.stderr):
        # source is UTF-8 text wherever it is piped to; a terminal knows better what it can show
        if not stream.isatty() and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")


# --- stage ---------------------------------------------------------------------------------------


@main.command(cls=TargetCommand)
@click.argument("target", metavar="FILE::FUNC")
@click.option("--backend", type=click.Choice(BACKENDS), required=True, help="What it is for.")
def stage(target: str, backend: str) -> None:
    """Print FUNC and the functions that it calls, written for another backend."""
    from pullback.stage import stage_in

    file, function = target_of(target)
    module = parsed(file)
    require_function(module, file, function)
    staged = stage_in(module, function, backend)
    complain(staged.diagnostics, file)
    if staged.source is None:
        sys.exit(1)
    click.echo(staged.source, nl=False)


# --- grad ------------------------------------------------------------------------------------------


@main.command(cls=TargetCommand)
@click.argument("target", metavar="FILE::FUNC")
@click.option("--kind", type=click.Choice(KINDS), default="grad", show_default=True)
@click.option("--wrt", metavar="NAMES", help="Parameters, as a,b; '*' for all. Default: the first.")
@click.option("--out", metavar="NAMES", help="Outputs, as a,b: variables as they are in the end.")
@click.option("--name", metavar="NAME", help="Name of the derivative.")
@click.option("--jit", type=click.Choice(COMPILERS), help="Write it for a compiler.")
@click.option(
    "--write",
    is_flag=True,
    help="Put the derivative into the file, below FUNC, or where it stands.",
)
@click.option("--diff", is_flag=True, help="Show what --write would change.")
@click.option("--print-passes", is_flag=True, help="Show what each pass makes, on stderr.")
def grad(
    target: str,
    kind: str,
    wrt: str | None,
    out: str | None,
    name: str | None,
    jit: str | None,
    write: bool,
    diff: bool,
    print_passes: bool,
) -> None:
    """Print the derivative of FUNC, or put it into the file."""
    file, function = target_of(target)
    if write and (diff or file.path is None):
        raise Stop("--write needs a file, and goes without --diff")
    module = parsed(file)
    require_function(module, file, function)
    asked = require_parameters(module, file, function, wrt)
    of = ""
    if write or diff:
        file, module, of = _place(file, module, (function, kind, asked, names_in(out), name, jit))
    require_free(module, file, name)
    watch = _print_pass if print_passes else None
    derived = _derive(module, file, function, kind, asked, out, name, jit=jit, of=of, watch=watch)
    complain(derived.diagnostics, file)
    if derived.source is None:
        sys.exit(1)
    if not (write or diff):
        click.echo(derived.source, nl=not derived.source.endswith("\n"))
        return
    text = _inserted(module, derived, file)
    if diff:
        show_diff(file, text)
    else:
        write_file(file, text)


def _derive(
    module: Module,
    file: SourceFile,
    function: str,
    kind: str,
    wrt: tuple[str, ...] | str | None,
    out: str | None,
    name: str | None,
    *,
    jit: str | None = None,
    of: str = "",
    watch: Callable[[str, str], None] | None = None,
) -> Derived:
    from pullback.derive import UnknownTarget, derive_in

    if out is not None and not names_in(out):
        raise Stop("--out names no variable; leave it out for what the function returns or writes")
    try:
        return derive_in(
            module,
            function,
            kind,
            wrt,
            out=names_in(out),
            name=name,
            jit=jit,
            of=of,
            watch=watch,
        )
    except UnknownTarget as error:
        raise Stop(f"{file.name}: {error}") from None


def _place(
    file: SourceFile, module: Module, asked: tuple[Any, ...]
) -> tuple[SourceFile, Module, str]:
    """The file that a derivative is written to, and the function's module as seen from there.

    One that stands in the sibling of the function's file stays there.
    """
    from pullback.placing import BELOW, Asked, beside_for
    from pullback.source.project import default_modules

    beside = beside_for(module, Asked(*asked), default_modules(file.path), BELOW)
    if beside is None or beside.module.path is None:
        return file, module, ""
    return read_file(beside.module.path), beside.module, beside.of


def _print_pass(name: str, text: str) -> None:
    click.echo(f"# == {name}\n{text}", err=True)


def _inserted(module: Module, derived: Derived, file: SourceFile) -> str:
    """The file's text with the derivative in it; leaves with 1 where a person's function is there."""
    from pullback.diagnostics import report
    from pullback.emit.insert import insertion, kept
    from pullback.source.edits import apply_edits

    own = kept(module, derived)
    if own is not None:
        complain([report("PB402", own.span, name=own.name)], file)
        sys.exit(1)
    return apply_edits(file.text, insertion(module, derived))


# --- check -----------------------------------------------------------------------------------------


@main.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--output-format", "form", type=click.Choice(FORMATS), default="full", show_default=True
)
def check(paths: tuple[str, ...], form: str) -> None:
    """Report what stands in the way of derivatives in files and folders."""
    from pullback.files import python_files
    from pullback.output import PRINTERS
    from pullback.siblings import asked_here_and_beside
    from pullback.source.project import default_modules

    files = [read_file(name) for name in python_files(paths)]
    modules = [parsed(file) for file in files]
    located = [item for file, module in zip(files, modules) for item in _checked(file, module)]
    click.echo(PRINTERS[form](located, paint), nl=False)
    asked = (asked_here_and_beside(m, default_modules(m.path)) for m in modules)
    if form == "full" and not located and not any(asked):
        click.echo(UNASKED, err=True)
    if any(item.diagnostic.severity in ("error", "warning") for item in located):
        sys.exit(1)


def _checked(file: SourceFile, module: Module) -> list[Located]:
    from pullback.check import check_module

    return located_in(check_module(module), file)


# --- sync ------------------------------------------------------------------------------------------


@main.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--check", "only_check", is_flag=True, help="Only say what is out of step.")
def sync(paths: tuple[str, ...], only_check: bool) -> None:
    """Generate derivatives that are out of date again, and remove helpers that nothing uses any longer.

    What was edited by hand is kept and reported.
    """
    from pullback.files import python_files

    files = [read_file(name) for name in _with_siblings(python_files(paths))]
    in_step = [_is_in_step(file) for file in files] if only_check else _brought_into_step(files)
    if not all(in_step):
        sys.exit(1)


def _with_siblings(names: Iterable[str]) -> list[str]:
    """Files, and the modules beside them that hold their functions' derivatives; each once."""
    from pullback.siblings import sibling_path

    found: dict[Path, str] = {}
    for name in names:
        beside = sibling_path(name)
        found.setdefault(Path(name).resolve(), name)
        if beside is not None and Path(beside).is_file():
            found.setdefault(Path(beside).resolve(), beside)
    return list(found.values())


def _is_in_step(file: SourceFile) -> bool:
    from pullback.sync import out_of_step, unused_helpers

    module = parsed(file)
    found, unused = out_of_step(module), unused_helpers(module)
    complain(found, file)
    for name, span in unused.items():
        line = file.text.count("\n", 0, span.start) + 1
        click.echo(f"{file.name}:{line}:1: {name} is not used any more", err=True)
    return not found and not unused


def _brought_into_step(files: list[SourceFile]) -> list[bool]:
    """Writes the files back with derivatives that are in step; whether all of each are."""
    from pullback.sync import synced

    results: list[Synced] = []
    for _ in files:  # a derivative of one may be what another's is made from
        results = [synced(parsed(file)) for file in files]
        for file, result in zip(files, results):
            _put_back(file, result)
        files = [replace(file, text=r.module.text) for file, r in zip(files, results)]
        if not any(r.regenerated or r.removed for r in results):
            break
    for file, result in zip(files, results):
        complain(result.left, file)
        if file.path is None:
            click.echo(file.text, nl=False)
    return [not result.left for result in results]


def _put_back(file: SourceFile, result: Synced) -> None:
    """Writes a file that was brought into step, and says what was done."""
    if file.path is not None and result.module.text != file.text:
        write_file(file, result.module.text)
    for name in result.regenerated:
        click.echo(f"{file.name}: {name} regenerated", err=file.path is None)
    for name in result.removed:
        click.echo(f"{file.name}: {name} removed, nothing uses it", err=file.path is None)


# --- verify ----------------------------------------------------------------------------------------


@main.command(cls=TargetCommand)
@click.argument("target", metavar="FILE::FUNC")
@click.option(
    "--at",
    metavar="EXPR",
    help="A tuple of arguments; np is NumPy. Default: FUNC's `# pullback: example …`.",
)
@click.option("--kind", type=click.Choice(VERIFIED), default="grad", show_default=True)
@click.option("--wrt", metavar="NAMES", help="Parameters, as a,b; '*' for all. Default: the first.")
def verify(target: str, at: str | None, kind: str, wrt: str | None) -> None:
    """Run FUNC at the arguments that EXPR makes, and compare its derivative with finite differences."""
    from pullback.ide import example

    file, function = target_of(target)
    module = parsed(file)
    require_function(module, file, function)
    at = at or example(module, function)
    if at is None:
        raise Stop("--at EXPR is needed, or a comment `# pullback: example …` in the function")
    asked = require_parameters(module, file, function, wrt)
    derived = _derive(module, file, function, kind, asked, None, None)
    complain(derived.diagnostics, file)
    if derived.source is None:
        sys.exit(1)
    from pullback.running import Failed, verified

    try:
        report = verified(file, function, at, kind, asked)
    except Failed as error:
        raise Stop(f"{file.name}: {error}") from None
    click.echo(str(report))
    if not report.ok:
        sys.exit(1)


# --- what is known ---------------------------------------------------------------------------------


@main.command()
@click.argument("name", required=False)
def rules(name: str | None) -> None:
    """Print what is known of a function (np.tanh, math.log, sum …), or the names of all."""
    from pullback.rules_text import describe, known_names, matches

    if name is None:
        click.echo("\n".join(known_names()))
        return
    found = matches(name)
    if not found:
        raise Stop(f"nothing is known of {name}{hint_at(name, known_names())}")
    click.echo("\n\n".join(describe(fn) for fn in found))


@main.command()
@click.argument("code")
def explain(code: str) -> None:
    """Print the page of a diagnostic, such as PB201."""
    from pullback.diagnostics.catalogue import codes
    from pullback.diagnostics.pages import page

    if code.upper() not in codes():
        raise Stop(f"there is no diagnostic {code}{hint_at(code.upper(), codes())}")
    click.echo(page(code.upper()), nl=False)


# --- server ----------------------------------------------------------------------------------------


@main.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def server(arguments: tuple[str, ...]) -> None:
    """Start the language server (the same as pullback-server)."""
    # by name: the core does not import the server
    start = importlib.import_module("pullback_server.__main__").main
    sys.argv = ["pullback-server", *arguments]
    sys.exit(start())


if __name__ == "__main__":
    main()
