// What a user does: open a folder, read what Pullback says, and have a gradient written.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { MODEL, makeProject, printedByCommandLine, writtenByCommandLine } from "./model.mjs";
import {
  clickOn,
  editorIn,
  hoverOver,
  keepEvidence,
  lineOf,
  openProject,
  runCommand,
  shownText,
  until,
} from "./workbench.mjs";

const project = makeProject();
/** @type {import("./workbench.mjs").Code} */
let code;
/** @type {import("playwright-core").Page} */
let page;
/** @type {import("playwright-core").Locator} */
let editor;
/** @type {() => Promise<void>} */
let close;

before(async () => {
  ({ code, page, editor, close } = await openProject(project, { settings: { "security.workspace.trust.enabled": false } }));
});

afterEach((context) => keepEvidence(page, code)(context));

after(() => close?.());

/** @param {string} text */
const saved = (text) => async () => fs.readFileSync(project.file, "utf8") === text;

const revert = async () => {
  await runCommand(page, "File: Revert File");
  await until(async () => (await shownText(editor)) === MODEL, "the module is as it was");
};

test("what cannot be differentiated is underlined, and its code leads to its page", async () => {
  await editor.locator(".squiggly-error").first().waitFor();
  const hover = await hoverOver(lineOf(editor, "np.unique"), "unique", /PB\d{3}/);
  const link = hover.locator("a.code-link, a", { hasText: /^PB\d{3}$/ }).first();
  await link.click();
  const pageTab = page.locator(".tab", { hasText: /^PB\d{3}\.md/ });
  await pageTab.waitFor();
  await page.keyboard.press("Control+w");
  await pageTab.waitFor({ state: "detached" });
});

test("a hover over a function's name shows its gradient", async () => {
  const line = lineOf(editor, "def logistic_loss");
  const hover = await hoverOver(line, "logistic_loss", "logistic_loss_grad");
  const shown = (await hover.innerText()).replaceAll("\u00a0", " ");
  const [, ...lines] = printedByCommandLine("logistic_loss").trim().split("\n");
  assert.ok(lines.length > 5);
  for (const text of lines) assert.ok(shown.includes(text.trim()), `${text} is in ${shown}`);
  await page.mouse.move(0, 0);
});

test("a hover over a variable shows its adjoint", async () => {
  await hoverOver(lineOf(editor, "z = X @ w"), "z", "z_bar");
  await page.mouse.move(0, 0);
});

test("the language status tells which server runs, on which Python", async () => {
  await page.locator("[id='status.languageStatus']").hover();
  const status = page.locator(".monaco-hover", { hasText: /Pullback \d+\.\d+\.\d+/ }).first();
  await status.waitFor();
  assert.match(await status.innerText(), /Python 3\.\d+\.\d+: \S*python/);
  await page.mouse.move(0, 0);
});

test("the light bulb writes what the command line writes", async () => {
  await clickOn(lineOf(editor, "def logistic_loss"), "logistic_loss");
  await page.locator(".codicon-gutter-lightbulb, .lightBulbWidget").first().waitFor();
  await page.keyboard.press("Control+.");
  const action = page.locator(".action-widget .monaco-list-row.action", {
    hasText: "Generate gradient of `logistic_loss`",
  });
  await action.first().click();
  await lineOf(editor, "def logistic_loss_grad").waitFor();
  await page.keyboard.press("Control+s");
  const want = writtenByCommandLine("logistic_loss");
  await until(saved(want), "the file has the gradient");
});

test("one undo takes it back", async () => {
  await page.keyboard.press("Control+z");
  await lineOf(editor, "def logistic_loss_grad").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await until(saved(MODEL), "the file is as it was");
});

test("the adjoint opens beside, keeps the focus where it was, and follows what is typed", async () => {
  await clickOn(lineOf(editor, "def logistic_loss"), "logistic_loss");
  await runCommand(page, "Pullback: Show Adjoint");
  const beside = editorIn(page, 1);
  const adjoint = async () => (await shownText(beside)).trim();
  const want = printedByCommandLine("logistic_loss").trim();
  await until(async () => (await adjoint()) === want, "the adjoint is what the command line prints");
  // The focus is still in the module: this is typed into it.
  await page.keyboard.press("End");
  await page.keyboard.insertText("  # same\n    shift = 3.0 * w[0]");
  await lineOf(editor, "return -np.mean").click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" + shift");
  await until(async () => /3\.0/.test(await adjoint()), "the adjoint knows of the new term");
  await revert();
});

test("a server started anew takes the adjoint over", async () => {
  const starts = () => code.log().split("Starting the server with").length;
  const before = starts();
  await runCommand(page, "Pullback: Restart Server");
  await until(() => before < starts(), "the server starts anew");
  await lineOf(editor, "return -np.mean").click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" * 7.0");
  const beside = editorIn(page, 1);
  await until(async () => /7\.0/.test(await shownText(beside)), "the adjoint has the new factor");
  await revert();
});

test("the command writes the gradient of the function around the cursor", async () => {
  await lineOf(editor, "losses =").click();
  await runCommand(page, "Pullback: Generate Gradient");
  await lineOf(editor, "def logistic_loss_grad").waitFor();
  await revert();
});

test("nothing was imported or run", () => {
  assert.equal(fs.existsSync(project.trace), false);
});
