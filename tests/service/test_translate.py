"""What devices say becomes a fact, each event one; nothing of it is lost."""

from __future__ import annotations

from typing import get_args

import pytest

from controller.cards import DECK
from controller.service.translate import to_fact
from controller.table import facts as f
from controller.table import values
from firmware_bridge import messages as m


@pytest.mark.parametrize(
    ("device", "event", "fact"),
    [
        ("reader.3", m.CardsLaid(("Kh",)), f.CardRead("3", "Kh")),
        ("reader.3", m.CardsLaid(("",)), f.CardRead("3", "??")),
        ("reader.3", m.CardsLaid(("5c",), True), f.CardRead("3", "5c", True)),
        ("reader.board", m.CardsLaid(("7d", "7c")), f.CardRead("board", "7d", together=("7d", "7c"))),
        ("reader.board", m.CardsLaid(("", "7c")), f.CardRead("board", "??", together=("??", "7c"))),
        ("reader.board", m.CardsLaid(("1x",)), f.CardRead("board", "??")),
        ("shoe", m.CardDrawn("Kh", True), f.CardOut("Kh", True)),
        ("shoe", m.CardDrawn(""), f.CardOut("??")),
        ("shoe", m.CardDrawn("1x"), f.CardOut("??")),
        ("shoe", m.CardsTogether(("Kh", "1x")), f.CardsOut(("Kh", "??"))),
        ("shuffler", m.SetDispensed(("Kh", "", "2c")), f.CardsOut(("Kh", "??", "2c"))),
        ("shoe", m.CuttingCardSeen(), f.CuttingCard()),
        ("shoe", m.ShoeEmpty(), f.ShoeEmpty()),
        ("shoe", m.CardsLow(), f.Noted("shoe", "CardsLow")),
        ("shoe", m.Fault("shoe.low"), f.Noted("shoe", "Fault")),
        ("shoe", m.Fault("shoe.jam", "roller"), f.DeviceFault("shoe", "shoe.jam", "roller")),
        ("shoe", m.FaultCleared("shoe.jam"), f.DeviceCleared("shoe", "shoe.jam")),
        ("shoe", m.DoorChanged(True), f.DeviceFault("shoe", "shoe.door", "the door is open")),
        ("shoe", m.DoorChanged(False), f.DeviceCleared("shoe", "shoe.door")),
        ("shuffler", m.DeckInserted("red"), f.DeckIn("shuffler", "red")),
        ("shuffler", m.ShuffleStarted(), f.Noted("shuffler", "ShuffleStarted")),
        ("shuffler", m.ShuffleComplete(52, True), f.Shuffled(52, True)),
        (
            "sensor.3",
            m.BetChanged((m.Spot("ante", ((500, 2), (100, 1)), 2, True),)),
            f.Chips(3, (f.Spot("ante", 2, 1100, True),)),
        ),
        ("sensor.3", m.CashBet((m.Spot("ante", ((500, 2),)),)), f.Chips(3, (f.Spot("ante", 1, 1000),), True)),
        ("sensor.3", m.CoveredBet((m.Spot("ante", ((500, 2),)),)), f.Chips(3, (f.Spot("ante", 1, 1000),), False, True)),
        ("sensor.3", m.UnknownChip("ante", 2), f.UnknownChip(3, "ante", 2)),
        ("console", m.KeyPressed("fold", ("3",)), f.Key("fold", ("3",))),
        ("reader.3", m.Fault("reader.dark"), f.DeviceFault("reader.3", "reader.dark")),
        ("reader.3", m.CardsLifted(1), f.Noted("reader.3", "CardsLifted")),
        ("sensor.3", m.ChipsPushed((1000, 500)), f.Pushed(3, (1000, 500))),
    ],
)
def test_every_event_is_one_fact(device: str, event: m.Event, fact: f.AnyFact) -> None:
    assert to_fact(device, 3, event) == fact
    assert f.decode(f.encode(fact)) == fact


def test_no_event_is_forgotten() -> None:
    cases = test_every_event_is_one_fact.pytestmark[0].args[1]  # type: ignore[attr-defined]
    by_signing_in = {m.BadgeRead, m.PinEntered}  # what they come to depends on people.toml
    assert {type(event) for _, event, _ in cases} == set(get_args(m.AnyEvent)) - by_signing_in


def test_what_nobody_could_read_of_a_shoe_may_have_been_a_card_and_holds_the_table() -> None:
    lost = m.Fault(m.UNSTORABLE, "CardDrawn: ValidationError")
    assert to_fact("shoe", 0, lost) == f.Hold(m.UNSTORABLE, lost.detail, "shoe")
    assert to_fact("sensor.3", 3, lost) == f.DeviceFault("sensor.3", m.UNSTORABLE, lost.detail)


def test_devices_and_table_mean_the_same_cards_and_reckon_with_the_same_amounts() -> None:
    # The rules are pure and know nothing of the wire, so each side has its own.
    assert set(DECK) == m.CARDS
    assert values.MOST_CENTS == m.MOST_CENTS
