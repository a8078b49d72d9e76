"""The processes of a benchmark: the devices' peer, the floor's bare one, and the real daemon on its configuration."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from benchmarks.deeds import SEATS, TEN
from benchmarks.measure import ROOT, NothingMeasured, environment, happened, python
from benchmarks.peer import MISSING
from controller.daemon.compose import JOURNAL
from controller.journal.store import Journal

PATIENCE = 60.0  # seconds for a daemon to become ready, which takes half of one on a quiet machine
NAME = "BENCH"


class Peer:
    """`benchmarks.peer`: starts when `go` is called."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            python("-m", "benchmarks.peer", *arguments), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._read = b""
        happened(self.line() == b"ready\n", "the devices' process did not start")

    def line(self, patience: float = PATIENCE) -> bytes:
        """The next line that it prints; NothingMeasured, with what was missing, where none comes."""
        pipe, poll, until = _pipe(self._process.stdout), select.poll(), time.monotonic() + patience
        poll.register(pipe, select.POLLIN)
        while b"\n" not in self._read:
            left = until - time.monotonic()
            happened(left > 0 and bool(poll.poll(left * 1000)), f"the devices said nothing for {patience:g} s")
            data = os.read(pipe.fileno(), 65536)
            happened(bool(data), "the devices' process has ended: see above")
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        text = line.decode()
        happened(not text.startswith(MISSING), f"the devices waited in vain for {text.removeprefix(MISSING)}")
        return line + b"\n"

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


def configure(directory: Path, devices: Mapping[str, str] = TEN) -> Path:
    """The table.toml of a table with the peer's devices: ten, unless others are named."""
    lines = ["[table]", f'name = "{NAME}"', 'game = "casino-war"', f'state = "{directory}"']
    lines += ["[options]", 'shoe = "csm"', f"seats = {SEATS}"]
    for name, family in devices.items():
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
    """The daemon, and the seconds that it took from its start until it said READY; killed with -9 at the end.

    A table that has never played gets its journal first.
    """
    if not config.with_name(JOURNAL).exists():
        Journal.open(config.with_name(JOURNAL), table=NAME).close()
    address = config.with_name("notify.sock")
    address.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(address))
        notify.settimeout(0.2)  # of one look
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
            while b"READY=1" not in _notified(notify, process):
                pass
            yield process, time.perf_counter() - began
        finally:
            end(process)


def _notified(notify: socket.socket, process: subprocess.Popen[bytes]) -> bytes:
    """The next word of the daemon to systemd; NothingMeasured when it ended, or says nothing."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        happened(process.poll() is None, f"feltd ended with status {process.returncode}")
        with suppress(TimeoutError):
            return notify.recv(4096)
    raise NothingMeasured(f"feltd said nothing for {PATIENCE:g} s")


def settle(config: Path, devices: int = len(TEN)) -> None:
    """Wait until the daemon's log says that every device is there."""
    log = config.with_name("feltd.log")
    deadline = time.monotonic() + PATIENCE
    while log.read_text().count("device.ready") < devices:
        ready = log.read_text().count("device.ready")
        happened(time.monotonic() <= deadline, f"{ready} of {devices} devices became ready")
        time.sleep(0.05)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
