import assert from "node:assert/strict";
import { test } from "node:test";
import { needed } from "../src/environment";

test("a check gets what Python needs, and nobody's secrets", () => {
  const kept = { PATH: "/bin", LC_ALL: "C", PYTHONPATH: "lib", CONDA_PREFIX: "/c", OMP_NUM_THREADS: "2" };
  const dropped = { GITHUB_TOKEN: "t", AWS_SECRET_ACCESS_KEY: "s", CONDA_TOKEN: "c", SSH_AUTH_SOCK: "a" };
  assert.deepEqual(needed({ ...kept, ...dropped, EDITOR: "vi", GONE: undefined }), kept);
});

test("names are told as Windows does, whatever their case", () => {
  assert.deepEqual(needed({ Path: "C:\\", SystemRoot: "C:\\Windows" }), { Path: "C:\\", SystemRoot: "C:\\Windows" });
});
