// Which Python runs the server: the setting, else the Python extension's, else one on the PATH.

import * as vscode from "vscode";
import { type Command, inspectPython, programsOnPath } from "./python";
import { INTERPRETER, interpreterSetting } from "./settings";

export interface Interpreter {
  readonly command: Command;
  readonly version: string;
  readonly origin: string;
}

export interface Candidate {
  readonly command: Command;
  readonly origin: string;
}

export type Search =
  | { readonly kind: "found"; readonly interpreter: Interpreter }
  | { readonly kind: "none"; readonly message: string };

const PYTHON_EXTENSION = "ms-python.python";
const USUAL_NAMES = ["python3", "python"];
const ALL_NAMES = [...USUAL_NAMES, "python3.13", "python3.12", "python3.11", "python3.10"];

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): unknown;
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The first candidate that serves. A setting is an order: where it does not serve, nothing does. */
export async function findInterpreter(
  cwd: string,
  log: vscode.LogOutputChannel,
): Promise<Search> {
  const setting = interpreterSetting();
  const candidates = setting
    ? [{ command: setting, origin: `the setting ${INTERPRETER}` }]
    : await discover(USUAL_NAMES, log);
  const refused: string[] = [];
  for (const { command, origin } of candidates) {
    const answer = await inspectPython(command, cwd);
    if (answer.kind === "usable") {
      return { kind: "found", interpreter: { command, origin, version: answer.version } };
    }
    refused.push(`${command.join(" ")} (from ${origin}) ${answer.reason}`);
    log.warn(`Passed over ${command.join(" ")} (from ${origin}): it ${answer.reason}`);
  }
  return { kind: "none", message: explain(refused) };
}

/** All that serve, for a person to choose from. */
export async function usableInterpreters(
  cwd: string,
  log: vscode.LogOutputChannel,
): Promise<Interpreter[]> {
  const candidates = await discover(ALL_NAMES, log);
  const answers = await Promise.all(
    candidates.map(async (candidate) => ({
      candidate,
      answer: await inspectPython(candidate.command, cwd),
    })),
  );
  return answers.flatMap(({ candidate, answer }) =>
    answer.kind === "usable" ? [{ ...candidate, version: answer.version }] : [],
  );
}

/** Calls back when another environment is chosen in the Python extension, if there is one. */
export async function onDidChangeEnvironment(
  listener: () => void,
  log: vscode.LogOutputChannel,
): Promise<vscode.Disposable | undefined> {
  const python = await pythonExtension(log);
  return python?.environments?.onDidChangeActiveEnvironmentPath(listener);
}

async function discover(
  names: readonly string[],
  log: vscode.LogOutputChannel,
): Promise<Candidate[]> {
  const chosen = await chosenInPythonExtension(log);
  const onPath = programsOnPath(names).map(
    (program): Candidate => ({ command: [program], origin: "the PATH" }),
  );
  if (chosen === undefined) return onPath;
  return [{ command: [chosen], origin: "the Python extension" }, ...onPath];
}

// The Python extension may choose a program that the workspace brings along: not unless trusted.
async function chosenInPythonExtension(log: vscode.LogOutputChannel): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  try {
    const environments = (await pythonExtension(log))?.environments;
    if (environments === undefined) return undefined;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const chosen = environments.getActiveEnvironmentPath(folder);
    return (await environments.resolveEnvironment(chosen))?.executable.uri?.fsPath;
  } catch (error) {
    log.warn(`The Python extension did not say which interpreter it uses: ${String(error)}`);
    return undefined;
  }
}

async function pythonExtension(log: vscode.LogOutputChannel): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  try {
    return await extension?.activate();
  } catch (error) {
    log.warn(`The Python extension could not be started: ${String(error)}`);
    return undefined;
  }
}

function explain(refused: readonly string[]): string {
  const need = "Pullback needs Python 3.10 or newer to run (no packages, and not to run your code).";
  if (refused.length === 0) return `${need} There is no python3 or python on the PATH.`;
  return `${need} ${refused.join("; ")}.`;
}
