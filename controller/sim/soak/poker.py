"""Crown Poker in a soak: a dealer who does one thing after the other, the count of the chips, and what may be seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.money import cents, short
from controller.poker.hand.course import stage
from controller.poker.money import stacks
from controller.poker.options import crown
from controller.poker.room.seats import room_of
from controller.poker.state import Hand, hand_in, room_in
from controller.poker.words import Street
from controller.service.engine import Engine
from controller.sim.crown_dealer import STACK, LivelyCrownDealer
from controller.sim.soak.dealers import Rest, waits_for
from controller.sim.soak.violation import Invariant, Violation
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Key
from controller.table.holds import why
from controller.table.state import Round, Table
from controller.table.telling import COMMUNITY
from hw_sim.table import SimTable


class CrownStepDealer(LivelyCrownDealer):
    """The dealer of Crown Poker."""

    def __init__(self, sim: SimTable, engine: Engine, rest: Rest, seed: int, on_deed: Callable[[], None]) -> None:
        super().__init__(sim, engine, rest, seed)
        self._on_deed, self._number = on_deed, 0
        self._hands.on_deed = on_deed

    def serves(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self) -> None:
        self._number = self._table.number + (self._hand() is None)
        self._stack = []

    def over(self) -> bool:
        return self._over(self._number)

    async def deed(self, places: Sequence[str]) -> None:
        if held := why(self._table):
            raise waits_for(f"somebody who resumes: {held.code}")
        if any(device.pending for device in self._sim.devices.values()):  # the table would not know what lies where
            raise waits_for("a device that has something to tell")
        hand = self._hand()
        if hand is None:
            await self._prepare_seats(places)
            await self._prepare()
        try:
            await self._next_deed(stage(self._table))
        except (LookupError, AssertionError) as lost:  # the table is not where a plain hand would be
            raise waits_for("somebody who looks at the table") from lost

    async def _prepare_seats(self, places: Sequence[str]) -> None:
        """Lets everybody sit down with chips."""
        bank = short(STACK * crown(self._table).last_blind)
        for seat in places:
            if seat not in self._table.seats:
                await self._press("seat", seat, f"stack={bank}")
            elif not room_of(self._table).stakes.get(seat):
                await self._press("seat", seat, f"add={bank}")
            if room_of(self._table).buttons.get(seat):
                await self._press("dealt-out", seat, "off")

    async def _press(self, key: str, *args: str) -> None:
        self._on_deed()
        console = self._sim.device("console")
        if not console.pending:
            console.do("press", key, *args)
        await self._rest()


class PokerChips:
    """The chips of a poker table: those in front, in pots and on the slide are those that players brought."""

    def __init__(self) -> None:
        self._brought = 0
        self._house: dict[int, int] = {}  # by hand: what lines against the house have brought the players

    def followed(self, fact: AnyFact, before: Table, after: Table, effects: list[AnyEffect]) -> None:
        if not after.game or room_in(after) is None:
            return
        refused = any(isinstance(effect, Refused) for effect in effects)
        if isinstance(fact, Key) and not refused:
            self._brought += _brought(fact, before, after)
        if (r := after.round) is not None:
            standing = {line.at: line for line in r.lines}
            self._house[r.number] = sum(x.net for x in standing.values() if x.result in ("win", "lose"))
        lying, wanted = _chips(after), self._brought + sum(self._house.values())
        if lying != wanted:
            raise Violation(Invariant.CHIPS, f"hand {after.number}: {lying} lie there, and {wanted} were brought")


def _chips(t: Table) -> int:
    """Returns everything that lies on the table, whoever it belongs to."""
    room, r = room_of(t), t.round
    total = sum(room.stakes.values()) + sum(room.held.values()) + room.slide + room.dropped
    hand = stacks.running(t)
    if hand is not None:
        total += stacks.in_play(hand) - hand.rake
        total -= sum(stacks.in_front(hand, s) - stacks.ruled(hand, s) for s in stacks.players(hand))
    if r is not None and not r.outcome:
        ended = {x.at for x in r.lines}
        total += sum(amount for at, amount in r.wagers.items() if at not in ended)
    return total


def _brought(fact: Key, before: Table, after: Table) -> int:
    """Returns the chips that a key brings to the table; what somebody takes away is less than none."""
    options = dict(arg.split("=", 1) for arg in fact.args[1:] if "=" in arg)
    if fact.key == "seat":
        return cents(options.get("stack") or options.get("add") or "0")
    seat = fact.args[0] if fact.args else ""
    if fact.key != "leave" or seat not in before.seats or seat in after.seats or room_in(before) is None:
        return 0
    won = 0
    if after.round is not None and before.round is not None and after.round.outcome != before.round.outcome:
        hand = hand_in(after.round)
        won = sum(pot.won.get(seat, 0) for pot in hand.pots) if hand is not None else 0
    return -won - stacks.behind(before, seat) - room_of(before).held.get(seat, 0)


# ---- what may be seen, read from the document and not from the game


def shown_in_poker(r: Round, place: str, n: int) -> bool:
    """Tells whether anybody may see the n-th card of a place.

    Community cards are turned when they are dealt (8.18.1, 8.19.1, 8.20.1).  The others are dealt face down (8.4), and
    exposed at the showdown, after all betting (8.20.4), or by mistake in the deal (9.1(i), 9.7).
    """
    if place == COMMUNITY:
        return True
    hand = r.play.read(Hand)
    if hand is None:
        return False
    contest = [seat for seat in hand.dealt if _stays(hand, seat)]
    at_showdown = hand.street == Street.SHOWDOWN and len(contest) > 1 and place in contest
    return at_showdown or (place, n) in hand.exposed


def _stays(hand: Hand, seat: str) -> bool:
    """Tells whether a seat was in the hand to the end, also when it mucked its cards then (9.5)."""
    return seat not in hand.out or seat in hand.mucked or seat in hand.asked
