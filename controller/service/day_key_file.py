"""The file of the day keys, each wrapped by the table's key: without that key it tells nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from pathlib import Path
from secrets import token_bytes
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from controller.errors import FeltError
from controller.journal.database import sync_directory
from controller.service.day_keys import DayKey, DayKeys

MODE: Final = 0o600
_FORM: Final = 1
_NONCE_BYTES: Final = 12


class _Day(msgspec.Struct, frozen=True, omit_defaults=True):
    """The key of a day as the file has it; one that was destroyed has nothing that is wrapped."""

    name: bytes
    began: int
    wrapped: bytes = b""


class _File(msgspec.Struct, frozen=True):
    """The whole file."""

    form: int
    table: str  # whose keys these are
    days: tuple[_Day, ...]


class DayKeyFile:
    """The file of one table's day keys; it need not exist.  No key is ever part of a message."""

    def __init__(self, path: Path, table: str, key: bytes) -> None:
        self._path, self._table = path, table
        wrapping = HKDF(SHA256(), 32, salt=None, info=b"feltd day keys 1\0" + table.encode()).derive(key)
        self._cipher = AESGCM(wrapping)

    def keys(self) -> DayKeys:
        """Returns the keys, which are written back as they come and go; raises FeltError for a file not to trust."""
        return DayKeys(self._write, [self._unwrapped(day) for day in self._read()])

    def _read(self) -> tuple[_Day, ...]:
        try:
            with self._path.open("rb") as file:
                mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
                if mode & 0o077:
                    cause = f"{self._path} has mode {mode:04o}: others than the daemon may read or change it"
                    raise FeltError("cards.day-keys-permissions", cause, f"Run `chmod 600 {self._path}`.")
                kept = msgspec.json.decode(file.read(), type=_File)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise FeltError("cards.day-keys-unreadable", f"{self._path}: {error.strerror or error}") from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise FeltError("cards.day-keys-unreadable", f"{self._path} is no file of day keys") from None
        if kept.form != _FORM or kept.table != self._table:
            whose = f"it has form {kept.form} and is of table {kept.table!r}"
            raise FeltError("cards.day-keys-unreadable", f"{self._path} is not the file of this table: {whose}")
        return kept.days

    def _unwrapped(self, day: _Day) -> DayKey:
        if not day.wrapped:
            return DayKey(day.name, day.began, b"")
        nonce, cipher = day.wrapped[:_NONCE_BYTES], day.wrapped[_NONCE_BYTES:]
        try:
            return DayKey(day.name, day.began, self._cipher.decrypt(nonce, cipher, _about(day.name, day.began)))
        except (InvalidTag, ValueError, OverflowError):
            cause = f"the key of this table does not open the day key {day.name.hex()} in {self._path}"
            raise FeltError("cards.wrong-key", cause) from None

    def _wrapped(self, day: DayKey) -> _Day:
        if not day.secret:
            return _Day(day.name, day.began)
        nonce = token_bytes(_NONCE_BYTES)
        return _Day(day.name, day.began, nonce + self._cipher.encrypt(nonce, day.secret, _about(day.name, day.began)))

    def _write(self, days: Collection[DayKey]) -> None:
        """Replaces the file; after a crash it is the old or the new one."""
        kept = msgspec.json.format(
            msgspec.json.encode(_File(_FORM, self._table, tuple(self._wrapped(day) for day in days))), indent=1
        )
        fresh = self._path.with_name(f".{self._path.name}.new")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(kept)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
            sync_directory(self._path.parent)
        except OSError as error:
            raise FeltError("cards.day-keys-unwritable", f"{self._path}: {error.strerror or error}") from error


def _about(name: bytes, began: int) -> bytes:
    return name + began.to_bytes(8, signed=True)
