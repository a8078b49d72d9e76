"""Promotions of a table as people read them: what is offered, prizes and refused claims, vouchers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from controller.money import dollars
from controller.table.state import Claim, Promotion, Table, Voucher
from controller.views.moments import day_and_time, iso


class PromotionShown(TypedDict):
    """A promotion: what its largest prize is worth, and whether it still goes on."""

    name: str
    value: str
    present: bool
    scrutineer: str
    state: str  # offered, postponed, cancelled


class ClaimShown(TypedDict):
    """A prize, or a refused claim; `waits`: what is still to be done, by the key that says that it was."""

    fact: int
    at: str
    promotion: str
    person: str
    amount: str
    refused: str
    waits: str
    how: str
    role: str
    by: str


class VoucherShown(TypedDict):
    """A voucher that was exchanged for tokens or chips."""

    fact: int
    at: str
    place: str
    what: str
    amount: str
    role: str
    by: str


class PromotionsShown(TypedDict):
    """Everything about promotions that the table keeps, the oldest first."""

    promotions: list[PromotionShown]
    claims: list[ClaimShown]
    vouchers: list[VoucherShown]


def shown(table: Table) -> PromotionsShown:
    """Returns the promotions of a table as data."""
    return {
        "promotions": [_promotion(name, each) for name, each in table.promotions.items()],
        "claims": list(map(_claim, table.claims)),
        "vouchers": list(map(_voucher, table.vouchers)),
    }


def _promotion(name: str, offered: Promotion) -> PromotionShown:
    return {
        "name": name,
        "value": dollars(offered.value),
        "present": offered.present,
        "scrutineer": offered.scrutineer,
        "state": offered.stopped or "offered",
    }


def _claim(claim: Claim) -> ClaimShown:
    return {
        "fact": claim.seq,
        "at": iso(claim.at),
        "promotion": claim.promotion,
        "person": claim.person,
        "amount": dollars(claim.amount),
        "refused": claim.refused,
        "waits": claim.waits,
        "how": claim.how,
        "role": claim.role,
        "by": claim.name,
    }


def _voucher(taken: Voucher) -> VoucherShown:
    return {
        "fact": taken.seq,
        "at": iso(taken.at),
        "place": taken.place,
        "what": taken.what,
        "amount": dollars(taken.amount),
        "role": taken.role,
        "by": taken.name,
    }


def lines(all_of_it: PromotionsShown) -> Iterator[str]:
    """Yields the same in lines for people."""
    for each in all_of_it["promotions"]:
        overseen = f", overseen by {each['scrutineer']}" if each["scrutineer"] else ""
        yield f"{each['name']}: {each['state']}, prizes up to {each['value']}{overseen}"
    for claim in all_of_it["claims"]:
        what = f"refused ({claim['refused']})" if claim["refused"] else "won"
        due = f"; press {claim['waits']} when it was done" if claim["waits"] else ""
        how = f", {claim['how']}" if claim["how"] else ""
        yield f"{_when(claim['at'])}  {claim['person']}: {claim['amount']} of {claim['promotion']} {what}{how}{due}"
    for taken in all_of_it["vouchers"]:
        yield f"{_when(taken['at'])}  voucher at {taken['place']}: {taken['amount']} in {taken['what']}"


def _when(at: str) -> str:
    return day_and_time(at)
