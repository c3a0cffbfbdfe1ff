// Where VS Code comes in: every command, listener and view of the extension is registered here.

import * as vscode from "vscode";
import { DOCUMENTS, Server } from "./client";
import { generateGradient, openSettings, selectInterpreter } from "./commands";
import { onDidChangeEnvironment } from "./interpreter";
import { showAdjoint } from "./preview";
import { INTERPRETER } from "./settings";
import { createStatus } from "./status";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const folder = context.extensionPath;
  const log = vscode.window.createOutputChannel("Pullback", { log: true });
  const status = createStatus(DOCUMENTS, "pullback.showLog");
  const current = new Server(folder, log, status, [
    ["Select Interpreter…", "pullback.selectInterpreter"],
    ["Open Settings", "pullback.openSettings"],
    ["Show Log", "pullback.showLog"],
  ]);
  server = current;

  const command = vscode.commands.registerCommand;
  const { workspace } = vscode;
  context.subscriptions.push(
    log,
    status,
    command("pullback.restart", () => current.restart()),
    command("pullback.showLog", () => {
      log.show();
    }),
    command("pullback.openSettings", openSettings),
    command("pullback.selectInterpreter", () => selectInterpreter(folder, log)),
    command("pullback.generateGradient", generateGradient),
    command("pullback.showAdjoint", (argument: unknown) => showAdjoint(current, argument)),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(INTERPRETER)) await current.restart();
    }),
    // Before, the workspace's setting and the Python extension's choice did not count.
    workspace.onDidGrantWorkspaceTrust(() => current.restartIfInterpreterChanged()),
  );

  await current.restart();
  const environment = await onDidChangeEnvironment(
    () => void current.restartIfInterpreterChanged(),
    log,
  );
  if (environment) context.subscriptions.push(environment);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
