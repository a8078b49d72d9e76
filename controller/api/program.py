"""`/program`: how the installed program stands, what changed, and the answer to a challenge."""

from __future__ import annotations

import asyncio
from typing import Final, TypedDict

import msgspec
from aiohttp import web

from controller.api import routes
from controller.api.accounts import Accounts
from controller.api.answers import answer
from controller.api.query import number
from controller.api.views import moment
from controller.journal.store import Journal
from controller.program.check import CheckResult
from controller.program.refusals import no_seed
from controller.service.door import read
from controller.service.mounting import Answered
from controller.service.program_changes import ProgramChange, newest
from controller.service.program_watch import ProgramWatch
from controller.service.routes import ErrorCause, Query, Route
from controller.service.snapshots import our_version

NEWEST, MOST = 10, 1000


class ProgramShown(TypedDict):
    """How the installed program stands; `checked` is None while its files are read for the first time."""

    version: str
    words: str
    checked: str | None
    signature: str
    files: int
    digest: str
    manifest: str
    approved: str
    key: str
    differs: list[str]
    trouble: ErrorCause | None


class ChangeShown(TypedDict):
    """What ran from a fact on; digests are empty where the journal does not say them."""

    seq: int
    at: str
    version: str
    config: str
    files: str
    manifest: str
    signature: str
    changed: list[str]


class ChangesShown(TypedDict):
    """The latest changes, the newest first."""

    table: str
    changes: list[ChangeShown]


class ChallengeWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to answer a seed of 16 to 128 hexadecimal digits."""

    seed: str


class ChallengeAnswered(TypedDict):
    """The keyed digests over the installed files, and the fact that has them."""

    table: str
    seq: int
    seed: str
    version: str
    program: str
    program_files: int
    installation: str
    installation_files: int
    lines: list[str]
    words: str
    trouble: ErrorCause | None


PROGRAM: Final = Route("GET", "/program", "Tells how the installed files fit their signed manifest.", ProgramShown)
CHANGES: Final = Route(
    "GET",
    "/program/changes",
    "Lists the latest changes of program and configuration on record.",
    ChangesShown,
    query=[Query("n", f"how many, at most {MOST}", "integer")],
)
CHALLENGE: Final = Route(
    "POST",
    "/program/challenge",
    "Reads all installed files and answers a seed with keyed digests; that is on record.",
    ChallengeAnswered,
    takes=ChallengeWish,
    who=routes.EITHER,
    refuses=(409,),
)


class ProgramApi:
    """Answers about the installed program of one table."""

    def __init__(self, table: str, watch: ProgramWatch, journal: Journal, accounts: Accounts) -> None:
        self._table, self._watch, self._journal, self._accounts = table, watch, journal, accounts

    def routes(self) -> list[Answered]:
        """Returns what can be asked."""
        return [(PROGRAM, self._shown), (CHANGES, self._changes), (CHALLENGE, self._challenge)]

    async def _shown(self, _request: web.Request) -> web.Response:
        result = self._watch.latest
        shown: ProgramShown = {
            "version": our_version(),
            "words": self._watch.in_words,
            "checked": None if result is None else moment(self._watch.at),
            "signature": "" if result is None else result.signature,
            "files": 0 if result is None else result.files,
            "digest": "" if result is None else result.digest,
            "manifest": "" if result is None else result.manifest,
            "approved": "" if result is None else result.approved,
            "key": "" if result is None else result.key,
            "differs": [] if result is None else list(result.differs),
            "trouble": _trouble(result),
        }
        return answer(shown)

    async def _changes(self, request: web.Request) -> web.Response:
        most = number(request, "n", NEWEST, most=MOST)
        result = await asyncio.to_thread(lambda: newest(self._journal.iterate_stored(self._journal.begins), most))
        shown: ChangesShown = {"table": self._table, "changes": [change_shown(each) for each in result]}
        return answer(shown)

    async def _challenge(self, request: web.Request) -> web.Response:
        account = self._accounts.admit_either(request)
        wish = await read(request, ChallengeWish, unfit=no_seed)
        result, seq = await self._watch.challenge(wish.seed, account.uid, account.login)
        keyed = result.answer
        assert keyed is not None  # else it was refused
        shown: ChallengeAnswered = {
            "table": self._table,
            "seq": seq,
            "seed": wish.seed.lower(),
            "version": our_version(),
            "program": keyed.program,
            "program_files": keyed.program_files,
            "installation": keyed.installation,
            "installation_files": keyed.installation_files,
            "lines": list(keyed.lines),
            "words": self._watch.in_words,
            "trouble": _trouble(result),
        }
        return answer(shown)


def change_shown(change: ProgramChange) -> ChangeShown:
    """Returns a change as plain data."""
    return {
        "seq": change.seq,
        "at": moment(change.at_us),
        "version": change.version,
        "config": change.config,
        "files": change.files,
        "manifest": change.manifest,
        "signature": change.signature,
        "changed": list(change.changed),
    }


def _trouble(result: CheckResult | None) -> ErrorCause | None:
    error = None if result is None else result.trouble
    return None if error is None else {"code": error.code, "cause": error.cause, "next_step": error.next_step}
