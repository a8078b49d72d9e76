"""A PAM of the test's own: the real library with services in a directory of its own, for programs that are started."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.people import pam

MISSING = "this machine has no pam_wrapper (install the package libpam-wrapper)"
PASSWORD = "blau-7419-Regen"  # nothing that is in a journal by chance


def _found(pattern: str) -> str:
    return next((str(path) for path in sorted(Path("/usr/lib").glob(pattern))), "")


WRAPPER, MATRIX = _found("*/libpam_wrapper.so"), _found("*/pam_wrapper/pam_matrix.so")


class PamStack:
    """The service `feltd` of this PAM, and the passwords that it knows."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        if not (WRAPPER and MATRIX):
            pytest.skip(MISSING)
        self._services, self._known = directory / "pam.d", directory / "passwords"
        self._services.mkdir()
        self._known.write_text(f"floor8:{PASSWORD}:feltd\n")
        monkeypatch.setattr(pam, "SERVICE_FILE", self._services / "feltd")
        monkeypatch.setenv("LD_PRELOAD", WRAPPER)
        monkeypatch.setenv("PAM_WRAPPER", "1")
        monkeypatch.setenv("PAM_WRAPPER_SERVICE_DIR", str(self._services))
        self.serve()

    def serve(self, auth: str = "", account: str = "") -> None:
        """Sets the modules of the service; unless it is said, those that know the passwords."""
        known = f"{MATRIX} passdb={self._known}"
        self._write([f"auth required {auth or known}", f"account required {account or known}"])

    def forget(self) -> None:
        """The passwords are away: the directory cannot be reached."""
        self._known.unlink()

    def _write(self, lines: Sequence[str]) -> None:
        pam.SERVICE_FILE.write_text("\n".join(lines) + "\n")
