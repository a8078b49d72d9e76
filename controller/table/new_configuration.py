"""Another configuration at a table that was open: what the sign announces first begins as a notice, never at once.

A restart shortens no notice (s66(2); 000 6.10; 001 8.2(b); 002 7.5.2, 11.2.1(e)(i), 11.2.1(f); 003 9.1.1(g), 9.1.1(h)).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from controller.table import causes
from controller.table.facts import Started
from controller.table.jackpot import system as jackpot_system
from controller.table.options import Options, read, written
from controller.table.rules import Rules
from controller.table.sign import HANDS
from controller.table.state import Table
from controller.table.step import Step
from controller.table.times import TWENTY_MINUTES

Wait: TypeAlias = Literal["", "shown", "hands", "minutes"]  # nothing; a notice; three hands, twenty minutes after it


class HeldStart(NamedTuple):
    """Another configuration with what has to be announced first: as it can begin, or why it cannot begin at all."""

    begin: Started
    against: str = ""  # what the rules have against it as long as this is not in force
    rule: str = ""


def announced_first(game: Rules, before: Table, begin: Started, now: int) -> HeldStart:
    """Returns how a table that was set up otherwise begins: what the sign must announce first stays as it was."""
    after = read(game.options, begin.options)
    known = before.game == begin.game and before.open
    if isinstance(after, list) or not known:  # who starts it hears of the mistakes; a closed table has no sign to keep
        return HeldStart(begin)
    begins = replace(begin, players=bool(before.seats))
    changed = _changed(game, before, begin.options)
    waits = {option: _wait(game, before, after, option) for option in changed}
    first = {option for option, wait in waits.items() if not _waited(before, option, changed[option], wait, now)}
    if first & jackpot_system.ANNOUNCED:
        first |= changed.keys() & set(jackpot_system.FLOOR_WIDE)  # the printed rate goes with option and reset
    if not first:
        return HeldStart(begins)
    narrow = _held_back(before, begins, first)
    against = _against(game, narrow)
    if not against.against:
        return HeldStart(narrow)
    whole = _held_back(before, begins, set(changed))  # what fitted together before still does
    return HeldStart(whole) if not _against(game, whole).against else against


def _changed(game: Rules, before: Table, options: Mapping[str, str]) -> dict[str, str]:
    """Returns the options that differ from those in force, and that people could change at the open table."""
    kind, settings = game.options, game.document.powers.settings
    meant = {option: written(kind, option, text) for option, text in options.items() if option in settings}
    return {option: text for option, text in meant.items() if text != before.options.get(option)}


def _wait(game: Rules, before: Table, after: Options, option: str) -> Wait:
    """Returns how long an option of this configuration must have been announced."""
    now, policy = before.options.typed, game.document.policy
    setting = game.document.powers.settings[option]
    nobody = not before.seats
    if option in after.raised_from(now):
        return "" if nobody and policy.free_when_empty else "minutes"
    if option in jackpot_system.ANNOUNCED:
        return _wait_of_system(now, after, option)
    if nobody:
        return ""
    return "hands" if setting.hands else "shown" if setting.announced else ""


def _wait_of_system(now: Options, after: Options, option: str) -> Wait:
    """Returns how long another prize meter system, or other terms of it, must have been announced."""
    offered = now.terms is not None and after.jackpot is not None
    if not offered:
        return ""
    return "minutes" if option == jackpot_system.GROUP else "shown"


def _waited(before: Table, option: str, value: str, wait: Wait, now: int) -> bool:
    """Tells whether the sign has announced it for as long as it must."""
    shown = [notice for notice in before.notices if notice.changes.get(option) == value]
    match wait:
        case "minutes":
            return any(now - notice.shown >= TWENTY_MINUTES for notice in shown)
        case "hands":
            return any(before.number - notice.round >= HANDS for notice in shown)
        case "shown":
            return bool(shown)
    return True


def _held_back(before: Table, begin: Started, first: set[str]) -> Started:
    """Returns the configuration with these options as they were, and announced as they will be."""
    options = {option: text for option, text in begin.options.items() if option not in first}
    options |= {option: before.options[option] for option in first if option in before.options}
    return replace(begin, options=options, announced={option: begin.options[option] for option in sorted(first)})


def _against(game: Rules, begin: Started) -> HeldStart:
    """Returns what the rules have against the options that a table begins with, while others are announced."""
    options = read(game.options, begin.options)
    assert not isinstance(options, list)  # each of them was read before
    against = options.forbidden({})
    return HeldStart(begin) if against is None else HeldStart(begin, against.text, against.rule)


def tell_of(s: Step, announced: Mapping[str, str]) -> None:
    """Tells who may change them that options of the new configuration are announced, and how they come into force."""
    known = [(option, setting) for option in announced if (setting := s.powers.settings.get(option)) is not None]
    for option, setting in known:
        wanted = f"{option}={written(s.game.options, option, announced[option])}"
        text = f"the configuration says {wanted}: the sign announces it; press set {wanted} when its time is over"
        s.prompt(setting.role, text, setting.rule, offers=("set",), cause=causes.KeyDue())
