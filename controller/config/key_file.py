"""The keys of the devices, in a file that only the daemon may read: whose links are encrypted, and with what."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path

from controller.errors import FeltError
from controller.journal.database import sync_directory

NAME = "keys.toml"
MODE = 0o600
KEY_BYTES = 32
_HEAD = "# The keys of this table's devices, by serial number.  Written by `felt device NAME pair`; keep it secret.\n"


class KeyFile:
    """The file of keys, beside the journal; it need not exist.  No key is ever part of a message."""

    def __init__(self, state: Path) -> None:
        self.path = state / NAME

    @classmethod
    def at(cls, path: Path) -> KeyFile:
        """Returns the file of keys at this path, whatever its name is."""
        file = cls(path.parent)
        file.path = path
        return file

    def all(self) -> dict[str, bytes]:
        """Returns every key by serial number, without a table.toml to compare them with; FeltError for a bad file."""
        return self._read()

    def read(self, serials: Collection[str]) -> dict[str, bytes]:
        """Returns keys by serial number; `serials` are those of table.toml.  Raises FeltError for one not to trust."""
        keys = self._read()
        for serial in keys:
            if serial not in serials:
                step = f'Write serial = "{serial}" to its device in table.toml, or remove it from {self.path}.'
                raise FeltError("keys.unknown-serial", f"no device has the serial number {serial}", step)
        return keys

    def store(self, serial: str, key: bytes) -> None:
        """Adds or replaces a key; after a crash the file is the old or the new one."""
        self._write({**self._read(), serial: key})

    def remove(self, serial: str) -> None:
        """Removes a key, if there is one."""
        keys = self._read()
        if keys.pop(serial, None) is not None:
            self._write(keys)

    def _write(self, keys: Mapping[str, bytes]) -> None:
        lines = [f"{_quoted(name)} = {_quoted(value.hex())}\n" for name, value in sorted(keys.items())]
        fresh = self.path.with_name(f".{NAME}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
            with os.fdopen(descriptor, "w") as file:
                file.write(_HEAD + "".join(lines))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
            sync_directory(self.path.parent)
        except OSError as error:
            raise FeltError("keys.unwritable", f"{self.path}: {error.strerror or error}") from error

    def _read(self) -> dict[str, bytes]:
        try:
            with self.path.open("rb") as file:
                mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
                if mode & 0o077:
                    cause = f"{self.path} has mode {mode:04o}: others than the daemon may read or change it"
                    raise FeltError("keys.permissions", cause, f"Run `chmod 600 {self.path}`; pair the devices anew.")
                raw = tomllib.load(file)
        except (FileNotFoundError, NotADirectoryError):  # a directory that cannot be one is the journal's to tell
            return {}
        except OSError as error:
            step = "Give the file to the daemon's user, with mode 600."
            raise FeltError("keys.unreadable", f"{self.path}: {error.strerror or error}", step) from error
        except (ValueError, RecursionError):  # their text might quote a key
            raise self._malformed("it is not TOML") from None
        return self._checked(raw)

    def _checked(self, raw: Mapping[str, object]) -> dict[str, bytes]:
        keys: dict[str, bytes] = {}
        for serial, text in raw.items():
            try:
                key = bytes.fromhex(text) if isinstance(text, str) else b""
            except ValueError:
                key = b""
            if len(key) != KEY_BYTES:
                raise self._malformed(f"the key of {serial} is not 64 hexadecimal digits")
            if key in keys.values():
                raise self._malformed(f"{serial} has the key of another device")
            keys[serial] = key
        return keys

    def _malformed(self, why: str) -> FeltError:
        return FeltError("keys.malformed", f"{self.path}: {why}")


def _quoted(text: str) -> str:
    """Returns a TOML string."""
    plain = text.isprintable() and '"' not in text and "\\" not in text
    return f'"{text}"' if plain else '"' + "".join(f"\\U{ord(c):08x}" for c in text) + '"'
