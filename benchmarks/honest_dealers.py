"""How often takes and pays of honest dealers are thought wrong: every way of working that is right, in random order.

Nobody is paid too much or too little in the end, so every alert is a false one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchmarks.measure import happened
from benchmarks.watched import STEP, WatchedTable
from controller.games import house_game
from controller.house.layout import look
from controller.places import At, area_of
from controller.table.facts import CardOut, Chips, CuttingCard, Key, Spot
from controller.table.requests import Cards, Choice, Settle
from controller.table.state import round_runs
from controller.table.takes import Take

LOW: Final = 60  # cards that are left when the cutting card comes, of several decks
CHIP: Final = 500  # cents: what a wrong payment is wrong by
LARGE: Final = 2500  # a larger chip, for which change is given


@dataclass(frozen=True)
class Habits:
    """How often, of a hundred payments or takes, people work in each of these ways; all of them are right."""

    parts: int = 25  # taken, paid or lifted in two parts
    corrected: int = 3  # too much was paid, and just that is taken back
    anew: int = 3  # a wrong payment is taken back whole, and paid anew
    larger: int = 10  # coloured up: paid with larger chips, and the change is taken back
    exchanged: int = 0  # coloured up with the stake: all of it is lifted and put back with the payment
    swapped: int = 0  # the stake is exchanged for other chips of the same value, which are put back before it is paid


class HonestTable(WatchedTable):
    """A full table where takes and pays are watched, and rightly done."""

    pace = STEP // 10  # hands are quick: each of these readings is a deed of its own

    def __init__(self, game: str, habits: Habits) -> None:
        self.habits, self.worked = habits, Counter[str]()
        super().__init__(game, takes="watch")


def wins(take: Take, habits: Habits, chance: random.Random) -> Iterator[tuple[int, str]]:
    """Yields what is read on a spot where something is paid, until just that lies there, and by which habit."""
    lies, want = take.now, take.want
    for habit, readings in {
        "corrected": (want + CHIP,),
        "anew": (want + CHIP, lies),
        "larger": (want - (want - lies) % LARGE + LARGE,),
        "exchanged": (0,),
        "swapped": (0, lies),
    }.items():
        if lies and chance.randrange(100) < getattr(habits, habit):
            yield readings[0], habit
            yield from ((amount, "") for amount in readings[1:])
            break
    else:
        if chance.randrange(100) < habits.parts and want - lies > CHIP:
            yield lies + CHIP, "parts"
    yield want, ""


def course(take: Take, habits: Habits, chance: random.Random, opening: bool) -> Iterator[tuple[int, str]]:
    """Yields what is read on one spot from the settlement until it is empty.

    `opening`: what is left there for a moment is a wager of the next round, else it is refused.
    """
    in_parts = chance.randrange(100) < habits.parts
    left = take.right and chance.random() < 0.5  # a lost wager of as much is left there as its own bonus
    if take.bonus and not left and chance.random() < 0.5:
        yield 0, "bonus"
        yield take.want, ""
    elif take.want > take.now:
        yield from wins(take, habits, chance)
    elif take.want < take.now and in_parts:
        yield (take.want + take.now) // 2, "parts"
    if take.want:
        if take.want < take.now:
            yield take.want, ""
        if opening and in_parts and take.want > take.lay:
            yield take.lay, "parts"
    yield 0, "own bonus" if take.bonus and left else ""


def play_round(table: HonestTable, cards: list[str], chance: random.Random) -> None:
    """Plays one round with random wagers; all lines are taken and paid as they are settled."""
    game, least = house_game(table.table.game), table.table.options.typed.min
    for area in range(1, table.seats + 1):
        more = [spot for spot in game.opening if spot not in game.required and chance.random() < 0.5]
        stake = least * chance.randint(1, 4)
        table.tell(Chips(area, tuple(Spot(spot, 1, stake) for spot in (*game.required, *more))))
    table.tell(Key("no-more-bets"))
    number = table.table.number  # a stake that is left on a spot for a moment may open the next one
    while table.table.number == number and (f := look(table.table, game)) is not None:
        request = next(q for kind in (Choice, Settle, Cards) for q in f.waiting if isinstance(q, kind))
        if isinstance(request, Choice):
            table.tell(Chips(area_of(request.place), (Spot(request.spot, 1, request.amount),)))
        elif isinstance(request, Settle):
            table.tell(Key("settle"))
            take_and_pay(table, chance)
        else:
            if len(cards) == LOW:
                table.tell(CuttingCard())
            table.tell(CardOut(cards.pop()))
    happened(not table.table.takes.waiting, f"{table.table.game}: something was not taken or paid")


def take_and_pay(table: HonestTable, chance: random.Random) -> None:
    """Takes, pays and lifts what waits: the spots in random order, and what is done at one between the others."""
    game, running = house_game(table.table.game), round_runs(table.table)
    courses = {
        at: course(take, table.habits, chance, at[1] in game.opening and not running)
        for at, take in table.table.takes.waiting.items()
    }
    while courses:
        at = chance.choice(list(courses))
        reading = next(courses[at], None)
        if reading is None:
            del courses[at]
            continue
        amount, habit = reading
        if habit:
            table.worked[habit] += 1
        lay(table, at, amount)


def lay(table: HonestTable, at: At, amount: int) -> None:
    """Tells what a spot reads now; what is thought to be a wager that cannot lie there is refused, and lies there."""
    place, spot = at
    table.strict = False
    table.tell(Chips(area_of(place), (Spot(spot, 1, amount),)))
    table.strict = True
