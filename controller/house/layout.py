"""What lies on the felt now: a game's script, run over the round, says where the cards went and what is waited for."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec.structs import replace

from controller.cards import UNREAD
from controller.house.rulings import Tell
from controller.house.state import Drawn, HouseRound, own
from controller.places import DEALER, JACKPOT, At, area_of, order
from controller.table.play import Play
from controller.table.requests import Cards, Decision, Open, Window
from controller.table.state import Burn, Line, Round, Table
from controller.table.telling import BURN

if TYPE_CHECKING:
    from controller.house.game import HouseGame

T = TypeVar("T")
LAYOUT = "layout"  # what was derived from a table


class Stake(msgspec.Struct, frozen=True):
    """How much of a wager is at stake; `back` is the rule that returns all of it."""

    counts: int
    surplus: int = 0
    back: str = ""


class Layout:
    """The round as it lies there: made anew by `look`, never stored."""

    def __init__(self, table: Table, round_: Round, game: HouseGame) -> None:
        self.table = table
        self.round = round_
        self.own = own(round_)
        self.game = game
        self.cites = game.document.citations
        self.hands: dict[str, list[str]] = {}
        self.down: set[str] = set()  # places whose cards lie face down
        self.dealt_down: set[str] = set()  # places whose cards were dealt so, also when they were turned since
        self.up: dict[str, list[int]] = {}  # of these, the cards that were turned
        self.turned_by: dict[str, dict[int, str]] = {}  # by which rule: the n-th card, 0: all of a place
        self.dealt_by: dict[str, list[str]] = {}  # the rule by which each card came to a place
        self.rules: dict[str, str] = {}  # of each deal
        self.plans: dict[str, list[str]] = {}
        self.served: dict[str, int] = {}
        self.sets: dict[str, int] = {}  # deals in which a machine gives out so many cards at once
        self.waiting: Open = ()
        self.done = False
        self._usable = [d for d in self.own.tape if not d.out]
        self._used = 0
        self._pairs: list[tuple[str, str]] = []
        self._places: dict[tuple[str, ...], list[str]] = {}  # spots -> who has wagered there
        self._areas: dict[tuple[str, ...], list[str]] = {}  # and on which areas
        self._standing: dict[At, Line] = {}
        self._read = 0  # lines of the round that `_standing` knows
        self.laid: list[str] = []  # where the cards of the tape went, one after the other
        self.strays: dict[str, list[str]] = {}  # cards that lie where there is no wager
        self.advice: list[Tell] = []  # for the dealer, when what is decided is settled

    # ---- wagers

    def places(self, *spots: str) -> list[str]:
        """Returns the bettors with a wager on one of these spots (any spot when none is named), clockwise."""
        pairs = self._wagered()  # forgets what was asked before when wagers came or went
        if spots not in self._places:
            at = pairs if not spots else [pair for pair in pairs if pair[1] in spots]
            self._places[spots] = list(dict.fromkeys(place for place, _ in at))
        return list(self._places[spots])

    def _wagered(self) -> list[tuple[str, str]]:
        """Returns place and spot of every wager, clockwise; read once, and again when wagers came or went."""
        if len(self._pairs) != len(self.round.wagers):
            self._pairs = sorted(self.round.wagers, key=lambda pair: order(pair[0]))
            self._places, self._areas = {}, {}
        return self._pairs

    def areas(self, *spots: str) -> list[str]:
        """Returns the betting areas with such a wager, clockwise."""
        places = self.places(*spots)
        if spots not in self._areas:
            self._areas[spots] = [str(area) for area in sorted(set(map(area_of, places)))]
        return list(self._areas[spots])

    def wager(self, place: str, spot: str) -> int:
        """Returns what was accepted on a spot; 0 when nothing was."""
        return self.round.wagers.get((place, spot), 0)

    def line(self, place: str, spot: str) -> Line | None:
        """Returns how this wager ended; a later line takes the place of an earlier one, and may open it again."""
        if self._read < len(self.round.lines):  # lines are only ever added
            self._standing.update((line.at, line) for line in self.round.lines[self._read :])
            self._read = len(self.round.lines)
        standing = self._standing.get((place, spot))
        return None if standing is None or standing.result == "reversed" else standing

    def live(self, place: str, spot: str) -> bool:
        """Tells whether a wager is at stake: made and not ended."""
        return (place, spot) in self.round.wagers and self.line(place, spot) is None

    def at_stake(self) -> list[tuple[str, str]]:
        """Returns place and spot of every wager that has not ended."""
        return [pair for pair in self._wagered() if self.line(*pair) is None]

    def unjudged(self) -> list[str]:
        """Returns the Jackpot wagers that nobody has judged yet; those whose prize waits for a person are judged."""
        waiting = [w for w in self.table.jackpot.pending if w.round == self.round.number]
        judged = {place for w in waiting for place in w.places}
        return [place for place in self.places(JACKPOT) if self.live(place, JACKPOT) and place not in judged]

    def claims_alone(self) -> bool:
        """Tells whether nobody has settled yet, and only Jackpot wagers are left: the other ones were forfeited."""
        return bool(self.own.forfeited and self.unjudged()) and all(spot == JACKPOT for _, spot in self.at_stake())

    # ---- cards

    @property
    def held(self) -> list[Drawn]:
        """Returns the cards that left the shoe and lie in nobody's hand: they will be used as the next ones."""
        return self._usable[self._used :]

    @property
    def early(self) -> bool:
        """Tells whether a card is out before its time: not one that was ruled to wait."""
        return bool(self.held) and not self.held[0].kept

    @property
    def unseen(self) -> list[str]:
        """Extra areas of players who sit elsewhere: as it is now, or was when the deal began."""
        return self.own.unseen if self.round.closed == "dealt" else list(self.table.unseen)

    @property
    def burning(self) -> bool:
        """Tells whether a card is burned before the next one, as things stood when the last one was dealt."""
        return next((on for after, on in reversed(self.own.burning) if after <= self._used), False)

    @property
    def burns(self) -> list[Burn]:
        """Returns the cards burned in this round, also those that were dealt where there was no wager."""
        stray = [p for p in self.strays if p in self.own.burned]
        cards = [*self.hands.get(BURN, ()), *(card for place in stray for card in self.strays[place])]
        return [*self.round.burns, *map(Burn, cards)]

    def advise(self, place: str, text: str, rule: str) -> None:
        """Keeps what the dealer has to say when this is settled."""
        self.advice.append(Tell("dealer", text, rule, place))

    def unserved(self, deal: str) -> list[str]:
        """Returns the places that still get a card in this deal, one for each card."""
        return self.plans[deal][self.served[deal] :]

    def began(self, deal: str) -> bool:
        """Tells whether a card of this deal was laid."""
        return self.served.get(deal, 0) > 0

    def complete(self, deal: str) -> bool:
        """Tells whether all cards of this deal were laid."""
        return deal in self.plans and self.served[deal] == len(self.plans[deal])

    @property
    def complete_so_far(self) -> bool:
        """Tells whether no deal is under way."""
        return all(self.complete(name) for name in self.plans)

    def take(self, deal: str, place: str) -> Drawn | None:
        """Lays the next card of the tape to a place; None when there is none, or nobody knows which is the next."""
        if self._used == len(self._usable):
            return None
        card = self._usable[self._used]
        if card.group and card.group not in self.own.ordered and not self._one_set(deal, card.group):
            return None
        self._used += 1
        self.served[deal] += 1
        self.laid.append(place)
        lying = self.strays if self.own.marks and self._stray(deal, place) else self.hands
        lying.setdefault(place, []).append(self._face(deal, place, card) if self.own.given else card.card)
        if lying is self.hands:
            self.dealt_by.setdefault(place, []).append(self.rules[deal])
        return card

    def _stray(self, deal: str, place: str) -> bool:
        """Tells whether this place should not have been served in this deal."""
        return any(m.what == "stray" and m.deal == deal and m.place == place for m in self.own.marks)

    def _face(self, deal: str, place: str, card: Drawn) -> str:
        """Returns the card as a supervisor has named it, where one has; else as it was read."""
        named = self.own.given.get((deal, place), ())
        already = self.plans[deal][: self.served[deal] - 1].count(place)
        return named[already] if already < len(named) else card.card

    def _one_set(self, deal: str, group: int) -> bool:
        """Tells whether a machine gave out a whole set for one place: the order in it says nothing."""
        return self.sets.get(deal) == sum(d.group == group for d in self._usable)

    def choice(self, window: Window, place: str) -> Decision | None:
        """Returns what was decided; None when nothing was."""
        return self.own.choices.get((window, place))

    def turn(self, place: str, rule: str, n: int | None = None) -> None:
        """Turns the cards of a place face up, or its n-th, by this rule."""
        self.turned_by.setdefault(place, {}).setdefault(n or 0, rule)
        if n is None:
            self.down.discard(place)
        else:
            self.up.setdefault(place, []).append(n)

    def turned(self, place: str) -> int:
        """Returns how many cards of a place lie face up."""
        cards, up = len(self.hands.get(place, [])), self.up.get(place, ())
        return sum(n in up for n in range(1, cards + 1)) if place in self.down else cards

    def readable(self) -> bool:
        """Tells whether every card could be read."""
        return all(UNREAD not in hand for hand in self.hands.values())

    def taken_over(self, table: Table, round_: Round) -> Layout:
        """Returns the same for a copy of the table in which nothing of it has changed yet: the script need not run."""
        new = copy(self)
        new.table, new.round, new.own = table, round_, own(round_)
        new.hands, new.strays = _copied(self.hands), _copied(self.strays)
        new.plans, new.up = _copied(self.plans), _copied(self.up)
        new.dealt_by, new.rules = _copied(self.dealt_by), self.rules.copy()
        new.turned_by = {place: rules.copy() for place, rules in self.turned_by.items()}
        new.down, new.dealt_down = self.down.copy(), self.dealt_down.copy()
        new.served, new.sets = self.served.copy(), self.sets.copy()
        new.laid, new.advice = self.laid.copy(), self.advice.copy()
        new._places, new._areas, new._standing = {}, {}, self._standing.copy()
        return new

    def reread(self, own: HouseRound) -> Layout:
        """Returns what would lie there if the game had kept this of the round."""
        return lay_out(self.table, replace(self.round, play=Play(own)), self.game)


def _copied(lists: dict[str, list[T]]) -> dict[str, list[T]]:
    return {name: each.copy() for name, each in lists.items()}


def look(table: Table, game: HouseGame) -> Layout | None:
    """Returns what lies on the felt of a table whose step is over; None when no round is running.

    A table does not change once its step is over, so neither does what lies there: it is kept with the table.
    """
    if LAYOUT not in table.derived:
        remember(table, look_anew(table, game))
    layout: Layout | None = table.derived[LAYOUT]
    return layout


def look_anew(table: Table, game: HouseGame) -> Layout | None:
    """Returns the same while a step still changes the table: the script is run over the round as it stands."""
    return None if table.round is None or table.round.outcome else lay_out(table, table.round, game)


def remember(table: Table, layout: Layout | None) -> None:
    """Keeps what lies on the felt of a table whose step is over."""
    table.derived[LAYOUT] = layout


def lay_out(table: Table, round_: Round, game: HouseGame) -> Layout:
    """Returns the same for any round, also one that is over."""
    f = Layout(table, round_, game)
    for waiting in game.play(f):
        f.waiting = waiting
        return f
    f.done = True
    return f


def next_place(f: Layout | None) -> str:
    """Returns where the next card would go."""
    for request in f.waiting if f is not None else ():
        if isinstance(request, Cards):
            return request.place
    return DEALER
