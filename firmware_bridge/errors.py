"""The one base of every error that a person can do something about: a stable code, the cause, and the next step."""

from __future__ import annotations


class Coded(Exception):
    """An error with a code that never changes, a cause in words, and what to do next.

    `next_step` is empty where only the code is known at this place: the index of codes has the step for it.

    >>> error = Coded("serial.missing", "/dev/ttyS9 is not there", "Plug the device in.")
    >>> (error.code, str(error))
    ('serial.missing', 'serial.missing: /dev/ttyS9 is not there')
    """

    def __init__(self, code: str, cause: str, next_step: str = "") -> None:
        super().__init__(f"{code}: {cause}")
        self.code = code
        self.cause = cause
        self.next_step = next_step
