"""Crown Poker to the outside: a hole card is told to nobody, and the table says what it waits for."""

from __future__ import annotations

import pytest

from controller.games import find
from controller.poker.state import Hand, Room
from controller.script import parse
from controller.script.play import play
from controller.table import facts
from controller.table.facts import Amend, CardRead, Key, Pushed
from controller.table.play import Play
from controller.table.state import Round, Table
from controller.views.cards import judged, public, public_hands
from controller.views.fact_text import tell
from controller.views.words import phase, waiting

RULES = find("holdem")


def table(shown: tuple[str, ...] = ()) -> Table:
    hand = Hand("1", cards={"2": ["Kh", "Qd"], "3": ["2c", "2d"]}, board=["As"], shown=list(shown))
    return Table(game="holdem", play=Play(Room()), round=Round(1, 1, play=Play(hand)))


def test_hole_cards_are_withheld_also_from_facts() -> None:
    for fact in (
        CardRead("2", "Kh"),
        CardRead("2", "Kh", together=("Kh", "Qd")),
        Key("discard", ("2", "Kh")),
        Amend(3, CardRead("2", "Kh")),
    ):
        told = public(fact, [number for _, number in judged([(1, fact)], table(), RULES)])
        assert b"Kh" not in facts.encode(told)
        assert "Kh" not in tell(told) and "king" not in tell(told)


def test_a_hand_that_was_shown_is_told() -> None:
    fact = CardRead("2", "Kh", together=("Kh", "Qd"))
    assert judged([(4, fact)], table(shown=("2",)), RULES) == ((4, 0),)
    assert judged([(4, Key("discard", ("2", "Kh")))], table(shown=("2",)), RULES) == ()


def test_the_board_and_a_boxed_card_are_open() -> None:
    for fact in (CardRead("board", "As"), CardRead("2", "As", face_up=True)):
        assert public(fact) == fact
    assert tell(CardRead("board", "7d", together=("7d", "7c"))) == (
        "the board: seven of diamonds, seven of clubs together"
    )
    assert tell(CardRead("2", "??")) == "seat 2: a card"


def test_only_hands_that_were_shown_have_faces() -> None:
    assert public_hands(table(), RULES) == {"2": ["??", "??"], "3": ["??", "??"], "community": ["As"]}
    assert public_hands(table(shown=("3",)), RULES)["3"] == ["2c", "2d"]


@pytest.mark.parametrize(
    ("lines", "where", "words"),
    [
        ("", "between hands", "the blinds of the next hand: seat 1 posts 5, seat 2 posts 10"),
        ("act 1 post 5", "deciding", "seat 2 posts the blind of 10"),
        ("act 1 post 5\nact 2 post 10\ndraw Kh", "dealing", "deal a card to seat 2"),
        (
            "act 1 post 5\nact 2 post 10\ndraw Kh 9c As 7d 9d Ad",
            "deciding",
            "seat 3 acts: fold, call 10, raise to 20 up to 500, or all-in",
        ),
        (
            "play 1\nact 2 post 5\nact 3 post 10\ndraw Kh 9c As 7d 9d Ad\nact 1 fold\nact 2 fold",
            "settling",
            "push the pot with settle",
        ),
    ],
)
def test_what_the_table_waits_for(lines: str, where: str, words: str) -> None:
    (run,) = parse(f"table holdem\nseat 1-3 stack=500\n{lines}\n").runs
    now = play("wait.felt", run).tables[""]
    assert phase(now, find("holdem")) == where
    assert words in waiting(now, find("holdem"))[0].text


def test_chips_in_words() -> None:
    assert tell(Pushed(3, (1000, 250))) == "seat 3 pushes forward 10+2.50"
