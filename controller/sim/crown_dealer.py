"""A dealer who deals plain hands of Crown Poker: blinds, cards, everybody folds to the last blind."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence

from controller.cards import DECK
from controller.errors import FeltError
from controller.money import short
from controller.poker.hand.betting import legal
from controller.poker.hand.course import Stage, stage
from controller.poker.money.charges import fee_due
from controller.poker.options import crown
from controller.poker.room.blinds import able, next_hand
from controller.poker.room.seats import room_of
from controller.poker.state import Betting, Hand, hand_in
from controller.poker.view import next_reader
from controller.service.engine import Engine
from controller.sim.crown import Hands
from controller.sim.gift import Gift
from controller.table.state import Table
from hw_sim.table import SimTable

AWAY = "dealt-out"
BOARD = "board"  # the reader of the board
STACK = 50  # large blinds
BOLD, CURIOUS = 0.2, 0.6  # how often somebody raises, or calls


class CrownDealer:
    """Plays hand after hand; the same seed deals the same cards.

    `rest` waits until the table has taken in what was done: in virtual time for scripts, in real time for a show.
    """

    def __init__(self, sim: SimTable, engine: Engine, rest: Callable[[], Awaitable[None]], seed: int = 0) -> None:
        self._sim = sim
        self._engine = engine
        self._rest = rest
        self._hands = Hands(sim, lambda: self._table, rest)
        self._random = random.Random(seed)
        self._stack: list[str] = []
        self.gift: Gift | None = None  # for somebody in the hand that is dealt next

    @property
    def _table(self) -> Table:
        return self._engine.table

    async def round(self, places: Sequence[str]) -> None:
        """Plays one hand with the players at these seats; a hand whose cards are dealt already is not taken over."""
        if (hand := self._hand()) is not None and hand.tape:
            raise _stuck("the end of the hand that is running")
        self._stack = []
        away = [seat for seat in self._table.seats if seat not in places and not self._away(seat)]
        for seat in away:
            await self._press(AWAY, seat)
        await self._prepare()
        number = self._table.number + (self._hand() is None)
        while not self._over(number):
            seq = self._engine.seq
            await self._next_deed(stage(self._table))
            if self._engine.seq == seq:
                raise _stuck("a device that does not answer")
        for seat in away:
            await self._press(AWAY, seat, "off")
        self.gift = None

    async def _prepare(self) -> None:
        """Does what comes before a hand: cards checked, shuffled and cut (5.1, 5.2), the fee per person (7.2.4)."""
        if not self._table.deck.checked and self._table.options.typed.gates == "manual":
            await self._press("checked")
        if self._table.deck.due and self._table.options.typed.gates == "manual":
            await self._press("shuffled")
        if self._table.deck.cut_due:
            await self._press("cut")
        if fee_due(self._table):
            await self._press("collect")

    def _hand(self) -> Hand | None:
        r = self._table.round
        return hand_in(r) if r is not None and not r.outcome else None

    def _away(self, seat: str) -> bool:
        return bool(room_of(self._table).buttons.get(seat))

    def _over(self, number: int) -> bool:
        r = self._table.round
        return r is not None and r.number >= number and bool(r.outcome)

    # ---- what happens next

    async def _next_deed(self, at: Stage) -> None:
        match at.what:
            case "blinds":
                await self._post()
            case "deal" | "board":
                await self._hands.deal((self._card(),))
            case "act":
                await self._act(at.place)
            case "discard":
                await self._press("discard", at.place, self._cards(at.place)[-1])
            case "burn" | "cut":
                await self._press(at.what)
            case "shuffle":
                await self._press("shuffled")
            case "over":
                await self._press("settle")
            case waits:
                raise _stuck(waits)

    async def _post(self) -> None:
        """Posts the next blind that is due."""
        seat, amount = self._next_blind()
        await self._press("act", seat, "post", short(amount))
        hand = self._hand()
        if not hand or seat not in hand.posted:
            raise _stuck("a blind that the table takes")

    def _next_blind(self) -> tuple[str, int]:
        """Returns who posts next, and how much: in the hand that has begun, or to begin one."""
        if hand := self._hand():
            return next((seat, amount) for seat, amount in hand.due.items() if seat not in hand.posted)
        if not able(self._table):
            raise _stuck("players with chips")
        return next(iter(next_hand(self._table).posts.items()))

    async def _act(self, seat: str) -> None:
        """Acts for a seat: everybody folds but the last blind, who checks or calls where others are all-in."""
        hand = self._hand()
        betting = hand.betting if hand is not None else None
        assert hand is not None and betting is not None
        await self._press("act", seat, *self.act_of(seat, hand, betting))

    def act_of(self, seat: str, hand: Hand, betting: Betting) -> list[str]:
        """Returns what this player does now, in words of the console."""
        if seat != next(reversed(hand.posted), ""):
            return ["fold"]
        return ["check" if betting.bets.get(seat, 0) >= betting.level else "call"]

    def _card(self) -> str:
        if not self._stack:
            self._stack = list(DECK)
            self._random.shuffle(self._stack)
        if self.gift is None:
            return self._stack.pop()
        self._stack = self.gift.without(self._stack)
        return self.gift.card_for(next_reader(self._table)) or self._stack.pop()

    def _cards(self, seat: str) -> list[str]:
        hand = self._hand()
        return hand.cards[seat] if hand is not None else []

    async def _press(self, key: str, *args: str) -> None:
        self._sim.device("console").do("press", key, *args)
        await self._rest()


class LivelyCrownDealer(CrownDealer):
    """A dealer with players who do not always do the same, and buy chips when they have none left."""

    def __init__(self, sim: SimTable, engine: Engine, rest: Callable[[], Awaitable[None]], seed: int = 0) -> None:
        super().__init__(sim, engine, rest, seed)
        self._mood = random.Random(seed + 1)

    async def players(self, areas: Sequence[int]) -> list[str]:
        """Returns who plays the next hand: everybody, with chips."""
        seats = [str(area) for area in areas]
        bank = short(STACK * crown(self._table).last_blind)
        for seat in seats:
            if seat not in self._table.seats:
                await self._press("seat", seat, f"stack={bank}")
            elif not room_of(self._table).stakes.get(seat):
                await self._press("seat", seat, f"add={bank}")
        return seats

    def give(self, place: str) -> None:
        """Deals a royal flush to this seat in the next hand: two cards of it are the seat's own."""
        self.gift = Gift(place, BOARD, own=2)

    async def part(self) -> None:
        """Lets everybody leave with their chips."""
        for seat in list(self._table.seats):
            await self._press("leave", seat)

    def act_of(self, seat: str, hand: Hand, betting: Betting) -> list[str]:
        may = legal(betting, seat)
        calm = ["check" if may.check else "call"]
        if self.gift is not None and seat == self.gift.place:
            return calm
        if may.raise_to is not None and self._mood.random() < BOLD:
            least, most = may.raise_to
            to = min(most, least * self._mood.choice((1, 1, 1, 2, 3)))
            return ["raise" if betting.level else "bet", short(to)]
        return calm if may.check or self._mood.random() < CURIOUS else ["fold"]


def _stuck(waits: str) -> FeltError:
    step = "Only plain hands can be dealt so: go on by hand, with a script or at the devices."
    return FeltError("sim.stuck", f"a plain hand came to wait for {waits}", step)
