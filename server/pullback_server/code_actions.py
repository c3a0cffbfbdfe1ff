"""textDocument/codeAction and codeAction/resolve.

Offering costs nothing: a derivative is made when its action is chosen, or at once for a client that
cannot resolve edits later. On a `def` line everything is offered; inside a body only what the user
asks for by name of kind, since a light bulb on every line is noise.

May not know: how a derivative is made.
"""

from __future__ import annotations

from dataclasses import MISSING, asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from pullback.diagnostics import Diagnostic, Fix
from pullback.ir import Span
from pullback.source.edits import Edit
from pullback_server import checking, conversions, convert, derivatives, items, preview
from pullback_server.core import ide, states
from pullback_server.documents import Snapshot
from pullback_server.states import known

if TYPE_CHECKING:
    from pullback_server.server import Server

REWRITE = "refactor.rewrite.pullback"
CHOOSE = f"{REWRITE}.choose"
ADJOINT = "refactor.pullback.adjoint"
CHECK = "refactor.pullback.check"
QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = "source.fixAll.pullback"
ALL = "*"

OPTIONS = types.CodeActionOptions(
    code_action_kinds=[
        *(f"{REWRITE}.{kind}" for kind in derivatives.NAMES),
        *(f"{REWRITE}.{backend}" for backend in conversions.BACKENDS),
        CHOOSE,
        CHECK,
        ADJOINT,
        QUICK_FIX,
        FIX_ALL,
    ],
    resolve_provider=True,
)


@dataclass(frozen=True)
class Choice:
    """All that is needed to make a derivative's edit, later; `wrt` is a parameter, or "*" for all.

    `jit` is the compiler that it is written for.
    """

    uri: str
    version: int | None
    qualname: str
    kind: str
    wrt: str
    jit: str | None = None


@dataclass(frozen=True)
class Conversion:
    """All that is needed to write a function for a backend, later."""

    uri: str
    version: int | None
    qualname: str
    backend: str


@dataclass(frozen=True)
class Repair:
    """A generated function of which a report says that it is to be made anew, later."""

    uri: str
    version: int | None
    regenerate: str
    code: str


@dataclass(frozen=True)
class All:
    """All generated functions of a document, to be brought into step later."""

    uri: str
    version: int | None


def code_actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done at a place."""
    snapshot = ls.documents.snapshot(params.text_document.uri)
    place = convert.to_span(snapshot.text, params.range)
    only = params.context.only
    found = _fixes(ls, snapshot, place, params.context) if _asked(QUICK_FIX, only) else []
    if only and _asked(FIX_ALL, only):
        found += _fix_all(ls, snapshot)
    target = ide.function_at(snapshot.module, place.start)
    if target is None or not target.params:
        return found
    if not target.header.start <= place.start <= target.header.end and not _names_refactor(only):
        return found
    wrt = ide.parameter_at(target, place.start)
    for kind in derivatives.NAMES:
        if _asked(f"{REWRITE}.{kind}", only):
            for names, jit in _offered(snapshot, kind, wrt, target, only):
                version = snapshot.text.version
                choice = Choice(snapshot.text.uri, version, target.qualname, kind, names, jit)
                found += _generate(ls, choice)
    for backend in conversions.BACKENDS:
        if _asked(f"{REWRITE}.{backend}", only):
            found += _convert(ls, snapshot, target.qualname, backend)
    if _asked(CHOOSE, only) and derivatives.CHOOSE in ls.client.commands:
        found.append(_choose(snapshot, target.qualname))
    if _asked(CHECK, only) and checking.CHECK in ls.client.commands:
        found.append(_check(snapshot, target.qualname))
    if _asked(ADJOINT, only) and preview.can_show(ls.client):
        found.append(_show(snapshot, target.qualname))
    return found


def resolve(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """The edit of an action that was chosen, for the document version that it was offered on."""
    if action.data is None and (action.edit or action.command):
        return action  # it is whole: some clients ask all the same
    asked = _asked_for(action.data)
    snapshot, told = ls.documents.snapshot_at(asked.uri, asked.version), ""
    if isinstance(asked, Choice):
        function, kind, wrt = asked.qualname, asked.kind, asked.wrt
        made = [derivatives.change(ls, snapshot, function, kind, wrt, jit=asked.jit)]
    elif isinstance(asked, Conversion):
        one, told = conversions.change(ls, snapshot, asked.qualname, asked.backend)
        made = [one]
    elif isinstance(asked, Repair):
        edits = regenerated(snapshot, asked.regenerate, asked.code)
        made = [convert.Change(snapshot.text, edits)]
    else:
        made = _in_step(ls, snapshot)
    action.edit = convert.to_workspace_edit(made, action.title, ls.client, told)
    return action


def _in_step(ls: Server, snapshot: Snapshot) -> list[convert.Change]:
    """What brings a file and the module beside it into step."""
    beside = ls.documents.beside(snapshot)
    both = [snapshot] if beside is None else [snapshot, beside]
    made = [convert.Change(s.text, states.in_step(s.module, s.modules)) for s in both]
    return [change for change in made if change.edits]


def _offered(
    snapshot: Snapshot, kind: str, wrt: str, target: ide.Target, only: Any
) -> list[tuple[str, str | None]]:
    """With respect to what a kind is offered: in the menu of everything, all at once for gradients alone.

    And for which compiler: the gradient of a function that is compiled is offered compiled, first of all.
    """
    several = len(target.params) > 1 and (kind == "grad" or bool(only))
    names = [wrt, ALL] if several else [wrt]
    jit = ide.compiler_of(snapshot.module, target.qualname) if kind == "grad" else None
    compiled = [(n, jit) for n in names] if jit is not None else []
    return [*compiled, *((n, None) for n in names)]


def _generate(ls: Server, choice: Choice) -> list[types.CodeAction]:
    title = derivatives.title(choice.kind, choice.qualname, choice.wrt, choice.jit)
    action = types.CodeAction(title, kind=f"{REWRITE}.{choice.kind}", data=asdict(choice))
    return _now_or_later(ls, action)


def _convert(ls: Server, snapshot: Snapshot, qualname: str, backend: str) -> list[types.CodeAction]:
    conversion = Conversion(snapshot.text.uri, snapshot.text.version, qualname, backend)
    title = conversions.title(qualname, backend)
    action = types.CodeAction(title, kind=f"{REWRITE}.{backend}", data=asdict(conversion))
    return _now_or_later(ls, action)


def _now_or_later(ls: Server, action: types.CodeAction) -> list[types.CodeAction]:
    """An action as it is where its edit can be made later, otherwise with it; disabled where there is none."""
    if ls.client.resolves_edits:
        return [action]
    try:
        return [resolve(ls, action)]
    except JsonRpcException as refusal:
        if not ls.client.shows_disabled:
            return []
        action.disabled = types.CodeActionDisabled(refusal.message)
        return [action]


def _choose(snapshot: Snapshot, qualname: str) -> types.CodeAction:
    title = f"Generate a derivative of `{qualname}`: choose kind and parameters…"
    argument = {"uri": snapshot.text.uri, "qualname": qualname}
    command = types.Command(title, derivatives.CHOOSE, arguments=[argument])
    return types.CodeAction(title, kind=CHOOSE, command=command)


def _check(snapshot: Snapshot, qualname: str) -> types.CodeAction:
    title = f"Check the gradient of `{qualname}`"
    argument = {"uri": snapshot.text.uri, "qualname": qualname, "kind": "grad"}
    command = types.Command(title, checking.CHECK, arguments=[argument])
    return types.CodeAction(title, kind=CHECK, command=command)


def _show(snapshot: Snapshot, qualname: str) -> types.CodeAction:
    title = f"Show adjoint of `{qualname}`"
    argument = {"uri": snapshot.text.uri, "qualname": qualname, "kind": "grad"}
    return types.CodeAction(
        title, kind=ADJOINT, command=types.Command(title, preview.SHOW, arguments=[argument])
    )


def _fixes(
    ls: Server, snapshot: Snapshot, place: Span, context: types.CodeActionContext
) -> list[types.CodeAction]:
    """The quick fixes of the diagnostics that touch `place`."""
    found = []
    for d in ide.diagnostics_at(snapshot.module, place, snapshot.modules):
        shown = items.diagnostic(ls, snapshot, d)
        mends = [c for c in context.diagnostics if (c.code, c.range) == (shown.code, shown.range)]
        for action in _fixes_of(ls, snapshot, d):
            action.diagnostics = mends or None
            found.append(action)
    return found


def _fixes_of(ls: Server, snapshot: Snapshot, found: Diagnostic) -> list[types.CodeAction]:
    """The fixes of one report; one that takes a derivation is made when it is chosen, where that is possible."""
    text, module, modules = snapshot.text, snapshot.module, snapshot.modules
    later = ide.regeneration_title(module, found) if ls.client.resolves_edits else None
    if later is None:
        return [_fix(ls, snapshot, fix) for fix in ide.fixes_of(module, found, modules)]
    data = asdict(Repair(text.uri, text.version, found.function or "", found.code))
    at_once = [_fix(ls, snapshot, fix) for fix in ide.quick_fixes(module, found, modules)]
    preferred = not at_once
    action = types.CodeAction(later, kind=QUICK_FIX, is_preferred=preferred, data=data)
    return [*_compared(ls, snapshot, found), *at_once, action]


def _compared(ls: Server, snapshot: Snapshot, found: Diagnostic) -> list[types.CodeAction]:
    """What a person has edited beside what would be generated, where the client can show two texts."""
    if found.code != "PB402" or preview.COMPARE not in ls.client.commands:
        return []
    name = found.function or ""
    title = f"Compare {name} with what would be generated"
    address = preview.Address(snapshot.text.uri, name, show="file")
    given = {"uri": snapshot.text.uri, "address": preview.address_text(address), "title": name}
    command = types.Command(title, preview.COMPARE, arguments=[given])
    return [types.CodeAction(title, kind=QUICK_FIX, command=command)]


def _fix(ls: Server, snapshot: Snapshot, fix: Fix) -> types.CodeAction:
    return types.CodeAction(
        fix.title,
        kind=QUICK_FIX,
        is_preferred=fix.safe,
        edit=convert.to_workspace_edit(
            [convert.Change(snapshot.text, fix.edits)], fix.title, ls.client
        ),
    )


def regenerated(snapshot: Snapshot, qualname: str, code: str) -> tuple[Edit, ...]:
    """The edits that generate a function again of which a report of that code says that it is to be."""
    module, modules = snapshot.module, snapshot.modules
    for d in ide.diagnostics(module, modules):
        if (d.code, d.function) == (code, qualname):
            for fix in ide.regeneration(module, d, modules):
                return fix.edits
    reason = f"{qualname} cannot be generated again"
    raise JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)


def _fix_all(ls: Server, snapshot: Snapshot) -> list[types.CodeAction]:
    """One action where anything is out of date, in the file or in the module beside it; what was edited by
    hand stays as it is."""
    if all(k.state.word != "out of date" for k in known(ls, snapshot)):
        return []
    data = asdict(All(snapshot.text.uri, snapshot.text.version))
    action = types.CodeAction("Bring derivatives up to date", kind=FIX_ALL, data=data)
    return [action if ls.client.resolves_edits else resolve(ls, action)]


def _asked(kind: str, only: Any) -> bool:
    """Whether a request for `only` wants `kind`: a kind stands for all below it."""
    return not only or any(kind == o or kind.startswith(f"{o}.") for o in map(_text, only))


def _names_refactor(only: Any) -> bool:
    return any(o.split(".")[0] == "refactor" for o in map(_text, only or ()))


def _text(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _asked_for(data: Any) -> Choice | Conversion | Repair | All:
    """What an action stands for; some clients (Neovim) leave out what is null."""
    for offer in (Choice, Conversion, Repair, All):
        known = {f.name for f in fields(offer)}
        needed = {f.name for f in fields(offer) if f.default is MISSING}
        if isinstance(data, dict) and needed <= data.keys() <= known:
            return offer(**data)
    raise JsonRpcInvalidParams(f"this code action is not one of Pullback's: {data!r}")
