// The entry in the language status menu of Python files: what the server is doing.

import * as vscode from "vscode";

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
