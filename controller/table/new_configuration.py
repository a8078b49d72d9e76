"""Another configuration at a table that was open: what the sign announces first begins as a notice, never at once.

A restart shortens no notice (s66(2); 000 6.10; 001 8.2(b); 002 7.5.2, 11.2.1(e)(i), 11.2.1(f); 003 9.1.1(g), 9.1.1(h)).
Players hear of another game as of a table that closes (000 6.10, 13.3; 001 11.7; 002 16.5; 003 14.7; 004 11.8).
A minimum is that of its game (s66(1)(d), s66(2)): another game has none that could be raised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from controller.rules import Cited
from controller.table import causes
from controller.table.facts import Started
from controller.table.jackpot import system as jackpot_system
from controller.table.keys import CLOSE_TABLE
from controller.table.options import Options, read, written
from controller.table.rules import Rules
from controller.table.sign import announcing, closing_needs, closing_over, players_here
from controller.table.state import Table
from controller.table.step import Step
from controller.table.times import TWENTY_MINUTES
from controller.table.to_go import HANDS, hands_over
from controller.table.values import NONE

Wait: TypeAlias = Literal["", "shown", "hands", "minutes"]  # nothing; a notice; three hands, twenty minutes after it
GROUP = jackpot_system.GROUP
OWN = ""  # a prize meter system of the table's own: the option that names one is not set


class HeldStart(NamedTuple):
    """Another configuration with what has to be announced first: as it can begin, or why it cannot begin at all."""

    begin: Started
    against: Cited | None = None  # what the rules have against it
    step: str = ""  # what somebody does before


def announced_first(former: Rules, game: Rules, before: Table, begin: Started, now: int) -> HeldStart:
    """Returns how a table that was set up otherwise begins: what the sign must announce first stays as it was.

    `former`: the rules of the game that was played here.
    """
    after = read(game.options, begin.options)
    if isinstance(after, list) or not before.open:  # who starts it hears of the mistakes; a closed table has no sign
        return HeldStart(begin)
    against = _left_unannounced(former, before, after, now)
    if against is not None:
        return HeldStart(begin, against, f"press notice {GROUP}={NONE}, and set {GROUP}={NONE} when its time is over")
    if former.name != game.name:
        return _another_game(former, game, before, begin, now)
    begins = replace(begin, players=_players(before))
    changed = _changed(game, before, begin.options)
    waits = {option: _wait(game, before, after, option) for option in changed}
    first = {option for option, wait in waits.items() if not _waited(before, option, changed[option], wait, now)}
    if first & jackpot_system.ANNOUNCED:
        first |= changed.keys() & set(jackpot_system.FLOOR_WIDE)  # the printed rate goes with option and reset
    begins = _outside_of_system(before, begins, after, now)
    if not first:
        return HeldStart(begins)
    narrow = _held_back(before, begins, first)
    if _against(game, narrow) is None:
        return HeldStart(narrow)
    whole = _held_back(before, begins, set(changed))  # what fitted together before still does
    against = _against(game, whole)
    return HeldStart(whole) if against is None else _unfit(narrow, _against(game, narrow))


def _unfit(begin: Started, against: Cited | None) -> HeldStart:
    """Returns a configuration that cannot be played as long as some of it is only announced."""
    assert against is not None  # it was looked for
    later = ", ".join(f"{option}={value}" for option, value in begin.announced.items())
    text = f"the sign has not announced {later} for long enough, and without it: {against.text}"
    return HeldStart(
        begin, replace(against, text=text), f"press notice {later.replace(',', '')}, change them when its time is over"
    )


def _players(before: Table) -> bool:
    """Tells whether players were here, as far as anybody knows: set up anew, a table has seen nobody yet."""
    if before.seats:
        return True
    if before.begun is None or before.round is not None:
        return False
    return before.begun.players


# ---- another game


def _another_game(former: Rules, game: Rules, before: Table, begin: Started, now: int) -> HeldStart:
    """Returns how a table begins with another game: its players were told in time that the former one ends."""
    here = _players(before) or players_here(before, CLOSE_TABLE)
    if here and not closing_over(before, former.document.policy, now):
        needed = closing_needs(former.document.policy)
        text = f"players are here who were not told {needed} before that {former.title} ends"
        step = f"press notice close-table, and close-table {needed} later"
        return HeldStart(begin, Cited(former.document.citations.close, text), step)
    begins = replace(begin, players=here, instead_of=before.game)
    after = read(game.options, begin.options)
    assert not isinstance(after, list)  # it was read before
    return HeldStart(_outside_of_system(before, begins, after, now))


# ---- the prize meter system


def _system(options: Options) -> str:
    """Returns which prize meter system a table is in: a group, one of its own, or none."""
    return NONE if options.terms is None else options.group


def _left_unannounced(former: Rules, before: Table, after: Options, now: int) -> Cited | None:
    """Returns why a table may not leave its prize meter system: no sign has told of it for twenty minutes.

    It cannot stay there for that time: the daemon has no prize meter any more.
    """
    cites = former.document.jackpot
    stays_out = _system(before.options.typed) == NONE
    if cites is None or stays_out:
        return None
    if after.jackpot is not None or _waited(before, GROUP, NONE, "minutes", now):
        return None
    return Cited(cites.link, "no sign has announced for twenty minutes that this table leaves its prize meter system")


def _outside_of_system(before: Table, begin: Started, after: Options, now: int) -> Started:
    """Returns the configuration without the prize meter system until the sign has told of it for twenty minutes.

    A table of the same game that names another group than before has it announced as any option that changes.
    """
    now_in, then_in = _system(before.options.typed), _system(after)
    same_game = before.game == begin.game
    if then_in in (now_in, NONE) or _waited(before, GROUP, then_in, "minutes", now):
        return begin
    another_group = same_game and now_in != NONE
    if another_group and then_in != OWN:
        return begin
    stays = now_in if same_game else NONE
    options = {option: value for option, value in begin.options.items() if option != GROUP}
    return replace(begin, options={**options, GROUP: stays}, announced={**begin.announced, GROUP: then_in})


# ---- options


def _changed(game: Rules, before: Table, options: Mapping[str, str]) -> dict[str, str]:
    """Returns the options that differ from those in force, and that people could change at the open table."""
    kind, settings = game.options, game.document.powers.settings
    meant = {option: written(kind, option, text) for option, text in options.items() if option in settings}
    return {option: text for option, text in meant.items() if text != before.options.get(option)}


def _wait(game: Rules, before: Table, after: Options, option: str) -> Wait:
    """Returns how long an option of this configuration must have been announced."""
    now, policy = before.options.typed, game.document.policy
    setting = game.document.powers.settings[option]
    nobody = not _players(before)
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
    return "minutes" if option == GROUP else "shown"


def _waited(before: Table, option: str, value: str, wait: Wait, now: int) -> bool:
    """Tells whether the sign has announced it for as long as it must."""
    shown = announcing(before, option, value)
    match wait:
        case "minutes":
            return any(now - notice.shown >= TWENTY_MINUTES for notice in shown)
        case "hands":
            return any(hands_over(before, notice) >= HANDS for notice in shown)
        case "shown":
            return bool(shown)
    return True


def _held_back(before: Table, begin: Started, first: set[str]) -> Started:
    """Returns the configuration with these options as they were, and announced as they will be."""
    options = {option: text for option, text in begin.options.items() if option not in first}
    options |= {option: before.options[option] for option in first if option in before.options}
    announced = {option: begin.configured.options[option] for option in sorted(first)}
    return replace(begin, options=options, announced={**begin.announced, **announced})


def _against(game: Rules, begin: Started) -> Cited | None:
    """Returns what the rules have against the options that a table begins with, while others are announced."""
    options = read(game.options, begin.options)
    assert not isinstance(options, list)  # each of them was read before
    return options.forbidden({})


# ---- what people are told


def only_at_a_start(table: Table, now: int) -> bool:
    """Tells whether something that was announced for long enough comes into force with a start: no key can say it."""
    announced = {} if table.begun is None else table.begun.announced
    return announced.get(GROUP) == OWN and _waited(table, GROUP, OWN, "minutes", now)


def tell_of(s: Step, begun: Started, former: Sequence[Rules]) -> None:
    """Tells that another game is played, and who may change them that options of the configuration are announced.

    `former`: what was played here before, if anything else was.
    """
    for other in former:
        text = f"this table plays {s.game.title} since its start, and {other.title} before: check layout and signs"
        s.prompt("dealer", text, s.cites.limits)
    for option, value in begun.announced.items():
        setting = s.powers.settings.get(option)
        if setting is None:
            continue
        meant = written(s.game.options, option, value)
        cause = causes.OnSign(option, meant)
        if value == OWN:
            text = "the configuration says that this table has a Jackpot of its own: the sign announces it; start the "
            s.prompt(setting.role, text + "table again when its time is over", setting.rule, cause=cause)
            continue
        wanted = f"{option}={meant}"
        text = f"the configuration says {wanted}: the sign announces it; press set {wanted} when its time is over"
        s.prompt(setting.role, text, setting.rule, offers=("set",), cause=cause)
