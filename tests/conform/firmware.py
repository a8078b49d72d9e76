"""Simulated firmware that breaks one promise each, named by the paragraph of docs/protocol.md that it breaks."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from firmware_bridge.encryption import opened
from firmware_bridge.frame import Frame, Kind, cobs_decode, cobs_encode, decode_answer, decode_event, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import TAMPERED, BetChanged, CardDrawn, Event, Identity, Introduction, Reply, Spot
from hw_sim.device import DeviceEnd
from hw_sim.encryption import Encryption


class Spoiled(DeviceEnd):
    """Sound firmware with two places to spoil it: frames on their way up, bytes on their way down."""

    def __init__(self, identity: Identity, execute: Any, send: Callable[[bytes], None], *rest: Any) -> None:
        super().__init__(identity, execute, self._on_its_way, *rest)
        self._out = send

    def up(self, frame: Frame) -> Iterable[Frame]:
        return (frame,)

    def down(self, piece: bytes) -> bytes:
        """Takes what stood between two delimiters, and returns what the firmware makes of it."""
        return piece

    def received(self, data: bytes) -> None:
        super().received(b"\0".join(map(self.down, data.split(b"\0"))))

    def _on_its_way(self, data: bytes) -> None:
        for item in Framer().feed(data):
            assert isinstance(item, Frame)
            for frame in self.up(item):
                self._out(frame.to_wire())


def _identity(frame: Frame, **changes: Any) -> Frame:
    answer = decode_answer(frame.body)
    return replace(frame, body=encode(replace(answer, **changes))) if isinstance(answer, Identity) else frame


class EpochZero(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        yield _identity(frame, epoch=0) if frame.kind is Kind.IDENTITY else frame


class EventBeforeGreeting(Spoiled):
    def restart(self) -> None:
        super().restart()
        asyncio.get_running_loop().call_later(0.5, self._out, Frame(Kind.EVENT, 1, encode(CardDrawn("Td"))).to_wire())


class PongBeforeGreeting(Spoiled):
    def received(self, data: bytes) -> None:
        for item in Framer().feed(data):
            if isinstance(item, Frame) and item.kind is Kind.PING and not self._greeted:
                self._out(Frame(Kind.PONG, item.number).to_wire())
        super().received(data)


class CardWithThreeCharacters(Spoiled):
    def report(self, events: Iterable[Event]) -> None:
        super().report(CardDrawn("10h") if isinstance(event, CardDrawn) else event for event in events)


class WrongNonce(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        yield replace(frame, number=frame.number ^ 1) if frame.kind is Kind.IDENTITY else frame


class TakesWrongCheck(Spoiled):
    def down(self, piece: bytes) -> bytes:
        raw = cobs_decode(piece)
        return piece if raw is None or len(raw) < 11 else _stuffed(raw[:-4])


class TakesAnotherVersion(Spoiled):
    def down(self, piece: bytes) -> bytes:
        return _rewritten(piece, lambda raw: raw[:1] == b"\2", lambda raw: b"\1" + raw[1:])


class TakesReservedFlags(Spoiled):
    def down(self, piece: bytes) -> bytes:
        return _rewritten(piece, lambda raw: raw[2] & 0x80 != 0, lambda raw: raw[:2] + b"\0" + raw[3:])


class TakesAnyStuffing(Spoiled):
    def down(self, piece: bytes) -> bytes:
        return piece[:-1] if len(piece) > 250 and piece.endswith(b"\x01") else piece


class TakesOversized(Spoiled):
    def down(self, piece: bytes) -> bytes:
        raw = cobs_decode(piece)
        if raw is not None and len(piece) > 1040 and self._greeted:
            number = struct.unpack_from("<I", raw, 3)[0]
            self._out(Frame(Kind.REPLY, number, encode(Reply(False, "unsupported"))).to_wire())
        return piece


class DrownsInBytes(Spoiled):
    """Its receiver overflows once and never comes back to the next zero byte."""

    drowned = False

    def received(self, data: bytes) -> None:
        self.drowned = self.drowned or len(data) > 2000
        if not self.drowned:
            super().received(data)

    def restart(self) -> None:
        self.drowned = False
        super().restart()


class CounterRepeated(Spoiled):
    def report(self, events: Iterable[Event]) -> None:
        events = list(events)
        if events and self._last and not self._memory:
            self._last -= 1
        super().report(events)


class CounterSkipped(Spoiled):
    """Counts in twos."""

    def up(self, frame: Frame) -> Iterable[Frame]:
        if frame.kind is Kind.EVENT:
            yield replace(frame, number=2 * frame.number)
        elif frame.kind is Kind.IDENTITY and isinstance(answer := decode_answer(frame.body), Identity):
            yield _identity(frame, last=2 * answer.last, first=2 * answer.first - 1)
        else:
            yield frame


class NotAfterReconnection(Spoiled):
    """Sends what it keeps only to the session in which it happened."""

    def _fill_window(self) -> None:
        if self._memory and not self._happening:
            self._sent = self._last
        super()._fill_window()

    _happening = False

    def report(self, events: Iterable[Event]) -> None:
        self._happening = True
        super().report(events)
        self._happening = False

    def _no_answer(self) -> None:
        pass


class ForgetsEarly(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        yield frame
        if frame.kind is Kind.EVENT:
            self._memory.clear()

    def _no_answer(self) -> None:
        pass


class ForgetsOnAnyEpoch(Spoiled):
    def _hello(self, frame: Frame, encrypted: bool) -> None:
        if self._greeted:
            self._memory.clear()
        super()._hello(frame, encrypted)


class DoesTwice(Spoiled):
    def _command(self, frame: Frame) -> None:
        self._replies.clear()
        super()._command(frame)


class KeepsFewReplies(Spoiled):
    def _command(self, frame: Frame) -> None:
        while len(self._replies) > 8:
            del self._replies[next(iter(self._replies))]
        super()._command(frame)


class RemembersReplies(Spoiled):
    """Takes the replies of one session into the next."""

    def _hello(self, frame: Frame, encrypted: bool) -> None:
        before = dict(self._replies)
        super()._hello(frame, encrypted)
        self._replies.update(before)


class NoAnswer(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        return () if frame.kind is Kind.REPLY else (frame,)


class LateAnswer(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        if frame.kind is not Kind.REPLY:
            return (frame,)
        asyncio.get_running_loop().call_later(1.5, self._out, frame.to_wire())
        return ()


class AnswersTwice(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        return (frame, frame) if frame.kind is Kind.REPLY else (frame,)


class NoHeartbeat(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        return () if frame.kind is Kind.PONG and frame.number % 3 == 0 else (frame,)


class RefusesWithoutReason(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        refusal = frame.kind is Kind.REPLY and frame.body != encode(Reply(True))
        yield replace(frame, body=encode(Reply(False))) if refusal else frame


class DoesTheMalformed(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        yield replace(frame, body=encode(Reply(True))) if frame.kind is Kind.REPLY else frame


class AnotherSerial(Spoiled):
    greetings = 0

    def up(self, frame: Frame) -> Iterable[Frame]:
        if frame.kind is Kind.IDENTITY:
            self.greetings += 1
            yield _identity(frame, serial=f"S-{self.greetings}")
        else:
            yield frame


class AnotherFamily(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        yield _identity(frame, family="toaster") if frame.kind is Kind.IDENTITY else frame


class FirstIsWrong(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        yield _identity(frame, first=0) if frame.kind is Kind.IDENTITY else frame


class AnswersAnyProtocol(Spoiled):
    def down(self, piece: bytes) -> bytes:
        return _rewritten(piece, lambda raw: raw[1] == 1 and raw[7:10] == b"\x94\1\2", _as_protocol_1)


class MalformedEvents(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        yield replace(frame, body=frame.body + b"\0") if frame.kind is Kind.EVENT else frame


class ImpossibleChips(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        event = decode_event(frame.body) if frame.kind is Kind.EVENT else None
        bad = BetChanged((Spot("ante", ((-500, 1),)),))
        yield replace(frame, body=encode(bad)) if isinstance(event, BetChanged) else frame


class NeverAgain(Spoiled):
    def _no_answer(self) -> None:
        pass


class AlwaysSoon(Spoiled):
    """Repeats every 200 ms, for ever."""

    def _no_answer(self) -> None:
        self._pause = 0.1
        super()._no_answer()


class IgnoresResend(Spoiled):
    def _send_again(self, counter: int) -> None:
        pass


class NoWindow(Spoiled):
    def _fill_window(self) -> None:
        if self._greeted and self._memory and self._last > self._sent:
            acknowledged = self._last - len(self._memory)
            first, self._sent = self._sent, self._last
            self._transmit(first - acknowledged, self._last - acknowledged)
        super()._fill_window()


class NeverForgets(Spoiled):
    def _forget(self, counter: int) -> bool:
        return False


class LosesItsMemory(Spoiled):
    def restart(self) -> None:
        self._memory.clear()
        super().restart()


class StaysLit(Spoiled):
    def _check_silence(self) -> None:
        pass


class OneZeroBetween(Spoiled):
    """Sends one delimiter between two frames, not two."""

    def _on_its_way(self, data: bytes) -> None:
        self._out(data[1:])


class SpoilsChecks(Spoiled):
    """Every fifth frame has a wrong check."""

    frames = 0

    def _on_its_way(self, data: bytes) -> None:
        self.frames += 1
        self._out(data[:-2] + bytes([data[-2] ^ 0x02 or 0x40, 0]) if self.frames % 5 == 0 else data)


class AnswersOurKinds(Spoiled):
    def _handle(self, frame: Frame, encrypted: bool) -> None:
        if frame.kind is Kind.EVENT:
            self._send_frame(Frame(Kind.PONG, frame.number))
        super()._handle(frame, encrypted)


class PairsWithoutSwitch(Spoiled):
    def _carry_out(self, body: bytes) -> tuple[Reply, Iterable[Event]]:
        return (Reply(True, "00"), ()) if body[:2] == b"\x92\x42" and not self._pairing else super()._carry_out(body)


class PairsTwice(Spoiled):
    def _carry_out(self, body: bytes) -> tuple[Reply, Iterable[Event]]:
        if self._pairing and body[:2] == b"\x92\x42":
            self._ensure_encryption().pairing.operated()
        return super()._carry_out(body)


class TakesUnsigned(Spoiled):
    def _carry_out(self, body: bytes) -> tuple[Reply, Iterable[Event]]:
        return (Reply(True, "0"), ()) if body[1:2] == b"\x70" else super()._carry_out(body)


# ---- with a key


class TakesPlain(Spoiled):
    def _admitted(self, frame: Frame) -> Frame | None:
        return frame if frame.kind is Kind.PING and self._encrypted else super()._admitted(frame)


class GreetsInPlain(Spoiled):
    def _admitted(self, frame: Frame) -> Frame | None:
        return frame if frame.kind is Kind.HELLO and frame.body[:2] == b"\x94\x01" else super()._admitted(frame)


class TakesReplays(Spoiled):
    def _decrypted(self, frame: Frame) -> Frame | None:
        encryption = self._ensure_encryption()
        taken = super()._decrypted(frame)
        if taken is None and encryption._now is not None:
            again = opened(encryption._now.keys.down, frame)
            return again[1] if again is not None else None
        return taken


class SaysNothingOfTampering(Spoiled):
    def report(self, events: Iterable[Event]) -> None:
        super().report(event for event in events if getattr(event, "code", "") != TAMPERED)


class OneNonceForAll(Spoiled):
    def _ensure_encryption(self) -> Encryption:
        encryption = super()._ensure_encryption()
        encryption._chance = lambda size: b"\7" * size
        return encryption


class WrongProof(Spoiled):
    def up(self, frame: Frame) -> Iterable[Frame]:
        answer = decode_answer(frame.body) if frame.kind is Kind.IDENTITY and not frame.flags else None
        spoiled = isinstance(answer, Introduction) and bool(answer.proof)
        yield replace(frame, body=encode(replace(answer, proof=b"\0" * 32))) if spoiled and answer else frame


class CountsInTwos(Spoiled):
    def _send_frame(self, frame: Frame) -> None:
        now = self._ensure_encryption()._now
        if self._encrypted and now is not None:
            now.sent += 1
        super()._send_frame(frame)


class AnswersInPlain(Spoiled):
    def _send_frame(self, frame: Frame) -> None:
        if frame.kind is Kind.PONG:
            self._send(frame.to_wire())
        super()._send_frame(frame)


def _stuffed(raw: bytes) -> bytes:
    return cobs_encode(raw + struct.pack("<I", zlib.crc32(raw)))


def _rewritten(piece: bytes, when: Callable[[bytes], bool], how: Callable[[bytes], bytes]) -> bytes:
    """Returns a frame that should have been refused as one that is taken; anything else as it is."""
    raw = cobs_decode(piece)
    if raw is None or len(raw) < 11 or not when(raw):
        return piece
    return _stuffed(how(raw[:-4]))


def _as_protocol_1(raw: bytes) -> bytes:
    return raw[:9] + b"\1" + raw[10:]


@dataclass(frozen=True)
class Planted:
    """Firmware with one fault, and the paragraph that names it."""

    firmware: type[Spoiled]
    paragraph: str
    family: str = "shoe"
    keyed: bool = False


PLANTED = (
    Planted(EpochZero, "3.3"),
    Planted(EventBeforeGreeting, "4.1"),
    Planted(PongBeforeGreeting, "4.1"),
    Planted(CardWithThreeCharacters, "3.2"),
    Planted(WrongNonce, "2.1"),
    Planted(TakesWrongCheck, "1.12"),
    Planted(TakesAnotherVersion, "1.12"),
    Planted(TakesReservedFlags, "1.12"),
    Planted(TakesAnyStuffing, "1.4"),
    Planted(TakesOversized, "1.5"),
    Planted(DrownsInBytes, "1.5"),
    Planted(CounterRepeated, "5.6"),
    Planted(CounterSkipped, "5.1"),
    Planted(NotAfterReconnection, "4.2"),
    Planted(ForgetsEarly, "5.4"),
    Planted(ForgetsOnAnyEpoch, "5.4"),
    Planted(DoesTwice, "6.3"),
    Planted(KeepsFewReplies, "6.3"),
    Planted(RemembersReplies, "4.2"),
    Planted(NoAnswer, "6.4"),
    Planted(LateAnswer, "6.2"),
    Planted(AnswersTwice, "6.4"),
    Planted(NoHeartbeat, "7.1"),
    Planted(RefusesWithoutReason, "3.8"),
    Planted(DoesTheMalformed, "3.8"),
    Planted(AnotherSerial, "4.3"),
    Planted(AnotherFamily, "3.3"),
    Planted(FirstIsWrong, "3.3"),
    Planted(AnswersAnyProtocol, "3.3"),
    Planted(MalformedEvents, "3.1"),
    Planted(ImpossibleChips, "3.5", "bet-sensor"),
    Planted(NeverAgain, "5.3"),
    Planted(AlwaysSoon, "5.3"),
    Planted(IgnoresResend, "5.5"),
    Planted(NoWindow, "5.2"),
    Planted(NeverForgets, "5.4"),
    Planted(LosesItsMemory, "5.1"),
    Planted(StaysLit, "7.3", "lamps"),
    Planted(OneZeroBetween, "1.2"),
    Planted(SpoilsChecks, "1.1"),
    Planted(AnswersOurKinds, "2.2"),
    Planted(PairsWithoutSwitch, "8.12"),
    Planted(PairsTwice, "8.18"),
    Planted(TakesUnsigned, "9.3"),
    Planted(TakesPlain, "8.10", keyed=True),
    Planted(GreetsInPlain, "8.1", keyed=True),
    Planted(TakesReplays, "8.10", keyed=True),
    Planted(SaysNothingOfTampering, "8.10", keyed=True),
    Planted(OneNonceForAll, "8.5", keyed=True),
    Planted(WrongProof, "8.3", keyed=True),
    Planted(CountsInTwos, "8.8", keyed=True),
    Planted(AnswersInPlain, "8.10", keyed=True),
)
