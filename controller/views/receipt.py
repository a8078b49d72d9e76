"""The receipt of a round for a dispute: one page to print and sign, or plain text, tied to the journal's hash.

It has no script and needs no other file.  Whoever has it can prove later that the journal was not changed.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from textwrap import wrap
from typing import Final, NamedTuple

from controller.cards import UNREAD
from controller.rules import by as by_rule
from controller.views import record_text
from controller.views.moments import clock, day_and_time, length
from controller.views.plain import one_line
from controller.views.record import Hand, Moment, Paid, RoundRecord
from controller.views.record_text import at_place, by

WIDTH: Final = 79
SIGNATURES: Final = ("Player", "Dealer", "Supervisor")
STYLE: Final = """
:root { color-scheme: light; }
body { font: 15px/1.4 system-ui, sans-serif; color: #111; background: #fff; }
main { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; border-bottom: 1px solid #111; }
p { margin: .25rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .2rem .6rem .2rem 0; vertical-align: top; border-bottom: 1px solid #bbb; }
th { font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; padding-right: 1.5rem; }
.proof { font: .85rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; background: #f2f2f2; padding: .5rem; }
.sign { display: flex; gap: 2rem; margin-top: 3rem; }
.sign div { flex: 1; border-top: 1px solid #111; padding-top: .25rem; }
@media print {
  body { font-size: 8pt; line-height: 1.15; }
  h1 { font-size: 13pt; }
  h2 { font-size: 9.5pt; margin: .6rem 0 .15rem; }
  p { margin: 0; }
  th, td { padding: .02rem .6rem .02rem 0; }
  .lines { columns: 2; }
  .sign { margin-top: 2rem; }
  main { margin: 0; padding: 0; max-width: none; }
  .proof { background: none; border: 1px solid #111; }
  tr, .sign, .proof { break-inside: avoid; }
}
@page { size: A4; margin: 12mm 15mm; }
"""
_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY: Final = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"


class Sheet(NamedTuple):
    """A part of a receipt: a table with its heading, or lines."""

    title: str
    heading: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    numbers: Sequence[int] = ()  # which columns are amounts
    lines: Sequence[str] = ()


def title(record: RoundRecord) -> str:
    """Returns what a receipt is of."""
    return f"{record.called.round.capitalize()} {record.number} at table {record.table}: {record.title}"


def _about(record: RoundRecord) -> Iterator[str]:
    outcome = {"open": "still running"}.get(record.outcome, record.outcome)
    yield f"Outcome: {outcome}{by_rule(record.rule)}"
    yield f"Opened {day_and_time(record.opened.at)} UTC"
    if record.ended is not None:
        yield f"Ended {day_and_time(record.ended.at)} UTC, after {length(record.lasted)}"
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


def _proof(record: RoundRecord) -> Iterator[str]:
    yield f"This is told from facts {record.opened.seq} to {record.last} of the journal of table {record.table}."
    if record.anchor:
        yield "The line below is an anchor: it proves that nothing up to there was changed."
        yield "To check, put it into a file and run: felt journal verify --anchor FILE"


UNTURNED: Final = f'"{UNREAD}" is a card that the rules did not turn: it stays hidden.'


# ---- plain text


def lines(record: RoundRecord) -> Iterator[str]:
    """Yields the receipt as plain text that fits a page."""
    for line in _lines(record):
        text = one_line(line)
        fits = len(text) <= WIDTH or line == record.anchor  # which must stay one line: it is copied into a file
        yield from [text] if fits else wrap(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _lines(record: RoundRecord) -> Iterator[str]:
    yield title(record)
    yield "=" * min(WIDTH, len(title(record)))
    yield from _about(record)
    for sheet in sheets(record):
        yield ""
        yield f"{sheet.title}:"
        if sheet.rows:
            yield from _columns([sheet.heading, *sheet.rows], sheet.numbers)
        yield from (f"  {line}" for line in sheet.lines)
    if _hides(record):
        yield ""
        yield UNTURNED
    yield ""
    yield from _proof(record)
    if record.anchor:
        yield record.anchor
    yield ""
    for who in SIGNATURES:
        yield ""
        yield f"{who + ':':<12}______________________________   Date: ____________________"


def _columns(rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> Iterator[str]:
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(w) if n in numbers else cell.ljust(w)
            for n, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()


# ---- a page


def page(record: RoundRecord) -> str:
    """Returns the receipt as one HTML page: no script, no other file, a style for paper."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head += f"<title>{_safe(title(record))}</title>"
    return "".join(
        (
            f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body><main>\n',
            f"<h1>{_safe(title(record))}</h1>\n",
            *(f"<p>{_safe(line)}</p>\n" for line in _about(record)),
            *(_section(sheet) for sheet in sheets(record)),
            f"<p>{_safe(UNTURNED)}</p>\n" if _hides(record) else "",
            "<h2>Proof</h2>\n",
            *(f"<p>{_safe(line)}</p>\n" for line in _proof(record)),
            f'<p class="proof">{_safe(record.anchor)}</p>\n' if record.anchor else "",
            f'<div class="sign">{"".join(f"<div>{who}, date</div>" for who in SIGNATURES)}</div>\n',
            "</main></body></html>\n",
        )
    )


def _section(sheet: Sheet) -> str:
    table = ""
    if sheet.rows:
        head = _cells("th", sheet.heading, sheet.numbers)
        body = "".join(f"<tr>{_cells('td', row, sheet.numbers)}</tr>\n" for row in sheet.rows)
        table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>\n"
    lines = "".join(f"<p>{_safe(line.strip())}</p>\n" for line in sheet.lines)
    return f'<section>\n<h2>{_safe(sheet.title)}</h2>\n{table}<div class="lines">{lines}</div>\n</section>\n'


def _cells(tag: str, cells: Iterable[str], numbers: Sequence[int]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    return "".join(f"<{tag}{scope}{_class(n, numbers)}>{_safe(cell)}</{tag}>" for n, cell in enumerate(cells))


def _class(n: int, numbers: Sequence[int]) -> str:
    return ' class="number"' if n in numbers else ""


def _safe(text: str) -> str:
    """Returns words of devices and people so that they cannot be anything but words."""
    return escape(one_line(text))


def _hides(record: RoundRecord) -> bool:
    return any(card.card == UNREAD for hand in record.hands for card in hand.cards)
