"""A simulated table with every door open, and all that leaves it: answers, streams, frames, screens, log lines.

Its time, its threads and its chance are such that the same deeds always lead to the same bytes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import structlog
from aiohttp import ClientSession, ClientTimeout, TCPConnector, UnixConnector
from msgspec.structs import astuple, replace

from controller.api.accounts import Accounts
from controller.api.server import Api
from controller.api.workshop import Workshop
from controller.config.key_file import KeyFile
from controller.config.model import ReportSection
from controller.journal.notes import Note
from controller.journal.records import Record, pack
from controller.journal.tree import leaf_hash
from controller.service import round_keeper
from controller.service.figures import TableFigures, calendar_of
from controller.service.float_desk import FloatDesk
from controller.service.round_keeper import RoundKeeper
from controller.service.table import TableService
from controller.sim.floor import SimFloor, SimulatedTable
from controller.table import facts
from controller.table.facts import Hidden, Snapped, Turned
from controller.web.people import COOKIE
from controller.web.server import Pages
from firmware_bridge.diagnostics import TraceEntry
from firmware_bridge.frame import Frame

Outputs = dict[str, str]  # where it was said -> what
MOMENT: Final = 0.12  # seconds of virtual time after each deed: the slowest stream looks ten times a second
WALL: Final = 1_800_000_000.0  # what the wall clock says at the loop's time 0
AT_PAGES, AT_SOCKET, AT_LOOK = "page", "socket", "look"  # the three doors
NEVER_ENDING: Final = "text/event-stream"
CONSOLE: Final = "/console/events"  # which takes long to draw
NOTED: Final = "root-of-"  # what stands for the root of a checkpoint, and for its signature
LEFT_OUT: Final = ("/rounds/{number}/search", "/display/static/{name}")  # of rounds long gone; the same at every table


# ---- the same deeds, the same bytes


@contextmanager
def determined() -> Iterator[list[str]]:
    """Lets clocks, threads and chance be those of the loop alone; gives the lines of the log as they come."""
    clock = SimpleNamespace(time=lambda: WALL + _now(), monotonic=_now, sleep=lambda seconds: None)
    table = partial(TableService, random_bytes=random.Random(1).randbytes)
    with (
        patch("asyncio.to_thread", _at_once),
        patch("controller.sim.floor.TableService", table),
        patch("controller.people.sessions.secrets", SimpleNamespace(token_urlsafe=lambda size: "t" * size)),
        patch.object(round_keeper, "BITE", 0.0),
        patch.object(round_keeper, "CALM", 0.0),
        patch("controller.api.server.time", clock),
        patch("controller.api.trace.time", clock),
        patch("controller.api.views.time", clock),
        patch("controller.api.metrics.time", clock),
        patch("controller.journal.writer.time", clock),
        _logged() as lines,
    ):
        yield lines


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _at_once(work: Callable[..., Any], *args: Any, **named: Any) -> Any:
    return work(*args, **named)


@contextmanager
def _logged() -> Iterator[list[str]]:
    """Gives all lines of the log, of every level, ours and those of libraries."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.levelname} {record.name} {record.getMessage()} {record.exc_info or ''}")

    def keep(_logger: object, level: str, event: structlog.types.EventDict) -> str:
        lines.append(f"{level} {json.dumps(event, default=repr, sort_keys=True)}")
        raise structlog.DropEvent

    handler, root = Keep(), logging.getLogger()
    before = root.level
    structlog.configure(processors=[keep], cache_logger_on_first_use=False)
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.setLevel(before)
        root.removeHandler(handler)
        structlog.reset_defaults()


# ---- the table


def _sent(entry: TraceEntry) -> str:
    """Returns a frame that went to a device, every byte of it."""
    if entry.way != "out" or not isinstance(entry.item, Frame):
        return ""
    return f"{entry.item.kind} {entry.item.number} {entry.item.body.hex()}"


def readable(record: Record) -> str:
    """Returns all of a stored record that can be read without a key, with the lengths of what cannot be read."""
    body = pack(record.seq, record)
    head = " ".join(map(str, body[: len(body) - len(record.payload)]))  # no digits of a hash, and no name of a card
    fact = facts.decode(record.payload)
    match fact:
        case Hidden():
            sizes = [[len(part) for part in astuple(card)] for card in fact.cards]
            return f"{head} {fact.shown} {len(fact.day)} {len(fact.salt)} {fact.whole} {sizes}"
        case Turned():
            secrets = [(seq, number, len(secret)) for seq, number, secret in fact.secrets]
            return f"{head} {replace(fact, secrets=())} {secrets}"
        case Snapped():  # the digest of what is encrypted
            return f"{head} snapshot {fact.seq} {len(fact.digest)} {fact.version}"
        case _:
            return f"{head} {record.payload!r}"


class Watched:
    """One table and whoever looks at it."""

    def __init__(
        self,
        floor: SimFloor,
        table: SimulatedTable,
        socket: Path,
        doors: dict[str, ClientSession],
        log: list[str],
    ) -> None:
        self.floor = floor
        self.table = table
        self.socket = socket
        self._doors = doors
        self._asked: list[tuple[str, str]] = []  # door and path
        self.streams: dict[str, bytearray] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._frames: dict[str, int] = {}  # the last one that was looked at, by device
        self._log = log

    async def begin(self, *, console: bool) -> None:
        """Finds out what can be asked at each door, and opens every stream."""
        for door in self._doors:
            description = json.loads(await self.ask(door, "/openapi.json"))
            for path, methods in description["paths"].items():
                if "get" not in methods or path in LEFT_OUT or (path == CONSOLE and not console):
                    continue
                streams = NEVER_ENDING in methods["get"]["responses"]["200"]["content"]
                for filled in self._filled(path):
                    if streams:
                        self._listen(door, filled)
                    else:
                        self._asked.append((door, filled))
        for name in (*self.cards_devices, "console"):
            self._listen(AT_SOCKET, f"/devices/{name}/trace?follow=1")
        self._asked += [(AT_SOCKET, "/journal/tail?n=1000&hash=1"), (AT_SOCKET, "/journal/verify?replay=1")]

    def _filled(self, path: str) -> list[str]:
        """Returns the path with every name that it may have; of rounds the last one is asked for later."""
        names = {"{name}": self.table.sim.devices, "{page}": ("jackpot", "limits")}
        for word, values in names.items():
            if word in path:
                return [path.replace(word, value) for value in values]
        if path == "/devices/events":
            return [f"{path}?device={self.cards_devices[0]}"]
        return [path]

    @property
    def cards_devices(self) -> list[str]:
        """The devices that read cards."""
        return [name for name in self.table.sim.devices if name.startswith(("shoe", "shuffler", "reader"))]

    async def ask(self, door: str, path: str) -> str:
        """Returns what is answered, with its status and headers."""
        path = path.replace("{number}", str(max(1, self.table.state.number)))
        async with self._doors[door].get(path, allow_redirects=False) as answer:
            body = await answer.read()
            headers = {name: value for name, value in answer.headers.items() if name != "Date"}
            return body.decode() if path == "/openapi.json" else f"{answer.status} {headers}\n{body.decode()}"

    def _listen(self, door: str, path: str) -> None:
        heard = self.streams[f"{door} {path}"] = bytearray()

        async def listen() -> None:
            async with self._doors[door].get(path) as answer:
                async for piece in answer.content.iter_any():
                    heard.extend(piece)

        self._tasks.append(asyncio.create_task(listen()))

    async def rest(self) -> None:
        """Waits until what was done is taken in, shown and told."""
        await self.floor.rest()
        await asyncio.sleep(MOMENT)
        await self.floor.rest()

    def cheap(self) -> Outputs:
        """Returns what left the table by itself since the last look: streams, screens, frames, the log."""
        out = {f"stream {name}": heard.decode() for name, heard in self.streams.items()}
        out["log"] = "\n".join(self._log)
        self._log.clear()
        for heard in self.streams.values():
            heard.clear()
        for name, device in self.table.sim.devices.items():
            out[f"screen {name}"] = json.dumps(device.model.view(), default=str)
        for name, supervisor in self.table.service.fleet.devices.items():
            sent = supervisor.trace.after(self._frames.get(name, 0))
            out[f"frames to {name}"] = "\n".join(_sent(entry) for _, entry in sent)
            self._frames[name] = supervisor.trace.last
        return out

    async def all(self) -> Outputs:
        """Returns that, and the answer to everything that can be asked."""
        return self.cheap() | {f"{door} {path}": await self.ask(door, path) for door, path in self._asked}

    def hashes(self) -> dict[str, str]:
        """Returns what says nothing and is another at every table, with words for it.

        These are the hashes of the journal, which cover salt, the records with encrypted cards, and names of keys.
        """
        journal = self.table.journal
        chain = {journal.hash_at(seq).hex(): f"hash-of-{seq}" for seq in range(journal.head.seq + 1)}
        stored = list(journal.iterate_stored())
        leaves = {leaf_hash(pack(each.seq, each)).hex(): f"leaf-of-{each.seq}" for each in stored}
        hidden = (fact for each in stored if isinstance(fact := facts.decode(each.payload), Hidden))
        keys = {fact.day.hex(): "name-of-a-key" for fact in hidden}
        notes = dict[str, str]()
        for seq, kept in journal.checkpoints():
            assert kept is not None
            notes[b64encode(kept.checkpoint.root).decode()] = f"{NOTED}{seq}"
            for each in Note.from_text(kept.note).signatures:
                notes[b64encode(each.id + each.signed).decode()] = f"{NOTED}{seq}, signed"
        return (
            chain
            | leaves
            | keys
            | notes
            | {b64encode(pack(each.seq, each)).decode(): readable(each) for each in stored}
        )

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def watched(
    game: str, options: dict[str, str], directory: Path, log: list[str], *, console: bool = True
) -> AsyncIterator[Watched]:
    """Gives a table of this game with all its doors open; `console`: somebody looks at the dealer's page too."""
    floor = SimFloor(lambda *_: None)
    table = await floor.open("", game, options)
    service, journal = table.service, table.journal
    keeper = RoundKeeper(journal, service.engine, directory / "rounds.db")
    workshop = Workshop(service, KeyFile(directory), (), Accounts())
    figures = TableFigures(keeper, calendar_of(ReportSection()), service.engine.time)
    api = Api("T1", service, journal, {}, workshop, keeper, figures, FloatDesk(service.engine, ()))
    pages = Pages(service, None, (), api)
    socket, look = directory / "felt.sock", directory / "look.sock"
    keeper.start()
    service.protection.start()
    await api.start(socket, look)
    at = await pages.start("127.0.0.1", 0)
    token, _ = service.doorkeeper.sessions.open("Tess", "technician", "page 127.0.0.1", -1)
    patient = ClientTimeout(total=None)
    doors = {
        AT_SOCKET: ClientSession("http://felt", connector=UnixConnector(str(socket), limit=0), timeout=patient),
        AT_LOOK: ClientSession("http://felt", connector=UnixConnector(str(look), limit=0), timeout=patient),
        AT_PAGES: ClientSession(
            at, connector=TCPConnector(limit=0), headers={"Cookie": f"{COOKIE}={token}"}, timeout=patient
        ),
    }
    table_watched = Watched(floor, table, socket, doors, log)
    try:
        await table_watched.begin(console=console)
        yield table_watched
    finally:
        await table_watched.end()
        for door in doors.values():
            await door.close()
        await pages.stop()
        await api.stop()
        await keeper.stop()
        await floor.close()


def masked(text: str, hashes: dict[str, str]) -> str:
    """Returns a text with words in the place of the hashes and records that are others at every table."""

    def name(found: re.Match[str]) -> str:
        return next((word for known, word in hashes.items() if known.startswith(found[0])), found[0])

    text = re.sub(r'("body": ?")([^"]+)', lambda body: body[1] + hashes[body[2]], text)
    for known, word in hashes.items() if "feltd.journal/" in text else ():
        if word.startswith(NOTED):
            text = text.replace(known, word)
    return re.sub(r"[0-9a-f]{16,64}", name, text)
