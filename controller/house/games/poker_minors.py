"""Poker Minors (document 002): what its three games have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import UNSET, UnsetType

from controller.house import promotions
from controller.house.common import added, chips_found, unread_places
from controller.house.documents.poker_minors import MinorDocument
from controller.house.game import HouseGame
from controller.house.games.poker_minors_irregular import rule_on
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import Layout, Stake
from controller.house.options import JackpotHouse
from controller.house.rulings import Dialogue
from controller.house.script import Script
from controller.house.step import HouseStep
from controller.house.wagers import returned
from controller.jackpot.rules import Jurisdiction
from controller.money import short
from controller.places import DEALER, JACKPOT
from controller.rules import Cited, Objection
from controller.table.facts import Key
from controller.table.limits import limit_now
from controller.table.options import Method
from controller.table.requests import Choice, Open, Press, Settle
from controller.table.standing import from_the_right
from controller.table.state import Line
from controller.table.step import Step
from controller.table.telling import COMMUNITY
from controller.table.values import Count, Money, MoneyOrNothing, within


class NswOptions(JackpotHouse, frozen=True, kw_only=True):
    """A table of document 002."""

    kind: ClassVar[Jurisdiction] = "nsw"

    seats: Annotated[Count, within(1, 7, "a table has places for seven players or fewer", "2.1")] = 7
    min: Money = 10_00
    method: Annotated[Method, "what a fold leaves alive"] = "A"
    approved_min: Annotated[MoneyOrNothing | UnsetType, "the minimum that was approved; unset: that on the sign"] = (
        UNSET
    )

    @property
    def approved_least(self) -> int:
        """Returns the minimum that was approved (7.2.2); 0 when it is that on the sign."""
        return 0 if self.approved_min is UNSET else self.approved_min

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together."""
        if self.machine and self.same_backs:
            yield self.one_colour("3.1.1")
        if self.approved_min is not UNSET and self.approved_min > self.min:
            yield Objection(("approved-min", "min"), Cited("7.2.2", "the minimum is under the one that was approved"))


class PokerMinor(HouseGame):
    """One deck, at most seven players, one hand each."""

    name: ClassVar[str]
    options: ClassVar[type[NswOptions]] = NswOptions
    spots: ClassVar[tuple[str, ...]]
    opening: ClassVar[tuple[str, ...]]
    required: ClassVar[tuple[str, ...]] = ("ante",)  # without them no cards are dealt
    document: ClassVar[MinorDocument]
    keys: ClassVar = (*HOUSE_KEYS, *promotions.PROMOTION_KEYS)
    sizes: ClassVar[Mapping[str, int]]  # how many cards the dealer, the community and ("") a player get

    def finish(self, s: Step) -> None:
        """Ends what came to its end, and tells of patrons who should have heard of their prizes (15.6)."""
        super().finish(s)
        assert isinstance(s, HouseStep)
        if s.t.claims:
            promotions.overdue(s)

    # ---- what each game says for itself

    @abstractmethod
    def later(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns what a wager made after the deal counts for."""

    @abstractmethod
    def dealt(self, f: Layout) -> bool:
        """Tells whether the initial deal is complete."""

    @abstractmethod
    def folds(self, f: Layout, place: str) -> bool: ...

    @abstractmethod
    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        """Returns the five cards on which a Jackpot wager is judged; None when the hand is not eligible."""

    def ahead(self, f: Layout) -> bool:
        """Tells whether a card lies on a street that is still to come."""
        return False

    def deal_at(self, f: Layout, place: str, n: int) -> tuple[str, int]:
        """Returns in which deal, and as which of its cards there, a place gets its n-th card."""
        return (place if place in f.plans else "hands"), n

    # ---- who is dealt to, who is still in

    def areas(self, f: Layout) -> list[str]:
        """Returns the betting areas with the wagers that a hand needs."""
        return [a for a in f.areas() if all(f.wager(a, spot) for spot in self.required)]

    def staying(self, f: Layout) -> list[str]:
        """Returns the hands that are at stake."""
        return [p for p in self.areas(f) if f.live(p, "ante") and not self.folds(f, p)]

    def misdealt(self, f: Layout) -> list[str]:
        """Returns the hands at stake that have a card too many or too few (13.2)."""
        return [p for p in self.staying(f) if len(f.hands.get(p, ())) != self.sizes[""]]

    def showdown(self, f: Layout) -> bool:
        """Tells whether the dealer's hand is turned; it lies open when the round is over."""
        return bool(self.staying(f)) or f.round.outcome == "settled"

    def looked(self, f: Layout) -> bool:
        """Tells whether the players have looked at their cards: by the key, or with the last card."""
        if f.own.looked:
            return True
        if f.table.options.of(NswOptions).announce == "key":
            return False
        return self.dealt(f)

    def alive(self, f: Layout, place: str) -> bool:
        """Tells whether a hand may win a Jackpot: under Method B a folded one too (1.1)."""
        if f.table.options.of(NswOptions).method == "B":
            return True
        return not self.folds(f, place)

    def needs_board(self, f: Layout) -> bool:
        """Tells whether somebody's result hangs on the cards that are still to come."""
        if self.staying(f):
            return True
        jackpots = [p for p in f.places(JACKPOT) if f.live(p, JACKPOT)]
        return any(self.alive(f, p) for p in jackpots)

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        rule = self.document.citations.dealt_to
        under_way = [p for name in f.plans for p in f.unserved(name)]
        if "hands" in f.plans:
            return under_way, rule
        shared = [place for place, cards in self.sizes.items() if cards and place in (COMMUNITY, DEALER)]
        return under_way + self.areas(f) + [place for place in shared if place not in f.plans], rule

    def surplus(self, f: Layout) -> Cited:
        rule = "13.2.2" if self.looked(f) else "13.2.1"
        return Cited(rule, "a card too many: say where it lies with excess")

    # ---- 7.2: what counts

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns what a wager counts for (7.2); without a valid Ante nothing else of that hand stands."""
        ante = self.limited(f, place, "ante")
        if spot == "ante":
            return ante
        if ante.back:
            return Stake(f.wager(place, spot) or chips_found(f, place, spot), back=ante.back)
        if spot in self.required:  # equal to the Ante
            lies = f.wager(place, spot)
            return Stake(min(lies, ante.counts), max(0, lies - ante.counts))
        if spot in self.opening:
            return self.limited(f, place, spot)
        at = self.later(f, place, spot)
        return Stake(at.counts, at.surplus + added(f, place, spot))  # 13.8.1

    def limited(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns a stake within the limits: under the approved minimum void (7.2.2), else settled (7.2.3, 7.2.5)."""
        amount, limit = f.wager(place, spot), f.own.limits.get(place) or limit_now(f.table, place)
        approved = f.table.options.of(NswOptions).approved_min
        if amount < (limit.least if approved is UNSET else min(approved, limit.least)):
            return Stake(amount, back=self.document.citations.under)
        return Stake(min(amount, limit.most), max(0, amount - limit.most))

    def valid(self, f: Layout, place: str) -> bool:
        return not self.stake(f, place, "ante").back

    def multiple(self, f: Layout, place: str, spot: str, allowed: tuple[int, ...]) -> Stake:
        """Returns as much of a wager as is a whole multiple of the Ante (13.8)."""
        base, made = self.stake(f, place, "ante").counts, f.wager(place, spot)
        if made in [n * base for n in allowed]:
            return Stake(made)
        if made and made % f.wager(place, "ante") == 0:  # of an Ante over the maximum: as often
            counts = made // f.wager(place, "ante") * base
            return Stake(counts, made - counts)
        lies = made or chips_found(f, place, spot)
        fits = max((n * base for n in allowed if n * base <= lies), default=lies)
        return Stake(fits, lies - fits)

    def advise(self, f: Layout, place: str, spot: str, least: int) -> None:
        """Advises the dealer on a wager that is wrong at settlement (13.8)."""
        at, refused, more = self.stake(f, place, spot), chips_found(f, place, spot), added(f, place, spot)
        if not refused and not more:
            return
        if at.surplus:
            f.advise(place, f"{short(at.surplus)} too much lies there: give it back", "13.8.1")
        elif at.counts < least:
            text = f"{short(at.counts)} is settled as it lies: tell the player that {short(least)} is wagered"
            f.advise(place, text, "13.8.2")

    # ---- words of a script

    def no_wagers(self, f: Layout) -> Script:
        """Waits for a misdeal when cards came, but nobody may be dealt to (13.2)."""
        if not self.areas(f):
            yield (Press("13.2.1", "misdeal", "supervisor"),)

    def turn_exposed(self, f: Layout, dealers: str = "13.1") -> None:
        """Turns the cards that everybody has seen: they stay open; `dealers`: the rule for a card of the dealer."""
        for place, n in f.own.exposed:
            f.turn(place, dealers if place == DEALER else "13.1", n)

    def await_choices(self, f: Layout, due: list[Choice], idle: list[Choice]) -> Script:
        """Waits for those who must decide; void hands (7.2.2) may still be played, but nobody waits for them."""
        if due:
            lines = () if self.misdealt(f) else tuple(self.decided(f))
            yield (*due, *idle, Settle("", lines)) if lines else (*due, *idle)

    def end(self, f: Layout, idle: list[Choice], rule: str) -> Script:
        """Waits for rulings on wrong hands and names of unread cards, then for the settlement."""
        if self.misdealt(f):
            yield (Press("13.2.2", "void", "supervisor"),)
        if unread_places(f) and self.staying(f):
            yield (Press("16.12", "reconstruct", "supervisor"),)
        lines = tuple(self.decided(f))
        if lines or f.claims_alone():
            waiting: Open = (*idle, Settle(rule, lines))
            yield waiting

    # ---- lines that all games have

    def void_or(self, f: Layout, line: Line) -> Line:
        """Returns the line, or its return when the wager is void."""
        at = self.stake(f, line.place, line.spot)
        return returned(line.place, line.spot, at, at.back, "void") if at.back else line

    def no_hand(self, f: Layout) -> list[Line]:
        """Returns the wagers on areas to which no cards were due: they go back."""
        areas, out = self.areas(f), []
        for place in from_the_right([p for p in f.places() if p not in areas]):
            for spot in self.opening:
                if f.live(place, spot):
                    out.append(returned(place, spot, Stake(f.wager(place, spot)), self.document.citations.dealt_to))
        return out

    # ---- 13: irregularities

    def irregular(self, f: Layout, fact: Key) -> Dialogue:
        return (yield from rule_on(self, f, fact))

    def up_card(self, f: Layout) -> bool:
        """Tells whether one card of the dealer lies open (13.1.1)."""
        return False
