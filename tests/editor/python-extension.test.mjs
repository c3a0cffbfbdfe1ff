// The interpreter that the Python extension gives, which is asked for rather than depended on. A
// stand-in takes its place: it gives whatever program a file names, and says when that changes.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { createVSIX } from "@vscode/vsce";
import { makeProject } from "./model.mjs";
import {
  grantTrust,
  keepEvidence,
  launchBrowser,
  openFolder,
  startCode,
  temporaryFolder,
  until,
} from "./workbench.mjs";

const STAND_IN = `
const fs = require("node:fs");
const vscode = require("vscode");
const chosen = process.env.CHOSEN_PYTHON;
const changes = new vscode.EventEmitter();
exports.activate = (context) => {
  context.subscriptions.push(changes);
  const watch = () => changes.fire({});
  fs.watchFile(chosen, { interval: 50 }, watch);
  context.subscriptions.push({ dispose: () => fs.unwatchFile(chosen, watch) });
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: chosen, path: fs.readFileSync(chosen, "utf8") }),
      resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changes.event,
    },
  };
};
`;

const project = makeProject();
const scratch = temporaryFolder();
const chosen = path.join(scratch.folder, "chosen");
const used = path.join(scratch.folder, "used");
/** @type {import("./workbench.mjs").Code} */
let code;
/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("playwright-core").Page} */
let page;

/** A program that only adds a line to a file, and then is Python. */
function pythonCalled(/** @type {string} */ name) {
  const file = path.join(scratch.folder, name);
  fs.writeFileSync(file, `#!/bin/sh\necho ${name} >>"${used}"\nexec python3 "$@"\n`, { mode: 0o755 });
  return file;
}

async function packStandIn() {
  const folder = path.join(scratch.folder, "stand-in");
  const packagePath = path.join(scratch.folder, "stand-in.vsix");
  const manifest = {
    name: "python",
    publisher: "ms-python",
    version: "0.0.1",
    description: "Stands in for the Python extension in tests",
    engines: { vscode: "^1.105.0" },
    main: "./main.js",
    activationEvents: ["onLanguage:python"],
    capabilities: { untrustedWorkspaces: { supported: true } },
  };
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  fs.writeFileSync(path.join(folder, "main.js"), STAND_IN);
  fs.writeFileSync(path.join(folder, "README.md"), "# Stand-in\n");
  const options = { cwd: folder, packagePath, dependencies: false, skipLicense: true };
  await createVSIX({ ...options, allowMissingRepository: true });
  return packagePath;
}

before(async () => {
  fs.writeFileSync(chosen, pythonCalled("first"));
  code = await startCode({ env: { CHOSEN_PYTHON: chosen }, extensions: [await packStandIn()] });
  browser = await launchBrowser();
  page = await openFolder(browser, code, project);
});

afterEach((context) => keepEvidence(page, code)(context));

after(async () => {
  await browser?.close();
  await code?.stop();
  project.remove();
  scratch.remove();
});

const startsWith = (/** @type {RegExp} */ what) =>
  until(() => what.test(code.log().split("Starting the server with ").at(-1) ?? ""), `starts ${what}`);

test("in Restricted Mode its choice does not count: it may be a program of the folder", async () => {
  await startsWith(/python3? \(Python \S+, the PATH\)/);
  assert.equal(fs.existsSync(used), false);
});

test("in a trusted folder it does", async () => {
  await grantTrust(page);
  await startsWith(/first \(Python \S+, the Python extension\)/);
});

test("another choice restarts the server", async () => {
  fs.writeFileSync(chosen, pythonCalled("second"));
  await startsWith(/second \(Python \S+, the Python extension\)/);
});

test("a choice that does not serve is passed over", async () => {
  fs.writeFileSync(chosen, path.join(scratch.folder, "missing"));
  await startsWith(/python3? \(Python \S+, the PATH\)/);
  assert.match(code.log(), /Passed over \S+missing \(from the Python extension\): it does not exist/);
});
