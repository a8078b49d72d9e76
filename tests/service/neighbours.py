"""Tables of the floor that are not there: each answers at its read-only door as it is told to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from aiohttp import web
from msgspec.structs import replace

from controller.views.alerts import Alert
from controller.views.summary import MeterSummary, TableSummary

CALM = TableSummary(
    table="T2",
    game="casino-war",
    title="Casino War",
    document="001",
    open=True,
    limits=(("Minimum", "$10"), ("Maximum", "$1,000")),
    round=41,
    phase="betting",
    waits="players place their bets",
    pace=48,
    ended=None,
    alerts=(),
    meter=None,
    faults=0,
    fault=None,
    version="0.2.0",
)
HELD = Alert("held", "a1", "The table is held: the shoe: 2 events are missing.", "A supervisor presses resume.", 1_000)
RICH = MeterSummary("running", 10_000_286, fault=False)


class FakeTable:
    """One table; `summary` is what it tells from now on."""

    def __init__(self, name: str) -> None:
        self.summary = replace(CALM, table=name)
        self.asked = 0
        self.unchanged = 0  # answers without a body
        self.at = ""

    def change(self, **fields: object) -> None:
        self.summary = replace(self.summary, **fields)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked += 1
        body = msgspec.json.encode(self.summary)
        mark = f'"{hash(body):x}"'
        if request.headers.get("If-None-Match") == mark:
            self.unchanged += 1
            return web.Response(status=304, headers={"ETag": mark})
        return web.Response(body=body, content_type="application/json", headers={"ETag": mark})


@asynccontextmanager
async def fake_tables(*names: str) -> AsyncIterator[dict[str, FakeTable]]:
    """Serves these tables, each at a port of its own."""
    tables, runners = {}, []
    for name in names:
        tables[name] = table = FakeTable(name)
        app = web.Application()
        app.router.add_get("/summary", table.answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        runners.append(runner)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        table.at = "http://{}:{}".format(*runner.addresses[0][:2])
    try:
        yield tables
    finally:
        for runner in runners:
            await runner.cleanup()
