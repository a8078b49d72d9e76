"""What document 003 says of both its games: the table, the deals, and what may be decided when."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from controller.house.documents import HouseDocument
from controller.house.game import HouseGame
from controller.house.games.victoria_cards import surplus
from controller.house.games.victoria_irregular import rule_on
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import Layout
from controller.house.options import JackpotHouse
from controller.house.rulings import Dialogue
from controller.jackpot.rules import Jurisdiction
from controller.rules import Cited, Objection
from controller.table.facts import Key
from controller.table.options import Shoe
from controller.table.values import Count, Money, Switch, only, within


class VictoriaOptions(JackpotHouse, frozen=True, kw_only=True):
    """A table of document 003."""

    kind: ClassVar[Jurisdiction] = "vic"

    seats: Annotated[Count, within(1, 9, "a table has places for nine players or fewer", "2.1")] = 9
    shoe: Annotated[
        Shoe,
        only(
            *("hand", "batch"),
            says="all cards are dealt from a dealing shoe; a machine only shuffles them",
            rule="2.3",  # 7.1
        ),
    ] = "hand"
    burn: Annotated[Switch, "burn cards leave the shoe and are read"] = False
    jackpot_reset: Money = 10_000_00

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together."""
        if self.shoe == "batch" and self.same_backs:
            yield self.one_colour("3.1.1(b)")


class Victoria(HouseGame):
    """The two games of document 003 share everything but their wagers."""

    opening: ClassVar[tuple[str, ...]]
    required: ClassVar[tuple[str, ...]] = ("ante",)  # without them no cards are dealt
    document: ClassVar[HouseDocument]
    keys: ClassVar = HOUSE_KEYS

    @abstractmethod
    def no_decision(self, f: Layout) -> str:
        """Returns the rule by which nobody may fold or check there now."""

    def surplus(self, f: Layout) -> Cited:
        return surplus(f)

    # ---- 11: irregularities

    def irregular(self, f: Layout, fact: Key) -> Dialogue:
        return rule_on(self, f, fact)
