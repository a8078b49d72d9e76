"""The parts of the daemon put together: journal, writer, table, API; in this order, and back."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import structlog
from msgspec.structs import replace

from controller.api.accounts import Accounts
from controller.api.server import Api
from controller.api.workshop import Workshop
from controller.config import TableConfig
from controller.config.begin import begin, offers_jackpot
from controller.config.key_file import KeyFile
from controller.config.model import DisplaysSection
from controller.config.show import digest
from controller.config.usb import is_configured, uses_usb
from controller.config.wiring import NO_SCHEMES, Schemes, devices, is_for_trying_out, kind_of, whole_captures
from controller.counts import many
from controller.daemon.notify import Notifier
from controller.daemon.witnesses import WITNESS, witness_door, witnesses_of
from controller.errors import Coded, FeltError
from controller.games import find
from controller.journal.copying import JournalCopy
from controller.journal.errors import JournalError
from controller.journal.head_file import HeadFile
from controller.journal.key_file import key_path, read_key
from controller.journal.signing import Signer
from controller.journal.store import Journal
from controller.journal.writer import Writer
from controller.people.checks import ThreadedChecks
from controller.people.people import People
from controller.people.roster_file import RosterFile
from controller.service import meter_store
from controller.service.archive_naming import check_named
from controller.service.archivist import Archivist
from controller.service.card_store import veil_of
from controller.service.card_veil import CardVeil
from controller.service.checkpoint_keeper import CheckpointKeeper
from controller.service.checkpoint_publisher import CheckpointPublisher
from controller.service.clock import SYSTEM_CLOCKS, SystemClocks, TableClock
from controller.service.clock_watch import ClockWatch
from controller.service.copy_watch import CopyWatch
from controller.service.doorkeeper import Doorkeeper
from controller.service.figures import TableFigures, calendar_of
from controller.service.float_desk import FloatDesk
from controller.service.head_watch import HEAD, HeadWatch
from controller.service.key_retention import KeyRetention
from controller.service.ledger_marks import LedgerMarks
from controller.service.meter_sync import MeterSync
from controller.service.own_table import OwnTable
from controller.service.program_watch import ProgramWatch
from controller.service.round_keeper import RoundKeeper
from controller.service.round_store import FILE
from controller.service.snapshots import our_version
from controller.service.table import TableService
from controller.service.timekeeper import Timekeeper
from controller.service.tournaments import Tournaments
from controller.service.usb_watch import UsbWatch
from controller.table import holds
from controller.table.times import SECOND
from controller.views.meter_face import MeterStyle
from controller.views.notices import notices
from controller.views.words import TEST_MODE
from controller.web.server import Extension, Pages
from firmware_bridge.usb_present import open_bell, usb_present

if TYPE_CHECKING:
    from controller.service.floor_watch import FloorWatch

JOURNAL = "journal.db"
PAGES = "pages"
ROUNDS = "rounds"
CHECKPOINTS = "checkpoints"
ARCHIVES = "archives"
KEY = "journal key"
COPY = "copy of the journal"
PAGES_AGAIN = 2.0  # seconds until a port that was taken is tried again
BESIDE = 1.0  # seconds between two looks of what follows the journal on other disks
SILENCE = 5.0  # seconds between two words on a long recovery
PATIENCE = 60.0  # seconds that the service manager shall wait for the next word on it

log = structlog.get_logger()


@dataclass(frozen=True)
class Daemon:
    """One table that runs."""

    config: TableConfig
    journal: Journal
    writer: Writer
    service: TableService
    pages: str = ""  # where a browser finds them

    def healthy(self) -> bool:
        """Tells whether facts still become durable."""
        return self.writer.alive(time.monotonic())

    def status(self) -> str:
        """Returns one line for the service manager."""
        return f"{TEST_MODE}: {self._status()}" if self.service.test else self._status()

    def _status(self) -> str:
        table, storage, defect = self.service.engine.table, self.service.storage.error, self.service.engine.defect
        trouble = defect or storage or self.service.storage.slow(time.monotonic())
        if trouble is not None:
            return f"{trouble.code}: {trouble.cause}"
        held = holds.why(table)
        if held is not None:
            return f"held by {held.code}: {held.text}"
        open_now = notices(table, self.service.engine.game, self.service.fleet.trunks)
        named = {device for notice in open_now for device in notice.devices}
        devices = self.service.fleet.devices.items()
        missing = [name for name, device in devices if device.state.phase != "ready" and name not in named]
        waits = f"; waiting for {', '.join(missing)}" if missing else ""
        tells = f"; {open_now[-1].line(time.localtime().tm_gmtoff)}" if open_now else ""
        more = f" (and {len(open_now) - 1} more)" if len(open_now) > 1 else ""
        return f"{self.config.table.name}: {table.game}, round {table.number}{waits}{tells}{more}"


@asynccontextmanager
async def running(
    config: TableConfig,
    schemes: Schemes = NO_SCHEMES,
    clocks: SystemClocks = SYSTEM_CLOCKS,
    people: People | None = None,
    extension: Extension | None = None,
    *,
    create: bool = True,
) -> AsyncIterator[Daemon]:
    """Runs a table from its recovery to its orderly end; `extension` is added to the felt page.

    `people`: others than those of its people.toml.  With `create` a journal is made where there is none.  Raises
    FeltError or JournalError, with a cause and a next step, when it cannot start.
    """
    begun = replace(begin(config), version=our_version(), config=digest(config), kind=kind_of(config))
    specs = devices(config, schemes)
    store = meter_store.open_store(config) if offers_jackpot(config) else None
    people = people or people_of(config)
    veil = veil_of(config)
    journal = Journal.open(config.table.state / JOURNAL, table=config.table.name, create=create, veil=veil)
    try:
        check_named(journal)
        begun = replace(begun, schema=journal.schema_digest())
        clock = TableClock(journal, clocks)

        def failed(error: JournalError) -> None:
            clock.unrecorded()
            service.storage.failed(error)

        writer = Writer(journal, on_failure=failed)
        try:
            service = TableService(begun, journal, writer, specs, clock, meter_style(config.displays), people=people)
            service.doorkeeper = Doorkeeper(
                service.engine, service.sign_in, config.people.idle_seconds, config.people.longest_seconds
            )
            service.program, service.test = _program(config, service), config.table.test
            service.outputs.test = config.table.test
            keeper = Timekeeper(service.engine, clock)
            service.clock_watch = ClockWatch(service.engine, service.storage, clock)
            if store is not None:
                service.meter_sync = MeterSync(meter_store.sync_settings(config), service.engine, store)
                service.meter_sync.news.on_hits = service.outputs.displays.won_elsewhere
            service.tournaments = _tournaments(config, service)
            service.head_watch = _head_watch(config, journal, service)
            async with (
                _end_told(config, service),
                _checkpointed(config, journal, service) as (checkpoints, publisher),
                _copied(config, journal, service),
                _archiving(config, journal, service) as archivist,
                _serving(config, journal, service, keeper, extension, publisher, archivist) as pages,
            ):
                publisher.start()
                checkpoints.start()
                if archivist is not None:
                    archivist.start()
                yield Daemon(config, journal, writer, service, pages)
        finally:
            await writer.close()
    finally:
        people.checks.close()
        journal.close()


@asynccontextmanager
async def _end_told(config: TableConfig, service: TableService) -> AsyncIterator[None]:
    """Says that the table has stopped, when nothing more can come on record: not even that people were signed out."""
    try:
        yield
    finally:
        log.info("table.stopped", table=config.table.name, facts=service.engine.seq)


@asynccontextmanager
async def _checkpointed(
    config: TableConfig, journal: Journal, service: TableService
) -> AsyncIterator[tuple[CheckpointKeeper, CheckpointPublisher]]:
    """Yields what signs the journal's checkpoints, and what shows them to others.

    When everything else has stopped, it keeps the last one and shows it to the witnesses.
    """
    report, signer = _told_as(CHECKPOINTS, service), _signer(config, service)
    if service.meter_sync is not None:
        service.meter_sync.marks = LedgerMarks(config.table.state, signer)
    keeper = CheckpointKeeper(journal, service.engine, signer, report=report)
    witnesses = witnesses_of(config, signer, service.fleet.devices)
    publisher = CheckpointPublisher(
        journal, service.engine, signer, witnesses, lambda name, error: _told_as(name, service)(error)
    )
    keeper.on_made = publisher.made
    keeper.reopen()
    try:
        yield keeper, publisher
    finally:
        await publisher.pause()
        await keeper.stop()
        await service.engine.writer.close()
        last = keeper.close()
        if last is not None and service.head_watch is not None:
            await service.head_watch.close()
        if last is not None:
            await publisher.show_last(last)
        await publisher.stop()


def _signer(config: TableConfig, service: TableService) -> Signer | None:
    """Returns the key of the journal; None without one, or when it cannot be used, which stops no table."""
    try:
        path = key_path(config.journal.key, config.table.state, os.environ)
        return None if path is None else read_key(path, config.table.name)
    except JournalError as error:
        _told_as(KEY, service)(error)
        return None


def _tournaments(config: TableConfig, service: TableService) -> Tournaments | None:
    """Returns the tournaments of the store that is configured; None where the document knows none."""
    if find(config.table.game).document.tournaments is None:
        return None
    return Tournaments(
        config.table.name,
        service.engine,
        lambda: meter_store.open_logbooks(config),
        meter_store.allowed_by(config),
    )


def _program(config: TableConfig, service: TableService) -> ProgramWatch:
    """Returns what compares the installed files with their manifest; on record where the table counts."""
    section = config.program
    counts = section.manifest is not None or not is_for_trying_out(config)
    return ProgramWatch(service.engine, section.manifest, [key.lower() for key in section.keys], on_record=counts)


def people_of(config: TableConfig) -> People:
    """Returns who can sign in at this table: those of its people.toml."""
    return People(RosterFile(config.people.file), ThreadedChecks(), config.people.idle_seconds * SECOND)


def meter_style(displays: DisplaysSection) -> MeterStyle:
    """Returns how the displays of the prize meter move, in milliseconds."""
    return MeterStyle(displays.roll, displays.hit * 1000, displays.turn * 1000)


def _accounts(config: TableConfig) -> Accounts:
    return Accounts(config.api.technicians, config.api.supervisors, config.api.managers)


@asynccontextmanager
async def _serving(
    config: TableConfig,
    journal: Journal,
    service: TableService,
    keeper: Timekeeper,
    extension: Extension | None,
    publisher: CheckpointPublisher,
    archivist: Archivist | None,
) -> AsyncIterator[str]:
    """Serves everything that people reach; yields the address of the pages, if there are any."""
    addresses = {name: str(device.address) for name, device in config.devices.items()}
    keys = KeyFile(config.table.state)
    workshop = Workshop(service, keys, config.firmware.public_keys, _accounts(config))
    later: asyncio.Task[None] | None = None
    rounds = _rounds(config, journal, service)
    figures = TableFigures(rounds, calendar_of(config.report), service.engine.time, config.float_.commission)
    float_desk = FloatDesk(service.engine, config.float_.witness)
    own = OwnTable(config.table.name, service, rounds)
    floor = _floor(config, own, service)
    usb = _usb(config, service)
    whole = whole_captures(config)
    api = Api(
        config.table.name,
        service,
        journal,
        addresses,
        workshop,
        rounds,
        figures,
        float_desk,
        own=own,
        floor=floor,
        whole_captures=whole,
        publisher=publisher,
        archivist=archivist,
    )
    retention = KeyRetention(service.engine, journal, config.journal.retention)
    pages = None
    if config.web.place is not None:
        witness = witness_door(config, _told_as(WITNESS, service))
        pages = Pages(service, extension, config.web.names, api, own, floor, figures, float_desk, witness)
    try:
        await _recovered(service)
        if isinstance(journal.veil, CardVeil):
            journal.veil.keys.now(service.engine.time())  # what cannot be kept is told now, not with the first card
        retention.start()
        keeper.start()
        if usb is not None:
            usb.start(open_bell)
        service.protection.start()
        service.program.start()
        rounds.on_round = service.protection.round_over
        rounds.start()
        if floor is not None:
            floor.start()
        await api.start(config.api.socket, config.api.read_socket)
        at = await _open_pages(pages, config, service) if pages is not None else ""
        if pages is not None and not at:
            later = asyncio.create_task(_pages_later(pages, config, service), name="pages")
        where = {"socket": str(config.api.socket)} | ({"pages": at} if at else {})
        log.info("table.ready", table=config.table.name, facts=service.engine.seq, **where)
        yield at
    finally:
        retention.stop()
        keeper.stop()
        if usb is not None:
            usb.stop()
        if floor is not None:
            await floor.stop()
        if later is not None:
            later.cancel()
            await asyncio.wait([later])
        if pages is not None:
            await pages.stop()
        await api.stop()
        await rounds.stop()
        await service.stop()


def _floor(config: TableConfig, own: OwnTable, service: TableService) -> FloorWatch | None:
    """Returns what watches the other tables; None at a table that watches nobody, which pays nothing for it."""
    if config.floor is None:
        return None
    from controller.service.floor_watch import FloorWatch

    return FloorWatch(own, service, config.floor.tables)


def _usb(config: TableConfig, service: TableService) -> UsbWatch | None:
    """Returns what watches the computer's USB; None at a table that has nothing there."""
    if not uses_usb(config):
        return None
    return UsbWatch(service.engine, service.storage, usb_present, partial(is_configured, config))


def _rounds(config: TableConfig, journal: Journal, service: TableService) -> RoundKeeper:
    """Returns what keeps the rounds on record; when it cannot, that is named and stops no table."""

    report = _told_as(ROUNDS, service)
    return RoundKeeper(journal, service.engine, config.table.state / FILE, keep=config.rounds.keep, report=report)


@asynccontextmanager
async def _archiving(config: TableConfig, journal: Journal, service: TableService) -> AsyncIterator[Archivist | None]:
    """Yields what archives the journal, and ends it; None where every record stays in the journal."""
    section, report = config.journal, _told_as(ARCHIVES, service)
    if section.archive is None:
        yield None
        return
    signer = _signer(config, service)
    archivist = Archivist(service.engine, journal, section.archive, section.archive_after, signer, report)
    try:
        yield archivist
    finally:
        await archivist.stop()


def _told_as(name: str, service: TableService) -> Callable[[Coded | None], None]:
    """Returns who is told of a trouble that stops no table: people see it for as long as it lasts."""

    def report(error: Coded | None) -> None:
        before = service.closed_doors.pop(name, None)
        if error is None:
            return
        service.closed_doors[name] = error
        if before is None or before.cause != error.cause:
            log.error(error.code, cause=error.cause, next_step=error.next_step)

    return report


def _head_watch(config: TableConfig, journal: Journal, service: TableService) -> HeadWatch | None:
    """Returns what keeps the head file; None where none is wished."""
    path = config.journal.head
    if path is None:
        return None
    return HeadWatch(HeadFile(path, config.table.name), journal, service.engine, _told_as(HEAD, service), BESIDE)


@asynccontextmanager
async def _copied(config: TableConfig, journal: Journal, service: TableService) -> AsyncIterator[None]:
    """Keeps the second copy of the journal meanwhile, where one is wished."""
    if config.journal.copy_to is None:
        yield
        return
    watch = CopyWatch(JournalCopy(journal, config.journal.copy_to), journal, _told_as(COPY, service), BESIDE)
    watch.start()
    try:
        yield
    finally:
        await watch.stop()


async def _open_pages(pages: Pages, config: TableConfig, service: TableService) -> str:
    """Opens the pages and returns their address; "" when their port cannot be had, which stops no table."""
    assert config.web.place is not None
    try:
        at = await pages.start(*config.web.place)
    except FeltError as error:
        if PAGES not in service.closed_doors:
            log.error(error.code, cause=error.cause, next_step=error.next_step)
        service.closed_doors[PAGES] = error
        return ""
    service.closed_doors.pop(PAGES, None)
    return at


async def _pages_later(pages: Pages, config: TableConfig, service: TableService) -> None:
    """Tries again until the port is free."""
    while True:
        await asyncio.sleep(PAGES_AGAIN)
        if at := await _open_pages(pages, config, service):
            log.info("pages.ready", pages=at)
            return


class _Progress:
    """Tells the service manager and the log how far a long recovery is."""

    def __init__(self) -> None:
        self._notifier = Notifier()
        self._next = time.monotonic() + SILENCE

    def __call__(self, done: int, all_: int) -> None:
        text = f"telling the journal again: {done} of {many(all_, 'fact')}"
        self._notifier.busy(text, PATIENCE)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + SILENCE
            log.info("journal.replaying", done=done, all=all_)


async def _recovered(service: TableService) -> None:
    """Starts the table where its journal left it.

    A defect met on the way does not end the daemon: the technician must be able to look.
    """
    service.engine.on_progress = _Progress()
    try:
        await service.start()
    except msgspec.DecodeError as error:
        raise FeltError(
            "journal.unreadable", "the journal has a kind of fact that this version does not know"
        ) from error
    for note in service.engine.notes:
        log.warning("journal.note", note=note)
    if not service.engine.table.game:
        refused = "the rules refuse the table's configuration"
        raise service.engine.defect or FeltError("table.refused", refused)
