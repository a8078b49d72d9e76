"""The lines of the limit sign for a device: what is in force, what comes soon, and from when on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.counts import many
from controller.table.board import broken
from controller.table.rules import Rules
from controller.table.state import Notice, Table
from controller.table.times import TWENTY_MINUTES
from controller.table.view import sign_text
from controller.views.presenter import presenter

HEAD = 2  # lines of game and limits: what is announced comes behind them, for a sign that takes only a few
Clock = Callable[[int], str]  # a moment in microseconds since 1970 -> the time of day


def sign_lines(table: Table, rules: Rules, now: int, clock: Clock) -> list[str]:
    """Returns the lines; what must be announced for a time is shown with the time of the change (s66(2))."""
    if not table.notices:
        return sign_text(table, rules)
    in_force = sign_text(replace(table, notices=[]), rules)
    shown = zip(table.notices, presenter(rules).sign(table, rules, now)["notices"], strict=True)
    timed = [(notice, text) for notice, words in shown if (text := _with_time(table, notice, words, clock))]
    soon = [notice for notice in table.notices if not any(notice is other for other, _ in timed)]
    lines = sign_text(replace(table, notices=soon), rules)
    announced = [part for _, text in timed for part in broken(text)]
    if lines[: len(in_force)] != in_force:  # a game that says it in an order of its own
        return [*lines, *announced]
    return [*in_force[:HEAD], *lines[len(in_force) :], *announced, *in_force[HEAD:]]


def _with_time(table: Table, notice: Notice, words: dict[str, Any], clock: Clock) -> str:
    """Returns what a notice says with its time or its rounds; "" when it has come, or waits for something else."""
    if words.get("seconds"):
        return f"from {clock(notice.shown + TWENTY_MINUTES + table.ahead)}: {words['text']}"
    return f"soon: {words['text']}, in {many(words['rounds'], 'round')}" if words.get("rounds") else ""
