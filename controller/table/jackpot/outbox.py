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
from controller.table.state import KEEPERS, Entered, JackpotGame, Table

METER = "meter"  # the device as which the table knows its prize meter system


def _write(
    t: Table, kind: str, ticks: int, round_: int, wager: str = "", flushes: tuple[tuple[str, str], ...] = ()
) -> int:
    """Writes a movement for the system; returns the number under which it is told, 0 where there is no system."""
    game = t.jackpot
    if not game.keeper:
        return 0
    game.numbered += 1
    game.outbox.append(Movement(game.numbered, round_, kind, wager, ticks, flushes))
    return game.numbered


def contribution(t: Table, place: str, ticks: int) -> int:
    """Records what a registered wager adds; returns by how much the meter rises."""
    t.jackpot.entered[place] = Entered(t.number, ticks, t.jackpot.resets)
    _write(t, CONTRIBUTION, ticks, t.number, place)
    return ticks


def reversals(t: Table, places: Iterable[str], by: int = 0) -> int:
    """Records that wagers go back with what they added since the meter was reset; returns the change of the meter.

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
    """Records royal and straight flushes; returns the number under which the system answers."""
    return _write(t, OUTCOME, ticks, round_, flushes=tuple((place, hand.name) for place, hand in flushes))


def undo(t: Table, round_: int, ticks: int) -> int:
    """Records that the outcome of a round is invalid; returns the change of the meter."""
    _write(t, UNDO, ticks, round_)
    return ticks


def refill(t: Table, ticks: int) -> int:
    """Records that the house fills the meter up to its seed (003 9.3); returns the change of the meter."""
    _write(t, REFILL, ticks, t.number)
    return ticks


def goes_on(before: Table, t: Table, kept_by: str) -> None:
    """Hands on to a table that starts anew what its system was told, and what was found wrong with it."""
    old, new = before.jackpot, t.jackpot
    keeper = KEEPERS.get(kept_by, "own")  # whoever else keeps it is told
    t.number, new.keeper = before.number, keeper  # a round has its number for ever: contributions are named by it
    if keeper == old.keeper and before.options.typed.group == t.options.typed.group:
        new.outbox, new.numbered, new.recorded = list(old.outbox), old.numbered, old.recorded
        new.ledger = old.ledger
        t.faults = {device: dict(codes) for device, codes in before.faults.items() if device == METER}


def round_opens(t: Table) -> None:
    """Forgets what earlier rounds contributed, but for wagers that were carried over: it can be taken back no more."""
    t.jackpot.entered = {p: was for p, was in t.jackpot.entered.items() if p in t.jackpot.registered}


def unrecorded(game: JackpotGame, after: int = 0) -> int:
    """Returns what the movements do to the meter that the system has not recorded yet."""
    return sum(-m.ticks if m.kind == REVERSAL else m.ticks for m in game.outbox if m.number > after)


# ---- corrections


def after_correction(fact: AnyFact | None, t: Table, was: Table) -> AnyFact | None:
    """Returns what the system says as it would be in a round that is told again.

    What other tables did to the meter stays, what this one did may change.
    """
    if not isinstance(fact, MeterIs | MeterTold):
        return fact
    last = fact.last if isinstance(fact, MeterTold) else 0
    now, then = t.jackpot, was.jackpot
    return replace(fact, value=fact.value + now.meter - then.meter + unrecorded(then, last) - unrecorded(now, last))


def reconcile(table: Table, t: Table) -> None:
    """Goes on, in `t`, with what `table` wrote until now, and adds the difference: `t` is `table` told anew."""
    old, new = table.jackpot, t.jackpot
    if not old.keeper:
        return
    wanted = new.entered
    new.outbox, new.numbered, new.recorded = list(old.outbox), old.numbered, old.recorded
    new.ledger = old.ledger
    new.entered = dict(old.entered)
    new.meter = old.meter
    changes = reversals(t, [p for p, was in old.entered.items() if wanted.get(p) != was])
    for place, entry in wanted.items():
        if place not in new.entered:
            changes += contribution(t, place, entry.ticks)
    new.meter = old.meter + changes
