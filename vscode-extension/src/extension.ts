// Where VS Code comes in: every command, listener and view of the extension is registered here.

import * as vscode from "vscode";
import { DOCUMENTS, Server } from "./client";
import { checkGradient } from "./check";
import { generateGradient, openSettings, selectInterpreter } from "./commands";
import {
  bringUpToDate,
  chooseDerivative,
  compare,
  goToDerivative,
  goToFunction,
} from "./derivatives";
import { onDidChangeEnvironment } from "./interpreter";
import { changePreview, linkLines, showAdjoint } from "./preview";
import { reportProblem } from "./report";
import { INTERPRETER } from "./settings";
import { createStatus, followDerivatives } from "./status";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const folder = context.extensionPath;
  const log = vscode.window.createOutputChannel("Pullback", { log: true });
  const status = createStatus(DOCUMENTS, "pullback.showLog");
  const current = new Server(folder, log, status);
  server = current;

  const checks = vscode.languages.createDiagnosticCollection("pullback check");
  const { version } = context.extension.packageJSON as { version: string };
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
    command("pullback.generateGradient", () => generateGradient(current)),
    command("pullback.chooseDerivative", (given: unknown) => chooseDerivative(current, given)),
    command("pullback.bringUpToDate", bringUpToDate),
    command("pullback.compare", compare),
    command("pullback.goToDerivative", () => goToDerivative(current)),
    command("pullback.goToFunction", () => goToFunction(current)),
    command("pullback.showAdjoint", (given: unknown) => showAdjoint(current, given)),
    command("pullback.changePreview", () => changePreview(current)),
    command("pullback.checkGradient", (given: unknown) => checkGradient(current, checks, given)),
    command("pullback.reportProblem", () => reportProblem(current, version)),
    command("pullback.walkthrough", () => openWalkthrough(context.extension.id)),
    followDerivatives(current, DOCUMENTS),
    linkLines(current),
    checks,
    workspace.onDidChangeTextDocument(({ document }) => {
      checks.delete(document.uri);
    }),
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

async function openWalkthrough(extension: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension}#start`);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
