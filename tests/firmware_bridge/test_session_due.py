"""Whoever owns a session sets one timer: nothing may become due earlier without the session saying so."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.frame import Frame, Kind, encode
from firmware_bridge.messages import CardsLow, Identity, Reply, SelfTest
from firmware_bridge.news import LinkError
from firmware_bridge.session import Session, Timing
from firmware_bridge.speed import FASTER, Pace

TIMINGS = (Timing(), Timing(hello_retry=0.3, command_retry=0.09, resend_retry=0.04, ping=0.03, ping_retry=0.02))
IDENTITY = Frame(Kind.IDENTITY, 1, encode(Identity("shoe", "S1", "7", "1.0.0", 5, 9, 1)))
PONG = Frame(Kind.PONG, 1)


def deed(name: str, number: int, session: Session, now: float) -> None:
    match name:
        case "ask":
            session.request(SelfTest(), now)
        case "event":
            session.receive(Frame(Kind.EVENT, number, encode(CardsLow())).to_wire(), now)
        case "reply":
            session.receive(Frame(Kind.REPLY, number, encode(Reply(True))).to_wire(), now)
        case "ack":
            session.ack(number, now)
        case "met":
            session.receive(IDENTITY.to_wire(), now)
        case "pong":
            session.receive(PONG.to_wire(), now)
        case "noise":
            session.receive(b"\0noise\0", now)
        case _:
            session.end(LinkError("link.closed", ""))


DEEDS = st.sampled_from(["ask", "ask", "event", "event", "reply", "ack", "met", "met", "pong", "noise", "end"])
STEPS = st.lists(st.tuples(DEEDS, st.integers(1, 12), st.floats(0, 0.3)), max_size=40)


@given(st.sampled_from(TIMINGS), st.sampled_from([(), FASTER]), STEPS)
def test_what_becomes_due_earlier_is_said(
    timing: Timing, faster: tuple[int, ...], steps: list[tuple[str, int, float]]
) -> None:
    now = 0.0
    session = Session(1, now, timing=timing, pace=Pace(115_200, faster))
    assert session.due_earlier
    told = session.deadline()
    for name, number, passed in steps:
        due = now + passed
        while told is not None and told <= due:  # as the owner's timer does
            now = told
            session.tick(now)
            told = session.deadline()
        if session.dead:
            assert told is None
            return
        now = due
        assert not session.due_earlier
        deed(name, number, session, now)
        earlier, later = session.due_earlier, session.deadline()
        if not earlier:
            assert told is not None and later is not None and later >= told  # the timer that is set will do
        told = later
