import assert from "node:assert/strict";
import { test } from "node:test";
import { oneWaiting } from "../src/queue";

// A run that lasts until it is told to end.
function slowRuns() {
  const ends: (() => void)[] = [];
  const run = () =>
    new Promise<void>((resolve) => {
      ends.push(resolve);
    });
  return { ends, run };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a single request runs at once", () => {
  const { ends, run } = slowRuns();
  void oneWaiting(run)();
  assert.equal(ends.length, 1);
});

test("of many requests during a run, one more run follows", async () => {
  const { ends, run } = slowRuns();
  const restart = oneWaiting(run);
  const all = [restart(), restart(), restart(), restart()];
  assert.equal(ends.length, 1);
  ends[0]?.();
  await settled();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await Promise.all(all);
  assert.equal(ends.length, 2);
});

test("a request during the second run waits for a third", async () => {
  const { ends, run } = slowRuns();
  const restart = oneWaiting(run);
  void restart();
  void restart();
  ends[0]?.();
  await settled();
  void restart();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await settled();
  assert.equal(ends.length, 3);
});

test("a run that fails does not block the next", async () => {
  let runs = 0;
  const restart = oneWaiting(() => {
    runs += 1;
    return runs === 1 ? Promise.reject(new Error("no")) : Promise.resolve();
  });
  const first = restart();
  const second = restart();
  await assert.rejects(first, /no/);
  await second;
  await restart();
  assert.equal(runs, 3);
});
