"""Short words for what tables tell their meters."""

from __future__ import annotations

from controller.jackpot.ledger import Movement
from controller.jackpot.rules import Terms
from controller.jackpot.stores.store import MeterStore, Recorded

NSW = Terms("nsw", 1, 20_000, 500)
VIC = Terms("vic", 1, 10_000, 500)
WORDS = "nsw 1 20000 5 A caribbean-stud"
PEOPLE = ("Ann", "Ben")
WHY = "counted by hand"


class Teller:
    """A table: numbers what it tells."""

    def __init__(self, store: MeterStore, table: str = "T1", group: str = "G", terms: Terms = NSW) -> None:
        self.store, self.table, self.group, self.terms, self.last = store, table, group, terms, 0

    async def join(self, ceiling: int | None = None, spare: int = 0) -> Recorded:
        joined = await self.store.join(
            self.group, self.table, self.terms, WORDS, known_to_table=self.last, ceiling=ceiling, spare=spare
        )
        self.last = joined.last
        return joined

    def bets(self, round_: int, places: str) -> list[Movement]:
        return [self.say("contribution", round_, place, self.terms.increment) for place in places]

    def say(self, kind: str, round_: int, wager: str = "", ticks: int = 0, flushes: str = "") -> Movement:
        """`flushes`: "3R 5S" for a royal at 3 and a straight flush at 5."""
        self.last += 1
        named = {"R": "ROYAL_FLUSH", "S": "STRAIGHT_FLUSH"}
        hands = tuple((word[:-1], named[word[-1]]) for word in flushes.split())
        return Movement(self.last, round_, kind, wager, ticks, hands)

    async def tell(self, *movements: Movement) -> Recorded:
        return await self.store.record(self.group, self.table, movements)
