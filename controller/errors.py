"""Errors for people: a stable code, the cause, and what to do next."""

from __future__ import annotations

from firmware_bridge.errors import Coded

__all__ = ["Coded", "FeltError"]


class FeltError(Coded):
    """Anything that stops a command or the daemon and that a person can do something about."""

    def __init__(self, code: str, cause: str, next_step: str) -> None:
        super().__init__(code, cause, next_step)
