"""Card to lamp is measured at full tables of all games; what is waited for in vain is named."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks import peer
from benchmarks.deeds import SPARE, TEN, Deed, Deeds, one_player
from benchmarks.latency import ABOVE, Times, line, times
from benchmarks.peer import LIMIT, Missing, Table
from benchmarks.plan import full_table, war, with_devices
from controller.games import GAMES
from controller.poker.hand.course import HOLE
from firmware_bridge.frame import decode_event
from firmware_bridge.messages import BetChanged, CardDrawn, CardsLaid, KeyPressed


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_area_is_played_and_cards_light_lamps(game: str) -> None:
    plan = full_table(game, 1)
    told = [(deed.device, decode_event(deed.event)) for deed in plan.wires.deeds]
    areas = {device for device, event in told if isinstance(event, BetChanged)}
    seats = {event.args[0] for _, event in told if isinstance(event, KeyPressed) and event.key == "act"}
    assert len(seats if game in HOLE else areas) == plan.seats
    timed = [deed for deed in plan.wires.deeds if deed.timed]
    assert len(timed) >= SPARE
    assert all(isinstance(decode_event(deed.event), CardDrawn | CardsLaid) and deed.rest for deed in timed)
    assert {device for device, _ in told} | {"lamps"} == set(plan.wires.devices)


def test_a_plan_gets_more_devices_than_it_needs() -> None:
    plan = full_table("casino-war", 1)
    assert len(with_devices(plan, 50).wires.devices) == 50


def test_cards_and_floors_are_measured_in_pairs() -> None:
    took = times(war(2))
    assert len(took.cards) == len(took.floors) == len(took.above()) == 2
    assert min(took.cards + took.floors) > 0


def test_a_card_that_is_slow_in_ratio_or_in_difference_misses_the_goal() -> None:
    def met(card: float, floor: float) -> bool | None:
        return line("x", Times([card] * 3, [floor] * 3), "").met

    assert met(0.0002, 0.0001)
    assert not met(0.000201, 0.0001)  # too many times the floor
    assert met(0.001 + ABOVE / 1e6 - 1e-6, 0.001)
    assert not met(0.001 + ABOVE / 1e6 + 1e-6, 0.001)  # too far above it


def test_the_slowest_of_a_hundred_is_judged_by_the_floor_beside_it() -> None:
    cards, floors = [0.001] * 99 + [0.050], [0.0005] * 99 + [0.0499]  # the disk was slow for both
    tail = line("x", Times(cards, floors), "").tail
    assert tail == pytest.approx(500)


def test_deeds_of_one_device_go_together_and_a_timed_one_alone() -> None:
    a, b = Deed("a", b""), Deed("b", b"")
    timed, rested = Deed("a", b"", timed=True), Deed("a", b"", rest=0.1)
    groups = list(peer._together([a, a, b, a, timed, a, a, rested, a]))
    assert groups == [[a, a], [b], [a], [timed], [a, a], [rested, a]]


def test_what_nobody_acknowledges_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert LIMIT <= 60
    monkeypatch.setattr(peer, "LIMIT", 0.05)
    table = Table(tmp_path, TEN)
    first, _, _, tie, *_ = one_player(1).deeds
    with pytest.raises(Missing, match=r"acknowledgements for sensor\.1 within 0\.05 s"):
        table.tell([first])
    with pytest.raises(Missing, match=r"a lamp for .* of shuffler within 0\.05 s"):
        table.timed(tie)


def test_the_plan_is_what_the_devices_read() -> None:
    wires = one_player(3)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(wires), type=Deeds) == wires
