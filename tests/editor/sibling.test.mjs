// Derivatives in a module of their own beside the functions': made, led to, brought up to date from there.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { makeProject, python } from "./model.mjs";
import {
  clickOn,
  keepEvidence,
  lineOf,
  openActions,
  openProject,
  runCommand,
  until,
} from "./workbench.mjs";

const MODEL = "RATE = 0.5\n\n\ndef square(x: float):\n    return RATE * x * x\n";
const project = makeProject(MODEL);
const beside = path.join(project.folder, "model_grad.py");
/** @type {import("./workbench.mjs").Code} */
let code;
/** @type {import("playwright-core").Page} */
let page;
/** @type {import("playwright-core").Locator} */
let editor;
/** @type {() => Promise<void>} */
let close;

before(async () => {
  ({ code, page, editor, close } = await openProject(project, {
    settings: { "security.workspace.trust.enabled": false },
    machine: { "pullback.interpreter": python },
  }));
  await lineOf(editor, "def square").waitFor();
});

afterEach((context) => keepEvidence(page, code)(context));

after(() => close?.());

const besideOnDisk = () => (fs.existsSync(beside) ? fs.readFileSync(beside, "utf8") : "");
/** What the module was, from action to action. @type {string[]} */
const versions = [];
const option = (/** @type {string} */ text) =>
  page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
const tab = (/** @type {string} */ name) => page.locator(".tab.active", { hasText: name });

/** The module is open meanwhile: what is written into it is saved by whoever looks at it. @param {string} text */
async function savedWith(text) {
  await until(async () => {
    await runCommand(page, "File: Save All");
    return besideOnDisk().includes(text);
  }, `the module has ${text}`);
}

test("the place is one of the choices, and the module is made", async () => {
  await clickOn(lineOf(editor, "def square"), "square");
  await (await openActions(page)).filter({ hasText: "choose kind and parameters" }).first().click();
  await option("gradient").click();
  await option("x").waitFor();
  await page.keyboard.press("Enter");
  await option("In a module beside it").click();
  await until(() => besideOnDisk().includes("return 2.0 * x * model.RATE"), "the module is on disk");
  assert.match(besideOnDisk(), /^"""Derivatives of model\."""\n\nimport model\n\n\n# pullback: grad of square in model /);
  assert.equal(project.onDisk(), MODEL);
  versions.push(besideOnDisk());
});

test("the commands lead from file to file", async () => {
  await clickOn(lineOf(editor, "def square"), "square");
  await runCommand(page, "Pullback: Go to Derivative");
  await tab("model_grad.py").waitFor();
  await lineOf(editor, "def square_grad").waitFor();
  await runCommand(page, "Pullback: Go to Function");
  await tab("model.py").waitFor();
  await lineOf(editor, "def square(").waitFor();
});

test("what a file on disk does to its derivative shows where one is looking", async () => {
  await runCommand(page, "Pullback: Go to Derivative");
  await tab("model_grad.py").waitFor();
  const marks = editor.locator(".squiggly-warning");
  fs.writeFileSync(project.file, MODEL.replace("x * x", "x * x * x"));
  await marks.first().waitFor();
  fs.writeFileSync(project.file, MODEL);
  await marks.first().waitFor({ state: "detached" });
  await runCommand(page, "Pullback: Go to Function");
  await tab("model.py").waitFor();
});

test("the place is remembered, and what changes in the function is brought there from its file", async () => {
  await lineOf(editor, "return RATE").click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" * x");
  await page.keyboard.press("Control+s");
  await page.locator("[id='status.languageStatus']").hover();
  await page.locator(".monaco-hover", { hasText: "1 of 1 not up to date" }).first().waitFor();
  await page.mouse.move(0, 0);
  await lineOf(editor, "return RATE").click();
  await runCommand(page, "Pullback: Bring Derivatives Up to Date");
  await savedWith("3.0 * x * x * model.RATE");
  versions.push(besideOnDisk());
  await clickOn(lineOf(editor, "def square"), "square");
  await (await openActions(page)).filter({ hasText: "Generate tangent" }).first().click();
  await savedWith("def square_jvp(");
});

test("one undo takes each back, and the last one the module itself", async () => {
  await clickOn(lineOf(editor, "def square"), "square");
  await runCommand(page, "Pullback: Go to Derivative");
  await option("square_grad").click();
  await tab("model_grad.py").waitFor();
  for (const before of versions.toReversed()) {
    await page.keyboard.press("Control+z");
    await until(async () => {
      await runCommand(page, "File: Save All");
      return besideOnDisk() === before;
    }, "the module is as it was");
  }
  await page.keyboard.press("Control+z");
  await until(() => !fs.existsSync(beside), "the module is gone");
});
