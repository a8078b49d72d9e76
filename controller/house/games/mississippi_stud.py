"""Mississippi Stud Poker (document 002, rule 9), in the order of its rules."""

from __future__ import annotations

from typing import ClassVar, Final

from controller.hands import Category as C
from controller.hands import Hand, best
from controller.house.common import capped, chips_found, is_machine, unread_places
from controller.house.documents.poker_minors import MISSISSIPPI_STUD
from controller.house.forfeits import FORFEIT
from controller.house.games.poker_minors import PokerMinor
from controller.house.layout import Layout, Stake
from controller.house.pays import Pays, Ranked, by_hand
from controller.house.script import Script, deal, deal_late, take_wagers
from controller.house.state import FOLD, FOLDED, UNABLE
from controller.house.wagers import lose, stand_off, win
from controller.money import Odds
from controller.table.options import Chosen
from controller.table.requests import Choice, Open, Window
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line
from controller.table.telling import COMMUNITY, Verdict

STREETS: Final = (Window("third"), Window("fourth"), Window("fifth"))  # 9.2
TURNED: Final = dict(zip(STREETS, ("9.6.1(d)", "9.6.1(e)", "9.6.1(f)"), strict=True))
MULTIPLES: Final = (1, 2, 3)  # 9.4.2: whole ones
SIXES: Final = Hand.of(C.PAIR, "6")
JACKS: Final = Hand.of(C.PAIR, "J")
ODDS: Final = {  # 9.7.2, Table 2
    C.PAIR: Odds(1),
    C.TWO_PAIR: Odds(2),
    C.THREE_OF_A_KIND: Odds(3),
    C.STRAIGHT: Odds(4),
    C.FLUSH: Odds(6),
    C.FULL_HOUSE: Odds(10),
    C.FOUR_OF_A_KIND: Odds(40),
    C.STRAIGHT_FLUSH: Odds(100),
    C.ROYAL_FLUSH: Odds(500),
}
FOLDS: Final = {"third": "9.4.3(c)(i)", "fourth": "9.6.1(d)(ii)", "fifth": "9.6.1(e)(ii)"}  # what collects the Streets


class MississippiStud(PokerMinor):
    """Two cards each and three for everybody, against a pay table."""

    name = "mississippi-stud"
    title = "Mississippi Stud"
    decides = ("fold",)
    keys: ClassVar = (*PokerMinor.keys, FORFEIT)
    shared = ("community",)
    spots = ("ante", *STREETS)
    opening = ("ante",)  # 9.4.1
    sizes: ClassVar = {COMMUNITY: 3, "dealer": 0, "": 2}
    document = MISSISSIPPI_STUD
    odds: ClassVar = {
        "ante": Edge(
            "controller.odds.mississippi_stud:ante",
            "with 3rd, 4th and 5th Street",
            ("third", "fourth", "fifth"),
            units=10,
        )
    }

    # ---- 9.4 to 9.6: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="9.4.1")
        yield from self.no_wagers(f)
        self.turn_exposed(f)
        if is_machine(f):  # 9.6(b): the first card dispensed lies lowest, on 3rd Street
            yield from deal(f, COMMUNITY, [COMMUNITY], rule="9.6(b)(i)", cards=3, up=False)
            yield from deal(f, "hands", self.areas(f), rule="9.6(b)(ii)", cards=2, sets=True, up=False)
            yield from deal_late(f, "late", COMMUNITY, rule="13.3.1")
            yield from self.streets(f, ())
        else:  # 9.6(a); the community cards come after the hole cards, at the latest when they are turned
            yield from deal(f, "hands", self.areas(f), rule="9.6(a)(i)", cards=2, up=False)
            yield from self.streets(f, next(self.board(f), ()))
        yield from self.end(f, self.idle(f), "9.7.1")

    def board(self, f: Layout) -> Script:
        kept = next((n for n, drawn in enumerate(f.held) if drawn.kept), 3)  # 13.3.1: it comes when its street does
        cards = min(3, max(kept, self.decided_streets(f)))
        yield from deal(f, COMMUNITY, [COMMUNITY], rule="9.6(a)(i)", cards=cards, up=False)
        yield from deal_late(f, "late", COMMUNITY, rule="13.3.1")

    def decided_streets(self, f: Layout) -> int:
        return next((n for n, street in enumerate(STREETS) if self.due(f, street)), 3)

    def ahead(self, f: Layout) -> bool:
        return not is_machine(f) and len(f.hands.get(COMMUNITY, [])) > self.decided_streets(f)

    def streets(self, f: Layout, missing: Open) -> Script:
        """Waits for a decision before each community card (9.6.1); `missing` asks for those that are not dealt yet."""
        for n, street in enumerate(STREETS, 1):
            due = self.due(f, street)
            comes_next = due or n > len(f.hands.get(COMMUNITY, []))
            if missing and comes_next and self.needs_board(f):
                yield (*missing, *due, *self.idle(f)) if due else missing
            yield from self.await_choices(f, due, self.idle(f))
            if self.needs_board(f):
                f.turn(COMMUNITY, TURNED[street], n)

    def due(self, f: Layout, street: Window) -> list[Choice]:
        """Returns the choices of who has not decided on this street (9.6.1)."""
        undecided = [p for p in self.staying(f) if not f.choice(street, p) and self.valid(f, p)]
        return [self.offer(f, street, p) for p in undecided if not passed(f, street, p)]

    def idle(self, f: Layout) -> list[Choice]:
        """Returns who may still place a wager though nobody waits for it: void hands, and wrong chips put right."""
        return [self.offer(f, s, p) for p in self.staying(f) for s in self.reached(f, p) if self.may_still(f, s, p)]

    def reached(self, f: Layout, place: str) -> tuple[Window, ...]:
        """Returns the streets on which a place has decided, and the next one."""
        decided = [street for street in STREETS if f.choice(street, place)]
        return STREETS[: 1 + len(decided)]

    def may_still(self, f: Layout, street: Window, place: str) -> bool:
        """Tells whether nothing was decided on this street, and the hand is void or wrong chips may be put right."""
        if f.choice(street, place):
            return False
        return passed(f, street, place) or not self.valid(f, place)

    def offer(self, f: Layout, street: Window, place: str) -> Choice:
        """Returns the choice of a place: one to three times the Ante, or fold (9.4.2)."""
        bases = (self.stake(f, place, "ante").counts, f.wager(place, "ante"))
        amounts = tuple(n * base for base in bases for n in MULTIPLES)
        return Choice("9.4.2", place, (FOLD,), street, amounts[0], None, amounts, street)

    def later(self, f: Layout, place: str, spot: str) -> Stake:
        return self.multiple(f, place, spot, MULTIPLES)

    def dealt(self, f: Layout) -> bool:
        """Tells whether the last hole card is out, and no community card is being dealt just now (9.6.1(a))."""
        if not f.complete("hands"):
            return False
        if f.own.choices or not f.began(COMMUNITY):
            return True
        return f.complete_so_far

    def folds(self, f: Layout, place: str) -> bool:
        return self.folded_on(f, place) is not None

    def folded_on(self, f: Layout, place: str) -> Window | None:
        return next((street for street in STREETS if f.choice(street, place) in FOLDED), None)

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        return f.hands.get(place, []) + f.hands.get(COMMUNITY, []) if self.alive(f, place) else None  # 9.4.5

    # ---- 9.4.3, 9.4.4, 9.7: who wins

    def dealer(self, f: Layout) -> Verdict | None:
        return None

    def pays(self, options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
        """Returns the odds of every wager by the hand (9.7.2)."""
        return by_hand(ODDS, hand, "2")

    def decided(self, f: Layout) -> list[Line]:
        """Returns the lines of every wager once everybody has decided on every street, folded hands first."""
        if not self.ready(f):
            return []
        right = from_the_right(self.areas(f))
        folded = [line for p in right if self.folds(f, p) for line in self.folded(f, p)]
        hands = [line for p in from_the_right(self.staying(f)) for line in self.shown(f, p)]  # 9.7.1(a)
        return folded + hands + self.no_hand(f)

    def ready(self, f: Layout) -> bool:
        """Tells whether everybody has decided on every street, and the cards lie there that decide something."""
        staying = self.staying(f)
        if not staying:
            return True
        if unread_places(f) or len(f.hands.get(COMMUNITY, [])) != 3:
            return False
        valid = [p for p in staying if self.valid(f, p)]
        undecided = [(p, street) for p in valid for street in STREETS if not f.choice(street, p)]
        return all(chips_found(f, p, street) for p, street in undecided)

    def folded(self, f: Layout, place: str) -> list[Line]:
        """Returns the lines of a folded hand: the Ante and every Street that was placed (9.4.3(c)(i), 9.6.1)."""
        live = [spot for spot in self.spots if f.live(place, spot)]
        lost = [lose(place, spot, self.stake(f, place, spot), self.fold_rule(f, place, spot)) for spot in live]
        return [self.void_or(f, line) for line in lost]

    def fold_rule(self, f: Layout, place: str, spot: str) -> str:
        """Returns the rule by which a folded hand loses this wager."""
        street = self.folded_on(f, place)
        assert street is not None
        if f.choice(street, place) == UNABLE:
            return "13.7"
        return "9.4.3(c)(i)" if spot == "ante" else FOLDS[street]

    def shown(self, f: Layout, place: str) -> list[Line]:
        out = []
        for spot in self.spots:
            if f.live(place, spot) or chips_found(f, place, spot):
                self.advise(f, place, spot, self.stake(f, place, "ante").counts)
                out.append(self.void_or(f, self.result(f, place, spot)))
        return out

    def result(self, f: Layout, place: str, spot: str) -> Line:
        at, hand = self.stake(f, place, spot), best(f.hands[place] + f.hands[COMMUNITY])
        rule = "9.4.3" if spot == "ante" else "9.4.4"
        if hand >= JACKS:
            return capped(f, win(f, place, spot, at, ODDS[hand.category], f"{rule}(b)"))
        if hand >= SIXES:
            return stand_off(place, spot, at, f"{rule}(a)")
        return lose(place, spot, at, f"{rule}(c)(ii)" if spot == "ante" else f"{rule}(c)")


def passed(f: Layout, street: Window, place: str) -> bool:
    """Tells whether wrong chips lie here and play went on to a later street: settlement finds them (13.8)."""
    if not chips_found(f, place, street):
        return False
    after = STREETS[STREETS.index(street) + 1 :]
    wagered = [spot for (_, spot), amount in f.own.sensed.items() if amount]
    decided = [window for window, _ in f.own.choices]
    return not {*wagered, *decided}.isdisjoint(after)
