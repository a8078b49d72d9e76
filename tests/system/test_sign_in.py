"""The daemon is killed while it checks a PIN: the console, which lives on, sends it again, and it counts once."""

from __future__ import annotations

import time
from pathlib import Path

from controller.people.pins import MOST_MEMORY, hashed
from controller.people.roster import Employee, Roster
from controller.table import facts
from controller.table.facts import BadgePresented, Key, SignedIn, SignInFailed
from hw_sim.control import ControlClient
from tests.people.everybody import write_people
from tests.system.on_disk import journal_in
from tests.system.test_kill import Victim, answers, configuration, durable, process, wait_until

PIN = "85274196"


def told(home: Path) -> list[object]:
    journal = journal_in(home)
    every = [facts.decode(record.payload) for record in journal]
    journal.close()
    return [fact for fact in every if isinstance(fact, BadgePresented | SignedIn | SignInFailed | Key)]


def test_a_kill_between_a_pin_and_its_decision(tmp_path: Path) -> None:
    home = tmp_path
    write_people(home, Roster((Employee("Ann", "0417", ("supervisor",), hashed(PIN, MOST_MEMORY, 10)),)))
    with (
        process(
            "-m", "hw_sim", "serve", "--directory", str(home / "dev"), "--seats", "3", "--until-stdin-closes"
        ) as sim,
        Victim(configuration(home), home / "log") as victim,
    ):
        assert sim.stdout is not None and sim.stdout.readline()
        wait_until(lambda: answers(home / "api.sock"))
        with ControlClient(home / "dev" / "control.sock") as devices:
            devices.do("console", "badge", "0417")
            wait_until(lambda: durable(devices, "console"))
            devices.do("console", "pin", PIN)
            devices.do("console", "press", "replaced")
            undecided = 0
            for _ in range(3):
                time.sleep(0.01)
                undecided += not durable(devices, "console")  # a decision takes ten times as long
                victim.kill()
                victim.start()
                wait_until(lambda: answers(home / "api.sock"))
            assert undecided
            wait_until(lambda: durable(devices, "console"))
        victim.stop()
    names = [type(fact).__name__ for fact in told(home)]
    assert names == ["BadgePresented", "SignedIn", "Key"]
    for path in (home / "log", *(home / "state").iterdir()):
        assert PIN.encode() not in path.read_bytes()
