// What a Python program is, asked of the program itself. Knows nothing of VS Code.

import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import * as path from "node:path";

/** A program and the arguments that come before any script. */
export type Command = readonly [program: string, ...args: string[]];

export type Inspection =
  | { readonly kind: "usable"; readonly version: string }
  | { readonly kind: "unusable"; readonly reason: string };

const OLDEST = [3, 10] as const;
const PATIENCE_MS = 10_000;
// Readable to every Python there is; -I and -S keep anybody else's code from running.
const QUESTION = "import sys; print('python %d.%d.%d' % sys.version_info[:3])";

/** The arguments with which nothing but the standard library can be imported. */
export const ISOLATED = ["-I", "-S"] as const;

/** Asks a program for its version; a program that hangs, fails or is no Python is unusable. */
export function inspectPython(
  [program, ...args]: Command,
  cwd: string,
  patience = PATIENCE_MS,
): Promise<Inspection> {
  const unusable = (reason: string): Inspection => ({ kind: "unusable", reason });
  const options = { cwd, timeout: patience, killSignal: "SIGKILL", windowsHide: true } as const;
  return new Promise((resolve) => {
    execFile(program, [...args, ...ISOLATED, "-c", QUESTION], options, (error, stdout, stderr) => {
      if (error?.killed) resolve(unusable(`gave no answer in ${String(patience / 1000)} s`));
      else if (error?.code === "ENOENT") resolve(unusable("does not exist"));
      else if (error?.code === "EACCES") resolve(unusable("may not be run"));
      else if (error) resolve(unusable(`failed: ${firstLine(stderr) || error.message}`));
      else resolve(versionIn(stdout));
    });
  });
}

function versionIn(answer: string): Inspection {
  const match = /^python (\d+)\.(\d+)\.(\d+)\s*$/.exec(answer);
  if (!match) return { kind: "unusable", reason: "is not Python" };
  const version = match.slice(1).join(".");
  const [major, minor] = [Number(match[1]), Number(match[2])];
  const recent = major > OLDEST[0] || (major === OLDEST[0] && OLDEST[1] <= minor);
  if (recent) return { kind: "usable", version };
  return { kind: "unusable", reason: `is Python ${version}, too old` };
}

const firstLine = (text: string): string => text.trim().split(/\r?\n/, 1)[0] ?? "";

/**
 * Where the programs of these names are, in the order of the names and then of the PATH. Only
 * absolute folders count: "." on the PATH would be whatever folder happens to be open.
 */
export function programsOnPath(
  names: readonly string[],
  searchPath: string = process.env.PATH ?? "",
  platform: NodeJS.Platform = process.platform,
): string[] {
  const suffix = platform === "win32" ? ".exe" : "";
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = names.flatMap((name) => folders.map((folder) => path.join(folder, name + suffix)));
  return [...new Set(found)].filter(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
