"""ISO-TP, the datagrams on it and SLCAN lines: any size, any loss, any garbage, and another implementation."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.can_frame import CanFrame, from_line, to_line
from firmware_bridge.datagram import Unstuffer, to_stream
from firmware_bridge.isotp import FLOW_DEADLINE, MAX_MESSAGE, MOST_QUEUED, NEXT_DEADLINE, IsoTp

LONG = bytes(range(256)) * 4
CLEAR = bytes.fromhex("300000")


def carry(a: IsoTp, b: IsoTp, now: float = 0.0, lose: frozenset[int] = frozenset()) -> int:
    """Frames go both ways until nobody has any, except those with these numbers; how many there were."""
    count = 0
    while a.outbox or b.outbox:
        for source, target in ((a, b), (b, a)):
            if source.outbox:
                frame = source.outbox.popleft()
                assert 0 < len(frame) <= 8
                if count not in lose:
                    target.receive(frame, now)
                count += 1
    return count


@given(st.lists(st.binary(min_size=1, max_size=MAX_MESSAGE), max_size=4), st.lists(st.binary(min_size=1, max_size=99)))
def test_messages_of_any_size_arrive_in_order_both_ways(down: list[bytes], up: list[bytes]) -> None:
    a, b = IsoTp(), IsoTp()
    for message in down:
        a.send(message, 0.0)
    for message in up[:MOST_QUEUED]:
        b.send(message, 0.0)
    carry(a, b)
    assert list(b.inbox) == down
    assert list(a.inbox) == up[:MOST_QUEUED]
    assert not a.errors and not b.errors
    assert a.deadline() is b.deadline() is None


@given(st.integers(0, 150))
def test_a_lost_frame_costs_one_message_and_no_more(lost: int) -> None:
    a, b = IsoTp(), IsoTp()
    a.send(LONG, 0.0)
    frames = carry(a, b, lose=frozenset({lost}))
    assert list(b.inbox) == ([LONG] if lost >= frames else [])
    later = max(FLOW_DEADLINE, NEXT_DEADLINE)
    a.tick(later)
    b.tick(later)
    b.inbox.clear()
    a.send(LONG, later)
    carry(a, b, later)
    assert list(b.inbox) == [LONG]


def test_the_receiver_sets_the_pace() -> None:
    a = IsoTp()
    a.send(bytes(6 + 7 * 5), 0.0)
    assert a.outbox.popleft() == bytes.fromhex("1029000000000000")
    a.receive(bytes.fromhex("300205"), 0.0)  # two pieces, 5 ms apart
    assert len(a.outbox) == 1
    a.tick(0.004)
    assert len(a.outbox) == 1
    a.tick(0.005)
    assert [frame[0] for frame in a.outbox] == [0x21, 0x22]
    a.outbox.clear()
    a.receive(bytes.fromhex("310000"), 0.1)  # wait
    a.tick(0.1 + FLOW_DEADLINE - 0.01)
    assert not a.outbox and not a.errors
    a.receive(bytes.fromhex("3000f1"), 0.2)  # the rest, 100 us apart
    for _ in range(2):
        due = a.deadline()
        assert due is not None
        a.tick(due)
    assert [frame[0] for frame in a.outbox] == [0x23, 0x24, 0x25]
    assert a.deadline() is None


def test_every_way_to_lose_a_message_has_a_name() -> None:
    a = IsoTp()
    for _ in range(MOST_QUEUED + 2):
        a.send(LONG, 0.0)
    a.send(b"", 0.0)
    a.send(bytes(MAX_MESSAGE + 1), 0.0)
    assert a.errors == {"isotp.dropped": 3}
    a.reset()
    a.errors.clear()
    a.send(LONG, 0.0)
    a.send(b"next", 0.0)
    a.tick(FLOW_DEADLINE)
    assert a.outbox.pop() == b"\x04next"
    a.send(LONG, 1.0)
    a.receive(bytes.fromhex("320000"), 1.0)
    a.send(LONG, 2.0)
    for _ in range(11):
        a.receive(bytes.fromhex("310000"), 2.0)
    a.receive(CLEAR, 2.0)
    assert a.errors == {"isotp.no-flow": 1, "isotp.refused": 2, "isotp.stray": 1}
    b = IsoTp()
    for text in ("", "40", "00", "03aa", "1005aabbccddeeff", "100aaabb", "3000"):
        b.receive(bytes.fromhex(text), 0.0)
    assert b.errors == {"isotp.malformed": 7}
    b.receive(bytes.fromhex("1fffaabbccddeeff"), 0.0)
    assert b.outbox.pop() == bytes.fromhex("320000")
    b.receive(bytes.fromhex("21aa"), 0.0)
    b.receive(bytes.fromhex("1014aabbccddeeff"), 0.0)
    b.receive(bytes.fromhex("1014aabbccddeeff"), 0.0)
    b.receive(bytes.fromhex("22aabbccddeeff00"), 0.0)
    b.receive(bytes.fromhex("1014aabbccddeeff"), 0.0)
    b.tick(NEXT_DEADLINE)
    names = {"malformed": 7, "long": 1, "stray": 1, "interrupted": 1, "sequence": 1, "unfinished": 1}
    assert b.errors == {f"isotp.{name}": count for name, count in names.items()}
    assert not b.inbox


@given(st.lists(st.binary(max_size=8), max_size=40))
def test_no_frame_harms_it(frames: list[bytes]) -> None:
    a, b = IsoTp(), IsoTp()
    a.send(LONG, 0.0)
    for frame in frames:
        a.receive(frame, 0.0)
    for _ in range(12):
        a.tick(10.0)
    a.reset()
    a.send(LONG, 10.0)
    carry(a, b, 10.0)
    assert b.inbox[-1] == LONG


@pytest.mark.parametrize("size", [1, 7, 8, 13, 14, 1035])
def test_it_understands_another_implementation(size: int) -> None:
    isotp = pytest.importorskip("isotp", reason="the package can-isotp is not installed")
    to_them: deque[bytes] = deque()
    ours = IsoTp()

    def theirs_receive(timeout: float) -> object:
        return isotp.CanMessage(arbitration_id=0x301, data=to_them.popleft()) if to_them else None

    def theirs_send(message: object) -> None:
        ours.receive(bytes(message.data), 0.0)  # type: ignore[attr-defined]

    address = isotp.Address(isotp.AddressingMode.Normal_11bits, txid=0x381, rxid=0x301)
    params = {"stmin": 0, "blocksize": 4, "blocking_send": False, "tx_padding": 0xCC}
    theirs = isotp.TransportLayerLogic(theirs_receive, theirs_send, address, params=params)
    data = (LONG * 2)[:size]
    ours.send(data, 0.0)
    theirs.send(data)
    back = None
    for _ in range(600):
        while ours.outbox:
            to_them.append(ours.outbox.popleft())
        theirs.process()
        back = back or theirs.recv()
    assert back == data
    assert list(ours.inbox) == [data]
    assert not ours.errors


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=5), st.integers(1, 50))
def test_a_stream_becomes_datagrams_and_back(datagrams: list[bytes], size: int) -> None:
    stream = b"".join(map(to_stream, datagrams))
    unstuffer = Unstuffer()
    pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert [datagram for piece in pieces for datagram in unstuffer.feed(piece)] == datagrams


def test_what_is_no_frame_travels_as_it_is_and_an_endless_one_is_cut() -> None:
    unstuffer = Unstuffer()
    assert unstuffer.feed(b"\x09noise\0") == [b"\x09noise"]
    unstuffer.feed(b"x" * 5000)
    assert len(unstuffer.feed(b"x" * 5000 + b"\0")[0]) <= MAX_MESSAGE
    unstuffer.feed(b"half")
    unstuffer.reset()
    assert unstuffer.feed(to_stream(b"whole")) == [b"whole"]


ids = st.one_of(st.tuples(st.integers(0, 0x7FF), st.just(False)), st.tuples(st.integers(0, 0x1FFF_FFFF), st.just(True)))


@given(ids, st.binary(max_size=8), st.booleans())
def test_an_adapters_line_is_read_back(number: tuple[int, bool], data: bytes, stamped: bool) -> None:
    frame = CanFrame(number[0], data, number[1])
    line = to_line(frame)
    assert from_line(line + b"12AF" * stamped) == frame
    assert from_line(line.lower() if not number[1] else line) == frame
    assert from_line(line[:-1]) is None or not data


@given(st.binary(max_size=30))
def test_any_line_is_a_frame_or_none(line: bytes) -> None:
    frame = from_line(line)
    assert frame is None or len(frame.data) <= 8
