"""The controller's side of an encrypted session: challenge the device, prove ourselves, let nothing false through."""

from __future__ import annotations

import enum

from firmware_bridge.encryption import SessionKeys, close, opened, proves, session_keys
from firmware_bridge.frame import ENCRYPTED, VERSION, BodyError, Frame, Kind, decode_answer, encode
from firmware_bridge.messages import Challenge, Hello, Introduction


class Verdict(enum.Enum):
    """What became of a frame that is not handed on; a value with a dot is the code under which it is counted."""

    PROVEN = "proven"  # the device has the key: greet it again, encrypted
    IGNORED = "ignored"  # from before this session, or said twice
    PLAIN = "link.unsealed"  # the device has no key, or does not use it
    WRONG_KEY = "link.key"  # it could not prove that it has the key
    TAMPERED = "link.tampered"  # neither noise nor the device can have made it


class Guard:
    """Encrypts what goes out and decrypts what comes in.  `nonce` must be random and new for each session."""

    def __init__(self, key: bytes, number: int, hello: Hello, nonce: bytes) -> None:
        self._key = key
        self._nonce = nonce
        self._number = number
        self._hello = Frame(Kind.HELLO, number, encode(hello))
        self._challenge = Frame(Kind.HELLO, number, encode(Challenge(VERSION, nonce)))
        self._introduction = b""  # the body that was believed
        self._keys: SessionKeys | None = None
        self._sent = self._received = 0  # counters of the latest encrypted frames
        self._answered = False  # the device has opened our greeting, and we its answer

    @property
    def greeting(self) -> Frame:
        """The frame to send, and to repeat, until the device is known."""
        return self._challenge if self._keys is None else self._hello

    def encrypt(self, frame: Frame) -> Frame:
        """Returns the frame as it goes over the wire; each time another one, also for the same frame."""
        if self._keys is None:
            return frame  # the challenge: nothing else is said before the device has proven itself
        self._sent += 1
        return close(self._keys.down, self._sent, frame)

    def open(self, frame: Frame) -> Frame | Verdict:
        """Returns the frame that the device encrypted, or why there is none."""
        if not frame.flags & ENCRYPTED:
            return self._plain(frame)
        if self._keys is None:
            return Verdict.IGNORED
        decrypted = opened(self._keys.up, frame)
        if decrypted is not None and decrypted[0] > self._received:
            self._received, inner = decrypted
            self._answered = True
            return inner
        # Before the first encrypted answer, what still travels belongs to an earlier session.
        return Verdict.TAMPERED if self._answered else Verdict.IGNORED

    def _plain(self, frame: Frame) -> Verdict:
        if frame.kind is Kind.IDENTITY and frame.number == self._number:
            if self._keys is None:
                return self._introduced(frame)
            if frame.body == self._introduction:
                return Verdict.IGNORED  # the challenge was repeated
        return Verdict.TAMPERED if self._answered else Verdict.PLAIN

    def _introduced(self, frame: Frame) -> Verdict:
        try:
            introduction = decode_answer(frame.body)
        except BodyError:
            return Verdict.WRONG_KEY
        if not isinstance(introduction, Introduction) or not introduction.nonce:
            return Verdict.PLAIN
        try:
            keys = session_keys(self._key, self._nonce, introduction.nonce)
        except ValueError:
            return Verdict.WRONG_KEY
        if not proves(keys, self._number, introduction.serial, introduction.proof):
            return Verdict.WRONG_KEY
        self._keys, self._introduction = keys, frame.body
        return Verdict.PROVEN
