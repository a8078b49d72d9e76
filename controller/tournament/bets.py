"""The bet sizes of a fixed or spread game of poker in a tournament: they rise with the blinds of its levels."""

from __future__ import annotations

import msgspec

from controller.money import cents, on_sign
from controller.poker.options import CrownOptions
from controller.poker.words import STRUCTURED, Limit
from controller.table.state import Table


class BetSizes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The bet sizes of a table as they were before its tournament; amounts in cents."""

    limit: Limit
    small: int
    large: int
    chip: int  # every bet is so many of these

    def at(self, last: int) -> tuple[int, int]:
        """Returns the two sizes at a level with this last blind: the lower is the blind, the upper keeps the ratio.

        >>> BetSizes("fixed", 10_00, 20_00, 5_00).at(20_00)
        (2000, 4000)
        """
        upper = last * self.large // self.small // self.chip * self.chip
        return last, max(last, upper)

    def words(self, last: int) -> str:
        """Returns the sizes at a level in words.

        >>> BetSizes("fixed", 10_00, 20_00, 5_00).words(20_00), BetSizes("spread", 10_00, 40_00, 5_00).words(10_00)
        ('$20 and $40', '$10 to $40')
        """
        lower, upper = map(on_sign, self.at(last))
        return f"{lower} {'to' if self.limit == 'spread' else 'and'} {upper}"


def bet_sizes(t: Table, before: str = "") -> BetSizes | None:
    """Returns the bet sizes of a table, `before` its tournament; None where no sizes are given."""
    options = t.options.typed
    if not isinstance(options, CrownOptions) or options.limit not in STRUCTURED:
        return None
    small, large = map(cents, before.split(",")) if before else options.bets
    return BetSizes(options.limit, small, large, options.chip)
