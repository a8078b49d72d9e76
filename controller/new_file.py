"""Writes a file with a secret that must not be there yet: whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

MODE: Final = 0o600


def write_new(path: Path, text: str) -> None:
    """Writes a file that only its owner may read; durable when this returns.

    Raises FileExistsError when it is there already, or another OSError.  Then, as after a power cut, nothing stands
    under its name: half a key is never in the way of a whole one.
    """
    if path.exists():
        raise FileExistsError(f"{path} is there already")
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    finally:
        os.close(folder)
