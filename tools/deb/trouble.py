"""Why a package cannot be built here, and what to do."""

from __future__ import annotations


class NotBuilt(Exception):
    """No package: says the cause and the next step."""

    def __init__(self, cause: str, step: str = "") -> None:
        super().__init__(f"{cause}\n  -> {step}" if step else cause)
        self.cause = cause
        self.step = step
