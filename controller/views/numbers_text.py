"""Numbers of shifts, days, dealers, games and wagers in lines that people read, and as rows for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from controller.money import cents
from controller.views.numbers_form import Numbers, Part
from controller.views.record_text import fit
from controller.views.round_text import short, signed

INDENT: Final = 4
NAMES: Final = 23  # characters for the name of a part
HOLD: Final = 8  # and for its hold
HEADING: Final = ("rounds", "an hour", "handle", "win", "theory", "hold")
COLUMNS: Final = tuple(name for name in Part.__struct_fields__ if name != "unknown")
ASSUMED: Final = (
    "theory: what the house wins in the long run of wagers whose edge is known, when every decision is played best and "
    "no card is known but one's own and what lies open"
)


def lines(numbers: Numbers) -> Iterator[str]:
    """Yields the numbers, no line wider than a terminal."""
    yield _row(numbers.by, HEADING)
    for part in numbers.parts:
        yield _figures(part)
    yield _figures(numbers.total)
    yield from _aside(numbers.total)
    if numbers.edges:
        yield from fit(f"  {ASSUMED}", INDENT)
    for edge in numbers.edges:
        options = "".join(f" {name}={value}" for name, value in edge.options.items())
        yield from fit(f"  {edge.game}{options}: {edge.wager} {edge.percent} % = {edge.exact}, {edge.covers}", INDENT)


def _aside(total: Part) -> Iterator[str]:
    """Yields what the table of numbers has no column for."""
    if (total.known_handle, total.known_win) != (total.handle, total.win):
        known = f"{signed(total.known_win)} won of {short(total.known_handle)}"
        yield from fit(f"  of wagers whose edge is known: {known}; theory says {signed(total.theoretical)}", INDENT)
    for each in total.unknown:
        yield from fit(f"  no theory for {short(each.handle)} on {each.wager} ({each.game}): {each.why}", INDENT)
    if total.prizes_won:
        won = f"{total.prizes_won}, {short(total.prizes)} together"
        yield from fit(f"  prizes of Jackpots, not in win, but taken off where theory is compared: {won}", INDENT)
    given = {"chips": total.chip_vouchers, "tokens": total.token_vouchers}
    words = " and ".join(f"{short(amount)} in {what}" for what, amount in given.items() if cents(amount))
    if words:
        yield f"  given for vouchers, not in win: {words}"
    if cents(total.promotion_prizes):
        yield from fit(f"  prizes of promotions, of the cashier, not in win: {short(total.promotion_prizes)}", INDENT)
    counts = {
        "not settled": total.rounds - total.settled,
        "irregular rounds": total.irregular,
        "rulings": total.rulings,
        "corrections": total.corrections,
        "faults of devices": total.device_faults,
        "alerts of game protection": total.alerts,
    }
    words = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    if words:
        yield from fit(f"  {words}", INDENT)


def rows(numbers: Numbers) -> Iterator[tuple[str, ...]]:
    """Yields the cells of a spreadsheet, its heading first; all of it together is the last row."""
    yield ("by", *COLUMNS)
    for part in (*numbers.parts, numbers.total):
        values: dict[str, Any] = msgspec.to_builtins(part)
        yield (numbers.by, *("" if values[name] is None else str(values[name]) for name in COLUMNS))


def _figures(part: Part) -> str:
    pace = "-" if part.pace is None else f"{part.pace:g}"
    cells = (str(part.rounds), pace, short(part.handle), signed(part.win), signed(part.theoretical), _hold(part.hold))
    return _row(part.name, cells)


def _hold(hold: float | None) -> str:
    """Returns a hold that fits its column, whatever it is.

    >>> _hold(2.5), _hold(-100.0), _hold(-12345.678), _hold(-1e9), _hold(None)
    ('2.50 %', '-100 %', '-12346 %', '-1e+09 %', '-')
    """
    if hold is None:
        return "-"
    whole = f"{hold:.2f} %", f"{hold:.0f} %"
    return next((each for each in whole if len(each) <= HOLD), f"{hold:.0e} %")


def _row(name: str, cells: tuple[str, ...]) -> str:
    rounds, pace, handle, win, theory, hold = cells
    name = name if len(name) <= NAMES else f"{name[: NAMES - 2]}.."
    return f"{name:<{NAMES}} {rounds:>6} {pace:>7} {handle:>10} {win:>10} {theory:>10} {hold:>{HOLD}}"
