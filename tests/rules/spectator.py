"""Looks on while a script is played, and keeps a digest of everything that people and programs are shown.

Nobody can write down by hand what a thousand pictures show.  So the digests are kept, and when one changes somebody
looks whether that was meant.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.games import find
from controller.script.play import Played, Spectator
from controller.script.report import to_json
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table, round_runs
from controller.views import fact_text, phh, receipt, record_text
from controller.views.asides import aside
from controller.views.changes import difference
from controller.views.console import console
from controller.views.felt_story import story
from controller.views.gaming_day import Calendar
from controller.views.numbers import numbers
from controller.views.numbers_form import BYS
from controller.views.numbers_text import lines as numbers_lines
from controller.views.record import RoundRecord
from controller.views.recorder import LaterLines, Recorder, renewed
from controller.views.round_notes import Happened
from controller.views.vouchers import float_entry
from tests.rules import detours
from tests.rules.pictures import pictures

NEW = Table()
LENGTH = 10  # digits of a digest


class Digests(Spectator):
    """Digests: `words` of facts and rounds as they are told, `pictures` of the table after each line."""

    def __init__(self) -> None:
        self.words = hashlib.sha256()
        self.pictures = hashlib.sha256()
        self._before: dict[str, Table] = {}
        self._recorders: dict[str, Recorder] = {}
        self.records: dict[tuple[str, int], RoundRecord] = {}
        self._pictured: dict[str, Table] = {}
        self.runs: dict[str, list[tuple[AnyFact, Table]]] = {}  # by table

    def follow(self, name: str, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        """Tells a fact."""
        before, self._before[name] = self._before.get(name, NEW), table
        self.runs.setdefault(name, []).append((fact, table))
        if not table.game:
            return
        rules = find(table.game)
        self._add(self.words, fact_text.tell(fact), story(fact, table, rules, effects, before))
        recorder = self._recorders.setdefault(name, Recorder(name, _raise))
        happened = Happened(seq, table.now, "", fact, before, table, effects)
        self._add(self.words, aside(happened), float_entry(happened))
        for news in recorder.follow(happened):
            if not isinstance(news, LaterLines):
                self.records[name, news.number] = news
            elif (name, news.number) in self.records:
                self.records[name, news.number] = renewed(self.records[name, news.number], news)

    def line_done(self, tables: Mapping[str, Table]) -> None:
        """Looks at the pictures of the tables that have changed."""
        for name, table in tables.items():
            if table is self._pictured.get(name) or not table.game:
                continue
            before = self._pictured.get(name, NEW)
            self._pictured[name] = table
            self._add(self.pictures, name, *pictures(table))
            if before.game == table.game:
                self._add(self.pictures, difference(before, table, find(table.game)))

    def end(self) -> None:
        """Tells the rounds that were played, and tries every key where one still runs: that takes long."""
        for table in self._pictured.values():
            if round_runs(table):
                self._add(self.pictures, console(table, find(table.game)))
        records = list(self.records.values())
        for record in records:
            self._add(self.words, *told(record))
        for by in BYS:
            self._add(self.words, *numbers_lines(numbers(records, by, Calendar(UTC))))

    def _add(self, to: Any, *shown: object) -> None:
        for each in shown:
            to.update(msgspec.json.encode(each, order="sorted"))
            to.update(b"\n")


def told(record: RoundRecord) -> Iterator[object]:
    """Yields a round as it is told when it is over."""
    yield record
    yield list(record_text.lines(record))
    yield list(receipt.lines(record))
    yield receipt.page(record)
    yield phh.phhs([record])


def digests(name: str, played: Played, seen: Digests, *, beside: bool = True) -> str:
    """Returns what is kept of a run: digests of its JSON, of what was told, of the pictures, and of detours."""
    seen.end()
    told_to_programs = hashlib.sha256(to_json(replace(played, script="")).encode())
    beyond = detours.digest(seen.runs, zlib.crc32(name.encode())) if beside else detours.LEFT_OUT
    kept = (told_to_programs.hexdigest(), seen.words.hexdigest(), seen.pictures.hexdigest(), beyond)
    return " ".join(each[:LENGTH] for each in kept)


def _raise(number: int, bug: Exception) -> None:
    raise AssertionError(f"round {number} cannot be told") from bug
