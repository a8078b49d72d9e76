"""A table's meter against a reference model with exact fractions: whatever is wagered, cancelled, misdealt or won."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.searches import times
from tests.table.telling import Telling

DEALER = "5c 6c 8c Tc Jc"
SUITS = {"1": "s", "2": "h", "3": "d"}  # each area has its own, so that no card comes twice
RANKS = {"royal": "AKQJT", "straight": "65432", "flush": "AQ975", "none": "KQ97"}
SEED, INCREMENT = Fraction(100_000), Fraction(5) * Fraction("0.5722")
TABLE_7 = {1: "10.000", 2: "9.500", 3: "9.033"}


class Meter:
    """12.4, 12.5, 12.6 and 13.9, as short as they can be said."""

    def __init__(self) -> None:
        self.value, self.game = SEED, set[str]()

    def register(self, places: set[str]) -> None:
        self.value += (len(places) - len(self.game)) * INCREMENT
        self.game = places

    def settle(self, royals: int, straights: int) -> None:
        if royals:
            self.value = SEED
        elif straights:
            part = ceil(self.value) * straights * Fraction(TABLE_7[straights]) / 100
            self.value -= Fraction(floor(part * 10_000), 10_000)
        self.game = set()


class JackpotTable(RuleBasedStateMachine):
    """One Caribbean Stud table, three areas; every deed is done at the table and in the model."""

    @initialize()
    def start(self) -> None:
        self.t = Telling("caribbean-stud", jackpot="nsw", shoe="csm")
        self.t.role("casino-manager")
        self.model = Meter()
        self.lying: set[str] = set()
        self.antes: set[str] = set()
        self.closed = False

    @precondition(lambda self: not self.closed)
    @rule(area=st.sampled_from("123"), jackpot=st.booleans())
    def bet(self, area: str, jackpot: bool) -> None:
        self.t.bet(int(area), ante=10, jackpot=5 if jackpot else 0)
        self.antes.add(area)
        if jackpot:
            self.lying.add(area)
        elif area in self.lying:
            self.lying.discard(area)
            self.model.register(self.model.game - {area})

    @precondition(lambda self: not self.closed and self.lying)
    @rule()
    def start_by_mistake(self) -> None:
        self.t.key("start-jackpot")
        self.model.register(set(self.lying))

    @rule()
    def cancel(self) -> None:
        self.t.key("cancel-jackpot")
        self.model.register(set())

    @precondition(lambda self: not self.closed and not self.antes)
    @rule(area=st.sampled_from("123"))
    def leave(self, area: str) -> None:
        self.t.key(f"leave {area}")
        self.lying.discard(area)
        self.model.register(self.model.game - {area})

    @precondition(lambda self: self.antes and not self.closed)
    @rule()
    def no_more_bets(self) -> None:
        self.t.key("no-more-bets")
        self.lying &= self.antes
        self.model.register(set(self.lying))
        self.closed = True

    @precondition(lambda self: self.closed)
    @rule()
    def misdeal(self) -> None:
        self.t.draw("2c")
        self.t.key(f"exposed {min(self.antes)}")
        self.over(carried=True)

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        dealt = {area: data.draw(st.sampled_from(sorted(RANKS))) for area in sorted(self.antes)}
        for area, hand in dealt.items():
            odd = f"{int(area) + 1}c" if hand == "none" else ""
            self.t.draw(" ".join([rank + SUITS[area] for rank in RANKS[hand]] + [odd]))
        self.t.draw(DEALER)
        stays = {area for area in dealt if data.draw(st.booleans())}
        for area in dealt:
            if area in stays:
                self.t.bet(int(area), bet=20)
            else:
                self.t.key(f"fold {area}")
        self.t.key("settle")
        playing = [dealt[area] for area in stays & self.model.game]
        self.model.settle(playing.count("royal"), playing.count("straight"))
        if data.draw(st.booleans()):
            self.t.key("confirm-jackpot")
        self.over(carried=False)

    def over(self, *, carried: bool) -> None:
        r = self.t.table.round
        assert r is not None and r.outcome == ("misdeal" if carried else "settled")
        self.closed, self.antes = False, set()
        if not carried:
            self.lying = set()
        else:  # a wager that was never registered again is not part of a game, but still lies there
            self.lying = set(self.t.table.jackpot.carried)

    @invariant()
    def meters_agree(self) -> None:
        game = self.t.table.jackpot
        assert Fraction(game.meter, 10_000) == self.model.value
        assert set(game.registered) == self.model.game


JackpotTable.TestCase.settings = settings(max_examples=times(80), stateful_step_count=25, deadline=None)
TestJackpotTable = JackpotTable.TestCase
