// The module that the editor tests open, and what the command line makes of it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { root, temporaryFolder } from "./workbench.mjs";

/** Importing it would leave a trace on disk. Its last function cannot be differentiated. */
export const MODEL = `from pathlib import Path

import numpy as np

Path(__file__).with_suffix(".trace").touch()


def logistic_loss(w, X, y):
    # pullback: w: (d,), X: (n, d), y: (n,)
    z = X @ w
    p = 1.0 / (1.0 + np.exp(-z))
    losses = y * np.log(p) + (1.0 - y) * np.log(1.0 - p)
    return -np.mean(losses)


def spread(x):
    # pullback: differentiable
    distinct = np.unique(x)
    return np.sum(distinct * distinct)
`;

/** Makes a folder that holds the module; blanks and letters outside of ASCII are part of life. */
export function makeProject() {
  const { folder, remove } = temporaryFolder();
  const project = path.join(folder, "my mödels");
  const file = path.join(project, "model.py");
  fs.mkdirSync(project);
  fs.writeFileSync(file, MODEL);
  return { folder: project, file, remove, trace: path.join(project, "model.trace") };
}

/** What `pullback grad --write` makes of a module's text. */
export function writtenByCommandLine(/** @type {string} */ text, /** @type {string} */ name) {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, "model.py");
  fs.writeFileSync(file, text);
  pullback("grad", `${file}::${name}`, "--write");
  const written = fs.readFileSync(file, "utf8");
  remove();
  return written;
}

/** What `pullback grad` prints of a function of MODEL: no more than the derivative itself. */
export function printedByCommandLine(/** @type {string} */ name) {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, "model.py");
  fs.writeFileSync(file, MODEL);
  const printed = pullback("grad", `${file}::${name}`);
  remove();
  return printed;
}

/** @param {string[]} args */
function pullback(...args) {
  const venv = path.join(root, ".venv", "bin", "python");
  const python = process.env.PYTHON ?? (fs.existsSync(venv) ? venv : "python3");
  const folders = ["core", "server"].map((name) => path.join(root, name));
  const env = { ...process.env, PYTHONPATH: folders.join(path.delimiter) };
  const run = "import sys; from pullback.cli import main; sys.exit(main())";
  return execFileSync(python, ["-c", run, ...args], { env, encoding: "utf8" });
}
