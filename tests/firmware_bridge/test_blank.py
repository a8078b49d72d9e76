"""What a capture may have of a frame with a card in it, and what else the ring keeps for whoever plays it back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import messages as m
from firmware_bridge.diagnostics import TRACE_LENGTH, Cut, Note, TraceEntry, new_trace
from firmware_bridge.frame import ENCRYPTED, BodyError, Frame, FrameError, Kind, decode_event, decode_frame, encode

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
card = st.sampled_from(["", *CARDS])
several = st.lists(card, max_size=5).map(tuple)
words = st.lists(st.one_of(card, st.sampled_from(["1", "dealer"]), card.map(lambda it: f"1={it}")), max_size=4)


def blank_of(frame: Frame) -> Frame:
    wire = TraceEntry(1.0, "in", frame).blank()
    assert wire is not None
    read = decode_frame(wire.strip(b"\0"))
    assert isinstance(read, Frame)
    return read


@given(
    st.one_of(
        st.builds(m.CardDrawn, card, st.booleans()),
        st.builds(m.CardsTogether, several),
        st.builds(m.SetDispensed, several),
        st.builds(m.CardsLaid, several, st.booleans()),
        st.builds(m.KeyPressed, st.just("burn"), words.map(tuple)),
    )
)
def test_a_card_is_left_out_and_all_else_stays(event: m.Event) -> None:
    frame = Frame(Kind.EVENT, 7, encode(event))
    blank = blank_of(frame)
    assert (blank.kind, blank.number) == (frame.kind, frame.number)
    assert not any(each.encode() in blank.body for each in CARDS)
    told = decode_event(blank.body)
    assert type(told) is type(event)
    for name in ("cards", "args"):
        assert len(getattr(told, name, ())) == len(getattr(event, name, ()))
    assert getattr(told, "face_up", None) == getattr(event, "face_up", None)
    raw = TraceEntry(1.0, "in", frame).raw()
    assert raw is None if told != event else raw == frame.to_wire()  # an unread card has nothing to hide
    assert TraceEntry(1.0, "in", frame).raw(whole=True) == frame.to_wire()


def test_every_event_that_can_name_a_card_is_known_here() -> None:
    """Whoever adds such an event must say here how it is blanked."""
    fields = {kind.__name__: kind.__struct_fields__ for kind in m.AnyEvent.__args__}
    assert {name for name, has in fields.items() if {"card", "cards", "args"} & set(has)} == {
        "CardDrawn", "CardsTogether", "SetDispensed", "CardsLaid", "KeyPressed"
    }  # fmt: skip


def test_what_nobody_can_read_stays_unreadable() -> None:
    blank = blank_of(Frame(Kind.EVENT, 7, b"\xc1Kh"))
    assert b"Kh" not in blank.body
    with pytest.raises(BodyError):
        decode_event(blank.body)


@pytest.mark.parametrize(
    "item",
    [Frame(Kind.PING, 1), Frame(Kind.EVENT, 1, b"x", ENCRYPTED), FrameError("frame.crc"), Note("x"), Cut("a", "b")],
)
def test_only_an_event_can_be_blank(item: Frame | FrameError | Note | Cut) -> None:
    assert TraceEntry(1.0, "in", item).blank() is None


def test_the_end_of_a_session_is_told() -> None:
    assert TraceEntry(1.0, "in", Cut("link.silent", "nothing heard")).words() == "lost: link.silent: nothing heard"


def test_the_greeting_stays_in_the_ring() -> None:
    trace = new_trace()

    def pass_by(frame: Frame, times: int = 1) -> None:
        for _ in range(times):
            trace.append(TraceEntry(0.0, "out", frame))

    def kept() -> list[tuple[int, str]]:
        return [(n, e.item.kind.name) for n, e in trace.after(0)[:3] if isinstance(e.item, Frame)]

    for nonce in (1, 2):
        pass_by(Frame(Kind.HELLO, nonce))
        pass_by(Frame(Kind.IDENTITY, nonce))
        pass_by(Frame(Kind.PING, 1), 10)
    assert kept() == [(1, "HELLO"), (2, "IDENTITY"), (3, "PING")]
    pass_by(Frame(Kind.PING, 2), TRACE_LENGTH - 20)  # the first greeting falls out; its session is still there
    assert kept() == [(1, "HELLO"), (2, "IDENTITY"), (5, "PING")]
    assert [number for number, _ in trace.after(1)][:2] == [2, 5]
    assert trace.after(2)[0][0] == 5
    pass_by(Frame(Kind.PING, 2), 9)  # and now the second one
    assert kept() == [(13, "HELLO"), (14, "IDENTITY"), (15, "PING")]
    pass_by(Frame(Kind.PING, 2), 9)
    assert kept()[:2] == [(13, "HELLO"), (14, "IDENTITY")]
