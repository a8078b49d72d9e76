"""`GET /journal/archives` and `POST /journal/archive`: the sealed files that have the older records of the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from aiohttp import web

from controller.api import routes
from controller.api.accounts import Accounts
from controller.api.answers import answer
from controller.errors import FeltError
from controller.journal.archives import NamedArchive
from controller.journal.store import Journal
from controller.service.archivist import OFF
from controller.service.mounting import Answered
from controller.service.routes import Route

if TYPE_CHECKING:
    from controller.service.archivist import Archivist


class ArchiveShown(TypedDict):
    """One archive: which records it has, and the record that names it."""

    file: str
    first: int
    last: int
    sha256: str
    named: int


class ArchivesShown(TypedDict):
    """All archives of the journal, the oldest first, and the first record that the journal itself still has."""

    begins: int
    archives: list[ArchiveShown]


ARCHIVES: Final = Route("GET", "/journal/archives", "Lists the archives of the journal.", ArchivesShown)
ARCHIVE: Final = Route(
    "POST",
    "/journal/archive",
    "Seals the records that may leave the journal in a file, and names it on record; they leave when the table rests.",
    ArchiveShown,
    who=routes.TECHNICIANS,
    refuses=(409,),
)


class ArchiveApi:
    """Answers about the archives of one table, and makes one."""

    def __init__(self, archivist: Archivist | None, journal: Journal, accounts: Accounts) -> None:
        self._archivist, self._journal, self._accounts = archivist, journal, accounts

    def routes(self) -> list[Answered]:
        """Returns what can be asked."""
        return [(ARCHIVES, self._shown), (ARCHIVE, self._archive)]

    async def _shown(self, _request: web.Request) -> web.Response:
        base, archives, _ = self._journal.left()
        shown: ArchivesShown = {"begins": base.seq + 1, "archives": [archive_shown(each) for each in archives]}
        return answer(shown)

    async def _archive(self, request: web.Request) -> web.Response:
        account = self._accounts.admit_technician(request)
        if self._archivist is None:
            raise FeltError(OFF, "table.toml names no folder for archives")
        return answer(archive_shown(await self._archivist.archive(account.uid, account.login)))


def archive_shown(named: NamedArchive) -> ArchiveShown:
    """Returns an archive as plain data."""
    archive = named.archive
    return {
        "file": archive.file,
        "first": archive.first,
        "last": archive.last,
        "sha256": archive.digest.hex(),
        "named": named.record,
    }
