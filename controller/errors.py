"""Errors for people: a stable code, the cause, and what to do next."""

from __future__ import annotations


class FeltError(Exception):
    """Anything that stops a command or the daemon and that a person can do something about."""

    def __init__(self, code: str, cause: str, next_step: str) -> None:
        super().__init__(f"{code}: {cause}")
        self.code = code
        self.cause = cause
        self.next_step = next_step
