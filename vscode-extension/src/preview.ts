// "Show Adjoint": the server's virtual document of a derivative, beside its function.

import * as vscode from "vscode";
import type { Server } from "./client";

/** The request `pullback/adjoint`, of which only the address is used here (see docs/protocol.md). */
interface AdjointParams {
  readonly uri: string;
  readonly qualname: string;
  readonly kind?: string;
}

interface AdjointResult {
  readonly address: string;
}

/** The command of the server's code action; from the palette, that action is asked for first. */
export async function showAdjoint(server: Server, argument: unknown): Promise<void> {
  if (!isParams(argument)) {
    await vscode.commands.executeCommand("editor.action.codeAction", {
      kind: "refactor.pullback.adjoint",
      apply: "ifSingle",
    });
    return;
  }
  const client = server.running;
  if (client === undefined) {
    void vscode.window.showWarningMessage("Pullback's server is not running.");
    return;
  }
  const { address } = await client.sendRequest<AdjointResult>("pullback/adjoint", argument);
  await openBeside(vscode.Uri.parse(address, true));
}

function isParams(argument: unknown): argument is AdjointParams {
  const { uri, qualname } = (argument ?? {}) as Partial<Record<keyof AdjointParams, unknown>>;
  return typeof uri === "string" && typeof qualname === "string";
}

async function openBeside(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(document, "python");
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: false,
  });
}
