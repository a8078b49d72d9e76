"""A whole table in the test's own loop: the real daemon and its API, on simulated devices."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.daemon.compose import Daemon
from controller.rules import Role
from hw_sim.table import SimTable
from tests.asking import Client
from tests.daemon.house import table_toml
from tests.people.everybody import sign_in

PATIENCE = 50.0  # seconds: the client waits in a thread of its own, which a busy machine lets wait too


class Floor:
    """One table, and the client that asks it from another thread."""

    def __init__(self, daemon: Daemon, sim: SimTable) -> None:
        self.daemon = daemon
        self.sim = sim
        self.engine = daemon.service.engine
        self.client = Client(str(daemon.config.api.socket))
        self.as_person("casino-manager")

    def as_person(self, role: Role, account: int | None = None) -> None:
        """Whoever asks from now on is signed in over the socket; not on record: the numbers of facts stay."""
        account = os.getuid() if account is None else account
        person = f"simulated {role.replace('-', ' ')}"
        self.client.token, _ = self.daemon.service.doorkeeper.sessions.open(person, role, "socket", account)

    async def get(self, what: str, **query: str | int) -> dict[str, Any]:
        return await asyncio.to_thread(lambda: self.client.get(what, timeout=PATIENCE, **query))

    async def post(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        return await asyncio.to_thread(self.client.post, what, body, PATIENCE)

    async def do(self, device: str, verb: str, *args: Any) -> int:
        """Something happens at a device; the sequence number of the last fact when all is taken in."""
        self.sim.device(device).do(verb, *args)
        return await self.rest()

    async def rest(self) -> int:
        async with asyncio.timeout(PATIENCE):
            while not (self.daemon.service.quiet and self.sim.quiet):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        return self.engine.seq

    async def sign_in(self, role: Role) -> int:
        """Somebody in this role signs in at the console."""
        sign_in(self.sim.device("console").do, role)
        return await self.rest()

    async def bet(self, area: int, amount: int, spot: str = "war") -> int:
        return await self.do(f"sensor.{area}", "bet", {(spot, 1): amount})

    async def press(self, *words: str) -> int:
        return await self.do("console", "press", *words)

    async def draw(self, *cards: str) -> int:
        for card in cards:
            await self.do("shoe", "draw", card)
        return self.engine.seq


Open = Callable[[str], Awaitable[Floor]]


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Open]:
    """Opens a table with these lines of options."""
    tables = []

    async def open_table(options: str = "") -> Floor:
        table = dealt_table(load_config(table_toml(tmp_path, options=options)))
        tables.append(table)
        daemon, sim, _ = await table.__aenter__()
        return Floor(daemon, sim)

    yield open_table
    for table in tables:
        await table.__aexit__(None, None, None)


@pytest.fixture
async def floor(opened: Open) -> Floor:
    return await opened("")
