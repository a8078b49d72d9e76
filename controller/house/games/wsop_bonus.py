"""WSOP Bonus Texas Holdem (document 003), in the order of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Final

from msgspec import UNSET, UnsetType

from controller.hands import Category as C
from controller.house.common import added, spoken_category, unread_places
from controller.house.documents.victoria import WSOP_BONUS
from controller.house.forfeits import FORFEIT
from controller.house.games.alike import HANDS
from controller.house.games.victoria import Victoria, VictoriaOptions
from controller.house.games.victoria_cards import DEALERS, exchange, five, incomplete, latest, street
from controller.house.layout import Layout, Stake
from controller.house.options import House
from controller.house.script import Script, deal, settle, take_wagers
from controller.house.state import CHECK, FLOP, FOLD, RIVER, STREETS, TURN
from controller.house.wagers import lose, returned, stake, stand_off, win
from controller.money import Odds, short
from controller.places import DEALER, JACKPOT
from controller.rules import Cited, Objection
from controller.table.board import Row
from controller.table.requests import Choice, Press, Window
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line
from controller.table.telling import COMMUNITY, Verdict
from controller.table.values import Count, Money, one_of, only

EVEN: Final = Odds(1)  # 8.2, Table 1
TIMES: Final[Mapping[str, int]] = {FLOP: 2, TURN: 1, RIVER: 1}  # 5.5, 7.4.5(a), 7.4.7(a): how many times the Ante
DECIDE: Final = {FLOP: "7.4.3", TURN: "7.4.5(a)", RIVER: "7.4.7(a)"}
DEALT: Final = {FLOP: "7.4.4", TURN: "7.4.6", RIVER: "7.4.8"}
OUTCOMES: Final[Mapping[str, str]] = {FLOP: "5.8", TURN: "5.9", RIVER: "5.10"}
NO_DECISION: Final[Mapping[str, str]] = {HANDS: "7.4.1", FLOP: "7.4.5"}  # 7.4.7 from the Turn on
ANTE_PAYS: Final = {"flush": C.FLUSH, "straight": C.STRAIGHT}  # 5.7.1: the option in play


class WsopOptions(VictoriaOptions, frozen=True, kw_only=True):
    """A WSOP Bonus table."""

    max_payout: Annotated[Money | UnsetType | None, only(None, says="the odds have no maximum payout", rule="8.2")] = (
        UNSET
    )
    ante_pays: Annotated[str, one_of(ANTE_PAYS), "from which hand the Ante pays"] = "flush"
    action_button: Annotated[Count | None, "where the deal begins"] = None

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together."""
        if self.action_button is not None and self.action_button > self.seats:
            text = "the action button lies at one of the places"
            yield Objection(("action-button", "seats"), Cited("7.3.2", text))
        yield from super().objections(house)


class WsopBonus(Victoria):
    """Two cards each against the dealer's two, with five between them."""

    name = "wsop-bonus-holdem"
    title = "WSOP Bonus Texas Hold'em"
    decides = ("fold", "check")
    keys: ClassVar = (*Victoria.keys, FORFEIT)
    options: ClassVar = WsopOptions
    spots = ("ante", *STREETS)
    opening = ("ante",)  # 5.4
    document = WSOP_BONUS
    odds: ClassVar = {
        "ante": Edge(
            "controller.odds.wsop_bonus:ante", "with Flop, Turn and River", ("flop", "turn", "river"), ("ante-pays",), 5
        )
    }

    # ---- 5.4, 7: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="5.4")
        if not f.places("ante"):
            yield (Press("11.5", "misdeal", "supervisor"),)
        button = int(f.own.button or 1)  # 7.3.2
        yield from deal(f, HANDS, f.areas("ante"), rule="7.3.1", cards=2, up=False, first=button)
        exchange(f)
        open_: list[Choice] = []
        for name, cards in ((FLOP, 3), (TURN, 1), (RIVER, 1)):
            open_ += [self.offer(f, p, name) for p in undecided(f, name)]
            yield from street(f, name, cards, rule=DEALT[name], open_=open_, needed=go_on(f, open_, name))
        yield from street(f, DEALERS, 2, rule="7.4.9", place=DEALER, open_=open_, needed=go_on(f, open_, DEALERS))
        if unasked(f):
            yield tuple(open_)  # 11.8: all cards are out
        if incomplete(f, staying(f)):
            yield (Press("11.2", "misdeal", "area-manager"),)
        if unread(f):
            yield (Press("14.10", "reconstruct", "supervisor"),)
        for waiting in settle(f, rule="8.1"):
            yield (*waiting, *open_)  # whoever says nothing more has checked

    def offer(self, f: Layout, place: str, name: Window) -> Choice:
        """Returns a choice: twice the Ante or fold (7.4.1 to 7.4.3), then the Ante or check (7.4.5, 7.4.7)."""
        ante, times = self.stake(f, place, "ante").counts, TIMES[name]
        word = FOLD if name == FLOP else CHECK
        return Choice(DECIDE[name], place, (word,), name, times * ante, None, (times * f.wager(place, "ante"),), name)

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns what a wager counts for (6.2): a later one for its multiple of the Ante (11.11 for what is found)."""
        ante = stake(f, place, "ante")
        if spot == "ante":
            return ante
        due, lies = TIMES[spot] * ante.counts, wagered(f, place, spot)
        return Stake(min(lies, due), max(0, lies - due) + added(f, place, spot), ante.back)

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        if not f.complete(HANDS):
            return (f.unserved(HANDS) if HANDS in f.plans else f.areas("ante")), "7.3.1"
        for name in STREETS:
            if not f.complete(name):
                return [name, COMMUNITY], DEALT[name]
        return ([] if f.complete(DEALERS) else [DEALER]), "7.4.9"

    # ---- 5.7 to 5.10, 8.1: who wins

    def on_sign(self, options: House) -> Iterator[Row]:
        """Yields from which hand the Ante pays (5.7.1: the option in play)."""
        assert isinstance(options, WsopOptions)
        yield "Ante pays", f"from a {options.ante_pays}"

    def dealer(self, f: Layout) -> Verdict | None:
        """Returns what the dealer's hand is worth: every hand counts."""
        if not f.complete(DEALERS) or unread_places(f):
            return None
        return Verdict(spoken_category(five(f, DEALER)), True, "7.4.9")

    def decided(self, f: Layout) -> list[Line]:
        """Returns folded Antes first, which were collected, then hand by hand from the dealer's right."""
        right = from_the_right(f.places("ante"))
        folded = [line for p in right if f.choice(FLOP, p) == FOLD for line in self.folded(f, p)]
        return folded + [line for p in from_the_right(staying(f)) for line in self.compared(f, p)]

    def folded(self, f: Layout, place: str) -> list[Line]:
        """Returns the line of who folded: the Ante is collected (5.7.2(a), 7.4.2(b))."""
        if not f.live(place, "ante"):
            return []
        at = self.stake(f, place, "ante")
        return [returned(place, "ante", at, at.back) if at.back else lose(place, "ante", at, "5.7.2(a)")]

    def compared(self, f: Layout, place: str) -> list[Line]:
        """Returns the lines of a hand: a winner's later wagers come before the Ante, a loser's after it (8.1.2)."""
        later = [spot for spot in STREETS if wagered(f, place, spot)]
        ante = self.ante(f, place)
        rest = [self.later_line(f, place, spot) for spot in later]
        won = five(f, place) > five(f, DEALER)
        return [*rest, ante] if won else [ante, *rest]

    def ante(self, f: Layout, place: str) -> Line:
        at = self.stake(f, place, "ante")
        if at.back:
            return returned(place, "ante", at, at.back)
        players, dealers = five(f, place), five(f, DEALER)
        if players < dealers:
            return lose(place, "ante", at, "5.7.2(b)")
        if players == dealers:
            return stand_off(place, "ante", at, "5.7.3(a)")
        if players.category >= ANTE_PAYS[f.table.options.of(WsopOptions).ante_pays]:
            return win(f, place, "ante", at, EVEN, "5.7.1")
        return stand_off(place, "ante", at, "5.7.3(b)")

    def later_line(self, f: Layout, place: str, spot: str) -> Line:
        at, rule = self.stake(f, place, spot), OUTCOMES[spot]
        if at.back:
            return returned(place, spot, at, at.back)
        irregular = self.found_at_settlement(f, place, spot, at)
        players, dealers = five(f, place), five(f, DEALER)
        if players > dealers:
            return win(f, place, spot, at, EVEN, irregular or f"{rule}.1")
        if players < dealers:
            return lose(place, spot, at, irregular or f"{rule}.2")
        return stand_off(place, spot, at, irregular or f"{rule}.3")

    def found_at_settlement(self, f: Layout, place: str, spot: str, at: Stake) -> str:
        """Returns the rule on a wrong wager and advises the dealer (11.11); "" when it is as it must be."""
        due = TIMES[spot] * self.stake(f, place, "ante").counts
        accepted = f.live(place, spot) or at == Stake(due)
        if accepted and not added(f, place, spot):
            return ""
        if at.surplus:
            f.advise(place, f"return {short(at.surplus)}: the {spot} wager is more than it may be", "11.11.1")
            return "11.11.1"
        f.advise(place, f"tell the player: the {spot} wager had to be {short(due)}", "11.11.2")
        return "11.11.2"

    # ---- 11: what differs here

    def no_decision(self, f: Layout) -> str:
        return NO_DECISION.get(latest(f), "7.4.7")

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        """Returns two hole cards and the Flop of whoever placed the Flop wager; None: the Jackpot is lost (5.11)."""
        if place not in (*staying(f), *claiming(f)):
            return None
        cards = f.hands.get(place, []) + f.hands.get(COMMUNITY, [])[:3]
        return cards if len(cards) == 5 else None


def wagered(f: Layout, place: str, spot: str) -> int:
    """Returns the chips on a spot: accepted, or found there although they were refused (11.11)."""
    if amount := f.wager(place, spot):
        return amount
    return 0 if (spot, place) in f.own.choices else f.own.sensed.get((place, spot), 0)


def staying(f: Layout) -> list[str]:
    """Returns who has the Ante at stake and a wager on the Flop."""
    return [p for p in f.places("ante") if f.live(p, "ante") and wagered(f, p, FLOP)]


def claiming(f: Layout) -> list[str]:
    """Returns who has forfeited wagers after one on the Flop: the Jackpot wager is still judged (5.11, 7.4.1(a))."""
    return [p for p in f.own.forfeited if f.wager(p, FLOP) and f.live(p, JACKPOT)]


def go_on(f: Layout, open_: Sequence[Choice], name: str) -> bool:
    """Tells whether these cards are needed: not when everybody has folded, but the Flop for Jackpot wagers alone."""
    claims = claiming(f) if name == FLOP else []
    return bool(open_ or staying(f) or claims)


def unread(f: Layout) -> list[str]:
    """Returns the places with cards that could not be read and decide something."""
    return [p for p in unread_places(f) if p in (*staying(f), COMMUNITY, DEALER)]


def unasked(f: Layout) -> list[str]:
    """Returns who has not decided about the Flop, and has nothing lying there."""
    return [p for p in undecided(f, FLOP) if not wagered(f, p, FLOP)]


def undecided(f: Layout, name: Window) -> list[str]:
    """Returns who may still decide about this wager."""
    may = f.places("ante") if name == FLOP else staying(f)
    return [p for p in may if f.live(p, "ante") and not f.choice(name, p)]
