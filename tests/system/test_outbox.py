"""Tables are killed in rounds with Jackpot wagers, the server crashes, the line is cut: every movement is told once."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from controller.errors import FeltError
from controller.games import step
from controller.jackpot.ledger import Hit, Meter, Movement
from controller.jackpot.stores.books import Books
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.sqlite import SqliteStore
from controller.service.meter_store import FILE
from controller.table import facts
from controller.table.state import Table
from hw_sim.control import ControlClient
from tests.asking import Client as ApiClient
from tests.jackpot.stores.conftest import dsn, server
from tests.jackpot.stores.relay import Relay
from tests.service.kept import NOTHING, ROYAL
from tests.system.a_round import Deed
from tests.system.on_disk import cards_key, journal_in
from tests.system.test_kill import Victim, durable, process, wait_until
from tools.postgres import OwnServer

T = TypeVar("T")

__all__ = ["dsn", "server"]
DEVICES = {"shoe": "shoe", "console": "console", "lamps": "lamps", "sensor.1": "bet-sensor", "sensor.2": "bet-sensor"}
ROUNDS, KILLS = 6, 36
KILLS_OF_SHARED = 9  # in each half: each costs a new connection, and the mishaps come on top

Mishaps = dict[int, Callable[[], None]]


def configuration(home: Path, more: str = "", group: str = "") -> Path:
    lines = ["[table]", 'name = "T1"', 'game = "caribbean-stud"', f'state = "{home / "state"}"']
    lines += ["[options]", "seats = 2", 'jackpot = "nsw"', f'jackpot-group = "{group}"' if group else ""]
    lines += [more, *cards_key(home), "[api]", f'socket = "{home / "api.sock"}"']
    for name, family in DEVICES.items():
        lines += [f'[device."{name}"]', f'family = "{family}"', f'address = "serial://{home / "dev" / name}"']
        lines.append("sealed = false")
        lines += [f"area = {name[-1]}"] if family == "bet-sensor" else []
    (home / "state").mkdir()
    path = home / "table.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def deeds(cards: str) -> list[Deed]:
    """A round; the Jackpot wager may be refused while the system is away, the ante never."""
    return [
        ("sensor.1", "bet", ({"ante": 1000},)),
        ("sensor.1", "bet", ({"jackpot": 500},)),
        ("console", "press", ("no-more-bets",)),
        *(("shoe", "draw", (card,)) for card in cards.split()),
        ("sensor.1", "bet", ({"bet": 2000},)),
        ("console", "press", ("settle",)),
    ]


@contextmanager
def table(home: Path, config: Path) -> Iterator[tuple[Victim, ControlClient]]:
    """The daemon, which can be killed, and its devices, which live on."""
    serve = ("-m", "hw_sim", "serve", "--directory", str(home / "dev"), "--seats", "2", "--until-stdin-closes")
    with process(*serve) as sim, Victim(config, home / "log") as victim:
        assert sim.stdout is not None and sim.stdout.readline()
        with ControlClient(home / "dev" / "control.sock") as devices:
            yield victim, devices
        victim.stop()


def play(victim: Victim, devices: ControlClient, chance: random.Random, killings: int, mishaps: Mishaps) -> None:
    """Rounds with killings at random points; every second one has a royal flush.  `mishaps` by the number of a deed."""
    told = [deed for n in range(ROUNDS) for deed in deeds(ROYAL if n % 2 else NOTHING)]
    kills = [chance.randrange(len(told)) for _ in range(killings)]
    for n, (name, verb, args) in enumerate(told):
        mishaps.get(n, lambda: None)()
        devices.do(name, verb, *args)
        for _ in range(kills.count(n)):
            time.sleep(chance.choice([0.0, 0.003, 0.01, 0.03, 0.1, 0.3]) * chance.random())
            victim.kill()
            victim.start()
        wait_until(partial(durable, devices, name))


def everything_told(home: Path) -> None:
    felt = ApiClient(str(home / "api.sock"))

    def told() -> bool:
        try:
            table = felt.get("/jackpot")["table"]
        except FeltError:
            return False
        return table["open"] and not table["untold"] and all(prize["answered"] for prize in table["unpaid"])

    wait_until(told)


def written(home: Path) -> tuple[list[Movement], Table]:
    """Every movement that the table wrote, as its journal tells it; and how the table stands at the end."""
    journal = journal_in(home)
    table, found = Table(), dict[int, Movement]()
    for record in journal:
        table, _ = step(table, record.seq, record.at_us, facts.decode(record.payload))
        found |= {m.number: m for m in table.jackpot.outbox}
    journal.close()
    return [found[n] for n in sorted(found)], table


async def recorded(store: PostgresStore | SqliteStore, group: str) -> tuple[list[Movement], Meter, list[Hit]]:
    async def page(books: Books) -> list[Movement]:
        return [posting.movement for posting in await books.page(group, 0, 1 << 40)]

    await store.open()
    try:
        assert await store.verify(group) == []
        return await store._read(page), await store.meter(group), await store.hits(group)
    finally:
        await store.close()


def check(home: Path, store: PostgresStore | SqliteStore, group: str) -> None:
    told, end = written(home)
    kept, meter, hits = asyncio.run(recorded(store, group))
    assert kept == told  # each once, in their order
    assert [m.number for m in told] == list(range(1, len(told) + 1))
    assert (end.jackpot.outbox, end.jackpot.recorded, end.jackpot.meter) == ([], len(told), meter.value)
    prizes = [(w.round, p.cents) for w in end.jackpot.pending for p in w.prizes]
    assert prizes == [(hit.round, hit.cents) for hit in reversed(hits)]
    assert 0 < meter.wagers <= ROUNDS  # a wager is refused while the system cannot be reached


def test_kills_with_a_meter_of_its_own(tmp_path: Path) -> None:
    with table(tmp_path, configuration(tmp_path)) as (victim, devices):
        play(victim, devices, random.Random(1), KILLS, {})
        assert victim.kills == KILLS
        everything_told(tmp_path)
    check(tmp_path, SqliteStore(tmp_path / "state" / FILE), "T1")


class Wire:
    """A relay between the table and the server, in a thread of its own."""

    def __init__(self, server: OwnServer) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="wire")
        self._thread.start()
        self.relay = self._call(self._make(server))

    async def _make(self, server: OwnServer) -> Relay:
        return await Relay(server.directory).__aenter__()

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(self.relay.cut)

    def silent(self, seconds: float) -> None:
        self._loop.call_soon_threadsafe(self.relay.silence)
        self._loop.call_soon_threadsafe(self._loop.call_later, seconds, self.relay.resume)

    def lose_an_answer(self) -> None:
        self.relay.eat_answers = True

    def close(self) -> None:
        self._call(self.relay.__aexit__())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def wire(server: OwnServer) -> Iterator[Wire]:
    wire = Wire(server)
    yield wire
    wire.close()


@pytest.mark.parametrize("half", [0, 1])
def test_kills_crashes_and_cut_lines_with_a_shared_meter(
    half: int, tmp_path: Path, dsn: str, server: OwnServer, wire: Wire
) -> None:
    way = tmp_path / "jackpot.dsn"
    way.write_text(dsn.replace(f"host={server.directory}", f"host={wire.relay.host}"))
    way.chmod(0o600)
    section = f'[jackpot]\nstore = "postgres"\ndsn-file = "{way}"'
    halves: tuple[Mishaps, Mishaps] = (
        {3: wire.cut, 13: wire.lose_an_answer, 20: server.restart, 29: lambda: wire.silent(2.0)},
        {46: wire.lose_an_answer, 61: server.restart, 75: wire.lose_an_answer, 76: wire.cut},
    )
    with table(tmp_path, configuration(tmp_path, section, "G")) as (victim, devices):
        play(victim, devices, random.Random(2 + half), KILLS_OF_SHARED, halves[half])
        everything_told(tmp_path)
    check(tmp_path, PostgresStore(dsn), "G")
