// "Check Gradient": the derivative beside finite differences, in a process of its own, in a trusted
// workspace only.

import { spawn } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageclient/node";
import type { Server } from "./client";
import { needed } from "./environment";
import { apply, ask, isNamed, type Named, type PlainRange, rangeOf, viaCodeAction } from "./requests";

interface Example {
  readonly version: number;
  readonly arguments: string | null;
  readonly parameters: readonly string[];
  readonly range: PlainRange;
  readonly seconds: number;
  readonly megabytes: number;
}

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the function's derivative where it is asked for, and reports at the function. */
export async function checkGradient(
  server: Server,
  reports: vscode.DiagnosticCollection,
  argument: unknown,
): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage(
      "Check Gradient runs your code: it needs a workspace that you trust.",
    );
    return;
  }
  if (!isNamed(argument)) {
    await viaCodeAction(server, "refactor.pullback.check");
    return;
  }
  const uri = vscode.Uri.parse(argument.uri, true);
  const given = await exampleOf(server, argument);
  const interpreter = server.interpreterAtWork;
  if (given === undefined || interpreter === undefined) return;
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await document.save())) return; // what runs is what is on disk
  const example = await ask<Example>(server, "pullback/example", argument);
  if (example === undefined) return;
  const kind = argument.kind ?? "grad";
  const command = [...interpreter, server.bundled("check.py")];
  command.push(uri.fsPath, argument.qualname, kind, given, String(example.megabytes));
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Checking the gradient of ${argument.qualname}`,
      cancellable: true,
    },
    (_, token) => run(command, folder, example.seconds, token),
  );
  if (outcome === undefined) return;
  show(reports, document, { qualname: argument.qualname, range: rangeOf(example.range) }, outcome);
}

/** The arguments of the function's comment; otherwise a person is asked, once, and the comment keeps them. */
async function exampleOf(server: Server, named: Named): Promise<string | undefined> {
  const example = await ask<Example>(server, "pullback/example", named);
  if (example?.arguments !== null) return example?.arguments;
  const given = await vscode.window.showInputBox({
    title: `Arguments to check ${named.qualname} at`,
    prompt: `${example.parameters.join(", ")}: an expression; np is NumPy. It is kept as a comment.`,
    placeHolder: example.parameters.map(() => "np.ones(3)").join(", "),
    validateInput: (text) => (text.trim() === "" ? "Arguments are needed" : undefined),
  });
  if (given === undefined) return undefined;
  const { uri, qualname } = named;
  const kept = { uri, qualname, version: example.version, arguments: given };
  const edit = await ask<WorkspaceEdit>(server, "pullback/keepExample", kept);
  if (edit !== undefined) await apply(server, edit);
  return given;
}

/**
 * What a program prints and how it ends; undefined where it was cancelled. It gets its own process group, which is
 * killed as a whole. Its standard input stays open for as long as this process lives, and `check.py` ends with it.
 */
function run(
  [program = "", ...args]: readonly string[],
  cwd: string,
  seconds: number,
  token: vscode.CancellationToken,
): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    const grouped = process.platform !== "win32";
    const env = needed(process.env);
    const child = spawn(program, args, { cwd, env, detached: grouped, windowsHide: true });
    let output = "";
    let ended: Outcome | undefined = { code: null, output: "" };
    const stop = () => {
      if (child.pid !== undefined && grouped) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    };
    const timer = setTimeout(() => {
      ended = { code: 2, output: `It took longer than ${String(seconds)} s (pullback.checkSeconds).` };
      stop();
    }, seconds * 1000);
    const cancelled = token.onCancellationRequested(() => {
      ended = undefined;
      stop();
    });
    child.stdout.on("data", (data: Buffer) => (output += data.toString()));
    child.stderr.on("data", (data: Buffer) => (output += data.toString()));
    child.on("error", (error) => (output += error.message));
    child.on("close", (code) => {
      clearTimeout(timer);
      cancelled.dispose();
      resolve(ended?.code === null ? { code, output: output.trim() } : ended);
    });
  });
}

/** Reports at one function; what a check said of another stays. */
function show(
  reports: vscode.DiagnosticCollection,
  document: vscode.TextDocument,
  { qualname, range }: { readonly qualname: string; readonly range: vscode.Range },
  { code, output }: Outcome,
): void {
  const others = (reports.get(document.uri) ?? []).filter((report) => report.code !== qualname);
  if (code === 0) {
    reports.set(document.uri, others);
    void vscode.window.showInformationMessage(output);
    return;
  }
  const severity = vscode.DiagnosticSeverity.Error;
  const report = new vscode.Diagnostic(range, output || "The check failed.", severity);
  report.source = "pullback check";
  report.code = qualname;
  reports.set(document.uri, [...others, report]);
  const word = code === 1 ? "The gradient disagrees" : "The gradient could not be checked";
  void vscode.window.showErrorMessage(`${word}: ${output.split("\n", 1)[0] ?? ""}`);
}
