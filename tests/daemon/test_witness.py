"""Tables that remember each other's checkpoints: what one of them has shown, it cannot take back."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, web
from click.testing import CliRunner, Result

from controller.cli.group import cli
from controller.config import TableConfig
from controller.config.load import load_config
from controller.daemon.compose import Daemon, running
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal import Entry, Journal, verify
from controller.journal.checkpoints import Checkpoint, origin_of
from controller.journal.growth import GrowingTree
from controller.journal.key_file import make_key, read_key
from controller.journal.notes import COSIGNED, Note, Verifier
from controller.journal.signing import cosigned_at, signed
from controller.journal.verify_tree import Evidence
from controller.journal.witnessing import witness_name
from controller.service import checkpoint_publisher
from controller.service.routes import Json
from controller.service.witness_client import NeighbourWitness
from controller.service.witness_routes import ADD
from controller.sim.addresses import schemes, simulated_table
from controller.table.facts import Key, encode
from hw_sim.table import SimTable
from tests.asking import Client
from tests.daemon.house import table_toml
from tests.journal.shown import submission
from tests.journal.test_store import tamper
from tests.people.everybody import sign_in
from tests.service.clocks import until

WITNESS, STORE = "witness T2", "witness the store"
JACKPOT = "caribbean-stud"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_publisher, "SOON", 0.02)
    monkeypatch.setattr(checkpoint_publisher, "LATEST", 0.05)


class House:
    """Two tables with their keys: T1 plays, T2 cosigns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("T1", "T2"):
            (folder / name).mkdir()
        self.key = make_key(folder / "journal.key", "T1").verifier()
        self.witness = make_key(folder / "witness.key", "T2", witness_name).verifier(COSIGNED)

    def of_witness(self) -> Path:
        path = table_toml(self.folder / "T2")
        text = path.read_text().replace('name = "T1"', 'name = "T2"')
        path.write_text(
            f'{text}[web]\nlisten = "127.0.0.1:0"\n'
            f'[witness]\nkey = "{self.folder / "witness.key"}"\njournals = ["{self.key.to_text()}"]\n'
        )
        return path

    def of_table(self, at: str, key: Verifier | None = None) -> Path:
        path = table_toml(self.folder / "T1")
        path.write_text(
            f'{path.read_text()}[journal]\nkey = "{self.folder / "journal.key"}"\n'
            f'[witness.neighbours]\nT2 = {{ at = "{at}", key = "{(key or self.witness).to_text()}" }}\n'
        )
        return path

    @property
    def journal(self) -> Path:
        return self.folder / "T1" / "state" / "journal.db"


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@asynccontextmanager
async def daemon_of(path: Path) -> AsyncIterator[tuple[Daemon, SimTable]]:
    config = load_config(path)
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        yield daemon, sim


def newest(daemon: Daemon) -> Note:
    kept = daemon.journal.checkpoints()
    return Note.from_text(kept[-1][1].note) if kept and kept[-1][1] is not None else Note("")


def cosigned(daemon: Daemon, house: House) -> bool:
    return bool(cosigned_at(newest(daemon), [house.witness]))


def holds(daemon: Daemon) -> list[tuple[str, str]]:
    return [(each.code, each.device) for each in daemon.service.engine.table.holds.values()]


def troubles(daemon: Daemon) -> dict[str, str]:
    return {name: error.code for name, error in daemon.service.closed_doors.items()}


async def felt(daemon: Daemon, *words: str) -> Result:
    socket = str(daemon.config.api.socket)
    return await asyncio.to_thread(lambda: CliRunner().invoke(cli, [*words, "--socket", socket]))


OWN = "its own key"


def append(path: Path, count: int, key: str | None = OWN) -> None:
    """Puts records behind a stopped journal as the daemon itself does, with the checkpoint of a clean stop."""
    signer = None if key is None else read_key(path.parents[2] / "journal.key", "T1")
    journal = Journal.open(path, table="T1")
    last = journal.read(journal.head.seq)[0].at_us
    journal.keep_checkpoint(signed("T1", GrowingTree(journal).grow(), signer))  # it says that it goes on
    journal.append([Entry(last + n, encode(Key("count", (str(count),)))) for n in range(count)])
    journal.keep_checkpoint(signed("T1", GrowingTree(journal).grow(), signer, closed=True))
    journal.close()


async def test_a_neighbour_cosigns_each_checkpoint_and_everybody_can_check_it(house: House) -> None:
    async with daemon_of(house.of_witness()) as (t2, _), daemon_of(house.of_table(t2.pages)) as (t1, _):
        await until(lambda: cosigned(t1, house))
        said = await felt(t1, "journal", "checkpoint")
        assert said.exit_code == 0 and "— feltd.witness/T2 " in said.output, said.output
        said = await felt(t1, "doctor", "--json")
        assert "T2 has seen" in said.output
        assert troubles(t1) == {} == troubles(t2)
        size = t1.journal.checkpoints()[-1][0]
        (file,) = (house.folder / "T2" / "state" / "witnessed").iterdir()
        assert file.read_text().split("\n")[1] == str(size)
        said = await felt(t1, "journal", "verify", "--key", house.witness.to_text())
        assert "the key signed a checkpoint that it keeps" in said.output, said.output
        await t1.service.engine.submit(Key("count", ("7",)))
    async with daemon_of(house.of_table("http://127.0.0.1:9")) as (t1, _):  # nobody is there: it knows from before
        (witness,) = await witnesses(t1)
        assert witness["size"] > size and witness["at"]
        await until_async(lambda: failing(t1, "witness.away"))
        assert (holds(t1), troubles(t1)) == ([], {})  # and nobody is bothered before it lasts


async def witnesses(daemon: Daemon) -> list[Json]:
    client = Client(str(daemon.config.api.socket))
    return list((await asyncio.to_thread(client.get, "/journal/checkpoints"))["witnesses"])


async def failing(daemon: Daemon, code: str) -> bool:
    return any(each["error"] is not None and each["error"]["code"] == code for each in await witnesses(daemon))


async def until_async(holds_: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await holds_():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_journal_that_went_back_is_held_until_a_supervisor_decides(house: House) -> None:
    async with daemon_of(house.of_witness()) as (t2, _):
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: cosigned(t1, house))
        shutil.copytree(house.journal.parent, house.folder / "older")
        append(house.journal, 5)
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: cosigned(t1, house))
        size, _ = size_and_end(house)  # as the stop has shown it
        shutil.rmtree(house.journal.parent)
        shutil.copytree(house.folder / "older", house.journal.parent)
        async with daemon_of(house.of_table(t2.pages)) as (t1, sim):
            await until(lambda: holds(t1) == [("witness.rollback", WITNESS)])
            (held,) = t1.service.engine.table.holds.values()
            assert f"T2 was shown {size} records" in held.text
            await until(lambda: troubles(t1).get(WITNESS) == "witness.rollback")
            await until(lambda: t1.service.quiet)
            sign_in(sim.device("console").do, "supervisor")
            sim.device("console").do("press", "resume")
            await until(lambda: holds(t1) == [])
            await asyncio.sleep(0.1)  # it is refused again meanwhile, and nobody is asked a second time
            assert (holds(t1), troubles(t1)) == ([], {WITNESS: "witness.rollback"})
        assert troubles(t2) == {}


def remembered(house: House) -> Note:
    """What T2 remembers of T1."""
    (file,) = (house.folder / "T2" / "state" / "witnessed").glob("*.checkpoint")
    return Note.from_text(file.read_text())


def size_and_end(house: House) -> tuple[int, bool]:
    checkpoint = Checkpoint.from_text(remembered(house).text)
    return checkpoint.size, checkpoint.closed


async def test_a_neighbour_is_shown_the_checkpoint_of_a_clean_stop_before_the_table_is_gone(house: House) -> None:
    async with daemon_of(house.of_witness()) as (t2, _):
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: cosigned(t1, house))
            shutil.copytree(house.journal.parent, house.folder / "older")  # as a power cut would leave it
            for n in range(40):  # in no checkpoint before the stop
                await t1.service.engine.submit(Key("count", (str(n),)))
        journal = Journal.open(house.journal, table="T1")
        seq, kept = journal.checkpoints()[-1]
        journal.close()
        assert kept is not None and kept.checkpoint.closed
        assert size_and_end(house) == (seq, True)
        assert cosigned_at(Note.from_text(kept.note), [house.witness])  # and the journal has its word on that
        shutil.rmtree(house.journal.parent)
        shutil.copytree(house.folder / "older", house.journal.parent)
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):  # what came last is missed
            await until(lambda: holds(t1) == [("witness.rollback", WITNESS)])


async def test_a_neighbour_knows_of_a_clean_stop_that_was_taken_out_of_the_journal(house: House) -> None:
    async with daemon_of(house.of_witness()) as (t2, _):
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: cosigned(t1, house))
        tamper(house.journal, "DELETE FROM checkpoint")
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):  # nobody has put anything behind it
            await until(lambda: cosigned(t1, house))
            assert (holds(t1), troubles(t1)) == ([], {})
        stop = remembered(house)
        tamper(house.journal, "DELETE FROM checkpoint")
        append(house.journal, 1, None)
        assert verify(house.journal, evidence=Evidence(stop, house.key)).code == "journal.appended"
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: troubles(t1) == {WITNESS: "journal.appended"})
            await until(lambda: cosigned(t1, house))
            assert (holds(t1), troubles(t1)) == ([], {WITNESS: "journal.appended"})


async def test_a_witness_that_does_not_answer_delays_a_stop_by_no_more_than_its_limit(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_publisher, "LAST", 0.3)
    async with daemon_of(house.of_witness()) as (t2, _), daemon_of(house.of_table(t2.pages)) as (t1, _):
        await until(lambda: cosigned(t1, house))
        asked = asyncio.Event()

        async def never(*_: object) -> None:
            asked.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(NeighbourWitness, "show", never)
        begun = time.monotonic()
    assert asked.is_set()
    assert 0.3 <= time.monotonic() - begun < 10  # two daemons stop meanwhile, on a busy machine


def in_test_mode(path: Path, state: Path) -> Path:
    text = path.read_text().replace("[table]\n", "[table]\ntest = true\n", 1)
    made = state.parent / "test.toml"
    made.write_text(text.replace(f'"{path.parent / "state"}"', f'"{state}"'))
    return made


async def test_a_test_shows_nothing_to_the_witnesses_of_the_live_table(house: House) -> None:
    async with daemon_of(house.of_witness()) as (t2, _):
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: cosigned(t1, house))
        (file,) = (house.folder / "T2" / "state" / "witnessed").iterdir()
        before = file.read_text()
        (house.folder / "test").mkdir()
        tried = in_test_mode(house.of_table(t2.pages), house.folder / "test" / "state")
        async with daemon_of(tried) as (t1, _):
            await t1.service.engine.submit(Key("count", ("7",)))
            await until(lambda: bool(newest(t1).signatures))
            assert (await witnesses(t1), holds(t1), troubles(t1)) == ([], [], {})
        assert file.read_text() == before and troubles(t2) == {}


async def test_a_test_cosigns_nothing_for_others(house: House) -> None:
    (house.folder / "test").mkdir()
    tried = in_test_mode(house.of_witness(), house.folder / "test" / "state")
    async with daemon_of(tried) as (t2, _), daemon_of(house.of_table(t2.pages)) as (t1, _):
        await until_async(lambda: failing(t1, "witness.away"))
        assert (cosigned(t1, house), holds(t1), troubles(t1)) == (False, [], {})
        assert not (house.folder / "test" / "state" / "witnessed").exists()


async def test_a_journal_with_another_history_is_held(house: House) -> None:
    async with daemon_of(house.of_witness()) as (t2, _):
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: cosigned(t1, house))
        shutil.copytree(house.journal.parent, house.folder / "clone")
        append(house.journal, 5)
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: cosigned(t1, house))
        shutil.rmtree(house.journal.parent)
        shutil.copytree(house.folder / "clone", house.journal.parent)
        append(house.journal, 30)  # the clone went on by itself, and has the key
        async with daemon_of(house.of_table(t2.pages)) as (t1, _):
            await until(lambda: holds(t1) == [("witness.fork", WITNESS)])


async def test_the_store_beside_the_journal_finds_that_it_went_back_and_keeps_what_was_decided(house: House) -> None:
    path = house.of_table("http://127.0.0.1:9")
    text = path.read_text().partition("[witness.neighbours]")[0]

    def again() -> Path:
        path.write_text(text.replace("[options]\n", '[options]\njackpot = "nsw"\n').replace("casino-war", JACKPOT))
        return path

    async with daemon_of(again()) as (t1, _):
        await until_async(lambda: seen(t1, 1))
    shutil.copy(house.journal, house.folder / "older.db")
    append(house.journal, 5)
    async with daemon_of(again()) as (t1, _):
        await until_async(lambda: seen(t1, 6))
    shutil.copy(house.folder / "older.db", house.journal)
    async with daemon_of(again()) as (t1, sim):
        await until(lambda: ("witness.rollback", STORE) in holds(t1))
        await until(lambda: t1.service.quiet)
        sign_in(sim.device("console").do, "supervisor")
        sim.device("console").do("press", "resume", "witness.rollback")
        await until(lambda: ("witness.rollback", STORE) not in holds(t1))
        await until(lambda: STORE not in troubles(t1))  # it goes on, and what was decided stands beside it
    store = SqliteStore(house.journal.with_name("jackpot.db"))
    await store.open()
    kept = await store.all_published(origin_of("T1"))
    await store.close()
    (anew,) = [each for each in kept if each.anew]
    assert anew.anew.startswith("a person at table T1, by record ")
    assert anew.size < max(each.size for each in kept)


async def seen(daemon: Daemon, size: int) -> bool:
    return any(each["size"] >= size for each in await witnesses(daemon))


@asynccontextmanager
async def liar(status: int, body: bytes, note: str = "") -> AsyncIterator[str]:
    """A neighbour that answers whatever it likes."""

    async def add(_request: web.Request) -> web.Response:
        return web.Response(status=status, body=body)

    async def checkpoint(_request: web.Request) -> web.Response:
        return web.Response(text=note)

    app = web.Application()
    app.router.add_post("/witness/add-checkpoint", add)
    app.router.add_get("/witness/checkpoint", checkpoint)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@pytest.mark.parametrize(
    ("status", "body", "note", "code"),
    [
        (409, b"999999\n", "", "witness.refused"),
        (409, b"999999\n", submission(0, 12).note.to_text(), "witness.refused"),  # signed by another key
        (409, b"nonsense", "", "witness.away"),
        (422, b"", "", "witness.refused"),
        (200, b"", "", "witness.refused"),
        (200, "\N{EM DASH} feltd.witness/T2 AAAAAAAAAA==\n".encode(), "", "witness.refused"),
        (404, b"", "", "witness.refused"),
        (500, b"", "", "witness.away"),
        (302, b"", "", "witness.away"),
        (200, b"x" * 100_000, "", "witness.refused"),
    ],
)
async def test_a_neighbour_that_lies_holds_nobody(house: House, status: int, body: bytes, note: str, code: str) -> None:
    async with liar(status, body, note) as at, daemon_of(house.of_table(at)) as (t1, _):
        await until_async(lambda: failing(t1, code))
        assert holds(t1) == [] and not cosigned(t1, house)


async def test_the_door_answers_as_the_open_form_says(house: House) -> None:
    async with daemon_of(house.of_witness()) as (t2, _), daemon_of(house.of_table(t2.pages)) as (t1, _):
        await until(lambda: cosigned(t1, house))
        note = newest(t1)
        size = int(note.text.split("\n")[1])
        async with ClientSession(t2.pages) as session:

            async def post(body: str) -> tuple[int, str, str]:
                async with session.post(ADD.path, data=body.encode()) as response:
                    return response.status, response.content_type, await response.text()

            own = Note(note.text, note.signatures[:1]).to_text()
            assert await post(f"old 0\n\n{own}") == (409, "text/x.tlog.size", f"{size}\n")
            status, _, text = await post(f"old {size}\n\n{own}")
            assert (status, text.startswith("\N{EM DASH} feltd.witness/T2 ")) == (200, True)
            assert (await post("nonsense"))[0] == 400
            assert (await post("old 0\n\n" + "x" * 200_000))[0] == 400
            assert (await post(submission(0, 3).to_text()))[0] == 403  # of T1 by its name, by another key
            assert (await post(submission(0, 3).to_text().replace("/T1", "/T9")))[0] == 404
            async with session.get("/witness/checkpoint?origin=x&key=y") as response:
                assert response.status == 404


async def test_devices_keep_the_newest_checkpoint_and_find_that_the_journal_went_back(house: House) -> None:
    path = house.of_table("http://127.0.0.1:9")
    text = path.read_text().partition("[witness.neighbours]")[0] + "[witness]\ndevices = true\n"

    def again() -> TableConfig:
        path.write_text(text)
        return load_config(path)

    async with simulated_table(again()) as (sim, _):
        async with running(again(), schemes(sim)) as t1:
            await until_async(lambda: all_seen(t1, 1))
        shutil.copytree(house.journal.parent, house.folder / "older")
        append(house.journal, 5)
        sim.device("lamps").model.note = b"of another table" * 6  # nothing that this journal's key signed
        async with running(again(), schemes(sim)) as t1:
            await until_async(lambda: all_seen(t1, 6))
            (kept,) = {sim.device(each["name"]).model.note for each in await witnesses(t1)}
            assert len(kept) == 104 and troubles(t1) == {}
        shutil.rmtree(house.journal.parent)
        shutil.copytree(house.folder / "older", house.journal.parent)
        async with running(again(), schemes(sim)) as t1:
            await until(lambda: ("witness.rollback", "witness shoe") in holds(t1))


async def all_seen(daemon: Daemon, size: int) -> bool:
    return all(each["size"] >= size and each["at"] for each in await witnesses(daemon))


async def test_a_witness_that_stays_away_is_told_and_the_table_plays(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_publisher, "LATE", 0.0)
    async with daemon_of(house.of_table("http://127.0.0.1:9")) as (t1, _):
        await until(lambda: troubles(t1) == {WITNESS: "witness.away"})
        assert holds(t1) == []
