"""Caribbean Stud Poker (document 002, rule 8), in the order of its rules."""

from __future__ import annotations

from typing import ClassVar, Final

from controller.hands import Category as C
from controller.hands import Hand, best
from controller.house.common import capped, chips_found, is_machine, spoken_category, unread_places
from controller.house.documents.poker_minors import CARIBBEAN_STUD
from controller.house.forfeits import FORFEIT
from controller.house.games.poker_minors import PokerMinor
from controller.house.layout import Layout, Stake
from controller.house.pays import EVEN_MONEY, Pays, Ranked, by_hand
from controller.house.script import Script, deal, deal_late, take_wagers, with_dealer
from controller.house.state import FOLD, FOLDED, ONLY, UNABLE
from controller.house.wagers import lose, returned, stand_off, win
from controller.money import Odds
from controller.places import DEALER
from controller.table.options import Chosen
from controller.table.requests import Choice
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line
from controller.table.telling import Verdict

QUALIFIES: Final = Hand.of(C.HIGH_CARD, "AK")  # 8.2
ANTE: Final = Odds(1)  # 8.6.2, Table 1
BET: Final = {
    C.HIGH_CARD: Odds(1),
    C.PAIR: Odds(1),
    C.TWO_PAIR: Odds(2),
    C.THREE_OF_A_KIND: Odds(3),
    C.STRAIGHT: Odds(4),
    C.FLUSH: Odds(5),
    C.FULL_HOUSE: Odds(7),
    C.FOUR_OF_A_KIND: Odds(20),
    C.STRAIGHT_FLUSH: Odds(50),
    C.ROYAL_FLUSH: Odds(250),
}


class CaribbeanStud(PokerMinor):
    """Five cards each against the dealer, one of whose cards lies open."""

    name = "caribbean-stud"
    title = "Caribbean Stud"
    decides = ("fold",)
    keys: ClassVar = (*PokerMinor.keys, FORFEIT)
    shared = ("dealer",)
    spots = ("ante", "bet")
    opening = ("ante",)  # 8.4.1(a)
    sizes: ClassVar = {DEALER: 5, "": 5}
    document = CARIBBEAN_STUD
    odds: ClassVar = {
        "ante": Edge("controller.odds.caribbean_stud:ante", "with Bet, knowing the up card", ("bet",), units=3)
    }

    # ---- 8.4, 8.5: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="8.4.1(a)")
        yield from self.no_wagers(f)
        places, sets = with_dealer(self.areas(f)), is_machine(f)
        self.turn_exposed(f, dealers="13.1.1")
        yield from deal(f, "hands", places, rule="8.5.4" if sets else "8.5.3", cards=5, sets=sets, up=False)
        yield from deal_late(f, "late", "hands", rule="13.3.1")
        if not f.own.up_card:
            f.turn(DEALER, "8.5.4(b)" if sets else "8.5.3(c)", 5)
        undecided = [p for p in self.areas(f) if f.live(p, "ante") and not f.choice(ONLY, p)]
        due = [self.offer(f, p) for p in undecided if self.valid(f, p)]
        idle = [self.offer(f, p) for p in undecided if not self.valid(f, p)]
        yield from self.await_choices(f, due, idle)  # 8.5.5
        if self.showdown(f):
            f.turn(DEALER, "8.5.5(d)")
        yield from self.end(f, idle, "8.6.1")

    def offer(self, f: Layout, place: str) -> Choice:
        """Returns the choice of a place: twice the Ante, or fold (8.4.1(b))."""
        amounts = (2 * self.stake(f, place, "ante").counts, 2 * f.wager(place, "ante"))
        return Choice("8.4.1(b)", place, (FOLD,), "bet", amounts[0], None, amounts)

    def later(self, f: Layout, place: str, spot: str) -> Stake:
        return self.multiple(f, place, spot, (2,))

    def dealt(self, f: Layout) -> bool:
        return f.complete("hands") and f.complete_so_far

    def folds(self, f: Layout, place: str) -> bool:
        return f.choice(ONLY, place) in FOLDED

    def up_card(self, f: Layout) -> bool:
        return True

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        return f.hands.get(place) if self.alive(f, place) else None  # 8.4.3

    # ---- 8.2, 8.4, 8.6: who wins

    def dealer(self, f: Layout) -> Verdict | None:
        if DEALER in f.down or not readable(f):
            return None
        hand = best(f.hands[DEALER])
        return Verdict(spoken_category(hand), hand >= QUALIFIES, "8.2")

    def pays(self, options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
        """Returns the odds: of the Bet by the hand, of the Ante even money (8.6.2)."""
        return by_hand(BET, hand, "1") if spot == "bet" else EVEN_MONEY

    def decided(self, f: Layout) -> list[Line]:
        """Returns the lines of every wager once everybody has decided; folded Antes were collected first."""
        if not self.ready(f):
            return []
        antes = [p for p in from_the_right(f.places()) if f.live(p, "ante")]
        folded = [self.folded(f, p) for p in antes if self.folds(f, p)]
        right = from_the_right(self.staying(f))
        if not right:
            return folded + self.no_hand(f)
        return folded + self.against_dealer(f, right) + self.no_hand(f)

    def ready(self, f: Layout) -> bool:
        """Tells whether everybody has decided, and the cards lie there that decide something."""
        staying = self.staying(f)
        if not staying:
            return True
        undecided = [p for p in staying if self.valid(f, p) and not f.choice(ONLY, p)]
        return readable(f) and all(chips_found(f, p, "bet") for p in undecided)

    def against_dealer(self, f: Layout, right: list[str]) -> list[Line]:
        """Returns the lines of the hands that were not folded (8.6.1)."""
        for p in right:
            self.advise(f, p, "bet", 2 * self.stake(f, p, "ante").counts)
        if best(f.hands[DEALER]) < QUALIFIES:  # 8.6.1(a): all Antes, then the Bets
            antes = [self.void_or(f, self.unqualified(f, p, "ante")) for p in right]
            bets = [self.void_or(f, self.unqualified(f, p, "bet")) for p in right if self.bets(f, p)]
            return antes + bets
        return [self.void_or(f, line) for p in right for line in self.compared(f, p)]  # 8.6.1(b): hand by hand

    def bets(self, f: Layout, place: str) -> bool:
        return f.live(place, "bet") or bool(chips_found(f, place, "bet"))

    def folded(self, f: Layout, place: str) -> Line:
        rule = "13.7" if f.choice(ONLY, place) == UNABLE else "8.4.2(b)(i)"
        return self.void_or(f, lose(place, "ante", self.stake(f, place, "ante"), rule))

    def unqualified(self, f: Layout, place: str, spot: str) -> Line:
        at = self.stake(f, place, spot)
        if spot == "ante":
            return win(f, place, spot, at, ANTE, "8.4.2(a)(i)")
        return returned(place, spot, at, "8.4.4(d)")

    def compared(self, f: Layout, place: str) -> list[Line]:
        """Returns Ante and Bet against the dealer's qualifying hand (8.6.1(b))."""
        ante, bet = self.stake(f, place, "ante"), self.stake(f, place, "bet")
        players, dealers = best(f.hands[place]), best(f.hands[DEALER])
        if players > dealers:
            paid = capped(f, win(f, place, "bet", bet, BET[players.category], "8.4.4(a)"))
            out = [win(f, place, "ante", ante, ANTE, "8.4.2(a)(ii)"), paid]
        elif players < dealers:
            out = [lose(place, "ante", ante, "8.4.2(b)(ii)"), lose(place, "bet", bet, "8.4.4(b)")]
        else:
            out = [stand_off(place, "ante", ante, "8.4.2(c)"), stand_off(place, "bet", bet, "8.4.4(c)")]
        return out if self.bets(f, place) else out[:1]


def readable(f: Layout) -> bool:
    """Tells whether the dealer has five cards and every card could be read."""
    return len(f.hands.get(DEALER, [])) == 5 and not unread_places(f)
