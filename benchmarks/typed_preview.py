"""How long the adjoint that is shown beside a function stays behind what is typed into it.

    python -m benchmarks.typed_preview [KEYS [FUNCTIONS [MILLISECONDS]]]

KEYS keys (200 by default) are typed into a module of FUNCTIONS functions (40), one every MILLISECONDS (50, faster
than people type); then as many without a pause. A version is stale from the key that made it until it, or a
later one, is shown: until the client has its text, as a client asks for it. On a machine that is busy with other
things the figures are those of its scheduler: run it under `nice -n -18` there.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
from pathlib import Path

from tests.server.typed import keys, started, stopped


async def main(count: int, rows: int, pause: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for wait in (pause, 0.0):
            typist = await started(Path(folder), rows)
            for key in keys(count):
                typist.press(key)
                await asyncio.sleep(wait)
            await typist.settled()
            await stopped(typist)
            said = f"a key every {1000 * wait:.0f} ms" if wait else "no pause"
            stale = sorted(1000 * s for s in typist.staleness())
            cuts = statistics.quantiles(stale, n=100)
            print(
                f"{said}: {count} keys, {len(typist.shown)} texts shown; stale for {cuts[49]:.0f} ms (median), "
                f"{cuts[94]:.0f} ms (95th percentile), {stale[-1]:.0f} ms (longest)"
            )
    print("load of the machine: " + ", ".join(f"{x:.1f}" for x in os.getloadavg()))


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    count, rows, pause = (*given, *(200, 40, 50)[len(given) :])
    asyncio.run(main(count, rows, pause / 1000))
