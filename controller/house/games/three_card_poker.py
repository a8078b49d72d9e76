"""Three Card Poker (document 001), in the order of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Final

from msgspec import UNSET, UnsetType

from controller.hands.categories import ThreeCategory as C
from controller.hands.three import QUEEN_HIGH, best_three
from controller.house.common import added, chips_found, is_machine, spoken_category, unread_places
from controller.house.documents.three_card import THREE_CARD
from controller.house.forfeits import FORFEIT
from controller.house.game import HouseGame
from controller.house.games.alike import HANDS
from controller.house.games.three_card_poker_hands import (
    bonus_due,
    folds,
    given_up,
    hand,
    incomplete,
    no_hand,
    ready,
    undecided,
    unread,
)
from controller.house.games.three_card_poker_irregular import OPENING, announced, rule_on
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import Layout, Stake
from controller.house.notice_board import odds
from controller.house.options import House
from controller.house.pays import Pays, Ranked, by_hand
from controller.house.rulings import Dialogue
from controller.house.script import Script, choose, deal, paying, settle, take_wagers, with_dealer
from controller.house.state import FOLD, FOLD_ANTE
from controller.house.wagers import lose, returned, stake, stand_off, win
from controller.money import Odds, short
from controller.places import DEALER
from controller.rules import Cited, Objection
from controller.table.board import Row
from controller.table.facts import Key
from controller.table.options import Chosen, Shoe
from controller.table.requests import Choice, Press
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line
from controller.table.telling import Verdict
from controller.table.values import Count, Money, Switch, never, one_of, only, within

EVEN: Final = Odds(1)  # 8.1: Ante and Play
ANTE_BONUS: Final = {  # 8.1, Table 1
    "A": {C.STRAIGHT_FLUSH: Odds(5), C.THREE_OF_A_KIND: Odds(4), C.STRAIGHT: Odds(1)},
    "B": {C.STRAIGHT_FLUSH: Odds(5), C.THREE_OF_A_KIND: Odds(3), C.STRAIGHT: Odds(1)},
    "C": {C.STRAIGHT_FLUSH: Odds(4), C.THREE_OF_A_KIND: Odds(3), C.STRAIGHT: Odds(1)},
}
PAIR_PLUS: Final = {
    name: dict(zip((C.STRAIGHT_FLUSH, C.THREE_OF_A_KIND, C.STRAIGHT, C.FLUSH, C.PAIR), map(Odds, row), strict=True))
    for name, row in {
        "A": (40, 30, 6, 4, 1),
        "B": (40, 25, 6, 4, 1),
        "C": (40, 30, 5, 4, 1),
        "D": (40, 30, 6, 3, 1),
        "E": (35, 25, 6, 4, 1),
        "F": (35, 33, 6, 4, 1),
    }.items()
}


class ThreeCardOptions(House, frozen=True, kw_only=True):
    """A Three Card Poker table."""

    seats: Annotated[Count, within(1, 9, "a table has places for nine players or fewer", "2.1")] = 9
    shoe: Annotated[
        Shoe,
        only(
            *("hand", "shuffler"), says="cards come from a hand shoe or a single deck shuffling shoe", rule="2.3"
        ),  # 7.1
    ] = "hand"
    max_payout: Annotated[Money | UnsetType | None, never("the odds have no maximum payout", "8.1")] = UNSET
    tray: Annotated[Switch, "with a machine: the dealer's set stays in the tray until the decisions are made"] = False
    ante_bonus: Annotated[str, one_of(ANTE_BONUS), "pay table of the Ante Bonus"] = "A"
    pair_plus: Annotated[str, one_of(PAIR_PLUS), "pay table of Pair Plus"] = "A"

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together."""
        if self.shoe == "shuffler" and self.same_backs:
            yield self.one_colour("3.1.1(b)")
        if self.shoe == "hand" and self.tray:
            yield Objection(("tray", "shoe"), Cited("7.4.2(a)", "only a single deck shuffling shoe has a tray"))


def _options(f: Layout) -> ThreeCardOptions:
    return f.table.options.of(ThreeCardOptions)


class ThreeCardPoker(HouseGame):
    """Three cards each: against the dealer (Ante, Play), and by themselves (Pair Plus)."""

    name = "three-card-poker"
    title = "Three Card Poker"
    decides = ("fold",)
    shared = ("dealer",)
    options: ClassVar = ThreeCardOptions
    spots = ("ante", "play", "ante-bonus", "pair-plus")
    without_chips = ("ante-bonus",)  # paid on the Ante
    seen_folded: ClassVar = {FOLD: ("ante-bonus",), FOLD_ANTE: ("pair-plus",)}  # 9.6.2(b), 7.5.2(b)
    opening = OPENING  # 5.5
    required = ("ante",)
    document = THREE_CARD
    odds: ClassVar = {
        "ante": Edge(
            "controller.odds.three_card_poker:ante",
            "with Play and Ante Bonus",
            ("play", "ante-bonus"),
            ("ante-bonus",),
            2,
        ),
        "pair-plus": Edge("controller.odds.three_card_poker:pair_plus", "by itself", by=("pair-plus",), units=1),
    }
    keys = (*HOUSE_KEYS, FORFEIT)

    # ---- 5.5, 7: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="5.5")
        if not f.places():
            yield (Press("9.7", "misdeal", "supervisor"),)
        yield from self.deal_hands(f)
        yield from paying(f, choose(f, lambda: self.offers(f)))  # 7.5.2
        if uses_tray(f):
            yield from paying(f, deal(f, DEALER, [DEALER], rule="7.4.2(a)", cards=3, sets=True, up=False))
        if incomplete(f):
            yield (Press("9.4", "misdeal", "supervisor"),)
        if unread(f):
            yield (Press("11.10", "reconstruct", "supervisor"),)
        f.turn(DEALER, "7.5.4")
        yield from settle(f, rule="5.10")

    def deal_hands(self, f: Layout) -> Script:
        """Deals by hand (7.3) or machine (7.4); who was told to decide may do so although a card is missing (9.5)."""
        players = f.areas(*self.opening)
        places = players if uses_tray(f) else with_dealer(players)
        rule = "7.4" if is_machine(f) else "7.3"
        for waiting in deal(f, HANDS, places, rule=rule, cards=3, sets=is_machine(f), up=False):
            yield (*waiting, *self.offers(f)) if f.own.announced else waiting

    def offers(self, f: Layout) -> list[Choice]:
        """Returns the decisions that are open."""
        return [self.offer(f, p) for p in undecided(f)]

    def offer(self, f: Layout, place: str) -> Choice:
        """Returns the choice of a place: Play with a wager equal to the Ante, fold, or fold the Ante alone (7.5.2)."""
        ante = self.stake(f, place, "ante").counts
        words = (FOLD, FOLD_ANTE) if f.live(place, "pair-plus") else (FOLD,)
        return Choice("7.5.2", place, words, "play", ante, None, (f.wager(place, "ante"),))

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns what a wager counts for (6.2): Play for as much as the Ante (9.12 for what is found there)."""
        if spot != "play":
            return stake(f, place, spot)
        ante = stake(f, place, "ante").counts
        lies = f.wager(place, "play") or chips_found(f, place, "play")
        return Stake(min(lies, ante), max(0, lies - ante) + added(f, place, "play"))

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        if HANDS not in f.plans:
            return with_dealer(f.areas(*self.opening)), "7.3.1"
        from_tray = f.unserved(DEALER) if DEALER in f.plans else []
        return f.unserved(HANDS) + from_tray, "7.3.1"

    def surplus(self, f: Layout) -> Cited:
        rule = "9.5" if announced(f) else "9.4"
        return Cited(rule, "a card too many: say where it lies with excess")

    # ---- 5.10: the dealer's hand, and the order of settlement

    def dealer(self, f: Layout) -> Verdict | None:
        hidden = DEALER in f.down
        if hidden and not no_hand(f):
            return None
        return self.verdict(f)

    def on_sign(self, options: House) -> Iterator[Row]:
        """Yields the odds that were chosen when the table opened, or since (8.2(a))."""
        assert isinstance(options, ThreeCardOptions)
        yield f"Ante Bonus {options.ante_bonus}", odds(ANTE_BONUS[options.ante_bonus])
        yield f"Pair Plus {options.pair_plus}", odds(PAIR_PLUS[options.pair_plus])

    def pays(self, options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
        """Returns the odds (8.1): Ante Bonus and Pair Plus by the hand and the table chosen, else even money."""
        chosen = options.of(ThreeCardOptions)
        match spot:
            case "ante-bonus":
                return by_hand(ANTE_BONUS[chosen.ante_bonus], hand, chosen.ante_bonus)
            case "pair-plus":
                return by_hand(PAIR_PLUS[chosen.pair_plus], hand, chosen.pair_plus)
        return Pays(EVEN)

    def verdict(self, f: Layout) -> Verdict | None:
        """Returns what the dealer's hand will be worth when it is turned."""
        if rule := no_hand(f):
            return Verdict("no hand", False, rule)
        cards = f.hands.get(DEALER, [])
        if len(cards) != 3 or DEALER in unread_places(f):
            return None
        dealers = best_three(cards)
        qualifies = dealers >= QUEEN_HIGH
        return Verdict(spoken_category(dealers), qualifies, "5.10.2" if qualifies else "5.10.1")

    def decided(self, f: Layout) -> list[Line]:
        """Returns the lines of every wager once everybody has decided; folded wagers were collected first."""
        if not ready(f):
            return []
        verdict = self.verdict(f)
        right = from_the_right(f.places())
        folded = [line for p in right if folds(f, p) for line in self.folded(f, p)]
        if verdict is not None and verdict.qualifies:  # 5.10.2: hand by hand
            hands = [(*self.antes(f, p, True), *self.extras(f, p, True)) for p in right]
            return folded + [line for hand in hands for line in hand]
        hands = [(*self.extras(f, p, False), *self.antes(f, p, False)) for p in right]
        lines = [line for hand in hands for line in hand]
        antes = [line for line in lines if line.spot == "ante"]  # 5.10.1(a)
        rest = [line for line in lines if line.spot != "ante"]
        return folded + antes + rest

    # ---- 5.6, 5.8: Ante and Play

    def folded(self, f: Layout, place: str) -> list[Line]:
        """Returns what a folded hand loses: the Ante, and Pair Plus unless it was kept (7.5.2)."""
        out = []
        if f.live(place, "ante") and not no_hand(f):
            out.append(self.lost(f, place, "ante", "5.6.2(a)"))
        if f.live(place, "pair-plus") and given_up(f, place):
            out.append(self.lost(f, place, "pair-plus", "7.5.2(a)(i)"))
        return out

    def lost(self, f: Layout, place: str, spot: str, rule: str) -> Line:
        """Returns the line of a wager of a folded hand; one that does not count goes back (6.2)."""
        at = self.stake(f, place, spot)
        return returned(place, spot, at, at.back) if at.back else lose(place, spot, at, rule)

    def antes(self, f: Layout, place: str, qualifies: bool) -> list[Line]:
        """Returns Ante and Play of a hand that is compared with the dealer's."""
        if not f.live(place, "ante"):
            return []
        ante, play = self.stake(f, place, "ante"), self.stake(f, place, "play")
        if no_hand(f):  # 9.6.2(a): a folded Ante is reinstated too
            won = win(f, place, "ante", ante, EVEN, "9.6.2(a)")
            return [won, void(place, play)] if play.counts else [won]
        if folds(f, place):
            return []
        if ante.back:
            return [returned(place, "ante", ante, ante.back), returned(place, "play", play, ante.back)]
        irregular = self.found_at_settlement(f, place, ante, play)
        if not qualifies:
            return [win(f, place, "ante", ante, EVEN, "5.6.1(a)"), void(place, play)]
        players, dealers = hand(f, place), best_three(f.hands[DEALER])
        if players > dealers:
            won = win(f, place, "ante", ante, EVEN, "5.6.1(b)")
            return [won, win(f, place, "play", play, EVEN, irregular or "5.8.1")]
        if players < dealers:
            return [lose(place, "ante", ante, "5.6.2(b)"), lose(place, "play", play, irregular or "5.8.2")]
        return [stand_off(place, "ante", ante, "5.6.3"), stand_off(place, "play", play, irregular or "5.8.3")]

    def found_at_settlement(self, f: Layout, place: str, ante: Stake, play: Stake) -> str:
        """Returns the rule on a wrong Play wager and advises the dealer (9.12); "" when it is as it must be."""
        accepted = f.live(place, "play") or play == Stake(ante.counts)
        if accepted and not added(f, place, "play"):
            return ""
        if play.surplus:
            f.advise(place, f"return {short(play.surplus)}: the Play wager is more than the Ante", "9.12.1")
            return "9.12.1"
        f.advise(place, f"tell the player: the Play wager had to be {short(ante.counts)}", "9.12.2")
        return "9.12.2"

    # ---- 5.7, 5.10: a hand by itself, whatever the dealer has

    def extras(self, f: Layout, place: str, qualifies: bool) -> list[Line]:
        return [*self.bonus(f, place, qualifies), *self.pair_plus(f, place)]

    def bonus(self, f: Layout, place: str, qualifies: bool) -> list[Line]:
        """Returns the Ante Bonus of a hand that was played (5.10.1(b)(ii), 5.10.2(d)); of every hand by 9.6.2(b)."""
        if not f.live(place, "ante") or not bonus_due(f, place):
            return []
        ante = self.stake(f, place, "ante")
        if ante.back:
            return []
        paid = self.pays(f.table.options, "ante-bonus", hand(f, place))
        if paid is None:
            return []
        rule = "5.10.2(d)" if qualifies else "5.10.1(b)(ii)"
        return [win(f, place, "ante-bonus", Stake(ante.counts), paid.odds, "9.6.2(b)" if no_hand(f) else rule)]

    def pair_plus(self, f: Layout, place: str) -> list[Line]:
        """Returns the line of Pair Plus (5.7), also without a dealer's hand (9.6.2(c))."""
        if not f.live(place, "pair-plus") or given_up(f, place):
            return []
        at = self.stake(f, place, "pair-plus")
        if at.back:
            return [returned(place, "pair-plus", at, at.back)]
        paid = self.pays(f.table.options, "pair-plus", hand(f, place))
        if paid is None:
            return [lose(place, "pair-plus", at, "5.7.2")]
        return [win(f, place, "pair-plus", at, paid.odds, "9.6.2(c)" if no_hand(f) else "5.7.1")]

    # ---- 9: irregularities

    def irregular(self, f: Layout, fact: Key) -> Dialogue:
        return rule_on(f, fact)


def uses_tray(f: Layout) -> bool:
    """Tells whether the dealer's set stays in the machine until the players have decided (7.4.2(a))."""
    return _options(f).tray and is_machine(f)


def void(place: str, play: Stake) -> Line:
    """Returns the line of a Play wager without a result: there is no dealer's hand (5.8.4)."""
    return Line(place, "play", play.counts, "void", 0, "5.8.4", play.surplus)
