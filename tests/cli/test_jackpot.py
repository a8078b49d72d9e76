"""felt jackpot: on a running table, without one, and what they say when it does not work.

The examples of docs/jackpot.md are here.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from controller.cli.group import cli
from controller.errors import FeltError
from controller.service.meter_store import FILE
from controller.sim.people import PIN, badge_of
from tests.daemon.house import House
from tests.daemon.others import api_lines, ask, needs_accounts, open_to_others, why_not
from tests.service.kept import ROYAL

OTHER = 4002  # an account
OPTIONS = 'jackpot = "nsw"\n'


class JackpotHouse(House):
    """A Caribbean Stud table with a prize meter of its own."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, options=OPTIONS, game="caribbean-stud")
        if not why_not():
            self.config.write_text(self.config.read_text() + api_lines())
            open_to_others(self.socket)

    def takes_wagers(self) -> bool:
        try:
            return bool(self.client.get("/jackpot")["table"]["open"])
        except FeltError:  # the meter is still being made
            return False

    def beyond(self, seq: int) -> bool:
        return bool(self.status()["journal"]["seq"] > seq)

    def win_the_jackpot(self) -> None:
        """Area 1 has a royal flush; the prize waits for an area manager."""
        self.wait(self.takes_wagers)
        with self.devices() as devices:
            for device, verb, *args in (
                ("sensor.1", "bet", {"ante": 1000, "jackpot": 500}),
                ("console", "press", "no-more-bets"),
                *(("shoe", "draw", card) for card in ROYAL.split()),
                ("sensor.1", "bet", {"bet": 2000}),
                ("console", "press", "settle"),
                ("console", "badge", badge_of("area-manager")),
                ("console", "pin", PIN),
            ):
                before = self.status()["journal"]["seq"]
                devices.do(device, verb, *args)
                self.wait(partial(self.beyond, before))
        self.wait(lambda: self.client.get("/jackpot")["meter"]["hits"] == 1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JackpotHouse]:
    house = JackpotHouse(tmp_path_factory.mktemp("jackpot"))
    try:
        house.start()
        house.win_the_jackpot()
        (house.directory / "people.toml").unlink()  # from now on accounts alone have powers over the socket
        yield house
    finally:
        house.close()


def run(house: House, *words: str) -> Result:
    return CliRunner().invoke(cli, [*words, "--socket", str(house.socket)])


def answer(house: House, *words: str) -> dict[str, Any]:
    said = run(house, *words, "--json")
    assert said.exit_code == 0, said.output
    result: dict[str, Any] = json.loads(said.output)
    return result


def test_show(house: JackpotHouse) -> None:
    said = run(house, "jackpot", "show")
    assert said.exit_code == 0
    assert said.output.startswith("T1: 100,000.0000\n")
    for words in ("nsw, option 1", "- wins", "100,003.0000", "wagers are taken", "waits to be paid"):
        assert words in said.output
    meter = answer(house, "jackpot", "show")["meter"]
    assert (meter["value"], meter["hits"], meter["contributions"]) == ("100000.0000", 1, "2.8610")


def test_history(house: JackpotHouse) -> None:
    said = run(house, "jackpot", "history", "-n", "5")
    assert re.search(r"T1 +1 +1 +royal flush +100,003\.00 +100,002\.8610 +100,000\.0000 +12\.2\.1", said.output)
    (hit,) = answer(house, "jackpot", "history")["hits"]
    assert (hit["prize"], hit["undone"]) == ("100003.00", False)


def test_verify(house: JackpotHouse) -> None:
    said = run(house, "jackpot", "verify")
    assert (said.exit_code, "T1: sound, " in said.output) == (0, True)
    said = run(house, "jackpot", "verify", "--clear", "--by", "technician 3")
    assert (said.exit_code, "jackpot.no-fault" in said.output) == (1, True)
    assert run(house, "jackpot", "verify", "--clear").exit_code == 2


def test_a_checkpoint_kept_elsewhere_holds_later(house: JackpotHouse, tmp_path: Path) -> None:
    note = run(house, "jackpot", "checkpoint").output
    assert note.startswith("feltd.ledger/T1\n")
    kept = tmp_path / "kept"
    kept.write_text(note)
    said = run(house, "jackpot", "verify", "--checkpoint", str(kept))
    assert (said.exit_code, "and the checkpoint holds" in said.output) == (0, True)
    other = note.splitlines()
    kept.write_text("\n".join([other[0], str(int(other[1]) + 9), *other[2:]]) + "\n")
    said = run(house, "jackpot", "verify", "--checkpoint", str(kept))
    assert (said.exit_code, "it was cut" in said.output) == (1, True)
    kept.write_text("nothing")
    assert "ledger.unreadable" in run(house, "jackpot", "verify", "--checkpoint", str(kept)).output
    assert run(house, "jackpot", "verify", "--key", "x").exit_code == 2


def test_the_ledger_beside_the_journal(house: JackpotHouse) -> None:
    said = run(house, "jackpot", "reconcile")
    assert said.exit_code == 0, said.output
    assert said.output.startswith("T1: the ledger and the journals agree\n")
    assert "T1: 2 movements; wagers added 2.8610 by the journal, 2.8610 by the ledger" in said.output
    assert answer(house, "jackpot", "reconcile")["without_journal"] == []
    said = run(house, "jackpot", "claim", "--by", "technician 3", "--reason", "none")
    assert (said.exit_code, "jackpot.no-fault" in said.output) == (1, True)


def test_floor(house: JackpotHouse) -> None:
    said = run(house, "jackpot", "meters")
    assert "T1: 100,000.0000" in said.output
    assert "last prize: 100,003.00 for a royal flush at T1, area 1" in said.output
    assert re.search(r"T1 +caribbean-stud +method A +connected", said.output)
    (meter,) = answer(house, "jackpot", "meters")["meters"]
    assert [table["table"] for table in meter["tables"]] == ["T1"]


def test_two_people_adjust(house: JackpotHouse) -> None:
    words = ("jackpot", "adjust", "12.3405", "--reason", "a wager was counted twice")
    said = run(house, *words, "--by", "manager 1")
    assert said.exit_code == 0 and "Nothing is done yet" in said.output
    code = re.search(r"confirm (\w{4}) --by", said.output)
    assert code is not None
    assert answer(house, "jackpot", "show")["meter"]["adjustments"] == "0.0000"
    for name in (" MANAGER 1", "manager 2"):  # the same name; the same account under another one
        alone = run(house, "jackpot", "confirm", code[1], "--by", name)
        assert (alone.exit_code, "jackpot.people" in alone.output) == (1, True)
    needs_accounts()
    status, done = ask(house.socket, OTHER, "/jackpot/confirm", {"code": code[1], "by": "manager 2"}, ("technicians",))
    assert (status, done["meter"]["value"]) == (200, "100012.3405")
    again = run(house, "jackpot", "confirm", code[1], "--by", "manager 2")
    assert (again.exit_code, "jackpot.no-proposal" in again.output) == (1, True)
    facts = [fact["text"] for fact in house.client.get("/journal/tail", n=50)["facts"]]
    why = "the meter was adjusted by +12.3405: a wager was counted twice"
    assert f"meter: {why} (by manager 1 (account 0 root) and manager 2 (account {OTHER}))" in facts
    house.wait(lambda: answer(house, "jackpot", "show")["table"]["shows"] == "100012.3405")
    back = {"amount": "-12.3405", "reason": "a wager was counted twice", "by": "manager 2"}
    _, proposed = ask(house.socket, OTHER, "/jackpot/adjust", back, ("technicians",))
    said = run(house, "jackpot", "confirm", proposed["confirm"], "--by", "manager 1")
    assert said.output == "adjusted by -12.3405; T1 holds 100,000.0000 now\n"


@pytest.mark.parametrize("amount", ["0", "1.00005", "much", "1/2", "1e99999999", "10000000000"])
def test_an_amount_that_is_none(house: JackpotHouse, amount: str) -> None:
    said = run(house, "jackpot", "adjust", amount, "--reason", "why not", "--by", "manager 1")
    assert (said.exit_code, "jackpot.amount" in said.output) == (1, True)


def test_who_and_why_are_asked(house: JackpotHouse) -> None:
    assert run(house, "jackpot", "adjust", "1", "--by", "manager 1").exit_code == 2
    said = run(house, "jackpot", "adjust", "1", "--by", "manager 1", "--reason", " ")
    assert (said.exit_code, "jackpot.people" in said.output) == (1, True)


def test_the_rules_decide_about_closing_and_another_system(house: JackpotHouse) -> None:
    said = run(house, "jackpot", "close", "G2", "--by", "manager 1", "--reason", "the end of the season")
    assert said.exit_code == 1
    assert "jackpot.refused: a jackpot game is running (rule 11.2.1(g))" in said.output  # its prize is not paid yet
    said = run(house, "jackpot", "transfer", "G2", "--by", "manager 1")
    assert (said.exit_code, "(rule 11.2.1(f))" in said.output) == (1, True)


def test_notices(house: JackpotHouse) -> None:
    assert "announces nothing about the Jackpot" in run(house, "jackpot", "notices").output
    said = run(house, "jackpot", "notices", "--add", "close-jackpot", "--by", "manager 1")
    assert re.match(r"close-jackpot: on the sign for 0 minutes, since \d{4}-", said.output)
    assert run(house, "jackpot", "notices", "--add", "close-jackpot").exit_code == 2


# ---- without a daemon


def test_straight_from_the_store(tmp_path: Path) -> None:
    house = JackpotHouse(tmp_path)
    words = ("--config", str(house.config))
    none = CliRunner().invoke(cli, ["jackpot", "show", *words])
    assert (none.exit_code, "jackpot.no-store" in none.output) == (1, True)
    try:
        house.start()
        house.win_the_jackpot()
        house.stop()
    finally:
        house.close()
    said = CliRunner().invoke(cli, ["jackpot", "show", *words])
    assert (said.exit_code, said.output.splitlines()[0]) == (0, "T1: 100,000.0000")
    assert "royal flush" in CliRunner().invoke(cli, ["jackpot", "history", *words]).output
    assert "T1: 100,000.0000" in CliRunner().invoke(cli, ["jackpot", "meters", *words]).output
    assert CliRunner().invoke(cli, ["jackpot", "verify", *words]).exit_code == 0
    journal = ("--journal", str(tmp_path / "state" / "journal.db"))
    said = CliRunner().invoke(cli, ["jackpot", "reconcile", *words, *journal])
    assert (said.exit_code, "journals agree" in said.output) == (0, True), said.output
    with sqlite3.connect(tmp_path / "state" / FILE) as db:
        db.execute("UPDATE jackpot_movements SET ticks = ticks + 1 WHERE number = 1")
    db.close()
    wrong = CliRunner().invoke(cli, ["jackpot", "verify", *words])
    assert (wrong.exit_code, "T1: NOT SOUND" in wrong.output) == (1, True)
    wrong = CliRunner().invoke(cli, ["jackpot", "reconcile", *words, *journal])
    assert (wrong.exit_code, "jackpot.conflict: movement 1 is another one" in wrong.output) == (1, True)


def test_a_table_without_a_jackpot(tmp_path: Path) -> None:
    house = House(tmp_path)
    try:
        said = CliRunner().invoke(cli, ["jackpot", "show", "--config", str(house.config)])
        assert (said.exit_code, "jackpot.none" in said.output) == (1, True)
        said = CliRunner().invoke(cli, ["jackpot", "meters", "--socket", str(house.socket)])
        assert (said.exit_code, "daemon.unreachable" in said.output) == (1, True)
        house.start()
        said = CliRunner().invoke(cli, ["jackpot", "show", "--socket", str(house.socket)])
        assert (said.exit_code, "jackpot.none" in said.output) == (1, True)
    finally:
        house.close()
