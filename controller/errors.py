"""Errors for people: a stable code, the cause, and what to do next."""

from __future__ import annotations

from firmware_bridge.errors import Code, Coded, declare, declared, meaning, step_for, topic_of

__all__ = ["Code", "Coded", "FeltError", "declare", "declared", "meaning", "step_for", "topic_of"]


class FeltError(Coded):
    """The error of anything that stops a command or the daemon and that a person can do something about."""
