// The module that the editor tests open, and what the command line makes of it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { root, temporaryFolder } from "./workbench.mjs";

export const MODEL = fs.readFileSync(new URL("model.py", import.meta.url), "utf8");

/**
 * Makes a folder that holds a module; blanks and letters outside of ASCII are part of life.
 * @param {string} text
 * @param {string} name
 */
export function makeProject(text = MODEL, name = "model.py") {
  const { folder, remove } = temporaryFolder();
  const project = path.join(folder, "my mödels");
  const file = path.join(project, name);
  const settings = path.join(project, ".vscode", "settings.json");
  fs.mkdirSync(path.dirname(settings), { recursive: true });
  fs.writeFileSync(file, text);
  return {
    folder: project,
    file,
    remove,
    trace: path.join(project, "model.trace"),
    onDisk: () => fs.readFileSync(file, "utf8"),
    /** The folder's settings, which count without a restart. @param {object} value */
    configure: (value) => fs.writeFileSync(settings, JSON.stringify(value)),
  };
}

/**
 * What `pullback grad` prints of a function of MODEL, and what it makes of the file with --write.
 * @param {string} name
 */
export const printedByCommandLine = (name) => commandLine(MODEL, "grad", name).printed;
export const writtenByCommandLine = (/** @type {string} */ name) =>
  commandLine(MODEL, "grad", name, "--write").written;

/**
 * What a command prints of a function of a module, or of the module, and what it makes of the file.
 * @param {string} text @param {string} command @param {string} name @param {string[]} options
 */
export function commandLine(text, command, name, ...options) {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, "model.py");
  try {
    fs.writeFileSync(file, text);
    const printed = pullback(command, name ? `${file}::${name}` : file, ...options);
    return { printed, written: fs.readFileSync(file, "utf8") };
  } finally {
    remove();
  }
}

// ./test makes .venv; elsewhere the python3 of the PATH has to have Pullback's packages.
const venv = path.join(root, ".venv", "bin", "python");
export const python = fs.existsSync(venv) ? venv : "python3";

/**
 * This checkout's command line.
 * @param {string[]} args
 */
function pullback(...args) {
  const folders = ["core", "server"].map((name) => path.join(root, name));
  const env = { ...process.env, PYTHONPATH: folders.join(path.delimiter) };
  const run = "import sys; from pullback.cli import main; sys.exit(main())";
  return execFileSync(python, ["-c", run, ...args], { env, encoding: "utf8" });
}
