"""Who deals in a soak and who counts the chips: one of each for every engine that needs more than any game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from controller.games import of_engine
from controller.poker.game import Crown
from controller.service.engine import Engine
from controller.sim.soak.chips import ChipsCheck, HouseChips
from controller.sim.soak.dealers import HouseStepDealer, Rest, StepDealer
from controller.sim.soak.poker import CrownStepDealer, PokerChips
from controller.table.rules import Rules
from hw_sim.table import SimTable

MakeDealer: TypeAlias = Callable[[SimTable, Engine, Rest, int, Callable[[], None]], StepDealer]


class SoakParts(NamedTuple):
    """What a soak needs of an engine."""

    dealer: MakeDealer
    chips: Callable[[], ChipsCheck]


PARTS: Final[dict[type, SoakParts]] = {Crown: SoakParts(CrownStepDealer, PokerChips)}
_ANY: Final = SoakParts(HouseStepDealer, HouseChips)


def soak_parts(rules: Rules) -> SoakParts:
    """Returns who deals and who counts at a table with these rules."""
    return of_engine(rules, PARTS, _ANY)
