"""What the table tells its prize meter system: written in the step that moves the meter, numbered, told exactly once.

Nothing is ever taken out but by the system's own word that it is recorded: a correction adds counter-movements.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from controller.hands.categories import Category
from controller.jackpot.ledger import CONTRIBUTION, OUTCOME, REFILL, REVERSAL, UNDO, Movement
from controller.jackpot.rules import given_back
from controller.table.facts import AnyFact, MeterIs, MeterTold
from controller.table.state import Entered, JackpotGame, Table

METER = "meter"  # the device as which the table knows its prize meter system


def _write(
    t: Table, kind: str, ticks: int, round_: int, wager: str = "", flushes: tuple[tuple[str, str], ...] = ()
) -> int:
    """The number under which it is told; 0 when there is no system to tell."""
    game = t.jackpot
    if not game.keeper:
        return 0
    game.numbered += 1
    game.outbox.append(Movement(game.numbered, round_, kind, wager, ticks, flushes))
    return game.numbered


def contribution(t: Table, place: str, ticks: int) -> int:
    """A wager is registered; by how much the meter rises."""
    t.jackpot.entered[place] = Entered(t.number, ticks, t.jackpot.resets)
    _write(t, CONTRIBUTION, ticks, t.number, place)
    return ticks


def reversals(t: Table, places: Iterable[str], by: int = 0) -> int:
    """Wagers go back and take with them what they added since the meter was reset; the change of the meter.

    `by` is what else has moved it in this step.  What was there before a reset left with the prize.
    """
    game, terms = t.jackpot, t.options.typed.terms
    for place in places:
        was = game.entered.pop(place, None) or Entered(t.number, game.increment, game.resets)
        gone = was.resets < game.resets or terms is None
        ticks = 0 if gone or terms is None else given_back(terms, game.meter + by, was.ticks)
        _write(t, REVERSAL, ticks, was.round, place)
        by -= ticks
    return by


def outcome(t: Table, round_: int, flushes: list[tuple[str, Category]], ticks: int) -> int:
    """Royal and straight flushes are recorded; the number under which the system answers."""
    return _write(t, OUTCOME, ticks, round_, flushes=tuple((place, hand.name) for place, hand in flushes))


def undo(t: Table, round_: int, ticks: int) -> int:
    """The outcome of a round is invalid; the change of the meter."""
    _write(t, UNDO, ticks, round_)
    return ticks


def refill(t: Table, ticks: int) -> int:
    """The house fills the meter up to its seed (003 9.3); the change of the meter."""
    _write(t, REFILL, ticks, t.number)
    return ticks


def goes_on(before: Table, t: Table, keeper: str) -> None:
    """A table starts anew: what it has told its system stays told, and so does what was found wrong with it."""
    old, new = before.jackpot, t.jackpot
    t.number, new.keeper = before.number, keeper  # a round has its number for ever: contributions are named by it
    if keeper == old.keeper and before.options.typed.group == t.options.typed.group:
        new.outbox, new.numbered, new.recorded = list(old.outbox), old.numbered, old.recorded
        t.faults = {device: dict(codes) for device, codes in before.faults.items() if device == METER}


def round_opens(t: Table) -> None:
    """What earlier rounds contributed can be taken back no more, but for wagers that were carried over."""
    t.jackpot.entered = {p: was for p, was in t.jackpot.entered.items() if p in t.jackpot.registered}


def unrecorded(game: JackpotGame, after: int = 0) -> int:
    """What the movements do to the meter that the system has not recorded yet."""
    return sum(-m.ticks if m.kind == REVERSAL else m.ticks for m in game.outbox if m.number > after)


# ---- corrections


def retold(fact: AnyFact | None, t: Table, was: Table) -> AnyFact | None:
    """The system's word in a round that is told again: what other tables did to the meter stays, what this one did
    may change."""
    if not isinstance(fact, MeterIs | MeterTold):
        return fact
    last = fact.last if isinstance(fact, MeterTold) else 0
    now, then = t.jackpot, was.jackpot
    return replace(fact, value=fact.value + now.meter - then.meter + unrecorded(then, last) - unrecorded(now, last))


def reconcile(table: Table, t: Table) -> None:
    """`t` is `table` told anew: it goes on with what was written until now, and adds the difference."""
    old, new = table.jackpot, t.jackpot
    if not old.keeper:
        return
    wanted = new.entered
    new.outbox, new.numbered, new.recorded = list(old.outbox), old.numbered, old.recorded
    new.entered = dict(old.entered)
    new.meter = old.meter
    changes = reversals(t, [p for p, was in old.entered.items() if wanted.get(p) != was])
    for place, entry in wanted.items():
        if place not in new.entered:
            changes += contribution(t, place, entry.ticks)
    new.meter = old.meter + changes
