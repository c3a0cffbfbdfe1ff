// Pullback's settings as VS Code holds them.

import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { ConfigurationItem } from "vscode-languageclient/node";
import type { Command } from "./python";

export const INTERPRETER = "pullback.interpreter";

/** Where somebody may set something, as VS Code's own inspection names it. */
const PLACES = [
  "globalValue",
  "workspaceValue",
  "workspaceFolderValue",
  "globalLanguageValue",
  "workspaceLanguageValue",
  "workspaceFolderLanguageValue",
] as const;

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

/**
 * What somebody has set of a section: what nobody has is left to the project's `[tool.pullback]`, which
 * the defaults would hide.
 */
export function settingsGiven({ section, scopeUri }: ConfigurationItem): Record<string, unknown> {
  const resource = scopeUri === undefined ? undefined : vscode.Uri.parse(scopeUri, true);
  const configuration = vscode.workspace.getConfiguration(section, resource);
  const names = Object.keys(configuration).filter((name) => {
    const known = configuration.inspect(name);
    return PLACES.some((place) => known?.[place] !== undefined);
  });
  return Object.fromEntries(names.map((name) => [name, configuration.get(name)]));
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
