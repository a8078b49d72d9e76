"""Ultimate Texas Hold'em Poker in NSW (document 002, rule 10), in the order of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Final

from controller.house.common import chips_found, is_machine
from controller.house.documents.poker_minors import ULTIMATE
from controller.house.games import ultimate
from controller.house.games.poker_minors import NswOptions, PokerMinor
from controller.house.games.ultimate import NSW, ODDS, WINDOWS, times
from controller.house.layout import Layout, Stake
from controller.house.options import House
from controller.house.pays import Pays, Ranked
from controller.house.script import Script, deal, deal_late, take_wagers, with_dealer
from controller.house.state import FLOP, PREFLOP, RIVER
from controller.places import DEALER, Place
from controller.rules import Cited, Objection
from controller.table.board import Row
from controller.table.options import Chosen
from controller.table.requests import Choice, Window
from controller.table.state import Line, Round
from controller.table.telling import COMMUNITY, Verdict
from controller.table.values import Counts

DEALT: Final = {FLOP: "10.5.5", RIVER: "10.5.7"}  # which cards come before which window


class UltimateNswOptions(NswOptions, frozen=True, kw_only=True):
    """An Ultimate Texas Hold'em table of document 002."""

    preflop: Annotated[
        Counts,
        times(PREFLOP, NSW),
        "how many times the Ante the Play wager may be before the Flop",
    ] = (3, 4)
    flop: Annotated[Counts, times(FLOP, NSW), "and after the Flop"] = (2,)
    river: Annotated[Counts, times(RIVER, NSW), "and after the River"] = (1,)

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together."""
        yield from super().objections(house)
        yield from ultimate.objections(self, NSW)


class UltimateNsw(PokerMinor):
    """Two cards each and five for everybody, against the dealer."""

    name = "ultimate-texas-holdem-nsw"
    title = "Ultimate Texas Hold'em"
    decides = ("fold", "check")
    options: ClassVar[type[NswOptions]] = UltimateNswOptions
    spots = ultimate.SPOTS
    opening = ("ante", "blind", "trips")  # 10.4.1
    required = ("ante", "blind")  # 10.2
    sizes: ClassVar = {COMMUNITY: 5, DEALER: 2, "": 2}
    document = ULTIMATE
    odds: ClassVar = ODDS

    # ---- 10.4, 10.5: the round

    def play(self, f: Layout) -> Script:
        yield from take_wagers(f, *self.opening, rule="10.4.1")
        yield from self.no_wagers(f)
        self.turn_exposed(f)
        if is_machine(f):  # 10.5.3(a)
            yield from deal(f, COMMUNITY, [COMMUNITY], rule="10.5.3(a)(i)", cards=5, up=False)
            yield from deal(f, DEALER, [DEALER], rule="10.5.3(a)(ii)", cards=2, sets=True, up=False)
            yield from deal(f, "hands", self.areas(f), rule="10.5.3(a)(iii)", cards=2, sets=True, up=False)
            yield from deal_late(f, "late", COMMUNITY, DEALER, rule="13.3.1")
        else:  # 10.5.3(b)
            yield from deal(f, "hands", with_dealer(self.areas(f)), rule="10.5.3(b)", cards=2, up=False)
            yield from deal_late(f, "late", "hands", rule="13.3.1")
        yield from self.decide(f, PREFLOP, FLOP)  # 10.5.4
        yield from self.expose(f, FLOP)
        yield from self.decide(f, FLOP, RIVER)  # 10.5.6
        yield from self.expose(f, RIVER)
        yield from self.decide(f, RIVER, None)  # 10.5.8
        if self.showdown(f):
            f.turn(DEALER, "10.5.9")
        idle = next((offers for window in WINDOWS if (offers := self.offers(f, window, void=True))), [])
        yield from self.end(f, idle, "10.6")

    def decide(self, f: Layout, window: Window, street: Window | None) -> Script:
        """Waits for whoever has not played; also when the next cards are out too early (13.5)."""
        due, idle = self.offers(f, window), self.offers(f, window, void=True)
        if due and street is not None and self.too_early(f):
            for waiting in self.expose(f, street):
                yield (*due, *idle, *waiting)
        yield from self.await_choices(f, due, idle)

    def too_early(self, f: Layout) -> bool:
        """Tells whether cards of the next street left the hand shoe before everybody had decided."""
        return f.early and not is_machine(f)

    def expose(self, f: Layout, street: Window) -> Script:
        """Deals the cards of a street, or turns them where the machine has dealt them already (10.5.5, 10.5.7)."""
        cards = (1, 2, 3) if street == FLOP else (4, 5)
        if not is_machine(f):
            yield from deal(f, street, [COMMUNITY], rule=DEALT[street], cards=len(cards))
            yield from deal_late(f, f"late {street}", street, rule="13.3.1")
        for n in cards:
            f.turn(COMMUNITY, DEALT[street], n)

    def offers(self, f: Layout, window: Window, void: bool = False) -> list[Choice]:
        """Returns the choices of this window: of those who must decide, or of those whose hand is void."""
        staying = self.staying(f)
        undecided = [p for p in ultimate.undecided(f, window) if p in staying]
        asked = [p for p in undecided if self.valid(f, p) != void]
        if presumed(f, window):
            asked = [p for p in asked if not chips_found(f, p, "play")]
        return [ultimate.offer(f, NSW, window, p) for p in asked]

    def unequal(self, r: Round, place: Place) -> Cited | None:
        """Returns what is wrong with a Blind that does not equal the Ante (10.2)."""
        return ultimate.unequal(r, place, NSW)

    def later(self, f: Layout, place: str, spot: str) -> Stake:
        return ultimate.play_stake(f, place)

    def dealt(self, f: Layout) -> bool:
        if "late" in f.plans and not f.complete("late"):
            return False
        return f.complete("hands")

    def deal_at(self, f: Layout, place: str, n: int) -> tuple[str, int]:
        if place == COMMUNITY and not is_machine(f):
            return (FLOP, n) if n <= 3 else (RIVER, n - 3)
        return super().deal_at(f, place, n)

    def folds(self, f: Layout, place: str) -> bool:
        return ultimate.folded(f, place)

    def surplus(self, f: Layout) -> Cited:
        if not is_machine(f) and self.dealt(f):
            return Cited("13.5", "these cards come too early: whoever has not decided may still do so")
        return super().surplus(f)

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        if not self.alive(f, place):  # 10.5.8(b); under method B a folded hand stays live (10.5.8(c))
            return None
        return f.hands.get(place, []) + f.hands.get(COMMUNITY, [])[:3]  # 10.4.5

    # ---- 10.2, 10.4, 10.6: who wins

    def on_sign(self, options: House) -> Iterator[Row]:
        """Yields how many times the Ante a Play wager may be in each window (10.5.4(a), 10.5.6(a), 10.5.8(a))."""
        assert isinstance(options, UltimateNswOptions)
        yield ultimate.on_sign(options)

    def dealer(self, f: Layout) -> Verdict | None:
        return ultimate.verdict(f, NSW)

    def pays(self, options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
        """Returns the odds of a spot (10.6.5)."""
        return ultimate.paid(spot, hand, "3", "4")

    def decided(self, f: Layout) -> list[Line]:
        """Returns the lines of every wager once everybody has played or folded."""
        if not self.ready(f):
            return []
        for p in self.staying(f):
            least = ultimate.multiples(f.table.options.of(UltimateNswOptions), ultimate.window_of(f, p))[0]
            self.advise(f, p, "play", least * self.stake(f, p, "ante").counts)
        return ultimate.lines(f, NSW) + self.no_hand(f)

    def ready(self, f: Layout) -> bool:
        """Tells whether everybody has played or folded, and the cards lie there that decide something."""
        staying = self.staying(f)
        if not staying:
            return True
        undecided = [p for p in staying if self.valid(f, p) and not ultimate.plays(f, p)]
        return ultimate.all_there(f) and all(chips_found(f, p, "play") for p in undecided)


def presumed(f: Layout, window: Window) -> bool:
    """Tells whether play went on to a later window: what lies on Play is found at settlement (13.8)."""
    if f.held:
        return True
    after = WINDOWS[WINDOWS.index(window) + 1 :]
    return any(decided in after for decided, _ in f.own.choices)
