"""textDocument/codeAction and codeAction/resolve.

Offering costs nothing: a derivative is made when its action is chosen, or at once for a client that
cannot resolve edits later. On a `def` line everything is offered; inside a body only what the user
asks for by name of kind, since a light bulb on every line is noise.

May not know: how a derivative is made.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from pullback.diagnostics import Diagnostic
from pullback.ir import Span
from pullback_server import convert, items, preview
from pullback_server.core import ide
from pullback_server.documents import Snapshot

if TYPE_CHECKING:
    from pullback_server.server import Server

REWRITE = "refactor.rewrite.pullback"
ADJOINT = "refactor.pullback.adjoint"
QUICK_FIX = types.CodeActionKind.QuickFix.value

# Kind of derivative -> how its action is called in the menu, which has this order.
TITLES = {
    "grad": "Generate gradient of `{name}` with respect to `{wrt}`",
    "value_and_grad": "Generate value and gradient of `{name}` with respect to `{wrt}`",
    "vjp": "Generate vector-Jacobian product of `{name}` with respect to `{wrt}`",
    "jvp": "Generate tangent of `{name}` with respect to `{wrt}`",
    "hvp": "Generate Hessian of `{name}` with respect to `{wrt}`, times a vector",
}

OPTIONS = types.CodeActionOptions(
    code_action_kinds=[*(f"{REWRITE}.{kind}" for kind in TITLES), ADJOINT, QUICK_FIX],
    resolve_provider=True,
)


@dataclass(frozen=True)
class Choice:
    """All that is needed to make an action's edit again, later."""

    uri: str
    version: int
    qualname: str
    kind: str
    wrt: str


@dataclass(frozen=True)
class Repair:
    """A generated function that is to be made anew, later."""

    uri: str
    version: int
    regenerate: str


def code_actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done at a place."""
    snapshot = ls.documents.snapshot(params.text_document.uri)
    place = convert.to_span(snapshot.text, params.range)
    only = params.context.only
    found = _fixes(ls, snapshot, place, params.context) if _asked(QUICK_FIX, only) else []
    target = ide.function_at(snapshot.module, place.start)
    if target is None or not target.params:
        return found
    if not target.header.start <= place.start <= target.header.end and not _names_refactor(only):
        return found
    wrt = ide.parameter_at(target, place.start)
    for kind in TITLES:
        if _asked(f"{REWRITE}.{kind}", only):
            choice = Choice(snapshot.text.uri, snapshot.text.version, target.qualname, kind, wrt)
            found += _generate(ls, choice)
    if _asked(ADJOINT, only) and preview.can_show(ls.client):
        found.append(_show(snapshot, target.qualname))
    return found


def resolve(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """The edit of an action that was chosen, for the document version that it was offered on."""
    choice = _choice(action.data)
    snapshot = ls.documents.snapshot_at(choice.uri, choice.version)
    if isinstance(choice, Repair):
        return _regenerated(ls, snapshot, choice, action)
    made = ide.gradient(snapshot.module, choice.qualname, choice.kind, choice.wrt, snapshot.modules)
    if not made.edits:
        raise JsonRpcException(
            _reason(snapshot, made.diagnostics), types.LSPErrorCodes.RequestFailed
        )
    action.edit = convert.to_workspace_edit(snapshot.text, made.edits, action.title, ls.client)
    return action


def _generate(ls: Server, choice: Choice) -> list[types.CodeAction]:
    title = TITLES[choice.kind].format(name=choice.qualname, wrt=choice.wrt)
    action = types.CodeAction(title, kind=f"{REWRITE}.{choice.kind}", data=asdict(choice))
    if ls.client.resolves_edits:
        return [action]
    try:
        return [resolve(ls, action)]
    except JsonRpcException as refusal:
        if not ls.client.shows_disabled:
            return []
        action.disabled = types.CodeActionDisabled(refusal.message)
        return [action]


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
    text = snapshot.text
    title = ide.regeneration_title(snapshot.module, found)
    if title is not None and ls.client.resolves_edits:
        data = asdict(Repair(text.uri, text.version, found.function or ""))
        return [types.CodeAction(title, kind=QUICK_FIX, is_preferred=True, data=data)]
    return [
        types.CodeAction(
            fix.title,
            kind=QUICK_FIX,
            is_preferred=fix.safe,
            edit=convert.to_workspace_edit(text, fix.edits, fix.title, ls.client),
        )
        for fix in ide.fixes_of(snapshot.module, found, snapshot.modules)
    ]


def _regenerated(
    ls: Server, snapshot: Snapshot, repair: Repair, action: types.CodeAction
) -> types.CodeAction:
    fixes = ide.regeneration(snapshot.module, repair.regenerate, snapshot.modules)
    if not fixes:
        reason = f"{repair.regenerate} cannot be generated again"
        raise JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)
    action.edit = convert.to_workspace_edit(
        snapshot.text, fixes[0].edits, fixes[0].title, ls.client
    )
    return action


def _asked(kind: str, only: Any) -> bool:
    """Whether a request for `only` wants `kind`: a kind stands for all below it."""
    return not only or any(kind == o or kind.startswith(f"{o}.") for o in map(_text, only))


def _names_refactor(only: Any) -> bool:
    return any(o.split(".")[0] == "refactor" for o in map(_text, only or ()))


def _text(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _choice(data: Any) -> Choice | Repair:
    try:
        if isinstance(data, dict) and "regenerate" in data:
            return Repair(**data)
        choice = Choice(**data)
    except TypeError:
        raise JsonRpcInvalidParams(f"this code action is not one of Pullback's: {data!r}") from None
    if choice.kind not in TITLES:
        raise JsonRpcInvalidParams(f"no derivative of kind {choice.kind!r}")
    return choice


def _reason(snapshot: Snapshot, found: tuple[Diagnostic, ...]) -> str:
    """Why there is no derivative, in a line a user can act on."""
    for d in sorted(found, key=lambda d: d.severity != "error"):
        line, _ = snapshot.text.lines.position(d.span.start)
        return f"line {line + 1}: {d.code} {d.message}"
    return "the function is not there any more"
