"""Rounds on record of a whole daemon: listed, found, told, kept over restarts, whatever happens to the index."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.errors import FeltError
from controller.journal.records import Record
from controller.journal.store import Journal
from controller.service import round_keeper
from controller.service.retelling import Retelling
from controller.service.round_store import FILE, RoundStore
from controller.table.facts import Hold
from tests.api.conftest import Floor, Open
from tests.daemon.house import table_toml


async def a_round(floor: Floor, mine: str = "Kh", dealers: str = "2d", area: int = 1) -> None:
    await floor.bet(area, 1000)
    await floor.press("no-more-bets")
    await floor.draw(mine, dealers)
    await floor.press("settle")


async def refused(floor: Floor, what: str, **query: str | int) -> FeltError:
    with pytest.raises(FeltError) as error:
        await floor.get(what, **query)
    assert error.value.next_step
    return error.value


async def raw(path: Path | str, what: str) -> tuple[int, dict[str, str], bytes]:
    """The answer as any client gets it: status, headers, body."""

    def ask() -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("felt", timeout=10)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(path))
        connection.request("GET", what)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, body

    return await asyncio.to_thread(ask)


async def test_rounds_are_listed_newest_first_in_pages(floor: Floor) -> None:
    for n in range(5):
        await a_round(floor, area=n % 2 + 1)
    first = await floor.get("/rounds", n=3)
    assert [each["number"] for each in first["rounds"]] == [5, 4, 3]
    assert first["behind"] is None and first["running"] is None and first["older"] is False
    rest = await floor.get("/rounds", n=3, before=first["next"])
    assert [each["number"] for each in rest["rounds"]] == [2, 1]
    assert rest["next"] is None
    assert [each["number"] for each in (await floor.get("/rounds", area=2))["rounds"]] == [4, 2]
    assert first["rounds"][0]["net"] == "10.00"


async def test_a_round_is_told_whole_and_while_it_runs(floor: Floor) -> None:
    await floor.bet(1, 1000)
    running = (await floor.get("/rounds/1"))["round"]
    assert (running["outcome"], running["ended"]) == ("open", None)
    assert (await floor.get("/rounds"))["running"] == 1
    await floor.press("no-more-bets")
    await floor.draw("Kh", "2d")
    await floor.press("settle")
    answer = await floor.get("/rounds/1")
    told = answer["round"]
    assert told["outcome"] == "settled"
    assert [(hand["place"], hand["cards"][0]["card"]) for hand in told["hands"]] == [("dealer", "2d"), ("1", "Kh")]
    assert answer["others"] == []
    verified = await floor.get("/journal/verify", anchor=answer["anchor"])
    assert verified["ok"], verified


async def test_an_anchor_of_a_receipt_is_one_that_verify_refuses_when_it_is_wrong(floor: Floor) -> None:
    await a_round(floor)
    anchor = (await floor.get("/rounds/1"))["anchor"]
    word, seq, digest, table = anchor.split(" ")
    wrong = f"{word} {seq} {'0' * len(digest)} {table}"
    assert not (await floor.get("/journal/verify", anchor=wrong))["ok"]


@pytest.mark.parametrize(
    "query",
    [
        {"outcome": "lost"},
        {"irregular": "much"},
        {"area": "dealer"},
        {"since": "yesterday"},
        {"until": "12"},
        {"n": 0},
        {"n": 1000},
        {"n": "many"},
        {"before": "-1"},
        {"colour": "red"},
    ],
)
async def test_wrong_filters_are_named(floor: Floor, query: dict[str, Any]) -> None:
    error = await refused(floor, "/rounds", **query)
    assert error.code == "round.filter"
    status, _, _ = await raw(floor.client.path, "/rounds?" + "&".join(f"{k}={v}" for k, v in query.items()))
    assert status == 400


async def test_rounds_that_are_not_there(floor: Floor) -> None:
    assert (await refused(floor, "/rounds/7")).code == "round.unknown"
    assert (await refused(floor, "/rounds/x")).code == "round.filter"
    assert [(await raw(floor.client.path, f"/rounds/{n}"))[0] for n in ("7", "x", "7/receipt")] == [404, 400, 404]


async def test_times_are_taken_in_any_zone(floor: Floor) -> None:
    await a_round(floor)
    opened = (await floor.get("/rounds/1"))["round"]["opened"]["at"]
    for since, there in (
        (opened, 1),
        (opened.replace("+00:00", "Z"), 1),
        ("2200-01-01", 0),
        ("2000-01-01T00:00+11:00", 1),
    ):
        assert len((await floor.get("/rounds", since=since))["rounds"]) == there, since


async def test_the_receipt_is_one_page_without_script_and_text(floor: Floor) -> None:
    await a_round(floor)
    status, headers, page = await raw(floor.client.path, "/rounds/1/receipt")
    assert status == 200 and headers["content-type"].startswith("text/html")
    assert headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    for foreign in (b"<script", b"http:", b"https:", b"src=", b"@import", b"url("):
        assert foreign not in page
    status, headers, text = await raw(floor.client.path, "/rounds/1/receipt.txt")
    assert status == 200 and headers["content-type"].startswith("text/plain")
    anchor = (await floor.get("/rounds/1"))["anchor"]
    for receipt in (page, text):
        for words in ("Round 1 at table T1: Casino War", "pays 1 to 1", "rule 5.7.1", "Kh", "Supervisor", anchor):
            assert words.encode() in receipt, words


async def test_who_may_only_look_finds_rounds_too(tmp_path: Path) -> None:
    config = table_toml(tmp_path)
    read = tmp_path / "read.sock"
    config.write_text(config.read_text().replace("[api]\n", f'[api]\nread-socket = "{read}"\n'))
    async with dealt_table(load_config(config)) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        await a_round(floor)
        for what in ("/rounds", "/rounds/1", "/rounds/1/receipt", "/rounds/1/receipt.txt"):
            assert (await raw(read, what))[0] == 200, what
        assert (await raw(read, "/rounds/1/search"))[0] == 404  # it takes long


async def test_rulings_and_holds_make_a_round_irregular(floor: Floor) -> None:
    await a_round(floor)
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    await floor.draw("Kh")
    await floor.sign_in("supervisor")
    await floor.engine.submit(Hold("device.gap", "events are missing", "shoe"))
    await floor.press("void")
    (found,) = (await floor.get("/rounds", irregular="any"))["rounds"]
    assert (found["number"], set(found["irregular"])) == (2, {"void", "ruling", "hold"})
    told = (await floor.get("/rounds/2"))["round"]
    assert told["rulings"][0]["by"] == {"role": "supervisor", "name": "simulated supervisor"}


# ---- the index comes and goes


async def played_again(tmp_path: Path, between: Callable[[Path], object], rounds: int = 3) -> list[dict[str, Any]]:
    """The list after a restart, when something has happened to the index meanwhile."""
    config = load_config(table_toml(tmp_path))
    async with dealt_table(config) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        for _ in range(rounds):
            await a_round(floor)
        before: list[dict[str, Any]] = [(await floor.get(f"/rounds/{n + 1}"))["round"] for n in range(rounds)]
    between(config.table.state / FILE)
    async with dealt_table(config) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        after = [(await floor.get(f"/rounds/{n + 1}"))["round"] for n in range(rounds)]
        assert after == before
        await a_round(floor)
        return list((await floor.get("/rounds"))["rounds"])


def untouched(path: Path) -> None:
    assert path.exists()


def missing(path: Path) -> None:
    path.unlink()


def garbage(path: Path) -> None:
    path.write_bytes(b"?" * 10_000)


def behind(path: Path) -> None:
    """A power cut took the last round out of it."""
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM round WHERE number > 1")
        connection.execute("DELETE FROM meta WHERE name IN ('told', 'hash')")
    connection.close()


def of_another_journal(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = 'ff' WHERE name = 'hash'")
        connection.execute("UPDATE round SET number = number + 90")
    connection.close()


@pytest.mark.parametrize("between", [untouched, missing, garbage, behind, of_another_journal])
async def test_after_a_restart_it_is_complete(tmp_path: Path, between: Callable[[Path], object]) -> None:
    listed = await played_again(tmp_path, between)
    assert [each["number"] for each in listed] == [4, 3, 2, 1]


async def test_an_index_that_was_behind_goes_on_at_a_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    whole = Retelling.behind.__func__  # type: ignore[attr-defined]

    def watched(cls: type, *args: Any) -> Retelling:
        retelling: Retelling = whole(cls, *args)
        begun.append(retelling.seq)
        return retelling

    monkeypatch.setattr(Retelling, "behind", classmethod(watched))
    await played_again(tmp_path, untouched, rounds=90)  # snapshots after some 200 facts
    assert begun[0] == 0 and begun[1] > 0


async def test_a_disk_that_is_full_stops_no_table_and_is_named(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    await a_round(floor)
    await floor.get("/rounds")
    keep = RoundStore.keep

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(round_keeper, "AGAIN", 0.05)
    monkeypatch.setattr(RoundStore, "keep", full)
    await a_round(floor)
    async with asyncio.timeout(10):
        while not any(each["code"] == "rounds.unkept" for each in (await floor.get("/status"))["trouble"]):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    listed = await floor.get("/rounds")
    assert [each["number"] for each in listed["rounds"]] == [1] and listed["behind"]  # what it has is told
    assert (await floor.get("/status"))["round"]["number"] == 2
    monkeypatch.setattr(RoundStore, "keep", keep)
    async with asyncio.timeout(10):
        while (await floor.get("/status"))["trouble"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert [each["number"] for each in (await floor.get("/rounds"))["rounds"]] == [2, 1]


async def test_an_index_that_breaks_while_the_table_runs_is_made_anew(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await a_round(floor)
    keep, broken = RoundStore.keep, iter([True])

    def breaks(*args: Any) -> None:
        if next(broken, False):
            raise sqlite3.DatabaseError("database disk image is malformed")
        keep(*args)

    monkeypatch.setattr(RoundStore, "keep", breaks)
    await a_round(floor)
    assert [each["number"] for each in (await floor.get("/rounds"))["rounds"]] == [2, 1]


@pytest.mark.parametrize("apart", [1, 10_000], ids=["from a waypoint", "from the beginning"])
async def test_a_round_beyond_the_bound_is_told_from_the_journal(
    opened: Open, monkeypatch: pytest.MonkeyPatch, apart: int
) -> None:
    floor = await opened("")
    let_go, iterate = RoundStore._let_go, Journal.iterate
    begun: list[int] = []

    def soon(self: RoundStore) -> None:
        self._keep = 2
        let_go(self)

    def watched(self: Journal, from_seq: int = 1) -> Iterator[Record]:
        begun.append(from_seq)
        return iterate(self, from_seq)

    monkeypatch.setattr(RoundStore, "_let_go", soon)
    monkeypatch.setattr(Journal, "iterate", watched)
    monkeypatch.setattr(round_keeper, "APART", apart)
    for _ in range(7):
        await a_round(floor)
        await floor.get("/rounds")  # all is told
    listed = await floor.get("/rounds")
    assert ([each["number"] for each in listed["rounds"]], listed["older"]) == ([7, 6], True)
    assert (await refused(floor, "/rounds/1")).code == "round.archived"
    for number in (1, 2, 4, 5):
        begun.clear()
        status, _, body = await raw(floor.client.path, f"/rounds/{number}/search")
        words = [json.loads(line) for line in body.splitlines()]
        assert status == 200 and words[-1]["round"]["number"] == number
        before = words[-1]["round"]["opened"]["seq"]
        assert begun[-1] <= before and (begun[-1] == 1) == (apart > 1 or number == 1), begun
        assert (await floor.get("/journal/verify", anchor=words[-1]["anchor"]))["ok"]
    _, _, body = await raw(floor.client.path, "/rounds/99/search")
    assert json.loads(body.splitlines()[-1])["error"]["code"] == "round.unknown"


def kept_rounds(path: Path) -> int:
    """Returns how many rounds stand in the index itself."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as index:
        return int(index.execute("SELECT count(*) FROM round").fetchone()[0])


@pytest.mark.parametrize(("facts", "told"), [(500, 0), (1, 1)], ids=["while cards are dealt", "far behind"])
async def test_rounds_wait_until_the_table_rests_unless_they_are_far_behind(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, facts: int, told: int
) -> None:
    monkeypatch.setattr(round_keeper, "CALM", 60.0)
    monkeypatch.setattr(round_keeper, "FAR_BEHIND", facts)  # of several, the last could wait: it may have told a part
    floor = await opened("")
    await a_round(floor)
    index = next(tmp_path.rglob(FILE))
    if told:
        async with asyncio.timeout(10):
            while not kept_rounds(index):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    assert kept_rounds(index) == told
    assert [each["number"] for each in (await floor.get("/rounds"))["rounds"]] == [1]  # who asks does not wait so long
