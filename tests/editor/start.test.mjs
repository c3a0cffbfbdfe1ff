// The packaged server, started as the extension starts it, where others would like to be imported.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { root, temporaryFolder } from "./workbench.mjs";

const start = path.join(root, "vscode-extension", "bundled", "start.py");
const hostile = temporaryFolder();
const trace = path.join(hostile.folder, "trace");
after(hostile.remove);

// Modules by the names of what the server imports, and those that Python looks for by itself.
const SHADOWS = ["pygls", "lsprotocol", "gast", "attrs", "pullback", "pullback_server", "json"];
for (const name of [...SHADOWS, "asyncio", "numpy", "sitecustomize", "usercustomize"]) {
  const text = `open(${JSON.stringify(trace)}, "a").write("${name}\\n")\nraise SystemExit(1)\n`;
  fs.writeFileSync(path.join(hostile.folder, `${name}.py`), text);
}

const message = (/** @type {object} */ content) => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...content });
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

/**
 * Starts the server, lets it open a module, and ends it in order; gives what it wrote.
 * @param {string} python
 * @returns {Promise<{ code: number | null, output: string, errors: string }>}
 */
function session(python) {
  const rootUri = pathToFileURL(hostile.folder).href;
  const initialize = { processId: process.pid, rootUri, capabilities: {} };
  const document = { uri: `${rootUri}/numpy.py`, languageId: "python", version: 1, text: "import json\n" };
  const child = spawn(python, ["-I", "-S", start], {
    cwd: hostile.folder,
    env: { ...process.env, PYTHONPATH: hostile.folder, PYTHONUSERBASE: hostile.folder },
    timeout: 30_000,
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (errors += data));
  child.stdin.write(message({ id: 1, method: "initialize", params: initialize }));
  child.stdin.write(message({ method: "initialized", params: {} }));
  child.stdin.write(message({ method: "textDocument/didOpen", params: { textDocument: document } }));
  child.stdin.write(message({ id: 2, method: "shutdown" }));
  child.stdin.write(message({ method: "exit" }));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output, errors })));
}

const onPath = ["python3", "python3.10", "python3.11", "python3.12", "python3.13"].filter(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

for (const python of onPath) {
  test(`${python} starts the server, and nothing in the folder takes part`, async () => {
    const { code, output, errors } = await session(python);
    assert.equal(errors, "");
    assert.match(output, /"serverInfo":\s*\{[^}]*"pullback"/);
    assert.match(output, /"version":\s*"\d+\.\d+\.\d+"/);
    assert.equal(code, 0);
    assert.equal(fs.existsSync(trace), false);
  });
}

test("an older Python gets a word, not a traceback", () => {
  const old = `import runpy, sys; sys.version_info = (3, 9, 1); runpy.run_path(${JSON.stringify(start)})`;
  const { status, stderr } = spawnSync("python3", ["-c", old], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^Pullback needs Python 3\.10 or newer; .+\n$/);
});

test("the bundle holds no compiled code, and what every platform can use", () => {
  const vsix = fs.readdirSync(path.join(root, "vscode-extension", "dist")).find((f) => f.endsWith(".vsix"));
  assert.ok(vsix);
  const list = "import sys, zipfile; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))";
  const file = path.join(root, "vscode-extension", "dist", vsix);
  const names = execFileSync("python3", ["-c", list, file], { encoding: "utf8" }).split("\n");
  assert.deepEqual(names.filter((name) => /\.(so|pyd|dll|dylib|pyc)$/.test(name)), []);
  assert.deepEqual(names.filter((name) => /\/numpy\//.test(name)), []);
  assert.ok(names.includes("extension/bundled/app/pullback/__init__.py"));
  assert.ok(names.includes("extension/bundled/docs/diagnostics/PB101.md"));
});
