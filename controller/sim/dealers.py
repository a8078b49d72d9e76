"""Who deals by himself at which table: one dealer for each engine that needs more than the requests of every game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from controller.games import of_engine
from controller.poker.game import Crown
from controller.service.engine import Engine
from controller.sim.crown_dealer import CrownDealer, LivelyCrownDealer
from controller.sim.dealer import Dealer, LivelyDealer
from controller.table.rules import Rules
from hw_sim.table import SimTable

Rest: TypeAlias = Callable[[], Awaitable[None]]


class PlainDealer(Protocol):
    """A dealer of rounds in which nothing goes wrong."""

    async def round(self, places: Sequence[str]) -> None:
        """Plays one round with the players at these places."""


class ShowDealer(PlainDealer, Protocol):
    """A dealer of rounds for a show: players do not always do the same."""

    async def players(self, areas: Sequence[int]) -> list[str]:
        """Returns who plays the next round, of those who could."""

    def give(self, place: str) -> None:
        """Deals a royal flush to this place in the next round, or as much of one as the game has."""

    async def part(self) -> None:
        """Lets everybody leave: another game comes to the table."""


class Dealers(NamedTuple):
    """The two who deal at a table: for scripts, and for a show."""

    plain: Callable[[SimTable, Engine, Rest], PlainDealer]
    lively: Callable[[SimTable, Engine, Rest, int], ShowDealer]


DEALERS: Final[dict[type, Dealers]] = {Crown: Dealers(CrownDealer, LivelyCrownDealer)}
_ANY: Final = Dealers(Dealer, LivelyDealer)


def dealers(rules: Rules) -> Dealers:
    """Returns who deals at a table with these rules."""
    return of_engine(rules, DEALERS, _ANY)
