"""What the sign of a poker table says in plain words: what is in force, and what was announced.  Reads only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from controller.counts import many
from controller.money import on_sign
from controller.poker.options import CrownOptions, crown
from controller.poker.room.sign import AT_ONCE, raises_minimum
from controller.table.board import Row, broken
from controller.table.options import altered
from controller.table.state import Notice, Table
from controller.table.times import TWENTY_MINUTES
from controller.table.to_go import HANDS, hands_over
from controller.table.values import percent, units

NAMES: Final = {
    "holdem": "Holdem",
    "holdem-hi-lo": "Holdem Hi-Lo",
    "pineapple": "Pineapple Holdem",
    "crazy-pineapple": "Crazy Pineapple Holdem",
    "crazy-pineapple-hi-lo": "Crazy Pineapple Hi-Lo",
    "omaha": "Omaha",
    "omaha-hi-lo": "Omaha Hi-Lo",
}
_LIMITS: Final = {
    "no-limit": "No limit",
    "pot": "Pot limit",
    "half-pot": "Half pot limit",
    "fixed": "Fixed limit",
    "spread": "Spread limit",
}
_FEES: Final = {"per-hand": "a hand", "per-person": "a player each hand", "time": "a player each hour"}
_UNITS: Final = {"h": "hour", "m": "minute", "s": "second", "ms": "millisecond"}
_OFTEN: Final = {1: "once", 2: "twice"}
_OPTIONAL: Final = ("Straddle", "Over-blinds", "Buy-in", "Time to act", "More time", "Cash bonus")
_FEWEST: Final = 2  # players; a fee from so many on is a fee from all


class Wait(NamedTuple):
    """What must pass before an announced change; None where it waits for nothing of the kind."""

    hands: int | None = None
    time: int | None = None  # microseconds


# ---- what is in force


def sign(t: Table) -> list[Row]:
    """Returns label and value: the game, its limits, the blinds, then whatever else applies at this table."""
    return [("Game", NAMES[t.game]), *rows_of(crown(t))]


def rows_of(options: CrownOptions) -> list[Row]:
    """Returns the rows of the sign (6.1.1), in the order of interest to somebody who thinks of sitting down."""
    rows = [_limits(options), _blinds(options)]
    if options.straddle:  # 6.5: twice the big blind
        rows.append(("Straddle", on_sign(2 * options.last_blind)))
    if options.over_blinds:  # 8.9.4
        rows.append(("Over-blinds", "each twice the blind before it"))
    if options.buy_in is not None:  # 6.3
        rows.append(("Buy-in", f"from {on_sign(options.buy_in)}"))
    rows += [_commission(options), *_time(options), _side_wager(options)]
    if options.bonus is not None:  # 11.2: the type of prize, and what qualifies for it
        hands = [f"{hand.replace('-', ' ')} {on_sign(prize)}" for hand, prize in options.bonus.prizes]
        rows.append(("Cash bonus", ", ".join(hands)))
    return rows


def _limits(options: CrownOptions) -> Row:
    """Returns the type of betting and its least and most (6.6 to 6.8, s66(1)(c))."""
    kind, (small, large) = options.limit, options.bets
    match kind:
        case "fixed":
            value = f"{on_sign(small)} / {on_sign(large)}"
        case "spread":
            value = f"{on_sign(small)} to {on_sign(large)}"
        case _:
            value = f"from {on_sign(max(options.last_blind, options.min))}"
    return _LIMITS[kind], value


def _blinds(options: CrownOptions) -> Row:
    """Returns how many blinds are compulsory, and how large they are (8.9.1)."""
    return many(len(options.blinds), "blind"), " / ".join(map(on_sign, options.blinds))


def _commission(options: CrownOptions) -> Row:
    """Returns what the house takes (7.1, 7.2.2(c), 7.2.3(b), 7.2.4(a))."""
    rake, cap = options.rake, options.cap
    label = "Time charge" if options.rake_method == "time" else "Commission"
    if rake.nothing:
        return label, "none"  # 7.4
    if rake.share is not None:
        return label, f"{percent(rake.share)} of the pot, {'no cap' if cap is None else f'cap {on_sign(cap)}'}"
    fees = [(least or _FEWEST, on_sign(fee)) for least, fee in rake.steps]
    (least, first), later = fees[0], [f"{fee} from {n} players" for n, fee in fees[1:]]
    start = f", from {least} players" if least > _FEWEST else ""
    return label, ", ".join([f"{first} {_FEES[options.rake_method]}{start}", *later])


def _time(options: CrownOptions) -> list[Row]:
    """Returns the time to act (6.15), and how much more may be bought, how often and for what (6.15.2)."""
    if options.act_time is None:
        return []
    rows = [("Time to act", _duration(options.act_time))]
    if options.extra_time is not None:
        fee, times = options.extra_fee, options.extra_times
        price = "free" if fee is None else f"for {on_sign(fee)}"
        often = "" if times is None else f", {_OFTEN.get(times) or many(times, 'time')} a hand"
        rows.append(("More time", f"{_duration(options.extra_time)} {price}{often}"))
    return rows


def _side_wager(options: CrownOptions) -> Row:
    """Returns the row of Flop Chase: what may be wagered (6.1), and what it pays (10.2.2)."""
    return "Flop Chase", f"{on_sign(options.min)} to {on_sign(options.max)}, pays 7 to 1"


# ---- what was announced


def announcement(t: Table, notice: Notice) -> str:
    """Returns what will be different, in the words that the sign will have then."""
    what = notice.changes
    if notice.closing == "table":
        return "Table closes"
    phrases = _differences(crown(t), what)
    if not phrases:
        phrases = [f"{name} {value}" for name, value in what.items()]
        text = ", ".join(phrases)
    else:
        text = ", ".join(phrase[0].lower() + phrase[1:] for phrase in phrases)
    return text[0].upper() + text[1:]


def _differences(before: CrownOptions, what: Mapping[str, str]) -> list[str]:
    """Returns what will be different; nothing where it does not fit what is in force: more may be announced besides."""
    after = altered(before, what)
    if isinstance(after, list) or after.commission_forbidden():
        return []
    limits = {"min": ("Minimum", after.min), "max": ("Maximum", after.max), "chip": ("Smallest chip", after.chip)}
    phrases = [f"{word} {on_sign(amount)}" for name, (word, amount) in limits.items() if name in what]
    unlimited = replace(after, min=before.min, max=before.max, chip=before.chip)  # those are said as such
    now, then = rows_of(before), rows_of(unlimited)
    gone = {label for label, _ in now if label in _OPTIONAL} - {label for label, _ in then}
    phrases += [" ".join(row) for row in then if row not in now]
    return phrases + [f"no {label.lower()}" for label in sorted(gone)]


def wait(t: Table, notice: Notice, now: int) -> Wait:
    """Returns what must pass: three hands begun after it (6.10, 13.3), twenty minutes for a higher minimum (s66(2))."""
    raised = [option for option, value in notice.changes.items() if raises_minimum(crown(t), option, value)]
    by_hands = bool(notice.closing) or any(option not in (*AT_ONCE, *raised) for option in notice.changes)
    hands = max(0, HANDS - hands_over(t, notice)) if by_hands else None
    return Wait(hands, max(0, notice.shown + TWENTY_MINUTES - now) if raised else None)


def lines(t: Table) -> list[str]:
    """Returns the lines of the sign for a device with short lines and no clock."""
    (_, name), *rows = sign(t)
    texts = [name, *(" ".join(row) for row in rows)] if t.open else [f"{name} closed"]
    for notice in t.notices:
        left = wait(t, notice, t.now).hands
        texts.append(f"soon: {announcement(t, notice)}" + (f", in {many(left, 'hand')}" if left else ""))
    return [part for text in texts for part in broken(text)]


# ---- words


def _duration(time: int) -> str:
    """Returns a time as people say it.

    >>> _duration(90_000)
    '1 minute 30 seconds'
    """
    return " ".join(many(count, _UNITS[unit]) for count, unit in units(time))
