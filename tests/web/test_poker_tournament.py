"""A tournament of hold'em at a real daemon: a hand on simulated wires, and what the room sees of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.cli.conftest import felt
from tests.daemon.house import House
from tests.daemon.test_tournament import Desk
from tests.web.browser import check_accessible, no_motion, scene
from tests.web.conftest import NewPage
from tests.web.test_tournament_page import CUT_OFF

EXAMPLE = Path(__file__).parents[2] / "examples/tournaments/holdem-night.toml"
TERMS = (
    EXAMPLE.read_text()
    .replace("2026-12-11T18:30:00+11:00", "2020-12-11T18:30:00+11:00")
    .replace("players = [4, 54]", "players = [2, 54]")
    .replace("rebuys = 2", "rebuys = 0")
)
CUP = "Hold'em%20Night"
READERS = "".join(
    f'[device."reader.{n}"]\nfamily = "reader"\naddress = "sim://reader.{n}"\n'
    + (f"area = {n}\n" if n != "board" else "")
    for n in (1, 2, "board")
)
SHOE = '[device.shoe]\nfamily = "shoe"\naddress = "sim://shoe"\n'
HAND = """
console press act 1 post 10
console press act 2 post 20
reader.1 lay Ah
reader.2 lay Kh
reader.1 lay Ad
reader.2 lay Kd
console press act 1 all-in
console press act 2 call
console press burn
reader.board lay 3s
reader.board lay 4s
reader.board lay 9h
console press burn
reader.board lay Jc
console press burn
reader.board lay 5d
console press settle
"""  # the aces of seat 1 win everything


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path, game="holdem", options='button = 2\nblinds = "5,10"\n')
    text = house.config.read_text().replace(SHOE, READERS)
    house.config.write_text(text + '[web]\nlisten = "127.0.0.1:0"\n')
    yield house
    house.close()


def do(house: House, deeds: str) -> None:
    """Does these at the devices, each when the table has taken in the one before."""
    with house.devices() as devices:
        for deed in deeds.strip().splitlines():
            device, verb, *words = deed.split()
            seq = house.status()["journal"]["seq"]
            devices.do(device, verb, *words)
            house.wait(partial(heard, house, device, seq))


def heard(house: House, device: str, after: int) -> bool:
    """Whether the journal has something of this device behind that number."""
    tail = house.client.get("/journal/tail")["facts"]
    return any(fact["device"] == device and fact["seq"] > after for fact in tail)


async def test_the_room_sees_who_won_a_hand_of_a_poker_tournament(house: House, new_page: NewPage) -> None:
    house.start()
    pages = next(line["pages"] for line in house.log if line["event"] == "table.ready")
    director = Desk(house, "tournament-director", CUP)
    assert director.ask("/tournaments", {"terms": TERMS})[0] == 200
    assert Desk(house, "area-manager", CUP).ask(f"/tournaments/{CUP}/table", {})[0] == 200
    for key in ("publish", "advise", "briefed"):
        assert director.do(key)[0] == 200
    assert director.do("Ann", "Bob", deed="enter")[0] == 200
    wall = await new_page()
    await no_motion(wall)
    await wall.goto(f"{pages}/tournament/{CUP}")
    await scene(wall, "open")
    assert director.do("start")[0] == 200
    await scene(wall, "running")
    await expect(wall.locator("#limits")).to_have_text("$10 / $20")
    seats = {row["seat"]: row["name"] for row in house.client.get(f"/tournaments/{CUP}")["ranking"]}
    do(house, HAND)
    assert house.status()["room"]["hand"] is None
    await scene(wall, "over")
    rows = wall.locator("#ranking li")
    await expect(rows.first).to_contain_text(seats["1"])
    await expect(rows.first).to_contain_text("$150")
    await expect(rows.nth(1)).to_contain_text(seats["2"])
    told = house.client.get(f"/tournaments/{CUP}")
    assert [(row["name"], row["place"], row["bank"], row["prize"]) for row in told["ranking"]] == [
        (seats["1"], 1, 6000_00, 150_00),
        (seats["2"], 2, 0, 90_00),
    ]
    assert house.status()["room"]["slide"] == "0.00"  # no commission
    assert "6000" not in str(house.client.get("/report"))  # nothing of it is in the numbers of cash games


async def test_the_room_sees_the_bets_of_a_fixed_game(house: House, new_page: NewPage) -> None:
    house.config.write_text(house.config.read_text().replace('blinds = "5,10"', 'blinds = "5,10"\nlimit = "fixed"'))
    house.start()
    pages = next(line["pages"] for line in house.log if line["event"] == "table.ready")
    assert Desk(house, "tournament-director", CUP).ask("/tournaments", {"terms": TERMS})[0] == 200
    assert Desk(house, "area-manager", CUP).ask(f"/tournaments/{CUP}/table", {})[0] == 200
    wall = await new_page()
    await no_motion(wall)
    await wall.goto(f"{pages}/tournament/{CUP}")
    await scene(wall, "open")
    await expect(wall.locator("#limits")).to_have_text("$10 / $20")
    await expect(wall.locator("#bets")).to_have_text("Bets $20 and $40")
    await expect(wall.locator("#next")).to_contain_text(", bets $")
    assert await wall.evaluate(CUT_OFF) == []
    at = ("--socket", str(house.socket))
    assert "$10 / $20, bets $20 and $40; next" in felt("tournament", "show", "Hold'em Night", *at).stdout
    await check_accessible(wall)
