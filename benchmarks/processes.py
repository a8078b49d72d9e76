"""The processes of a benchmark: the devices' peer, the floor's bare one, and the real daemon on its configuration."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from benchmarks.measure import ROOT, environment, python
from benchmarks.peer import FAMILIES, SEATS

PATIENCE = 30.0  # seconds for a daemon to become ready
NAME = "BENCH"


class Peer:
    """`benchmarks.peer`: starts when `go` is called."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            python("-m", "benchmarks.peer", *arguments), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        if self.line() != b"ready\n":
            raise RuntimeError("the devices' process did not start")

    def line(self) -> bytes:
        """The next line that it prints."""
        return _pipe(self._process.stdout).readline()

    def go(self) -> None:
        pipe = _pipe(self._process.stdin)
        pipe.write(b"go\n")
        pipe.flush()

    def kill(self) -> None:
        end(self._process)
        _pipe(self._process.stdin).close()
        _pipe(self._process.stdout).close()


@contextmanager
def peer(*arguments: str) -> Iterator[Peer]:
    started = Peer(*arguments)
    try:
        yield started
    finally:
        started.kill()


def end(process: subprocess.Popen[bytes]) -> None:
    """As kill -9 does."""
    process.kill()
    process.wait()


def configure(directory: Path) -> Path:
    """The table.toml of a table with the peer's ten devices."""
    lines = ["[table]", f'name = "{NAME}"', 'game = "casino-war"', f'state = "{directory}"']
    lines += ["[options]", 'shoe = "csm"', f"seats = {SEATS}"]
    for name, family in FAMILIES.items():
        lines += [f'[device."{name}"]', f'family = "{family}"', f'address = "serial://{directory / name}"']
        lines.append("sealed = false")
        if family == "bet-sensor":
            lines.append(f"area = {name.partition('.')[2]}")
    lines += ["[api]", f'socket = "{directory / "feltd.sock"}"']
    path = directory / "table.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


@contextmanager
def feltd(config: Path) -> Iterator[tuple[subprocess.Popen[bytes], float]]:
    """The daemon, and the seconds that it took from its start until it said READY; killed with -9 at the end."""
    address = config.with_name("notify.sock")
    address.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(address))
        notify.settimeout(PATIENCE)
        log = config.with_name("feltd.log").open("ab")
        began = time.perf_counter()
        process = subprocess.Popen(
            python("-m", "controller.daemon.main", "--config", str(config)),
            cwd=ROOT,
            env={**environment(config.parent), "NOTIFY_SOCKET": str(address)},
            stdout=log,
            stderr=log,
        )
        log.close()
        try:
            while b"READY=1" not in notify.recv(4096):
                pass
            yield process, time.perf_counter() - began
        finally:
            end(process)


def settle(config: Path, devices: int = len(FAMILIES)) -> None:
    """Wait until the daemon's log says that every device is there."""
    log = config.with_name("feltd.log")
    deadline = time.monotonic() + PATIENCE
    while log.read_text().count("device.ready") < devices:
        if time.monotonic() > deadline:
            raise RuntimeError("the devices did not become ready")
        time.sleep(0.05)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
