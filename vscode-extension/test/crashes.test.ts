import assert from "node:assert/strict";
import { test } from "node:test";
import { crashes } from "../src/crashes";

const minute = 60_000;

test("one crash now and then is told once, however many there are", () => {
  let time = 0;
  const crashed = crashes(() => time);
  const answers = Array.from({ length: 20 }, () => {
    time += minute;
    return crashed();
  });
  assert.deepEqual(answers, ["first", ...Array<string>(19).fill("again")]);
});

test("one crash after the other ends it", () => {
  const crashed = crashes(() => 0);
  assert.deepEqual([1, 2, 3, 4, 5].map(crashed), ["first", "again", "again", "again", "enough"]);
});
