"""A tournament at a running daemon: over the socket, on simulated devices, through a kill -9; docs/tournaments.md."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from controller.rules import Role
from controller.sim.people import PIN, badge_of
from tests.cli.conftest import felt
from tests.daemon.house import House
from tests.daemon.others import ask
from tests.jackpot.stores.conftest import dsn, server

__all__ = ["dsn", "server"]

TERMS = (Path(__file__).parents[2] / "examples/tournaments/spring-cup.toml").read_text()
ONE_TABLE = (
    TERMS.replace("2026-12-05T19:00:00+11:00", "2020-12-05T19:00:00+11:00")
    .replace("tables = 2", "tables = 1")
    .replace("sessions = 2", "sessions = 1")
    .replace("hands = 20", "hands = 2")
)
TWO_TABLES = ONE_TABLE.replace("tables = 1", "tables = 2")
CUP = "Spring%20Cup"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


class Desk:
    """Somebody who is signed in over the socket, under this account."""

    def __init__(self, house: House, role: Role, cup: str = CUP) -> None:
        self.house, self.cup = house, cup
        self.account = os.getuid()
        status, told = self.ask("/sign-in", {"badge": badge_of(role), "pin": PIN})
        assert status == 200, told
        self.token = str(told["token"])

    def ask(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        return ask(self.house.socket, self.account, path, body, token=getattr(self, "token", ""))

    def do(self, *words: str, deed: str = "key") -> tuple[int, dict[str, Any]]:
        return self.ask(f"/tournaments/{self.cup}/deeds", {"deed": deed, "words": list(words)})


def begun(house: House) -> Desk:
    director = Desk(house, "tournament-director")
    assert director.ask("/tournaments", {"terms": ONE_TABLE})[0] == 200
    assert Desk(house, "area-manager").ask(f"/tournaments/{CUP}/table", {})[0] == 200
    for key in ("publish", "advise", "briefed"):
        assert director.do(key)[0] == 200
    assert director.do("Ann", "Bob", deed="enter")[0] == 200
    assert director.do("start")[0] == 200
    return director


def room(house: House) -> dict[str, Any]:
    return house.client.get(f"/tournaments/{CUP}")


def deal(house: House, cards: str = "Kh 9d Qs") -> None:
    def phase(name: str) -> None:
        house.wait(lambda: house.status()["round"]["phase"] == name)

    with house.devices() as devices:
        for area in (1, 2):
            devices.do(f"sensor.{area}", "bet", {"war": 5000})
        phase("betting")
        devices.do("console", "press", "no-more-bets")
        phase("dealing")
        for card in cards.split():
            devices.do("shoe", "draw", card)
        phase("settling")
        devices.do("console", "press", "settle")
        phase("between rounds")
        for area in (1, 2):
            devices.do(f"sensor.{area}", "bet", {"war": 0})


def test_a_tournament_from_its_terms_to_its_report_through_a_kill(house: House) -> None:
    house.start()
    director = begun(house)
    deal(house)
    house.wait(lambda: room(house)["rounds_left"] == 1)
    house.stop(signal.SIGKILL)
    house.start()
    assert room(house)["rounds_left"] == 1
    deal(house)
    house.wait(lambda: room(house)["stage"] == "over")
    told = room(house)
    assert sorted(row["bank"] for row in told["ranking"]) == [900_00, 1100_00]
    assert [row["place"] for row in told["ranking"]] == [1, 2]
    assert (told["pool"], [row["prize"] for row in told["ranking"]]) == (200_00, [120_00, 60_00])
    director = Desk(house, "tournament-director")
    assert director.do("award")[0] == 200
    money = house.client.get(f"/tournaments/{CUP}/report")
    assert (money["fees"], money["paid"], money["prizes"], money["left"], money["final"]) == (
        20_00,
        200_00,
        180_00,
        20_00,
        True,
    )
    assert Desk(house, "area-manager").ask(f"/tournaments/{CUP}/free", {})[0] == 200
    cash = house.client.get("/report")
    assert "Spring Cup" not in str(cash)


def test_a_wish_of_the_console_survives_a_kill_while_the_store_does_not_answer(house: House) -> None:
    house.start()
    begun(house)
    with house.devices() as devices:
        devices.do("console", "badge", badge_of("tournament-director"))
        devices.do("console", "pin", PIN)
        house.wait(lambda: house.status()["signed_in"]["role"] == "tournament-director")
        with closing(sqlite3.connect(house.journal.parent / "jackpot.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            devices.do("console", "press", "level", "2")
            house.wait(lambda: "'level'" in str(house.client.get("/journal/tail")))
            house.stop(signal.SIGKILL)
    house.start()
    house.wait(lambda: room(house)["level"] == 2)


def test_only_who_may_does_something(house: House) -> None:
    house.start()
    status, told = ask(house.socket, os.getuid(), "/tournaments", {"terms": ONE_TABLE})
    assert (status, told["error"]["code"]) == (401, "sign-in.needed")
    dealer = Desk(house, "dealer")
    assert dealer.ask("/tournaments", {"terms": ONE_TABLE})[1]["error"]["code"] == "tournament.not-director"
    director = Desk(house, "tournament-director")
    wrong = director.ask("/tournaments", {"terms": ONE_TABLE.replace("dispute", "dispite")})
    assert (wrong[0], wrong[1]["error"]["code"]) == (409, "terms.invalid")
    assert "10.4.8(h)" in wrong[1]["error"]["cause"]
    status, told = director.ask("/tournament-terms", {"terms": ONE_TABLE.replace("dispute", "dispite")})
    assert (status, [mistake["key"] for mistake in told["mistakes"]]) == (200, ["dispute", "dispite"])
    assert director.ask("/tournament-terms", {"terms": ONE_TABLE})[1]["mistakes"] == []
    assert director.ask("/tournament-terms", {"terms": "bank = 1\nname = =\n"})[1]["mistakes"][0]["line"] == 2
    assert dealer.ask("/tournament-terms", {"terms": ONE_TABLE})[0] == 403
    assert director.ask("/tournaments", {"terms": ONE_TABLE})[0] == 200
    status, told = ask(house.socket, os.getuid(), f"/tournaments/{CUP}/desk")
    assert (status, told["error"]["code"]) == (401, "sign-in.needed")
    assert director.ask("/tournaments", {"terms": ONE_TABLE})[1]["error"]["code"] == "tournament.exists"
    assert director.ask(f"/tournaments/{CUP}/table", {})[1]["error"]["code"] == "tournament.not-director"
    assert dealer.do("publish")[0] == 403
    assert director.ask("/tournaments/LEAGUE")[0] == 404
    status, told = director.do("Ann", deed="enter")
    assert (status, told["error"]["rule"]) == (409, "10.2.2(a)")
    assert director.do("publish")[0] == 200
    for words, deed in ((("a b", "1c"), "substitute"), (("T1", "x", "Ann"), "seat"), (("Ann", "Bob"), "withdraw")):
        status, told = director.do(*words, deed=deed)
        assert (status, told["error"]["code"]) == (400, "tournament.request")
    assert "write withdraw PERSON" in director.do("Ann", "Bob", deed="withdraw")[1]["error"]["cause"]
    assert "x is no" in director.do("T1", "x", "Ann", deed="seat")[1]["error"]["cause"].replace("'", "")
    check_unknown_keys(director)
    deputy = Desk(house, "deputy")
    assert deputy.do("publish")[1]["error"]["code"] == "tournament.not-director"
    assert director.do("deputy", "simulated deputy")[0] == 200
    assert deputy.do("advise")[0] == 200
    assert deputy.ask(f"/tournaments/{CUP}/desk")[1]["advised"] is True


def check_unknown_keys(director: Desk) -> None:
    """Who presses a key that the desk has not is told all that it has, and the nearest one."""
    for words in ((), ("nonsense",), ("nonsense", "Ann")):
        status, told = director.do(*words)
        assert (status, told["error"]["code"]) == (400, "tournament.request")
        every = told["error"]["cause"].partition(", but ")[2].split(", ")
        assert {"enter", "withdraw", "substitute", "seat", "start", "rebuy", "end-table", "award"} <= set(every)
        assert "did you mean" not in told["error"]["cause"]
    assert 'did you mean "start"?' in director.do("strat")[1]["error"]["cause"]
    status, told = director.do("level", "two")
    assert (status, told["error"]["code"]) == (400, "tournament.request")
    assert "write level N" in told["error"]["cause"]


def test_nobody_enters_twice_by_small_and_capital_letters(house: House) -> None:
    house.start()
    director = begun(house)
    before = room(house)["entered"]
    assert "has started" in director.do("ann", deed="enter")[1]["error"]["cause"]
    second = ONE_TABLE.replace('"Spring Cup"', '"Second Cup"')
    assert director.ask("/tournaments", {"terms": second})[0] == 200
    director.cup = "Second%20Cup"
    for key in ("publish", "advise"):
        assert director.do(key)[0] == 200
    assert director.do("Ann", "Bob", deed="enter")[0] == 200
    for words, deed in ((("ann",), "enter"), (("Cem", "CEM"), "enter"), (("Bob", "ANN"), "substitute")):
        status, told = director.do(*words, deed=deed)
        assert (status, told["error"]["code"]) == (409, "tournament.refused")
        assert told["error"]["rule"] == ("10.4.2(c)" if deed == "enter" else "10.4.8(a)(iii)")
    assert told["error"]["cause"] == (
        "ANN looks like Ann: write Ann for the same person, or another name, such as ANN-2"
    )
    assert "CEM looks like Cem" in director.do("Cem", "CEM", deed="enter")[1]["error"]["cause"]
    assert director.do("ann-2", deed="enter")[0] == 200
    assert house.client.get("/tournaments/Second%20Cup")["entered"] == 3
    assert room(house)["entered"] == before


def test_a_manager_designates_the_table_at_its_console(house: House) -> None:
    house.start()
    director = Desk(house, "tournament-director")
    assert director.ask("/tournaments", {"terms": ONE_TABLE})[0] == 200
    with house.devices() as devices:
        devices.do("console", "badge", badge_of("area-manager"))
        devices.do("console", "pin", PIN)
        house.wait(lambda: house.status()["signed_in"]["role"] == "area-manager")
        devices.do("console", "press", "set", "tournament=Spring-Cup")
        house.wait(lambda: house.client.get("/tournaments")["own"] == "Spring Cup")  # the table hears it after the desk
        assert room(house)["tables"] == 1
        devices.do("console", "press", "set", "tournament=none")
        house.wait(lambda: "10.2.5" in str(house.status()["prompts"]))  # not before it is over
        assert house.client.get("/tournaments")["own"] == "Spring Cup"


def test_who_may_only_look_sees_what_the_room_sees(house: House) -> None:
    look = house.directory / "read.sock"
    house.config.write_text(f'{house.config.read_text()}read-socket = "{look}"\n')
    house.start()
    director = begun(house)
    with house.devices() as devices:
        devices.do("sensor.1", "bet", {"war": 7700}, False, False, True)
        house.wait(lambda: "a secret wager" in str(house.client.get("/journal/tail")))

    def seen(path: str, body: dict[str, Any] | None = None, token: str = "") -> tuple[int, dict[str, Any]]:
        return ask(look, os.getuid(), path, body, token=token)

    assert seen("/tournaments")[1] == house.client.get("/tournaments")
    status, told = seen(f"/tournaments/{CUP}")
    assert (status, told) == (200, room(house))
    assert {row["name"] for row in told["ranking"]} == {"Ann", "Bob"}
    assert "77" not in str(told)
    for path in (f"/tournaments/{CUP}/desk", f"/tournaments/{CUP}/report"):
        assert seen(path, token=director.token)[0] == 404
    for path in ("/tournaments", f"/tournaments/{CUP}/deeds", f"/tournaments/{CUP}/table"):
        assert seen(path, {"terms": ONE_TABLE}, director.token)[0] in (404, 405)
    at = ("--socket", str(look))
    assert "level 1 of 3: $10 to $500" in felt("tournament", "show", "Spring Cup", *at).stdout


@pytest.fixture
def two(tmp_path: Path, dsn: str) -> Iterator[tuple[House, House]]:
    """Two daemons that share a server."""
    houses = []
    for name in ("T1", "T2"):
        (tmp_path / name).mkdir()
        house = House(tmp_path / name)
        way = tmp_path / name / "dsn"
        way.write_text(dsn)
        way.chmod(0o600)
        text = house.config.read_text().replace('name = "T1"', f'name = "{name}"')
        house.config.write_text(f'{text}[jackpot]\nstore = "postgres"\ndsn-file = "{way}"\n')
        houses.append(house)
    yield houses[0], houses[1]
    for house in houses:
        house.close()


def test_two_daemons_share_a_tournament_through_a_kill(two: tuple[House, House], dsn: str) -> None:
    one, other = two
    one.start()
    director = Desk(one, "tournament-director")
    live = director.ask("/tournaments", {"terms": TWO_TABLES})
    assert (live[0], live[1]["error"]["code"]) == (503, "jackpot.live")  # simulated tables stay out of a live store
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("INSERT INTO jackpot_settings VALUES ('test-database', 'yes')")
    other.start()
    assert director.ask("/tournaments", {"terms": TWO_TABLES})[0] == 200
    for house in two:
        assert Desk(house, "area-manager").ask(f"/tournaments/{CUP}/table", {})[0] == 200
    for key in ("publish", "advise", "briefed"):
        assert director.do(key)[0] == 200
    assert director.do("Ann", "Bob", "Cem", "Dee", deed="enter")[0] == 200
    assert Desk(other, "tournament-director").do("start")[0] == 200
    one.wait(lambda: not shut(one))
    other.wait(lambda: not shut(other))
    deal(one)
    deal(other)
    one.wait(lambda: room(one)["rounds_left"] == 1)
    one.stop(signal.SIGKILL)
    deal(other)
    one.start()
    deal(one)
    one.wait(lambda: room(one)["stage"] == "over")
    other.wait(lambda: room(other)["stage"] == "over")
    assert room(one) == room(other)
    assert sorted(row["bank"] for row in room(one)["ranking"]) == [900_00, 900_00, 1100_00, 1100_00]
    assert [row["place"] for row in room(one)["ranking"]] == [1, 1, 3, 3]
    assert [row["prize"] for row in room(one)["ranking"]] == [180_00, 180_00, 20_00, 20_00]


def shut(house: House) -> bool:
    """Whether the table takes no wagers now."""
    return not house.status()["gates"]["bets"]["open"]


def test_the_command_tells_how_it_stands(house: House) -> None:
    house.start()
    at = ("--socket", str(house.socket))
    assert felt("tournament", "list", *at).stdout == "there are no tournaments\n"
    status, refused = begun(house).do("award")
    assert (status, refused["error"]["cause"], refused["error"]["rule"]) == (
        409,
        "the tournament is not over",
        "10.4.6(a)",
    )
    assert "Spring Cup  casino-war  running" in felt("tournament", "list", *at).stdout
    shown = felt("tournament", "show", "Spring Cup", *at).stdout
    assert "level 1 of 3: $10 to $500; next $25 to $500" in shown
    assert "2 of 2 in, at 1 table; pool 200.00" in shown
    assert "buy-ins, re-buys, add-ons  200.00" in felt("tournament", "report", "Spring Cup", *at).stdout
