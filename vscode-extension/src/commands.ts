// The commands that need more than one line. Each asks the server or VS Code, and decides nothing.

import * as vscode from "vscode";
import { usableInterpreters } from "./interpreter";
import type { Server } from "./client";
import { viaCodeAction } from "./requests";
import { INTERPRETER, setInterpreter } from "./settings";

/** What `pullback grad` writes: the first of the server's own code actions at the cursor. */
export async function generateGradient(server: Server): Promise<void> {
  await viaCodeAction(server, "refactor.rewrite.pullback.grad");
}

/** In a remote window the machine's settings have a page of their own. */
export async function openSettings(): Promise<void> {
  const page = vscode.env.remoteName ? "openRemoteSettings" : "openSettings";
  await vscode.commands.executeCommand(`workbench.action.${page}`, { query: INTERPRETER });
}

/** Writes the choice into the setting; the listener on the setting restarts the server. */
export async function selectInterpreter(cwd: string, log: vscode.LogOutputChannel): Promise<void> {
  const automatic = {
    label: "Find one automatically",
    description: "the Python extension's, or else one on the PATH",
    program: undefined,
  };
  const browse = { label: "Browse…", description: "", program: undefined };
  const choices = usableInterpreters(cwd, log).then((found) => [
    ...found.map(({ command: [program], version, origin }) => ({
      label: `Python ${version}`,
      description: `${program} (${origin})`,
      program,
    })),
    automatic,
    browse,
  ]);
  const title = "The Python that runs Pullback's server";
  const chosen = await vscode.window.showQuickPick(choices, { title });
  if (chosen === undefined) return;
  const program = chosen === browse ? await browseForProgram(title) : chosen.program;
  if (program !== undefined || chosen === automatic) await setInterpreter(program);
}

async function browseForProgram(title: string): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({ title, openLabel: "Select" });
  return files?.[0]?.fsPath;
}
