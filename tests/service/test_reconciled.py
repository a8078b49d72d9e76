"""The numbers of a journal agree to the cent with a fold over its facts that shares nothing with the report's code."""

from __future__ import annotations

import tarfile
from datetime import UTC
from pathlib import Path

import pytest

from controller.games import step
from controller.journal import Journal
from controller.money import cents
from controller.service.retelling import rounds
from controller.table import facts
from controller.table.effects import LinesSettled
from controller.table.state import Line, Table
from controller.views.gaming_day import Calendar
from controller.views.numbers import numbers
from controller.views.record import RoundRecord

KEPT = Path(__file__).parents[1] / "kept" / "0.2.0" / "files.tar.xz"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("kept")
    with tarfile.open(KEPT) as kept:
        kept.extractall(into, filter="data")
    return into


def names() -> list[str]:
    with tarfile.open(KEPT) as kept:
        return sorted(name for name in kept.getnames() if name.endswith(".dealt.db"))


def chips(path: Path) -> tuple[int, int]:
    """What the players' chips changed by in all settled wagers, and what the meter gave of it.

    Only the newest line of each wager stands.
    """
    stands: dict[tuple[int, int, str, str], Line] = {}
    table, begun = Table(), 0
    journal = Journal.inspect(path)
    try:
        for record in journal:
            fact = facts.decode(record.payload)
            begun += isinstance(fact, facts.Started)
            table, effects = step(table, record.seq, record.at_us, fact)
            for effect in effects:
                if isinstance(effect, LinesSettled):
                    stands |= {(begun, effect.round, line.place, line.spot): line for line in effect.lines}
    finally:
        journal.close()
    return sum(line.net for line in stands.values()), sum(line.prize for line in stands.values())


def told(path: Path) -> list[RoundRecord]:
    journal = Journal.inspect(path)
    try:
        by_opening = {record.opened.seq: record for record in rounds(journal)}
    finally:
        journal.close()
    return [by_opening[seq] for seq in sorted(by_opening)]


@pytest.mark.parametrize("name", names())
def test_win_is_what_the_players_lost(files: Path, name: str) -> None:
    records = told(files / name)
    total = numbers(records, "game", Calendar(UTC)).total
    net, prizes = chips(files / name)
    assert cents(total.prizes) == prizes
    assert cents(total.win) - cents(total.commission) == prizes - net
    assert total.rounds == sum(record.ended is not None for record in records) > 0


@pytest.mark.parametrize("name", [name for name in names() if name.startswith(("holdem", "omaha"))])
def test_commission_is_what_the_players_lost_of_pots(files: Path, name: str) -> None:
    records = [record for record in told(files / name) if record.ended is not None]
    lost = -sum(sum(map(cents, record.shared.net.values())) for record in records if record.shared is not None)
    lines = sum(cents(paid.net) for record in records for paid in record.settlement)
    total = numbers(records, "game", Calendar(UTC)).total
    assert cents(total.win) == lost - lines == cents(total.commission) - lines
