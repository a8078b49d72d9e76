"""The key that keeps a table's cards secret: a file of its own, outside of the state directory."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from secrets import token_bytes
from typing import Final

from controller.errors import FeltError
from controller.new_file import write_new

CREDENTIAL: Final = "card-key"  # as systemd hands it over: LoadCredential=card-key:/etc/feltd/cards.key
KEY_BYTES: Final = 32
_LARGEST: Final = 1024  # bytes that are read of such a file


def place_of(configured: Path | None) -> Path | None:
    """Returns where the key is: what the service manager hands over, or the file of table.toml; None for neither."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    handed_over = Path(folder) / CREDENTIAL if folder else None
    return handed_over if handed_over is not None and handed_over.exists() else configured


def read(path: Path) -> bytes:
    """Returns the key in a file that only its owner may read; raises FeltError, which never quotes it."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            text = file.read(_LARGEST)
    except FileNotFoundError:
        raise FeltError("cards.key-missing", f"there is no {path}") from None
    except OSError as error:
        raise FeltError("cards.key-unreadable", f"{path}: {error.strerror or error}") from error
    if mode & 0o077:
        cause = f"{path} has mode {mode:04o}: others than its owner may read or change it"
        raise FeltError("cards.key-permissions", cause, f"Run `chmod 600 {path}`.")
    try:
        key = bytes.fromhex(text.decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise FeltError("cards.key-malformed", f"{path} does not have {2 * KEY_BYTES} hexadecimal digits")
    return key


def make(path: Path) -> None:
    """Writes a new key to a file that is not there yet; raises FeltError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_new(path, token_bytes(KEY_BYTES).hex() + "\n")
    except OSError as error:
        raise FeltError("cards.key-unwritable", f"{path}: {error.strerror or error}") from error
