// What is not about the text of a file: trust, checks that take too long, a report, the walkthrough.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { makeProject, python } from "./model.mjs";
import {
  clickOn,
  grantTrust,
  hoverOver,
  keepEvidence,
  lineOf,
  notification,
  openProject,
  runCommand,
  shownText,
  until,
} from "./workbench.mjs";

// Making the arguments leaves a trace, and takes longer than anybody waits. The rule is wrong.
const MODEL = `import numpy as np
import pullback


def energy(x):
    # pullback: example slow()
    return np.sum(x * x)


def slow():
    import pathlib
    import time

    pathlib.Path(__file__).with_suffix(".trace").touch()
    time.sleep(600)


def stretch(x: np.ndarray):
    return 2.0 * x


@pullback.adjoint(stretch)
def stretch_adjoint(x, y_bar):
    return 3.0 * y_bar


def length(x: np.ndarray):
    # pullback: example np.arange(3.0)
    return np.sum(stretch(x))
`;
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
  ({ code, page, editor, close } = await openProject(project, { machine: { "pullback.interpreter": python } }));
  await lineOf(editor, "def energy").waitFor();
});

afterEach((context) => keepEvidence(page, code)(context));

after(() => close?.());

async function checkGradient() {
  fs.rmSync(project.trace, { force: true });
  await clickOn(lineOf(editor, "def energy"), "energy");
  await runCommand(page, "Pullback: Check Gradient");
}

const running = () => until(() => fs.existsSync(project.trace), "the check runs");

test("in Restricted Mode gradients are written, and nothing is run", async () => {
  // The editor takes its cursor back to the top while it starts.
  await until(async () => {
    await clickOn(lineOf(editor, "def energy"), "energy");
    await runCommand(page, "Pullback: Generate Gradient");
    const written = lineOf(editor, "def energy_grad").waitFor({ timeout: 5000 });
    return written.then(
      () => true,
      () => false,
    );
  }, "the gradient is written");
  await page.keyboard.press("Control+z");
  await lineOf(editor, "def energy_grad").waitFor({ state: "detached" });
  await checkGradient();
  await notification(page, "it needs a workspace that you trust");
  assert.equal(fs.existsSync(project.trace), false);
  await runCommand(page, "Notifications: Clear All Notifications");
});

test("in a trusted folder a check runs, and can be cancelled", async () => {
  await grantTrust(page);
  // Trust starts the server anew, and what is asked of it meanwhile is not answered.
  await until(async () => {
    await checkGradient();
    for (let k = 0; k < 150; k++) {
      if (fs.existsSync(project.trace)) return true;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return false;
  }, "the check runs");
  const shown = await notification(page, "Checking the gradient of energy");
  await shown.getByRole("button", { name: "Cancel" }).click();
  await shown.waitFor({ state: "detached" });
});

test("a check ends with the time that the folder's settings give it, at once", async () => {
  project.configure({ "pullback.checkSeconds": 3 });
  await until(async () => {
    await checkGradient();
    await running();
    return page
      .locator(".notifications-center", { hasText: "It took longer than 3 s" })
      .waitFor({ timeout: 10_000 })
      .then(
        () => true,
        () => runCommand(page, "Notifications: Show Notifications").then(() => false),
      );
  }, "the check is given up");
  await editor.locator(".squiggly-error").first().waitFor();
  await runCommand(page, "Notifications: Clear All Notifications");
});

test("where a check finds a gradient wrong, its worst element is told at the function", async () => {
  project.configure({});
  await clickOn(lineOf(editor, "def length"), "length");
  await runCommand(page, "Pullback: Check Gradient");
  await hoverOver(lineOf(editor, "def length"), "length", /worst: x\[0\]: derivative 3, reference 2/);
  await page.mouse.move(0, 0);
  await runCommand(page, "Notifications: Clear All Notifications");
});

test("a report holds versions and what is selected, and is only shown", async () => {
  await lineOf(editor, "return np.sum").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await runCommand(page, "Pullback: Report a Problem");
  await lineOf(editor, "## Versions").waitFor();
  const text = await shownText(editor);
  assert.match(text, /^<!-- Nothing has been sent/);
  assert.match(text, /return np\.sum\(x \* x\)/);
  assert.match(text, /- Pullback \d+\.\d+\.\d+, server \d+\.\d+\.\d+/);
  await runCommand(page, "View: Revert and Close Editor");
});

test("the walkthrough opens by its command", async () => {
  await runCommand(page, "Pullback: Get Started");
  const steps = page.locator(".gettingStartedContainer", { hasText: "Derivatives as source" });
  await steps.waitFor();
  for (const step of ["Write a gradient", "Watch it while you type", "Stay in step", "Check it"]) {
    await steps.locator(".step-title", { hasText: step }).first().waitFor();
  }
  await page.keyboard.press("Control+w");
});
