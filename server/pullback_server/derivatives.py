"""Derivatives as a client asks for them: which there are, and the edit that writes one.

`pullback/choices` says what can be chosen for a function, `pullback/derivative` gives the edit of a choice.

May not know: how a derivative is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from pullback.ir import Span
from pullback.source.edits import Edit, apply_edits
from pullback_server import convert
from pullback_server.convert import Change
from pullback_server.core import ide
from pullback_server.documents import Snapshot
from pullback_server.settings import PLACEMENTS

if TYPE_CHECKING:
    from pullback_server.server import Server

CHOOSE = "pullback.chooseDerivative"
CHOICES = "pullback/choices"
DERIVATIVE = "pullback/derivative"

# Kind of derivative -> what it is called in menus, which have this order.
NAMES = {
    "grad": "gradient",
    "value_and_grad": "value and gradient",
    "vjp": "vector-Jacobian product",
    "jvp": "tangent",
    "hvp": "Hessian-vector product",
    "jacobian": "Jacobian",
    "sparse_jacobian": "sparse Jacobian",
    "hessian": "Hessian",
}


COMPILERS = {"numba": "Numba"}


def title(kind: str, qualname: str, wrt: str, jit: str | None = None) -> str:
    """How an action is called in a menu."""
    parameters = "all parameters" if wrt == "*" else f"`{wrt}`"
    compiled = f", compiled by {COMPILERS[jit]}" if jit is not None else ""
    return f"Generate {NAMES[kind]} of `{qualname}` with respect to {parameters}{compiled}"


def choices(ls: Server, params: Any) -> dict[str, Any]:
    """pullback/choices: the kinds, parameters and places for a derivative of a function."""
    given = values(params)
    snapshot = ls.documents.snapshot(text_of(given, "uri"))
    uri = snapshot.text.uri
    return {
        "version": snapshot.text.version,
        "kinds": [{"kind": kind, "title": name} for kind, name in NAMES.items()],
        "parameters": list(ide.parameters(snapshot.module, text_of(given, "qualname"))),
        "placements": [
            {"placement": p, "title": t}
            for p, t in PLACEMENTS.items()
            if p != "sibling" or _beside_can_be(ls, snapshot)
        ],
        "placement": ls.settings.at(uri).placement,
    }


def derivative(ls: Server, params: Any) -> types.WorkspaceEdit:
    """pullback/derivative: the edit that writes a derivative, for the version it was chosen on."""
    given = values(params)
    version = given.get("version")
    if not isinstance(version, int):
        raise JsonRpcInvalidParams(f"'version' is needed, as a number; got {version!r}")
    snapshot = ls.documents.snapshot_at(text_of(given, "uri"), version)
    qualname, kind, wrt = text_of(given, "qualname"), text_of(given, "kind"), given.get("wrt")
    names = (wrt,) if isinstance(wrt, str) else tuple(wrt or ())
    if kind not in NAMES or not all(isinstance(n, str) for n in names) or not names:
        raise JsonRpcInvalidParams(f"{{kind, wrt}} is needed, kind one of {', '.join(NAMES)}")
    chosen = names[0] if len(names) == 1 else names
    made = change(ls, snapshot, qualname, kind, chosen, given.get("placement"))
    label = f"{NAMES[kind].capitalize()} of {qualname}"
    return convert.to_workspace_edit([made], label, ls.client)


def change(
    ls: Server,
    snapshot: Snapshot,
    qualname: str,
    kind: str,
    wrt: str | tuple[str, ...],
    placement: str | None = None,
    jit: str | None = None,
) -> Change:
    """What writes a derivative where the user wants it; an error says why there is none."""
    if kind not in NAMES:
        raise JsonRpcInvalidParams(f"no derivative of kind {kind!r}")
    place = placement or ls.settings.at(snapshot.text.uri).placement
    if place == "sibling" and not _beside_can_be(ls, snapshot):
        place = "below"
    modules = snapshot.modules
    made = ide.gradient(snapshot.module, qualname, kind, wrt, modules, place=place, jit=jit)
    if not made.edits:
        raise refusal(snapshot, made)
    if made.beside is None:
        return Change(snapshot.text, made.edits)
    text = ls.documents.file(made.beside.module.path or "", snapshot.text.unit).text
    if made.beside.there:
        return Change(text, made.edits)
    whole = apply_edits(made.beside.module.text, made.edits)
    return Change(text, (Edit(Span(0, 0), whole),), new=True)


def _beside_can_be(ls: Server, snapshot: Snapshot) -> bool:
    """Whether there is a module for derivatives beside a file, or the client can make one."""
    beside = ide.sibling(snapshot.module, snapshot.modules)
    able = ls.client.creates_files and ls.client.document_changes
    return beside is not None and (beside.there or able)


def refusal(snapshot: Snapshot, made: ide.Insertion) -> JsonRpcException:
    """Why nothing is inserted, in a line a user can act on."""
    told = told_of(snapshot, made) or ["the function is not there any more"]
    return JsonRpcException(told[0], types.LSPErrorCodes.RequestFailed)


def told_of(snapshot: Snapshot, made: ide.Insertion) -> list[str]:
    """What is to be known of an insertion, a line each, what stands in its way first."""
    own = None if made.beside is None else made.beside.of
    out = []
    for d in sorted(made.diagnostics, key=lambda d: d.severity != "error"):
        line, _ = snapshot.text.lines.position(d.span.start)
        where = f"line {line + 1}" if d.path == own else d.path or f"{own}_grad"
        out.append(f"{where}: {d.code} {d.message}")
    return out


def values(params: Any) -> dict[str, Any]:
    """The parameters of a request of our own, which come as a dict or as pygls' object."""
    given = params if isinstance(params, dict) else getattr(params, "_asdict", dict)()
    return dict(given)


def text_of(given: dict[str, Any], key: str) -> str:
    """A parameter that has to be there, as text."""
    value = given.get(key)
    if not isinstance(value, str):
        raise JsonRpcInvalidParams(f"{key!r} is needed, as text; got {value!r}")
    return value
