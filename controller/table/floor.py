"""What a table knows of the floor: the prize meter systems of other tables, their cards, and options that all share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from controller.jackpot.linking import CLOSING, SYSTEM, System

DEALT: Final = "dealt:"  # in facts: name of another table -> "yes" when cards of a round lie there

Gone: TypeAlias = Literal["", "closed"]  # nobody is in it any more, or it was closed


class SystemIs(msgspec.Struct, frozen=True):
    """How a prize meter system is set up."""

    name: str
    system: System | Gone


class ClosingIs(msgspec.Struct, frozen=True):
    """Since when every table of a system announces its closing; None when not all do."""

    name: str
    since: int | None


class DealtIs(msgspec.Struct, frozen=True):
    """Whether cards of a round lie on another table."""

    table: str
    lie: bool


class OptionIs(msgspec.Struct, frozen=True):
    """What an option is set to on the whole floor, as text."""

    option: str
    value: str


class Unknown(msgspec.Struct, frozen=True):
    """Something of which this version knows nothing: it is on record only."""


News: TypeAlias = SystemIs | ClosingIs | DealtIs | OptionIs | Unknown


def read(option: str, value: str) -> News | None:
    """Returns what the words of a fact say of the floor; None when they cannot be read.

    >>> read("jackpot-closing:G1", "")
    ClosingIs(name='G1', since=None)
    """
    if option.startswith(SYSTEM):
        system = _system(value)
        return None if system is None else SystemIs(option.removeprefix(SYSTEM), system)
    if option.startswith(CLOSING):
        if not re.fullmatch(r"(-?[0-9]{1,18})?", value):
            return None
        return ClosingIs(option.removeprefix(CLOSING), int(value) if value else None)
    if option.startswith(DEALT):
        return DealtIs(option.removeprefix(DEALT), bool(value))
    return Unknown() if ":" in option else OptionIs(option, value)


def _system(words: str) -> System | Gone | None:
    match words:
        case "" | "closed":
            return words
    return System.read(words)


class Floor(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is known of the floor.  Never changes: news make another one."""

    systems: dict[str, System | Gone] = {}  # of other tables, by name
    closings: dict[str, int | None] = {}  # system -> since when every table of it announces its closing
    dealt: dict[str, bool] = {}  # other table -> whether cards of a round lie there
    options: dict[str, str] = {}  # shared by all tables

    @property
    def running(self) -> dict[str, System]:
        """The systems that other tables are in."""
        return {name: system for name, system in self.systems.items() if isinstance(system, System)}

    def after(self, news: News) -> Floor:
        """Returns what is known after these news."""
        match news:
            case SystemIs(name, system):
                return replace(self, systems={**self.systems, name: system})
            case ClosingIs(name, since):
                return replace(self, closings={**self.closings, name: since})
            case DealtIs(table, lie):
                return replace(self, dealt={**self.dealt, table: lie})
            case OptionIs(option, value):
                return replace(self, options={**self.options, option: value})
        return self

    def knows(self, option: str, value: str, unsaid: str | None = None) -> bool:
        """Tells whether a fact with these words would change nothing; `unsaid`: what holds where none was told."""
        news = read(option, value)
        if news is None:
            return False
        last_news = self._last(news)
        if last_news is None and unsaid is not None:
            last_news = read(option, unsaid)
        return last_news == news

    def _last(self, news: News) -> News | None:
        """Returns what was told last of the same thing; None when nothing was."""
        match news:
            case SystemIs(name) if name in self.systems:
                return SystemIs(name, self.systems[name])
            case ClosingIs(name) if name in self.closings:
                return ClosingIs(name, self.closings[name])
            case DealtIs(table) if table in self.dealt:
                return DealtIs(table, self.dealt[table])
            case OptionIs(option) if option in self.options:
                return OptionIs(option, self.options[option])
        return None


NOTHING_TOLD: Final = Floor()


def floor_of(texts: Mapping[str, str]) -> Floor:
    """Returns what these texts of a fact say of the floor; what cannot be read is left out."""
    floor = NOTHING_TOLD
    for option, value in texts.items():
        news = read(option, value)
        floor = floor if news is None else floor.after(news)
    return floor
