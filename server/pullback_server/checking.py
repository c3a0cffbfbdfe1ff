"""What a client needs to check a gradient: it runs `pullback verify`; the server runs nothing.

May not know: how anything is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from pullback_server import convert
from pullback_server.core import ide
from pullback_server.derivatives import text_of, values
from pullback_server.states import range_of

if TYPE_CHECKING:
    from pullback_server.server import Server

CHECK = "pullback.checkGradient"
EXAMPLE = "pullback/example"
KEEP = "pullback/keepExample"


def example(ls: Server, params: Any) -> dict[str, Any]:
    """pullback/example: the arguments that a function's comment gives, and where the function is."""
    given = values(params)
    snapshot = ls.documents.snapshot(text_of(given, "uri"))
    target = ide.function_named(snapshot.module, text_of(given, "qualname"))
    if target is None:
        raise JsonRpcException(
            "the function is not there any more", types.LSPErrorCodes.RequestFailed
        )
    settings = ls.settings.at(snapshot.text.uri)
    return {
        "version": snapshot.text.version,
        "arguments": ide.example(snapshot.module, target.qualname),
        "parameters": [p.name for p in target.params],
        "range": range_of(snapshot.text, target.name_span),
        "seconds": settings.check_seconds,
        "megabytes": settings.check_megabytes,
    }


def keep(ls: Server, params: Any) -> types.WorkspaceEdit:
    """pullback/keepExample: the edit that keeps arguments in a comment `# pullback: example …`."""
    given = values(params)
    version, arguments = given.get("version"), text_of(given, "arguments")
    if not isinstance(version, int) or not arguments.strip() or "\n" in arguments:
        raise JsonRpcInvalidParams("{uri, version, qualname, arguments} is needed, on one line")
    snapshot = ls.documents.snapshot_at(text_of(given, "uri"), version)
    edits = ide.with_example(snapshot.module, text_of(given, "qualname"), arguments)
    return convert.to_workspace_edit(
        [convert.Change(snapshot.text, edits)], "Keep the example", ls.client
    )
