"""Casino War (document 004), in the order of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Final, Literal

from msgspec import UNSET, UnsetType

from controller.cards import rank
from controller.house.documents.casino_war import CASINO_WAR
from controller.house.game import HouseGame
from controller.house.games import casino_war_irregular
from controller.house.games.casino_war_irregular import INITIAL, NOT_NOW, SUBSEQUENT, too_soon
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import Layout, Stake
from controller.house.options import House
from controller.house.pays import Pays, Ranked
from controller.house.rulings import Dialogue, GiveBack, Irregularity, Ruling, Tell, refuse, rule_by_key
from controller.house.script import Script, choose, deal, paying, settle, take_wagers, with_dealer
from controller.house.state import ONLY, SURRENDER
from controller.house.wagers import half_back, lose, payable, returned, stake, stand_off, win
from controller.money import Odds, short
from controller.places import DEALER, Place, area_of, place_of
from controller.rules import Cited, Objection
from controller.table.board import Row
from controller.table.facts import Key
from controller.table.options import Chosen, Method, Shoe
from controller.table.requests import Choice, Press
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line, Round
from controller.table.telling import Verdict
from controller.table.values import Count, Switch, only, within

ODDS = {"war": Odds(1), "go-to-war": Odds(1), "tie": Odds(10)}  # 8.1, Table 1


class CasinoWarOptions(House, frozen=True, kw_only=True):
    """A Casino War table."""

    seats: Annotated[Count, within(1, 9, "a table has places for nine players or fewer", "2.1")] = 9
    shoe: Annotated[
        Shoe,
        only(*("hand", "csm"), says="cards come from a dealing shoe or a continuous shuffling machine", rule="2.3"),
    ] = "hand"
    burn: Annotated[Switch, "burn cards leave the shoe and are read"] = False
    decks: Annotated[Count, within(4, 8, "four to eight decks are used", "3.1"), "4 to 8 decks are in play"] = 6
    method: Annotated[Method, "how Go to War wagers are treated, the same on every table"] = "A"
    players_per_area: Annotated[
        Count,
        within(1, 3, "up to three players may wager on one area", "5.10"),
        "1 to 3 people may wager on one area",
    ] = 3
    limits_per: Annotated[
        Literal["area", "player"] | UnsetType,
        "whether the maximum is for all who wager on one area, or for all that one player wagers; unset: each wager",
    ] = UNSET

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together, on a floor that has agreed to `house`."""
        if house.get("method", self.method) != self.method:
            yield Objection(("method",), Cited("7.4.4(a)", f"all tables play by method {house['method']}"))


class CasinoWar(HouseGame):
    """Four to eight decks, one card each, and a second one for those who go to war."""

    name = "casino-war"
    title = "Casino War"
    decides = ("surrender",)
    shared = ("dealer",)
    options: ClassVar = CasinoWarOptions
    spots = ("war", "tie", "go-to-war")
    opening = ("war", "tie")  # 5.5
    required = ("war",)
    document = CASINO_WAR
    odds: ClassVar = {
        "war": Edge(
            "controller.odds.casino_war:war",
            "with the better of surrender and Go to War",
            ("go-to-war",),
            ("decks",),
            2,
        ),
        "tie": Edge("controller.odds.casino_war:tie", "by itself", by=("decks",), units=1),
    }
    keys: ClassVar = HOUSE_KEYS

    def dealer(self, f: Layout) -> Verdict | None:
        return None

    def on_sign(self, options: House) -> Iterator[Row]:
        """Yields for whom the limits are (6.5), what a Tie pays (Table 1), and the method (7.4.4(a))."""
        assert isinstance(options, CasinoWarOptions)
        if options.limits_per is not UNSET:
            yield "Maximum", f"for each {'player' if options.limits_per == 'player' else 'betting area'}"
        yield "Tie", f"{ODDS['tie'].to} to 1"
        yield "Go to War", f"method {options.method}"

    def pays(self, options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
        """Returns the odds of a spot (8.1, Table 1)."""
        return Pays(ODDS[spot])

    # ---- 5.2 to 7.6: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="5.2")
        if not f.places():
            yield (Press("9.3", "void", "supervisor"),)
        yield from deal(f, INITIAL, with_dealer(f.areas(*self.opening)), rule="7.3.1")
        if not f.readable():
            yield (Press("9.4", "reconstruct", "supervisor"),)
        yield from paying(f, self.war(f))  # 7.4
        yield from settle(f, rule="7.6.1")

    def war(self, f: Layout) -> Script:
        yield from choose(f, lambda: [self.offer(f, p) for p in tied(f) if not f.choice(ONLY, p)])  # 7.4.2(c), 7.4.5
        if f.places("go-to-war"):
            for waiting in deal(f, SUBSEQUENT, with_dealer(f.areas("go-to-war")), rule="7.5.1"):
                if any(f.live(p, "go-to-war") for p in f.places("go-to-war")):
                    yield waiting
            if not f.readable():
                yield (Press("9.4", "reconstruct", "supervisor"),)

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        if not f.complete(INITIAL):
            areas = with_dealer(f.areas(*self.opening))
            return (f.unserved(INITIAL) if INITIAL in f.plans else areas), "7.3.1(b)"
        war = with_dealer(f.areas("go-to-war")) if f.areas("go-to-war") else []
        return (f.unserved(SUBSEQUENT) if SUBSEQUENT in f.plans else war), "7.5.1(a)"

    def offer(self, f: Layout, place: str) -> Choice:
        """Returns the choice of a place: a wager equal to the Casino War wager, or half of it given up (5.6)."""
        amount = stake(f, place, "war").counts
        text = f"place {short(amount)} from the float beside the wager"
        duty = Cited("7.4.4(a)(ii)", text) if f.table.options.of(CasinoWarOptions).method == "B" else None
        return Choice("5.6", place, (SURRENDER,), "go-to-war", amount, duty, (f.wager(place, "war"),))

    def asks_first(self, r: Round, place: Place, spot: str) -> Iterator[Tell]:
        """Yields who has the first claim to a Tie wager: whoever has a Casino War wager on the area (5.11)."""
        if spot != "tie" or (place, "war") in r.wagers:
            return
        here = [other for other, at in r.wagers if at == "war" and area_of(other) == area_of(place)]
        for other in here:
            if (other, "tie") not in r.wagers:
                yield Tell("dealer", "has the first claim to this Tie wager: ask", "5.11", other)

    def shares(self, f: Layout, place: Place) -> list[Place]:
        """Returns who comes first in the maximum of an area or of a player, where the sign says so (6.5)."""
        per, seats = f.table.options.of(CasinoWarOptions).limits_per, f.table.seats
        if per is UNSET:
            return []
        before = [other for other in f.places(*self.opening) if _order(other) < _order(place)]
        if per == "area":
            return [other for other in before if area_of(other) == area_of(place)]
        return [other for other in before if seats.get(other) == seats.get(place)]

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns what a wager counts for (6.2); Go to War for as much as the wager that it must equal."""
        return stake(f, place, spot, equal_to=stake(f, place, "war").counts if spot == "go-to-war" else None)

    # ---- 5.7 to 5.9, 7.4, 7.6: who wins

    def decided(self, f: Layout) -> list[Line]:
        """Returns every wager that can be settled now, in the order in which the dealer does it."""
        if not f.complete(INITIAL) or not f.readable():
            return []
        ties = [self.tie(f, p) for p in from_the_right(f.places("tie")) if f.live(p, "tie")]  # 7.4.1
        wars = [line for p in from_the_right(f.places("war")) for line in self.wars(f, p)]  # 7.4.2, 7.6.1
        return ties + wars

    def tie(self, f: Layout, place: str) -> Line:
        """Returns the line of a Tie wager: it wins when the first card equals the dealer's (5.9)."""
        at = stake(f, place, "tie")
        if at.back:
            return returned(place, "tie", at, at.back)
        players, dealers = card(f, place, 0), card(f, DEALER, 0)
        if players is None:
            return returned(place, "tie", at, "9.4", "void")
        if players == dealers:
            return win(f, place, "tie", at, ODDS["tie"], "5.9")
        return lose(place, "tie", at, "7.4.1(a)")

    def wars(self, f: Layout, place: str) -> list[Line]:
        """Returns the lines of a place: the higher first card wins (5.7), equal ones surrender or go to war (5.6)."""
        if not f.live(place, "war"):
            return []
        at = stake(f, place, "war")
        if at.back:
            return [returned(place, "war", at, at.back)]
        players, dealers = card(f, place, 0), card(f, DEALER, 0)
        if players is None or dealers is None:
            return [returned(place, "war", at, "9.4", "void")]
        if players > dealers:
            return [win(f, place, "war", at, ODDS["war"], "5.7.1")]
        if players < dealers:
            return [lose(place, "war", at, "5.7.2")]
        return self.tied_wars(f, place, at)

    def tied_wars(self, f: Layout, place: str, at: Stake) -> list[Line]:
        """Returns the lines of who surrendered (5.6) or went to war (5.7.3 to 5.7.5, 5.8); none while that is open."""
        decided = f.choice(ONLY, place)
        if decided is None:
            return []
        if decided == SURRENDER:
            return [half_back(f, place, "war", at, "5.6")]
        return self.gone_to_war(f, place, at)

    def gone_to_war(self, f: Layout, place: str, at: Stake) -> list[Line]:
        """Returns the lines of who went to war: the higher second card wins, an equal one too (5.7.3 to 5.7.5, 5.8)."""
        players, dealers = card(f, place, 1), card(f, DEALER, 1)
        if players is None or dealers is None:
            return []
        more = self.stake(f, place, "go-to-war")
        if players > dealers:
            won = win(f, place, "go-to-war", more, ODDS["go-to-war"], "5.8.1")
            return [stand_off(place, "war", at, "5.7.4"), won]
        if players == dealers:
            won = win(f, place, "go-to-war", more, ODDS["go-to-war"], "5.8.2")
            return [win(f, place, "war", at, ODDS["war"], "5.7.3"), won]
        return [lose(place, "war", at, "5.7.5"), lose(place, "go-to-war", more, "5.8.3")]

    # ---- 9: irregularities

    def surplus(self, f: Layout) -> Cited:
        """Returns what a card means that left the shoe although none was due."""
        if any(isinstance(q, Choice) for q in f.waiting):
            return Cited("9.8", "a decision is still open: this card is kept as the next one")
        return Cited("9.2", "no card is due: this one is kept as the next card")

    def irregular(self, f: Layout, fact: Key) -> Dialogue:
        early = too_soon(f, fact)
        if early is not None:
            return early
        return (yield from rule_by_key(IRREGULARITIES, fact, f, otherwise=NOT_NOW))


def refuse_wager(f: Layout, place: str, spot: str) -> Ruling:
    """Rules that a wager is refused before the deal: a win could not be paid exactly in chips (5.14)."""
    if f.round.closed == "dealt":
        return refuse("5.14", "the initial deal has begun")
    if not f.live(place, spot):
        return refuse("5.14", "there is no such wager")
    if payable(f, place, spot, ODDS[spot]):
        return refuse("5.14", "a win could be paid exactly in chips")
    back = GiveBack(place, "returned", "5.14", (spot,), withdraw=True)
    return Ruling("5.14", "the wager is refused", changes=(back,))


IRREGULARITIES: Final[Mapping[str, Irregularity]] = {**casino_war_irregular.IRREGULARITIES, "refuse": refuse_wager}


def _order(place: Place) -> tuple[int, str]:
    """Returns where a place comes in the order around the table, and of those on one area."""
    return area_of(place), place


# ---- the cards


def card(f: Layout, place: str, n: int) -> int | None:
    """Returns the rank of the n-th card of a place (3.3); bettors on one area share its cards."""
    hand = f.hands.get(place if place == DEALER else place_of(area_of(place)), [])
    return rank(hand[n]) if n < len(hand) else None


def tied(f: Layout) -> list[str]:
    """Returns who may go to war or surrender (5.6)."""
    compared = [p for p in f.places("war") if f.live(p, "war") and not stake(f, p, "war").back]
    return [p for p in compared if card(f, p, 0) == card(f, DEALER, 0)]
