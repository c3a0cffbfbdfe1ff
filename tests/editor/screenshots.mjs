// Takes the pictures of the documentation anew, from the packaged extension: npm run screenshots.
import fs from "node:fs";
import path from "node:path";
import {
  clickOn,
  editorIn,
  hoverOver,
  launchBrowser,
  lineOf,
  openActions,
  openFolder,
  root,
  runCommand,
  shownText,
  startCode,
  temporaryFolder,
  until,
} from "./workbench.mjs";

const images = path.join(root, "docs", "images");
const { folder, remove } = temporaryFolder();
const file = path.join(folder, "logistic.py");
fs.copyFileSync(path.join(root, "examples", "logistic.py"), file);

const code = await startCode({
  settings: {
    "breadcrumbs.enabled": false,
    "editor.hideCursorInOverviewRuler": true,
    "editor.lineNumbers": "off",
    "editor.overviewRulerBorder": false,
    "editor.scrollbar.horizontal": "hidden",
    "editor.scrollbar.vertical": "hidden",
    "security.workspace.trust.enabled": false,
    "window.commandCenter": false,
    "workbench.activityBar.location": "hidden",
    "workbench.layoutControl.enabled": false,
    "workbench.sideBar.location": "right",
    "workbench.statusBar.visible": false,
  },
});
const browser = await launchBrowser();
const how = { viewport: { width: 1160, height: 360 }, deviceScaleFactor: 1.5 };
const page = await openFolder(browser, code, { folder, file }, how);

/** @param {string} name */
async function picture(name) {
  fs.mkdirSync(images, { recursive: true });
  await page.screenshot({ path: path.join(images, `${name}.png`), animations: "disabled" });
}

try {
  const editor = editorIn(page);
  const definition = lineOf(editor, "def logistic_loss");
  await definition.waitFor();
  await runCommand(page, "View: Close Primary Side Bar");
  await until(() => code.log().includes("Starting the server"), "the server starts");
  await hoverOver(definition, "logistic_loss", "logistic_loss_grad");
  await picture("vscode-hover");

  await page.mouse.move(0, 0);
  await clickOn(definition, "logistic_loss");
  await (await openActions(page)).filter({ hasText: "Generate gradient" }).first().waitFor();
  await picture("vscode-light-bulb");

  await page.keyboard.press("Escape");
  await runCommand(page, "Pullback: Show Adjoint");
  const beside = editorIn(page, 1);
  await until(async () => (await shownText(beside)).includes("_grad("), "the adjoint is shown");
  await clickOn(definition, "logistic_loss");
  await picture("vscode-adjoint");
} finally {
  await browser.close();
  await code.stop();
  remove();
}
