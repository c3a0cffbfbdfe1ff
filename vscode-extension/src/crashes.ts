// What to do when the server ends by itself: start it again, but not for ever. Knows nothing of VS Code.

const MOST = 4;
const WITHIN_MS = 3 * 60_000;

export type Answer = "first" | "again" | "enough";

/** Told of each crash, says whether the server is to be started again: "first" is worth a word, "enough" is the end. */
export function crashes(now: () => number = Date.now): () => Answer {
  const times: number[] = [];
  let told = false;
  return () => {
    const time = now();
    times.push(time);
    if (times.filter((t) => time - t < WITHIN_MS).length > MOST) return "enough";
    if (told) return "again";
    told = true;
    return "first";
  };
}
