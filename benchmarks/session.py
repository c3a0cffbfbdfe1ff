"""A long session with the language server as a process: does it get slower, does it keep more and more?

python -m benchmarks.session [--edits 100000] [--requests 10000] [--lines 1000] [--record]

Something new is typed into one function after the other, and taken back later. Now and then a hover, or what can
be done, is asked for. Of each tenth of the session the table says how long answers took right behind an edit, how
much the process computed (which what else the machine does hardly changes), and what memory it held at its end.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.fuzz.tried import record, table

FUNCTION = """\
# pullback: differentiable
def step_{k}(x, w, n):
    h = np.zeros((n, x.shape[0]))
    h[0] = x
    for t in range(1, n):
        a = np.tanh(h[t - 1] * w + {k})
        h[t, 1:-1] = a[1:-1] + 0.1 * (a[2:] - 2.0 * a[1:-1] + a[:-2])
    return np.sum(h * w){tail}


"""
LINES = FUNCTION.count("\n")
INSIDE = 5  # the line of a function's loop
TENTHS = 10
HEADS = ("edits", "answer, median ms", "95th percentile, ms", "computed, ms an edit", "memory, MB")


def model(lines: int) -> str:
    """Functions that call each other in pairs."""
    tails = (f" + step_{k - 1}(x, w, 3)" if k % 2 else "" for k in range(lines // LINES))
    steps = (FUNCTION.format(k=k, tail=tail) for k, tail in enumerate(tails))
    return "import numpy as np\n\n\n" + "".join(steps)


def edits(functions: int) -> Iterator[types.TextDocumentContentChangePartial]:
    """What is typed into one function after the other, a digit at a time, and taken back."""
    number = 0
    while True:
        line = 3 + (number % functions) * LINES + INSIDE
        text = f"b = {number}.5; "
        for column, character in enumerate(text):
            at = types.Position(line, 8 + column)
            yield types.TextDocumentContentChangePartial(types.Range(at, at), character)
        whole = types.Range(types.Position(line, 8), types.Position(line, 8 + len(text)))
        yield types.TextDocumentContentChangePartial(whole, "")
        number += 1


def memory(process: int) -> float:
    """What a process holds, in MB; 0 where the system does not say."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if "VmRSS" in line)


def computed(process: int) -> float:
    """What a process has computed so far, in ms; 0 where the system does not say."""
    try:
        numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return 1000 * sum(map(int, numbers[11:13])) / os.sysconf("SC_CLK_TCK")


async def session(total: int, requests: int, lines: int, folder: Path) -> list[list[str]]:
    """The rows of the table, one for each tenth of the session."""
    client = LanguageClient("benchmark", "1")
    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: None)
    await client.start_io(sys.executable, "-m", "pullback_server", "--stdio")
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    uri, text = (folder / "model.py").as_uri(), model(lines)
    item = types.TextDocumentItem(uri, "python", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    document = types.TextDocumentIdentifier(uri)
    every = max(1, total // requests)
    taken: list[float] = []
    rows: list[list[str]] = []
    process = client._server.pid if client._server is not None else 0
    tenth, before = max(1, total // TENTHS), computed(process)
    for version, change in enumerate(edits(lines // LINES), start=2):
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri), [change]
            )
        )
        done = version - 1
        if done % every == 0:
            place = change.range.start
            start = time.perf_counter()
            await asked(client, document, place, actions=done % (2 * every) == 0)
            taken.append(1000 * (time.perf_counter() - start))
        if done % tenth == 0 and len(taken) > 1:
            middle, last = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
            now = computed(process)
            figures = (middle, last, (now - before) / tenth, memory(process))
            rows.append([f"{done:,}", *(f"{t:.1f}" for t in figures)])
            before = now
            print(*rows[-1], flush=True)
            taken.clear()
        if done == total:
            break
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return rows


async def asked(
    client: LanguageClient,
    document: types.TextDocumentIdentifier,
    place: types.Position,
    *,
    actions: bool,
) -> None:
    if actions:
        spot, context = types.Range(place, place), types.CodeActionContext([])
        await client.text_document_code_action_async(
            types.CodeActionParams(document, spot, context)
        )
    else:
        await client.text_document_hover_async(types.HoverParams(document, place))


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--edits", type=int, default=100_000)
    options.add_argument("--requests", type=int, default=10_000)
    options.add_argument("--lines", type=int, default=1_000)
    options.add_argument("--record", action="store_true", help="put the table into docs/tried.md")
    given = options.parse_args()
    with TemporaryDirectory() as folder:
        rows = asyncio.run(session(given.edits, given.requests, given.lines, Path(folder)))
    text = f"{given.edits:,} edits, {given.requests:,} requests.\n\n{table(HEADS, rows)}"
    print(text)
    if given.record:
        record("session", text)


if __name__ == "__main__":
    main()
