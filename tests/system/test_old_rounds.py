"""Facts of rounds that are long over: no folded card is named, whoever asks from the beginning; compared ones are."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.api import views
from controller.api.events import Events
from controller.cards import UNREAD, spoken
from controller.cli.journal import command as journal_command
from controller.games import GAMES
from controller.journal.records import Entry
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.script import parse
from controller.script.play import Player
from controller.service.disclosure import disclosed
from controller.service.engine import Engine
from controller.table.facts import AnyFact, CardOut, CardRead, CardsOut, Turned, decode, encode
from hw_sim.loop import run

ROUNDS = 12
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
HOLE = {"holdem": 2, "holdem-hi-lo": 2, "omaha": 4, "omaha-hi-lo": 4}
HOLE |= dict.fromkeys(("pineapple", "crazy-pineapple", "crazy-pineapple-hi-lo"), 3)


class Deal:
    """One shuffled deck; it knows which cards were folded and which were compared."""

    def __init__(self, chance: random.Random) -> None:
        self._cards = iter(chance.sample(DECK, len(DECK)))
        self.folded: list[str] = []
        self.compared: list[str] = []

    def draw(self, count: int) -> list[str]:
        return [next(self._cards) for _ in range(count)]

    def hands(self, cards: list[str], places: int, folds: int) -> None:
        """Dealt around the table one at a time; the place `folds` folds, the others are compared."""
        for n, card in enumerate(cards):
            (self.folded if n % places == folds else self.compared).append(card)


def against_the_house(game: str, deal: Deal) -> Iterator[str]:
    """Area 1 folds, area 2 is compared."""
    bets = "ante=10 blind=10" if "ultimate" in game else "ante=10"
    yield f"bet 1 {bets}\nbet 2 {bets}\nkey no-more-bets"
    dealer = game in ("three-card-poker", "caribbean-stud") or "ultimate" in game
    each = {"three-card-poker": 3, "caribbean-stud": 5}.get(game, 2)
    cards = deal.draw(each * (3 if dealer else 2))
    deal.hands(cards, 3 if dealer else 2, 0)
    board = deal.draw(5)
    lines = {
        "three-card-poker": "key fold 1\nbet 2 play=10",
        "caribbean-stud": "key fold 1\nbet 2 bet=20",
        "mississippi-stud": f"draw {' '.join(board[:3])}\nkey fold 1\nbet 2 third=10\nbet 2 fourth=10\nbet 2 fifth=10",
        "wsop-bonus-holdem": f"key fold 1\nbet 2 flop=20\ndraw {' '.join(board[:3])}\nkey check 2\ndraw {board[3]}\n"
        f"key check 2\ndraw {board[4]}\ndraw {' '.join(deal.draw(2))}",
    }
    late = (
        f"key check 1\nkey check 2\ndraw {' '.join(board[:3])}\nkey check 1\nbet 2 play=20\ndraw {' '.join(board[3:])}"
    )
    yield f"draw {' '.join(cards)}"
    yield lines.get(game, f"{late}\nkey fold 1")
    yield "key settle"


def between_players(game: str, number: int, deal: Deal) -> Iterator[str]:
    """The seat behind the blinds folds; the blinds show their hands."""
    small, big, last = (str((number + n) % 3 + 1) for n in range(3))
    cards = deal.draw(3 * HOLE[game])
    board = deal.draw(5)
    thrown = {seat: cards[n] for n, seat in enumerate((small, big))} if HOLE[game] == 3 else {}
    deal.hands(cards, 3, 2)
    deal.compared = [card for card in deal.compared if card not in thrown.values()]
    deal.folded += thrown.values()
    discards = "".join(f"discard {seat} {card}\n" for seat, card in thrown.items())
    crazy = game.startswith("crazy")
    yield f"act {small} post 5\nact {big} post 10\ndraw {' '.join(cards)}"
    yield f"act {last} fold\nact {small} call\nact {big} check\n{'' if crazy else discards}key burn"
    yield f"draw {' '.join(board[:3])}\nact {small} check\nact {big} check\n{discards if crazy else ''}key burn"
    yield f"draw {board[3]}\nact {small} check\nact {big} check\nkey burn"
    yield f"draw {board[4]}\nact {small} check\nact {big} check\nkey settle"


def story(game: str) -> tuple[str, list[Deal]]:
    chance = random.Random(game)
    deals = [Deal(chance) for _ in range(ROUNDS)]
    lines = [f"table {game}{' seats=3' if game in HOLE else ''}"]
    lines += ["seat 1-3 stack=500"] if game in HOLE else []
    for number, deal in enumerate(deals):
        lines += between_players(game, number, deal) if game in HOLE else against_the_house(game, deal)
    return "\n".join(lines) + "\n", deals


def by_round(facts: list[dict[str, Any]], journal: Journal) -> list[list[dict[str, Any]]]:
    """The facts as they are told, cut where a round ended."""
    ends = [fact.upto for record in journal if isinstance(fact := decode(record.payload), Turned)]
    assert len(ends) == ROUNDS
    return [[f for f in facts if begin < f["seq"] <= end] for begin, end in zip([0, *ends], ends, strict=False)]


def check(facts: Any, journal: Journal, deals: list[Deal]) -> None:
    assert [fact["seq"] for fact in facts] == list(range(1, journal.head.seq + 1))
    for told_facts, deal in zip(by_round(facts, journal), deals, strict=True):
        text = json.dumps(told_facts)
        assert not [card for card in deal.folded if names(text, card)]
        assert not [card for card in deal.compared if not names(text, card)]


def names(text: str, card: str) -> bool:
    return re.search(rf"\b{card}\b|{spoken(card)}", text) is not None


def test_every_game_with_hidden_cards_is_here() -> None:
    assert {*HOLE, *HOUSE, "casino-war"} >= set(GAMES)


HOUSE = (
    "three-card-poker",
    "caribbean-stud",
    "mississippi-stud",
    "ultimate-texas-holdem-nsw",
    "ultimate-texas-holdem-vic",
    "wsop-bonus-holdem",
)


@pytest.mark.parametrize("game", [*HOUSE, *sorted(HOLE)])
def test_no_folded_card_is_told_after_twelve_rounds(game: str, tmp_path: Path) -> None:
    text, deals = story(game)

    async def play() -> Path:
        player = Player("old.felt", parse(text).runs[0])
        close, player.floor.close = player.floor.close, nothing  # type: ignore[method-assign]
        played = await player.play()
        assert not played.failed and not player.record.refused
        assert [r.round.outcome for r in player.record.rounds] == ["settled"] * ROUNDS
        table = player.floor.tables[""]
        check(await Events(table.service.engine, table.journal).read(0, 10_000), table.journal, deals)
        file = tmp_path / "journal.db"
        with_file = Journal.open(file, table="T1")
        for record in table.journal:
            with_file.append([Entry(record.at_us, record.payload)])
        with_file.close()
        await close()
        return file

    file = run(play())
    answer = CliRunner().invoke(journal_command, ["tail", "--json", "-n", "1000", str(file)])
    assert answer.exit_code == 0
    journal = Journal.open(file, table="T1")
    check([json.loads(line) for line in answer.output.splitlines()], journal, deals)
    check(asyncio.run(after_a_restart(journal)), journal, deals)
    journal.close()


async def after_a_restart(journal: Journal) -> Any:
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 0)
    before = journal.head.seq
    engine.recover()
    assert engine.table.begun is not None
    await engine.start(engine.table.begun)
    assert journal.head.seq == before  # what was public is on record: nothing is told twice
    return await Events(engine, journal).read(0, 10_000)


async def nothing() -> None:
    """The tables stay open until everything was looked at."""


# ---- what is not on record stays hidden


def records(journal: Journal, *facts: AnyFact) -> None:
    journal.append([Entry(n, encode(fact)) for n, fact in enumerate(facts)])


def cards_told(journal: Journal) -> list[str]:
    out = []
    for _, fact in disclosed(journal, journal.read(1), {}):
        match fact:
            case CardOut(card) | CardRead(_, card):
                out.append(card)
            case CardsOut(cards):
                out += cards
    return out


def test_a_journal_without_such_records_names_no_card() -> None:
    journal = Journal.open(None, table="T1")
    records(journal, CardOut("Kh"), CardsOut(("Qs", "2c")), CardRead("2", "As"), CardRead("board", "7d"))
    assert cards_told(journal) == [UNREAD, UNREAD, UNREAD, UNREAD, "7d"]


def test_a_record_makes_public_what_it_names_and_no_more() -> None:
    journal = Journal.open(None, table="T1")
    records(journal, CardOut("Kh"), CardsOut(("Qs", "2c")), Turned(1, 2, ((2, 2),)), CardOut("Kh"))
    assert cards_told(journal) == [UNREAD, UNREAD, "2c", UNREAD]


def test_a_round_that_ended_in_a_crash_is_judged_at_the_next_start() -> None:
    """The last fact of the round became durable, and what it made public did not."""
    text, deals = story("three-card-poker")

    async def play() -> list[tuple[int, bytes]]:
        player = Player("old.felt", parse(text).runs[0])
        close, player.floor.close = player.floor.close, nothing  # type: ignore[method-assign]
        await player.play()
        kept = [(record.at_us, record.payload) for record in player.floor.tables[""].journal]
        await close()
        return kept

    kept = run(play())
    assert isinstance(decode(kept.pop()[1]), Turned)
    journal = Journal.open(None, table="T1")
    journal.append([Entry(at, payload) for at, payload in kept])

    async def restart() -> Any:
        engine = Engine(journal, InlineWriter(journal), clock=lambda: 0)
        engine.recover()
        assert engine.table.begun is not None
        await engine.start(engine.table.begun)
        while engine.pending:  # noqa: ASYNC110
            await asyncio.sleep(0)
        return await Events(engine, journal).read(0, 10_000)

    check(asyncio.run(restart()), journal, deals)


def test_what_a_record_says_is_told_in_words() -> None:
    journal = Journal.open(None, table="T1")
    records(journal, Turned(7, 2, ((1, 0), (2, 0))))
    ((record, fact),) = disclosed(journal, journal.read(1), {})
    assert views.record(record, fact)["text"] == "round 7 is over: what was turned or compared is public (2 facts)"
