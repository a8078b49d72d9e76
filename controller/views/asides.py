"""What happened beside the rounds and belongs into a report: alerts, devices that failed, vouchers, prizes."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from controller.money import dollars
from controller.table.facts import AnyFact, DeviceFault, DeviceLost, ProtectionRaised
from controller.views.promotion_prizes import PRIZE, awarded
from controller.views.record import Moment, Plain
from controller.views.round_notes import Happened
from controller.views.vouchers import CHIPS, TOKENS, VOUCHER, exchanged

AsideKind: TypeAlias = Literal["alert", "fault", "voucher", "prize"]
ALERT: Final[AsideKind] = "alert"
FAULT: Final[AsideKind] = "fault"


class Aside(Plain, frozen=True, omit_defaults=False):
    """Something that happened at a table, in a round or between two: once for each fact that told it."""

    at: Moment
    kind: AsideKind
    about: str  # the kind of alert, or device and code
    game: str
    dealer: str  # who was signed in at the console as a dealer; "": nobody
    chips: str = ""  # that were given for a voucher; negative when that was corrected
    tokens: str = ""  # likewise
    prizes: str = ""  # of promotions, likewise


def aside(happened: Happened) -> Aside | None:
    """Returns what a fact tells beside the rounds; None when it tells nothing of it."""
    named = _named(happened.fact)
    table, given = happened.after, exchanged(happened)
    dealer = table.name if table.role == "dealer" else ""
    if any(given.values()):
        amounts = dollars(given[CHIPS]), dollars(given[TOKENS])
        return Aside(happened.moment, VOUCHER, "", table.game, dealer, *amounts)
    if prizes := awarded(happened):
        return Aside(happened.moment, PRIZE, "", table.game, dealer, prizes=dollars(prizes))
    if named is None:
        return None
    return Aside(happened.moment, *named, table.game, dealer)


def _named(fact: AnyFact) -> tuple[AsideKind, str] | None:
    match fact:
        case ProtectionRaised(kind=kind):
            return ALERT, kind
        case DeviceFault(device=device, code=code) | DeviceLost(device=device, code=code):
            return FAULT, f"{device} {code}"
    return None
