import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { inspectPython, programsOnPath } from "../src/python";

const folder = mkdtempSync(path.join(tmpdir(), "pullback-python-"));
after(() => {
  rmSync(folder, { recursive: true });
});

// A program that only says something, as an old Python or something else would.
function program(name: string, script: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const reason = async (file: string, patience?: number) => {
  const answer = await inspectPython([file], folder, patience);
  return answer.kind === "unusable" ? answer.reason : `usable: ${answer.version}`;
};

test("the Python of this machine is asked without anybody's packages", async () => {
  writeFileSync(path.join(folder, "sitecustomize.py"), "print('I was run')\n");
  process.env.PYTHONPATH = folder;
  const answer = await inspectPython(["python3"], folder);
  delete process.env.PYTHONPATH;
  assert.equal(answer.kind, "usable");
});

test("arguments come before the question", async () => {
  const answer = await inspectPython(["/usr/bin/env", "python3"], folder);
  assert.equal(answer.kind, "usable");
});

test("versions are compared as numbers", async () => {
  assert.equal(await reason(program("p9", "echo python 3.9.18")), "is Python 3.9.18, too old");
  assert.equal(await reason(program("p2", "echo python 2.7.18")), "is Python 2.7.18, too old");
  assert.equal(await reason(program("p10", "echo python 3.10.0")), "usable: 3.10.0");
  assert.equal(await reason(program("p4", "echo python 4.0.0")), "usable: 4.0.0");
});

test("what is no Python says so", async () => {
  assert.equal(await reason(program("other", "echo hello")), "is not Python");
  const failing = program("failing", "echo 'unknown option -I' >&2; exit 2");
  assert.equal(await reason(failing), "failed: unknown option -I");
  assert.equal(await reason(path.join(folder, "missing")), "does not exist");
  const document = path.join(folder, "document");
  writeFileSync(document, "");
  assert.equal(await reason(document), "may not be run");
});

test("a program that hangs is given up", async () => {
  assert.equal(await reason(program("hangs", "exec sleep 60"), 100), "gave no answer in 0.1 s");
});

test("programs are found in absolute folders of the PATH, in the order of the names", () => {
  const second = program("b/python3", "");
  const first = program("a/python", "");
  mkdirSync(path.join(folder, "a", "python3"));
  const searchPath = ["", ".", "a", path.join(folder, "a"), path.join(folder, "b")];
  const found = programsOnPath(["python3", "python"], searchPath.join(path.delimiter), "linux");
  assert.deepEqual(found, [second, first]);
});
