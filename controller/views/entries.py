"""The lines of settled rounds as entries of a ledger: exact cents, and the exact win that theory expects of each.

One round is of one day, one shift, one dealer and one game; one entry is of one wager.  So whatever they are added up
by, the sums are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

import msgspec

from controller.games import INSTALLED
from controller.jackpot.rules import DOLLAR
from controller.money import cents
from controller.odds.theory import NO_METER, counted_by, jackpot_theory, theory
from controller.places import JACKPOT, shared_place
from controller.table.options import Options, read
from controller.table.rules import Rules
from controller.views.record import Paid, RoundRecord

DECIDED: Final = ("win", "lose", "stand-off", "surrender")  # others were given back, carried on or are still at stake
POTS: Final = "pots"
AMONG_PLAYERS: Final = "players wager against each other; the house has its commission"
TOKEN: Final = "a promotional token is no money"
NO_GAME: Final = "the game is not installed"


class LedgerEntry(msgspec.Struct, frozen=True):
    """One wager of a round as it ended; amounts are cents."""

    spot: str
    wager: str  # the opening wager whose edge takes it in; its own spot when none does
    place: str
    result: str
    staked: int  # whatever became of it; nothing where no chips lie
    handle: int  # what was decided of it
    win: int  # the house's; a prize is the meter's
    prize: int = 0
    theory: Fraction | None = None  # what the house wins of it in the long run; None: another entry has it, or nobody
    # (of a Jackpot wager its prizes are taken off)
    known: bool = False  # the edge that takes it in is known for this stake
    why: str = ""  # why not

    @property
    def compared(self) -> int:
        """What theory is compared with: the house's win, less the prize that theory counts too."""
        return self.win - self.prize

    @property
    def of_pots(self) -> bool:
        """Whether it is what players contested: the win of it is the commission."""
        return self.spot == POTS


def entries(record: RoundRecord) -> Iterator[LedgerEntry]:
    """Yields all wagers of a round, and the pots that players contested."""
    rules, options = played_by(record)
    roots: Mapping[str, str] = {} if rules is None else counted_by(rules)
    openings = {(paid.place, paid.spot): paid for paid in record.settlement}
    for paid in record.settlement:
        wager = roots.get(paid.spot, paid.spot)
        opening = openings.get((paid.place, wager))
        if rules is None or options is None:
            expected: Fraction | str = NO_GAME
        elif paid.spot == JACKPOT:
            expected = _of_jackpot(rules, options, record, paid)
        else:
            expected = _expected(rules, options, wager, opening)
        yield _entry(paid, wager, expected, rules)
    yield from _pots(record)


def played_by(record: RoundRecord) -> tuple[Rules | None, Options | None]:
    """Returns the rules and options by which a round was played; None for what is not installed or not known today."""
    rules = INSTALLED.loaded.get(record.game)
    return rules, None if rules is None else _options(rules.options, tuple(record.options.items()))


def _entry(paid: Paid, wager: str, expected: Fraction | str, rules: Rules | None) -> LedgerEntry:
    """Returns the entry of a line; `expected` is what theory says of the wager that takes it in."""
    chips = rules is None or paid.spot not in rules.without_chips
    staked = cents(paid.stake) if chips else 0
    why = expected if isinstance(expected, str) else ""
    prize = cents(paid.prize or "0")
    return LedgerEntry(
        spot=paid.spot,
        wager=wager,
        place=shared_place(paid.place),
        result=paid.result,
        staked=staked,
        handle=staked if paid.result in DECIDED else 0,
        win=prize - cents(paid.net),
        prize=prize,
        theory=expected if isinstance(expected, Fraction) and paid.spot == wager else None,
        known=not why,
        why=why,
    )


def _expected(rules: Rules, options: Options, wager: str, opening: Paid | None) -> Fraction | str:
    """Returns what theory says of an opening wager, or why it says nothing; nothing is expected of one given back."""
    if opening is None or opening.result not in DECIDED:
        return Fraction(0)
    if opening.token:
        return TOKEN
    return theory(rules, wager, cents(opening.stake), options)


def _of_jackpot(rules: Rules, options: Options, record: RoundRecord, paid: Paid) -> Fraction | str:
    """Returns what theory says of a Jackpot wager, with the meter as it stood when the round was judged."""
    if paid.result not in DECIDED:
        return Fraction(0)
    if record.meter is None:
        return NO_METER
    wagers = sum(each.spot == JACKPOT and each.result in DECIDED for each in record.settlement)
    return jackpot_theory(rules, options, int(Fraction(record.meter.settled) * DOLLAR), wagers)


def _pots(record: RoundRecord) -> Iterator[LedgerEntry]:
    """Yields what players contested: the house has its commission of it, and of no place in particular."""
    if record.shared is None:
        return
    contested = sum(cents(pot.amount) for pot in record.shared.pots)
    commission = cents(record.shared.commission or "0")
    if contested or commission:
        handle = contested if record.outcome == "settled" else 0
        yield LedgerEntry(POTS, POTS, "", record.outcome, contested, handle, commission, why=AMONG_PLAYERS)


@lru_cache(maxsize=64)
def _options(kind: type[Options], text: tuple[tuple[str, str], ...]) -> Options | None:
    """Returns the options that a round was played by; None when today's rules do not know them."""
    made = read(kind, dict(text))
    return None if isinstance(made, list) else made
