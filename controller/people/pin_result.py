"""What came of a PIN, or of a password that stands for one."""

from __future__ import annotations

from enum import Enum


class PinResult(Enum):
    """What came of it."""

    RIGHT = "right"
    WRONG = "wrong"
    BARRED = "barred"  # it is right, and the account may not be used: locked, expired, a new password is due
    UNTOLD = "untold"  # nobody could tell
