"""Simulated firmware that answers wrongly: to commands, to a Challenge, in a pairing; one broken promise each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from msgspec.structs import replace

from firmware_bridge.frame import BodyError, Frame, Kind, decode_answer, decode_command, encode
from firmware_bridge.messages import (
    CardDrawn,
    CardsLaid,
    ClearFault,
    Command,
    Event,
    Introduction,
    KeyPressed,
    Pair,
    PairKeep,
    PairReveal,
    Reply,
    TellNote,
)
from tests.conform.firmware import Planted, Spoiled

FEW = 4  # replies that a small buffer holds


class SpoiledCommands(Spoiled):
    """Sound firmware with a third place to spoil it: the reply to a command."""

    def answer(self, command: Command, reply: Reply) -> Reply:
        """Takes the right reply, and returns the one that the firmware gives."""
        return reply

    def _carry_out(self, body: bytes) -> tuple[Reply, Iterable[Event]]:
        reply, events = super()._carry_out(body)
        try:
            return self.answer(decode_command(body), reply), events
        except BodyError:
            return reply, events


class ClearsAnything(SpoiledCommands):
    def answer(self, command: Command, reply: Reply) -> Reply:
        return Reply(True) if isinstance(command, ClearFault) else reply


class ForgetsItsNote(SpoiledCommands):
    def answer(self, command: Command, reply: Reply) -> Reply:
        return Reply(True, "") if isinstance(command, TellNote) else reply


class FewAtOnce(Spoiled):
    """Has room for few replies of one moment; the others are lost."""

    _moment, _at_once = -1.0, 0

    def up(self, frame: Frame) -> Iterable[Frame]:
        now = asyncio.get_running_loop().time()
        if frame.kind is not Kind.REPLY:
            return (frame,)
        self._at_once = 1 if now > self._moment + 0.05 else self._at_once + 1
        self._moment = now
        return (frame,) if self._at_once <= FEW else ()


class ShortHalf(SpoiledCommands):
    def answer(self, command: Command, reply: Reply) -> Reply:
        return Reply(True, reply.detail[:-2]) if isinstance(command, Pair) and reply.ok else reply


class AnotherCommitment(SpoiledCommands):
    def answer(self, command: Command, reply: Reply) -> Reply:
        return Reply(True, "00" * 32) if isinstance(command, PairReveal) and reply.ok else reply


class AnotherCode(Spoiled):
    @property
    def code(self) -> str:
        return "000000" if super().code else ""


class KeepsAnyProof(SpoiledCommands):
    def answer(self, command: Command, reply: Reply) -> Reply:
        return Reply(True) if isinstance(command, PairKeep) else reply


class LaysNothing(Spoiled):
    def report(self, events: Iterable[Event]) -> None:
        super().report(replace(event, cards=()) if isinstance(event, CardsLaid) else event for event in events)


class PressesKeys(Spoiled):
    """A shoe that tells of its cards with an event of the console."""

    def report(self, events: Iterable[Event]) -> None:
        super().report(KeyPressed("cut") if isinstance(event, CardDrawn) else event for event in events)


class WholeFramesOnly(Spoiled):
    """Takes a frame only when all of it comes at once."""

    def received(self, data: bytes) -> None:
        if data.endswith(b"\0"):
            super().received(data)


def _introduction(frame: Frame) -> Introduction | None:
    """The Introduction that a frame brings, if it brings one."""
    answer = decode_answer(frame.body) if frame.kind is Kind.IDENTITY and not frame.flags else None
    return answer if isinstance(answer, Introduction) else None


class NonceWithoutKey(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        answer = _introduction(frame)
        yield frame if answer is None else replace(frame, body=encode(replace(answer, nonce=b"\7" * 32)))


class DeafToChallenges(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        answer = _introduction(frame)
        return () if answer is not None and answer.proof else (frame,)


class SpoilsEncryption(Spoiled):
    """Every tenth encrypted frame has a bit of its own."""

    _sent_encrypted = 0

    def up(self, frame: Frame) -> Iterable[Frame]:
        self._sent_encrypted += bool(frame.flags)
        if not frame.flags or self._sent_encrypted % 10:
            return (frame,)
        return (replace(frame, body=frame.body[:-1] + bytes([frame.body[-1] ^ 1])),)


ANSWERS = (
    Planted(ClearsAnything, "3.7"),
    Planted(ForgetsItsNote, "3.10"),
    Planted(FewAtOnce, "6.1"),
    Planted(LaysNothing, "3.4", "reader"),
    Planted(PressesKeys, "3.4"),
    Planted(WholeFramesOnly, "1.2"),
    Planted(ShortHalf, "8.13"),
    Planted(AnotherCommitment, "8.14"),
    Planted(AnotherCode, "8.15"),
    Planted(KeepsAnyProof, "8.16"),
    Planted(NonceWithoutKey, "8.7"),
    Planted(DeafToChallenges, "8.4", keyed=True),
    Planted(SpoilsEncryption, "8.9", keyed=True),
)
