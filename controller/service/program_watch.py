"""Watches the program itself: its installed files against their signed manifest, at each start, each day, on challenge.

What was found is on record.  A program that is not as it was approved is a fault for everybody to see, and no new round
opens before a supervisor has decided so.  The round that runs is played to its end.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import structlog

from controller.counts import many
from controller.journal.errors import JournalError
from controller.program import refusals
from controller.program.challenge import key_of
from controller.program.check import MOST_NAMED, CheckResult, CheckWish, check
from controller.program.installed import foreign_modules, foreign_paths, own_root
from controller.service.engine import Engine
from controller.service.snapshots import our_version
from controller.table.effects import AnyEffect
from controller.table.facts import (
    AnyFact,
    DeviceCleared,
    DeviceFault,
    Hold,
    ProgramChallenged,
    ProgramChecked,
    Released,
)
from controller.table.state import Table

log = structlog.get_logger()

PROGRAM: Final = "program"  # the device under whose name it is on record
EVERY: Final = 24 * 3600.0  # seconds
PATIENCE: Final = 300.0  # seconds for all files
CODES: Final = ("program.altered", "program.untrusted", "program.manifest", "program.unchecked")
Look = Callable[[CheckWish], Awaitable[CheckResult]]


async def checked_apart(wanted: CheckWish) -> CheckResult:
    """Returns what a process of its own finds: reading and compiling thousands of files makes no card wait."""
    if not wanted.root:
        return check(wanted)  # a checkout: there is nothing to read
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-m", "controller.program.process"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            output, _ = await process.communicate(msgspec.json.encode(wanted))
        return msgspec.json.decode(output, type=CheckResult)
    except TimeoutError:
        return _unchecked(f"its files could not be read in {PATIENCE:.0f} s")
    except msgspec.DecodeError:
        return _unchecked(f"the process that reads its files ended with {process.returncode}")
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _unchecked(cause: str) -> CheckResult:
    return CheckResult("unreadable", code="program.unchecked", cause=cause)


class ProgramWatch:
    """Keeps the newest result; `manifest` None: none is configured, and the program is said to be unsigned.

    `on_record`: what a start finds is a fact, whatever it is.
    """

    def __init__(
        self,
        engine: Engine,
        manifest: Path | None = None,
        keys: Sequence[str] = (),
        *,
        on_record: bool = True,
        root: Path | None = None,
        look: Look = checked_apart,
    ) -> None:
        self.latest: CheckResult | None = None  # None: the first check is under way
        self.at = 0  # when it was found, as facts count
        self._engine, self._manifest, self._keys = engine, manifest, tuple(keys)
        self._on_record, self._root, self._look = on_record, root or own_root(), look
        self._asked_about: tuple[str, ...] | None = None  # the differences of which people were asked since the start
        self._hold: Hold | None = None  # as soon as the round is over
        self._task: asyncio.Task[None] | None = None
        self._busy = asyncio.Lock()

    # ---- life

    def start(self) -> None:
        """Begins to look; the table does not wait for it."""
        self._engine.listeners.append(self._followed)
        self._task = asyncio.get_running_loop().create_task(self._watch(), name="program")

    async def stop(self) -> None:
        """Ends it; harmless twice."""
        if self._followed in self._engine.listeners:
            self._engine.listeners.remove(self._followed)
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _watch(self) -> None:
        while True:
            with suppress(JournalError):  # the next day tells it, or the next start
                await self.look()
            await asyncio.sleep(EVERY)

    # ---- looking

    @property
    def in_words(self) -> str:
        """How the program stands, in one line for people."""
        result = self.latest
        if result is None:
            return "its files are being read"
        if result.code:
            return f"NOT AS APPROVED: {result.cause}"
        match result.signature:
            case "signed":
                return f"signed: {many(result.files, 'file')} fit manifest {result.manifest[:16]}"
            case "checkout":
                return "UNSIGNED: it runs from a checkout"
        return f"UNSIGNED: no manifest says what its {many(result.files, 'file')} should be"

    async def look(self, seed: str = "") -> CheckResult:
        """Checks now, and puts on record what is new; returns what was found."""
        async with self._busy:
            result = await self._look(self._wanted(seed))
            first, before = self.latest is None, self.latest
            self.latest, self.at = msgspec.structs.replace(result, answer=None), self._engine.time()
            if self._on_record and (first or before != self.latest):
                await self._engine.submit(fact_of(result))
            await self._tell(result)
            return result

    async def challenge(self, seed: str, account: int, login: str) -> tuple[CheckResult, int]:
        """Answers a challenge: returns what was found, and the fact that has the answer.

        Raises FeltError when the seed is none, the program runs from a checkout, or a check is under way.
        """
        key_of(seed)
        if self._busy.locked():
            raise refusals.busy()
        if self._root is None:
            raise refusals.unchecked("the program runs from a checkout: its files are not installed")
        result = await self.look(seed.lower())
        if result.answer is None:
            raise result.trouble or refusals.unchecked("its files could not be read")
        keyed = result.answer
        fact = ProgramChallenged(seed.lower(), keyed.program, keyed.installation, our_version(), account, login)
        followed = await self._engine.submit(fact)
        return result, followed.seq

    def _wanted(self, seed: str) -> CheckWish:
        if self._root is None:
            return CheckWish("", str(self._manifest or ""))
        return CheckWish(
            str(self._root),
            str(self._manifest or ""),
            self._keys,
            tuple(foreign_paths(sys.path, self._root)),
            tuple(foreign_modules(sys.modules, self._root)),
            seed,
        )

    # ---- telling

    async def _tell(self, result: CheckResult) -> None:
        """Records the fault, or that it is over; the hold waits for the end of the round."""
        on_record = self._engine.table.faults.get(PROGRAM, {})
        for code in CODES:
            if code != result.code and code in on_record:
                await self._engine.submit(DeviceCleared(PROGRAM, code))
            if code != result.code and _holds(self._engine.table, code):
                await self._engine.submit(Released(code, PROGRAM))
        if not result.code:
            self._hold, self._asked_about = None, None
            return
        if on_record.get(result.code) != result.cause:
            log.error(result.code, cause=result.cause)
            await self._engine.submit(DeviceFault(PROGRAM, result.code, result.cause))
        if self._asked_about != (about := (result.code, *result.differs)):
            self._asked_about = about
            self._hold = Hold(result.code, result.cause, PROGRAM)
            self._hold_between_rounds(self._engine.table)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._hold_between_rounds(table)

    def _hold_between_rounds(self, table: Table) -> None:
        running = table.round is not None and not table.round.outcome
        if self._hold is not None and not running:
            hold, self._hold = self._hold, None
            self._engine.submit(hold)


def _holds(table: Table, code: str) -> bool:
    return any(held.code == code for held in table.holds.values())


def fact_of(result: CheckResult) -> ProgramChecked:
    """Returns what goes on record of a check."""
    return ProgramChecked(
        our_version(),
        result.signature,
        result.files,
        result.digest,
        result.manifest,
        result.key,
        len(result.differs),
        result.differs[:MOST_NAMED],
        result.code,
    )
