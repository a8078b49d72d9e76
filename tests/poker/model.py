"""One hand of Holdem as document 000 tells it, written a second time and apart from the table.

It plays random people, who act in turn and out of turn, push too few chips and get up, and writes the script of it with
everything that must then hold.  It knows nothing of the code under test but the language of scripts.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import NamedTuple

RANKS = "23456789TJQKA"
SMALL, LARGE = 5, 10
STACKS = (8, 12, 15, 25, 30, 47, 60, 100, 150, 300)
IN_TURN = ("fold", "call", "call", "call", "raise", "raise", "all-in", "check", "take-back")
OUT_OF_TURN = ("fold", "call", "call", "raise", "check", "short", "all-in")
PATIENCE = 40  # acts in a betting round; then people fold


class Early(NamedTuple):
    """What lies there out of turn (6.18)."""

    word: str
    to: int
    over: int = 0  # the bet that too few chips were short of (6.17)
    stays: bool = False  # 6.18.4


def worth(cards: list[str]) -> tuple[int, list[int]]:
    """3.2.2, for the best five of seven."""
    return max(_five(five) for five in combinations(cards, 5))


def _five(cards: tuple[str, ...]) -> tuple[int, list[int]]:
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape, order = [n for n, _ in groups], [rank for _, rank in groups]
    flush = len({card[1] for card in cards}) == 1
    top = 3 if ranks == [12, 3, 2, 1, 0] else ranks[0] if len(shape) == 5 and ranks[0] - ranks[4] == 4 else None
    if top is not None:
        return (8 if flush else 4), [top]
    if flush:
        return 5, ranks
    return {4: 7, 3: 6 if shape[1:] == [2] else 3, 2: 2 if shape[1] == 2 else 1, 1: 0}[shape[0]], order


class Hand:
    """The hand, and in `lines` its script."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.lines: list[str] = []
        self.seats = list(range(1, self.dice.randint(2, 6) + 1))
        self.fixed = self.dice.random() < 0.3
        self.stack = {seat: self.dice.choice(STACKS) for seat in self.seats}
        self.paid, self.posted = dict.fromkeys(self.seats, 0), dict.fromkeys(self.seats, 0)
        self.alive, self.gone, self.street = list(self.seats), set[int](), 0
        self.hole: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.board: list[str] = []
        self.deck = [rank + suit for rank in RANKS for suit in "cdhs"]
        self.dice.shuffle(self.deck)
        self._blinds_and_cards()
        self._streets()

    def say(self, line: str) -> None:
        self.lines.append(line)

    def must(self, line: str) -> None:
        self.lines.append(f"expect {line}")

    # ---- the course

    def _blinds_and_cards(self) -> None:
        limit = " limit=fixed bets=10,20" if self.fixed else ""
        self.say(f"table holdem button={len(self.seats)}{limit}")
        for seat in self.seats:
            self.say(f"seat {seat} stack={self.stack[seat]}")
        self._begin([*self.seats[2:], *self.seats[:2]], LARGE)
        for seat, blind in ((1, SMALL), (2, LARGE)):
            self.posted[seat] = min(blind, self.stack[seat])
            self._put(seat, self.posted[seat])
            self.say(f"act {seat} post {self.posted[seat]}")
        for seat in self.seats * 2:
            self.hole[seat].append(self.deck.pop())
        self.say("draw " + " ".join(self.hole[seat][n] for n in (0, 1) for seat in self.seats))

    def _streets(self) -> None:
        while True:
            self._betting()
            if len(self.alive) < 2 or self.street == 3:
                break
            self.street += 1
            cards = [self.deck.pop() for _ in range(3 if self.street == 1 else 1)]
            self.board += cards
            self.say("key burn")
            self.say("draw " + " ".join(cards))
            self._begin(list(self.seats), 0)
        self.say("key settle")
        self.must("round settled")
        self._pushed()

    def _begin(self, order: list[int], level: int) -> None:
        self.order, self.level, self.full = order, level, level
        self.bet = dict.fromkeys(self.seats, 0)
        self.step, self.raises, self.last = LARGE, 0, 0
        self.size = 2 * LARGE if self.street > 1 else LARGE  # of a fixed bet
        self.acted, self.bound = set[int](), set[int]()
        self.early: dict[int, Early] = {}
        self.short: dict[int, int] = {}

    def _betting(self) -> None:
        acts = 0
        while (turn := self._turn()) is not None and len(self.alive) > 1:
            acts += 1
            self.must(f"lamp act {turn}")
            for seat in set(self.seats) - self.gone:
                self.must(f"stack {seat} {self.stack[seat] + self.bet[seat] - self._front(seat)}")
            self._something(turn, acts)
        for seat in self.seats:
            self.paid[seat] += self.bet[seat]
        self._uncalled()

    def _something(self, turn: int, acts: int) -> None:
        others = [seat for seat in self.alive if seat != turn and self.stack[seat] and seat not in self.gone]
        chance = self.dice.random()
        if acts > PATIENCE:
            self._act(turn, "fold")
        elif chance < 0.18 and others:
            self._out_of_turn(self.dice.choice(others), self.dice.choice(OUT_OF_TURN))
        elif chance < 0.23:
            self._leave(self.dice.choice(self.alive))
        else:
            self._act(turn, self.dice.choice(IN_TURN))

    # ---- whose turn, and what is legal

    def _front(self, seat: int) -> int:
        waits = self.early.get(seat)
        return max(self.bet[seat] + self.short.get(seat, 0), waits.to if waits else 0)

    def _due(self) -> int | None:
        at = self.order.index(self.last) + 1 if self.last else 0
        able = [seat for seat in self.order[at:] + self.order[:at] if seat in self.alive and self.stack[seat]]
        due = [seat for seat in able if seat not in self.acted or self.bet[seat] < self.level]
        if not due or len(able) > 1:
            return due[0] if due else None
        owed = max((self.bet[seat] for seat in self.alive if seat != due[0]), default=0)
        return due[0] if self.bet[due[0]] < owed else None

    def _turn(self) -> int | None:
        """Who acts, after everything out of turn whose turn has come."""
        while (seat := self._due()) is not None and seat in self.early:
            waits = self.early[seat]
            if waits.word == "back" or (waits.word != "check" and self._outbid(waits) and not waits.stays):
                return seat
            del self.early[seat]
            if waits.word == "short":  # 6.17
                self.short[seat] = waits.to - self.bet[seat]
                return seat
            if waits.word == "check" and self.level > self.bet[seat]:  # 6.18.3
                return seat
            self._stands(seat, waits.to)
        return seat

    def _outbid(self, waits: Early) -> bool:
        return self.level > max(waits.to, waits.over)

    def _stands(self, seat: int, to: int) -> None:
        bounds = self._bounds(seat)
        if to > self.level and bounds is None:
            to = self.level
        elif to > self.level and bounds is not None and to < bounds[0]:  # 6.12
            half = 2 * (to - self.level) >= self._least() - self.level
            to = bounds[0] if half else self.level
        self._raise(seat, to) if to > self.level else self._call(seat)

    def _least(self) -> int:
        return self.full + self.size if self.fixed else self.level + self.step

    def _bounds(self, seat: int) -> tuple[int, int] | None:
        """The least and the most of a raise; None: none is allowed (6.9, 6.16, 6.18.3)."""
        mine = self.bet[seat] + self.stack[seat]
        three = self.fixed and self.raises >= 3 and len(self.alive) > 2
        if mine <= self.level or seat in self.bound or seat in self.acted or three:
            return None
        return min(self._least(), mine), min(self._least(), mine) if self.fixed else mine

    # ---- what people do

    def _put(self, seat: int, to: int) -> None:
        self.stack[seat] -= to - self.bet[seat]
        self.bet[seat] = to

    def _call(self, seat: int) -> None:
        self._put(seat, max(self.bet[seat], min(self.level, self.bet[seat] + self.stack[seat])))
        self.acted.add(seat)
        self.last = seat

    def _raise(self, seat: int, to: int) -> None:
        added = to - (self.full if self.fixed else self.level)
        whole = 2 * added >= self.size if self.fixed else added >= self.step  # 6.16.2, 6.16.3
        self.raises += whole and self.level > 0
        self._put(seat, to)
        self.level, self.last = to, seat
        self.acted = {seat} if whole else self.acted | {seat}
        if whole:
            self.step, self.full = max(self.step, added), to

    def _commit(self, seat: int) -> None:
        """The hand is given up: what lies in front stays in the pot."""
        self._put(seat, self._front(seat))
        self.early.pop(seat, None)
        self.short.pop(seat, None)
        self.alive.remove(seat)

    def _leave(self, seat: int) -> None:
        if seat in self.gone:
            return
        self.say(f"leave {seat}")
        self.gone.add(seat)
        all_in = self.bet[seat] + self.stack[seat] == self._front(seat)
        if not all_in:
            self._commit(seat)
        elif seat in self.early:  # 6.16.1
            self.early[seat] = self.early[seat]._replace(stays=True)

    def _act(self, seat: int, word: str) -> None:
        to = self.level + self.dice.choice((1, 5, 9, 10, 11, 15, 20, 30, 60)) if word == "raise" else 0
        self.say(f"act {seat} {self._said(word)}{f' {to}' if to else ''}")
        self.must("accepted" if self._done(seat, word, to) else "refused")

    def _said(self, word: str) -> str:
        return "bet" if word == "raise" and not self.level else word

    def _done(self, seat: int, word: str, to: int) -> bool:
        """In turn: was it allowed?"""
        waits, bounds, mine = self.early.get(seat), self._bounds(seat), self.bet[seat] + self.stack[seat]
        owes = self.bet[seat] < self.level
        if word == "take-back":
            can = waits is not None and waits.word not in ("check", "back") and not waits.stays and self._outbid(waits)
            if can:
                self.early[seat] = Early("back", self.bet[seat])
            return can
        if word == "all-in" and (mine <= self.level or seat in self.short or bounds is None):
            word = "call" if owes else "check"
        elif word == "all-in":
            word, to = "raise", mine
        if seat in self.short and word not in ("call", "fold"):
            return False
        if waits is not None and waits.word == "back" and word in ("call", "check"):
            return False
        if (word == "check" and owes) or (word == "call" and not owes and not self.bet[seat]):
            return False
        if word == "raise" and (bounds is None or to < bounds[0]):
            return False
        if word == "fold":
            self.early.pop(seat, None)  # taken back, or never more than a check
            self._commit(seat)
            self.last = seat
            return True
        self.early.pop(seat, None)
        self.short.pop(seat, None)
        self._raise(seat, min(to, bounds[1])) if word == "raise" and bounds is not None else self._call(seat)
        return True

    def _out_of_turn(self, seat: int, word: str) -> None:
        if word == "short":
            self._too_few(seat)
            return
        to = self.level + 20 if word == "raise" else 0
        self.say(f"act {seat} {self._said(word)}{f' {to}' if to else ''}")
        self.must("accepted" if self._done_early(seat, word, to) else "refused")

    def _too_few(self, seat: int) -> None:
        """6.17, 6.18.1: one chip less than the call."""
        few = self.level - self.bet[seat] - 1
        if seat not in self.early and 0 < few < self.stack[seat]:
            self.say(f"chips {seat} {few}")
            self.early[seat] = Early("short", self.bet[seat] + few, self.level)

    def _done_early(self, seat: int, word: str, to: int) -> bool:
        """Out of turn: does it stand?"""
        waits, bounds, mine = self.early.get(seat), self._bounds(seat), self.bet[seat] + self.stack[seat]
        if word == "fold":
            self._commit(seat)
            return True
        short = waits is not None and waits.word == "short"
        if (waits is not None and not short) or (short and word not in ("call", "all-in")):
            return False
        owes = self.bet[seat] < self.level
        if seat in self.acted and not owes:
            return False
        if word == "check":
            self.bound.add(seat)
            self.early[seat] = Early("check", self.bet[seat])
            return True
        if word == "all-in" and mine > self.level and (bounds is None or short):
            word = "call"
        if word == "call" and not owes:
            return False
        to = min(self.level, mine) if word == "call" else mine if word == "all-in" else to
        if word == "raise" or to > self.level:
            if bounds is None or to < bounds[0]:
                return False
            to = min(to, bounds[1])
        self.early[seat] = Early(word, to, stays=to == mine < self.level)
        return True

    # ---- the end

    def _uncalled(self) -> None:
        """7.5, and AMB-CP-05 for a raise over nothing but blinds."""
        most = max(self.alive, key=self.bet.__getitem__)
        others = [seat for seat in self.seats if seat != most]
        called = max(self.bet[seat] for seat in others)
        only_blinds = all(self.bet[seat] <= self.posted[seat] for seat in others)
        if self.bet[most] > called and self.street == 0 and len(self.alive) == 1 and only_blinds:
            called = self.posted[most]
        if (over := self.bet[most] - called) > 0:
            self.paid[most] -= over
            self.stack[most] += over

    def _pushed(self) -> None:
        won, below, left = dict.fromkeys(self.seats, 0), 0, sum(self.paid.values())
        levels = sorted({self.paid[seat] for seat in self.alive})
        for level in levels:
            pot = left if level == levels[-1] else sum(min(p, level) - min(p, below) for p in self.paid.values())
            left, below = left - pot, level
            in_it = [seat for seat in self.alive if self.paid[seat] >= level]
            best = max(worth(self.hole[seat] + self.board) for seat in in_it) if len(in_it) > 1 else None
            winners = [seat for seat in sorted(in_it) if best is None or worth(self.hole[seat] + self.board) == best]
            for n, seat in enumerate(winners):  # 8.5.1: the button has the highest number
                won[seat] += pot // len(winners) + (n < pot % len(winners))
        for seat in self.seats:
            self.must(f"won {seat} {won[seat]}")
            self.must(f"net {seat} {won[seat] - self.paid[seat]}")
            if seat not in self.gone:
                self.must(f"stack {seat} {self.stack[seat] + won[seat]}")
