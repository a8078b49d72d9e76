"""people.toml on the disk: who may read it, read again whenever it was changed, and written whole or not at all."""

from __future__ import annotations

import grp
import os
import stat
from pathlib import Path
from typing import Final

from controller.errors import FeltError
from controller.journal.database import sync_directory
from controller.people.errors import empty, missing, unwritable
from controller.people.roster import EMPTY, Roster, parse, written

NAME: Final = "people.toml"
GROUP: Final = "feltd"  # of the daemon
FORBIDDEN: Final = 0o027  # the group may read it, nobody else anything
_LARGEST: Final = 1 << 18  # bytes: a thousand people, read in a moment

_State = tuple[int, int, int, int, int, int] | None


class RosterFile:
    """The roster in a file.  Nobody can sign in while it cannot be trusted, and `trouble` says why."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: FeltError | None = None
        self._roster = EMPTY
        self._state: _State | str = "not read"

    def current(self) -> Roster:
        """Returns everybody as the file has them now."""
        state = _state(self.path)
        if state != self._state:
            self._state = state
            try:
                self._roster = self.read()
                self.trouble = None if self._roster.people else empty(self.path)
            except FeltError as error:
                self._roster, self.trouble = EMPTY, error
        return self._roster

    def read(self) -> Roster:
        """Returns what the file has; raises FeltError when it is missing, cannot be trusted, or has mistakes."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)  # nobody waits for a pipe
            with os.fdopen(descriptor, "rb") as file:
                self._check(os.fstat(file.fileno()))
                data = file.read(_LARGEST + 1)
        except FileNotFoundError:
            raise missing(self.path) from None
        except OSError as error:
            raise FeltError("people.unreadable", f"{self.path}: {error.strerror or error}") from None
        if len(data) > _LARGEST:
            raise FeltError("people.invalid", f"{self.path} has more than {_LARGEST} bytes")
        try:
            return parse(data.decode(), str(self.path))
        except UnicodeDecodeError:
            raise FeltError("people.invalid", f"{self.path} is not UTF-8 text") from None

    def write(self, roster: Roster) -> None:
        """Puts a roster in the file's place; after a crash it is the old or the new one."""
        fresh = self.path.with_name(f".{NAME}.new")
        try:
            fresh.unlink(missing_ok=True)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                _give(file.fileno(), self.path)
                file.write(written(roster))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
            sync_directory(self.path.parent)
        except OSError as error:
            raise unwritable(self.path, error.strerror or str(error)) from None

    def _check(self, info: os.stat_result) -> None:
        mode = stat.S_IMODE(info.st_mode)
        if not stat.S_ISREG(info.st_mode):
            raise FeltError("people.unreadable", f"{self.path} is not a file")
        if mode & FORBIDDEN:
            raise FeltError("people.permissions", f"{self.path} has mode {mode:04o}: others may read or change it")
        if info.st_uid not in (0, os.geteuid()):
            raise FeltError("people.permissions", f"{self.path} belongs to account {info.st_uid}")


class FixedRoster:
    """A roster that is in no file."""

    def __init__(self, roster: Roster, trouble: FeltError | None = None) -> None:
        self._roster = roster
        self.trouble = trouble

    def current(self) -> Roster:
        """Returns everybody."""
        return self._roster


def _give(descriptor: int, old: Path) -> None:
    """Gives a new file to whom the old one belonged; without one, root's goes to root and the daemon's group."""
    try:
        before = old.stat()
        os.fchown(descriptor, before.st_uid, before.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(before.st_mode) & ~FORBIDDEN)
    except FileNotFoundError:
        if os.geteuid() == 0:
            try:
                os.fchown(descriptor, 0, grp.getgrnam(GROUP).gr_gid)
            except KeyError:
                return  # no such group: the daemon is root's own
            os.fchmod(descriptor, 0o640)


def _state(path: Path) -> _State:
    """Returns by what a change of the file is known; None: there is none."""
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_mtime_ns, info.st_ctime_ns, info.st_ino, info.st_size, info.st_mode, info.st_uid
