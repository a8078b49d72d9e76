"""Deeds at a Crown Poker table: seats, acts, chips pushed forward, and cards dealt from the hand onto readers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from controller.cards import UNREAD
from controller.money import short
from controller.poker.view import next_reader
from controller.script import model
from controller.table.facts import CardRead
from controller.table.follow import step
from controller.table.state import Table
from hw_sim.table import SimTable

Rest = Callable[[], Awaitable[None]]


def seat_words(line: model.SeatLine) -> list[str]:
    """What is entered with the key when people sit down, or a stake changes."""
    words = [",".join(str(place) for place in line.places)]
    money = {"stack": line.stack, "add": line.add, "take": line.take}
    words += [f"{name}={short(amount)}" for name, amount in money.items() if amount is not None]
    return words + ([f"player={line.player}"] if line.player else [])


def act_words(line: model.ActLine) -> list[str]:
    return [str(line.seat), line.act, *([short(line.cents)] if line.cents is not None else [])]


async def push(sim: SimTable, line: model.ChipsLine, rest: Rest) -> bool:
    """The word first, then the chips that it goes with; False when there is no such seat."""
    sensor = sim.devices.get(f"sensor.{line.seat}")
    if sensor is None:
        return False
    if line.say:
        sim.device("console").do("press", "said", str(line.seat), line.say)
        await rest()
    sensor.do("push", *line.chips)
    return True


class Hands:
    """The dealer's hands: each card goes to the place where the table expects it.

    A reader that is cut off says later what was laid on it; until then the dealer knows more than the table.
    """

    def __init__(self, sim: SimTable, table: Callable[[], Table], rest: Rest) -> None:
        self._sim = sim
        self._table = table
        self._rest = rest
        self._unheard: list[CardRead] = []

    async def deal(self, token: model.Token) -> None:
        """One card, or several at once, face down to a seat or onto the board."""
        if isinstance(token, model.CuttingCard):
            return  # no reader knows it
        cards = tuple(_card(card) for card in (token.cards if isinstance(token, model.Together) else (token,)))
        face_up = isinstance(token, model.FaceUp)
        place = next_reader(self._ahead())
        reader = self._sim.devices.get(f"reader.{place}") or self._sim.device("reader.board")
        reader.do("lay", ("^" if face_up else "") + "+".join(cards))
        await self._rest()
        if reader.pending:
            self._unheard.append(CardRead(place, cards[0], face_up, cards if len(cards) > 1 else ()))

    def _ahead(self) -> Table:
        """The table as it will be when every card was heard of."""
        table = self._table()
        self._unheard = [read for read in self._unheard if self._sim.device(f"reader.{read.reader}").pending]
        for read in self._unheard:
            table, _ = step(table, 0, table.now + table.ahead, read)
        return table


def _card(card: model.Single) -> str:
    return UNREAD if isinstance(card, model.Unreadable) else card.card
