"""What is counted, run under callgrind by `benchmarks.instructions`: pure code on inputs that are always the same."""

from __future__ import annotations

import ctypes
import gc
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import happened
from benchmarks.plan import TIE, kings
from benchmarks.settlement import FullPokerTable, FullTable
from controller.cards import DECK
from controller.games import GAMES
from controller.hands import five, omaha
from controller.hands.cards import ints
from controller.journal.records import Entry, chained, genesis, pack, seal
from controller.poker.hand.course import HOLE
from controller.table.facts import AnyFact, Key
from firmware_bridge.frame import Frame, Kind, decode_event, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import CardDrawn

TIMES = 100  # of what is short
WARM = 2  # rounds, before those that are counted
NOTHING = "nothing"  # what counting itself costs: subtracted from all others


class Counter:
    """Counts the instructions between `switch` and `switch`, and keeps them under a name."""

    def __init__(self, library: Path) -> None:
        self._calls = ctypes.CDLL(str(library))
        self.switches = 0  # pairs of them since the last case

    def begin(self) -> None:
        self._calls.felt_count_begin()

    @contextmanager
    def counting(self) -> Iterator[None]:
        self.switches += 1
        self._calls.felt_count_switch()
        try:
            yield
        finally:
            self._calls.felt_count_switch()

    def done(self, name: str, each: int) -> None:
        """Ends a case; what was counted is to be divided by `each`."""
        self._calls.felt_count_done(f"{name}|{each}|{self.switches}".encode())
        self.switches = 0


class CountedTable(FullTable):
    """A full table whose steps are counted: those of a settlement, or all others."""

    counter: Counter | None = None
    settlements = False
    steps = 0

    def tell(self, fact: AnyFact) -> float:
        if self.counter is None or (fact == Key("settle")) is not self.settlements:
            return super().tell(fact)
        self.steps += 1
        with self.counter.counting():
            return super().tell(fact)


class CountedPokerTable(CountedTable, FullPokerTable):
    """The same of a table whose players play each other."""


def play(table: CountedTable, chance: random.Random) -> None:
    cards = chance.sample(DECK, len(DECK))
    table.round([*cards, *kings(table.seats + 1)] if table.table.game in TIE else cards)


def warmed(game: str) -> tuple[CountedTable, random.Random]:
    """Returns a full table that has played some rounds: what is made once is made."""
    table, chance = (CountedPokerTable if game in HOLE else CountedTable)(game), random.Random(1)
    for _ in range(WARM):
        play(table, chance)
    return table, chance


def tables(counter: Counter, ready: list[tuple[CountedTable, random.Random]]) -> None:
    """One round of each game in which every step but the settlement is counted, and one in which the settlement is."""
    for table, chance in ready:
        game = table.table.game
        for table.settlements, name in ((False, "a step of"), (True, "settlement of a full table,")):
            table.counter, table.steps = counter, 0
            play(table, chance)
            table.counter = None
            happened(table.steps > 0, f"{game}: no step was counted")
            counter.done(f"{name} {game}", table.steps)


def short(counter: Counter) -> None:
    """What is called very often: the same calls on inputs that it has not met before."""
    chance = random.Random(52)
    nine = [ints(chance.sample(DECK, 9)) for _ in range(2 * TIMES)]
    frames = Framer()
    digest = genesis("bench")

    def card(n: int) -> bytes:
        return Frame(Kind.EVENT, n + 1, encode(CardDrawn(DECK[n % 52]))).to_wire()

    wires = [card(n) for n in range(2 * TIMES)]

    def received(n: int) -> None:
        (frame,) = frames.feed(wires[n])
        assert isinstance(frame, Frame)
        decode_event(frame.body)

    def recorded(n: int) -> None:
        nonlocal digest
        body = pack(n + 1, Entry(n * 1000, bytes(range(48)), "shoe", 7, n + 1))
        digest = chained(digest, body)
        seal(body, digest)

    cases: dict[str, Callable[[int], object]] = {
        "ranking of 7 cards": lambda n: five.rank(nine[n][:7]),
        "ranking of an Omaha hand": lambda n: omaha.rank(nine[n][:4], nine[n][4:]),
        "ranking of an Omaha low": lambda n: omaha.rank_low(nine[n][:4], nine[n][4:]),
        "a frame, encoded": card,
        "a frame, decoded": received,
        "a record, packed, chained and sealed": recorded,
    }
    for name, work in cases.items():
        for n in range(TIMES):
            work(n)
        with counter.counting():
            for n in range(TIMES, 2 * TIMES):
                work(n)
        counter.done(name, TIMES)


def main(library: Path) -> None:
    counter, ready = Counter(library), [warmed(game) for game in sorted(GAMES)]
    gc.disable()
    gc.freeze()
    counter.begin()
    with counter.counting():
        pass
    counter.done(NOTHING, 1)
    short(counter)
    tables(counter, ready)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
