"""The daemon as a process: it becomes ready, serves, survives and stops, and explains itself when it cannot start."""

from __future__ import annotations

import re
import resource
import signal
import socket
import stat
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import Entry, Journal, verify
from controller.sim.people import PIN, badge_of
from controller.table import facts
from tests.daemon.house import House, failed_process, failed_start, table_toml


def test_it_becomes_ready_serves_and_stops_cleanly(house: House) -> None:
    house.start(WATCHDOG_USEC="100000")
    status = house.status()
    assert (status["table"], status["game"], status["open"]) == ("T1", "casino-war", True)
    assert status["round"] == {"number": 0, "phase": "between rounds"}
    assert [wait["text"] for wait in status["waiting"]] == ["players place their bets: the first one opens a round"]
    assert status["trouble"] == []
    assert stat.S_IMODE(house.socket.stat().st_mode) == 0o660
    assert [fact["text"] for fact in house.client.get("/journal/tail")["facts"]] == ["the table starts with casino-war"]
    assert house.client.get("/journal/verify")["ok"]

    house.deal_a_round()
    house.manager.until("WATCHDOG=1")
    assert house.stop() == 0
    assert not house.socket.exists()
    house.manager.until("STOPPING=1")
    assert "STATUS=T1: casino-war, round 0" in house.manager.heard[0]
    assert re.search(r"\b[2-9TJQKA][cdhs]\b", house.raw_log) is None  # no card is in the log
    assert all(line.startswith("<") for line in house.raw_log.splitlines())
    assert [line["event"] for line in house.log][-1] == "table.stopped"
    assert verify(house.journal).ok


def test_its_last_word_counts_that_people_were_signed_out(house: House) -> None:
    house.start()
    for role in ("dealer", "supervisor"):
        house.client.post("/sign-in", {"badge": badge_of(role), "pin": PIN})
    assert house.stop() == 0
    assert house.log[-1]["facts"] == verify(house.journal).checked
    with closing(Journal.open(house.journal, table="T1")) as journal:
        told = [facts.decode(record.payload) for record in journal.iterate(1)]
    assert [fact.why for fact in told if isinstance(fact, facts.SignedOut)] == ["stopped", "stopped"]


def test_a_second_daemon_on_the_same_journal_is_refused(house: House, tmp_path: Path) -> None:
    house.start()
    other = tmp_path / "other"
    other.mkdir()
    refused = failed_process(table_toml(other, state=tmp_path / "state"))
    assert refused.returncode == 1
    assert "journal.locked" in refused.stderr and "stop it" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert house.status()["trouble"] == []  # the first one did not notice


def test_a_corrupt_journal_is_refused_and_left_as_it_is(house: House) -> None:
    journal = Journal.open(house.journal, table="T1")
    journal.append([Entry(1, facts.encode(facts.Key("no-more-bets")))])
    journal.close()
    damaged = bytearray(house.journal.read_bytes())
    damaged[damaged.rindex(b"no-more-bets")] ^= 1
    house.journal.write_bytes(damaged)
    refused = failed_start(house.config)
    assert refused.returncode == 1
    assert "journal.corrupt" in refused.stderr and "do not delete it" in refused.stderr
    assert house.journal.read_bytes() == damaged


@pytest.mark.parametrize(
    ("table", "payload", "code"),
    [("T2", b"", "journal.other-table"), ("T1", b"\x81\xa4fact\xa7unheard", "journal.unreadable")],
)
def test_a_journal_that_is_not_ours_is_refused(house: House, table: str, payload: bytes, code: str) -> None:
    journal = Journal.open(house.journal, table=table)
    journal.append([Entry(1, payload)])
    journal.close()
    refused = failed_start(house.config)
    assert (refused.returncode, code in refused.stderr) == (1, True)


def test_every_mistake_of_a_configuration_is_told(tmp_path: Path) -> None:
    path = table_toml(tmp_path, options='decks = 3\ngates = "closed"\n')
    wrong = failed_start(path)
    assert wrong.returncode == 2
    assert f'{path}:8: options.gates: "closed" must be one of auto, manual' in wrong.stderr
    path.write_text(path.read_text().replace('gates = "closed"', 'min = "600"'))
    wrong = failed_start(path)
    assert f"{path}:7: options.decks: four to eight decks are used (rule 3.1)" in wrong.stderr
    assert f"{path}:8: options.min: the minimum is above the maximum (rule 6.4)" in wrong.stderr


def test_an_address_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("sim://shoe", "sim://shoebox", 1))
    wrong = failed_start(path)
    assert (wrong.returncode, "Traceback" in wrong.stderr) == (2, False)
    assert "config.invalid" in wrong.stderr and 'there is no simulated device "shoebox"' in wrong.stderr


# ---- the socket


def test_a_socket_that_nobody_answers_on_is_replaced(house: House) -> None:
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(house.socket))
    dead.close()
    assert house.start().status()["table"] == "T1"
    assert house.stop(signal.SIGINT) == 0


def test_a_socket_that_somebody_answers_on_is_left_alone(house: House) -> None:
    with socket.socket(socket.AF_UNIX) as taken:
        taken.bind(str(house.socket))
        taken.listen()
        refused = failed_start(house.config)
    assert (refused.returncode, "Traceback" in refused.stderr) == (1, False)
    assert "api.in-use" in refused.stderr
    assert house.socket.exists()


def test_a_file_in_the_place_of_the_socket_is_left_alone(house: House) -> None:
    house.socket.write_text("precious")
    refused = failed_start(house.config)
    assert (refused.returncode, "api.not-a-socket" in refused.stderr) == (1, True)
    assert house.socket.read_text() == "precious"


def test_a_directory_that_is_not_there(house: House) -> None:
    house.config.write_text(house.config.read_text().replace("feltd.sock", "nowhere/feltd.sock"))
    refused = failed_start(house.config)
    assert (refused.returncode, "api.socket" in refused.stderr) == (1, True)


# ---- what may happen to it


def test_kill_9_in_mid_round_loses_nothing(house: House) -> None:
    house.start()
    with house.devices() as devices:
        devices.do("sensor.1", "bet", {"war": 1000})
        house.wait(lambda: house.status()["round"]["phase"] == "betting")
        devices.do("console", "press", "no-more-bets")
        house.wait(lambda: house.status()["round"]["phase"] == "dealing")
        devices.do("shoe", "draw", "2h")
        house.wait(lambda: house.status()["waiting"][0]["text"] == "deal a card to the dealer")
    before = house.status()
    assert house.stop(signal.SIGKILL) == -signal.SIGKILL
    after = house.start().status()  # over the socket that was left behind
    assert after["round"] == before["round"] and after["waiting"] == before["waiting"]


def test_a_full_disk_is_told_and_got_over(house: House) -> None:
    """No file may grow, as on a full disk; the sensor keeps its reading until it is stored."""
    house.start()
    process = house.process
    assert process is not None
    before = house.status()["journal"]["seq"]
    limits = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, limits[1]))
    with house.devices() as devices:
        devices.do("sensor.1", "bet", {"war": 1000})
    house.wait(lambda: house.status()["storage"] is not None)
    status = house.status()
    assert status["storage"]["code"].startswith("journal.")
    assert status["trouble"][0] == status["storage"]
    assert status["journal"]["seq"] == before and status["round"]["phase"] == "between rounds"
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, limits)
    house.wait(lambda: house.status()["round"]["phase"] == "betting")
    assert house.status()["storage"] is None
    assert house.stop() == 0
    assert verify(house.journal).ok
