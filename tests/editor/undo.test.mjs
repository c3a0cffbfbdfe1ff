// Whatever an action does, one undo gives the file back byte for byte.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { commandLine, makeProject, python } from "./model.mjs";
import {
  clickOn,
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

// A byte order mark, CRLF, tabs, letters outside of ASCII, no newline at the end.
const MODEL = `\uFEFFimport numpy as np


def energy(\u03c9: float, k: float):
    y = 0.5 * k
    return y * \u03c9**2


def kept(x: np.ndarray):
    # pullback: differentiable
    # pullback: x: (3,)
    out = np.zeros(3, dtype=int)
    for i in range(3):
        out[i] = 10.0 * x[i]
    return np.sum(out)`
  .replaceAll("    ", "\t")
  .replaceAll("\n", "\r\n");
const project = makeProject(MODEL);
/** @type {import("./workbench.mjs").Code} */
let code;
/** @type {import("playwright-core").Page} */
let page;
/** @type {import("playwright-core").Locator} */
let editor;
/** @type {() => Promise<void>} */
let close;
/** The module with the gradient of `energy`. */
let made = "";

before(async () => {
  made = commandLine(MODEL, "grad", "energy", "--write").written;
  ({ code, page, editor, close } = await openProject(project, {
    settings: { "security.workspace.trust.enabled": false },
    machine: { "pullback.interpreter": python },
  }));
  await lineOf(editor, "def energy").waitFor();
});

afterEach((context) => keepEvidence(page, code)(context));

after(() => close?.());

/**
 * Opens the menu on a word of a line, once it has as many actions as wanted.
 * @param {string} line @param {string} word @param {RegExp} wanted @param {number} count
 */
async function menuAt(line, word, wanted, count) {
  await clickOn(lineOf(editor, line), word);
  const actions = (await openActions(page)).filter({ hasText: wanted });
  await actions.nth(count - 1).waitFor();
  assert.equal(await actions.count(), count, (await actions.allInnerTexts()).join("\n"));
  return actions;
}

/** Does something that changes the text, saves, and takes it back. @param {() => Promise<void>} act */
async function doneAndUndone(act) {
  const before = project.onDisk();
  const shown = await shownText(editor);
  await act();
  await until(async () => (await shownText(editor)) !== shown, "the text is another one");
  await page.keyboard.press("Control+s");
  // While it is being written a file is empty.
  await until(() => !["", before].includes(project.onDisk()), "the file is another one");
  assert.ok(project.onDisk().startsWith("\uFEFFimport numpy as np\r\n"));
  assert.doesNotMatch(project.onDisk(), /[^\r]\n|\n {4}|\n$/);
  await page.keyboard.press("Control+z");
  await savedAs(page, project, before, "one undo restores the file byte for byte");
}

/** The same with each action of a menu. @param {string} line @param {string} word @param {RegExp} wanted @param {number} count */
async function eachDoneAndUndone(line, word, wanted, count) {
  for (let k = 0; k < count; k++) {
    await doneAndUndone(async () => (await menuAt(line, word, wanted, count)).nth(k).click());
  }
}

/**
 * Another state of the module, once the editor shows it and marks what is wrong with it: a text that comes later
 * moves the cursor. @param {string} text
 */
async function marked(text) {
  assert.notEqual(text, project.onDisk());
  const shown = await shownText(editor);
  await rewrite(page, project, text);
  await until(async () => (await shownText(editor)) !== shown, "the editor shows what is on disk");
  await editor.locator(".squiggly-warning").first().waitFor();
}

test("each derivative that the light bulb offers", async () => {
  await eachDoneAndUndone("def energy", "energy", /^Generate (?!a derivative)/, 9);
});

test("the fix of what cannot be differentiated", async () => {
  await editor.locator(".squiggly-error").first().waitFor();
  await eachDoneAndUndone("out[i] =", "out", /dtype=float/, 1);
});

test("bringing derivatives up to date, by quick fix and by command", async () => {
  await marked(made.replace("0.5 * k", "0.25 * k"));
  await eachDoneAndUndone("# pullback: grad of energy", "energy", /Regenerate/, 1);
  await doneAndUndone(() => runCommand(page, "Pullback: Bring Derivatives Up to Date"));
});

test("keeping, owning and regenerating what was edited by hand", async () => {
  await marked(made.replace("return 2 *", "return 1.0 * 2 *"));
  await eachDoneAndUndone("# pullback: grad of energy", "energy", /Keep|Regenerate/, 3);
});

test("following a function that was renamed", async () => {
  await marked(made.replace("def energy(", "def power("));
  await eachDoneAndUndone("# pullback: grad of energy", "energy", /Follow|Keep/, 2);
});
