import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";

// npm runs the tests from the extension's folder.
const extension = process.cwd();

function pins(file: string): Map<string, string> {
  const text = readFileSync(file, "utf8");
  return new Map([...text.matchAll(/^([\w-]+)==(\S+)/gm)].map(([, name = "", at = ""]) => [name, at]));
}

test("the bundle has the packages, and the versions, that everything else is tested with", () => {
  const bundled = pins(path.join(extension, "bundled", "requirements.txt"));
  const installed = pins(path.join(extension, "..", "requirements", "run.txt"));
  // The command line alone needs these.
  installed.delete("click");
  installed.delete("colorama");
  assert.deepEqual(Object.fromEntries(bundled), Object.fromEntries(installed));
});
