"""The three doors of one table, each with what it declares; and a client that asks them anything."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aiohttp import ClientSession, UnixConnector, web

from controller.api import server as api_server
from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.service.mounting import DECLARED
from controller.service.routes import AnyRoute
from controller.web import server as web_server
from tests.api.conftest import Floor
from tests.daemon.house import table_toml


class Door(NamedTuple):
    """One way to ask: its declarations, and where it is."""

    app: web.Application
    session: ClientSession
    at: str
    headers: dict[str, str]

    @property
    def routes(self) -> tuple[AnyRoute, ...]:
        return self.app[DECLARED]

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        kind = {} if body is None else {"json": body} if isinstance(body, dict) else {"data": body}
        async with self.session.request(
            method, self.at + path, headers=sent, allow_redirects=False, **kind
        ) as response:
            if response.content_type == "text/event-stream":
                return Answer(response.status, "", dict(response.headers))
            return Answer(response.status, await response.text(), dict(response.headers))


class Answer(NamedTuple):
    """What a door answered."""

    status: int
    text: str
    headers: dict[str, str]

    @property
    def code(self) -> str:
        return str(json.loads(self.text)["error"]["code"])


class Doors(NamedTuple):
    """The three doors of one table: the socket, the one where one can look, the pages' port."""

    floor: Floor
    socket: Door
    look: Door
    pages: Door

    @property
    def all(self) -> tuple[Door, ...]:
        return (self.socket, self.look, self.pages)


@asynccontextmanager
async def three_doors(
    directory: Path, monkeypatch: pytest.MonkeyPatch, game: str = "casino-war", options: str = ""
) -> AsyncIterator[Doors]:
    apps: list[web.Application] = []
    for module in (api_server, web_server):
        real = module.listen

        async def listen(app: web.Application, *args: Any, real: Any = real) -> web.AppRunner:
            apps.append(app)
            return await real(app, *args)  # type: ignore[no-any-return]

        monkeypatch.setattr(module, "listen", listen)
    path, read = table_toml(directory, game=game, options=options), directory / "read.sock"
    path.write_text(f'{path.read_text()}read-socket = "{read}"\n[web]\nlisten = "127.0.0.1:0"\n[floor]\n')
    async with dealt_table(load_config(path)) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        signed = {"Authorization": f"Bearer {floor.client.token}"}
        async with (
            ClientSession(connector=UnixConnector(str(daemon.config.api.socket))) as one,
            ClientSession(connector=UnixConnector(str(read))) as two,
            ClientSession() as three,
        ):
            yield Doors(
                floor,
                Door(apps[0], one, "http://felt", signed),
                Door(apps[1], two, "http://felt", {}),
                Door(apps[2], three, daemon.pages, {"Origin": daemon.pages}),
            )
