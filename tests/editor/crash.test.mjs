// A server that crashes: it is started again, nothing of the text is lost, and it is said once.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { makeProject, python } from "./model.mjs";
import {
  hoverOver,
  keepEvidence,
  lineOf,
  notification,
  openProject,
  runCommand,
  until,
} from "./workbench.mjs";

const MODEL = "import numpy as np\n\n\ndef energy(x):\n    return np.sum(x * x)\n";
const TYPED = "def typed(x): return np.sin(x)";
const project = makeProject(MODEL);
const started = path.join(project.folder, "started");
/** @type {import("./workbench.mjs").Code} */
let code;
/** @type {import("playwright-core").Page} */
let page;
/** @type {import("playwright-core").Locator} */
let editor;
/** @type {() => Promise<void>} */
let close;

/** A Python that writes down which process each server is. */
function noting() {
  const file = path.join(project.folder, "noting");
  const note = `case "$*" in *start.py*) echo $$ >> "${started}";; esac`;
  fs.writeFileSync(file, `#!/bin/sh\n${note}\nexec ${python} "$@"\n`, { mode: 0o755 });
  return file;
}

before(async () => {
  ({ code, page, editor, close } = await openProject(project, {
    settings: { "security.workspace.trust.enabled": false },
    machine: { "pullback.interpreter": noting() },
  }));
  await lineOf(editor, "def energy").waitFor();
});

afterEach((context) => keepEvidence(page, code)(context));

after(() => close?.());

/** The processes of all servers so far. */
function servers() {
  if (!fs.existsSync(started)) return [];
  return fs.readFileSync(started, "utf8").trim().split("\n").map(Number);
}

function crash() {
  process.kill(/** @type {number} */ (servers().at(-1)), "SIGKILL");
}

test("what was typed and not saved is there, and the new server knows it", async () => {
  await hoverOver(lineOf(editor, "def energy"), "energy", "energy_grad");
  await lineOf(editor, "import numpy").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(TYPED);
  crash();
  await until(() => servers().length === 2, "the server is started again");
  await hoverOver(lineOf(editor, "def typed"), "typed", "typed_grad");
  assert.equal(fs.readFileSync(project.file, "utf8"), MODEL);
  await notification(page, "crashed and was started again");
});

test("further crashes say nothing, until they are too many", async () => {
  await runCommand(page, "Notifications: Clear All Notifications");
  for (const number of [3, 4, 5]) {
    await hoverOver(lineOf(editor, "def typed"), "typed", "typed_grad");
    crash();
    await until(() => servers().length === number, "the server is started again");
  }
  await hoverOver(lineOf(editor, "def typed"), "typed", "typed_grad");
  crash();
  const shown = await notification(page, "crashes again and again");
  const said = page.locator(".notifications-center .notification-list-item");
  assert.equal(await said.count(), 1);
  assert.equal(servers().length, 5);
  await shown.getByRole("button", { name: "Report a Problem" }).click();
  await lineOf(editor, "## Versions").waitFor();
});
