"""The receipt of a round for a dispute: one page to print and sign, or plain text, tied to the journal's hash.

It has no script and needs no other file.  Whoever has it can prove later that the journal was not changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.cards import UNREAD
from controller.rules import by as by_rule
from controller.views import paper, record_text
from controller.views.moments import clock, day_and_time, length
from controller.views.paper import POLICY, Receipt, Sheet
from controller.views.record import Hand, Moment, Paid, RoundRecord
from controller.views.record_text import at_place, by

__all__ = ["POLICY", "UNTURNED", "lines", "page", "sheets", "title"]

SIGNATURES: Final = ("Player", "Dealer", "Supervisor")
UNTURNED: Final = f'"{UNREAD}" is a card that the rules did not turn: it stays hidden.'


def title(record: RoundRecord) -> str:
    """Returns what a receipt is of."""
    return f"{record.called.round.capitalize()} {record.number} at table {record.table}: {record.title}"


def _about(record: RoundRecord) -> Iterator[str]:
    outcome = {"open": "still running"}.get(record.outcome, record.outcome)
    yield f"Outcome: {outcome}{by_rule(record.rule)}"
    if record.tournament:
        yield f"A round of the tournament {record.tournament}"
    yield f"Opened {day_and_time(record.opened.at)} UTC"
    if record.ended is not None:
        yield f"Ended {day_and_time(record.ended.at)} UTC, after {length(record.lasted)}"
    if record.unconfirmed:
        yield "The times are not confirmed: no time server kept the clock right"
    for step in record.clock:
        yield f"At {clock(step.at.at)} the machine's clock was set from {step.before} to {step.after}"


def sheets(record: RoundRecord) -> Iterator[Sheet]:
    """Yields the parts of a receipt; those with nothing to tell are left out."""
    for sheet in _sheets(record):
        if sheet.rows or sheet.lines:
            yield sheet


def _sheets(record: RoundRecord) -> Iterator[Sheet]:
    place = record.called.place
    wagers = [
        (at_place(w.place, place), w.spot + (" (token)" if w.token else ""), w.amount, _when(w.at))
        for w in record.wagers
    ]
    yield Sheet("Wagers", (place.capitalize(), "Wager", "Amount", "Placed (UTC)"), wagers, (2,))
    cards = [row for hand in record.hands for row in _cards(hand, place)]
    yield Sheet("Cards", ("Hand", "Cards", "Dealt (UTC)", "Turned (UTC)"), cards)
    yield Sheet("Shuffle and cut", lines=list(record_text.shoe(record)))
    named = [f"{at_place(hand.place, place)}: {hand.name}{_verdict(hand)}" for hand in record.hands if hand.name]
    yield Sheet("Hands", lines=named)
    yield Sheet(
        "Decisions", lines=[f"{_when(d.at)}  {at_place(d.place, place)} {d.in_words}" for d in record.decisions]
    )
    settled = [_paid(paid, place) for paid in record.settlement]
    yield Sheet(
        "Settlement", (place.capitalize(), "Wager", "Stake", "Result", "Net", "How, and by which rule"), settled, (2, 4)
    )
    yield _pots(record)
    yield Sheet("Prize meter and commission", lines=[line.strip() for line in record_text.ended(record)])
    yield Sheet("Disputes", lines=[record_text.dispute(each, place) for each in record.disputes])
    rulings = [f"{_when(r.at)}  {r.ruling}: {r.text}{by_rule(r.rule)}{by(r.by)}" for r in record.rulings]
    yield Sheet("Rulings", lines=rulings)
    yield Sheet("Corrections", lines=list(_corrections(record)))
    yield Sheet("Trouble", lines=[record_text.trouble(each, record.called.place) for each in record.troubles])


def _cards(hand: Hand, place: str) -> Iterator[tuple[str, ...]]:
    """Yields the cards of a hand, those together that were turned at one moment."""
    groups: dict[str, list[int]] = {}
    for n, card in enumerate(hand.cards):
        groups.setdefault("never" if card.turned is None else _when(card.turned), []).append(n)
    for n, (turned, numbers) in enumerate(groups.items()):
        dealt = [_when(hand.cards[number].dealt) for number in (numbers[0], numbers[-1])]
        span = dealt[0] if dealt[0] == dealt[1] else f"{dealt[0]} to {dealt[1]}"
        yield at_place(hand.place, place) if not n else "", " ".join(hand.cards[m].card for m in numbers), span, turned


def _verdict(hand: Hand) -> str:
    if hand.qualifies is None:
        return ""
    return f"; {'qualifies' if hand.qualifies else 'does not qualify'}{by_rule(hand.rule)}"


def _paid(paid: Paid, place: str) -> tuple[str, ...]:
    extra = [paid.pays] if paid.pays else []
    extra += [f"{paid.surplus} too much goes back"] if paid.surplus else []
    extra += [f"token {paid.token}"] if paid.token else []
    extra += [f"rule {paid.rule}"] if paid.rule else []
    net = _signed(paid.net) if paid.result != "open" else ""
    return at_place(paid.place, place), paid.spot, paid.stake, paid.result, net, ", ".join(extra)


def _signed(amount: str) -> str:
    return amount if amount.startswith("-") or not amount.strip("0.") else f"+{amount}"


def _pots(record: RoundRecord) -> Sheet:
    if record.shared is None:
        return Sheet("Pots")
    place = record.called.place
    rows = [
        ("side" if n else "main", pot.amount, ", ".join(f"{place} {seat} {amount}" for seat, amount in pot.won.items()))
        for n, pot in enumerate(record.shared.pots)
    ]
    net = ", ".join(f"{place} {seat} {_signed(amount)}" for seat, amount in record.shared.net.items())
    rows += [("net", "", net)] if net else []
    return Sheet("Pots", ("Pot", "Amount", "Won"), rows, (1,))


def _corrections(record: RoundRecord) -> Iterator[str]:
    for made in record.corrections:
        yield record_text.correction(made)
        yield from (f"  {change}" for change in record_text.changes(made))


def _when(moment: Moment) -> str:
    return clock(moment.at)


# ---- on paper


def lines(record: RoundRecord) -> Iterator[str]:
    """Yields the receipt as plain text that fits a page."""
    return paper.lines(_receipt(record))


def page(record: RoundRecord) -> str:
    """Returns the receipt as one HTML page: no script, no other file, a style for paper."""
    return paper.page(_receipt(record))


def _receipt(record: RoundRecord) -> Receipt:
    facts = f"facts {record.opened.seq} to {record.last}"
    return Receipt(
        title(record),
        list(_about(record)),
        list(sheets(record)),
        [UNTURNED] if _hides(record) else [],
        list(paper.proof(facts, record.table, record.anchor)),
        record.anchor,
        SIGNATURES,
    )


def _hides(record: RoundRecord) -> bool:
    return any(card.card == UNREAD for hand in record.hands for card in hand.cards)
