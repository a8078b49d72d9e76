"""The keys of the days: durable before they are used, one a day, and refused by name when something is wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable
from pathlib import Path

import pytest

from controller.config import TableConfig, cards_key, load_config
from controller.config.errors import ConfigError
from controller.errors import FeltError
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.journal.veil import NO_VEIL
from controller.journal.writer import InlineWriter
from controller.service.card_store import veil_of
from controller.service.card_veil import CardVeil
from controller.service.day_key_file import DayKeyFile
from controller.service.day_keys import AGAIN, DAY, DayKey, DayKeys, in_memory
from controller.service.engine import Engine
from controller.service.key_retention import KeyRetention, expired
from controller.table import facts
from controller.table.facts import CardKeysDestroyed, CardOut, DeviceCleared, DeviceFault, Key
from controller.table.wall_clock import CLOCK
from tests.daemon.house import table_toml
from tests.service.hidden_table import DEAL, KEY, THREE, play, round_of, stored, veil_in

SHORT = '{"name": "AAAA", "began": 0, "wrapped": "AAAA"}'  # what nobody wrapped


def test_each_day_has_a_key_of_its_own() -> None:
    keys = DayKeys(in_memory)
    first = keys.now(100)
    assert keys.now(100 + DAY - 1) == first
    second = keys.now(100 + DAY)
    assert second != first and len(second.secret) == 32
    assert keys.now(50) not in (first, second)  # the clock was set back: nobody knows how old what comes is


def test_a_key_is_in_the_file_before_it_is_used(tmp_path: Path) -> None:
    kept: list[Collection[DayKey]] = []
    keys = DayKeys(kept.append)
    day = keys.now(5)
    assert list(kept[-1]) == [day]


def test_a_kill_behind_the_key_and_before_the_card_loses_nothing(tmp_path: Path) -> None:
    veil = veil_in(tmp_path)
    day = veil.keys.now(0)  # and then it was killed
    (tmp_path / "keys" / ".day-keys.json.new").write_text("half of a f")  # or in the middle of the next one
    again = veil_in(tmp_path)
    assert again.keys.all() == [day]
    play(tmp_path, again, *round_of(DEAL))
    assert len(again.keys.all()) == 1


def test_the_file_tells_nothing_without_the_key(tmp_path: Path) -> None:
    day = veil_in(tmp_path).keys.now(0)
    path = tmp_path / "keys" / "day-keys.json"
    assert day.secret not in path.read_bytes() and day.secret.hex() not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FeltError) as wrong:
        veil_in(tmp_path, bytes(32))
    assert wrong.value.code == "cards.wrong-key"


def test_a_destroyed_key_is_gone_from_the_file(tmp_path: Path) -> None:
    veil = veil_in(tmp_path)
    first, second = veil.keys.now(0), veil.keys.now(DAY)
    veil.keys.destroy([first.name])
    again = veil_in(tmp_path).keys
    assert again.find(first.name) is None and again.find(second.name) == second
    assert len(json.loads((tmp_path / "keys" / "day-keys.json").read_text())["days"]) == 2  # that it was is known


@pytest.mark.parametrize(
    ("text", "mode", "code"),
    [
        ("nonsense", 0o600, "cards.day-keys-unreadable"),
        ('{"form": 1, "table": "T2", "days": []}', 0o600, "cards.day-keys-unreadable"),
        ('{"form": 2, "table": "T1", "days": []}', 0o600, "cards.day-keys-unreadable"),
        ('{"form": 1, "table": "T1", "days": []}', 0o644, "cards.day-keys-permissions"),
        (
            '{"form": 1, "table": "T1", "days": [{"name": "AAAA", "began": 0, "wrapped": "AAAA"}]}',
            0o600,
            "cards.wrong-key",
        ),
    ],
)
def test_a_file_not_to_trust_is_named(tmp_path: Path, text: str, mode: int, code: str) -> None:
    path = tmp_path / "day-keys.json"
    path.write_text(text)
    path.chmod(mode)
    with pytest.raises(FeltError) as wrong:
        DayKeyFile(path, "T1", KEY).keys()
    assert wrong.value.code == code


class Disk:
    """Where keys are kept, until it fails."""

    def __init__(self) -> None:
        self.fails = False
        self.tried = 0

    def keep(self, _days: Collection[DayKey]) -> None:
        self.tried += 1
        if self.fails:
            raise FeltError("cards.day-keys-unwritable", "the disk is read-only")


def test_a_key_that_cannot_be_kept_leaves_the_last_one_in_use() -> None:
    disk = Disk()
    keys = DayKeys(disk.keep)
    first = keys.now(0)
    disk.fails = True
    assert keys.now(DAY) == keys.now(DAY + AGAIN - 1) == first
    assert disk.tried == 2  # not with every card
    disk.fails = False
    assert keys.now(DAY + AGAIN) != first


def test_without_any_key_a_card_is_not_stored(tmp_path: Path) -> None:
    disk = Disk()
    disk.fails = True
    with pytest.raises(JournalError) as refused:
        play(tmp_path, CardVeil(DayKeys(disk.keep)), CardOut("Kh"))
    assert refused.value.code == "cards.day-keys-unwritable"
    assert not any(isinstance(facts.decode(each), CardOut) for each in stored(tmp_path))


# ---- retention


def test_keys_are_destroyed_when_their_time_is_over_and_a_start_needs_them_no_more(tmp_path: Path) -> None:
    veil = veil_in(tmp_path)
    journal = Journal.open(tmp_path / "journal.db", table="T1", veil=veil)
    now = [0]

    async def story() -> None:
        engine = Engine(journal, InlineWriter(journal), clock=lambda: now[0])
        engine.recover()
        await engine.start(THREE)
        retention = KeyRetention(engine, journal, days=2)
        for day in range(6):
            now[0] = day * DAY
            for fact in round_of(DEAL):
                await engine.submit(fact)
            if day < 4:
                engine._snapshot()
            await retention.look()
        while engine.pending:  # noqa: ASYNC110
            await asyncio.sleep(0)

    asyncio.run(story())
    held = [bool(day.secret) for day in veil.keys.all()]
    assert held == [False, True, True, True, True, True]  # the snapshots of days 1, 2 and 3 are kept
    destroyed = [fact for each in journal if isinstance(fact := facts.decode(each.payload), CardKeysDestroyed)]
    journal.close()
    assert [(fact.days, fact.retention) for fact in destroyed] == [((veil.keys.all()[0].name,), 2)]
    again = Journal.open(tmp_path / "journal.db", table="T1", veil=veil)
    Engine.recover(_engine(again))
    again.close()


async def test_no_key_is_destroyed_by_a_day_that_nobody_believes(tmp_path: Path) -> None:
    veil = veil_in(tmp_path)
    journal, now = Journal.open(tmp_path / "journal.db", table="T1", veil=veil), [0]
    engine = Engine(journal, InlineWriter(journal), clock=lambda: now[0])
    await engine.start(THREE)
    retention = KeyRetention(engine, journal, days=2)
    for day in range(8):
        now[0] = day * DAY
        for fact in round_of(DEAL):
            await engine.submit(fact)
        engine._snapshot()
    await engine.submit(DeviceFault(CLOCK, "clock.ahead", "2 years"))
    await retention.look()
    assert all(day.secret for day in veil.keys.all())
    await engine.submit(DeviceCleared(CLOCK, "clock.ahead"))
    await retention.look()
    assert not veil.keys.all()[0].secret
    journal.close()


QUARTER = 90 * DAY


def played(began: Iterable[int]) -> list[DayKey]:
    """The keys of a table that made one at each of these days."""
    return [DayKey(b"%d" % at, at * DAY, b"x") for at in began]


def gone(days: list[DayKey], now: int, needed: bytes = b"") -> int:
    """How many keys are destroyed on this day, the oldest ones, where the newest, or another one, is needed."""
    names = expired(days, {needed or days[-1].name}, now * DAY, QUARTER)
    assert list(names) == [day.name for day in days[: len(names)]]
    return len(names)


def test_keys_live_as_long_as_the_retention_says() -> None:
    days = played(range(1000, 1101))
    assert gone(days, 1100) == 10  # the tenth ended on day 1010
    assert gone(days[:90], 1090) == 0
    assert gone(days[:92], 1091) == 1


@pytest.mark.parametrize("ahead", [3, 30, 365, 36500])
def test_a_clock_that_is_set_ahead_destroys_no_key(ahead: int) -> None:
    days = played([*range(1000, 1080), 1080 + ahead])
    assert gone(days, 1080 + ahead) == 0
    assert gone([*days, *played([1081])], 1081) == 0  # nor when it is put right
    assert gone(played([*range(1000, 1080), 1080 + ahead, *range(1081, 1096)]), 1096) == 4  # and then they end in time


@pytest.mark.parametrize("back", [1, 500, 1079])
def test_a_clock_that_is_set_back_destroys_no_key(back: int) -> None:
    """A computer without a battery begins in 1970 until it has heard the time; then a key of that year follows."""
    days = played([*range(1000, 1080), 1080 - back, 1080])
    assert gone(days, 1080) == 0


def test_a_long_pause_does_not_count() -> None:
    days = played([*range(1000, 1010), *range(1040, 1130)])
    assert gone(days, 1129) == 8  # 30 days later than without it
    assert gone(days, 1129, days[3].name) == 3


@pytest.mark.parametrize("why", ["dispute", "round"])
def test_the_keys_of_a_round_stay_while_somebody_may_have_to_open_its_cards(tmp_path: Path, why: str) -> None:
    veil = veil_in(tmp_path)
    journal = Journal.open(tmp_path / "journal.db", table="T1", veil=veil)
    now = [0]

    async def story() -> None:
        engine = Engine(journal, InlineWriter(journal), clock=lambda: now[0])
        engine.recover()
        await engine.start(THREE)
        retention = KeyRetention(engine, journal, days=2)
        now[0] = DAY
        for fact in round_of(DEAL, over=why == "dispute"):
            await engine.submit(fact)
        if why == "dispute":
            await engine.submit(Key("dispute", ("1",), person="Sue", role="supervisor", place="socket"))
        for day in range(2, 9):
            now[0] = day * DAY
            engine._snapshot()
            await retention.look()
        assert all(day.secret for day in veil.keys.all())
        decided = Key("dispute-decided", ("1", "stands"), person="Max", role="casino-manager", place="socket")
        for fact in [decided] if why == "dispute" else round_of(DEAL)[-5:]:
            await engine.submit(fact)
        await retention.look()
        assert not veil.keys.all()[0].secret
        while engine.pending:  # noqa: ASYNC110
            await asyncio.sleep(0)

    asyncio.run(story())
    journal.close()


def _engine(journal: Journal) -> Engine:
    async def made() -> Engine:
        return Engine(journal, InlineWriter(journal), clock=lambda: 0)

    return asyncio.run(made())


# ---- the key of the table


def configured(directory: Path, more: str = "") -> TableConfig:
    path = table_toml(directory)
    text = f'\n[journal]\ncards-key = "{directory}/cards.key"\nday-keys = "{directory}/keys/day-keys.json"\n{more}'
    path.write_text(path.read_text() + text)
    return load_config(path)


def test_the_key_is_in_a_file_of_its_own(tmp_path: Path) -> None:
    config = configured(tmp_path)
    with pytest.raises(FeltError) as missing:
        veil_of(config)
    assert missing.value.code == "cards.key-missing"
    cards_key.make(tmp_path / "cards.key")
    assert (tmp_path / "cards.key").stat().st_mode & 0o777 == 0o600
    veil = veil_of(config)
    assert isinstance(veil, CardVeil)
    kept = (tmp_path / "cards.key").read_text()
    with pytest.raises(FeltError) as there:
        cards_key.make(tmp_path / "cards.key")
    assert there.value.code == "cards.key-unwritable" and (tmp_path / "cards.key").read_text() == kept


@pytest.mark.parametrize(
    ("text", "mode", "code"),
    [("00" * 31, 0o600, "cards.key-malformed"), ("zz" * 32, 0o600, "cards.key-malformed")]
    + [("00" * 32, mode, "cards.key-permissions") for mode in (0o640, 0o604, 0o620)],
)
def test_a_key_not_to_trust_is_named_and_never_quoted(tmp_path: Path, text: str, mode: int, code: str) -> None:
    path = tmp_path / "cards.key"
    path.write_text(text)
    path.chmod(mode)
    with pytest.raises(FeltError) as wrong:
        cards_key.read(path)
    assert wrong.value.code == code and text not in wrong.value.cause


def test_what_the_service_manager_hands_over_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert cards_key.place_of(Path("/elsewhere")) == Path("/elsewhere")  # nothing was handed over
    (tmp_path / "card-key").write_text("00" * 32)
    assert cards_key.place_of(Path("/elsewhere")) == cards_key.place_of(None) == tmp_path / "card-key"


def test_a_table_without_a_key_has_no_veil(tmp_path: Path) -> None:
    assert veil_of(load_config(table_toml(tmp_path))) is NO_VEIL


def test_a_key_beside_the_journal_is_refused(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(f'{path.read_text()}\n[journal]\ncards-key = "{tmp_path}/state/x/../cards.key"\n')
    with pytest.raises(ConfigError) as wrong:
        load_config(path)
    assert "journal.cards-key: is in the state directory" in wrong.value.cause
