"""A backup as a folder: files, what they are, and the SHA-256 of each; it has its name only when it is whole.

`sha256sum --check SHA256SUMS` looks at the same without feltd.  The SHA-256 of that list is the seal of the backup:
whoever keeps it elsewhere can prove later that nothing was changed.
"""

from __future__ import annotations

import fcntl
import grp
import os
import pwd
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from controller.errors import FeltError
from controller.journal.database import sync_directory
from controller.new_file import MODE

FORM: Final = 1
ABOUT: Final = "backup.json"
SUMS: Final = "SHA256SUMS"
_WRITING: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
_PIECE: Final = 1 << 20  # bytes
_LARGEST: Final = 1 << 24  # bytes of what describes a backup


class KeptFile(msgspec.Struct, frozen=True):
    """A file of a backup: by its name there, and whose it was on the computer of the table."""

    name: str
    owner: str
    group: str
    mode: int


class About(msgspec.Struct, frozen=True):
    """What a backup is."""

    form: int
    table: str
    version: str  # of feltd
    made_at: str  # UTC
    anchor: str  # of the journal in it
    records: int
    files: tuple[KeptFile, ...]

    def has(self, name: str) -> bool:
        """Tells whether a file is in it."""
        return any(each.name == name for each in self.files)


def unreadable(error: OSError, path: Path) -> FeltError:
    """Returns the error that a file of the table cannot be read."""
    return FeltError("backup.unreadable", f"{path}: {error.strerror or error}")


def unwritable(error: OSError, path: Path) -> FeltError:
    """Returns the error that a backup cannot be written."""
    return FeltError("backup.unwritable", f"{path}: {error.strerror or error}")


# ---- writing


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Yields a folder that becomes `target` when all was written; else nothing is left of it.

    Raises FeltError.  After a power cut or a kill it stands there under another name, and the next attempt clears it.
    """
    if os.path.lexists(target):
        raise FeltError("backup.exists", f"{target} is there already")
    draft = target.with_name(f".{target.name}.unfinished")
    try:
        held = _begun(draft)
    except OSError as error:
        raise unwritable(error, draft) from error
    try:
        yield draft
        try:
            for folder in (*(each for each in draft.iterdir() if each.is_dir()), draft):
                sync_directory(folder)
            draft.rename(target)
            sync_directory(target.parent)
        except OSError as error:
            raise unwritable(error, target) from error
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    finally:
        os.close(held)


def _begun(draft: Path) -> int:
    """Makes the folder anew, which nobody else writes now; returns what holds it."""
    if draft.is_dir():
        held = _held(draft)
        shutil.rmtree(draft)
        os.close(held)
    draft.mkdir(mode=0o700)
    return _held(draft)


def _held(folder: Path) -> int:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise FeltError("backup.exists", f"another backup is being written to {folder}") from None
    return descriptor


def copied(source: Path, to: Path) -> str:
    """Copies a file into a new one that only its owner may read, durably; returns its SHA-256.  Raises FeltError."""
    digest = sha256()
    try:
        reading = source.open("rb")
    except OSError as error:
        raise unreadable(error, source) from error
    with reading:
        try:
            with os.fdopen(os.open(to, _WRITING, MODE), "wb", buffering=0) as writing:
                while piece := _read(reading.fileno(), source):
                    digest.update(piece)
                    _write(writing.fileno(), piece)
                os.fsync(writing.fileno())
        except OSError as error:
            raise unwritable(error, to) from error
    return digest.hexdigest()


def make(path: Path) -> None:
    """Makes a folder in a backup; raises FeltError."""
    try:
        path.mkdir(mode=0o700)
    except OSError as error:
        raise unwritable(error, path) from error


def sync(path: Path) -> None:
    """Makes a file durable; raises FeltError."""
    try:
        with path.open("rb") as file:
            os.fsync(file.fileno())
    except OSError as error:
        raise unwritable(error, path) from error


def _read(descriptor: int, source: Path) -> bytes:
    try:
        return os.read(descriptor, _PIECE)
    except OSError as error:
        raise unreadable(error, source) from error


def _write(descriptor: int, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def kept_as(name: str, place: Path) -> KeptFile:
    """Returns how a file of the table is called in a backup, and whose it is now; raises FeltError."""
    try:
        node = place.stat()
    except OSError as error:
        raise unreadable(error, place) from error
    return KeptFile(name, _owner(node.st_uid), _group(node.st_gid), stat.S_IMODE(node.st_mode))


def _owner(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def sealed(folder: Path, about: About) -> str:
    """Writes what a folder is, then the SHA-256 of each file in it; returns the seal.  Raises FeltError."""
    written(folder / ABOUT, msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    lines = [f"{digest_of(folder / name)}  {name}\n" for name in _names(folder)]
    text = "".join(lines).encode()
    written(folder / SUMS, text)
    return sha256(text).hexdigest()


def written(path: Path, data: bytes) -> None:
    """Writes a new file durably; raises FeltError."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise unwritable(error, path) from error


# ---- reading


def checked(folder: Path, seal: str | None = None) -> About:
    """Returns what a backup is, after each byte of it was read from its disk; FeltError unless it is what was sealed.

    `seal`: the one that was kept elsewhere.
    """
    if not (folder / SUMS).is_file():
        raise FeltError("backup.unfinished", f"{folder} has no {SUMS}")
    text = _small(folder / SUMS)
    if seal is not None and sha256(text).hexdigest() != seal.strip().lower():
        raise FeltError("backup.other-seal", f"{folder} has the seal {sha256(text).hexdigest()}")
    sums = _parsed(text, folder)
    files = set(_names(folder))
    if missing := sorted(sums.keys() - files):
        raise FeltError("backup.damaged", f"{folder / missing[0]} is missing")
    if strange := sorted(files - sums.keys()):
        raise FeltError("backup.damaged", f"{folder / strange[0]} does not belong to it")
    for name, digest in sums.items():
        if digest_of(folder / name) != digest:
            raise FeltError("backup.damaged", f"{folder / name} is not what was written")
    about = _about(folder)
    if elsewhere := [each.name for each in about.files if each.name not in files]:  # such as one that leads out of it
        raise FeltError("backup.damaged", f"{folder / ABOUT} names {elsewhere[0]!r}, which is no file of it")
    return about


def _about(folder: Path) -> About:
    try:
        about = msgspec.json.decode(_small(folder / ABOUT), type=About)
    except msgspec.MsgspecError as error:
        raise FeltError("backup.damaged", f"{folder / ABOUT}: {error}") from None
    if about.form > FORM:
        raise FeltError("backup.newer", f"{folder} has form {about.form}, this program knows {FORM}")
    return about


def _parsed(text: bytes, folder: Path) -> dict[str, str]:
    sums = {}
    for line in text.decode(errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        sums[name] = digest
    if ABOUT not in sums:
        raise FeltError("backup.damaged", f"{folder / SUMS} does not name {ABOUT}")
    return sums


def _names(folder: Path) -> list[str]:
    """Returns the names of all files in it but the list of their digests, in order."""
    try:
        files = [path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()]
    except OSError as error:
        raise unreadable(error, folder) from error
    return sorted(str(path.relative_to(folder)) for path in files if path != folder / SUMS)


def _small(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except OSError as error:
        raise unreadable(error, path) from error


def digest_of(path: Path) -> str:
    """Returns the SHA-256 of a file as its disk has it; raises FeltError."""
    digest = sha256()
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb", buffering=0) as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # what is in memory proves no disk
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError as error:
        raise unreadable(error, path) from error
    return digest.hexdigest()
