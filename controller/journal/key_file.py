"""The file with the private key that signs a journal's checkpoints; it never lies where the journal lies.

Its one line has the form of Go's note package: `PRIVATE+KEY+NAME+ID+KEY`.
"""

from __future__ import annotations

import os
import stat
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal.checkpoints import origin_of
from controller.journal.errors import JournalError
from controller.journal.notes import KEY_BYTES, PLAIN
from controller.journal.signing import Signer
from controller.new_file import write_new

CREDENTIAL: Final = "journal-key"  # what a service manager calls it
WITNESS_CREDENTIAL: Final = "witness-key"
Named = Callable[[str], str]  # from a table to the name of the key: a witness signs with another one than a journal
_WORD: Final = "PRIVATE+KEY+"
_LONGEST: Final = 4096


def key_path(
    configured: Path | None, state: Path, environ: Mapping[str, str], credential: str = CREDENTIAL
) -> Path | None:
    """Returns where the key is: a credential of the service manager, or the file that table.toml names.

    Raises JournalError for a file in the state directory: whoever can write the journal could sign it.
    """
    credentials = environ.get("CREDENTIALS_DIRECTORY")
    if credentials and (handed_over := Path(credentials) / credential).exists():
        return handed_over
    if configured is not None and configured.resolve().is_relative_to(state.resolve()):
        raise JournalError("journal-key.beside", f"{configured} lies in the state directory {state}")
    return configured


def read_key(path: Path, table: str, named: Named = origin_of) -> Signer:
    """Returns the key of a table's journal, or of the table as a witness; raises JournalError when it cannot be used.

    No key is ever part of a message.
    """
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            text = file.read(_LONGEST).decode(errors="replace").strip()
    except FileNotFoundError:
        raise JournalError("journal-key.missing", f"there is no {path}") from None
    except OSError as error:
        raise JournalError("journal-key.unreadable", f"{path}: {error.strerror or error}") from None
    if mode & 0o037:
        raise JournalError("journal-key.permissions", f"{path} has mode {mode:04o}: others may read or change it")
    signer = _parsed(text)
    if signer is None:
        raise JournalError("journal-key.malformed", f"{path} has no key as `felt journal key --new` writes it")
    if signer.name != named(table):
        raise JournalError("journal-key.other-table", f"the key in {path} is of {signer.name}, not of {named(table)}")
    return signer


def make_key(path: Path, table: str, named: Named = origin_of) -> Signer:
    """Makes a new key in a new file that only its owner can read; raises JournalError when it cannot be written."""
    key = Ed25519PrivateKey.generate()
    signer = Signer(named(table), key)
    secret = b64encode(bytes([PLAIN]) + key.private_bytes_raw()).decode()
    try:
        write_new(path, f"{_WORD}{signer.name}+{signer.verifier().id.hex()}+{secret}\n")
    except FileExistsError:
        raise JournalError("journal-key.exists", f"{path} is there already") from None
    except OSError as error:
        raise JournalError("journal-key.unwritable", f"{path}: {error.strerror or error}") from None
    return signer


def _parsed(text: str) -> Signer | None:
    name, _, rest = text.removeprefix(_WORD).partition("+")
    key_id, _, encoded = rest.partition("+")
    try:
        secret = b64decode(encoded, validate=True)
        if not text.startswith(_WORD) or len(secret) != 1 + KEY_BYTES or secret[0] != PLAIN:
            return None
        signer = Signer(name, Ed25519PrivateKey.from_private_bytes(secret[1:]))
    except ValueError:
        return None
    return signer if signer.verifier().id.hex() == key_id else None
