"""An archive counts only as far as a record of the chain names it: what the file says of itself proves nothing.

Whoever can write the journal's file could take records out of it and claim that some archive has them.
"""

from __future__ import annotations

from typing import Final

import msgspec

from controller.journal.archives import Archive, NamedArchive
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.table import facts
from controller.table.facts import Archived

UNNAMED: Final = "archive.unnamed"


def fact_of(archive: Archive, account: int = -1, login: str = "") -> Archived:
    """Returns the fact that names an archive, with the account that asked for it."""
    return Archived(**msgspec.structs.asdict(archive), account=account, login=login)


def check_named(journal: Journal) -> list[str]:
    """Checks that the chain names every archive; returns which could not be checked, in words.

    The newest one must be named in the journal's own file.  It vouches for all before it, whose records can be in an
    archive by now.  Raises JournalError with the first that is not named.
    """
    archives, unseen = journal.archives, list[str]()
    for number, each in enumerate(archives, start=1):
        if number == len(archives) or each.record >= journal.begins:
            _check(journal, each)
        else:
            unseen.append(f"the record that names {each.archive.file} is in an archive; a later record vouches for it")
    return unseen


def _check(journal: Journal, each: NamedArchive) -> None:
    archive, fact = each.archive, None
    if journal.base.seq < each.record <= journal.head.seq or each is not journal.archives[-1]:
        fact = facts.decode(journal.read(each.record, 1)[0].payload)
    if not isinstance(fact, Archived) or _of(fact) != archive:
        cause = f"no record of the chain names {archive.file} with {archive.records} as the journal does"
        raise JournalError(UNNAMED, cause)


def _of(fact: Archived) -> Archive:
    return Archive(**{name: getattr(fact, name) for name in Archive.__struct_fields__})
