"""Makes up what happens at a table in more ways than a table is tried with junk: words as each key declares them.

Every key comes with every kind of words that it has, of places, people and cards that are at the table; wagers, raises
and stacks differ; cards are read twice or not at all; sensors are cut off; what happened is corrected, or comes again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Final

from msgspec.structs import replace

from controller.cards import DECK, UNREAD
from controller.games import find, house_game
from controller.house.layout import look
from controller.poker.hand import choices
from controller.poker.money.stacks import running
from controller.poker.room import blinds
from controller.poker.state import Hand, room_in
from controller.table import facts as f
from controller.table.declare import Argument
from controller.table.declare import Key as Declared
from controller.table.facts import AnyFact, Chips, Key, Spot
from controller.table.state import Table
from controller.tournament.table_keys import keys_at
from tests.table.any_facts import VALUES, Anybody

AGAIN = 0.04  # of all facts come once more
CORRECTED = 0.04  # of all facts correct an earlier one
ODD = 0.03  # of all facts tell of a sensor, a badge, a chip
BLURRED = 0.006  # of all cards cannot be read
SEEN = 0.004  # of all cards were there before
BY_OTHERS = 0.35  # of all keys are pressed elsewhere, by somebody who may press most of them
PEOPLE = ("Ann", "Bob", "Cy", "S1", "S2", "somebody")
BADGES = ("1", "2", "3")
PLACES = ("dealer", "flop", "turn", "river", "community")
AMOUNTS = ("0", "5", "10", "12.50", "15", "20", "25", "50", "100", "500", "1000")
STAKES = (0, 0, 500, 1000, 1000, 1000, 1500, 2000, 2500, 5000, 10_000, 60_000)
ROLES = ("dealer", "supervisor", "area-manager", "casino-manager", "casino-manager")


class Wanderer(Anybody):
    """Makes up what happens next, sensibly for the most part."""

    def __init__(self, seed: int, sense: float) -> None:
        super().__init__(seed, sense)
        self._last: AnyFact = f.Tick()
        self._coming: list[AnyFact] = []  # for sure
        self._out = "Kh"  # the card that came last
        self._number = -1  # of the round that the deck was mixed for

    def fact(self, table: Table) -> AnyFact:
        """Something that fits, most often; what came before, again; something odd."""
        chance = self.rng.random() - AGAIN
        if table.number != self._number:
            self._number, self.deck = table.number, self.rng.sample(DECK, len(DECK))
        if self._coming:
            return self._coming.pop()
        if chance < 0:
            self._coming += [self._last] * self.rng.choice((0, 0, 0, 1, 2))
            return self._last
        if chance < CORRECTED:
            self._last = self.correction(table)
        elif chance < CORRECTED + ODD:
            self._last = self.odd(table)
            if isinstance(self._last, f.SignInFailed):
                self._coming += self.locked_out(self._last)
        else:
            self._last = self.by_somebody(super().fact(table))
        return self._last

    def by_somebody(self, made: AnyFact) -> AnyFact:
        """The same; some keys are pressed elsewhere, by somebody who may press most of them."""
        r = self.rng
        if not isinstance(made, Key) or made.role or r.random() >= BY_OTHERS:
            return made
        return replace(made, person=r.choice(PEOPLE), role=r.choice(ROLES), place=r.choice(("page", "socket")))

    def locked_out(self, failed: f.SignInFailed) -> list[AnyFact]:
        """Facts, the last one first: so many wrong PINs that somebody has to wait, and somebody who lets them go on."""
        r = self.rng
        words = r.choice(((failed.badge,), (failed.badge,), ()))
        unlocked = Key("unlock", words, 1000, "Bob", "supervisor", "page")
        return [*r.choice(([unlocked], [unlocked], [])), *([failed] * r.choice((3, 4, 4, 5, 7)))]

    # ---- cards, chips and acts

    def card(self) -> str:
        """A card of a deck; some cannot be read, or were there before."""
        chance = self.rng.random()
        if chance < BLURRED:
            return UNREAD
        if chance < BLURRED + SEEN:
            return self._out
        self._out = self.deck.pop() if self.deck else UNREAD
        return self._out

    def bets(self, table: Table) -> AnyFact:
        """Wagers on some spots of an area: of one bettor as a rule, of the same amount on most spots."""
        r = self.rng
        spots = [spot for spot in (*house_game(table.game).opening, "jackpot") if r.random() < 0.8]
        bettor, usual = r.choice((1, 1, 1, 1, 1, 1, 2, 3)), r.choice(STAKES)
        made = [
            Spot(spot, bettor, 500 if spot == "jackpot" and r.random() < 0.9 else amount, r.random() < 0.05)
            for spot in spots
            for amount in (usual if r.random() < 0.8 else r.choice(STAKES),)
        ]
        return Chips(r.randint(1, 5), tuple(made))

    def between_hands(self, table: Table) -> AnyFact:
        """The next hand, or more chips for somebody first."""
        r = self.rng
        room = room_in(table)
        if room is not None and room.drawing and r.random() < 0.7:
            return f.CardRead("board", r.choice((*self.deck[:5], UNREAD)))
        if r.random() < 0.06:
            return Key("list", (r.choice(PEOPLE), r.choice(("1", "2"))))
        if r.random() < 0.06 or not blinds.able(table):
            return Key("seat", (r.choice([*table.seats]), r.choice(("add=500", "add=45", "stack=500", "take=20"))))
        return super().between_hands(table)

    def by_dealer(self, table: Table) -> AnyFact:
        """What the dealer does next; a hand with something wrong in it may be called dead, or be named."""
        r = self.rng
        if r.random() < 0.08:
            seat = _place(r, table)
            return r.choice(
                (Key("misdeal"), self.key("reconstruct", seat, table), Key("dead", (seat,)), Key("reconstruct"))
            )
        return super().by_dealer(table)

    def in_turn(self, hand: Hand, turn: choices.Choices) -> AnyFact:
        """An act, with any amount that may go with it."""
        r = self.rng
        if turn.what == "act" and turn.most and r.random() < 0.3:
            word = "bet" if "bet" in turn.offers else "raise"
            total = r.choice((turn.least, turn.least + 500, turn.least - 100, turn.most, (turn.least + turn.most) // 2))
            if r.random() < 0.3:
                return f.Pushed(int(turn.seat), (max(100, total - turn.amount), *r.choice(((), (100,), (2500,)))))
            return Key("act", (turn.seat, word, str(max(0, total) // 100)))
        if turn.what == "act" and r.random() < 0.06:
            other = r.choice([seat for seat in hand.cards if seat != turn.seat] or [turn.seat])
            return Key(r.choice(("act", "act", "said")), (other, r.choice(("fold", "check", "call", "all-in"))))
        return super().in_turn(hand, turn)

    # ---- keys

    def any_key(self, table: Table) -> Key:
        """A key that the table has, with words of the kinds that it declares; now and then any other."""
        r = self.rng
        if r.random() < 0.15:
            return super().any_key(table)
        key = r.choice(keys_at(table, find(table.game)))
        return Key(key.name, fitting(r, table, key))

    def key(self, name: str, place: str, table: Table) -> Key:
        """A key about a place; hands that nobody could read are named as they may have been."""
        r = self.rng
        unread = _unread(table) if name == "reconstruct" else {}
        if not unread:
            return super().key(name, place, table)
        named = {at: [r.choice(DECK) if card == UNREAD else card for card in lying] for at, lying in unread.items()}
        return Key(name, tuple(f"{at}={','.join(lying)}" for at, lying in named.items()))

    # ---- what comes seldom

    def correction(self, table: Table) -> AnyFact:
        """One of the newest facts of the round is struck out, or was otherwise."""
        r = self.rng
        seen = table.history[-12:] or table.history[:]
        if not seen:
            return self.odd(table)
        wrong = r.choice(seen)
        was = wrong.fact
        if isinstance(was, Key):
            other: AnyFact = replace(was, args=self.any_key(table).args) if r.random() < 0.5 else self.any_key(table)
        elif isinstance(was, Chips) and was.spots:
            other = replace(was, spots=tuple(replace(spot, amount=r.choice(STAKES)) for spot in was.spots))
        elif isinstance(was, f.CardOut | f.CardRead):
            other = replace(was, card=r.choice(DECK))
        else:
            other = self.sensible(table)
        to = r.choice((other, other, None))
        return f.Amend(wrong.seq, to, person="Ann", role=r.choice(("supervisor", "supervisor", "dealer")), place="page")

    def odd(self, table: Table) -> AnyFact:
        """A sensor, a reader or a badge does something; chips come late."""
        r = self.rng
        place, badge = r.choice(("1", "2", "3", "4")), r.choice(BADGES)
        device = r.choice((f"sensor.{place}", f"sensor.{place}", f"reader.{place}", "reader.board", "shoe"))
        return r.choice(
            (
                f.DeviceLost(device, "lost", "nothing is heard"),
                f.DeviceReady(device),
                f.Pushed(int(place), (r.choice((500, 1000, 2500)),), late=True),
                f.Pushed(int(place), (r.choice((500, 1000, 2500)),)),
                f.UnknownChip(int(place), r.choice((*find(table.game).spots, "jackpot")), r.choice((1, 1, 2))),
                f.SignInFailed(badge, r.choice(("console", "console", "page")), f.WRONG_PIN, r.choice(("Ann", ""))),
                f.Key("unlock", r.choice(((badge,), ())), 1000, "Bob", "supervisor", "page"),
                f.Key("unlock", r.choice(((badge,), ()))),
                f.CardRead(place, self.card(), r.random() < 0.5),
                f.CardOut(self.card(), r.random() < 0.5),
            )
        )


def _unread(table: Table) -> dict[str, list[str]]:
    """Returns the hands with cards that could not be read, or that lie elsewhere too: these as unread ones."""
    if room_in(table) is not None:
        hand = running(table)
        lying = {} if hand is None else {**hand.cards, "community": hand.board}
    else:
        layout = look(table, house_game(table.game))
        lying = {} if layout is None else dict(layout.hands)
    known = Counter(chain.from_iterable(lying.values()))
    hands = {at: [UNREAD if known[card] > 1 else card for card in cards] for at, cards in lying.items()}
    return {at: cards for at, cards in hands.items() if UNREAD in cards}


def fitting(r: Random, table: Table, key: Declared) -> tuple[str, ...]:
    """Returns words that fit one form of a key; their number is chosen where it may differ."""
    form = r.choice(key.forms)
    words: list[str] = []
    for argument in form:
        if argument.optional and r.random() < 0.5:
            continue
        words += [_word(r, table, argument) for _ in range(r.choice((1, 1, 2, 3)) if argument.many else 1)]
    return tuple(words)


def _word(r: Random, table: Table, argument: Argument) -> str:
    kind = r.choice(argument.kinds)
    return kind.name if kind.fixed else WORDS.get(kind.name, _place)(r, table)


def _place(r: Random, table: Table) -> str:
    wagers = [place for place, _ in table.round.wagers] if table.round is not None else []
    taken = (*table.seats, *wagers)
    return r.choice((*taken, *taken, "1", "2", "3"))


def _any_place(r: Random, table: Table) -> str:
    return r.choice((_place(r, table), _place(r, table), *PLACES))


def _setting(r: Random, table: Table) -> str:
    names = (*table.options, "min", "max", "unit", *find(table.game).document.powers.settings)
    name = r.choice(names)
    return f"{name}={r.choice((table.options.get(name, ''), r.choice(AMOUNTS), r.choice(VALUES))) or 'none'}"


def _name(r: Random, table: Table) -> str:
    return r.choice((*PEOPLE, *filter(None, table.seats.values()), *table.promotions))


def _hand(r: Random, table: Table) -> str:
    return f"{_any_place(r, table)}={','.join(r.sample(DECK, r.randint(1, 5)))}"


def _places(r: Random, table: Table) -> str:
    return r.choice((_place(r, table).partition(".")[0], "1-4", "2,4", "5"))


def _code(r: Random, table: Table) -> str:
    return r.choice((*(held.code for held in table.holds.values()), "shoe.jam"))


WORDS: Final[dict[str, Callable[[Random, Table], str]]] = {
    "PLACE": _any_place,
    "PLACES": _places,
    "SPOT": lambda r, table: r.choice(find(table.game).spots),
    "CARD": lambda r, _: r.choice(DECK),
    "HAND": _hand,
    "COUNT": lambda r, _: r.choice(("0", "5", "26", "51", "52", "260", "261", "311", "312")),
    "N": lambda r, _: r.choice(("1", "2", "3", "7")),
    "AMOUNT": lambda r, _: r.choice(AMOUNTS),
    "LIMIT": lambda r, _: r.choice(("min=", "max=")) + r.choice(AMOUNTS),
    "SETTING": _setting,
    **dict.fromkeys(("NAME", "PROMOTION", "PATRON"), _name),
    "DISPUTE": lambda r, table: r.choice((*map(str, table.disputes), "1")),
    "SHARE": lambda r, _: r.choice(("North", "North=5", "South=12.5")),
    "BADGE": lambda r, _: r.choice(BADGES),
    "CODE": _code,
    "DURATION": lambda r, _: r.choice(("30s", "5m", "1h")),
    "PLAYER": lambda r, _: f"player={r.choice(PEOPLE)}",
    "STAKE": lambda r, _: r.choice(("stack=", "add=", "take=")) + r.choice(AMOUNTS),
}
