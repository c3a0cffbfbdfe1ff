// Which Python runs the server, what is said when none serves, and what an untrusted folder may do.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { makeProject } from "./model.mjs";
import {
  editorIn,
  grantTrust,
  keepEvidence,
  launchBrowser,
  openFolder,
  runCommand,
  startCode,
  temporaryFolder,
  until,
} from "./workbench.mjs";

const project = makeProject();
const programs = temporaryFolder();
const used = path.join(programs.folder, "used");
/** @type {import("./workbench.mjs").Code} */
let code;
/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("playwright-core").Page} */
let page;
/** @type {import("playwright-core").Locator} */
let squiggle;

/** A program for the PATH or a setting. */
function program(/** @type {string} */ name, /** @type {string} */ script) {
  const file = path.join(programs.folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

/** The absolute path of a program of this machine. */
function find(/** @type {string} */ name) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const found = folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
  assert.ok(found, `${name} is on the PATH`);
  return found;
}

// The program itself: a launcher in its place would need the PATH that is taken away below.
const ask = ["-c", "import sys; print(sys.executable)"];
const python = execFileSync("python3", ask, { encoding: "utf8" }).trim();

before(async () => {
  // The folder asks for a program of its own, which leaves a trace when it is run.
  const own = program("own/python", `echo own >>"${used}"; exec "${python}" "$@"`);
  project.configure({ "pullback.interpreter": own });
  // A PATH without any Python, but with what the start script of VS Code's server needs.
  for (const name of ["dirname", "sh"]) {
    fs.mkdirSync(path.join(programs.folder, "bin"), { recursive: true });
    fs.symlinkSync(find(name), path.join(programs.folder, "bin", name));
  }
  code = await startCode({ env: { PATH: path.join(programs.folder, "bin") } });
  browser = await launchBrowser();
  page = await openFolder(browser, code, project);
  squiggle = editorIn(page).locator(".squiggly-error").first();
});

afterEach((context) => keepEvidence(page, code)(context));

after(async () => {
  await browser?.close();
  await code?.stop();
  project.remove();
  programs.remove();
});

/** The message that holds a text, from the bell's list: under test VS Code pops nothing up. */
async function message(/** @type {string} */ text) {
  await until(() => code.log().includes(text), `the log says "${text}"`);
  await runCommand(page, "Notifications: Show Notifications");
  const shown = page.locator(".notifications-center .notification-list-item", { hasText: text });
  await shown.first().waitFor();
  return shown.first();
}

test("without any Python there is a message with ways out", async () => {
  const shown = await message("There is no python3 or python on the PATH");
  for (const name of ["Select Interpreter…", "Show Log"]) {
    assert.ok(await shown.getByRole("button", { name }).isVisible(), name);
  }
  await shown.getByRole("button", { name: "Open Settings" }).click();
  await page.locator(".settings-editor .setting-item", { hasText: "Interpreter" }).first().waitFor();
  await page.keyboard.press("Control+w");
  await editorIn(page).locator(".view-line").first().waitFor();
});

test("a Python that is too old is named, with its version", async () => {
  const old = program("old/python3", "echo python 3.8.10");
  code.setMachineSettings({ "pullback.interpreter": old });
  await message("is Python 3.8.10, too old");
  assert.equal(await squiggle.count(), 0);
});

test("a change of the setting starts the server, in Restricted Mode too", async () => {
  code.setMachineSettings({ "pullback.interpreter": python });
  await squiggle.waitFor();
  await page.getByRole("button", { name: "Restricted Mode" }).waitFor();
});

test("another change starts it anew, with arguments if there are any", async () => {
  code.setMachineSettings({ "pullback.interpreter": [find("env"), "-u", "NAME", python] });
  await until(() => /Starting the server with \S*env -u NAME /.test(code.log()), "started anew");
  await squiggle.waitFor();
});

test("the restart command starts it anew", async () => {
  const starts = () => code.log().split("Starting the server with").length - 1;
  const before = starts();
  await runCommand(page, "Pullback: Restart Server");
  await until(() => starts() === before + 1, "started once more");
  await squiggle.waitFor();
});

test("an untrusted folder's own interpreter is not run; a trusted one's is", async () => {
  assert.equal(fs.existsSync(used), false);
  await grantTrust(page);
  await until(() => fs.existsSync(used), "the folder's interpreter is used");
  await squiggle.waitFor();
});

test("nothing of the folder was imported or run", () => {
  assert.equal(fs.existsSync(project.trace), false);
});
