// The same server behind Emacs' own client, eglot; the checks themselves are in emacs/check.el.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

test("Emacs shows the diagnostic and the hover, writes the gradient, and takes it back", () => {
  const script = fileURLToPath(new URL("emacs/run.sh", import.meta.url));
  const { status, stdout, stderr } = spawnSync(script, { encoding: "utf8", timeout: 150_000 });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.equal(stdout.match(/^ok: /gm)?.length, 4, stdout);
});
