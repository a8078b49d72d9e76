"""Powers and accounts at a running daemon, asked by processes that really run under other accounts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from controller.api.accounts import role_of
from controller.api.technician import Caller
from tests.daemon.house import House
from tests.daemon.others import NOBODY, api_lines, ask, needs_accounts, open_to_others
from tests.people.everybody import sign_in

MARIA, PETER = 4001, 4002
KING = {"fact": "card", "card": "Kd"}


def opened(
    directory: Path, *, game: str = "casino-war", options: str = "", more: str = "", people: bool = False
) -> House:
    """A daemon that other accounts reach; without people.toml they have powers by their groups alone."""
    house = House(directory, game=game, options=options)
    if not people:
        (directory / "people.toml").unlink()
    house.config.write_text(house.config.read_text() + api_lines() + more)  # [api] is its last section
    house.start()
    open_to_others(house.socket)
    return house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    needs_accounts()
    house = opened(tmp_path, more=f'read-socket = "{tmp_path / "read.sock"}"\n')
    yield house
    house.close()


@pytest.fixture
def meters(tmp_path: Path) -> Iterator[House]:
    needs_accounts()
    house = opened(tmp_path, game="caribbean-stud", options='jackpot = "nsw"\n')
    house.wait(lambda: house.client.get("/status")["journal"]["seq"] > 1)
    yield house
    house.close()


def deal(house: House) -> int:
    """A two against a queen; the number of the dealer's card."""
    with house.devices() as devices:
        devices.do("sensor.1", "bet", {"war": 1000})
        house.wait(lambda: house.status()["round"]["phase"] == "betting" and house.status()["journal"]["seq"] >= 2)
        devices.do("console", "press", "no-more-bets")
        house.wait(lambda: house.status()["journal"]["seq"] >= 3)
        devices.do("shoe", "draw", "2h")
        devices.do("shoe", "draw", "Qd")
        house.wait(lambda: house.status()["round"]["phase"] == "settling")
    seq: int = house.status()["journal"]["seq"]
    return seq


def facts(house: House) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = house.client.get("/journal/tail", after=0, n=500)["facts"]
    return found


def code(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["error"]["code"]


def test_a_correction_is_a_supervisors(house: House) -> None:
    card = deal(house)
    wish = {"seq": card, "to": KING, "by": "supervisor 7"}
    for more in ({}, {"preview": True}):
        assert code(ask(house.socket, MARIA, "/correct", wish | more)) == (403, "person.not-supervisor")
        assert code(ask(house.socket, MARIA, "/correct", wish | more, ("technicians",))) == (
            403,
            "person.not-supervisor",
        )
    assert house.status()["journal"]["seq"] == card  # nothing of it is on record
    status, answer = ask(house.socket, MARIA, "/correct", wish, ("supervisors",))
    assert (status, answer["changes"]["hands"]["after"]["dealer"]) == (200, ["Kd"])
    assert facts(house)[-1]["fact"] | {"to": None} == {
        "fact": "amend",
        "target": card,
        "to": None,
        "by": "supervisor 7",
        "account": MARIA,
    }
    assert f"(by supervisor 7, account {MARIA})" in facts(house)[-1]["text"]


def test_nobody_gives_themselves_a_role(house: House) -> None:
    card = deal(house)
    with house.devices() as devices:
        sign_in(partial(devices.do, "console"), "dealer")
        house.wait(lambda: house.status()["journal"]["seq"] > card + 1)
    manager = {"person": "me", "badge": "1", "role": "casino-manager", "place": "console"}
    wish = {"seq": card + 2, "to": {"fact": "signed-in", **manager}, "by": "me"}
    assert code(ask(house.socket, MARIA, "/correct", wish, ("supervisors",))) == (422, "correct.unfit")


def test_two_people_are_two_accounts(meters: House) -> None:
    adjust = {"amount": "1.5", "by": "manager 1", "reason": "the end of the season"}
    assert code(ask(meters.socket, MARIA, "/jackpot/adjust", adjust)) == (403, "person.not-technician")
    for uid in (0, MARIA):  # root is one account, too
        status, proposed = ask(meters.socket, uid, "/jackpot/adjust", adjust, ("technicians",))
        assert status == 200
        confirm = {"code": proposed["confirm"], "by": "manager 2"}
        again = ask(meters.socket, uid, "/jackpot/confirm", confirm, ("technicians",))
        assert code(again) == (422, "jackpot.people")
        assert "two people are two accounts" in again[1]["error"]["cause"]
    status, done = ask(meters.socket, PETER, "/jackpot/confirm", confirm, ("technicians",))
    assert (status, done["meter"]["adjustments"]) == (200, "1.5000")
    noted = [fact["text"] for fact in facts(meters) if "adjusted" in fact["text"]]
    assert f"(by manager 1 (account {MARIA}) and manager 2 (account {PETER}))" in noted[0]


def test_a_press_needs_the_role_of_the_key(meters: House) -> None:
    press = {"notice": "close-jackpot", "by": "manager 1"}
    assert code(ask(meters.socket, MARIA, "/jackpot/press", press)) == (403, "person.not-supervisor")
    assert code(ask(meters.socket, MARIA, "/jackpot/press", press, ("supervisors",))) == (
        403,
        "person.not-area-manager",
    )
    assert ask(meters.socket, MARIA, "/jackpot/press", press, ("managers",))[0] == 200
    pressed = [fact["fact"] for fact in facts(meters) if fact["fact"]["fact"] in ("key", "noted")][-2:]
    assert [fact["account"] for fact in pressed] == [MARIA, MARIA]
    assert (pressed[0]["person"], pressed[0]["role"]) == (f"account {MARIA}", "area-manager")


def test_no_door_for_writing_is_open_to_everybody(meters: House) -> None:
    """Whatever is built later: every POST asks who it is."""
    routes = [each["path"] for each in meters.client.get("/")["routes"] if each["method"] == "POST"]
    assert len(routes) >= 17
    before = meters.status()["journal"]["seq"]
    other = {"/sign-in": 400, "/floor/acknowledge": 404}  # this table shows no floor
    paths = {route: route.replace("{name}", "shoe").replace("{number}", "1") for route in routes}
    answers = {route: ask(meters.socket, NOBODY, path, {})[0] for route, path in paths.items()}
    assert {answers.pop(route) == status for route, status in other.items()} == {True}
    assert set(answers.values()) == {401, 403}, answers  # nobody is signed in, or the account may not
    assert meters.status()["journal"]["seq"] == before


def test_a_door_where_one_can_only_look(house: House, tmp_path: Path) -> None:
    door = tmp_path / "read.sock"
    assert ask(house.socket, NOBODY, "/status", member=False)[0] == 0  # the other one is shut
    for what in ("/status", "/devices", "/displays"):
        assert ask(door, NOBODY, what, member=False)[0] == 200
    for what in ("/journal/tail", "/events", "/journal/anchor", "/devices/shoe/trace", "/jackpot/meters"):
        assert ask(door, 0, what)[0] == 404
    for what in ("/correct", "/jackpot/press", "/devices/shoe/clear"):
        assert ask(door, 0, what, {})[0] == 404
    assert ask(door, 0, "/status", {})[0] == 405
    house.stop()
    assert not door.exists()


def test_a_second_door_that_cannot_be_had_stops_no_table(tmp_path: Path) -> None:
    house = House(tmp_path)
    try:
        house.config.write_text(house.config.read_text() + 'read-socket = "/dev/null"\n')
        house.start()
        assert [trouble["code"] for trouble in house.status()["trouble"]] == ["api.not-a-socket"]
    finally:
        house.close()


@pytest.mark.parametrize(
    ("uid", "groups", "role"),
    [
        (0, set(), "casino-manager"),
        (500, set(), "casino-manager"),  # the daemon's own account
        (501, {7}, "supervisor"),
        (501, {7, 8}, "area-manager"),
        (501, {9}, None),
    ],
)
def test_the_role_of_an_account(uid: int, groups: set[int], role: str | None) -> None:
    assert role_of(Caller(uid, frozenset(groups)), 500, 7, 8) == role


def test_a_group_that_does_not_exist_has_no_members() -> None:
    assert role_of(Caller(501, frozenset({7})), 500, None, None) is None
