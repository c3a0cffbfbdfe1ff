// The entries in the language status menu of Python files: what the server is doing, and how the
// derivatives of the file stand to their functions.

import * as vscode from "vscode";
import type { Server } from "./client";
import type { State } from "./derivatives";

export interface Status {
  starting(): void;
  ready(serverVersion: string, interpreter: string): void;
  failed(reason: string): void;
  dispose(): void;
}

export function createStatus(selector: vscode.DocumentSelector, logCommand: string): Status {
  const item = vscode.languages.createLanguageStatusItem("pullback.status", selector);
  item.name = "Pullback";
  item.command = { command: logCommand, title: "Show Log" };

  function show(text: string, detail: string, severity = vscode.LanguageStatusSeverity.Information) {
    item.text = text;
    item.detail = detail;
    item.severity = severity;
    item.busy = false;
  }

  return {
    starting() {
      show("Pullback", "Starting");
      item.busy = true;
    },
    ready(serverVersion, interpreter) {
      show(`Pullback ${serverVersion}`, interpreter);
    },
    failed(reason) {
      show("Pullback is not running", reason, vscode.LanguageStatusSeverity.Error);
    },
    dispose() {
      item.dispose();
    },
  };
}

/** The state of the active file's derivatives, asked for again with every new set of its diagnostics. */
export function followDerivatives(
  server: Server,
  selector: vscode.DocumentSelector,
): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("pullback.derivatives", selector);
  item.name = "Derivatives";
  item.text = "No derivatives";

  async function renew(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const document = vscode.window.activeTextEditor?.document;
    if (uri === undefined || !document || !vscode.languages.match(selector, document)) return;
    try {
      const asked = { uri: uri.toString() };
      const answer = await server.running?.sendRequest<Answer>("pullback/states", asked);
      if (answer && uri === vscode.window.activeTextEditor?.document.uri) show(answer.states);
    } catch {
      // The document was closed, or the server is about to start anew: the next change asks again.
    }
  }

  function show(states: readonly State[]): void {
    const behind = states.filter(({ state }) => state !== "up to date");
    const { Information, Warning } = vscode.LanguageStatusSeverity;
    item.severity = behind.length > 0 ? Warning : Information;
    item.text =
      states.length === 0
        ? "No derivatives"
        : behind.length === 0
          ? `∇ ${String(states.length)} up to date`
          : `∇ ${String(behind.length)} of ${String(states.length)} not up to date`;
    item.detail = behind.map(({ name, state }) => `${name}: ${state}`).join(", ");
    item.command =
      behind.length > 0
        ? { command: "pullback.bringUpToDate", title: "Bring Up to Date" }
        : undefined;
  }

  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveTextEditor(renew),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const active = vscode.window.activeTextEditor?.document.uri.toString();
      if (uris.some((uri) => uri.toString() === active)) void renew();
    }),
  );
}

interface Answer {
  readonly states: readonly State[];
}
