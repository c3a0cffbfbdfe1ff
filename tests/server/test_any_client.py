"""Clients that do what none should, over the real process: they get the protocol's errors, and it ends with them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .process import ENVIRONMENT, message
from .test_start import EXIT, INITIALIZE, SERVE, SHUTDOWN, serve

URI = "file:///nowhere/model.py"
DOCUMENT = {"textDocument": {"uri": URI}}
MODEL = "".join(f"# pullback: differentiable\ndef f{k}(x):\n    yield x\n" for k in range(300))


def request(number: int | str, method: str, params: Any = None) -> bytes:
    return message({"id": number, "method": method, "params": params})


def notification(method: str, params: Any = None) -> bytes:
    return message({"method": method, "params": params})


def opened(text: str) -> bytes:
    item = {"uri": URI, "languageId": "python", "version": 1, "text": text}
    return notification("textDocument/didOpen", {"textDocument": item})


def hover(number: int, **more: Any) -> bytes:
    position = {"line": 0, "character": 0}
    return request(number, "textDocument/hover", {**DOCUMENT, "position": position, **more})


def messages(output: bytes) -> list[dict[str, Any]]:
    found = []
    while output:
        head, _, rest = output.partition(b"\r\n\r\n")
        length = int(head.partition(b"Content-Length: ")[2].split(b"\r\n")[0])
        found.append(json.loads(rest[:length]))
        output = rest[length:]
    return found


def answers(*sent: bytes) -> list[tuple[Any, Any]]:
    """The ids of what was answered, in order, each with the code of its error, None where there is none."""
    ended = serve(b"".join((*sent, message(EXIT))))
    assert ended.returncode == 0 and ended.stderr == b""
    said = messages(ended.stdout)
    return [(m["id"], m.get("error", {}).get("code")) for m in said if "method" not in m]


def test_what_comes_too_early_too_late_or_makes_no_sense_is_answered_with_its_error() -> None:
    broken = b'Content-Length: 9\r\n\r\n{"jsonrpc'
    assert answers(
        hover(1),
        opened(MODEL),  # is not taken in: nothing was agreed on
        message({**INITIALIZE, "id": 2}),
        message({**INITIALIZE, "id": 3}),
        request(4, "textDocument/nonsense"),
        notification("textDocument/nonsense"),
        hover(5, position={"line": -1, "character": "a"}),
        request(6, "textDocument/hover", [1, 2]),
        broken,
        notification("$/cancelRequest", {"id": 77}),
        message({"id": 99, "result": "of a request that nobody made"}),
        hover(7),
        hover(7),
        message({**SHUTDOWN, "id": 8}),
        hover(9),
    ) == [
        (1, -32002),
        (2, None),
        (3, -32600),
        (4, -32601),
        (5, -32602),
        (6, -32602),
        (None, -32700),
        (7, -32602),
        (7, -32602),
        (8, None),
        (9, -32600),
    ]


def test_a_document_that_is_closed_and_a_request_that_is_cancelled_midway_are_answered() -> None:
    capabilities = {"textDocument": {"diagnostic": {}}}
    begin = {**INITIALIZE, "params": {**INITIALIZE["params"], "capabilities": capabilities}}
    pull = "textDocument/diagnostic"
    found = answers(
        message(begin),
        opened(MODEL),
        request(2, pull, DOCUMENT),
        notification("textDocument/didClose", DOCUMENT),
        opened(MODEL),
        request("three", pull, DOCUMENT),
        notification("$/cancelRequest", {"id": "three"}),
        hover(4),
        message({**SHUTDOWN, "id": 5}),
    )
    assert sorted(str(number) for number, _ in found) == ["1", "2", "4", "5", "three"]
    assert {code for _, code in found} <= {None, -32800}  # by what was done already


@contextmanager
def running(**initialize: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A server that was initialized, and is ended in any case."""
    process = subprocess.Popen(
        SERVE, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    params = {**INITIALIZE["params"], **initialize}
    try:
        send(process, message({**INITIALIZE, "params": params}))
        assert receive(process)["id"] == 1
        yield process
    finally:
        process.kill()
        process.wait()


def send(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.flush()


def receive(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    length = 0
    while line := process.stdout.readline().strip():
        if line.startswith(b"Content-Length: "):
            length = int(line.removeprefix(b"Content-Length: "))
    found: dict[str, Any] = json.loads(process.stdout.read(length))
    return found


def test_it_ends_when_nobody_can_read_what_it_says() -> None:
    with running() as process:
        assert process.stdout is not None
        process.stdout.close()
        send(process, opened(MODEL))
        assert process.wait(timeout=60) == 1


def test_it_ends_with_the_editor_that_is_killed_even_if_the_pipe_stays_open() -> None:
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with running(processId=editor.pid) as process:
        send(process, opened(MODEL))
        editor.kill()
        editor.wait()
        assert process.wait(timeout=60) == 1
