"""A line that gets faster after the greeting: both ends change or none, whatever is lost or killed meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.messages import CardDrawn, Event, Reply, SelfTest, Speed
from firmware_bridge.news import Answered, SpeedChanged
from firmware_bridge.serial import SerialTransport
from firmware_bridge.speed import FASTER, Ladder
from firmware_bridge.transport import Receiver, Transport, TransportError
from hw_sim import loop
from hw_sim.line import BASE
from hw_sim.line_wire import LineWire
from hw_sim.models.shoe import Shoe
from hw_sim.table import SimDevice
from hw_sim.wire import PtyWire

FASTEST = FASTER[0]
KEY = bytes(range(32))
CARDS = ("Kh", "2c", "Td", "5s")
Deed = Callable[["Desk"], None]


class Tap:
    """A line with a hand on it: what happens to the frame of this number, counted in both directions."""

    def __init__(self, line: Transport, at: int, deed: Callable[[], bool]) -> None:
        self._line = line
        self._at = at
        self._deed = deed  # returns whether the frame still passes
        self.count = 0
        self._receiver: Receiver | None = None
        self.low_latency = None

    @property
    def speed(self) -> int:
        return self._line.speed  # type: ignore[attr-defined, no-any-return]

    def faster(self) -> tuple[int, ...]:
        return self._line.faster()  # type: ignore[attr-defined, no-any-return]

    def set_speed(self, baud: int) -> None:
        self._line.set_speed(baud)  # type: ignore[attr-defined]

    async def open(self, receiver: Receiver) -> None:
        self._receiver = receiver
        await self._line.open(self)

    async def close(self) -> None:
        self._receiver = None
        await self._line.close()

    def write(self, data: bytes) -> None:
        if self._passes():
            self._line.write(data)

    def received(self, data: bytes) -> None:
        if self._passes() and self._receiver is not None:
            self._receiver.received(data)

    def lost(self, why: TransportError) -> None:
        if self._receiver is not None:
            self._receiver.lost(why)

    def _passes(self) -> bool:
        self.count += 1
        return self._deed() if self.count == self._at else True


class Desk:
    """A controller with a journal: it greets again whenever a link is lost, and has every event once."""

    def __init__(self, device: SimDevice, line: Callable[[], Transport], key: bytes | None = None) -> None:
        self.device = device
        self.line = line
        self.key = key
        self.ladder = Ladder()
        self.events: list[Event] = []
        self.acknowledged = 0
        self.losses: list[str] = []
        self.link = self._new_link(line())
        self.killed = False

    def _new_link(self, line: Transport) -> HostLink:
        self.transport = line
        return HostLink(line, on_event=self._event, on_lost=self._lost, ladder=self.ladder, key=self.key)

    def _event(self, counter: int, event: Event) -> None:
        if counter <= self.acknowledged:
            return
        assert counter == self.acknowledged + 1
        self.acknowledged = counter
        self.events.append(event)
        self.link.ack(counter)

    def _lost(self, why: LinkError) -> None:
        self.losses.append(why.code)

    async def open(self) -> None:
        end = self.device.board.end
        await self.link.open(end.epoch if self.acknowledged else 0, self.acknowledged)

    def kill(self) -> None:
        """Ends as a process does that is killed: the port is closed, and nothing is said."""
        self.killed = True
        session, self.link._session = self.link._session, None
        assert session is not None
        self.link._disarm()
        self.closing = asyncio.get_running_loop().create_task(self.transport.close())

    async def again(self) -> None:
        """Greets anew, as the next process does, with the same journal."""
        if self.killed:
            await self.closing
        else:
            await self.link.close()
        self.killed = False
        self.link = self._new_link(self.line())
        await self.open()

    async def until_fast(self, speed: int = FASTEST) -> None:
        await until(lambda: self.link.stats.speed == speed == (self.device.board.end.line.speed or BASE))
        await until(lambda: self.link._session is not None and self.link._session.fast == (speed != BASE))


async def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


def shoe(**options: Any) -> SimDevice:
    return SimDevice("shoe", Shoe(), LineWire(), **options)


def played(story: Callable[[Desk], Coroutine[Any, Any, None]], desk: Desk) -> None:
    async def all_of_it() -> None:
        desk.device.start()
        await desk.open()
        try:
            await story(desk)
        finally:
            await desk.link.close()
            desk.device.stop()

    loop.run(all_of_it())


def plain(device: SimDevice, key: bytes | None = None) -> Desk:
    return Desk(device, device.transport, key)


@pytest.mark.parametrize("key", [None, KEY])
def test_both_ends_change_after_the_greeting(key: bytes | None) -> None:
    async def story(desk: Desk) -> None:
        await desk.until_fast()
        assert asyncio.get_running_loop().time() < 0.05
        for card in CARDS:
            desk.device.do("draw", card)
        assert (await desk.link.request(SelfTest())).ok
        await until(lambda: desk.device.pending == 0)
        await asyncio.sleep(10)
        assert [event.card for event in desk.events if isinstance(event, CardDrawn)] == list(CARDS)
        assert desk.losses == [] and not desk.link.stats.errors
        assert desk.link.stats.speed == FASTEST

    played(story, plain(shoe(key=key), key))


def test_a_device_that_cannot_is_asked_once_and_left_alone() -> None:
    device = shoe()
    device.board.end.line._line = None
    asked: list[Speed] = []

    async def story(desk: Desk) -> None:
        await asyncio.sleep(3)
        assert (await desk.link.request(SelfTest())).ok
        words = [entry.words() for entry in desk.link.trace]
        assert sum("Speed(" in each for each in words) == 1
        assert any("unsupported" in each for each in words)
        assert desk.link.stats.speed == BASE and not desk.link.stats.errors and not asked

    played(story, plain(device))


def test_a_device_that_can_do_less_gets_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hw_sim.line.SPEEDS", (BASE, 230_400))

    async def story(desk: Desk) -> None:
        await desk.until_fast(230_400)
        assert not desk.link.stats.errors
        assert sum("no-such-speed" in entry.words() for entry in desk.link.trace) == 2

    played(story, plain(shoe()))


class PoorCable(LineWire):
    """A cable that carries no more than this speed."""

    carries = 460_800

    def _as_heard(self, data: bytes) -> bytes:
        heard = super()._as_heard(data)
        return heard if self.near <= self.carries else bytes(byte | 1 for byte in heard)


def test_a_cable_that_carries_less_gets_the_next_speed_and_is_remembered() -> None:
    device = SimDevice("shoe", Shoe(), PoorCable())

    def asked(desk: Desk) -> list[str]:
        return [word for entry in desk.link.trace if "Speed(" in (word := entry.words())]

    async def story(desk: Desk) -> None:
        for failures in (1, 1, 0):
            desk.device.do("draw", "Kh")
            await desk.until_fast(460_800)
            assert (await desk.link.request(SelfTest())).ok
            assert desk.link.stats.errors["link.speed"] == failures
            assert len(asked(desk)) == failures + 1
            await desk.again()
        desk.ladder.forget()  # another cable, perhaps
        await desk.again()
        await desk.until_fast(460_800)
        assert desk.link.stats.errors["link.speed"] == 1
        await until(lambda: desk.device.pending == 0)
        assert len(desk.events) == 3 and desk.losses == []

    played(story, plain(device))


def test_a_cable_that_carries_none_of_them_stays_at_the_base_speed() -> None:
    wire = PoorCable()
    wire.carries = BASE

    async def story(desk: Desk) -> None:
        await until(lambda: desk.link.stats.errors["link.speed"] == len(FASTER))
        assert (await desk.link.request(SelfTest())).ok
        await asyncio.sleep(5)
        assert desk.link.stats.speed == BASE and desk.losses == []
        assert desk.link.stats.errors["link.speed"] == len(FASTER)

    played(story, plain(SimDevice("shoe", Shoe(), wire)))


# ---- at every step


STEPS = range(1, 9)  # HELLO, IDENTITY, Speed, its reply, PING, PONG, and what comes then


class Story:
    """One session with a deed at one of its frames, and what follows until all is well."""

    def __init__(self, step: int, deed: str, key: bytes | None) -> None:
        self.device = shoe(key=key)
        self.deed = deed
        self.step = step + 2 * bool(key)  # behind the challenge
        self.tap: Tap | None = None
        self.desk = Desk(self.device, self._line, key)

    def _line(self) -> Transport:
        if self.tap is not None:
            return self.device.transport()
        self.tap = Tap(self.device.transport(), self.step, self._happens)
        return self.tap

    def _happens(self) -> bool:
        match self.deed:
            case "kill":
                self.desk.kill()
            case "restart":
                self.device.fault("power")
            case "cut":
                self.device.fault("unplug")
                asyncio.get_running_loop().call_later(0.3, self.device.clear)
            case "draw":
                self.device.do("draw", CARDS[0])
                return True
        return False

    async def live(self) -> None:
        """Greets, lets it happen, draws three cards, and goes on until each of them is on record."""
        self.device.start()
        opening = asyncio.create_task(self.desk.open())
        await until(lambda: opening.done() or self.desk.killed, 10)
        await asyncio.sleep(0.3)
        for card in CARDS[1:]:
            self.device.do("draw", card)
        opening.cancel()
        (failed,) = await asyncio.gather(opening, return_exceptions=True)
        if failed is not None or self.desk.killed:
            await self._again()
        async with asyncio.timeout(30):
            while self.device.pending or not self.desk.events:
                await asyncio.sleep(0.05)
                if self.desk.losses:
                    self.desk.losses.clear()
                    await self._again()
        assert (await self.desk.link.request(SelfTest())).ok
        await self.desk.until_fast(self.desk.link.stats.speed)
        await self.desk.link.close()
        self.device.stop()

    async def _again(self) -> None:
        clock = asyncio.get_running_loop()
        await asyncio.sleep(0.4 if self.deed == "cut" else 0.1)
        began = clock.time()
        await self.desk.again()
        assert clock.time() - began <= 1.25


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("deed", ["drop", "kill", "restart", "draw", "cut"])
@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_whatever_happens_at_any_step_nothing_is_lost_and_both_come_together(
    step: int, deed: str, key: bytes | None
) -> None:
    story = Story(step, deed, key)
    loop.run(story.live())
    assert story.tap is not None and story.tap.count >= story.step  # it happened
    drawn = [event.card for event in story.desk.events if isinstance(event, CardDrawn)]
    assert drawn == list(CARDS if deed == "draw" else CARDS[1:])
    assert story.desk.link.stats.speed > BASE


# ---- later


def test_a_device_left_at_a_higher_speed_is_found_again_in_time() -> None:
    async def story(desk: Desk) -> None:
        for after in (0.0, 0.1, 0.5, 0.99, 1.01, 3.0):
            await desk.until_fast()
            desk.kill()
            await asyncio.sleep(after)
            began = asyncio.get_running_loop().time()
            await desk.again()
            assert asyncio.get_running_loop().time() - began <= max(0.0, 1.0 - after) + 0.25
            desk.killed = False

    played(story, plain(shoe()))


def test_whoever_leaves_in_good_order_leaves_the_base_speed_behind() -> None:
    async def story(desk: Desk) -> None:
        for _ in range(3):
            await desk.until_fast()
            await desk.link.close()
            assert desk.device.board.end.line.speed == 0
            began = asyncio.get_running_loop().time()
            await desk.again()
            assert asyncio.get_running_loop().time() - began < 0.01

    played(story, plain(shoe()))


def test_what_happens_while_the_link_is_closed_stays_with_the_device() -> None:
    async def story(desk: Desk) -> None:
        await desk.until_fast()
        closing = asyncio.create_task(desk.link.close())
        await asyncio.sleep(0)
        desk.device.do("draw", "Kh")
        await closing
        assert desk.events == [] and desk.device.pending == 1
        await desk.again()
        await until(lambda: desk.device.pending == 0)
        assert len(desk.events) == 1

    played(story, plain(shoe()))


def test_damaged_frames_make_the_line_slower_step_by_step() -> None:
    async def story(desk: Desk) -> None:
        for speed in (*FASTER, BASE):
            await desk.until_fast(speed)
            for _ in range(5):
                desk.device.fault("corrupt", 1)
                desk.device.do("draw", "Kh")
                await asyncio.sleep(0.5)
        await until(lambda: desk.device.pending == 0)
        assert len(desk.events) == 20 and desk.losses == []
        assert (await desk.link.request(SelfTest())).ok

    played(story, plain(shoe()))


def test_a_controller_that_stood_still_goes_back_and_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(desk: Desk) -> None:
        await desk.until_fast()
        clock = asyncio.get_running_loop()
        for away in (0.5, 0.79, 0.85, 0.95, 1.05, 1.6, 5.0):
            desk.link._disarm()  # as if the process had been stopped
            received = desk.link._received
            kept: list[bytes] = []
            monkeypatch.setattr(desk.link, "_received", kept.append)
            await asyncio.sleep(away / 2)
            desk.device.do("draw", "Kh")
            await asyncio.sleep(away / 2)
            monkeypatch.setattr(desk.link, "_received", received)
            for data in kept:
                received(data)
            desk.link._disarm()
            desk.link._tick()
            began = clock.time()
            assert (await desk.link.request(SelfTest())).ok
            assert clock.time() - began < 0.8, away
            await until(lambda: desk.device.pending == 0)
            await desk.until_fast()
        assert desk.losses == [] and len(desk.events) == 7

    played(story, plain(shoe()))


def test_a_command_that_waited_for_a_change_is_not_late() -> None:
    """The reply to Speed never comes: what was asked meanwhile has its whole second all the same."""
    device = shoe()
    desk = Desk(device, lambda: Tap(device.transport(), 4, lambda: False))

    async def story(desk: Desk) -> None:
        asked = [asyncio.create_task(desk.link.request(SelfTest())) for _ in range(20)]
        await asyncio.gather(*asked)
        assert desk.link.stats.errors["link.speed"] == 1
        assert asyncio.get_running_loop().time() > 0.5

    played(story, desk)


def test_the_news_of_a_change_come_after_what_was_said_before() -> None:
    from firmware_bridge.frame import Frame, Kind, encode
    from firmware_bridge.messages import Identity
    from firmware_bridge.session import Session
    from firmware_bridge.speed import Pace

    session = Session(1, 0.0, pace=Pace(BASE, FASTER))
    session.receive(Frame(Kind.IDENTITY, 1, encode(Identity("shoe", "S1", "7", "1.0.0", 5, 0, 1))).to_wire(), 0.0)
    session.outbox.clear()
    session.news.clear()
    number = session.request(SelfTest(), 0.001)
    session.ack(3, 0.001)
    assert session.outbox == []  # nothing is said before the reply
    session.receive(Frame(Kind.REPLY, 1, encode(Reply(True))).to_wire(), 0.002)
    assert list(session.news) == [SpeedChanged(FASTEST)] and session.outbox == []
    session.tick(0.022)
    (ping,) = session.outbox
    session.outbox.clear()
    session.receive(Frame(Kind.PONG, 1).to_wire(), 0.023)
    assert ping == Frame(Kind.PING, 1).to_wire()
    assert session.outbox == [Frame(Kind.COMMAND, number, encode(SelfTest())).to_wire()]
    assert not any(isinstance(news, Answered) for news in session.news)


# ---- a pseudo-terminal, in real time


def at_pty(tmp_path: Path, **options: Any) -> Desk:
    device = SimDevice("shoe", Shoe(), PtyWire(tmp_path / "shoe"))
    return Desk(device, lambda: SerialTransport(str(tmp_path / "shoe"), **options))


async def begun(desk: Desk) -> None:
    desk.device.start()
    await desk.open()


async def ended(desk: Desk) -> None:
    await desk.link.close()
    desk.device.stop()


async def test_a_port_and_a_device_change_together(tmp_path: Path) -> None:
    desk = at_pty(tmp_path)
    await begun(desk)
    await desk.until_fast()
    desk.device.do("draw", "Kh")
    await until(lambda: desk.device.pending == 0)
    assert not desk.link.stats.errors
    await ended(desk)


async def test_a_port_is_killed_and_greeted_again(tmp_path: Path) -> None:
    desk = at_pty(tmp_path)
    await begun(desk)
    await desk.until_fast()
    desk.kill()
    await asyncio.sleep(0.05)
    desk.device.do("draw", "Kh")
    await desk.again()
    await until(lambda: desk.device.pending == 0)
    assert len(desk.events) == 1
    desk.killed = False
    await desk.until_fast()
    await ended(desk)


async def test_ends_of_different_speeds_hear_noise(tmp_path: Path) -> None:
    desk = at_pty(tmp_path)
    await begun(desk)
    await desk.until_fast()
    transport = desk.transport
    assert isinstance(transport, SerialTransport)
    transport.set_speed(230_400)
    await until(lambda: desk.losses == ["link.silent"])
    assert sum(desk.link.stats.errors.values()) >= 1
    await desk.again()
    assert (await desk.link.request(SelfTest())).ok
    await ended(desk)


@pytest.mark.parametrize("options", [{"fast": False}, {"baud": 1_000_000}])
async def test_nothing_is_asked_where_it_is_not_wanted_or_could_not_be_more(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    desk = at_pty(tmp_path, **options)
    await begun(desk)
    await asyncio.sleep(0.1)
    assert not any("Speed(" in entry.words() for entry in desk.link.trace)
    assert desk.link.stats.speed == options.get("baud", BASE)
    assert (await desk.link.request(SelfTest())).ok
    await ended(desk)


async def test_a_higher_base_speed_is_the_one_to_come_back_to(tmp_path: Path) -> None:
    desk = at_pty(tmp_path, baud=230_400)
    await begun(desk)
    await desk.until_fast()
    await desk.link.close()
    await desk.again()
    assert (await desk.link.request(SelfTest())).ok
    await ended(desk)
