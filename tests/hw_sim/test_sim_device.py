"""The device's side of the protocol alone: frames in, frames out, in jumping time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from firmware_bridge import messages as m
from firmware_bridge.frame import ENCRYPTED, BodyError, Frame, Kind, decode_event, decode_reply, encode
from firmware_bridge.framer import Framer
from hw_sim.device import KEPT_REPLIES, WINDOW, DeviceEnd
from hw_sim.loop import run
from tests.hw_sim.peer import identity_in

EPOCH = 77


class Bench:
    """A device end on the workbench; `take()` empties what it sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[float, Frame]] = []
        self.executed: list[m.Command] = []
        self.deserted: list[float] = []
        self._framer = Framer()
        identity = m.Identity("shoe", "sim", "S1", "1", EPOCH, 0)
        self.end = DeviceEnd(identity, self.execute, self.send, self.desert)

    def execute(self, command: m.Command) -> tuple[m.Reply, list[m.Event]]:
        self.executed.append(command)
        if isinstance(command, m.ReadBack):
            return m.Reply(True, "x" * 2000), []
        return m.Reply(True, str(len(self.executed))), [m.ShuffleStarted()] if isinstance(command, m.Shuffle) else []

    def send(self, data: bytes) -> None:
        [frame] = self._framer.feed(data)
        assert isinstance(frame, Frame)
        self.sent.append((asyncio.get_running_loop().time(), frame))

    def desert(self) -> None:
        self.deserted.append(round(asyncio.get_running_loop().time(), 6))

    def take(self) -> list[tuple[Kind, int]]:
        sent, self.sent = self.sent, []
        return [(frame.kind, frame.number) for _, frame in sent]

    def say(self, kind: Kind, number: int, body: bytes = b"", flags: int = 0) -> None:
        self.end.received(Frame(kind, number, body, flags).to_wire())

    def hello(self, epoch: int = 0, counter: int = 0, nonce: int = 5) -> None:
        self.say(Kind.HELLO, nonce, encode(m.Hello(1, epoch, counter)))

    def draw(self, number: int) -> None:
        self.end.report([m.CardDrawn("Kh")] * number)


def bench(story: Callable[[Bench], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def test() -> None:
        async def main() -> None:
            on = Bench()
            await story(on)
            on.end.restart()

        run(main())

    return test


def events(first: int, last: int) -> list[tuple[Kind, int]]:
    return [(Kind.EVENT, number) for number in range(first, last + 1)]


@bench
async def test_it_is_silent_until_it_is_greeted(on: Bench) -> None:
    on.draw(2)
    on.say(Kind.PING, 1)
    on.say(Kind.ACK, 1)
    on.say(Kind.RESEND, 1)
    on.say(Kind.COMMAND, 1, encode(m.SelfTest()))
    await asyncio.sleep(10)
    assert on.sent == []
    assert on.executed == []
    assert on.end.pending == 2


@bench
async def test_greeted_it_says_who_it_is_and_then_all_it_keeps(on: Bench) -> None:
    on.draw(3)
    on.hello(nonce=99)
    identity = identity_in(on.sent[0][1])
    assert identity == m.Identity("shoe", "sim", "S1", "1", EPOCH, last=3, first=1)
    assert decode_event(on.sent[1][1].body) == m.CardDrawn("Kh")
    assert on.take() == [(Kind.IDENTITY, 99), *events(1, 3)]
    on.say(Kind.PING, 42)
    assert on.take() == [(Kind.PONG, 42)]


@bench
async def test_what_the_greeting_calls_durable_is_dropped(on: Bench) -> None:
    on.draw(3)
    on.hello(EPOCH, 2)
    assert identity_in(on.sent[0][1]).first == 3
    assert on.take() == [(Kind.IDENTITY, 5), *events(3, 3)]


@bench
async def test_another_memory_s_counter_drops_nothing(on: Bench) -> None:
    on.draw(3)
    on.hello(EPOCH + 1, 2)
    assert on.take() == [(Kind.IDENTITY, 5), *events(1, 3)]


@bench
async def test_counters_it_never_reached_drop_nothing(on: Bench) -> None:
    on.draw(2)
    on.hello(EPOCH, 9)
    on.say(Kind.ACK, 9)
    assert on.end.pending == 2


@bench
async def test_sixteen_events_are_in_flight_and_no_more(on: Bench) -> None:
    on.hello()
    on.take()
    on.draw(40)
    assert on.take() == events(1, WINDOW)
    on.say(Kind.ACK, 1)
    assert on.take() == events(17, 17)
    on.say(Kind.ACK, 17)
    assert on.take() == events(18, 33)
    on.say(Kind.ACK, 3)
    assert on.take() == []
    on.say(Kind.ACK, 33)
    on.say(Kind.ACK, 40)
    assert on.end.pending == 0
    on.hello()
    assert identity_in(on.sent[-1][1]).first == 41
    on.take()
    await asyncio.sleep(10)
    assert on.sent == []


@bench
async def test_the_oldest_is_sent_again_at_growing_intervals(on: Bench) -> None:
    on.hello()
    on.draw(2)
    on.sent.clear()
    await asyncio.sleep(5)
    assert [(round(time, 6), frame.number) for time, frame in on.sent] == [
        (0.2, 1),
        (0.6, 1),
        (1.4, 1),
        (3.0, 1),
        (4.6, 1),
    ]
    on.sent.clear()
    on.say(Kind.ACK, 1)
    await asyncio.sleep(0.5)
    assert [(round(time, 6), frame.number) for time, frame in on.sent] == [(5.2, 2)]


@bench
async def test_resend_goes_back_to_the_event_asked_for(on: Bench) -> None:
    on.hello()
    on.draw(20)
    on.take()
    on.say(Kind.RESEND, 14)
    assert on.take() == events(14, 16)
    on.say(Kind.ACK, 2)
    on.take()
    on.say(Kind.RESEND, 1)  # it has forgotten 1 and 2: from the oldest it keeps
    assert on.take() == events(3, 18)
    on.say(Kind.RESEND, 19)  # not sent yet
    on.say(Kind.ACK, 20)
    on.take()
    on.say(Kind.RESEND, 20)
    assert on.take() == []


@bench
async def test_a_command_is_carried_out_once_and_its_reply_repeated(on: Bench) -> None:
    on.hello()
    on.take()
    body = encode(m.Shuffle())
    on.say(Kind.COMMAND, 1, body)
    assert decode_reply(on.sent[0][1].body) == m.Reply(True, "1")
    assert on.take() == [(Kind.REPLY, 1), (Kind.EVENT, 1)]
    on.say(Kind.COMMAND, 1, body)
    assert decode_reply(on.sent[0][1].body) == m.Reply(True, "1")
    assert on.take() == [(Kind.REPLY, 1)]
    for number in range(2, KEPT_REPLIES + 1):
        on.say(Kind.COMMAND, number, encode(m.SelfTest()))
    on.say(Kind.COMMAND, 1, body)
    assert len(on.executed) == KEPT_REPLIES


@bench
async def test_a_reply_that_fits_no_frame_is_a_refusal(on: Bench) -> None:
    on.hello()
    on.say(Kind.COMMAND, 1, encode(m.ReadBack()))
    assert decode_reply(on.sent[-1][1].body) == m.Reply(False, "reply-too-long")


@bench
async def test_a_new_session_forgets_the_old_replies(on: Bench) -> None:
    on.hello()
    on.say(Kind.COMMAND, 1, encode(m.SelfTest()))
    on.hello()
    on.say(Kind.COMMAND, 1, encode(m.SelfTest()))
    assert len(on.executed) == 2


@bench
async def test_what_it_does_not_understand_does_no_harm(on: Bench) -> None:
    on.hello()
    on.take()
    on.end.received(b"\x07noise\0\0\0\xff\xff\0")
    on.say(Kind.HELLO, 6, b"\xc1")
    on.say(Kind.HELLO, 6, encode(m.Hello(2)))
    on.say(Kind.PING, 1, flags=ENCRYPTED)
    on.say(Kind.EVENT, 1)
    assert on.take() == []
    on.say(Kind.COMMAND, 1, b"\xc1")
    assert decode_reply(on.sent[0][1].body) == m.Reply(False, "unknown-command")
    assert on.executed == []


@bench
async def test_a_power_cut_ends_the_session_and_keeps_the_events(on: Bench) -> None:
    on.hello()
    on.say(Kind.COMMAND, 1, encode(m.SelfTest()))
    on.draw(3)
    on.say(Kind.ACK, 1)
    on.end.received(Frame(Kind.PING, 1).to_wire()[:5])  # half a frame is lost too
    on.end.restart()
    on.draw(1)
    on.take()
    await asyncio.sleep(10)
    on.say(Kind.PING, 1)
    assert on.take() == []
    on.hello(EPOCH, 1)
    assert on.take() == [(Kind.IDENTITY, 5), *events(2, 4)]
    on.say(Kind.COMMAND, 1, encode(m.SelfTest()))
    assert len(on.executed) == 2


@bench
async def test_it_notices_when_the_controller_falls_silent_once_each_time(on: Bench) -> None:
    await asyncio.sleep(5)
    on.hello()
    await asyncio.sleep(1.5)
    on.say(Kind.PING, 1)
    on.end.received(b"noise is no sign of life\0")
    await asyncio.sleep(10)
    assert on.deserted == [8.5]
    on.say(Kind.PING, 1)
    await asyncio.sleep(1)
    on.end.restart()
    await asyncio.sleep(10)
    assert on.deserted == [8.5]


@bench
async def test_an_event_that_fits_no_frame_is_not_kept_nor_its_neighbours(on: Bench) -> None:
    with pytest.raises(BodyError):
        on.end.report([m.CardDrawn("Kh"), m.KeyPressed("x" * 2000)])
    assert (on.end.pending, on.end.last) == (0, 0)
