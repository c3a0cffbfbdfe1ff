"""textDocument/codeLens: lines above functions and their derivatives, where the user wants them.

May not know: how a derivative stands to its function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path

from pullback.ir import Span
from pullback_server import checking, code_actions, convert, preview
from pullback_server.convert import Text
from pullback_server.core import ide
from pullback_server.derivatives import text_of, values
from pullback_server.documents import Snapshot
from pullback_server.states import Known, known

if TYPE_CHECKING:
    from pullback_server.server import Server

OPTIONS = types.CodeLensOptions(resolve_provider=False)
REGENERATE = "pullback.regenerate"
GO_TO = "pullback.goTo"


def lenses(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    snapshot = ls.documents.snapshot(params.text_document.uri)
    if not ls.settings.at(snapshot.text.uri).code_lens:
        return []
    found: list[types.CodeLens] = []
    all_known = known(ls, snapshot)
    here = snapshot.text.uri
    for k in all_known:
        if k.state.primal_span is not None and k.home.uri == here:
            title = f"∇ {k.state.qualname}: {k.state.word}"
            go = _go(k.text, k.state.name_span)
            found.append(_lens(snapshot, k.state.primal_span, title, go))
        if k.text.uri == here:
            found.append(_of_derivative(snapshot, k))
    for qualname in dict.fromkeys(k.state.primal for k in all_known if k.home.uri == here):
        found += _of_function(ls, snapshot, qualname)
    return found


def _of_derivative(snapshot: Snapshot, known: Known) -> types.CodeLens:
    """How it stands; what is out of date is generated again with a click."""
    state = known.state
    if state.word == "out of date" and not state.edited:
        given = {"uri": snapshot.text.uri, "qualname": state.qualname}
        command = types.Command("", REGENERATE, arguments=[given])
        return _lens(snapshot, state.name_span, "∇ out of date: regenerate", command)
    title = f"∇ of {state.primal}: {state.word}"
    if state.primal_span is None:
        go = _go(known.text, state.name_span)
    else:
        go = _go(known.home, state.primal_span)
    return _lens(snapshot, state.name_span, title, go)


def _of_function(ls: Server, snapshot: Snapshot, qualname: str) -> list[types.CodeLens]:
    target = ide.function_named(snapshot.module, qualname)
    if target is None:
        return []
    given = {"uri": snapshot.text.uri, "qualname": qualname, "kind": "grad"}
    offered = []
    if checking.CHECK in ls.client.commands:
        offered.append(("check", checking.CHECK))
    if preview.can_show(ls.client):
        offered.append(("show adjoint", preview.SHOW))
    return [
        _lens(snapshot, target.name_span, title, types.Command("", command, arguments=[given]))
        for title, command in offered
    ]


def _lens(snapshot: Snapshot, at: Span, title: str, command: types.Command) -> types.CodeLens:
    shown = types.Command(title, command.command, arguments=command.arguments)
    return types.CodeLens(convert.to_range(snapshot.text, at), command=shown)


def _go(text: Text, span: Span) -> types.Command:
    given = {"uri": text.uri, "start": span.start, "version": text.version}
    return types.Command("", GO_TO, arguments=[given])


# --- commands -------------------------------------------------------------------------------------


async def regenerate(ls: Server, argument: Any) -> None:
    """The command pullback.regenerate: a derivative that is out of date as it would be written now."""
    given = values(argument)
    uri, qualname = text_of(given, "uri"), text_of(given, "qualname")
    snapshot = ls.documents.snapshot(uri)
    edits = code_actions.regenerated(snapshot, qualname, "PB401")
    change = convert.Change(snapshot.text, edits)
    edit = convert.to_workspace_edit([change], f"Regenerate {qualname}", ls.client)
    await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit))


def go_to(ls: Server, argument: Any) -> None:
    """The command pullback.goTo: shows a place of a document."""
    given = values(argument)
    uri, start = text_of(given, "uri"), given.get("start")
    if ls.documents.version(uri) is None:
        text = ls.documents.file(to_fs_path(uri) or "", ls.client.encoding).text
    else:
        text = ls.documents.snapshot(uri).text
    if not isinstance(start, int) or given.get("version") != text.version:
        raise JsonRpcException("the document has changed", types.LSPErrorCodes.ContentModified)
    place = convert.to_range(text, Span(start, start))
    ls.window_show_document(types.ShowDocumentParams(text.uri, take_focus=True, selection=place))
