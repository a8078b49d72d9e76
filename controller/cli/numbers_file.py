"""The numbers of a journal's file whose daemon does not run: as the daemon would answer."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from controller.api.shapes import FloatShown, NumbersShown
from controller.cli.journal_file import told_of
from controller.errors import FeltError
from controller.views.float_form import FloatEntry
from controller.views.record import RoundRecord

if TYPE_CHECKING:
    from controller.config.model import FloatSection, ReportSection
    from controller.service.round_store import Wanted
    from controller.views.asides import Aside


def numbers_of(file: Path, config: Path | None, asked: dict[str, str]) -> NumbersShown:
    """Returns rounds of a file added up."""
    from controller.api.round_filter import counted
    from controller.service.figures import calendar_of
    from controller.views.numbers import numbers
    from controller.views.recorder import summary

    calendar = calendar_of(_sections(config)[0])
    by, which = counted(asked, calendar, lambda: calendar.today(time.time_ns() // 1000))
    records, _, asides = _read(file)
    wanted = [record for record in records if which.fits(summary(record))]
    beside = (each for each in asides if _within(each, which))
    return {
        "table": wanted[0].table if wanted else "",
        "zone": calendar.name,
        "since": which.since,
        "until": which.until,
        "numbers": numbers(wanted, by, calendar, beside),
        "older": False,
        "behind": None,
    }


def floats_of(file: Path, config: Path | None, asked: dict[str, str]) -> FloatShown:
    """Returns the shifts of the float in a file."""
    from controller.api.round_filter import counted
    from controller.service.figures import calendar_of, floats_within
    from controller.service.round_store import Wanted
    from controller.views.recorder import summary
    from controller.views.table_float import float_report

    report, float_ = _sections(config)
    calendar = calendar_of(report)
    _, which = counted(asked, calendar, lambda: calendar.today(time.time_ns() // 1000))
    records, moved, _ = _read(file)
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


def _within(each: Aside, which: Wanted) -> bool:
    """Tells whether something beside the rounds is asked for."""
    if which.game not in ("", each.game):
        return False
    return each.at.at >= which.since and (not which.until or each.at.at < which.until)


def _read(file: Path) -> tuple[list[RoundRecord], list[FloatEntry], list[Aside]]:
    """Returns the rounds of a file as they are after all that changed them, and what happened beside them."""
    by_opening: dict[int, RoundRecord] = {}
    moved: list[FloatEntry] = []
    asides: list[Aside] = []
    for each in told_of(file):
        match each:
            case RoundRecord():
                by_opening[each.opened.seq] = each
            case FloatEntry():
                moved.append(each)
            case _:
                asides.append(each)
    return [by_opening[seq] for seq in sorted(by_opening)], moved, asides


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
