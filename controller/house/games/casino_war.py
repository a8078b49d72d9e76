"""Casino War (document 004), in the order of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from controller.cards import rank
from controller.house.common import name_unread, named_cards
from controller.house.documents.casino_war import CASINO_WAR
from controller.house.game import HouseGame
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import (
    Layout,
    Script,
    Stake,
    Verdict,
    choose,
    deal,
    paying,
    settle,
    take_wagers,
    with_dealer,
)
from controller.house.options import House, Method, Shoe
from controller.house.rulings import (
    Dialogue,
    End,
    GiveBack,
    MarkDeal,
    Offer,
    Ordered,
    Ruling,
    ShoeVoid,
    TakeOut,
    Tell,
    Unmark,
    only_tell,
    refuse,
)
from controller.house.wagers import half_back, lose, payable, returned, stake, stand_off, win
from controller.money import Odds, short
from controller.places import DEALER, area_of, place_of
from controller.rules import Cited
from controller.table.facts import AnyFact, Key
from controller.table.requests import Choice, Order, Press
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line, Mark
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

    def forbidden(self, house: Mapping[str, str]) -> Cited | None:
        """What the rules have against these options together, on a floor that has agreed to `house`."""
        if house.get("method", self.method) != self.method:
            return Cited("7.4.4(a)", f"all tables play by method {house['method']}")
        return None


class CasinoWar(HouseGame):
    """Four to eight decks, one card each, and a second one for those who go to war."""

    name = "casino-war"
    options: ClassVar = CasinoWarOptions
    spots = ("war", "tie", "go-to-war")
    opening = ("war", "tie")  # 5.5
    required = ("war",)
    document = CASINO_WAR
    odds: ClassVar = {
        "war": Edge("controller.odds.casino_war:war", "with the better of surrender and Go to War"),
        "tie": Edge("controller.odds.casino_war:tie", "by itself"),
    }
    keys: ClassVar = HOUSE_KEYS

    def dealer(self, f: Layout) -> Verdict | None:
        return None

    # ---- 5.2 to 7.6: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="5.2")
        if not f.places():
            yield (Press("9.3", "void", "supervisor"),)
        yield from deal(f, "initial", with_dealer(f.areas(*self.opening)), rule="7.3.1")
        if not f.readable():
            yield (Press("9.4", "reconstruct", "supervisor"),)
        yield from paying(f, self.war(f))  # 7.4
        yield from settle(f, rule="7.6.1")

    def war(self, f: Layout) -> Script:
        yield from choose(f, lambda: [self.offer(f, p) for p in tied(f) if not f.choice("", p)])  # 7.4.2(c)
        if f.places("go-to-war"):
            for waiting in deal(f, "subsequent", with_dealer(f.areas("go-to-war")), rule="7.5.1"):
                if any(f.live(p, "go-to-war") for p in f.places("go-to-war")):
                    yield waiting
            if not f.readable():
                yield (Press("9.4", "reconstruct", "supervisor"),)

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        if not f.complete("initial"):
            areas = with_dealer(f.areas(*self.opening))
            return (f.unserved("initial") if "initial" in f.plans else areas), "7.3.1(b)"
        war = with_dealer(f.areas("go-to-war")) if f.areas("go-to-war") else []
        return (f.unserved("subsequent") if "subsequent" in f.plans else war), "7.5.1(a)"

    def offer(self, f: Layout, place: str) -> Choice:
        """5.6: a wager equal to the Casino War wager, or half of it given up."""
        amount = stake(f, place, "war").counts
        text = f"place {short(amount)} from the float beside the wager"
        duty = Cited("7.4.4(a)(ii)", text) if f.table.options.of(CasinoWarOptions).method == "B" else None
        return Choice("5.6", place, ("surrender",), "go-to-war", amount, duty, (f.wager(place, "war"),))

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """6.2; a Go to War wager counts for as much as the wager that it must equal."""
        return stake(f, place, spot, equal_to=stake(f, place, "war").counts if spot == "go-to-war" else None)

    # ---- 5.7 to 5.9, 7.4, 7.6: who wins

    def decided(self, f: Layout) -> list[Line]:
        """Every wager that can be settled now, in the order in which the dealer does it."""
        if not f.complete("initial") or not f.readable():
            return []
        ties = [self.tie(f, p) for p in from_the_right(f.places("tie")) if f.live(p, "tie")]  # 7.4.1
        wars = [line for p in from_the_right(f.places("war")) for line in self.wars(f, p)]  # 7.4.2, 7.6.1
        return ties + wars

    def tie(self, f: Layout, place: str) -> Line:
        at = stake(f, place, "tie")
        if at.back:
            return returned(place, "tie", at, at.back)
        mine, dealers = card(f, place, 0), card(f, DEALER, 0)
        if mine is None:
            return returned(place, "tie", at, "9.4", "void")
        if mine == dealers:
            return win(f, place, "tie", at, ODDS["tie"], "5.9")
        return lose(place, "tie", at, "7.4.1(a)")

    def wars(self, f: Layout, place: str) -> list[Line]:
        if not f.live(place, "war"):
            return []
        at = stake(f, place, "war")
        mine, dealers = card(f, place, 0), card(f, DEALER, 0)
        if at.back:
            return [returned(place, "war", at, at.back)]
        if mine is None or dealers is None:
            return [returned(place, "war", at, "9.4", "void")]
        if mine > dealers:
            return [win(f, place, "war", at, ODDS["war"], "5.7.1")]
        if mine < dealers:
            return [lose(place, "war", at, "5.7.2")]
        if f.choice("", place) == "surrender":
            return [half_back(f, place, "war", at, "5.6")]
        mine, dealers = card(f, place, 1), card(f, DEALER, 1)
        if f.choice("", place) != "go-to-war" or mine is None or dealers is None:
            return []
        more = self.stake(f, place, "go-to-war")
        if mine > dealers:
            return [
                stand_off(place, "war", at, "5.7.4"),
                win(f, place, "go-to-war", more, ODDS["go-to-war"], "5.8.1"),
            ]
        if mine == dealers:
            return [
                win(f, place, "war", at, ODDS["war"], "5.7.3"),
                win(f, place, "go-to-war", more, ODDS["go-to-war"], "5.8.2"),
            ]
        return [lose(place, "war", at, "5.7.5"), lose(place, "go-to-war", more, "5.8.3")]

    # ---- 9: irregularities

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        return None

    def surplus(self, f: Layout) -> Cited:
        """What a card means that left the shoe although none was due."""
        if any(isinstance(q, Choice) for q in f.waiting):
            return Cited("9.8", "a decision is still open: this card is kept as the next one")
        return Cited("9.2", "no card is due: this one is kept as the next card")

    def irregular(self, f: Layout, fact: AnyFact) -> Dialogue:
        match fact:
            case Key("excess" | "stray" | "short" as what, (place, *_)) if not f.began("initial"):
                return only_tell("9.4", f"no card was dealt yet: {what} was noted", place=place)
            case Key("excess", (place, *shown)):
                return self.excess(f, place, bool(shown))
            case Key("void", args):
                return self.void(f, args)
            case Key("reconstruct", args):
                return self.reconstruct(f, args)
            case Key("stray", (place,)):
                return self.stray(f, place)
            case Key("short", (place, *_)):
                return self.short(f, place)
            case Key("order", (word,)):
                return self.order(f, word)
            case Key("count", (n,)):
                return self.count(f, int(n))
            case Key("refuse", (place, spot)):
                return self.refuse(f, place, spot)
            case Key("invalidate", (cause,)):
                rule = "11.3" if cause == "fraud" else "11.4"
                return Ruling(rule, "the outcome is invalid", "void", (End("void", "11.5", reverse=True),))
            case Key("unable", (place,)):  # the document is silent: only the surrender remains
                text = "cannot place the Go to War wager: only the surrender is left"
                return only_tell("5.6", text, role="supervisor", place=place, offers=("surrender",))
            case Key("exposed", (place, *_)):
                return Ruling("7.1", "all cards are dealt face up: the round goes on")
            case Key("taken", (place, *_)):
                return Ruling("7.7.1", "the cards are known and can be put back: the round goes on")
            case Key("keep" | "retract" | "misdeal", _):
                return refuse("9.4", "nothing of that kind is offered now")
            case Key("fold" | "check", _):
                return refuse("5.6", "this game knows war and surrender")
            case Key("surrender", _):
                return refuse("5.6", "only a player whose card equals the dealer's may surrender")
            case Key("announced" | "looked" | "viewed" | "burn", _):
                return only_tell("7.3.1", "this game does not ask for that")
        return refuse("", "this key does not apply now")
        yield ()

    def excess(self, f: Layout, place: str, shown: bool) -> Ruling:
        """9.2: the next card; 9.2.1: discarded when it was shown to a dealer's hand that is complete.

        With one card the hand of a deal is complete (7.3.1(c), 7.5.1(b)): whoever decides about a war sees no more.
        """
        if shown and place == DEALER and f.held and f.complete(latest(f)):
            return Ruling("9.2.1", "the card is discarded", changes=(TakeOut(1, "9.2.1"),))
        return Ruling("9.2", "the card is used as the next one")

    def void(self, f: Layout, args: tuple[str, ...]) -> Ruling:
        if args:
            return refuse("9.3", "this document gives no such ruling for one hand")
        if not f.places():
            cards = TakeOut(len(f.held), "9.3", burned=True)
            return Ruling("9.3", "no wagers: the round is void", "void", (cards, End("void", "9.3")))
        if "shuffler" in f.table.faults:
            return Ruling(
                "9.11", "the round cannot be completed", "void", (End("void", "9.11"),)
            )  # 9.11.1: no reversal
        return refuse("9.3", "there are wagers on the table")

    def reconstruct(self, f: Layout, args: tuple[str, ...]) -> Ruling:
        """9.4: the cards are laid again in their order, or as the supervisor says, over those who do not withdraw."""
        unread, together = not f.readable(), open_group(f)
        if together and args:
            name = "subsequent" if "subsequent" in f.plans else "initial"
            return Ruling("9.4", "laid as seen", "reconstructed", (Ordered(together), Unmark(name, named_cards(args))))
        if not unread:
            if not f.complete("initial"):
                return refuse("9.4", "the initial deal is not complete")
            if any(line.result == "win" for line in f.round.lines):
                return refuse("9.4", "winning wagers were already settled")
            if f.began("subsequent"):
                return refuse("9.4", "the subsequent deal has begun")
        given, deal_name = named_cards(args), latest(f)
        if unread and (not f.round.marks or not given):
            return name_unread(f, args, deal_name, "9.4")
        offer = () if f.round.marks else (Offer(tuple(f.places()), "9.4"),)
        return Ruling("9.4", "the hands are rebuilt", "reconstructed", (*offer, Unmark(deal_name, given)))

    def stray(self, f: Layout, place: str) -> Ruling:
        """A card to an area without a wager: 9.4 in the initial deal, 9.5 in the subsequent one."""
        name = latest(f)
        if place in f.plans.get(name, ()):
            return only_tell("9.4", "this area has a wager in this deal", place=place)
        mark = MarkDeal(Mark(name, "stray", place))
        if name == "subsequent":
            return Ruling("9.5", "its card is discarded", changes=(mark,))
        return self.misplaced(f, place, mark)

    def short(self, f: Layout, place: str) -> Ruling:
        """A place without its card: 9.4 and 9.6 in the initial deal, 9.7 in the subsequent one."""
        name = latest(f)
        if place == DEALER:
            rule = "9.6" if name == "initial" else "7.5.1(b)"
            tell = Tell("dealer", "deal a card to the dealer's position now", rule, DEALER)
            return Ruling(rule, "the dealer gets a card now", changes=(tell,))
        if place not in f.plans.get(name, ()):
            return only_tell("9.4", "no card was due there in this deal", place=place)
        mark = MarkDeal(Mark(name, "short", place))
        if name == "initial":
            return self.misplaced(f, place, mark)
        back = tuple(
            GiveBack(p, "void", "9.7", ("war", "go-to-war"))
            for p in f.places("go-to-war")
            if area_of(p) == area_of(place)
        )
        return Ruling("9.7", "its wagers are void", changes=(mark, *back))

    def misplaced(self, f: Layout, place: str, mark: MarkDeal) -> Ruling:
        """9.4: the hands may be rebuilt; everybody may withdraw before that."""
        tell = Tell("supervisor", "the hands may be rebuilt", "9.4", place, ("reconstruct",))
        offer = Offer(tuple(f.places()), "9.4")
        return Ruling("9.4", "a card was misplaced", ruling="", changes=(mark, tell, offer))

    def order(self, f: Layout, word: str) -> Ruling:
        group = open_group(f)
        if not group:
            return refuse("9.11", "no cards left together")
        if word == "known":
            return Ruling("9.11", "the order is known", changes=(Ordered(group),))
        if f.table.options.of(CasinoWarOptions).shoe == "csm":
            return Ruling("9.11", "the order of the cards is not known", "void", (End("void", "9.11"),))
        return only_tell("9.4", "the hands may be rebuilt", role="supervisor", offers=("reconstruct",))

    def count(self, f: Layout, n: int) -> Ruling:
        full = 52 * f.table.options.of(CasinoWarOptions).decks
        if n == full:
            return Ruling("9.12", f"all {full} cards are there")
        return Ruling(
            "9.12.2",
            f"{n} cards instead of {full}: the round is void",
            "void",
            (End("void", "9.12.2", reverse=True), ShoeVoid("9.12.3")),
        )

    def refuse(self, f: Layout, place: str, spot: str) -> Ruling:
        if f.round.closed == "dealt":
            return refuse("5.14", "the initial deal has begun")
        if not f.live(place, spot):
            return refuse("5.14", "there is no such wager")
        if payable(f, place, spot, ODDS[spot]):
            return refuse("5.14", "a win could be paid exactly in chips")
        back = GiveBack(place, "returned", "5.14", (spot,), withdraw=True)
        return Ruling("5.14", "the wager is refused", changes=(back,))


def card(f: Layout, place: str, n: int) -> int | None:
    """The rank of the n-th card of a place (3.3); bettors on one area share its cards."""
    hand = f.hands.get(place if place == DEALER else place_of(area_of(place)), [])
    return rank(hand[n]) if n < len(hand) else None


def tied(f: Layout) -> list[str]:
    """Who may go to war or surrender."""
    return [
        p
        for p in f.places("war")
        if f.live(p, "war") and not stake(f, p, "war").back and card(f, p, 0) == card(f, DEALER, 0)
    ]


def open_group(f: Layout) -> int:
    """Cards that left together in an order that nobody has told yet; 0 when there are none."""
    return next((q.group for q in f.waiting if isinstance(q, Order)), 0)


def latest(f: Layout) -> str:
    return "subsequent" if f.began("subsequent") else "initial"
