"""Shows each new checkpoint to those who remember it: neighbours, which cosign, and the store that tables share.

None of them delays the table.  A stop shows them its checkpoint too, if they answer within a moment.  Who cannot be
reached is asked again later, with ever longer pauses.  Who knows something else of this journal, and can show it signed
by the journal's own key, has found that the journal went back or has two histories: then the table is held until a
person decides.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import structlog

from controller.errors import Coded, FeltError
from controller.journal.checkpoints import Checkpoint, Cosigned, KeptCheckpoint, origin_of
from controller.journal.errors import JournalError
from controller.journal.growth import frontier_at, leaves_between
from controller.journal.notes import Note, Signature, Verifier
from controller.journal.proofs import later_proof
from controller.journal.signing import Signer, cosigned_at, signed_by
from controller.journal.store import Journal
from controller.journal.verify_tree import APPENDED
from controller.journal.witnessing import FORK, ROLLBACK, Submission, WitnessError
from controller.service.continuity import was_reopened
from controller.service.device_witness import NOTELESS
from controller.service.engine import Engine
from controller.service.error_place import error_place
from controller.service.witness_client import REFUSED, Witness
from controller.table.facts import Hold

SOON, LATEST = 2.0, 300.0  # seconds until the next attempt: first, at most
LAST: Final = 1.5  # seconds that a stop waits for the witnesses, at most
BITE: Final = 0.005  # seconds of rest between two pieces of reading
LATE: Final = 900.0  # seconds without a word of a witness: then people are told

log = structlog.get_logger()
ReportAs = Callable[[str, Coded | None], None]


class Contradiction(NamedTuple):
    """How what a witness knows differs from the journal."""

    code: str
    text: str


class WitnessStanding:
    """How one witness stands to this journal."""

    def __init__(self, witness: Witness) -> None:
        self.witness = witness
        self.size = 0  # how many records it has seen last, as far as we know
        self.at = 0.0  # when it last took a checkpoint, in seconds since 1970; 0: never yet
        self.error: Coded | None = None  # of the last attempt
        self.news = asyncio.Event()
        self.failing = 0.0  # since when, by the monotonic clock; 0: it is well
        self.looked_behind = False  # it was asked whether it knows of a clean stop behind which nothing may stand
        self.appended: Coded | None = None  # what it knew of that
        self.held = ""  # the name of the hold that was set for it

    @property
    def device(self) -> str:
        """What a hold for it is about."""
        return f"witness {self.witness.name}"


class CheckpointPublisher:
    """What shows the checkpoints of one running table to its witnesses."""

    def __init__(
        self,
        journal: Journal,
        engine: Engine,
        signer: Signer | None,
        witnesses: Sequence[Witness],
        report: ReportAs = lambda name, error: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._journal, self._engine, self._report, self._clock = journal, engine, report, clock
        self._key: Verifier | None = None if signer is None else signer.verifier()
        self._newest: KeptCheckpoint | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._begins = journal.head.seq  # what stands there before this start has recorded anything
        self._ended = False
        self.standings = [WitnessStanding(each) for each in witnesses]
        for standing in self.standings:  # now: a start takes the place of the checkpoint of the last stop
            self._recall(standing)

    def start(self) -> None:
        """Begins; what witnesses said before the last stop is known from the journal."""
        self._tasks += [asyncio.create_task(self._run(each), name="witness") for each in self.standings]

    async def pause(self) -> None:
        """Shows nothing more by itself: the journal is about to end."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def show_last(self, kept: KeptCheckpoint) -> None:
        """Shows the checkpoint of a clean stop to those who can be reached, and gives up after a moment.

        The journal is closed for facts then.  Devices are let go of already; they see it at the next start.
        """
        reached = [each for each in self.standings if each.error is None and not each.witness.goes_with_the_table]
        tasks = [asyncio.create_task(self._show_once(each, kept), name="witness-last") for each in reached]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=LAST)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=LAST / 3)

    async def stop(self) -> None:
        """Ends at once; the next start goes on."""
        self._ended = True
        await self.pause()
        for standing in self.standings:
            await standing.witness.close()

    def made(self, kept: KeptCheckpoint) -> None:
        """Hears of a new checkpoint."""
        self._newest = kept
        for standing in self.standings:
            standing.news.set()

    # ---- inside

    def _recall(self, standing: WitnessStanding) -> None:
        """Finds in the kept checkpoints which the witness last signed, and when."""
        key = standing.witness.key
        if key is None:
            return
        for _, kept in reversed(self._journal.checkpoints()):
            at = {} if kept is None else cosigned_at(Note.from_text(kept.note), [key])
            if kept is not None and at:
                standing.size, standing.at = kept.seq, float(at[key.name])
                return

    @property
    def _origin(self) -> str:
        return origin_of(self._journal.table)

    async def _run(self, standing: WitnessStanding) -> None:
        pause = SOON
        while True:
            await standing.news.wait()
            standing.news.clear()
            if await self._attempt(standing):
                pause = SOON
                continue
            standing.news.set()  # try it again
            await asyncio.sleep(pause)
            pause = min(LATEST, pause * 2)

    async def _attempt(self, standing: WitnessStanding) -> bool:
        """Shows the newest checkpoint once; tells whether the witness took it."""
        try:
            assert self._newest is not None
            await self._look_behind(standing)
            await self._show(standing, self._newest)
        except Coded as error:
            self._failed(standing, error)
            return False
        except Exception as bug:  # of ours: the table goes on, and the next checkpoint is another try
            log.error("witness.defect", witness=standing.witness.name, what=error_place(bug))
            self._failed(standing, FeltError(REFUSED, f"{standing.witness.name}: its answer could not be read"))
            return False
        standing.error, standing.failing, standing.at = None, 0.0, time.time()
        self._report(standing.device, standing.appended)
        return True

    async def _show_once(self, standing: WitnessStanding, kept: KeptCheckpoint) -> None:
        try:
            shown, signature = await self._taken(standing, kept, "")
            if signature is not None:
                self._journal.cosign(Cosigned(kept.seq, shown.note.text, signature))
        except (Coded, _Stopped) as error:  # the next start shows it what came of it
            log.info("witness.later", witness=standing.witness.name, why=str(error))
        except Exception as bug:  # of ours: it must not keep the table from its stop
            log.error("witness.defect", witness=standing.witness.name, what=error_place(bug))

    async def _look_behind(self, standing: WitnessStanding) -> None:
        """Asks once after a start whether the witness knows of a clean stop that somebody put records behind.

        The journal's own word of that stop can be taken out of its file, that of a witness cannot.
        """
        if standing.looked_behind or self._key is None:
            return
        note = await standing.witness.remembered(self._origin, self._key)
        standing.looked_behind = True
        stop = None if note is None else self._ours(note)
        if note is None or stop is None or not stop.closed:
            return
        if stop.size >= self._begins or was_reopened(self._journal, stop.size, self._key):
            return
        cause = f"the daemon stopped cleanly at record {stop.size}, as {standing.witness.name} was shown"
        standing.appended = FeltError(APPENDED, f"{cause}, and {self._begins} stood there at the next start")
        log.error(APPENDED, cause=standing.appended.cause, proof=note.to_text())

    async def _show(self, standing: WitnessStanding, kept: KeptCheckpoint) -> None:
        try:
            shown, signature = await self._taken(standing, kept, self._ruled(standing))
        except WitnessError as refused:
            await self._contradicted(standing, refused)
            return
        standing.size, standing.held = kept.seq, ""
        if signature is not None:
            self._engine.writer.cosign(Cosigned(kept.seq, shown.note.text, signature))

    async def _taken(
        self, standing: WitnessStanding, kept: KeptCheckpoint, anew: str
    ) -> tuple[Submission, Signature | None]:
        """Returns what the witness took, and its word on it; raises WitnessError when it does not take it."""
        shown = await asyncio.to_thread(self._shown, kept, 0 if anew else min(standing.size, kept.seq))
        try:
            return shown, await standing.witness.show(shown, anew)
        except WitnessError as error:  # it may know another size than we think: it says which
            if error.known == shown.old or error.known > kept.seq:
                raise
            standing.size = error.known
        shown = await asyncio.to_thread(self._shown, kept, 0 if anew else standing.size)
        return shown, await standing.witness.show(shown, anew)

    def _shown(self, kept: KeptCheckpoint, old: int) -> Submission:
        """Returns the checkpoint with its proof; in a thread."""
        proof: list[bytes] = []
        if old:
            before = frontier_at(self._journal, old, self._rest)
            proof = later_proof(before, leaves_between(self._journal, old, kept.seq, self._rest))
        note = Note.from_text(kept.note)
        own = tuple(each for each in note.signatures if each.name == self._origin)
        return Submission(old, tuple(proof), Note(note.text, own))

    def _ruled(self, standing: WitnessStanding) -> str:
        """Returns who decided that a witness shall take what does not follow; "" when nobody did, or need."""
        if not standing.held or standing.held in self._engine.table.holds or not standing.witness.begins_anew:
            return ""
        return f"a person at table {self._journal.table}, by record {self._engine.seq} of its journal"

    async def _contradicted(self, standing: WitnessStanding, refused: WitnessError) -> None:
        """Holds the table when the witness can show what it says; always raises what people are told."""
        note = await standing.witness.remembered(self._origin, self._key)
        differs = None if note is None else await asyncio.to_thread(self._compared, note, standing.witness.name)
        if differs is None:
            raise FeltError(REFUSED, f"{refused.cause}, and cannot show why")
        if not standing.held:
            name = f"{differs.code} {standing.device}"
            if name not in self._engine.table.holds:  # else it is held since before a restart
                await self._engine.submit(Hold(differs.code, differs.text, standing.device))
            standing.held = name
        raise FeltError(differs.code, differs.text)

    def _compared(self, note: Note, who: str) -> Contradiction | None:
        """Returns how a checkpoint of this journal differs from it; None when it does not, or is none of ours."""
        checkpoint = self._ours(note)
        if checkpoint is None:
            return None
        size, head = checkpoint.size, self._journal.head.seq
        if size > head:
            text = f"{who} was shown {size} records, but the journal ends at {head}: it is an older copy"
            return Contradiction(ROLLBACK, text)
        if frontier_at(self._journal, size, self._rest).root() != checkpoint.root:
            text = f"{who} was shown other records up to {size}: the journal has two histories, or was changed"
            return Contradiction(FORK, text)
        return None

    def _ours(self, note: Note) -> Checkpoint | None:
        """Returns the checkpoint of this journal that the note is, as its key signed it; None when it is none."""
        try:
            checkpoint = Checkpoint.from_text(note.text)
        except ValueError:
            return None
        if checkpoint.origin != self._origin or (self._key is not None and not signed_by(note, self._key)):
            return None
        return checkpoint

    def _failed(self, standing: WitnessStanding, error: Coded) -> None:
        standing.error = error
        standing.failing = standing.failing or self._clock()
        grave = error.code in (ROLLBACK, FORK, REFUSED) or isinstance(error, JournalError)
        late = error.code != NOTELESS and self._clock() - standing.failing > LATE  # no device must keep notes
        if grave or late:
            self._report(standing.device, error)

    def _rest(self) -> None:
        """Leaves the interpreter to the loop; in a thread."""
        if self._ended:
            raise _Stopped
        time.sleep(BITE)


class _Stopped(Exception):
    """The table has stopped, and the journal is closed or will be."""
