"""The order of the cards: is it that of a new deck, or of the last shoe, or does it run up and down in ranks?

Each pattern foretells, before a card is drawn, which cards would be next.  Under a fair shuffle each of the `r` cards
that are left is as likely as any other, so `c` foretold ones come with chance c/r, whatever was dealt before.  Half a
stake is put on them each time: a hit multiplies it by (r + c) / 2c, a miss by 1/2, and the mean of both is exactly 1.
A new stake of 1 enters with every card (Shiryaev and Roberts), so that a pattern is found wherever it begins.  What all
stakes have come to after n cards has the mean n, so that it reaches a bound A in a fair shoe of n cards with a chance
of at most n/A (Doob).  Whole numbers only; every division rounds down, which makes a false alarm rarer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from controller.cards import DECK, UNREAD
from controller.guard.rising import ACE_LOW, RARE, RisingWatch
from controller.guard.suspicions import Suspicion, Suspicions
from controller.table.shoe import ShoeAccount
from controller.table.state import Table, round_runs

BOUND: Final = 4_000_000_000  # A: an alarm when the stakes of one pattern have come to it
UNIT: Final = 1_000_000  # of the numbers below
SHUFFLE: Final = "Hold the cards, shuffle them by hand or replace them, and look at how they were shuffled."


class Foretelling(Protocol):
    """One pattern: which cards would be next, and what a card that came changes about it."""

    def next(self) -> Iterable[str]:
        """Returns the cards that would be next; none when nothing is foretold."""

    def came(self, card: str) -> None:
        """Takes note of the next card."""


class Heads:
    """A pattern of cards that follow each other, of which several runs may be shuffled into one another."""

    def __init__(self, after: Mapping[str, Sequence[str]], runs: int) -> None:
        self._after, self._runs = after, runs
        self._heads: list[str] = []  # the last card of each run, the newest last

    def next(self) -> Iterable[str]:
        """Returns what would continue one of the runs."""
        return {card for head in self._heads for card in self._after.get(head, ())}

    def came(self, card: str) -> None:
        """Continues the run that this card belongs to, or begins another in the place of the oldest."""
        for head in reversed(self._heads):
            if card in self._after.get(head, ()):
                self._heads.remove(head)
                break
        self._heads = [*self._heads, card][-self._runs :]


class Places:
    """The order of an earlier shoe, by place: with several decks a card alone does not tell where it was."""

    def __init__(self, before: Sequence[str], runs: int) -> None:
        self._before, self._runs = before, runs
        self._next: list[int] = []  # places that would be next, the newest last
        self._last = ""
        self._follows: dict[tuple[str, str], int] = {}
        for n in range(len(before) - 1, 0, -1):
            self._follows[before[n - 1], before[n]] = n
        self._once = {card for card, times in Counter(before).items() if times == 1}

    def next(self) -> Iterable[str]:
        """Returns the cards at the places that would be next."""
        return {self._before[n] for n in self._next}

    def came(self, card: str) -> None:
        """Goes on from the place where this card was."""
        places = self._next
        hit = next((n for n in reversed(places) if self._before[n] == card), None)
        place = hit if hit is not None else self._place(card)
        self._last = card
        if place is None:
            return
        kept = [n for n in places if n != hit]
        self._next = [n for n in (*kept, place + 1)[-self._runs :] if n < len(self._before)]

    def _place(self, card: str) -> int | None:
        if card in self._once:
            return self._before.index(card)
        return self._follows.get((self._last, card))


class Pattern(NamedTuple):
    """A pattern that is watched, as people call it."""

    name: str
    foretelling: Foretelling


def _suit(step: int) -> dict[str, tuple[str, ...]]:
    """Returns which card follows each within its suit: a new deck lies so, up or down.

    Behind the last of a suit comes the first of any: makers put the suits in different orders.
    """
    ranks, last = ACE_LOW, "K" if step > 0 else "A"
    return {
        rank + suit: tuple(ranks[(n + step) % 13] + other for other in ("cdhs" if rank == last else suit))
        for n, rank in enumerate(ranks)
        for suit in "cdhs"
    }


def _rank(step: int) -> dict[str, tuple[str, ...]]:
    """Returns which cards follow each by rank alone."""
    ranks = ACE_LOW
    return {
        rank + suit: tuple(ranks[(n + step) % 13] + other for other in "cdhs")
        for n, rank in enumerate(ranks)
        for suit in "cdhs"
    }


UP, DOWN = _suit(1), _suit(-1)
RANK_UP, RANK_DOWN, RANK_SAME = _rank(1), _rank(-1), _rank(0)
NEW: Final = "the order of a new deck"
ONCE: Final = "the order of a new deck that was riffled once"
TWICE: Final = "the order of a new deck that was riffled twice"
FEW: Final = "runs by rank and suit that only a few riffles of a new deck leave"


def patterns(before: Sequence[str], earlier: Sequence[str] = ()) -> list[Pattern]:
    """Returns what is watched in a shoe; `before`: the order of the last one; `earlier`: of the one before that."""
    watched = [
        Pattern(NEW, Heads(UP, 1)),
        Pattern(NEW, Heads(DOWN, 1)),
        Pattern(ONCE, Heads(UP, 2)),
        Pattern(ONCE, Heads(DOWN, 2)),
        Pattern(TWICE, Heads(UP, 4)),
        Pattern(TWICE, Heads(DOWN, 4)),
        Pattern("ranks that go up one by one", Heads(RANK_UP, 1)),
        Pattern("ranks that go down one by one", Heads(RANK_DOWN, 1)),
        Pattern("equal ranks one after the other", Heads(RANK_SAME, 1)),
    ]
    if len(before) > 1:
        watched.append(Pattern("the order of the last shoe", Places(before, 2)))
        watched.append(Pattern("the order of the last shoe from its end", Places(before[::-1], 2)))
    if len(earlier) > 1:
        watched.append(Pattern("the order of the shoe before the last", Places(earlier, 2)))
        watched.append(Pattern("the order of the shoe before the last from its end", Places(earlier[::-1], 2)))
    return watched


MOST_PATTERNS: Final = 13


class Alarm(NamedTuple):
    """A pattern that was found: after how many cards."""

    pattern: str
    card: int
    rare: int = BOUND // MOST_PATTERNS  # so many fair cards have one alarm of this kind at most, on average


class OrderWatch:
    """Follows the cards of one shoe, one after the other."""

    def __init__(self, decks: int, before: Sequence[str] = (), earlier: Sequence[str] = ()) -> None:
        self._watched = patterns(before, earlier)
        self._stakes = [0] * len(self._watched)
        self._left = Counter(dict.fromkeys(DECK, decks))
        self._cards = len(DECK) * decks  # that are left
        self._rising = RisingWatch() if decks == 1 else None
        self.seen = 0
        self.alarm: Alarm | None = None

    def draw(self, card: str) -> None:
        """Follows the next card."""
        self.seen += 1
        known = card != UNREAD and self._left[card] > 0  # one too many is an alert of its own
        for n, pattern in enumerate(self._watched):
            if known:
                self._bet(n, card, pattern.foretelling.next())
            if card != UNREAD:
                pattern.foretelling.came(card)
        self._cards = max(1, self._cards - 1)
        if known:
            self._left[card] -= 1
        if self._rising is not None and self._rising.draw(card):
            self._alarm_of(FEW, RARE)

    def _alarm_of(self, pattern: str, rare: int = BOUND // MOST_PATTERNS) -> None:
        self.alarm = self.alarm or Alarm(pattern, self.seen, rare)

    def _bet(self, n: int, card: str, foretold: Iterable[str]) -> None:
        chances = sum(self._left[each] for each in foretold)
        stake = self._stakes[n] + UNIT
        if not 0 < chances < self._cards:
            self._stakes[n] = stake
        elif card in foretold:
            self._stakes[n] = stake * (self._cards + chances) // (2 * chances)
        else:
            self._stakes[n] = stake // 2
        if self._stakes[n] >= BOUND * UNIT:
            self._alarm_of(self._watched[n].name)


class ShoeOrder:
    """Watches one shoe after the other; what it has seen of a shoe is not looked at again."""

    def __init__(self) -> None:
        self._shoe = ShoeAccount(-1)
        self._watch = OrderWatch(1)
        self._newest: tuple[int, Alarm] | None = None  # the newest alarm, and the number of its shoe

    def find(self, table: Table) -> Suspicions:
        """Finds an order that no fair shuffle has; between rounds, so that it tells nothing of cards in play."""
        if round_runs(table):
            return
        self._look(table.shoe, table.options.typed.decks)
        if self._newest is not None:
            number, alarm = self._newest
            text = (
                f"Since the shuffle the cards come in {alarm.pattern}: card {alarm.card} made it sure. "
                f"In a fair shoe of {alarm.card} cards the chance of this alarm is below 1 in "
                f"{alarm.rare // alarm.card:,}."
            )
            yield Suspicion("order", f"order {number}", text, SHUFFLE, table.number)

    def _look(self, shoe: ShoeAccount, decks: int) -> None:
        """Follows the cards of this shoe, and first those of the last one that nobody has looked at.

        A machine may shuffle as soon as the last card of a round is settled.
        """
        before = self._shoe
        if shoe.number != before.number and shoe.before:
            if before.number != shoe.number - 1 or before.before != shoe.earlier:
                self._watch = OrderWatch(decks, shoe.earlier)
            self._follow(shoe.number - 1, shoe.before)
        if (shoe.number, shoe.before) != (before.number, before.before) or _differ(shoe, before):
            self._watch, known = OrderWatch(decks, shoe.before, shoe.earlier), self._newest
            self._newest = known if known is not None and known[0] == shoe.number - 1 else None
        self._follow(shoe.number, [each.card for each in shoe.cards])
        self._shoe = shoe

    def _follow(self, number: int, cards: Sequence[str]) -> None:
        for card in cards[self._watch.seen :]:
            self._watch.draw(card)
        if self._watch.alarm is not None:
            self._newest = number, self._watch.alarm


def _differ(shoe: ShoeAccount, before: ShoeAccount) -> bool:
    """Tells whether the cards that were looked at are others now: a correction has told them again."""
    if len(shoe.cards) < len(before.cards):
        return True
    return any(one.card != other.card for one, other in zip(shoe.cards, before.cards, strict=False))
