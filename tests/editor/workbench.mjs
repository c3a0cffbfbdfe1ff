// A VS Code of its own for each test file, on a free port and with an empty profile, and a Chromium
// page that shows it. Everything waits for a fact; nothing sleeps for a time that should be enough.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Locator} Locator */
/** @typedef {Awaited<ReturnType<typeof startCode>>} Code */

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const cache = path.resolve(process.env.PULLBACK_CACHE ?? path.join(root, ".cache"));
const manifest = path.join(root, "vscode-extension", "package.json");
const { version } = JSON.parse(fs.readFileSync(manifest, "utf8"));
export const vsix = path.join(root, "vscode-extension", "dist", `pullback-${version}.vsix`);

// Quiet and quick: no start page, no chat, no look-ups, and hovers that open at once.
const SETTINGS = {
  "chat.agentHost.enabled": false,
  "chat.disableAIFeatures": true,
  "editor.hover.delay": 50,
  "editor.minimap.enabled": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "git.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
};

/**
 * For an `afterEach`: leaves a picture of the page, and the extension's log, of a test that failed.
 * @param {Page | undefined} page
 * @param {Code | undefined} code
 */
export const keepEvidence = (page, code) => async (/** @type {any} */ context) => {
  if (context.passed !== false) return;
  const name = path.join(cache, "editor-failures", context.name.replace(/\W+/g, "-"));
  await page?.screenshot({ path: `${name}.png` });
  fs.mkdirSync(path.dirname(name), { recursive: true });
  fs.writeFileSync(`${name}.log`, code?.log() ?? "");
  console.error(`a picture of the page is in ${name}.png`);
};

// Long enough for a machine that is busy with something else; a test that is well never needs it.
const PATIENCE_MS = 60_000;

/** A folder that is removed by its `remove`. */
export function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pullback-editor-"));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { folder, remove };
}

/**
 * Starts VS Code with the packaged extension in it.
 * @param {object} options
 * @param {object} [options.settings] the user's
 * @param {object} [options.machine] the machine's: its settings would arrive too late from the user's
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string[]} [options.extensions] more to install, as files
 */
export async function startCode({ settings, machine = {}, env: more, extensions = [] } = {}) {
  const { folder: home, remove } = temporaryFolder();
  const machineFile = path.join(home, "data", "Machine", "settings.json");
  writeJson(path.join(home, "data", "User", "settings.json"), { ...SETTINGS, ...settings });
  writeJson(machineFile, machine);
  fs.writeFileSync(path.join(home, "config.yaml"), "");
  const env = {
    ...process.env,
    ...more,
    // The environment is what is given here, not what a login shell would make of it.
    VSCODE_CLI: "1",
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    TMPDIR: home,
    XDG_CONFIG_HOME: home,
    XDG_RUNTIME_DIR: home,
  };
  const program = path.join(cache, "vscode", "bin", "code-server");
  const profile = ["--config", path.join(home, "config.yaml")];
  profile.push("--user-data-dir", path.join(home, "data"));
  profile.push("--extensions-dir", path.join(home, "extensions"));
  for (const extension of [vsix, ...extensions]) {
    execFileSync(program, [...profile, "--install-extension", extension], { env, stdio: "pipe" });
  }

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const serve = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry"];
  serve.push("--disable-update-check", "--disable-getting-started-override");
  serve.push("--vscode-option", "enable-smoke-test-driver");
  const log = fs.openSync(path.join(home, "server.log"), "w");
  const child = spawn(program, [...profile, ...serve], {
    env,
    detached: true,
    stdio: ["ignore", log, log],
  });
  await until(() => answers(`${url}/healthz`), "code-server answers");

  return {
    url,
    port,
    /** @param {object} value */
    setMachineSettings: (value) => writeJson(machineFile, value),
    /** What the extension has written to its output channel. */
    log: () => findFiles(path.join(home, "data", "logs"), /Pullback.*\.log$/).map(read).join(""),
    async stop() {
      if (child.pid === undefined) return;
      const gone = once(child, "exit");
      process.kill(-child.pid, "SIGTERM");
      await gone;
      fs.closeSync(log);
      remove();
    },
  };
}

export function launchBrowser() {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
  args.push("--disable-background-networking", "--disable-component-update", "--disable-sync");
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args });
}

/**
 * Opens a folder, and a file in it if one is named, in a new page, in Restricted Mode unless trust is switched off.
 * @param {import("playwright-core").Browser} browser
 * @param {Code} code
 * @param {{ folder: string, file?: string }} what
 * @param {import("playwright-core").BrowserContextOptions} how
 */
export async function openFolder(browser, code, { folder, file }, how = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...how });
  context.setDefaultTimeout(PATIENCE_MS);
  // What would leave this machine is answered at once, rather than waited for.
  await context.route(
    (url) => url.hostname !== "127.0.0.1",
    (route) => route.abort(),
  );
  const page = await context.newPage();
  const query = new URLSearchParams({ folder });
  if (file) query.set("payload", JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${code.port}${file}`]]));
  await page.goto(`${code.url}/?${query}`);
  await page.waitForFunction("globalThis.driver");
  await page.evaluate("globalThis.driver.whenWorkbenchRestored()");
  return page;
}

/**
 * VS Code in a browser with a project open, for the tests of one file; `close` ends all of it.
 * @param {{ folder: string, file?: string, remove: () => void }} project
 * @param {Parameters<typeof startCode>[0]} [options]
 */
export async function openProject(project, options) {
  const code = await startCode(options);
  const browser = await launchBrowser();
  const close = async () => {
    await browser.close();
    await code.stop();
    project.remove();
  };
  try {
    const page = await openFolder(browser, code, project);
    return { code, page, editor: editorIn(page), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Grants trust as a person would: from the status bar, in the editor that opens over the others.
 * @param {Page} page
 */
export async function grantTrust(page) {
  const status = page.locator("[id='status.workspaceTrust']");
  const modal = page.locator(".monaco-modal-editor-block");
  await status.locator("a").click();
  const editor = page.locator(".workspace-trust-editor");
  await editor.getByRole("button", { name: "Trust", exact: true }).click();
  await status.waitFor({ state: "detached" });
  await modal.getByRole("button", { name: /^Close/ }).click();
  await modal.waitFor({ state: "detached" });
}

/**
 * The text editor of a group, counted from the left.
 * @param {Page} page
 */
export const editorIn = (page, group = 0) =>
  page.locator(".editor-group-container").nth(group).locator(".monaco-editor[role=code]").first();

/**
 * The line of an editor that holds a text.
 * @param {Locator} editor
 * @param {string | RegExp} text
 */
export const lineOf = (editor, text) => editor.locator(".view-line", { hasText: text }).first();

/**
 * Where a word of a line is on the page, in the middle of the word.
 * @param {Locator} line
 * @param {string} word
 * @returns {Promise<{ x: number, y: number }>}
 */
export const placeOf = (line, word) =>
  line.evaluate((element, wanted) => {
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const start = (node.textContent ?? "").indexOf(wanted);
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + wanted.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
    throw new Error(`the line has no ${wanted}`);
  }, word);

/**
 * @param {Locator} line
 * @param {string} word
 */
export async function clickOn(line, word) {
  const { x, y } = await placeOf(line, word);
  await line.page().mouse.click(x, y);
}

/**
 * The text that an editor shows; lines stand in the page in any order, with no-break spaces.
 * @param {Locator} editor
 */
export async function shownText(editor) {
  const lines = await editor.locator(".view-line").evaluateAll((elements) =>
    elements.map((element) => ({
      top: Number.parseFloat(/** @type {HTMLElement} */ (element).style.top),
      text: (element.textContent ?? "").replaceAll("\u00a0", " "),
    })),
  );
  return lines.sort((a, b) => a.top - b.top).map(({ text }) => text).join("\n");
}

/**
 * @param {Page} page
 * @param {string} title
 */
export async function runCommand(page, title) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
}

/**
 * Saves, and waits until the file is what it is to be.
 * @param {Page} page
 * @param {{ onDisk: () => string }} project
 * @param {string} want
 * @param {string} what
 */
export async function savedAs(page, { onDisk }, want, what) {
  await page.keyboard.press("Control+s");
  await until(() => onDisk() === want, what);
}

/**
 * Another text on disk, taken over by the editor at once.
 * @param {Page} page
 * @param {{ file: string }} project
 * @param {string} text
 */
export async function rewrite(page, { file }, text) {
  fs.writeFileSync(file, text);
  await runCommand(page, "File: Revert File");
}

/**
 * The entry of the notifications' list that holds a text: under test VS Code pops nothing up.
 * @param {Page} page
 * @param {string} text
 */
export async function notification(page, text) {
  const shown = page.locator(".notifications-center .notification-list-item", { hasText: text }).first();
  await until(async () => {
    await runCommand(page, "Notifications: Show Notifications");
    return shown.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  }, `a notification says "${text}"`);
  return shown;
}

/**
 * The menu of actions at the cursor; asked for again where the editor was not ready for the keys.
 * @param {Page} page
 */
export async function openActions(page) {
  const actions = page.locator(".action-widget .monaco-list-row.action");
  await until(async () => {
    await page.keyboard.press("Control+.");
    return actions.first().waitFor({ timeout: 15_000 }).then(
      () => true,
      () => false,
    );
  }, "the menu of actions opens");
  return actions;
}

/**
 * The hover over a word that shows a text. The mouse comes from elsewhere, so that an older hover
 * closes, and comes again where a server that is still starting had no answer yet.
 * @param {Locator} line
 * @param {string} word
 * @param {string | RegExp} text
 */
export async function hoverOver(line, word, text) {
  const { mouse } = line.page();
  const hover = line.page().locator(".monaco-hover:not(.hidden)", { hasText: text }).first();
  await until(async () => {
    await mouse.move(0, 0);
    const { x, y } = await placeOf(line, word);
    await mouse.move(x, y, { steps: 2 });
    return hover.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
  }, `a hover over ${word} shows ${text}`);
  return hover;
}

/**
 * Waits until `fact` gives something truthy; for facts that no element of the page shows.
 * @template T
 * @param {() => T | Promise<T>} fact
 * @param {string} what
 */
export async function until(fact, what) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await fact();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** @param {string} file @param {object} value */
function writeJson(file, value) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(value));
}

/** @param {string} file */
const read = (file) => fs.readFileSync(file, "utf8");

/** @param {string} folder @param {RegExp} name @returns {string[]} */
function findFiles(folder, name) {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file))
    .map((file) => path.join(folder, file));
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(address.port));
    });
  });
}

/** @param {string} url @returns {Promise<boolean>} */
function answers(url) {
  return new Promise((resolve) => {
    const request = http.get(url, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("error", () => resolve(false));
  });
}
