"""Hands of poker in the Poker Hand History format, read back and played by pokerkit: it comes to the same chips."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from pokerkit import HandHistory

from controller.money import cents, short
from controller.poker.hand.choices import choices
from controller.poker.view import next_reader
from controller.table.facts import AnyFact, CardRead, Key
from controller.views.phh import NotInPhh, phh, phhs
from controller.views.record import Correction, Moment, RoundRecord, Ruling, Shared
from tests.views.any_round import AnyTable, Step
from tests.views.following import Following

CHIP = 100  # cents
GAMES = [
    ("holdem", {}),
    ("holdem", {"limit": "fixed"}),
    ("holdem", {"blinds": "5,5,10"}),
    ("holdem", {"rake": "5%", "cap": "3"}),
    ("omaha", {"limit": "pot"}),
    ("omaha-hi-lo", {"limit": "fixed"}),
]


class Recorded(AnyTable, Following):
    """A table at which hands are played without slips; what is recorded of them."""

    stacks: tuple[int, ...] = (500, 500, 500, 500)

    def _trouble(self) -> Iterator[Step]:
        return iter(())

    def _begin(self) -> Iterator[Step]:
        for words in ("checked", "shuffled", "cut"):
            self.key(words)
        for seat, stack in enumerate(self.stacks, 1):
            self.key(f"seat {seat} stack={stack}")
        return iter(())

    def _poker(self) -> AnyFact | None:
        """Bets, raises and goes all-in now and then, whatever may be done."""
        turn = choices(self.table)
        if turn is None or turn.what != "act" or self.chance.random() < 0.5:
            return super()._poker()
        word = self.chance.choice(turn.offers)
        if word not in ("bet", "raise"):
            return Key("act", (turn.seat, word))
        return Key("act", (turn.seat, word, short(self.chance.choice((turn.least, turn.most)))))

    def played(self, count: int) -> list[RoundRecord]:
        for _ in self.rounds(count):
            pass
        by_opening = {record.opened.seq: record for record in self.records if record.ended is not None}
        return list(by_opening.values())


class Two(Recorded):
    stacks = (500, 500)


class Poor(Recorded):
    stacks = (35, 15, 60, 40, 20)


def played_again(text: str) -> tuple[list[int], list[int]]:
    """The chips in cents as pokerkit plays the hand, and as the file says they were."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on cards that nobody knows
        history = HandHistory.loads(text)
        *_, state = history
    assert not state.status  # it is over
    assert history.finishing_stacks is not None
    return [round(100 * each) for each in state.stacks], [round(100 * each) for each in history.finishing_stacks]


def check(record: RoundRecord) -> bool:
    """Compares the chips of a hand, if it can be written; tells whether it can.

    Odd chips of a pot that is divided may go to others by the rules of other houses.
    """
    assert record.shared is not None
    try:
        text = phh(record)
    except NotInPhh as why:
        assert "blinds" in str(why)  # somebody had too few chips for one, or the button had gone on
        return False
    chips, told = played_again(text)
    commission = cents(record.shared.commission)
    odd = sum(CHIP for pot in record.shared.pots if len(pot.won) > 1)
    assert sum(chips) - commission == sum(told)
    assert all(abs(a - b) <= odd + commission for a, b in zip(chips, told, strict=True))
    return True


@pytest.mark.parametrize("kind", [Recorded, Two, Poor])
@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_pokerkit_comes_to_the_same(game: str, options: dict[str, str], kind: type[Recorded]) -> None:
    seeds = range(10)
    written = [check(record) for seed in seeds for record in kind(game, seed, **options).played(2)]
    blinds = len(options.get("blinds", "5,10").split(","))
    assert any(written) == (len(kind.stacks) >= blinds)


def test_two_players_may_raise_more_often_than_other_programs_let_them() -> None:
    """6.9: between two players raises are unlimited; pokerkit stops at four bets or raises, and reads no more."""
    (record, *_) = Recorded("holdem", 18, limit="fixed").played(1)
    text = phh(record)
    before_the_flop = text.partition("d db")[0]
    assert before_the_flop.count(" cbr ") == 5
    with pytest.raises(ValueError, match="history"):
        played_again(text)


def test_each_pot_has_its_own_odd_chip() -> None:
    """8.5, 8.5.1: each pot is divided by itself; pokerkit joins pots with the same winners, without odd chips."""
    (record, *_) = Poor("omaha", 5, limit="pot").played(1)
    assert record.shared is not None
    assert [pot.won for pot in record.shared.pots if len(pot.won) > 1] == [
        {"1": "38.00", "4": "37.00"},
        {"1": "10.00", "4": "10.00"},
        {"1": "23.00", "4": "22.00"},
    ]
    chips, told = played_again(phh(record))
    assert [b - a for a, b in zip(chips, told, strict=True)] == [CHIP, 0, 0, -CHIP, 0]


def test_everybody_folds() -> None:
    t = Recorded("holdem", 1)
    list(t._begin())
    for seat, word, amount in (("1", "post", "5"), ("2", "post", "10")):
        t.key(f"act {seat} {word} {amount}")
    for card in ("2c", "3c", "4c", "5c", "2d", "3d", "4d", "5d"):
        t.tell(CardRead(next_reader(t.table), card))
    for seat in ("3", "4", "1"):
        t.key(f"act {seat} fold")
    t.key("settle")
    text = phh(t.last)
    assert not any(" sm" in action for action in tomllib.loads(text)["actions"])
    chips, told = played_again(text)
    assert chips == told


def test_what_is_written() -> None:
    (record, *_) = Recorded("holdem", 1).played(1)
    told = tomllib.loads(phh(replace(record, table="T1", hash="ab")))
    assert (told["variant"], told["min_bet"], told["hand"], told["table"]) == ("NT", 10, 1, "T1")
    assert told["blinds_or_straddles"] == [5, 10, 0, 0]
    assert (told["seat_count"], len(told["seats"]), told["starting_stacks"]) == (11, 4, [500] * 4)
    assert told["_journal"].startswith("feltd-anchor-1 ")


def test_no_card_is_told_that_the_record_does_not_have() -> None:
    for seed in range(10):
        for record in Recorded("holdem", seed).played(1):
            public = {card.card for hand in record.hands for card in hand.cards}
            for action in tomllib.loads(phh(record))["actions"]:
                words = action.split()
                if words[0] == "d" or (words[1] == "sm" and len(words) > 2):
                    cards = words[-1]
                    assert {cards[n : n + 2] for n in range(0, len(cards), 2)} <= public | {"??"}


def test_several_hands_are_one_file() -> None:
    records = Recorded("holdem", 3).played(3)
    text, left_out = phhs([*records, replace(records[0], outcome="void", number=9)])
    assert len(list(HandHistory.loads_all(text))) == len(records) - len(left_out) + 1
    assert left_out[-1] == (9, "only a hand that was settled can be written")


def reason(record: RoundRecord) -> str:
    with pytest.raises(NotInPhh) as refused:
        phh(record)
    return str(refused.value)


def test_what_the_format_cannot_say() -> None:
    (record, *_) = Recorded("holdem", 1).played(1)
    shared, at = record.shared, Moment(1, "")
    assert shared is not None
    assert reason(replace(record, shared=None)) == "it is no hand of poker"
    assert reason(replace(record, options={"limit": "pot"})) == "the format has no code for holdem with limit pot"
    assert reason(replace(record, options={})) == "the format has no code for holdem with limit ?"
    assert "ruling" in reason(replace(record, rulings=(Ruling(at, "dead", ""),)))
    assert "ruling" in reason(replace(record, corrections=(Correction(at, 1, "", ""),)))
    assert "no live bet" in reason(replace(record, shared=replace(shared, dead="5.00")))
    assert "fewer than two" in reason(replace(record, shared=Shared()))
    later = tuple(each for each in record.decisions if each.word != "post")
    assert "something else than the whole blinds" in reason(replace(record, decisions=later))
