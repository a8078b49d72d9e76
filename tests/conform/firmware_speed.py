"""Simulated firmware that breaks a promise about the speed of its line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from firmware_bridge.frame import Frame, Kind
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Command, Identity, Reply, Speed
from hw_sim.line import LineSpeed
from tests.conform.firmware import Planted, Spoiled
from tests.conform.firmware_answers import SpoiledCommands


class RepliesOnly(Spoiled):
    """Says that it changes, and does not."""

    def __init__(self, *rest: Any) -> None:
        super().__init__(*rest)
        self.line.replied = lambda: None  # type: ignore[method-assign]


class TalksAtOnce(Spoiled):
    """Says PONG at its new speed before anybody has spoken there."""

    def up(self, frame: Frame) -> Iterable[Frame]:
        if frame.kind is Kind.REPLY:
            asyncio.get_running_loop().call_later(0.05, self._unasked)
        return (frame,)

    def _unasked(self) -> None:
        if self.line.mute:
            self._out(Frame(Kind.PONG, 1).to_wire())


class AnySpeed(SpoiledCommands):
    """Refuses a speed without saying that it may have another one."""

    def answer(self, command: Command, reply: Reply) -> Reply:
        return Reply(False, "unsupported") if isinstance(command, Speed) and not reply.ok else reply


class _Patient(LineSpeed):
    longer: float

    def _watch(self, seconds: float) -> None:
        super()._watch(seconds * self.longer)


def _patient(times: float) -> type[LineSpeed]:
    return type("Patient", (_Patient,), {"longer": times})


class _OtherLine(Spoiled):
    """Has its own way with the speed of its line."""

    kind: type[LineSpeed] = LineSpeed

    def __init__(
        self, identity: Identity, execute: Any, send: Callable[[bytes], None], safe: Any, key: Any, line: Any
    ) -> None:
        super().__init__(identity, execute, send, safe, key, line)
        self.line = self.kind(line, self._may_speak)


class StaysForLong(_OtherLine):
    kind = _patient(3.0)


class LeavesTooSoon(_OtherLine):
    kind = _patient(0.8)


class TakesNoiseForLife(Spoiled):
    """Stays at its speed as long as anything comes, though it cannot read it."""

    def received(self, data: bytes) -> None:
        super().received(data)
        if self.line.speed and not self.line.mute:
            self.line.controller_spoke()


class KnowsNoBase(SpoiledCommands):
    """Refuses Speed(0)."""

    def answer(self, command: Command, reply: Reply) -> Reply:
        if isinstance(command, Speed) and not command.baud:
            self.line._next = None
            return Reply(False, "no-such-speed")
        return reply


class HearsAnybody(Spoiled):
    """Takes any frame for a word of the controller."""

    def received(self, data: bytes) -> None:
        super().received(data)
        for item in Framer().feed(data):
            if isinstance(item, Frame) and item.kind is Kind.PING:
                self.line.controller_spoke()


SPEEDS = (
    Planted(RepliesOnly, "6.8"),
    Planted(TalksAtOnce, "6.8"),
    Planted(AnySpeed, "6.7"),
    Planted(StaysForLong, "6.9"),
    Planted(LeavesTooSoon, "6.9"),
    Planted(TakesNoiseForLife, "6.10"),
    Planted(KnowsNoBase, "6.14"),
    Planted(HearsAnybody, "6.11", keyed=True),
)
