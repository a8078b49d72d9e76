"""The daemon is killed a hundred times in the middle of rounds, while the devices live on in another process.

No card and no bet is lost, none is counted twice, and every settlement is that of the run that was never killed.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from controller.games import step
from controller.table import facts
from controller.table.effects import LinesSettled
from controller.table.facts import CardOut, Chips, CuttingCard, Key
from controller.table.state import Table
from hw_sim.control import ControlClient
from tests.forking import Process
from tests.forking import run as run_program
from tests.system.a_round import DEEDS, LINES, Deed
from tests.system.on_disk import cards_key, journal_in

KILLS = 100
PATIENCE = 20.0  # seconds for one deed to become durable, whatever is killed meanwhile
NAMES = ("shoe", "sensor.1", "sensor.2", "sensor.3", "console", "lamps")
FAMILIES = {"shoe": "shoe", "console": "console", "lamps": "lamps"}


@contextmanager
def process(*args: str, cwd: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=cwd
    ) as child:
        try:
            yield child
        finally:
            assert child.stdin is not None
            child.stdin.close()
            child.wait(10)


class Victim:
    """A daemon that is started and killed."""

    def __init__(self, config: Path, log: Path) -> None:
        self._config = config
        self._log = log
        self.kills = 0
        made = run_program("felt", "table", "init", str(config), env=os.environ, timeout=PATIENCE)
        assert made.returncode == 0, made.stderr
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)

    def start(self) -> None:
        with self._log.open("a") as log:
            to = log.fileno()
            self._process = Process("feltd", "--config", str(self._config), stdout=to, stderr=to, env=os.environ)

    def kill(self) -> None:
        """As a service manager sees it: the old one is gone before a new one starts."""
        self._process.kill()
        self._process.wait(PATIENCE)
        self.kills += 1

    def stop(self) -> None:
        """Ends it in good order."""
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(PATIENCE) == 0


def configuration(home: Path) -> Path:
    lines = ["[table]", 'name = "T1"', 'game = "casino-war"', f'state = "{home / "state"}"', "[options]", "seats = 3"]
    lines += [*cards_key(home), "[api]", f'socket = "{home / "api.sock"}"']
    for name in NAMES:
        lines += [f'[device."{name}"]', f'family = "{FAMILIES.get(name, "bet-sensor")}"']
        lines += [f'address = "serial://{home / "dev" / name}"', "sealed = false"]
        if name.startswith("sensor."):
            lines.append(f"area = {name.partition('.')[2]}")
    path = home / "table.toml"
    path.write_text("\n".join(lines) + "\n")
    (home / "state").mkdir()
    return path


def durable(devices: ControlClient, name: str) -> bool:
    return bool(devices.state()[name]["pending"] == 0)


def tell(devices: ControlClient, victim: Victim, deed: Deed, chance: random.Random, kills: int) -> None:
    """Do one deed, with some killings while it is on its way, and wait until it is durable."""
    name, verb, args = deed
    devices.do(name, verb, *args)
    for _ in range(kills):
        time.sleep(chance.choice([0.0, 0.001, 0.003, 0.01, 0.03, 0.1]) * chance.random())
        victim.kill()
        victim.start()
    wait_until(lambda: durable(devices, name))


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def answers(socket_path: Path) -> bool:
    """Somebody listens there: the daemon that was started last is up."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(socket_path)) == 0


def settled(home: Path) -> tuple[list[dict[tuple[str, str], tuple[str, int, str]]], list[object]]:
    """The settlement of every round, and everything that happened, as the journal tells it."""
    journal = journal_in(home)
    rounds: dict[int, dict[tuple[str, str], tuple[str, int, str]]] = {}
    happened: list[object] = []
    table = Table()
    for record in journal:
        fact = facts.decode(record.payload)
        if isinstance(fact, CardOut | Chips | CuttingCard | Key):
            happened.append(fact)
        table, effects = step(table, record.seq, record.at_us, fact)
        for effect in effects:
            if isinstance(effect, LinesSettled):
                for x in effect.lines:
                    assert (x.place, x.spot) not in rounds.setdefault(effect.round, {})
                    rounds[effect.round][x.place, x.spot] = (x.result, x.net, x.rule)
    journal.close()
    return [rounds[n] for n in sorted(rounds)], happened


def test_a_hundred_kills_change_nothing(tmp_path: Path) -> None:
    home = tmp_path
    chance = random.Random(20260101)
    rounds = 4
    deeds = DEEDS * rounds
    share = [KILLS // len(deeds)] * len(deeds)
    for n in chance.sample(range(len(deeds)), KILLS - sum(share)):
        share[n] += 1
    with (
        process(
            "-m", "hw_sim", "serve", "--directory", str(home / "dev"), "--seats", "3", "--until-stdin-closes"
        ) as sim,
        Victim(configuration(home), home / "log") as victim,
    ):
        assert sim.stdout is not None and sim.stdout.readline()
        with ControlClient(home / "dev" / "control.sock") as devices:
            for deed, kills in zip(deeds, share, strict=True):
                tell(devices, victim, deed, chance, kills)
        assert victim.kills == KILLS
        wait_until(lambda: answers(home / "api.sock"))
        victim.stop()
    lines, happened = settled(home)
    assert lines == [LINES] * rounds
    assert len(happened) == len(deeds)
