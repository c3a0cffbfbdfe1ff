// The same server behind Neovim's own client; the checks themselves are in nvim/check.lua.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

test("Neovim shows the diagnostic and the hover, and writes the gradient", () => {
  const script = fileURLToPath(new URL("nvim/run.sh", import.meta.url));
  const { status, stdout, stderr } = spawnSync(script, { encoding: "utf8", timeout: 150_000 });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.equal(stdout.match(/^ok: /gm)?.length, 4, stdout);
});
