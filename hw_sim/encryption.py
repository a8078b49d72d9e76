"""The device's side of an encrypted session: it proves that it has its key, and believes only who has it too."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.encryption import NONCE_BYTES, SessionKeys, close, opened, prove, session_keys
from firmware_bridge.frame import Frame, Kind, encode
from firmware_bridge.messages import Challenge, Introduction
from hw_sim.pairing import Pairing


@dataclass(slots=True)
class _Session:
    """One session with a controller that has the key."""

    number: int  # of the HELLO
    challenge: bytes  # the controller's nonce
    answer: Frame
    keys: SessionKeys = field(repr=False)
    received: int = 0
    sent: int = 0


class Encryption:
    """The keys and sessions of a device that encrypts.

    `key` is non-volatile, everything else is gone after a restart.  A challenge opens a session beside the running one;
    only a greeting that the controller encrypted takes its place, so nobody without the key can end a session.
    """

    def __init__(
        self, serial: str, key: bytes | None = None, chance: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self.key = key
        self.pairing = Pairing(serial, chance)
        self.tampered = 0  # frames dropped because nobody with the key can have sent them now
        self._serial = serial
        self._chance = chance
        self._next: _Session | None = None
        self._now: _Session | None = None

    def restart(self) -> None:
        """Forgets everything but the key: power was cut."""
        self.pairing.restart()
        self._next = self._now = None

    def answer(self, number: int, challenge: Challenge) -> Frame | None:
        """Returns the IDENTITY that answers a challenge; None to one that was used before."""
        if self.key is None:
            return Frame(Kind.IDENTITY, number, encode(Introduction(self._serial)))
        if self._now is not None and challenge.nonce == self._now.challenge:
            return None
        if self._next is None or (self._next.number, self._next.challenge) != (number, challenge.nonce):
            nonce = self._chance(NONCE_BYTES)
            try:
                keys = session_keys(self.key, challenge.nonce, nonce)
            except ValueError:
                return None
            body = encode(Introduction(self._serial, nonce, prove(keys, number, self._serial)))
            self._next = _Session(number, challenge.nonce, Frame(Kind.IDENTITY, number, body), keys)
        return self._next.answer

    def ask_for_challenge(self, number: int) -> Frame:
        """Returns the IDENTITY that asks for a challenge, the answer to a greeting which was not encrypted."""
        return Frame(Kind.IDENTITY, number, encode(Introduction(self._serial, self._chance(NONCE_BYTES))))

    def open(self, frame: Frame) -> Frame | None:
        """Returns the frame that the controller encrypted; None when somebody else did."""
        pending = self._next
        if pending is not None and frame.kind is Kind.HELLO and frame.number == pending.number:
            decrypted = opened(pending.keys.down, frame)
            if decrypted is not None:
                self._now, self._next = pending, None
        if self._now is None:
            return None
        decrypted = opened(self._now.keys.down, frame)
        if decrypted is None or decrypted[0] <= self._now.received:
            self.tampered += 1
            return None
        self._now.received = decrypted[0]
        return decrypted[1]

    def close(self, frame: Frame) -> Frame:
        """Returns the frame encrypted; needs a session."""
        assert self._now is not None
        self._now.sent += 1
        return close(self._now.keys.up, self._now.sent, frame)
