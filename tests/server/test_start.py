"""Starting and ending: arguments, exit codes, TCP, and what is not imported."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import IO, Any

import pytest

from .process import ENVIRONMENT, message

SERVE = [sys.executable, "-m", "pullback_server"]
INITIALIZE = {
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "capabilities": {}, "rootUri": None},
}
SHUTDOWN = {"id": 2, "method": "shutdown"}
EXIT = {"method": "exit"}


def serve(sent: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [*SERVE, *arguments]
    return subprocess.run(command, input=sent, capture_output=True, timeout=60, env=ENVIRONMENT)


def test_a_whole_life_ends_with_0_and_silence_on_stderr() -> None:
    ended = serve(b"".join(map(message, (INITIALIZE, SHUTDOWN, EXIT))))
    assert ended.returncode == 0
    assert ended.stderr == b""
    assert b'"id": 2' in ended.stdout


def test_an_exit_without_shutdown_ends_with_1() -> None:
    assert serve(message(INITIALIZE) + message(EXIT)).returncode == 1


def test_bytes_that_are_no_message_do_not_end_the_server() -> None:
    junk = b"Content-Length: 5\r\n\r\n{{{{{" + b"Content-Length: 2\r\n\r\n[]"
    junk += b"Content-Length: 4\r\n\r\n\xff\xfe\xff\xfe" + message({"id": [], "method": 3})
    ended = serve(message(INITIALIZE) + junk + message(SHUTDOWN) + message(EXIT))
    assert ended.returncode == 0
    assert b'"id": 2' in ended.stdout


@pytest.mark.parametrize(
    "arguments", [["--port", "1"], ["--tcp"], ["--tcp", "x"], ["--tcp", "99999"]]
)
def test_unknown_arguments_end_with_2_and_the_usage(arguments: list[str]) -> None:
    ended = serve(b"", *arguments)
    assert ended.returncode == 2
    assert b"usage: pullback-server" in ended.stderr


def test_help_ends_with_0_and_the_usage() -> None:
    ended = serve(b"", "--help")
    assert ended.returncode == 0
    assert b"usage: pullback-server" in ended.stdout


def test_neither_numpy_nor_the_live_part_is_imported_and_the_core_waits_for_a_question() -> None:
    program = (
        "import sys\n"
        "from pullback_server.server import create\n"
        "create()\n"
        "heavy = {'numpy', 'scipy', 'pullback.live', 'pullback.verify', 'pullback.cli', 'click'}\n"
        "heavy |= {'pullback.derive', 'pullback.rules', 'pullback.transform'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, env=ENVIRONMENT)
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def connected(port: int, patience: float = 30) -> socket.socket:
    """A connection to the server, once it listens."""
    until = time.monotonic() + patience
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


@contextmanager
def over_tcp() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server that listens, and its port; it is ended in any case."""
    port = free_port()
    process = subprocess.Popen(
        [*SERVE, "--tcp", str(port)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process, port
    finally:
        process.kill()
        process.wait()


def test_tcp_serves_on_the_loopback_address_says_so_and_ends_with_its_client() -> None:
    with over_tcp() as (process, port):
        with connected(port) as channel:
            channel.sendall(message(INITIALIZE))
            assert b"Content-Length" in channel.recv(100)
            channel.sendall(message(SHUTDOWN) + message(EXIT))
            assert process.wait(timeout=30) == 0
        said, complained = process.communicate()
        assert f"one client of this machine can connect to 127.0.0.1:{port}".encode() in said
        assert complained == b""


def test_a_second_client_cannot_connect_and_the_first_one_is_served_on() -> None:
    with over_tcp() as (process, port), connected(port) as first:
        first.sendall(message(INITIALIZE))
        assert b"Content-Length" in first.recv(100)
        with pytest.raises(OSError):
            connected(port, patience=0).recv(1)
        first.sendall(message(SHUTDOWN) + message(EXIT))
        assert process.wait(timeout=30) == 0


@pytest.mark.slow
def test_a_client_that_reads_nothing_is_not_read_from_and_has_its_answers_when_it_reads() -> None:
    name = "x" * 100_000  # of a method that is not known, so that the answer is as long
    asked = b"".join(message({"id": k, "method": name}) for k in range(300))
    last = message({**SHUTDOWN, "id": "last"})
    with over_tcp() as (process, port), connected(port) as channel:
        channel.sendall(message({**INITIALIZE, "id": "first"}))
        channel.settimeout(2)
        taken = 0
        with pytest.raises(TimeoutError):
            while taken < len(asked):
                taken += channel.send(asked[taken : taken + 65536])
        assert taken < len(asked)
        channel.settimeout(300)
        Thread(target=channel.sendall, args=(asked[taken:] + last,)).start()
        answered: set[object] = set()
        with channel.makefile("rb") as stream:
            while "last" not in answered:
                answered.add(received(stream).get("id"))
        assert answered.issuperset(range(300))
        channel.sendall(message(EXIT))
        assert process.wait(timeout=60) == 0


def received(stream: IO[bytes]) -> dict[str, Any]:
    length = int(stream.readline().removeprefix(b"Content-Length: "))
    while stream.readline().strip():
        """The rest of the head."""
    found: dict[str, Any] = json.loads(stream.read(length))
    return found


@pytest.mark.parametrize(
    "last",
    [b"", b"Content-Le", b"Content-Length: 100\r\n\r\n{", b"x" * 100_000],
    ids=["between messages", "in a header", "in a message", "in a line without an end"],
)
def test_a_client_that_is_gone_ends_the_server_wherever_it_stopped(last: bytes) -> None:
    with over_tcp() as (process, port):
        with connected(port) as channel:
            channel.sendall(message(INITIALIZE) + last)
        assert process.wait(timeout=30) == 1
        assert process.stderr is not None and process.stderr.read() == b""


def test_a_port_that_is_taken_ends_with_2_and_a_word() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        ended = serve(b"", "--tcp", port)
    assert ended.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}".encode() in ended.stderr
