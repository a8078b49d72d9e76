"""The numbers of a journal's file whose daemon does not run: as the daemon would answer."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from controller.api.shapes import FloatShown, NumbersShown
from controller.cli.journal_file import told_of
from controller.errors import FeltError
from controller.views.numbers import numbers
from controller.views.record import RoundRecord
from controller.views.table_float import FloatEntry, float_report

if TYPE_CHECKING:
    from controller.config.model import FloatSection, ReportSection


def numbers_of(file: Path, config: Path | None, asked: dict[str, str]) -> NumbersShown:
    """Returns rounds of a file added up."""
    from controller.api.round_filter import counted
    from controller.service.figures import calendar_of
    from controller.views.recorder import summary

    calendar = calendar_of(_sections(config)[0])
    by, which = counted(asked, calendar, lambda: calendar.today(time.time_ns() // 1000))
    wanted = [record for record in _read(file)[0] if which.fits(summary(record))]
    return {
        "table": wanted[0].table if wanted else "",
        "zone": calendar.name,
        "since": which.since,
        "until": which.until,
        "numbers": numbers(wanted, by, calendar),
        "older": False,
        "behind": None,
    }


def floats_of(file: Path, config: Path | None, asked: dict[str, str]) -> FloatShown:
    """Returns the shifts of the float in a file."""
    from controller.api.round_filter import counted
    from controller.service.figures import calendar_of, floats_within
    from controller.service.round_store import Wanted
    from controller.views.recorder import summary

    report, float_ = _sections(config)
    calendar = calendar_of(report)
    _, which = counted(asked, calendar, lambda: calendar.today(time.time_ns() // 1000))
    records, moved = _read(file)
    wanted, since, until = floats_within(moved, which)
    within = Wanted(since=since, until=until)
    rounds = [record for record in records if within.fits(summary(record))]
    return {
        "table": records[0].table if records else "",
        "since": which.since,
        "until": which.until,
        "float": float_report(wanted, rounds, float_.commission),
        "older": False,
        "behind": None,
    }


def _read(file: Path) -> tuple[list[RoundRecord], list[FloatEntry]]:
    """Returns the rounds of a file as they are after all that changed them, and what was done to the float."""
    by_opening: dict[int, RoundRecord] = {}
    moved: list[FloatEntry] = []
    for each in told_of(file):
        if isinstance(each, RoundRecord):
            by_opening[each.opened.seq] = each
        else:
            moved.append(each)
    return [by_opening[seq] for seq in sorted(by_opening)], moved


def _sections(config: Path | None) -> tuple[ReportSection, FloatSection]:
    """Returns by whose days rounds are counted: as this table.toml says, else those of this computer."""
    from controller.config import ConfigError
    from controller.config.load import load_config
    from controller.config.model import FloatSection, ReportSection

    if config is None:
        return ReportSection(), FloatSection()
    try:
        loaded = load_config(config)
    except ConfigError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
    return loaded.report, loaded.float_
