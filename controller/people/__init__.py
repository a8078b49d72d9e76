"""The people of the house: who they are, which roles they have, and whether a PIN is theirs."""

from __future__ import annotations

from controller.people import codes

__all__ = ["codes"]
