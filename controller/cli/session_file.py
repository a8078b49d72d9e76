"""Where `felt` keeps the token of who is signed in: in the user's own runtime directory, readable for nobody else."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Final

NAME: Final = "felt"


class SessionFile:
    """The token for one daemon, by the path of its socket."""

    def __init__(self, socket: str) -> None:
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        directory = Path(runtime) if runtime else Path.home() / ".cache"
        self.path = directory / NAME / f"{sha256(os.path.realpath(socket).encode()).hexdigest()[:16]}.session"

    def read(self) -> str:
        """Returns the token; "" when nobody is signed in, or others could have read it."""
        try:
            with self.path.open() as file:
                info = os.fstat(file.fileno())
                return file.read(200).strip() if info.st_uid == os.geteuid() and not info.st_mode & 0o077 else ""
        except (OSError, UnicodeDecodeError):
            return ""

    def write(self, token: str) -> None:
        """Keeps a token in the place of the one before."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = self.path.with_suffix(f".{os.getpid()}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(token)
        fresh.replace(self.path)

    def remove(self) -> None:
        """Forgets the token."""
        self.path.unlink(missing_ok=True)
