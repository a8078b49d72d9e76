"""Walks of what stands apart from a table: a prize meter and its audit, and what watches cards and wins."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import msgspec
from msgspec.structs import replace

from controller.guard.acceptance import ShuffleTest, accept
from controller.guard.order import OrderWatch
from controller.guard.pace import PhaseTimes
from controller.guard.pace import find as slow
from controller.guard.win import WagerResult, WinWatch
from controller.jackpot import ledger
from controller.jackpot.audit import Audit, Standing, unlinked
from controller.jackpot.rules import DOLLAR, Jurisdiction, Terms
from controller.table.pace import LONGEST
from controller.views import meters, shuffle_plot
from tests.guard.decks import NEW, fair, riffled

LENGTH = 12  # digits of a digest
MOVEMENTS = 400
NOTE = ledger.Note("counted", ("Ann", "Ben"))
FLUSHES = ("ROYAL_FLUSH", "STRAIGHT_FLUSH", "STRAIGHT_FLUSH")
KINDS = (*["contribution"] * 8, *["reversal"] * 2, "outcome", "outcome", "undo", "refill", "adjustment", "transfer")
SHUFFLES = 60  # that a machine is accepted by


def digest(shown: Iterator[object]) -> str:
    """Returns the digest of all that is shown."""
    found = hashlib.sha256()
    for each in shown:
        found.update(msgspec.json.encode(each, enc_hook=str))
    return found.hexdigest()[:LENGTH]


# ---- a prize meter


def meter(r: Random, kind: str) -> Iterator[object]:
    """Yields what comes of movements that two tables and people tell a meter, and what an audit says of them."""
    first = _terms(r, "nsw" if kind == "nsw" else "vic")
    told = ledger.opened("G", first, r.choice((None, None, first.seed + 5 * first.increment)), spare=r.choice((0, 3)))
    standing, postings, last = Standing(), list[ledger.Posting](), {"a": 0, "b": 0}
    for when in range(MOVEMENTS):
        made, table, note = _movement(r, told, last)
        earlier = standing.earlier(table, made)
        try:
            told, posting = ledger.apply(told, table, made, when, earlier, note, standing.reset_since(earlier))
        except ledger.LedgerError as no:
            yield str(no)
            continue
        last[table] = made.number
        standing.post(posting, told)
        postings.append(posting)
        yield told, posting, ledger.hits_of(posting), ledger.handed_on(told), told.expected, told.wrong()
        yield meters.meter(told), [meters.hit(each) for each in ledger.hits_of(posting)]
    for line in _wrong_lines(r, postings):
        audit = Audit(r.choice((told, told, replace(told, value=told.value + 1))), first)
        for posting in line:
            audit.post(posting)
        yield audit.done(), unlinked(told, line[-5:])


def _terms(r: Random, kind: Jurisdiction) -> Terms:
    return Terms(kind, r.choice((1, 2)), r.choice((20_000, 40_000)), r.choice((100, 500)))


def _movement(r: Random, told: ledger.Meter, last: dict[str, int]) -> tuple[ledger.Movement, str, ledger.Note | None]:
    kind, table, round_ = r.choice(KINDS), r.choice("ab"), r.randint(1, 4)
    step = told.terms.increment
    if r.random() < 0.03:
        note = replace(NOTE, terms=_terms(r, told.kind))
        return ledger.by_people(told, r.choice(("terms", "closing"))), "", r.choice((note, NOTE))
    if kind in ("refill", "adjustment", "transfer"):
        return ledger.by_people(told, kind, r.choice((step, -step, -10 * DOLLAR, 5 * DOLLAR))), "", NOTE
    flushes = tuple((str(n + 1), r.choice(FLUSHES)) for n in range(r.choice((0, 1, 1, 1, 2, 3, 7, 8))))
    ticks = r.choice((step, step, step, step, 0, told.cap + 1)) if kind == "contribution" else 0
    wager = r.choice("123") if kind in ("contribution", "reversal") else ""
    made = ledger.Movement(last[table] + 1, round_, kind, wager, ticks, flushes if kind == "outcome" else ())
    return made, table, None


def _wrong_lines(r: Random, postings: list[ledger.Posting]) -> Iterator[list[ledger.Posting]]:
    """Yields the ledger as it is, without a line, and with one that was changed."""
    yield postings
    at = r.randrange(len(postings))
    yield [*postings[:at], *postings[at + 1 :]]
    wrong = r.choice(({"after": 5}, {"moved": 7}, {"overflow": 1}, {"table": "c"}, {"repeat": True}, {"award": None}))
    yield [*postings[:at], replace(postings[at], **wrong), *postings[at + 1 :]]
    yield postings[: at + 1]


# ---- cards and wins


def guard(r: Random, kind: str) -> Iterator[object]:
    """Yields what is found in decks that were mixed more or less, in wins, and in rounds that took long."""
    decks = 1 if kind == "deck" else 6
    before = [NEW * decks, fair(r, decks)]
    for _ in range(8):
        cards = _mixed(r, r.choice(before))
        watch = OrderWatch(decks, before[-1], before[-2])
        for card in cards:
            watch.draw(r.choice((card, card, card, card, card, card, card, "??", "Kh")) if r.random() < 0.1 else card)
            yield watch.alarm
        yield watch.seen
        before.append(cards)
    yield from _wins(r)
    for number in range(20):
        yield list(slow(PhaseTimes(number, {phase: r.randrange(3 * most) for phase, most in LONGEST.items()})))
    shuffles = [fair(r, decks) if r.random() < 0.9 else _mixed(r, NEW * decks) for _ in range(SHUFFLES)]
    for result in (accept(shuffles, decks), accept(shuffles[1:], decks, shuffles[:-1])):
        yield [_rounded(each) for each in result.tests], result[:2], *result[3:5], f"{result.expected:.9g}", result[6:]
        yield result.accepted, list(shuffle_plot.lines(result)), shuffle_plot.svg(result)


def _rounded(test: ShuffleTest) -> tuple[object, ...]:
    """Returns a test with as many digits as every machine computes alike."""
    return test.name, test.measured, f"{test.x:.9g}", test.freedom, f"{test.chance:.6g}"


def _mixed(r: Random, cards: list[str]) -> list[str]:
    for _ in range(r.choice((0, 0, 1, 1, 2, 3, 7))):
        cards = riffled(cards, r)
    return cards[::-1] if r.random() < 0.3 else cards


def _wins(r: Random) -> Iterator[object]:
    watch, number = WinWatch(), 0
    for _ in range(150):
        number += r.choice((1, 1, 1, 1, 1, 1, 1, 2, 40, -1))
        results = []
        for place in r.sample("1234", 2):
            for stake in r.choice(((1000,), (1000, 500), (2500,))):
                lucky = 0.5 if place in "13" else 0.97
                net = stake * r.choice((1, 1, 2, 5)) if r.random() < lucky else -stake
                results.append(WagerResult(place, stake, net, Fraction(stake, r.choice((20, 33))), r.choice((1, 2, 3))))
        watch.follow(number, results)
        yield watch.stretches, list(watch.find())
