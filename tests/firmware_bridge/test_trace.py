"""What the ring of a device's frames tells, and what it keeps to itself."""

from __future__ import annotations

import pytest

from firmware_bridge import messages as m
from firmware_bridge.diagnostics import LONGEST_LINE, TRACE_LENGTH, Note, TraceEntry, new_trace
from firmware_bridge.frame import ENCRYPTED, Frame, FrameError, Kind, decode_frame, encode


def entry(event: m.Event) -> TraceEntry:
    return TraceEntry(1.0, "in", Frame(Kind.EVENT, 7, encode(event)))


@pytest.mark.parametrize(
    "event",
    [
        m.CardDrawn("Kh"),
        m.CardDrawn("Kh", face_up=True),
        m.CardsTogether(("Kh", "2c")),
        m.SetDispensed(("Kh", "2c", "3d")),
        m.KeyPressed("burn", ("Kh",)),
        m.KeyPressed("reconstruct", ("1=Kh", "dealer=kh")),
        m.KeyPressed("taken", ("1", "10h")),
        m.KeyPressed("discard", ("1", "Kh")),
        m.CardsLaid(("Kh",)),
        m.CardsLaid(("2c", "Kh")),
    ],
)
def test_a_card_is_neither_told_nor_captured(event: m.Event) -> None:
    seen = entry(event)
    assert seen.raw() is None
    assert "withheld" in seen.text() and "EVENT 7" in seen.text()
    assert "kh" not in seen.text().lower() and "10h" not in seen.text()


def test_other_frames_are_told_and_captured_whole() -> None:
    frame = Frame(Kind.EVENT, 7, encode(m.KeyPressed("surrender", ("1",))))
    seen = TraceEntry(1.0, "in", frame)
    assert seen.words() == "EVENT 7 KeyPressed(key='surrender', args=('1',))"
    raw = seen.raw()
    assert raw is not None and decode_frame(raw.strip(b"\0")) == frame


@pytest.mark.parametrize(
    "item",
    [
        Frame(Kind.EVENT, 1, b"\xc1Kh"),
        Frame(Kind.EVENT, 1, b"Kh" * 20, ENCRYPTED),
        FrameError("frame.crc", "checksum of 12 bytes is wrong"),
        Note("a card was drawn"),
    ],
)
def test_what_nobody_can_read_is_not_captured(item: Frame | FrameError | Note) -> None:
    seen = TraceEntry(1.0, "in", item)
    assert seen.raw() is None and "Kh" not in seen.text()


def test_a_line_is_bounded() -> None:
    assert len(TraceEntry(1.0, "out", Note("x" * 900)).words()) == LONGEST_LINE
    flashing = Frame(Kind.COMMAND, 1, encode(m.FlashWrite(0, bytes(900))))
    assert len(TraceEntry(1.0, "out", flashing).words()) <= LONGEST_LINE


def test_the_ring_numbers_what_passes_and_forgets_the_oldest() -> None:
    trace = new_trace()
    assert trace.after(0) == []
    for number in range(TRACE_LENGTH + 10):
        trace.append(TraceEntry(float(number), "out", Frame(Kind.PING, number)))
    assert trace.last == TRACE_LENGTH + 10
    assert [n for n, _ in trace.after(0)] == list(range(11, TRACE_LENGTH + 11))
    assert [(n, seen.time) for n, seen in trace.after(trace.last - 2)] == [
        (trace.last - 1, trace.last - 2.0),
        (trace.last, trace.last - 1.0),
    ]
    assert trace.after(trace.last) == [] == trace.after(trace.last + 5)
    assert len(trace.after(-3)) == TRACE_LENGTH
