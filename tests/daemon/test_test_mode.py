"""Test mode: a table that says so everywhere, with a journal of its own, and from which no live meter moves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.config import load_config
from controller.daemon.main import MISCONFIGURED
from controller.errors import FeltError
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.store import StoreError
from controller.service.meter_store import keeps_out
from controller.service.new_start import check_kind
from controller.table.facts import Started
from controller.table.state import Table
from tests.daemon.house import failed_process, table_toml
from tests.daemon.test_floor import felt
from tests.jackpot.stores.conftest import dsn, server
from tests.jackpot.stores.telling import NSW, WORDS
from tests.service.clocks import table

__all__ = ["dsn", "server"]


def test_toml(directory: Path, more: str = "", options: str = "", game: str = "casino-war") -> Path:
    path = table_toml(directory, options=options, game=game)
    path.write_text(path.read_text().replace("[table]\n", "[table]\ntest = true\n", 1) + more)
    return path


test_toml.__test__ = False  # type: ignore[attr-defined]


async def test_it_is_said_everywhere(tmp_path: Path) -> None:
    more = '[web]\nlisten = "127.0.0.1:0"\n[device.sign]\nfamily = "display"\naddress = "sim://sign"\n'
    async with table(load_config(test_toml(tmp_path, more))) as t:
        said = await felt(t, "status")
        assert said.stdout.startswith("*** TEST MODE")
        assert t.daemon.status().startswith("TEST MODE: ")
        outputs = t.daemon.service.outputs
        assert outputs.wanted_sign()[0] == "TEST MODE" and outputs.wanted_console()[0].startswith("TEST MODE")
        pages = ("/table", "/display/limits", "/devices", "/console", "/report")
        for page in pages:
            text = await asyncio.to_thread(_page, f"{t.daemon.pages}{page}")
            assert 'class="mark"' in text and "TEST MODE" in text, page
        begun = t.engine.table.begun
        assert begun is not None and begun.kind == "test"


def _page(address: str) -> str:
    from urllib.request import urlopen

    with urlopen(address, timeout=20) as answer:
        return str(answer.read().decode())


# ---- journals


@pytest.mark.parametrize(
    ("before", "now", "code"),
    [
        ("live", "test", "test.live-journal"),
        ("live", "", "test.live-journal"),  # simulated devices on the journal, and beside the meter, of a live table
        ("", "test", "test.live-journal"),
        ("test", "live", "test.journal"),
        ("test", "", "test.journal"),
        ("live", "live", ""),
        ("test", "test", ""),
        ("", "live", ""),
        ("", "", ""),
    ],
)
def test_no_kind_of_table_goes_on_with_the_journal_of_another(before: str, now: str, code: str) -> None:
    journal = Table(begun=Started("casino-war", {}, kind=before))
    begin = Started("casino-war", {}, version="1.0", kind=now)
    if not code:
        check_kind(journal, begin)
        return
    with pytest.raises(FeltError) as caught:
        check_kind(journal, begin)
    assert caught.value.code == code


async def test_the_daemon_refuses_it_and_writes_nothing(tmp_path: Path) -> None:
    path = test_toml(tmp_path)
    async with table(load_config(path)) as t:
        facts = t.engine.seq
    path.write_text(path.read_text().replace("test = true\n", ""))
    refused = await asyncio.to_thread(failed_process, path)
    assert refused.returncode == MISCONFIGURED and "test.journal" in refused.stderr
    path.write_text(path.read_text().replace("[table]\n", "[table]\ntest = true\n"))
    async with table(load_config(path)) as t:
        assert t.engine.seq == facts


# ---- meters


def shared(directory: Path, dsn: str) -> Path:
    way = directory / "jackpot.dsn"
    way.write_text(dsn)
    way.chmod(0o600)
    more = f'[jackpot]\nstore = "postgres"\ndsn-file = "{way}"\n'
    return test_toml(directory, more, 'jackpot = "nsw"\njackpot-group = "G"\n', "caribbean-stud")


async def test_it_does_not_start_on_a_live_meter(dsn: str, tmp_path: Path) -> None:
    live = PostgresStore(dsn)
    await live.open()
    await live.join("G", "L1", NSW, WORDS)
    before = await live.meters(), await live.members()
    refused = await asyncio.to_thread(failed_process, shared(tmp_path, dsn))
    assert refused.returncode == MISCONFIGURED and "test.live-meter" in refused.stderr
    assert (await live.meters(), [each.table for each in await live.members()]) == (before[0], ["L1"])
    await live.close()


async def test_no_door_of_the_store_moves_a_live_meter(dsn: str, tmp_path: Path) -> None:
    """The second level: whatever a test table would write, the transaction itself looks first."""
    live = PostgresStore(dsn)
    await live.open()
    await live.join("G", "L1", NSW, WORDS)
    before = await live.meters()
    kept_out = keeps_out(load_config(shared(tmp_path, dsn)))
    test = PostgresStore(dsn, unless_for_tests=kept_out)
    with pytest.raises(StoreError) as caught:
        await test.open()
    assert caught.value.code == "test.live-meter"
    test._open = True  # as if the first level had been passed
    by, why = ("one", "other"), "a test"
    doors = [
        test.join("G", "T1", NSW, WORDS),
        test.leave("G", "L1"),
        test.record("G", "L1", ()),
        test.adjust("G", 10_000, why, by),
        test.change_terms("G", NSW, why, by),
        test.transfer("G", "H", 1, why, by),
        test.close_group("G", {}, why, by),
        test.announce("G", "L1", {}),
        test.open_logbook("cup", "{}"),
        test.append("cup", 0, "x", "{}"),
    ]
    for door in doors:
        with pytest.raises(StoreError) as caught:
            await door
        assert caught.value.code == "test.live-meter"
    assert await live.meters() == before and [each.table for each in await live.members()] == ["L1"]
    assert await live.logbooks() == []
    await test.close()
    await live.close()
