"""The daemon's API: JSON over HTTP on a Unix socket, for `felt` and whoever else belongs to the socket's group."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from aiohttp import web

from controller.api import correct, routes, views, wires
from controller.api.answers import answer
from controller.api.archive import ArchiveApi
from controller.api.correction import CORRECT
from controller.api.counters import Counters, LoopLag
from controller.api.device_checks import DeviceChecks
from controller.api.device_doors import DeviceDoors
from controller.api.events import Events
from controller.api.faults import Faults
from controller.api.jackpot import Jackpots
from controller.api.journal import JournalApi
from controller.api.open_cards import OpenCards
from controller.api.people import SocketDoor, SocketPowers
from controller.api.program import ProgramApi
from controller.api.query import bad_request
from controller.api.rounds import Rounds
from controller.api.serving import MODE, MOST, MOST_READERS, READ_MODE, bound, explained, limits, only_shows
from controller.api.trace import Traces
from controller.api.workshop import LARGEST_IMAGE, Workshop
from controller.errors import FeltError
from controller.games import find
from controller.journal.store import Journal
from controller.service import floor_routes
from controller.service.clock_door import confirming
from controller.service.deck_door import DeckDoor
from controller.service.figures import TableFigures
from controller.service.float_desk import FloatDesk
from controller.service.listening import listen
from controller.service.mounting import Answered, mount
from controller.service.protection_door import protecting
from controller.service.round_keeper import RoundKeeper
from controller.service.table import TableService
from controller.service.tournament_door import TournamentDoor
from controller.table.view import meter_shown
from controller.views import promotions
from controller.views.keys import keys
from firmware_bridge.can_health import bus_health

if TYPE_CHECKING:
    from controller.service.archivist import Archivist
    from controller.service.checkpoint_publisher import CheckpointPublisher
    from controller.service.floor_watch import FloorWatch
    from controller.service.own_table import OwnTable

TITLE, LOOKING = "The socket of a table", "The socket of a table where one can look and nothing else"

log = structlog.get_logger()


class Api:
    """The API of one table: it asks the running table and reads the journal through the one connection there is."""

    def __init__(
        self,
        name: str,
        service: TableService,
        journal: Journal,
        addresses: Mapping[str, str],
        workshop: Workshop,
        rounds: RoundKeeper,
        figures: TableFigures,
        float_desk: FloatDesk,
        *,
        own: OwnTable | None = None,
        floor: FloorWatch | None = None,
        whole_captures: bool = False,
        publisher: CheckpointPublisher | None = None,
        archivist: Archivist | None = None,
    ) -> None:
        self._name = name
        self._own, self._floor = own, floor
        self._service = service
        self._journal, self._publisher, self._archivist = journal, publisher, archivist
        self._addresses = addresses
        self._workshop = workshop
        self._door = SocketDoor(service.doorkeeper)
        self._powers = SocketPowers(workshop.accounts, self._door)
        self._began = time.monotonic()
        self._events = Events(service.engine, journal, rounds.older_refusals)
        self._rounds = Rounds(rounds, figures)
        self._float_desk = float_desk
        self._decks = DeckDoor(service.engine, self._door)
        self._traces = Traces(service, whole=whole_captures)
        self._counters = Counters(service.engine)
        self._lag = LoopLag()
        self._runner: web.AppRunner | None = None
        self._reader: web.AppRunner | None = None
        self._paths: list[Path] = []

    async def start(self, path: Path, read: Path | None = None) -> None:
        """Opens the sockets; raises FeltError when one cannot be had.

        `read`: a second socket where one can look and nothing else.
        """
        app = web.Application(middlewares=[explained], client_max_size=LARGEST_IMAGE)
        mount(
            app,
            TITLE,
            [
                *self._looking(),
                (routes.KEYS, self._keys),
                (routes.PROMOTIONS, self._promotions),
                *JournalApi(
                    self._journal,
                    self._events.look,
                    lambda: self._service.engine.seq,
                    self._publisher,
                    self._rounds.index,
                ).routes(),
                *ArchiveApi(self._archivist, self._journal, self._workshop.accounts).routes(),
                *self._rounds.searching(),
                *ProgramApi(self._name, self._service.program, self._journal, self._workshop.accounts).routes(),
                *OpenCards(self._service.engine, self._journal, self._rounds.find, self._powers).routes(),
                (routes.EVENTS, self._events.stream),
                (CORRECT, self._correct),
                *self._traces.routes(),
                *Faults(self._service, self._workshop.accounts).routes(),
                *DeviceChecks(self._service, self._workshop.accounts).routes(),
                *self._workshop.routes(),
                *DeviceDoors(self._service, self._powers).routes(),
                *Jackpots(self._service, self._journal, self._workshop.accounts, self._powers).routes(),
                *self._door.routes(),
                *self._decks.doing(),
                *self._acknowledging(),
                *self._tournaments(),
                *protecting(self._service.protection, self._service.engine, self._door),
                *self._float_desk.routes(self._door),
                *confirming(self._service.clock_watch, self._door),
            ],
        )
        self._runner = await listen(app, self._bound_at(path, MODE), limits("api", MOST))
        if read is not None:
            look = web.Application(middlewares=[explained, only_shows(path)], client_max_size=1)
            mount(look, LOOKING, [*self._looking(), (routes.DISPLAYS, self._displays), *self._rooms()])
            try:
                self._reader = await listen(look, self._bound_at(read, READ_MODE), limits("api read", MOST_READERS))
            except FeltError as error:  # who only looks stops no table
                self._service.closed_doors["read socket"] = error
                log.error(error.code, cause=error.cause, next_step=error.next_step)
        self._lag.start()

    async def stop(self) -> None:
        """Ends every stream, closes the sockets and removes them; harmless twice."""
        self._events.close()
        self._traces.close()
        self._lag.stop()
        runners, self._runner, self._reader = (self._runner, self._reader), None, None
        for runner in runners:
            if runner is not None:
                await runner.cleanup()
        while self._paths:
            self._paths.pop().unlink(missing_ok=True)

    def _looking(self) -> list[Answered]:
        """Returns the paths that anybody may ask who reaches a socket at all."""
        return [
            (routes.STATUS, self._status),
            (routes.DEVICES, self._devices),
            (routes.METRICS, self._metrics),
            *self._rounds.routes(),
            *self._decks.looking(),
            *(self._own.routes() if self._own is not None else ()),
            (floor_routes.FLOOR, self._tables),
        ]

    def _tournaments(self) -> list[Answered]:
        if self._service.tournaments is None:
            return []
        return TournamentDoor(self._service.tournaments, self._door).routes()

    def _rooms(self) -> list[Answered]:
        """Returns the paths of what the rooms of tournaments show."""
        if self._service.tournaments is None:
            return []
        return TournamentDoor(self._service.tournaments, self._door).looking()

    def _acknowledging(self) -> list[Answered]:
        if self._floor is None:
            return [(floor_routes.ACKNOWLEDGE, self._no_floor)]
        from controller.service.floor_door import acknowledging  # a table that watches nobody has no need of it

        return [acknowledging(self._floor, self._door)]

    def _bound_at(self, path: Path, mode: int) -> socket.socket:
        listening = bound(path, mode)
        self._paths.append(path)
        return listening

    # ---- answers

    async def _status(self, _request: web.Request) -> web.Response:
        uptime = time.monotonic() - self._began
        return answer(views.status(self._name, self._service, self._journal.head, uptime))

    async def _devices(self, _request: web.Request) -> web.Response:
        return answer(self.devices())

    async def _tables(self, _request: web.Request) -> web.Response:
        if self._floor is None:
            raise floor_routes.no_floor()
        return answer(self._floor.shown())

    async def _no_floor(self, _request: web.Request) -> web.Response:
        raise floor_routes.no_floor()

    def frames(self, name: str, most: int) -> list[dict[str, Any]]:
        """Returns the newest frames of a device, without their cards; none of one that is not there."""
        return [dict(frame) for frame in self._traces.newest(name, most)]

    def devices(self) -> dict[str, Any]:
        """Returns every device with its wire, and the buses that several share."""
        service = self._service
        devices = [
            views.device(
                supervisor,
                self._addresses.get(name, ""),
                service.engine.pending_from(name),
                tampered=name in service.fleet.tampering,
                faults=service.engine.table.faults.get(name),
            )
            | views.door_of(service, name)
            for name, supervisor in service.fleet.devices.items()
        ]
        offset = time.time() - asyncio.get_running_loop().time()
        buses = [wires.bus(health, self._addresses, offset) for health in bus_health()]
        return {"devices": devices, "buses": buses}

    async def _displays(self, _request: web.Request) -> web.Response:
        """Returns what stands on the sign and on the meter; no amount while it may be another one."""
        table, outputs = self._service.engine.table, self._service.outputs
        sure = table.game and not outputs.meter_in_doubt
        sign = outputs.wanted_sign() if table.game else []
        return answer({"sign": sign, "meter": meter_shown(table) if sure else None})

    async def _keys(self, _request: web.Request) -> web.Response:
        """Returns every key of the table, and which of them whoever is signed in at the console may press now."""
        table = self._service.engine.table
        if not table.game:
            return answer({"game": "", "keys": [], "now": []})
        now = [msgspec.structs.asdict(key) for key in self._service.outputs.keys_now()]
        return answer({"game": table.game, "keys": keys(find(table.game), table), "now": now})

    async def _promotions(self, _request: web.Request) -> web.Response:
        return answer(promotions.shown(self._service.engine.table))

    async def _metrics(self, _request: web.Request) -> web.Response:
        metrics = await asyncio.to_thread(import_module, "controller.api.metrics")
        body = metrics.render(self._service, self._counters, self._lag)
        return web.Response(body=body, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    async def _correct(self, request: web.Request) -> web.Response:
        """Makes a correction, by a supervisor's ruling; or only tries it out, which shows what would change."""
        who = self._powers.admit(request)
        try:
            wish = correct.understood(await request.read())
        except msgspec.DecodeError as error:
            raise bad_request(f"the request is not understood: {error}") from None
        engine = self._service.engine
        if engine.defect is not None:
            raise engine.defect
        if wish.preview:
            return answer({"preview": True, "changes": correct.preview(engine, wish)})
        return answer({"preview": False, "changes": await correct.commit(engine, wish, who), "seq": engine.seq})
