// "Report a Problem": versions and the function at hand, in a document to be read before it is sent.

import * as vscode from "vscode";
import type { Server } from "./client";

export async function reportProblem(server: Server, extensionVersion: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const document = editor?.document;
  const found = document
    ? vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === "pullback")
    : [];
  const told = found.map(({ code, message, range }) => {
    const name = typeof code === "object" ? code.value : code;
    return `- line ${String(range.start.line + 1)}: ${String(name)} ${message}`;
  });
  const text = editor && !editor.selection.isEmpty ? document?.getText(editor.selection) : undefined;
  const content = [
    "<!-- Nothing has been sent. Please remove what is nobody's business, and add what you did. -->",
    "## What happened",
    "",
    "## What was expected",
    "",
    "## The function",
    "",
    "```python",
    text ?? "# select a function before the command to have it here",
    "```",
    "",
    "## Reports",
    "",
    ...(told.length > 0 ? told : ["none"]),
    "",
    "## Versions",
    "",
    `- Pullback ${extensionVersion}, server ${server.version ?? "not running"}`,
    `- Python: ${server.interpreterAtWork?.join(" ") ?? "none"}`,
    `- ${vscode.env.appName} ${vscode.version}, ${process.platform} ${process.arch}`,
    "",
  ].join("\n");
  const shown = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(shown);
}
