"""The ledger of a prize meter: whatever is told, it adds up, and an audit comes to the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.jackpot.audit import Audit, Standing
from controller.jackpot.ledger import (
    LedgerError,
    Meter,
    Movement,
    Note,
    Posting,
    apply,
    by_people,
    handed_on,
    hits_of,
    opened,
)
from controller.jackpot.rules import Terms

NSW, VIC = Terms("nsw", 3, 40_000, 500), Terms("vic", 2, 30_000, 200)
NOTE = Note("counted", ("Ann", "Ben"))
flushes = st.lists(
    st.tuples(st.sampled_from("1234567"), st.sampled_from(["ROYAL_FLUSH", "STRAIGHT_FLUSH"])),
    min_size=1,
    max_size=7,
    unique_by=lambda hand: hand[0],
).map(tuple)
told = st.builds(
    lambda kind, round_, wager, hands: (kind, round_, wager if kind in ("contribution", "reversal") else "", hands),
    st.sampled_from(["contribution"] * 5 + ["reversal", "outcome", "undo", "refill", "adjustment"]),
    st.integers(1, 3),
    st.sampled_from("123"),
    flushes,
)
Ledger = tuple[Meter, list[Posting]]


def ledger(terms: Terms, ceiling: int | None, said: list[tuple[str, int, str, tuple[tuple[str, str], ...]]]) -> Ledger:
    """Every second deed is of the second table."""
    meter, standing, postings, last = (
        opened("G", terms, ceiling, spare=3),
        Standing(),
        list[Posting](),
        dict.fromkeys("ab", 0),
    )
    for i, (kind, round_, wager, hands) in enumerate(said):
        table = "" if kind == "adjustment" else "ab"[i % 2]
        number = meter.recorded + 1 if not table else last[table] + 1
        ticks = {"contribution": terms.increment, "adjustment": -terms.increment}.get(kind, 0)
        m = Movement(number, round_, kind, wager, ticks, hands if kind == "outcome" else ())
        try:
            earlier = standing.earlier(table, m)
            reset = standing.reset_since(earlier)
            meter, posting = apply(meter, table, m, i, earlier, None if table else NOTE, reset)
        except LedgerError:
            below = kind == "adjustment" and terms.kind == "vic" and meter.value - terms.increment < terms.seed
            assert below or (kind == "outcome" and standing.earlier(table, m) is not None)
            continue
        last[table] = number
        standing.post(posting, meter)
        postings.append(posting)
    return meter, postings


@given(st.sampled_from([NSW, VIC]), st.booleans(), st.lists(told, max_size=30))
def test_whatever_is_told_it_adds_up(terms: Terms, low: bool, said: list[object]) -> None:
    meter, postings = ledger(terms, terms.seed + 2 * terms.increment if low else None, said)  # type: ignore[arg-type]
    assert meter.wrong() == ""
    assert meter.value == meter.startup + sum(p.moved for p in postings)
    assert meter.reserve == 3 + sum(p.overflow for p in postings)
    assert meter.house >= 0 and meter.wins >= 0
    assert meter.hits == sum(len(hits_of(p)) for p in postings) - undone(postings)
    audit = Audit(meter, terms)
    for posting in postings:
        audit.post(posting)
    assert audit.done() == []


def undone(postings: list[Posting]) -> int:
    """Prizes of outcomes that were taken back."""
    standing, taken = dict[tuple[str, int], int](), 0
    for p in postings:
        name = p.table, p.movement.round
        if p.movement.kind == "outcome":
            standing[name] = len(hits_of(p))
        elif p.movement.kind == "undo":
            taken += standing.pop(name, 0)
    return taken


@given(st.lists(told, min_size=1, max_size=12), st.data())
def test_no_changed_line_escapes_an_audit(said: list[object], data: st.DataObject) -> None:
    meter, postings = ledger(NSW, None, said)  # type: ignore[arg-type]
    if not postings:
        return
    at = data.draw(st.integers(0, len(postings) - 1))
    field = data.draw(st.sampled_from(["moved", "after", "overflow"]))
    postings[at] = replace(postings[at], **{field: getattr(postings[at], field) + 1})
    audit = Audit(meter, NSW)
    for posting in postings:
        audit.post(posting)
    assert audit.done()


def test_the_equation_names_what_is_wrong() -> None:
    meter = opened("G", NSW, spare=5)
    assert "the meter holds" in replace(meter, value=meter.value + 1).wrong()
    assert "the reserve holds" in replace(meter, reserve=4).wrong()
    assert "below zero" in replace(meter, wagers=-1).wrong()


def test_what_a_closed_meter_hands_on() -> None:
    meter = opened("G", NSW, ceiling=NSW.seed + 1, spare=5)
    meter, _ = apply(meter, "a", Movement(1, 1, "contribution", "1", NSW.increment))
    assert handed_on(meter) == NSW.increment + 5
    meter, _ = apply(meter, "", by_people(meter, "closing"), note=NOTE)
    assert meter.closed and meter.reserve == 0 and meter.value == NSW.seed + NSW.increment + 5


@pytest.mark.parametrize("hand", ["FLUSH", "royal flush", ""])
def test_only_royal_and_straight_flushes_are_the_meters(hand: str) -> None:
    with pytest.raises(LedgerError, match=r"jackpot\.refused"):
        apply(opened("G", NSW), "a", Movement(1, 1, "outcome", flushes=(("1", hand),)))


def test_a_correction_leaves_a_victorian_meter_its_seed() -> None:
    down = Movement(1, 0, "adjustment", ticks=-1)
    with pytest.raises(LedgerError) as caught:
        apply(opened("G", VIC), "", down, note=NOTE)
    assert "9.3" in caught.value.cause
    assert apply(opened("G", NSW), "", down, note=NOTE)[0].value == NSW.seed - 1


def test_a_wager_is_returned_after_its_meter_handed_on_the_reserve() -> None:
    meter = opened("G", NSW, ceiling=NSW.seed + 10)
    meter, bet = apply(meter, "a", Movement(1, 1, "contribution", "3", NSW.increment))
    assert (bet.moved, bet.overflow) == (10, NSW.increment - 10)
    meter, _ = apply(meter, "", Movement(2, 0, "closing"), note=NOTE)
    meter, back = apply(meter, "a", Movement(2, 1, "reversal", "3"), earlier=bet)
    assert (back.moved, back.overflow, meter.value, meter.wrong()) == (-NSW.increment, 0, NSW.seed, "")


@pytest.mark.parametrize("terms", [NSW, VIC])
def test_what_left_with_a_prize_does_not_leave_once_more(terms: Terms) -> None:
    """002 12.4, 003 9.3.2: a wager that was registered before another table's royal is handed back after the reset."""
    meter, standing = opened("G", terms), Standing()
    for table, m in [
        ("a", Movement(1, 1, "contribution", "1", terms.increment)),
        ("b", Movement(1, 1, "outcome", flushes=(("3", "ROYAL_FLUSH"),))),
        ("b", Movement(2, 2, "contribution", "3", terms.increment)),
        ("a", Movement(2, 1, "reversal", "1", terms.increment)),
    ]:
        earlier = standing.earlier(table, m)
        meter, posting = apply(meter, table, m, 0, earlier, None, standing.reset_since(earlier))
        standing.post(posting, meter)
    assert (meter.value, meter.wagers, meter.wrong()) == (terms.seed + terms.increment, 1, "")


def test_a_return_never_takes_a_meter_below_its_seed() -> None:
    """A straight flush left just the seed and a little: the rest is at the house's cost."""
    meter = replace(opened("G", VIC), value=VIC.seed + 5, house=5)
    bet = apply(meter, "a", Movement(1, 1, "contribution", "1", VIC.increment))[1]
    meter, back = apply(meter, "a", Movement(2, 1, "reversal", "1"), 0, bet)
    assert (back.moved, meter.value, meter.house) == (-5, VIC.seed, VIC.increment)
