// "Show Adjoint": the server's virtual document of a derivative, beside its function; the line at the
// cursor on one side marks its lines on the other.

import * as vscode from "vscode";
import type { Server } from "./client";
import { ask, isNamed, type PlainRange, rangeOf, viaCodeAction } from "./requests";

export const SCHEME = "pullback-adjoint";

interface Adjoint {
  readonly address: string;
  readonly uri: string;
  readonly qualname: string;
  readonly kind: string;
  readonly show: string;
  readonly shows: readonly { readonly show: string; readonly title: string }[];
  readonly version: number;
  readonly lines: readonly (PlainRange | null)[];
}

/** The command of the server's code action; from the palette, that action is asked for first. */
export async function showAdjoint(server: Server, argument: unknown): Promise<void> {
  if (!isNamed(argument)) {
    await viaCodeAction(server, "refactor.pullback.adjoint");
    return;
  }
  const adjoint = await ask<Adjoint>(server, "pullback/adjoint", argument);
  if (adjoint) await open(adjoint.address, vscode.ViewColumn.Beside);
}

/** Another kind of derivative, or more or less of it, in the place of the preview that is shown. */
export async function changePreview(server: Server): Promise<void> {
  const editor = vscode.window.visibleTextEditors.find(isPreview);
  if (editor === undefined) return;
  const shown = await adjointOf(server, editor.document);
  if (shown === undefined) return;
  const { uri, qualname, kind, show } = shown;
  const choices = await ask<{ kinds: readonly { kind: string; title: string }[] }>(
    server,
    "pullback/choices",
    { uri, qualname },
  );
  if (choices === undefined) return;
  const kinds = choices.kinds.map((k) => ({ label: k.title, picked: k.kind === kind, change: { kind: k.kind } }));
  const shows = shown.shows.map((s) => ({ label: s.title, picked: s.show === show, change: { show: s.show } }));
  const separator = { label: "", kind: vscode.QuickPickItemKind.Separator, change: {} };
  const chosen = await vscode.window.showQuickPick([...shows, separator, ...kinds], {
    title: `What to show of ${qualname}`,
  });
  if (chosen === undefined) return;
  const asked = { uri, qualname, kind, show, ...chosen.change };
  const next = await ask<Adjoint>(server, "pullback/adjoint", asked);
  if (next === undefined) return;
  const old = editor.document.uri.toString();
  await open(next.address, editor.viewColumn ?? vscode.ViewColumn.Beside);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(
    tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === old),
  );
}

/** Marks lines that belong together, and says on a line of a derivative why it is there. */
export function linkLines(server: Server): vscode.Disposable {
  const mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightForeground"),
  });

  async function follow({ textEditor }: vscode.TextEditorSelectionChangeEvent): Promise<void> {
    for (const preview of vscode.window.visibleTextEditors.filter(isPreview)) {
      const adjoint = await adjointOf(server, preview.document, true);
      if (adjoint === undefined) continue;
      const primal = vscode.window.visibleTextEditors.find(
        ({ document }) => document.uri.toString() === vscode.Uri.parse(adjoint.uri, true).toString(),
      );
      if (primal?.document.version !== adjoint.version) continue;
      const origins = adjoint.lines.map((range) => range && rangeOf(range));
      const line = textEditor.selection.active.line;
      if (textEditor === preview) {
        primal.setDecorations(mark, [origins[line]].filter(isRange));
      } else if (textEditor === primal) {
        preview.setDecorations(mark, linesOf(origins, line));
      }
    }
  }

  return vscode.Disposable.from(
    mark,
    vscode.window.onDidChangeTextEditorSelection(follow),
    vscode.languages.registerHoverProvider({ scheme: SCHEME }, {
      async provideHover(document, { line }) {
        const asked = { address: document.uri.toString(), line };
        const said = await ask<{ text: string } | null>(server, "pullback/why", asked);
        return said ? new vscode.Hover(new vscode.MarkdownString(said.text)) : undefined;
      },
    }),
  );
}

const isRange = (range: vscode.Range | null | undefined): range is vscode.Range => Boolean(range);

/** The lines of a derivative that come from a line; of several statements there, from the smallest. */
function linesOf(origins: readonly (vscode.Range | null)[], line: number): vscode.Range[] {
  const around = origins.filter(isRange).filter((r) => r.start.line <= line && line <= r.end.line);
  const length = (r: vscode.Range) => r.end.line - r.start.line;
  const least = Math.min(...around.map(length));
  return origins.flatMap((origin, at) =>
    origin && around.includes(origin) && length(origin) === least
      ? [new vscode.Range(at, 0, at, 0)]
      : [],
  );
}

const isPreview = ({ document }: vscode.TextEditor): boolean => document.uri.scheme === SCHEME;

// While somebody only moves the cursor, a server that is away is no matter for a message.
async function adjointOf(
  server: Server,
  document: vscode.TextDocument,
  quietly = false,
): Promise<Adjoint | undefined> {
  const asked = { address: document.uri.toString() };
  if (!quietly) return ask<Adjoint>(server, "pullback/adjoint", asked);
  try {
    return await server.running?.sendRequest<Adjoint>("pullback/adjoint", asked);
  } catch {
    return undefined;
  }
}

async function open(address: string, viewColumn: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(address, true));
  await vscode.languages.setTextDocumentLanguage(document, "python");
  await vscode.window.showTextDocument(document, {
    viewColumn,
    preserveFocus: true,
    preview: false,
  });
}
