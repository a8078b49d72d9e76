"""Wrong PINs: who tries one after the other has time, for nobody at the table sees a page elsewhere."""

from __future__ import annotations

from typing import Final

from controller.guard.suspicions import Suspicion
from controller.table.facts import WRONG_PIN, AnyFact, SignInFailed
from controller.table.sign_in import MOST_WRONG, wrong_pins
from controller.table.state import Table

LOOK: Final = (
    "Ask whose badge it is; find out who was at that place.  Where a PIN may be known: `felt people pin NAME`."
)


def look(fact: AnyFact, table: Table, seq: int) -> Suspicion | None:
    """Returns what a person has to look at when this fact, number `seq`, is the fifth wrong PIN, or the tenth, ..."""
    if not isinstance(fact, SignInFailed) or fact.why != WRONG_PIN:
        return None
    of_badge, at_place = wrong_pins(table, fact)
    where = f"at the {fact.place}"
    if fact.person and of_badge and of_badge % MOST_WRONG == 0:
        text = f"{of_badge} PINs for the badge of {fact.person} were wrong, the last one {where}."
    elif at_place and at_place % MOST_WRONG == 0:
        text = f"{at_place} PINs {where} were wrong."
    else:
        return None
    return Suspicion("pins", str(seq), text, LOOK)
