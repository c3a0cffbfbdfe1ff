// Pullback's settings as VS Code holds them.

import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Command } from "./python";

export const INTERPRETER = "pullback.interpreter";

/** The command that the setting names, or undefined where it is empty. */
export function interpreterSetting(): Command | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const value = vscode.workspace.getConfiguration(undefined, folder).get<unknown>(INTERPRETER);
  const words = (Array.isArray(value) ? value : [value])
    .filter((word): word is string => typeof word === "string" && word.trim() !== "")
    .map((word) => expand(word.trim(), folder?.fsPath));
  const [program, ...args] = words;
  if (program === undefined) return undefined;
  return [absolute(program, folder?.fsPath), ...args];
}

/** Writes the setting where the one that now counts is written: the workspace's or the user's. */
export async function setInterpreter(program: string | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const inWorkspace = configuration.inspect(INTERPRETER)?.workspaceValue !== undefined;
  const target = inWorkspace
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  await configuration.update(INTERPRETER, program, target);
}

function expand(word: string, folder: string | undefined): string {
  return word
    .replace(/^~(?=[/\\])/, homedir())
    .replaceAll("${workspaceFolder}", folder ?? "${workspaceFolder}");
}

// "bin/python" is meant from the workspace folder; a bare "python3.12" is looked up on the PATH.
function absolute(program: string, folder: string | undefined): string {
  const isBareName = !/[/\\]/.test(program);
  if (isBareName || path.isAbsolute(program) || folder === undefined) return program;
  return path.join(folder, program);
}
