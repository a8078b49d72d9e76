"""Every kind of fact has words for people."""

from __future__ import annotations

from typing import get_args

import pytest

from controller.jackpot.rules import Terms
from controller.table import facts as f
from controller.table.facts import AnyFact
from controller.views.fact_text import TEXTS, tell
from controller.views.moments import iso


def test_no_fact_is_told_by_the_name_of_its_class() -> None:
    assert set(TEXTS) == set(get_args(AnyFact))


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (f.CardOut("Kh"), "king of hearts"),
        (f.CardOut("??"), "a card"),
        (f.CardOut("Kh", True), "face up"),
        (f.CardsOut(("Kh", "??")), "king of hearts, a card left together"),
        (f.CardRead("board", "Kh"), "the board: king of hearts"),
        (f.CardRead("2", "Kh", True), "seat 2: king of hearts, which lay face up in the deck"),
        (f.CardRead("2", "Kh", False, ("Kh", "2c")), "seat 2: king of hearts, two of clubs together"),
        (f.Shuffled(52, True), "the machine shuffled 52 cards"),
        (f.Shuffled(51, False), "the machine shuffled 51 cards, and they are not right"),
        (f.Shuffled(1, True), "the machine shuffled 1 card"),
        (
            f.CardKeysDestroyed((b"1",), 1),
            "the keys of 1 day are destroyed after 1 day: what was never turned is hidden for good",
        ),
        (
            f.DoorAllowed("shoe", 1, "stuck", ("Ann", "Bob")),
            "shoe: its door may be opened for 1 minute, by Ann and Bob: stuck",
        ),
        (f.Turned(3, 9, ((5, 1), (5, 2))), "round 3 is over: what was turned or compared is public (1 fact)"),
        (f.Pushed(2, (500, 2500)), "seat 2 pushes forward 5+25"),
        (f.Chips(1, (f.Spot("ante", 2, 500, True),)), "area 1: 5 on ante of 1.2 in tokens"),
        (f.Chips(1, (f.Spot("ante", 1, 500),)), "area 1: 5 on ante"),
        (f.UnknownChip(1, "ante", 2), "area 1.2: a chip on ante is not known"),
        (f.Key("fold", ("1",), 1001), "key fold 1 (account 1001)"),
        (f.Key("settle"), "key settle"),
        (f.Badge("supervisor", "Ann"), "signed in: supervisor Ann"),
        (f.Badge("dealer"), "signed in: dealer"),
        (f.AlertRaised("T4", "held", "journal", "The table is held.", 5), "alert of T4: The table is held."),
        (f.AlertOver("T4", "held", "journal"), "an alert of T4 has lost its reason: held"),
        (
            f.DeckDeed("seal", "Ann", "supervisor", "socket", 1001, 3, slip="S1", seal="L1", witness="Bob"),
            "supervisor Ann at the socket: seal deck (deck 3): slip S1, seal L1, witness Bob (account 1001)",
        ),
        (
            f.DeckDeed("bring", "Ann", "dealer", "page", serial="A1", count=52),
            "dealer Ann at the page: bring deck: serial A1, count 52",
        ),
        (f.DeckDeed("order", "Ann", "dealer", "page"), "dealer Ann at the page: order deck (all decks in play)"),
        (f.DeckIn("shuffler", "red"), "shuffler: a deck with red backs is in"),
        (
            f.AlertAcknowledged(9, "T4", "held", "The table is held.", "Pit One", "supervisor", "socket", 1001),
            "alert 9 of T4 is acknowledged by supervisor Pit One at the socket: The table is held. (account 1001)",
        ),
        (
            f.FloatMoved("fill", 5000_00, "Ann", "supervisor", "socket", 0, "F17", "", "Bob", "dealer", "socket", 1001),
            "float: fill 5000, slip F17 (by supervisor Ann at the socket, witness dealer Bob) (account 1001)",
        ),
        (
            f.FloatMoved("buy-in", -50_00, "Ann", "supervisor", "page ::1", note="counted twice"),
            "float: buy-in -50: counted twice (by supervisor Ann at the page ::1)",
        ),
        (f.BadgePresented("7", "Ann"), "badge 7 was shown: Ann"),
        (f.BadgePresented("9"), "badge 9 was shown; nobody has it"),
        (f.SignedIn("Ann", "7", "supervisor", "console"), "signed in at the console: supervisor Ann"),
        (f.SignedIn("Ann", "7", "dealer", "socket", 1001), "signed in at the socket: dealer Ann (account 1001)"),
        (f.SignedOut("Ann", "console", "idle"), "signed out at the console, nothing was done: Ann"),
        (
            f.SignInFailed("7", "console", "wrong", "Ann"),
            "nobody signed in at the console with badge 7 of Ann: the PIN was wrong",
        ),
        (f.SignInFailed("", "console", "no-badge"), "nobody signed in at the console: a PIN came without a badge"),
        (
            f.Key("resume", (), -1, "Ann", "supervisor", "page 10.0.0.7"),
            "key resume (by supervisor Ann at the page 10.0.0.7)",
        ),
        (f.Amend(7, None), "fact 7 is struck out"),
        (f.Amend(7, f.Key("settle"), "supervisor 3", 1001, "ann"), "(by supervisor 3, account 1001 ann)"),
        (f.Amend(7, f.Key("settle"), "supervisor 3"), "fact 7 is corrected to: key settle (by supervisor 3)"),
        (f.Serviced("shoe", "pair", "Bo", "L1", "10:00", "new", "A-3"), "licence L1, at 10:00; new; asset A-3"),
        (f.DeviceFault("shoe", "shoe.jam", "2 cards"), "shoe reports shoe.jam: 2 cards"),
        (f.DeviceFault("shoe", "shoe.jam"), "shoe reports shoe.jam"),
        (f.DeviceLost("shoe", "link.lost", ""), "shoe is lost: link.lost"),
        (f.LinkSealed("shoe", "S1", True, 1001), "shoe: its link is sealed from now on (account 1001)"),
        (f.LinkSealed("shoe", "S1", False), "shoe: its link is plain from now on"),
        (f.Hold("device.gap", "an event is missing", "shoe"), "by device.gap: shoe: an event is missing"),
        (f.Hold("journal.retold", "look"), "the table is held by journal.retold: look"),
        (f.Released("device.gap", "shoe"), "the table is no longer held by device.gap of shoe"),
        (f.Released("journal.retold"), "the table is no longer held by journal.retold"),
        (f.Missed("shoe", 1, 7, "device.gap", "one is lost"), "shoe: one is lost; the table is held by device.gap;"),
        (f.MeterTold("", 3, 1_000_028_610, Terms("nsw", 1, 20000, 500)), "3 movements and holds 100002.8610"),
        (f.ClockStepped(0, 1_000_000), "1970-01-01T00:00:00.000+00:00 became 1970-01-01T00:00:01.000+00:00"),
        (f.ClockStepped(0, 10**30), "became 999999999999999983222784 s"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_a_fact_says(fact: AnyFact, text: str) -> None:
    assert text in tell(fact)


def test_a_time_that_no_calendar_has_is_told_in_seconds() -> None:
    assert iso(10**18) == "1000000000000 s"
