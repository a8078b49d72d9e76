"""Time in which our own loop stands still is not held against a device, nor given to a dead one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.attention import LATE, PIECE, Attention, patient
from firmware_bridge.frame import Frame, Kind, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Identity, Reply, SelfTest
from firmware_bridge.news import Answered, Identified, LinkError, Lost, Unattended
from firmware_bridge.session import Session, Timing
from tests.firmware_bridge.virtual import VirtualLoop

TIMING = Timing()
IDENTITY = Frame(Kind.IDENTITY, 1, encode(Identity("shoe", "S1", "7", "1.0.0", 5, 9, 1)))
STEP = 0.01  # seconds between two looks of the owner


class Owner:
    """Owns one session with a device that answers at once, and stands still when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0
        self.session = Session(1, self.now, timing=TIMING)
        self.alive = True
        self.unread: list[bytes] = []  # what came while nobody looked
        self.news: list[Any] = []
        self.due = self.session.deadline()
        self.session.receive(IDENTITY.to_wire(), self.now)
        self.exchange()

    def exchange(self) -> None:
        """Everything that was sent is answered, and everything that came is told."""
        sent, self.session.outbox = self.session.outbox, []
        for wire in sent if self.alive else ():
            self.unread += answers(wire)
        self.news += self.session.news
        self.session.news.clear()
        if self.session.due_earlier or self.due is None or self.due <= self.now:
            self.due = self.session.deadline()

    def look(self) -> None:
        """The owner's loop runs: what lies there is read first, then the timer is looked at."""
        unread, self.unread = self.unread, []
        for wire in unread:
            self.session.receive(wire, self.now)
        if self.due is not None and self.due <= self.now:
            self.session.tick(self.now)
            self.due = None
        self.exchange()

    def run(self, seconds: float) -> None:
        """The loop runs as it should."""
        until = self.now + seconds
        while self.now < until and not self.session.dead:
            self.now += STEP
            self.look()

    def stand_still(self, seconds: float) -> None:
        """Nothing runs here for so long."""
        self.now += seconds
        self.look()

    @property
    def lost(self) -> list[str]:
        return [each.why.code for each in self.news if isinstance(each, Lost)]


def answers(wire: bytes) -> list[bytes]:
    """What the device says to what it was told."""
    said = []
    for frame in Framer().feed(wire):
        assert isinstance(frame, Frame)
        if frame.kind is Kind.PING:
            said.append(Frame(Kind.PONG, frame.number).to_wire())
        elif frame.kind is Kind.COMMAND:
            said.append(Frame(Kind.REPLY, frame.number, encode(Reply(True))).to_wire())
    return said


@given(st.lists(st.tuples(st.floats(0.0, 1.5), st.floats(0.0, 30.0)), max_size=8))
def test_a_device_that_answers_is_never_lost_however_slow_we_are(stalls: list[tuple[float, float]]) -> None:
    owner = Owner()
    for ran, stood in stalls:
        owner.run(ran)
        owner.stand_still(stood)
    owner.run(1.0)
    assert not owner.lost


@given(st.floats(0.0, 1.0), st.floats(0.0, 30.0), st.floats(0.0, 0.5))
def test_one_that_died_meanwhile_is_found_within_its_time_after(before: float, stood: float, between: float) -> None:
    owner = Owner()
    owner.run(before)
    owner.alive = False
    owner.unread.clear()
    owner.run(between)
    owner.stand_still(stood)
    owner.run(TIMING.silent + TIMING.ping_retry + 2 * STEP)
    assert owner.lost == ["link.silent"]


@given(st.lists(st.tuples(st.floats(0.0, 0.3), st.floats(0.06, 5.0)), min_size=60, max_size=80))
def test_a_dead_one_is_found_by_a_machine_that_is_starved_all_the_time(stalls: list[tuple[float, float]]) -> None:
    owner = Owner()
    owner.alive = False
    for ran, stood in stalls:
        owner.run(ran)
        if not owner.session.dead:
            owner.stand_still(stood)
    assert owner.lost == ["link.silent"]


def test_a_command_is_asked_again_and_not_given_up() -> None:
    owner = Owner()
    owner.run(0.1)
    number = owner.session.request(SelfTest(), owner.now)
    owner.session.outbox.clear()  # it went astray
    owner.stand_still(10.0)
    owner.run(0.5)
    assert Answered(number, Reply(True)) in owner.news and not owner.lost


def test_a_device_that_heard_nothing_for_long_is_told_what_to_show_once_more() -> None:
    owner = Owner()
    owner.run(1.0)
    owner.stand_still(1.0)
    owner.run(0.5)
    assert [type(each) for each in owner.news] == [Identified]  # lamps go out after two seconds
    owner.stand_still(1.9)
    owner.run(0.5)
    assert [type(each) for each in owner.news] == [Identified, Unattended]


def test_an_answer_that_lies_unread_in_the_last_moment_counts() -> None:
    """A thread that reads for us may hand it over just behind the timer that is late."""
    session = Session(1, 0.0, timing=TIMING)
    session.deadline()
    session.receive(IDENTITY.to_wire(), 0.0)
    now = 0.0
    while (due := session.deadline()) is not None and due < TIMING.silent:
        now = due
        session.tick(now)
    session.tick(now + 5.0)
    assert not session.dead
    session.receive(Frame(Kind.PONG, 1).to_wire(), now + 5.001)
    session.tick(now + 5.0 + TIMING.ping_retry)
    assert not session.dead


# ---- blocks that wait


def patiently(*stalls: tuple[float, float], answered: float = 1e9, wait: float = 0.5) -> tuple[bool, float]:
    """Whether the answer came in time, and when the wait was over; each stall begins at a time and lasts so long."""
    loop = VirtualLoop()
    clock = loop._jumping

    def stall(lasts: float) -> None:
        clock.now += lasts

    async def main() -> tuple[bool, float]:
        answer = loop.create_future()
        for at, lasts in stalls:
            loop.call_at(at, stall, lasts)
        loop.call_at(answered, answer.set_result, None)
        try:
            async with patient(wait):
                await answer
        except TimeoutError:
            return False, loop.time()
        return True, loop.time()

    try:
        return loop.run_until_complete(main())
    finally:
        loop.close()


def test_a_wait_counts_the_time_in_which_we_ran() -> None:
    came, at = patiently()
    assert not came and at == pytest.approx(0.5)
    came, at = patiently((0.05, 3.0), answered=3.2)
    assert came and at == pytest.approx(3.2)
    came, at = patiently((0.05, 3.0))
    assert not came and 3.3 < at <= 3.05 + 0.5
    came, at = patiently((0.45, 3.0), answered=3.46)  # late in its last piece: one more
    assert came


def test_a_wait_ends_on_a_machine_that_is_always_late() -> None:
    came, at = patiently(*((n * 0.3, 0.29) for n in range(100)))
    assert not came and at < 4.0


def test_timeouts_of_others_are_theirs() -> None:
    async def main() -> None:
        with pytest.raises(KeyError):
            async with patient(1.0):
                raise KeyError
        with pytest.raises(LinkError):
            async with patient(1.0):
                raise LinkError("link.lost", "gone")

    asyncio.run(main())


def test_the_clock_comes_to_the_very_moment_that_was_due() -> None:
    clock = Attention()
    for n in range(1, 10_000):
        due = clock.expect(n * 0.1)
        assert clock.at(due + (n % 7) * 0.013) == n * 0.1
    assert LATE < PIECE
