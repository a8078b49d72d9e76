"""Promotions (document 002, rule 15): prizes with their draws, claims that were refused, vouchers for tokens and chips.

None of it touches a round.  What the house must still do is told to whoever decides until it is done; what was done is
on record with who did it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec.structs import replace

from controller.house.step import HouseStep
from controller.money import cents, dollars
from controller.places import area_of
from controller.rules import Role
from controller.table import causes
from controller.table.declare import AMOUNT, AREA, PATRON, PROMOTION, Key, optional, word
from controller.table.documents import Power, Powers
from controller.table.people import excluded
from controller.table.state import Claim, Promotion, Voucher
from controller.table.step import Refusal

OVERSEEN: Final = 10_000_00  # cents: a prize above it may be drawn under the eyes of a scrutineer (15.2)
TWO_DAYS: Final = 2 * 24 * 60 * 60 * 1_000_000  # microseconds in which an absent winner is notified (15.6)
MOST: Final = 1000  # claims and vouchers that the table itself keeps; the journal keeps them all
DECIDES: Final[Role] = "area-manager"

Args: TypeAlias = tuple[str, ...]


def offer(s: HouseStep, args: Args) -> None:
    """Offers a promotion, or goes on with one that was postponed; its largest prize has this value (15.2)."""
    name, value, *present = args
    promotion = Promotion(cents(value), bool(present))
    s.t.promotions[name] = promotion
    if promotion.value > OVERSEEN:
        text = f"the draw of {name} may be overseen by a scrutineer"
        s.prompt(DECIDES, text, "15.2", offers=("scrutineer",), cause=causes.KeyDue())


def scrutineer(s: HouseStep, args: Args) -> None:
    """Names who oversees the draw (15.2)."""
    name, person = args
    promotion = s.t.promotions.get(name)
    if promotion is None:
        raise Refusal("15.2", f"no promotion {name} is offered here")
    s.t.promotions[name] = replace(promotion, scrutineer=person)


def _running(s: HouseStep, name: str) -> Promotion:
    """Returns a promotion that is offered; refuses one that is not, or that was stopped (15.10)."""
    promotion = s.t.promotions.get(name)
    if promotion is None:
        raise Refusal("15.1", f"no promotion {name} is offered here")
    if promotion.stopped:
        raise Refusal("15.10", f"the promotion {name} was {promotion.stopped}")
    return promotion


def prize(s: HouseStep, args: Args) -> None:
    """Awards a prize; who was not there is notified within two days (15.6)."""
    name, person, amount, *away = args
    promotion = _running(s, name)
    if cents(amount) > promotion.value:
        raise Refusal("15.1", f"no prize of {name} is worth more than {dollars(promotion.value)}")
    if away and promotion.present:
        raise Refusal("15.5.7", f"whoever wins a prize of {name} is present")
    claim = _claim(s, name, person, amount)
    if away:
        _wait_for(s, replace(claim, until=s.t.now + TWO_DAYS), "15.6", "notified")
        return
    _keep(s, claim)


def refuse_prize(s: HouseStep, args: Args) -> None:
    """Refuses a claim: it is kept, and the patron informed as soon as practicable (15.8)."""
    name, person, amount, reason = args
    if name not in s.t.promotions:
        raise Refusal("15.1", f"no promotion {name} is offered here")
    _wait_for(s, replace(_claim(s, name, person, amount), refused=reason), "15.8", "informed")


def _claim(s: HouseStep, promotion: str, person: str, amount: str) -> Claim:
    return Claim(s.seq, promotion, person, cents(amount), s.role, s.name, s.t.now + s.t.ahead)


def _wait_for(s: HouseStep, claim: Claim, rule: str, key: str) -> None:
    """Keeps a claim of which somebody is still to hear, and says so."""
    _keep(s, replace(claim, waits=key))
    text = f"{claim.person} is to hear: {_spoken(claim)}"
    s.prompt(DECIDES, text, rule, offers=(key,), cause=causes.PatronWaits(claim.seq))


def _spoken(claim: Claim) -> str:
    prize = f"{dollars(claim.amount)} of {claim.promotion}"
    return f"the claim to {prize} is refused ({claim.refused})" if claim.refused else f"a prize of {prize} is won"


def _keep(s: HouseStep, claim: Claim) -> None:
    s.t.claims = [*s.t.claims, claim][-MOST:]


def _patron_knows(s: HouseStep, name: str, person: str, key: str, rule: str, how: str) -> None:
    """Takes note that a patron has heard of it: of the claim that waits for longest."""
    for number, claim in enumerate(s.t.claims):
        if (claim.promotion, claim.person, claim.waits) == (name, person, key):
            s.t.claims[number] = replace(claim, waits="", how=how)
            return
    raise Refusal(rule, f"nothing of {name} waits to be told to {person}")


def notified(s: HouseStep, args: Args) -> None:
    """Takes note of how a winner was notified (15.6)."""
    name, person, how = args
    _patron_knows(s, name, person, "notified", "15.6", how)


def informed(s: HouseStep, args: Args) -> None:
    """Takes note that a patron knows that the claim is refused (15.8)."""
    name, person = args
    _patron_knows(s, name, person, "informed", "15.8", "informed")


def overdue(s: HouseStep) -> None:
    """Tells once of winners who should have been notified by now (15.6)."""
    for number, claim in enumerate(s.t.claims):
        if claim.waits and 0 < claim.until <= s.t.now:
            s.t.claims[number] = replace(claim, until=0)
            text = f"{claim.person} was to be notified within two days: {_spoken(claim)}"
            s.prompt(DECIDES, text, "15.6", offers=("notified",), cause=causes.PatronWaits(claim.seq))


def cancel(s: HouseStep, args: Args) -> None:
    """Postpones a promotion, or cancels it: then an inspector is notified (15.10)."""
    name, *postponed = args
    promotion = s.t.promotions.get(name)
    if promotion is None or promotion.stopped == "cancelled":
        raise Refusal("15.10", f"no promotion {name} is offered here")
    s.t.promotions[name] = replace(promotion, stopped="postponed" if postponed else "cancelled")
    if not postponed:
        s.prompt(DECIDES, f"{name} is cancelled: notify an inspector", "15.10", cause=causes.Noted())


def voucher(s: HouseStep, args: Args) -> None:
    """Takes a voucher in exchange for tokens or chips of its value (1.1)."""
    place, what, amount = args
    if area_of(place) > s.t.options.typed.seats:
        raise Refusal(s.cites.places, f"this table has {s.t.options.typed.seats} places")
    if excluded(s.t, place):
        raise Refusal(s.cites.excluded, "this player is excluded from the game")
    if not cents(amount):
        raise Refusal("1.1", "a voucher has a value")
    taken = Voucher(s.seq, place, what, cents(amount), s.role, s.name, s.t.now + s.t.ahead)
    s.t.vouchers = [*s.t.vouchers, taken][-MOST:]


def _power(powers: Powers) -> Power | None:
    return powers.promotions


PROMOTIONS: Final[dict[Key, Callable[[HouseStep, Args], None]]] = {
    Key(
        "voucher",
        AREA,
        word("tokens", "chips"),
        AMOUNT,
        says="a voucher is exchanged: for promotional tokens of its value, or for chips",
    ): voucher,
    Key(
        "promotion",
        PROMOTION,
        AMOUNT,
        optional(word("present")),
        power=_power,
        says="a promotion is offered, or goes on, with prizes up to this value; `present`: winners must be present",
    ): offer,
    Key(
        "scrutineer", PROMOTION, PATRON, power=_power, says="the draw of this promotion is overseen by this person"
    ): scrutineer,
    Key(
        "prize",
        PROMOTION,
        PATRON,
        AMOUNT,
        optional(word("absent")),
        power=_power,
        says="this person wins a prize of this promotion; `absent`: and is to be notified",
    ): prize,
    Key(
        "notified",
        PROMOTION,
        PATRON,
        word("person", "mail", "telephone", "e-mail"),
        power=_power,
        says="the winner was notified so",
    ): notified,
    Key(
        "refuse-prize",
        PROMOTION,
        PATRON,
        AMOUNT,
        word("excluded", "cheating", "conduct", "terms"),
        final=True,
        power=_power,
        says="the claim of this person to a prize is refused, and kept",
    ): refuse_prize,
    Key("informed", PROMOTION, PATRON, power=_power, says="this person knows that the claim is refused"): informed,
    Key(
        "cancel-promotion",
        PROMOTION,
        optional(word("postponed")),
        final=True,
        power=_power,
        says="the promotion is cancelled, or postponed",
    ): cancel,
}
PROMOTION_KEYS: Final = tuple(PROMOTIONS)
HANDLERS: Final = {key.name: does for key, does in PROMOTIONS.items()}
