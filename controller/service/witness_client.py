"""Who is shown the checkpoints of this table: a neighbour's daemon, or the store that tables share."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar

from controller.errors import FeltError
from controller.jackpot.stores.checkpoint_store import CheckpointStore
from controller.journal.notes import LARGEST, Note, Signature, Verifier
from controller.journal.signing import signed_by
from controller.journal.witnessing import FORK, Submission, WitnessError
from controller.service.witness_door import STALE
from controller.service.witness_routes import ADD, NEWEST

AWAY: Final = "witness.away"
REFUSED: Final = "witness.refused"
TIMES: Final = ClientTimeout(total=10.0, connect=4.0)
STORE: Final = "the store"
OK, FORBIDDEN, NOT_FOUND, CONFLICT, UNPROVEN = 200, 403, 404, 409, 422
T = TypeVar("T")
_LONGEST_SIZE: Final = 20  # digits


class Witness(Protocol):
    """Somebody who remembers the newest checkpoint that it was shown."""

    name: str
    key: Verifier | None  # with which it signs, where it does
    begins_anew: bool  # takes what does not follow, when a person here has decided so
    goes_with_the_table: bool  # cannot be asked any more when the table has stopped

    async def show(self, shown: Submission, anew: str) -> Signature | None:
        """Shows a checkpoint; returns the witness's word on it, where it gives one.

        Raises WitnessError when the witness does not take it, FeltError when it cannot be reached.
        """

    async def remembered(self, origin: str, key: Verifier | None) -> Note | None:
        """Returns the newest checkpoint that the witness knows; None when it says none."""

    async def close(self) -> None:
        """Releases what it holds; harmless twice."""


class NeighbourWitness:
    """A table that cosigns; believed only as far as signatures go."""

    begins_anew = False
    goes_with_the_table = False

    def __init__(self, name: str, address: str, key: Verifier) -> None:
        self.name, self._address, self._key = name, address, key
        self.key: Verifier | None = key

    async def show(self, shown: Submission, anew: str) -> Signature | None:
        async def post(session: ClientSession) -> Signature:
            headers = {"Content-Type": ADD.body_media}
            async with session.post(
                ADD.path, data=shown.to_text().encode(), headers=headers, allow_redirects=False
            ) as response:
                return self._answered(shown, response.status, await _text(response))

        return await self._asked(post)

    async def remembered(self, origin: str, key: Verifier | None) -> Note | None:
        async def get(session: ClientSession) -> Note | None:
            path = NEWEST.at(origin=origin, key="" if key is None else key.id.hex())
            async with session.get(path, allow_redirects=False) as response:
                return Note.from_text(await _text(response)) if response.status == OK else None

        try:
            return await self._asked(get)
        except ValueError:
            return None

    async def close(self) -> None:
        """Has nothing to release: every question has a connection of its own."""

    def _answered(self, shown: Submission, status: int, text: str) -> Signature:
        if status == CONFLICT and len(text) <= _LONGEST_SIZE and text.strip().isdecimal():
            raise WitnessError(STALE, f"{self.name} knows {text.strip()} records", int(text))
        if status == UNPROVEN:
            raise WitnessError(FORK, f"{self.name} does not take the proof", shown.old)
        if status in (FORBIDDEN, NOT_FOUND):
            raise FeltError(REFUSED, f"{self.name} does not know the key of this table's journal")
        if status != OK:
            raise FeltError(AWAY, f"{self.name} answers with status {status}")
        try:
            cosigned = Note.from_text(f"{shown.note.text}\n{text}")
        except ValueError:
            cosigned = Note(shown.note.text)
        if not signed_by(cosigned, self._key):
            raise FeltError(REFUSED, f"what {self.name} answers is not signed with the key that is known of it")
        return next(each for each in cosigned.signatures if (each.name, each.id) == (self._key.name, self._key.id))

    async def _asked(self, ask: Callable[[ClientSession], Awaitable[T]]) -> T:
        try:
            async with (
                asyncio.timeout(TIMES.total),
                ClientSession(self._address, cookie_jar=DummyCookieJar(), timeout=TIMES, auto_decompress=False) as it,
            ):
                return await ask(it)
        except (ClientError, OSError) as error:
            raise FeltError(AWAY, f"{self.name} is not reached: {_in_words(error)}") from None


class StoreWitness:
    """The store of the prize meter: it keeps every checkpoint, in the order of the commits, and takes none back."""

    name = STORE
    key: Verifier | None = None
    begins_anew = True
    goes_with_the_table = False

    def __init__(
        self,
        make: Callable[[], CheckpointStore],
        allow: Callable[[CheckpointStore], Awaitable[None]] | None = None,  # raises when this table may not use it
    ) -> None:
        self._make, self._allow = make, allow
        self._store: CheckpointStore | None = None

    async def show(self, shown: Submission, anew: str) -> Signature | None:
        await (await self._opened()).publish(shown, anew)
        return None

    async def remembered(self, origin: str, key: Verifier | None) -> Note | None:
        published = await (await self._opened()).published(origin)
        return None if published is None else Note.from_text(published.note)

    async def close(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            await store.close()

    async def _opened(self) -> CheckpointStore:
        if self._store is None:
            store = self._make()
            await store.open()
            try:
                if self._allow is not None:
                    await self._allow(store)
            except BaseException:
                await store.close()
                raise
            self._store = store
        return self._store


async def _text(response: ClientResponse) -> str:
    body = b""
    async for piece in response.content.iter_any():
        body += piece
        if len(body) > LARGEST:
            raise FeltError(REFUSED, f"the answer has more than {LARGEST} bytes")
    return body.decode(errors="replace")


def _in_words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    return "the connection broke"
