// A Jupyter notebook: its cells are one module, and what is written goes into the right one.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { makeProject, python } from "./model.mjs";
import {
  clickOn,
  editorIn,
  hoverOver,
  keepEvidence,
  lineOf,
  openActions,
  openProject,
  runCommand,
  shownText,
  until,
} from "./workbench.mjs";

/** @type {[string, string, string, string]} */
const CELLS = [
  "%matplotlib inline\nimport math",
  "def area(r: float):\n    return math.pi * r**2",
  "def volume(r: float, h: float):\n    return area(r) * abs(h)",
  "# pullback: differentiable\ndef opaque(x: float):\n    return eval('x')",
];
const [IMPORTS, AREA, VOLUME, OPAQUE] = CELLS;
const project = makeProject(notebook(CELLS), "model.ipynb");
/** @type {import("./workbench.mjs").Code} */
let code;
/** @type {import("playwright-core").Page} */
let page;
/** @type {() => Promise<void>} */
let close;

before(async () => {
  const { folder, remove } = project;
  ({ code, page, close } = await openProject(
    { folder, remove },
    {
      settings: { "security.workspace.trust.enabled": false },
      machine: { "pullback.interpreter": python },
    },
  ));
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "model.ipynb" }).dblclick();
  await lineOf(cell("def opaque"), "def opaque").waitFor();
});

afterEach((context) => keepEvidence(page, code)(context));

after(() => close?.());

/** A notebook's file, as VS Code writes it. @param {readonly string[]} cells */
function notebook(cells) {
  const code = cells.map((text, at) => ({
    cell_type: "code",
    execution_count: null,
    id: `cell${at}`,
    metadata: {},
    outputs: [],
    source: text.split(/(?<=\n)/),
  }));
  const prose = { cell_type: "markdown", id: "prose", metadata: {}, source: ["# Volumes"] };
  const metadata = { language_info: { name: "python" } };
  const book = { cells: [code[0], prose, ...code.slice(1)], metadata, nbformat: 4, nbformat_minor: 5 };
  return `${JSON.stringify(book, null, 1)}\n`;
}

/** The editor of the cell that holds a text. @param {string} text */
const cell = (text) =>
  page.locator(".notebookOverlay .cell-list-container .monaco-editor[role=code]", { hasText: text }).first();

/** The sources of the cells of code, as they are on disk; none while the file is being written. @returns {string[]} */
function sources() {
  const text = project.onDisk();
  if (!text.endsWith("}\n")) return [];
  return JSON.parse(text)
    .cells.filter((/** @type {{ cell_type: string }} */ { cell_type }) => cell_type === "code")
    .map((/** @type {{ source: string[] }} */ { source }) => source.join(""));
}

/** Saves until the cells are what they are to be: an edit may still be on its way. @param {(cells: string[]) => boolean} fact @param {string} what */
async function savedWith(fact, what) {
  await until(async () => {
    await page.keyboard.press("Control+s");
    return fact(sources());
  }, what);
}

test("what cannot be differentiated is underlined in its cell", async () => {
  const opaque = cell("def opaque");
  await opaque.locator(".squiggly-error").first().waitFor();
  await hoverOver(lineOf(opaque, "eval"), "eval", /PB\d{3}/);
  await page.mouse.move(0, 0);
  assert.equal(await page.locator(".notebookOverlay .squiggly-error").count(), 1);
});

test("a hover knows the functions of other cells", async () => {
  const hover = await hoverOver(lineOf(cell("def volume"), "def volume"), "volume", "volume_grad");
  assert.match((await hover.innerText()).replaceAll("\u00a0", " "), /_area_vjp\(r, /);
  await page.mouse.move(0, 0);
});

test("a gradient goes into the cell of its function, its import into the cell of imports", async () => {
  await clickOn(lineOf(cell("def volume"), "def volume"), "volume");
  await (await openActions(page)).filter({ hasText: "with respect to all parameters" }).first().click();
  await lineOf(cell("def volume"), "def volume_grad").waitFor();
  await savedWith(([imports]) => imports?.endsWith("numpy as np") === true, "the notebook is saved");
  const [imports, area, volume = "", opaque] = sources();
  assert.equal(imports, `${IMPORTS}\n\nimport numpy as np`);
  assert.deepEqual([area, opaque], [AREA, OPAQUE]);
  assert.ok(volume.startsWith(`${VOLUME}\n\n\n# pullback: `));
  assert.match(volume, /def volume_grad\(r: float, h: float\):\n[^]*np\.sign\(h\)/);
});

test("it is in step with the functions of other cells", async () => {
  await lineOf(cell("def area"), "return math.pi").click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" * r");
  await cell("def volume").locator(".squiggly-warning").first().waitFor();
  await clickOn(lineOf(cell("def volume"), "def volume("), "volume");
  await runCommand(page, "Pullback: Bring Derivatives Up to Date");
  await savedWith(([, , volume]) => volume?.includes("2 * r * r + r**2") === true, "it is brought up to date");
});

test("what was done is undone, cell by cell, to the last byte", async () => {
  for (const [line, text] of [["def volume(", VOLUME], ["def area(", AREA], ["import math", IMPORTS]]) {
    await lineOf(cell(line), line).click();
    await until(async () => {
      if ((await shownText(cell(line))) === text) return true;
      await page.keyboard.press("Control+z");
      const everywhere = page.getByRole("button", { name: /^Undo in \d/ });
      if (await everywhere.isVisible()) await everywhere.click();
      return false;
    }, "the cell is as it was");
  }
  await page.keyboard.press("Control+s");
  await until(() => project.onDisk() === notebook(CELLS), "the file is as it was");
});

test("the adjoint of a cell's function opens beside", async () => {
  await clickOn(lineOf(cell("def area"), "def area"), "area");
  await runCommand(page, "Pullback: Show Adjoint");
  await lineOf(editorIn(page, 1), "def area_grad").waitFor();
});
