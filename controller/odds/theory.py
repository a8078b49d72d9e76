"""The edges that are kept: exact fractions, each with the options it holds for and the stakes at which it is exact.

Whoever counts rounds cannot wait minutes for an edge.  `python -m tools.edges_table` computes them by the tables' own
settlement and writes `kept.py`; tests compute them anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, TypeAlias

from controller.games import GAMES
from controller.jackpot.expected import prizes
from controller.odds.kept import KEPT
from controller.odds.kept_edge import KeptEdge, key_of
from controller.table.options import Options, texts
from controller.table.rules import Edge, Rules
from controller.table.telling import COMMUNITY

NOT_COMPUTED: Final = "nothing computes an edge of this wager"
NOT_KEPT: Final = "its edge is not kept for these options; felt odds computes it"
NOT_EXACT: Final = "chips cannot pay every result of this stake exactly"
NO_METER: Final = "what the prize meter held then is not on record"
OF_JACKPOT: Final = (
    "cost less prizes of one hand that is not folded, with the meter at its reset value; theory takes the meter as it "
    "stood in each round, and all hands that could win of it together"
)
LIMITED: Final = "the maximum payout may cut what this stake wins"

Unknown: TypeAlias = str  # why an edge is not known


def theory(rules: Rules, spot: str, stake: int, options: Options) -> Fraction | Unknown:
    """Returns what the house wins of this wager in the long run, in cents, or why that is not known.

    It holds for a player who decides best every time, against a full shoe.
    """
    edge = rules.odds.get(spot)
    if edge is None:
        return NOT_COMPUTED
    kept = _kept(rules, spot, edge, options)
    if kept is None:
        return NOT_KEPT
    if not _exact(kept, stake, options.chip):
        return NOT_EXACT
    limit = options.payout_limit
    if limit is not None and stake * kept.top > limit:
        return LIMITED
    return stake * Fraction(kept.edge)


def _kept(rules: Rules, spot: str, edge: Edge, options: Options) -> KeptEdge | None:
    """Returns what is kept of an edge by these options, as far as they change it."""
    by = chosen(edge.by, options) if edge.reduced is None else edge.reduced(options)
    return KEPT.get(key_of(rules.name, spot, by))


def _exact(kept: KeptEdge, stake: int, chip: int) -> bool:
    """Tells whether every line of this stake is paid as the edge says."""
    chips, rest = divmod(stake, chip)
    if rest:
        return False
    return chips % kept.parts == 0 or 0 < kept.whole_from <= chips


def jackpot_theory(rules: Rules, options: Options, meter: int, wagers: int) -> Fraction | Unknown:
    """Returns what is left of each of so many Jackpot wagers of a round in the long run, in cents, or why not.

    The meter, in ten-thousandths of a dollar, is what it held in that round.  Prizes count, whoever bears them.
    """
    terms = options.terms
    if terms is None or GAMES.get(rules.name) is not rules:
        return NOT_COMPUTED
    return terms.cost - prizes(terms, meter, wagers, COMMUNITY in rules.shared) / wagers


def jackpot_edge(rules: Rules, options: Options) -> Fraction | None:
    """Returns the edge of one Jackpot wager with the meter at its reset value; None when none is offered."""
    terms = options.terms
    left = NOT_COMPUTED if terms is None else jackpot_theory(rules, options, terms.seed, 1)
    return None if terms is None or isinstance(left, str) else left / terms.cost


def edge_kept(rules: Rules, spot: str, options: Options) -> Fraction | None:
    """Returns the edge of a wager by these options; None when it is not kept."""
    edge = rules.odds.get(spot)
    kept = None if edge is None else _kept(rules, spot, edge, options)
    return None if kept is None else Fraction(kept.edge)


def counted_by(rules: Rules) -> Mapping[str, str]:
    """Returns which wager's edge takes in a spot, by spot: its own, or that of the wager from which it follows."""
    own = {wager: wager for wager in rules.odds}
    return {spot: wager for wager, edge in rules.odds.items() for spot in edge.takes_in} | own


def chosen(names: tuple[str, ...], options: Options) -> dict[str, str]:
    """Returns these options with their values as text."""
    text = texts(options) if names else {}
    return {name: text.get(name, "") for name in names}
