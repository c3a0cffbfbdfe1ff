"""What the client can do, read once from its `initialize`.

May not know: features, documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability


@dataclass(frozen=True)
class Client:
    """The abilities that change what the server sends; what is not announced is not there."""

    encoding: str = "utf-16"
    commands: frozenset[str] = frozenset()
    documentation: str | None = None
    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    refreshes_lenses: bool = False
    refreshes_inlay_hints: bool = False
    related_information: bool = False
    code_description: bool = False
    resolves_edits: bool = False
    shows_disabled: bool = False
    document_changes: bool = False
    annotations: bool = False
    creates_files: bool = False
    markdown: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    registers_watchers: bool = False
    text_content: bool = False
    registers_content: bool = False
    shows_documents: bool = False


def client_of(params: types.InitializeParams, encoding: str) -> Client:
    """The client that sent `params`; `encoding` is the negotiated position encoding."""
    given = params.capabilities
    options = _options(params.initialization_options)

    def can(path: str) -> bool:
        return bool(get_capability(given, path))

    resolvable = get_capability(given, "text_document.code_action.resolve_support.properties")
    operations = get_capability(given, "workspace.workspace_edit.resource_operations")
    formats = get_capability(given, "text_document.hover.content_format")
    return Client(
        encoding=encoding,
        commands=frozenset(_strings(options.get("commands"))),
        documentation=next(iter(_strings([options.get("documentation")])), None),
        pulls_diagnostics=get_capability(given, "text_document.diagnostic") is not None,
        refreshes_diagnostics=get_capability(given, "text_document.diagnostic") is not None
        and can("workspace.diagnostics.refresh_support"),
        refreshes_lenses=can("workspace.code_lens.refresh_support"),
        refreshes_inlay_hints=can("workspace.inlay_hint.refresh_support"),
        related_information=can("text_document.publish_diagnostics.related_information")
        or can("text_document.diagnostic.related_information"),
        code_description=can("text_document.publish_diagnostics.code_description_support")
        or can("text_document.diagnostic.code_description_support"),
        resolves_edits="edit" in (resolvable or ()),
        shows_disabled=can("text_document.code_action.disabled_support"),
        document_changes=can("workspace.workspace_edit.document_changes"),
        annotations=can("workspace.workspace_edit.change_annotation_support"),
        creates_files=types.ResourceOperationKind.Create in (operations or ()),
        markdown=types.MarkupKind.Markdown in (formats or ()),
        configuration=can("workspace.configuration"),
        registers_configuration=can("workspace.did_change_configuration.dynamic_registration"),
        registers_watchers=can("workspace.did_change_watched_files.dynamic_registration"),
        text_content=get_capability(given, "workspace.text_document_content") is not None,
        registers_content=can("workspace.text_document_content.dynamic_registration"),
        shows_documents=can("window.show_document.support"),
    )


def _options(given: Any) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}


def _strings(given: Any) -> tuple[str, ...]:
    return tuple(s for s in given if isinstance(s, str)) if isinstance(given, list) else ()
