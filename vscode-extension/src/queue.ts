// One run at a time, and at most one more waiting behind it: whoever asks while one waits shares it.

export function oneWaiting(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;

  function begin(): Promise<void> {
    waiting = undefined;
    const current = run().finally(() => {
      if (running === current) running = undefined;
    });
    running = current;
    return current;
  }

  return () => {
    if (running === undefined) return begin();
    waiting ??= running.then(begin, begin);
    return waiting;
  };
}
