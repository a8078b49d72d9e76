"""A journal whose game is not installed any more: the daemon reads it, says why, and writes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.errors import FeltError
from controller.journal.store import Journal
from tests.daemon.house import House, failed_start
from tests.examples.installing import environment, felt

CAUSE = 'the journal is of the game "high-card", which is not installed'


@pytest.fixture
def house(site: Path, tmp_path: Path) -> Iterator[House]:
    """Yields a table of High Card that was stopped in mid-round: one card is out."""
    house = House(tmp_path, game="high-card")
    try:
        house.start(PYTHONPATH=environment(site)["PYTHONPATH"])
        with house.devices() as devices:
            devices.do("sensor.1", "bet", {"high": 1000})
            house.wait(lambda: house.status()["round"]["number"] == 1)
            devices.do("console", "press", "no-more-bets")
            devices.do("shoe", "draw", "Ah")
            house.wait(lambda: house.status()["waiting"][0]["text"].endswith("dealer"))
        assert house.stop() == 0
        yield house
    finally:
        house.close()


def facts(house: House) -> list[bytes]:
    """Returns every record as it lies there."""
    journal = Journal.inspect(house.journal)
    try:
        return [record.payload for record in journal.iterate()]
    finally:
        journal.close()


def look(house: House, records: int) -> None:
    """Looks whether the daemon serves what can be read, and nothing else."""
    status = house.status()
    assert (status["game"], status["open"], status["journal"]["seq"]) == ("high-card", False, records)
    assert [(trouble["code"], trouble["cause"]) for trouble in status["trouble"]] == [("game.missing", CAUSE)]
    assert "Install the package that brings the game" in status["trouble"][0]["next_step"]
    assert house.client.get("/journal/verify")["ok"]
    tail = house.client.get("/journal/tail", n=100)
    assert (tail["head"], len(tail["facts"])) == (records, records)
    assert "Ah" not in json.dumps(tail)
    with pytest.raises(FeltError, match=r"game\.missing"):
        house.client.get("/devices")
    with pytest.raises(FeltError, match=r"game\.missing"):
        house.client.post("/correct", {"target": 1})


def test_a_table_whose_game_is_gone_is_only_read(site: Path, house: House, tmp_path: Path) -> None:
    before = facts(house)
    house.launch()
    look(house, len(before))
    told = felt(tmp_path, "status", "--socket", str(house.socket))
    assert told.returncode == 1
    assert "table T1: high-card, closed" in told.stdout
    assert f"TROUBLE game.missing: {CAUSE}" in told.stdout
    assert felt(tmp_path, "journal", "tail", "--socket", str(house.socket)).returncode == 0
    assert any("game.missing" in heard for heard in house.manager.heard)  # systemd shows it
    assert house.stop() == 0

    house.config.write_text(house.config.read_text().replace("high-card", "casino-war"))
    house.launch()
    look(house, len(before))  # another game would forget the card and the chips
    assert house.stop() == 0
    assert facts(house) == before

    house.config.write_text(house.config.read_text().replace("casino-war", "high-card"))
    house.start(PYTHONPATH=environment(site)["PYTHONPATH"])  # installed again: the round goes on
    with house.devices() as devices:
        devices.do("shoe", "draw", "9c")
        house.wait(lambda: house.status()["round"]["phase"] == "settling")
        devices.do("console", "press", "settle")
        house.wait(lambda: house.status()["round"]["phase"] == "between rounds")
    assert house.status()["last"]["outcome"] == "settled"
    assert house.stop() == 0

    offline = felt(tmp_path, "journal", "verify", "--replay", str(house.journal))
    assert offline.returncode == 0, offline.stderr
    assert f"note: {CAUSE}: from record 1 on no fact was told again" in offline.stdout
    assert felt(tmp_path, "journal", "tail", str(house.journal)).returncode == 0


def test_without_a_journal_of_that_game_the_configuration_is_wrong(tmp_path: Path) -> None:
    house = House(tmp_path, game="high-card")
    try:
        assert failed_start(house.config).returncode == 2
        house.config.write_text(house.config.read_text().replace("high-card", "casino-war"))
        house.start()
        house.stop()
        house.config.write_text(house.config.read_text().replace("casino-war", "casino-wra"))
        refused = failed_start(house.config)  # a slip: the journal is of a game that is there
        assert refused.returncode == 2
        assert 'unknown game "casino-wra": did you mean "casino-war"?' in refused.stderr
    finally:
        house.close()
