// Derivatives that stay right while one works: chosen, in step, looked into, checked.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { commandLine, makeProject, python } from "./model.mjs";
import {
  clickOn,
  editorIn,
  hoverOver,
  keepEvidence,
  lineOf,
  openActions,
  openProject,
  rewrite,
  runCommand,
  savedAs,
  shownText,
  until,
} from "./workbench.mjs";

// A byte order mark, CRLF, a tab, letters outside of ASCII, no newline at the end: all to be kept.
const MODEL = [
  "\uFEFFimport numpy as np",
  "",
  "",
  "def energy(\u03c9: float, k: float):",
  "\t# an oscillator",
  "\treturn 0.5 * k * \u03c9**2",
  "",
  "",
  "def settle(x: np.ndarray, n: int):",
  "    # pullback: x: (d,)",
  "    y = 2.0 * x",
  "    for _ in range(n):",
  "        y = y * np.sin(y)",
  "    return np.sum(y)",
].join("\r\n");
const project = makeProject(MODEL);
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
  await lineOf(editor, "def energy").waitFor();
});

afterEach((context) => keepEvidence(page, code)(context));

after(() => close?.());

const { onDisk } = project;
const saved = (/** @type {string} */ want, /** @type {string} */ what) => savedAs(page, project, want, what);
const rewritten = (/** @type {string} */ text) => rewrite(page, project, text);

async function undone() {
  await page.keyboard.press("Control+z");
  await saved(MODEL, "one undo restores the file byte for byte");
}

/** @param {string | RegExp} text */
const option = (text) => page.locator(".quick-input-list .monaco-list-row", { hasText: text });

/** Opens the menu of actions on the line of a function. @param {string} name @param {string} action */
async function choose(name, action) {
  await clickOn(lineOf(editor, `def ${name}`), name);
  const actions = await openActions(page);
  await actions.filter({ hasText: action }).first().click();
}

/** The line that has a hint of what is recorded. */
const recorded = () => lineOf(editor, /np\.sin\(y\)\s+records/);

test("the gradient with respect to all parameters is one of the actions", async () => {
  await choose("energy", "with respect to all parameters");
  await lineOf(editor, "def energy_grad").waitFor();
  const want = commandLine(MODEL, "grad", "energy", "--wrt", "*", "--write").written;
  await saved(want, "the file is what the command line writes");
  await undone();
});

test("kind, parameters and place are chosen step by step, and the place is remembered", async () => {
  await choose("energy", "choose kind and parameters");
  await option("vector-Jacobian product").click();
  await option(/^k$/).click();
  await page.keyboard.press("Enter");
  await option("At the end of the file").click();
  await lineOf(editor, "def energy_vjp").waitFor();
  const { printed } = commandLine(MODEL, "grad", "energy", "--kind", "vjp", "--wrt", "\u03c9,k");
  const want = `${MODEL}\n\n\n${printed.trimEnd()}`.replaceAll(/\r?\n/g, "\r\n");
  await saved(want, "it stands at the end of the file");
  await undone();
  await choose("energy", "Generate gradient of `energy` with respect to `\u03c9`");
  await lineOf(editor, "def energy_grad").waitFor();
  await until(
    async () => (await shownText(editor)).indexOf("def settle") < (await shownText(editor)).indexOf("def energy_grad"),
    "other actions put it there, too",
  );
  await undone();
});

test("what is out of date is told, and brought up to date with one command", async () => {
  const made = commandLine(MODEL, "grad", "settle", "--write").written;
  await rewritten(made.replace("y = 2.0 * x", "y = 3.0 * x"));
  await editor.locator(".squiggly-warning").first().waitFor();
  await page.locator("[id='status.languageStatus']").hover();
  const status = page.locator(".monaco-hover", { hasText: "1 of 1 not up to date" }).first();
  await status.waitFor();
  await page.mouse.move(0, 0);
  await lineOf(editor, "def settle").click();
  await runCommand(page, "Pullback: Bring Derivatives Up to Date");
  const changed = MODEL.replace("y = 2.0 * x", "y = 3.0 * x");
  const want = commandLine(changed, "grad", "settle", "--write").written;
  await until(async () => (await editor.locator(".squiggly-warning").count()) === 0, "it is up to date");
  await saved(want, "the file is what sync writes");
});

test("lenses, where they are wanted, mend and lead from one to the other", async () => {
  project.configure({ "pullback.codeLens": true });
  const lens = (/** @type {string} */ text) => editor.locator(".codelens-decoration a", { hasText: text });
  await lens("settle_grad: up to date").waitFor();
  await lineOf(editor, "y = 3.0 * x").click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" + 1.0");
  await lens("out of date: regenerate").click();
  await lens("of settle: up to date").waitFor();
  const changed = MODEL.replace("y = 2.0 * x", "y = 3.0 * x + 1.0");
  await saved(commandLine(changed, "grad", "settle", "--write").written, "the click regenerated it");
  await lens("of settle: up to date").click();
  const number = page.locator("[id='status.editor.selection']", { hasText: "Ln 9" });
  await number.waitFor();
  project.configure({});
  await lens("settle").first().waitFor({ state: "detached" });
});

test("commands lead from a function to its derivative and back", async () => {
  await clickOn(lineOf(editor, "def settle"), "settle");
  await runCommand(page, "Pullback: Go to Derivative");
  const at = (/** @type {number} */ line) =>
    page.locator("[id='status.editor.selection']", { hasText: `Ln ${line},` });
  const line = onDisk().split("\r\n").findIndex((text) => text.startsWith("def settle_grad")) + 1;
  await at(line).waitFor();
  await runCommand(page, "Pullback: Go to Function");
  await at(9).waitFor();
});

test("what was edited by hand is compared, kept, or generated again", async () => {
  const made = onDisk();
  const edited = made.replace("return y_bar * 3.0", "return 3.0 * y_bar");
  assert.notEqual(edited, made);
  await rewritten(edited);
  await editor.locator(".squiggly-warning").first().waitFor();
  await clickOn(lineOf(editor, "# pullback: grad of settle"), "settle");
  await (await openActions(page)).filter({ hasText: "Compare settle_grad" }).click();
  const tab = page.locator(".tab", { hasText: "as it would be generated" });
  await tab.waitFor();
  await page.keyboard.press("Control+w");
  await tab.waitFor({ state: "detached" });
  await clickOn(lineOf(editor, "# pullback: grad of settle"), "settle");
  await (await openActions(page)).filter({ hasText: "giving up what was edited" }).click();
  await lineOf(editor, "return y_bar * 3.0").waitFor();
  await saved(made, "it is generated again");
});

test("a hover tells type, shape and activity of a variable, and the rule of a call", async () => {
  await hoverOver(lineOf(editor, "y = 3.0 * x"), "y", "active");
  const rule = await hoverOver(lineOf(editor, "y * np.sin(y)"), "sin", "Derivative of");
  assert.match(await rule.innerText(), /\u2202y\/\u2202x\s=\scos\(x\)/);
  await page.mouse.move(0, 0);
});

test("hints in the text show what is active and what is recorded", async () => {
  project.configure({ "pullback.inlayHints": true });
  await lineOf(editor, /y:\s\u2202.*=\s3\.0\s\*\sx/).waitFor();
  await recorded().waitFor();
  project.configure({});
  await recorded().waitFor({ state: "detached" });
});

test("the project's settings count where the editor has none", async () => {
  fs.writeFileSync(path.join(project.folder, "pyproject.toml"), "[tool.pullback]\ninlayHints = true\n");
  await recorded().waitFor();
  project.configure({ "pullback.inlayHints": false });
  await recorded().waitFor({ state: "detached" });
});

test("the adjoint shows another kind, or its backward pass alone, and marks lines on both sides", async () => {
  await clickOn(lineOf(editor, "def settle("), "settle");
  await runCommand(page, "Pullback: Show Adjoint");
  const beside = editorIn(page, 1);
  await lineOf(beside, "tape").waitFor();
  const marked = (/** @type {import("playwright-core").Locator} */ where) =>
    where.locator(".view-overlays .cdr[class*='ced-']");
  await lineOf(editor, "y * np.sin(y)").click();
  await marked(beside).first().waitFor();
  await lineOf(beside, "tape.pop()").click();
  await marked(editor).first().waitFor();
  await hoverOver(lineOf(beside, "np.cos(y)"), "cos", "From");
  await page.mouse.move(0, 0);
  const change = async (/** @type {string} */ what) => {
    await page.locator(".editor-group-container").nth(1).locator("a.codicon-settings-gear").click();
    await option(what).first().click();
  };
  await change("Only the backward pass");
  await until(async () => !(await shownText(beside)).includes("append"), "the forward pass is gone");
  assert.match(await shownText(beside), /# Backward pass/);
  await change("tangent");
  await lineOf(beside, "def settle_jvp").waitFor();
  await beside.click();
  await page.keyboard.press("Control+w");
});

test("Check Gradient asks for arguments once, keeps them, and says that they agree", async () => {
  await clickOn(lineOf(editor, "def settle("), "settle");
  await choose("settle", "Check the gradient");
  await page.locator(".quick-input-widget input").fill("np.linspace(0.5, 1.0, 3), 2");
  await page.keyboard.press("Enter");
  await lineOf(editor, "# pullback: example np.linspace").waitFor();
  const told = page.locator(".notifications-center", { hasText: "agrees with finite differences" });
  await until(async () => {
    await runCommand(page, "Notifications: Show Notifications");
    return told.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  }, "the gradient agrees");
  assert.match(onDisk(), /# pullback: example np\.linspace\(0\.5, 1\.0, 3\), 2\r\n/);
});
