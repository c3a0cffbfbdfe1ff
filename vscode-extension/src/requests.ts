// What the extension asks the server for beyond the protocol: see docs/protocol.md.

import * as vscode from "vscode";
import type {
  CreateFile,
  DeleteFile,
  RenameFile,
  TextDocumentEdit,
  WorkspaceEdit,
} from "vscode-languageclient/node";
import type { Server } from "./client";

const CANCELLED = new vscode.CancellationError().name;

/** A function of a document, as the server's commands name it. */
export interface Named {
  readonly uri: string;
  readonly qualname: string;
  readonly kind?: string;
}

interface PlainPosition {
  readonly line: number;
  readonly character: number;
}

/** A range as the protocol writes it. */
export interface PlainRange {
  readonly start: PlainPosition;
  readonly end: PlainPosition;
}

/** Whether a command's argument names a function; from the palette there is none. */
export function isNamed(argument: unknown): argument is Named {
  const { uri, qualname } = (argument ?? {}) as Partial<Record<keyof Named, unknown>>;
  return typeof uri === "string" && typeof qualname === "string";
}

/** The server's answer; what it refuses, and that there is no server, are shown and give undefined. */
export async function ask<T>(
  server: Server,
  method: string,
  params: object,
): Promise<T | undefined> {
  await server.settled();
  const client = server.running;
  if (client === undefined) {
    void vscode.window.showWarningMessage("Pullback's server is not running.");
    return undefined;
  }
  try {
    return await client.sendRequest<T>(method, params);
  } catch (error) {
    void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Makes an edit that the server gave for certain versions; not where a document has moved on. */
export async function apply(server: Server, edit: WorkspaceEdit): Promise<boolean> {
  const changes = await server.running?.protocol2CodeConverter.asWorkspaceEdit(edit);
  if (changes === undefined || !(edit.documentChanges ?? []).every(isCurrent)) {
    void vscode.window.showWarningMessage("The document has changed meanwhile; please try again.");
    return false;
  }
  // A file that is not open is saved, where the user's settings have it so: nobody would see that it is not.
  const elsewhere = (edit.documentChanges ?? []).some(
    (change) => !("textDocument" in change) || change.textDocument.version === null,
  );
  return vscode.workspace.applyEdit(changes, { isRefactoring: elsewhere });
}

function isCurrent(change: TextDocumentEdit | CreateFile | RenameFile | DeleteFile): boolean {
  if (!("textDocument" in change)) return true;
  const { uri, version } = change.textDocument;
  const address = vscode.Uri.parse(uri, true).toString();
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === address);
  // What is not open in the server's eyes has no version, and is as it is on disk.
  return version === null ? !document?.isDirty : document?.version === version;
}

/** How often an action is asked for, two seconds in all: a server that starts, and whoever types, needs less. */
const ATTEMPTS = 20;
const GAVE_UP = "gave up";

/**
 * Does what the server's own code action of a kind does at the cursor. VS Code's command for that is not used:
 * it gives up, without a word, where its light bulb looks for actions meanwhile.
 */
export async function viaCodeAction(server: Server, kind: string): Promise<void> {
  await server.settled();
  const editor = vscode.window.activeTextEditor;
  const action = editor && (await codeActionAt(editor, kind));
  if (action === undefined || action === GAVE_UP) {
    void vscode.window.showInformationMessage(whyNone(server, action));
    return;
  }
  const edited = action.edit && (await vscode.workspace.applyEdit(action.edit, { isRefactoring: true }));
  if (action.command === undefined || edited === false) return;
  const { command, arguments: given } = action.command;
  await vscode.commands.executeCommand(command, ...((given ?? []) as unknown[]));
}

function whyNone(server: Server, action: typeof GAVE_UP | undefined): string {
  if (server.running === undefined) return "Pullback's server is not running.";
  if (action === GAVE_UP) return "The document changes all the time; please try again.";
  return "There is no function at the cursor for which this can be done.";
}

/** Asked again where the document changes meanwhile: an edit is for the text that it was made for. */
async function codeActionAt(
  editor: vscode.TextEditor,
  kind: string,
): Promise<vscode.CodeAction | typeof GAVE_UP | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { document, selection } = editor;
    const { version } = document;
    const actions = await codeActions(document.uri, selection, kind);
    if (actions !== undefined && document.version === version) return actions[0];
    await new Promise((resolve) => setTimeout(resolve, 10 * attempt));
  }
  return GAVE_UP;
}

/** The actions of a kind, the first one with its edit; undefined where VS Code gave up looking for them. */
async function codeActions(
  uri: vscode.Uri,
  selection: vscode.Selection,
  kind: string,
): Promise<vscode.CodeAction[] | undefined> {
  try {
    return await vscode.commands.executeCommand("vscode.executeCodeActionProvider", uri, selection, kind, 1);
  } catch (error) {
    // It does so whenever an extension that starts brings actions of its own.
    if (error instanceof Error && error.name === CANCELLED) return undefined;
    throw error;
  }
}

export const rangeOf = ({ start, end }: PlainRange): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

/** Shows a place of a document, and puts the cursor there. */
export async function reveal(uri: string, range: PlainRange): Promise<void> {
  const { start } = rangeOf(range);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri, true), { selection: new vscode.Range(start, start) });
}
