"""Shows each new checkpoint to those who remember it: neighbours, which cosign, and the store that tables share.

None of them delays the table.  Who cannot be reached is asked again later, with ever longer pauses.  Who knows
something else of this journal, and can show it signed by the journal's own key, has found that the journal went back
or has two histories: then the table is held until a person decides.
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
from controller.journal.notes import Note, Verifier
from controller.journal.proofs import later_proof
from controller.journal.signing import Signer, cosigned_at, signed_by
from controller.journal.store import Journal
from controller.journal.witnessing import FORK, ROLLBACK, Submission, WitnessError
from controller.service.device_witness import NOTELESS
from controller.service.engine import Engine
from controller.service.error_place import error_place
from controller.service.witness_client import REFUSED, Witness
from controller.table.facts import Hold

SOON, LATEST = 2.0, 300.0  # seconds until the next attempt: first, at most
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
        self.standings = [WitnessStanding(each) for each in witnesses]

    def start(self) -> None:
        """Begins; what witnesses said before the last stop is known from the journal."""
        for standing in self.standings:
            self._recall(standing)
            self._tasks.append(asyncio.create_task(self._run(standing), name="witness"))

    async def stop(self) -> None:
        """Ends at once; the next start goes on."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
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
            await self._show(standing, self._newest)
        except Coded as error:
            self._failed(standing, error)
            return False
        except Exception as bug:  # of ours: the table goes on, and the next checkpoint is another try
            log.error("witness.defect", witness=standing.witness.name, what=error_place(bug))
            self._failed(standing, FeltError(REFUSED, f"{standing.witness.name}: its answer could not be read"))
            return False
        standing.error, standing.failing, standing.at = None, 0.0, time.time()
        self._report(standing.device, None)
        return True

    async def _show(self, standing: WitnessStanding, kept: KeptCheckpoint) -> None:
        anew = self._ruled(standing)
        for _ in range(2):  # the witness may know another size than we think: it says which
            shown = await asyncio.to_thread(self._shown, kept, 0 if anew else min(standing.size, kept.seq))
            try:
                signature = await standing.witness.show(shown, anew)
            except WitnessError as error:
                refused = error
                if error.known == shown.old or error.known > kept.seq:
                    break
                standing.size = error.known
                continue
            standing.size, standing.held = kept.seq, ""
            if signature is not None:
                self._engine.writer.cosign(Cosigned(kept.seq, shown.note.text, signature))
            return
        await self._contradicted(standing, refused)

    def _shown(self, kept: KeptCheckpoint, old: int) -> Submission:
        """Returns the checkpoint with its proof; in a thread."""
        proof: list[bytes] = []
        if old:
            before = frontier_at(self._journal, old, _rest)
            proof = later_proof(before, leaves_between(self._journal, old, kept.seq, _rest))
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
        try:
            checkpoint = Checkpoint.from_text(note.text)
        except ValueError:
            return None
        if checkpoint.origin != self._origin or (self._key is not None and not signed_by(note, self._key)):
            return None
        size, head = checkpoint.size, self._journal.head.seq
        if size > head:
            text = f"{who} was shown {size} records, but the journal ends at {head}: it is an older copy"
            return Contradiction(ROLLBACK, text)
        if frontier_at(self._journal, size, _rest).root() != checkpoint.root:
            text = f"{who} was shown other records up to {size}: the journal has two histories, or was changed"
            return Contradiction(FORK, text)
        return None

    def _failed(self, standing: WitnessStanding, error: Coded) -> None:
        standing.error = error
        standing.failing = standing.failing or self._clock()
        grave = error.code in (ROLLBACK, FORK, REFUSED) or isinstance(error, JournalError)
        late = error.code != NOTELESS and self._clock() - standing.failing > LATE  # no device must keep notes
        if grave or late:
            self._report(standing.device, error)


def _rest() -> None:
    time.sleep(BITE)
