"""The controller's link against a device on bad wires: nothing lost, nothing doubled, every request ends."""

from __future__ import annotations

import asyncio
from collections import Counter

import msgspec
import pytest

from firmware_bridge.frame import ENCRYPTED, Frame, Kind, encode
from firmware_bridge.framer import Framer
from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.messages import CardsLow, Event, Identity, Lock, Reply, SelfTest
from tests.firmware_bridge.fakes import (
    FakeDevice,
    MemoryWire,
    clean,
    corrupting,
    duplicating,
    lossy,
    one_byte,
    silent,
)
from tests.firmware_bridge.owner import Owner, cards, kinds, setup
from tests.firmware_bridge.virtual import run

WIRES = {
    "clean": (clean, clean),
    "one byte at a time": (one_byte, one_byte),
    "duplicating": (duplicating, duplicating),
    "lossy": (lossy(1, 0.05), lossy(2, 0.05)),
    "corrupting": (corrupting(3, 0.05), corrupting(4, 0.05)),
}


@pytest.mark.parametrize("name", WIRES)
def test_every_event_arrives_once_in_order_and_every_command_is_done_once(name: str) -> None:
    async def main() -> None:
        down, up = WIRES[name]
        device, _, owner = setup(down=down, up=up)
        for card in cards(5):
            device.happen(card)  # before the session
        assert (await owner.link.open()).serial == "S-1"
        replies = []
        for card in cards(40):
            device.happen(card)
            replies.append(await owner.link.request(Lock(True)))
            await asyncio.sleep(0.01)
        await asyncio.sleep(5)
        assert owner.events == list(enumerate([*cards(5), *cards(40)], 1))
        assert replies == [Reply(True)] * 40
        assert device.executed == [Lock(True)] * 40
        assert not device.kept  # all acknowledged
        assert owner.losses == []
        await owner.link.close()

    run(main())


def test_an_event_is_acknowledged_only_when_the_owner_says_so() -> None:
    async def main() -> None:
        device, _, owner = setup(acks=False)
        await owner.link.open()
        for card in cards(3):
            device.happen(card)
        await asyncio.sleep(2.5)  # the device sends the oldest again and again
        assert [counter for counter, _ in owner.events] == [1, 2, 3]
        assert owner.link.stats.duplicates > 0
        assert Kind.ACK not in kinds(device)
        owner.link.ack(2)
        await asyncio.sleep(0.01)
        assert sorted(device.kept) == [3]
        owner.link.ack(1)  # older: says nothing new
        owner.link.ack(9)  # never handed up: must not be forgotten unseen
        await asyncio.sleep(0.01)
        assert [frame.number for frame in device.heard if frame.kind is Kind.ACK] == [2]
        await owner.link.close()

    run(main())


def test_a_repeat_of_a_durable_event_is_acknowledged_again() -> None:
    async def main() -> None:
        device, wire, owner = setup()
        await owner.link.open()
        wire.down = silent  # the acknowledgement is lost
        device.happen(CardsLow())
        await asyncio.sleep(0.1)
        wire.down = clean
        assert device.kept
        await asyncio.sleep(0.2)
        assert not device.kept
        assert len(owner.events) == 1
        await owner.link.close()

    run(main())


def test_a_gap_is_asked_for_at_once_and_not_more_than_every_50_ms() -> None:
    async def main() -> None:
        device, wire, owner = setup()
        await owner.link.open()
        wire.up = silent
        device.happen(cards(1)[0])
        wire.up = clean
        for card in cards(6):
            device.happen(card)
        await asyncio.sleep(0.03)
        assert [counter for counter, _ in owner.events] == [1, 2, 3, 4, 5, 6, 7]
        assert kinds(device).count(Kind.RESEND) == 1
        await owner.link.close()

    run(main())


def test_a_gap_that_nothing_fills_ends_the_link() -> None:
    async def main() -> None:
        device, _, owner = setup(acks=False)
        await owner.link.open()
        device.put(Frame(Kind.EVENT, 3, encode(CardsLow())))
        await asyncio.sleep(1.5)
        assert owner.codes == ["link.gap"]
        assert kinds(device).count(Kind.RESEND) > 2
        await owner.link.close()

    run(main())


def test_a_gap_behind_a_gap_is_repaired_too() -> None:
    async def main() -> None:
        device, wire, owner = setup(acks=False)
        await owner.link.open()
        lost = {(1, 1), (3, 1), (3, 2), (4, 2)}  # event, and which of its sendings
        sent: Counter[int] = Counter()

        def holes(data: bytes) -> list[bytes]:
            (frame,) = Framer().feed(data)
            assert isinstance(frame, Frame)
            if frame.kind is not Kind.EVENT:
                return [data]
            sent[frame.number] += 1
            return [] if (frame.number, sent[frame.number]) in lost else [data]

        wire.up = holes
        for card in cards(4):
            device.happen(card)
        await asyncio.sleep(0.9)
        assert [counter for counter, _ in owner.events] == [1, 2, 3, 4]
        assert owner.losses == []
        await owner.link.close()

    run(main())


def test_events_are_handed_up_one_after_the_other_not_one_inside_the_other() -> None:
    async def main() -> None:
        device = FakeDevice()
        steps: list[str] = []

        def on_event(counter: int, event: Event) -> None:
            steps.append(f"begin {counter}")
            link.ack(counter)
            steps.append(f"end {counter}")

        link = HostLink(MemoryWire(device), on_event=on_event, on_lost=lambda why: None)
        await link.open()
        device.send(
            Frame(Kind.EVENT, 1, encode(CardsLow())).to_wire() + Frame(Kind.EVENT, 2, encode(CardsLow())).to_wire()
        )
        await asyncio.sleep(0.01)
        assert steps == ["begin 1", "end 1", "begin 2", "end 2"]
        await link.close()

    run(main())


def test_a_repeated_command_says_nothing_about_the_round_trip() -> None:
    async def main() -> None:
        device, wire, owner = setup()
        await owner.link.open()
        known = len(owner.link.stats.round_trips)
        wire.down = silent
        asking = asyncio.create_task(owner.link.request(SelfTest()))
        await asyncio.sleep(0.1)
        wire.down = clean
        assert (await asking).ok
        assert len(owner.link.stats.round_trips) == known
        assert device.executed == [SelfTest()]
        await owner.link.close()

    run(main())


def test_what_the_journal_has_is_not_sent_again() -> None:
    async def main() -> None:
        device, _, owner = setup()
        for card in cards(5):
            device.happen(card)
        identity = await owner.link.open(epoch=7, counter=3)
        await asyncio.sleep(0.01)
        assert (identity.last, identity.first) == (5, 4)
        assert [counter for counter, _ in owner.events] == [4, 5]
        await owner.link.close()

    run(main())


@pytest.mark.parametrize(("epoch", "counter", "skipped"), [(0, 0, 0), (6, 900, 0), (7, 40, 60)])
def test_a_device_that_served_another_table_goes_on_from_its_own_counter(
    epoch: int, counter: int, skipped: int
) -> None:
    async def main() -> None:
        device, wire, owner = setup()
        device.last = 100  # acknowledged elsewhere
        await owner.link.open(epoch, counter)
        wire.up = silent  # the very first event is lost, and still comes first
        device.happen(cards(1)[0])
        wire.up = clean
        device.happen(CardsLow())
        await asyncio.sleep(1)
        assert owner.events == [(101, cards(1)[0]), (102, CardsLow())]
        assert owner.link.stats.skipped == skipped
        await owner.link.close()

    run(main())


def test_an_older_device_that_does_not_say_its_first_event() -> None:
    async def main() -> None:
        device, _, owner = setup()
        device.identity = lambda: Identity("shoe", "old", "S-1", "0.1", 7, 30)  # type: ignore[method-assign]
        device.last = 30
        await owner.link.open(7, 30)
        device.happen(CardsLow())
        await asyncio.sleep(0.1)
        await owner.link.close()
        await owner.link.open()
        device.happen(CardsLow())
        await asyncio.sleep(0.1)
        assert [counter for counter, _ in owner.events] == [31, 32]
        await owner.link.close()

    run(main())


def test_a_device_that_lost_events_without_a_new_epoch_is_not_trusted() -> None:
    async def main() -> None:
        _, _, owner = setup()
        with pytest.raises(LinkError) as failure:
            await owner.link.open(epoch=7, counter=12)
        assert failure.value.code == "link.counter"
        assert owner.losses == []

    run(main())


# ---- identity


def test_nobody_answers() -> None:
    async def main() -> None:
        device, _, owner = setup(down=silent)
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(LinkError) as failure:
            await owner.link.open()
        assert failure.value.code == "link.no-answer"
        assert loop.time() - began == pytest.approx(2.0, abs=0.01)
        assert owner.link.stats.frames_out == 10
        assert device.heard == []

    run(main())


@pytest.mark.parametrize(
    ("noise", "hint"),
    [
        (b"\0\x55\x55\x55\0", "baud"),
        (Frame(Kind.IDENTITY, 1, b"x", ENCRYPTED).to_wire(), "key"),
        (bytes.fromhex("0003020702070101059e5a7fd900"), "check the baud"),
    ],
)
def test_a_device_that_babbles_gets_a_hint(noise: bytes, hint: str) -> None:
    async def main() -> None:
        _, _, owner = setup(up=lambda data: [noise])
        with pytest.raises(LinkError, match=hint) as failure:
            await owner.link.open()
        assert failure.value.code == "link.no-answer"

    run(main())


def test_until_the_right_identity_comes_everything_is_ignored() -> None:
    async def main() -> None:
        device, wire, owner = setup()
        opening = asyncio.create_task(owner.link.open())
        wire.down = silent
        await asyncio.sleep(0.01)
        device.put(Frame(Kind.EVENT, 1, encode(CardsLow())))
        device.put(Frame(Kind.IDENTITY, 4711, encode(device.identity())))
        device.put(Frame(Kind.EVENT, 900, b"rubbish"))
        await asyncio.sleep(0.01)
        assert not opening.done()
        wire.down = clean
        await opening
        assert owner.events == []
        await owner.link.close()

    run(main())


def test_a_second_identity_from_another_memory_ends_the_link() -> None:
    async def main() -> None:
        device, _, owner = setup()
        await owner.link.open()
        nonce = device.heard[0].number
        device.put(Frame(Kind.IDENTITY, nonce, encode(device.identity())))
        device.put(Frame(Kind.IDENTITY, nonce + 1 & 0xFFFFFFFF, b"old"))
        await asyncio.sleep(0.01)
        assert owner.losses == []
        device.epoch += 1
        device.put(Frame(Kind.IDENTITY, nonce, encode(device.identity())))
        await asyncio.sleep(0.01)
        assert owner.codes == ["link.restarted"]
        await owner.link.close()

    run(main())


def test_two_devices_that_answer_one_greeting_are_named() -> None:
    async def main() -> None:
        device, _, owner = setup()
        await owner.link.open()
        other = msgspec.structs.replace(device.identity(), serial="A-2")
        device.put(Frame(Kind.IDENTITY, device.heard[0].number, encode(other)))
        await asyncio.sleep(0.01)
        assert owner.codes == ["link.twice"]
        assert device.identity().serial in owner.losses[0].cause and "A-2" in owner.losses[0].cause
        await owner.link.close()

    run(main())


# ---- what must never be taken silently


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (Frame(Kind.EVENT, 21, b"rubbish"), "link.body"),
        (Frame(Kind.EVENT, 0, encode(CardsLow())), "link.counter"),
        (Frame(Kind.EVENT, 3, encode(CardsLow())), "link.counter"),  # long forgotten: the device counts from 1 again
        (Frame(Kind.EVENT, 20, encode(CardsLow())), "link.counter"),  # the same counter, another event
        (Frame(Kind.EVENT, 37, encode(CardsLow())), "link.counter"),  # more than the window ahead
        (Frame(Kind.IDENTITY, 5, b"rubbish"), "link.body"),
    ],
)
def test_a_wrong_event_ends_the_link_unacknowledged(frame: Frame, code: str) -> None:
    async def main() -> None:
        device = FakeDevice()
        owner = Owner(MemoryWire(device))
        owner.link = HostLink(MemoryWire(device), on_event=owner._event, on_lost=owner.losses.append, nonce=lambda: 5)
        await owner.link.open()
        for card in cards(20):
            device.happen(card)
            await asyncio.sleep(0.01)
        acks = kinds(device).count(Kind.ACK)
        device.put(frame)
        device.put(Frame(Kind.EVENT, 21, encode(CardsLow())))
        await asyncio.sleep(3)
        assert owner.codes == [code]
        assert len(owner.events) == 20
        assert kinds(device).count(Kind.ACK) == acks
        assert owner.link.stats.errors[code] == 1
        await owner.link.close()

    run(main())


def test_an_unreadable_reply_ends_the_link_and_the_request() -> None:
    async def main() -> None:
        device, _, owner = setup()
        device.answer = lambda command: None
        await owner.link.open()
        asking = asyncio.create_task(owner.link.request(SelfTest()))
        await asyncio.sleep(0.01)
        device.put(Frame(Kind.REPLY, 1, b"rubbish"))
        with pytest.raises(LinkError) as failure:
            await asking
        assert failure.value.code == "link.lost"
        assert owner.codes == ["link.body"]
        await owner.link.close()

    run(main())


def test_an_unreadable_identity_fails_the_opening() -> None:
    async def main() -> None:
        device, _, owner = setup()
        device._take = lambda frame: device.put(Frame(Kind.IDENTITY, frame.number, b"?"))  # type: ignore[method-assign]
        with pytest.raises(LinkError) as failure:
            await owner.link.open()
        assert failure.value.code == "link.body"

    run(main())
