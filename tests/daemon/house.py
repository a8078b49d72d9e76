"""A real daemon in a process of its own, on simulated devices, in a directory of its own."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, Self

import structlog

from controller.daemon.main import run
from hw_sim.control import ControlClient as Devices
from tests.asking import Client
from tests.forking import Process
from tests.forking import run as run_program
from tests.people.everybody import write_people

PATIENCE = 20.0  # seconds; a busy machine makes nothing fail


def table_toml(
    directory: Path, *, seats: int = 2, options: str = "", state: Path | None = None, game: str = "casino-war"
) -> Path:
    """A table on simulated devices."""
    sensors = "".join(
        f'[device."sensor.{n}"]\nfamily = "bet-sensor"\narea = {n}\naddress = "sim://sensor.{n}"\n'
        for n in range(1, seats + 1)
    )
    plain = "".join(f'[device.{n}]\nfamily = "{n}"\naddress = "sim://{n}"\n' for n in ("shoe", "console", "lamps"))
    path = directory / "table.toml"
    write_people(directory)
    path.write_text(
        f'[table]\nname = "T1"\ngame = "{game}"\nstate = "{state or directory / "state"}"\n'
        f"[options]\nseats = {seats}\n{options}\n{plain}{sensors}"
        f'[api]\nsocket = "{directory / "feltd.sock"}"\n'
    )
    return path


class Manager:
    """Plays the service manager: hears what the daemon notifies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.heard: list[str] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))

    def next(self, patience: float = PATIENCE) -> str:
        self._socket.settimeout(patience)
        message = self._socket.recv(4096).decode()
        self.heard.append(message)
        return message

    def until(self, word: str) -> str:
        while True:
            message = self.next()
            if word in message:
                return message

    def close(self) -> None:
        self._socket.close()


class House:
    """One directory with a configuration, and the daemon that is started there."""

    def __init__(self, directory: Path, *, options: str = "", seats: int = 2, game: str = "casino-war") -> None:
        self.directory = directory
        self.config = table_toml(directory, seats=seats, options=options, game=game)
        self.socket = directory / "feltd.sock"
        self.journal = directory / "state" / "journal.db"
        self.client = Client(str(self.socket))
        self.manager = Manager(directory / "notify.sock")
        self.process: Process | None = None
        self._log = directory / "log"

    def start(self, **environment: str) -> Self:
        """Returns when the daemon says that it is ready and all devices are there."""
        self.launch(**environment)
        self.wait(lambda: all(device["phase"] == "ready" for device in self.client.get("/devices")["devices"]))
        return self

    def launch(self, **environment: str) -> None:
        """Returns when the daemon says that it is ready, whatever it can do."""
        assert self.process is None
        env = {**os.environ, "NOTIFY_SOCKET": str(self.manager.path), **environment}
        with self._log.open("a") as log:
            to = log.fileno()
            self.process = Process("feltd", "--config", str(self.config), stdout=to, stderr=to, env=env)
        self.manager.until("READY=1")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """The exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.process = None
        return status

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
        self.manager.close()
        for line in self.log if self._log.exists() else ():
            if line["event"] == "simulated.devices":  # a daemon that was killed could not tidy up
                shutil.rmtree(Path(line["control"]).parent, ignore_errors=True)

    @property
    def log(self) -> list[dict[str, Any]]:
        """What it logged, without the priorities."""
        lines = self._log.read_text().splitlines()
        return [json.loads(line.partition(">")[2]) for line in lines if line.startswith("<")]

    @property
    def raw_log(self) -> str:
        return self._log.read_text()

    def devices(self) -> Devices:
        path = [line["control"] for line in self.log if line["event"] == "simulated.devices"][-1]
        return Devices(Path(path))

    def status(self) -> dict[str, Any]:
        return self.client.get("/status")

    def wait(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, "this never came about"
            time.sleep(0.01)

    def deal_a_round(self) -> None:
        """Area 1 loses ten with a two against a king, however many rounds were dealt before."""

        def phase(name: str) -> None:
            self.wait(lambda: self.status()["round"]["phase"] == name)

        with self.devices() as devices:
            devices.do("sensor.1", "bet", {"war": 1000})
            phase("betting")
            devices.do("console", "press", "no-more-bets")
            phase("dealing")
            devices.do("shoe", "draw", "2h")
            devices.do("shoe", "draw", "Kd")
            phase("settling")
            devices.do("console", "press", "settle")
            phase("between rounds")


class Refused(NamedTuple):
    returncode: int
    stderr: str


def failed_start(config: Path) -> Refused:
    """A daemon that cannot start, without the cost of a process."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        status = run(config)
    structlog.reset_defaults()
    return Refused(status, said.getvalue())


def failed_process(config: Path) -> Refused:
    """The same as a process."""
    done = run_program("feltd", "--config", str(config), env=os.environ, timeout=PATIENCE)
    return Refused(done.returncode, done.stderr)
