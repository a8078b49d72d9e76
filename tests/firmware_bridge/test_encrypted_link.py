"""An encrypted link to a simulated device, over good and bad wires, with somebody on the cable."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.address import open_transport, parse
from firmware_bridge.frame import ENCRYPTED, Frame, Kind, encode
from firmware_bridge.framer import Framer
from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.messages import CardDrawn, Challenge, Event, Fault, FaultCleared, Hello, Identity, Lock, SelfTest
from firmware_bridge.schemes.usb import open_usb
from firmware_bridge.serial import SerialTransport
from firmware_bridge.transport import Receiver, Transport, TransportError
from hw_sim import loop
from hw_sim.table import SimDevice, SimTable

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
DECK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]


class Tap:
    """A transport with somebody on the cable: hears everything, may change it, may say more."""

    def __init__(self, inner: Transport) -> None:
        self.inner = inner
        self.up: list[bytes] = []  # every chunk, as it was sent
        self.down: list[bytes] = []
        self.change: Callable[[bytes], list[bytes]] = lambda data: [data]  # on the way up
        self.receiver: Receiver

    async def open(self, receiver: Receiver) -> None:
        self.receiver = receiver
        await self.inner.open(self)

    def write(self, data: bytes) -> None:
        self.down.append(data)
        self.inner.write(data)

    async def close(self) -> None:
        await self.inner.close()

    def received(self, data: bytes) -> None:
        self.up.append(data)
        for piece in self.change(data):
            self.receiver.received(piece)

    def lost(self, why: TransportError) -> None:
        self.receiver.lost(why)

    def frames(self, way: list[bytes]) -> list[Frame]:
        return [item for item in Framer().feed(b"".join(way)) if isinstance(item, Frame)]


class Engine:
    """The controller above the link: keeps events, acknowledges them, notes tampering."""

    def __init__(self, transport: Transport, key: bytes | None) -> None:
        self.events: list[Event] = []
        self.losses: list[str] = []
        self.tampered = 0
        self.epoch = self.counter = 0
        self.tap = Tap(transport)
        self.link = HostLink(self.tap, on_event=self._event, on_lost=self._lost, key=key, on_tampered=self._tampered)

    async def open(self) -> Identity:
        identity = await self.link.open(self.epoch, self.counter)
        self.epoch = identity.epoch
        return identity

    def _event(self, counter: int, event: Event) -> None:
        self.counter = counter
        self.events.append(event)
        self.link.ack(counter)

    def _lost(self, why: LinkError) -> None:
        self.losses.append(why.code)

    def _tampered(self) -> None:
        self.tampered += 1

    @property
    def cards(self) -> list[str]:
        return [event.card for event in self.events if isinstance(event, CardDrawn)]


def shoe(key: bytes | None = KEY, wire: str = "memory", directory: Path | None = None) -> SimDevice:
    keys = {} if key is None else {"SIM-shoe": key}
    return SimTable(seats=1, wire=wire, directory=directory, keys=keys).device("shoe")


@asynccontextmanager
async def connected(device: SimDevice, key: bytes | None = KEY) -> AsyncIterator[Engine]:
    device.start()
    desk = Engine(device.transport() if device.path is None else SerialTransport(str(device.path)), key)
    try:
        await desk.open()
        yield desk
    finally:
        await desk.link.close()
        device.stop()


async def until(condition: Callable[[], bool], limit: float = 20.0) -> None:
    async with asyncio.timeout(limit):
        while not condition():  # noqa: ASYNC110 - any condition at all, and the loop's time is what must pass
            await asyncio.sleep(0.005)


def play(wire: str, story: Coroutine[Any, Any, None]) -> None:
    if wire == "memory":
        loop.run(story)
    else:
        asyncio.run(story)


# ---- a good wire


@pytest.mark.parametrize("wire", ["memory", "pty"])
def test_events_and_commands_pass_sealed(wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        device = shoe(wire=wire, directory=tmp_path)
        async with connected(device) as desk:
            for card in DECK[:20]:
                device.do("draw", card)
            await until(lambda: len(desk.cards) == 20 and device.quiet)
            assert desk.cards == DECK[:20]
            assert (await desk.link.request(SelfTest())).ok
            assert not desk.tampered and not device.board.end.tampered

    play(wire, story())


@pytest.mark.parametrize("wire", ["tcp", "usb", "can", "slcan"])
async def test_every_kind_of_wire_carries_sealed_frames(wire: str, tmp_path: Path) -> None:
    table = SimTable(seats=1, wire=wire, directory=tmp_path, keys={"SIM-shoe": KEY})
    table.start()
    device = table.device("shoe")
    usb = {"usb": lambda address: open_usb(address, table.cabling.usb, wait=20)}
    desk = Engine(open_transport(parse(device.address), usb), KEY)
    try:
        await desk.open()
        for card in DECK[:20]:
            device.do("draw", card)
        await until(lambda: len(desk.cards) == 20 and device.quiet)
        assert desk.cards == DECK[:20] and not desk.tampered and not device.board.end.tampered
    finally:
        await desk.link.close()
        table.stop()


def test_a_recording_shows_no_card_and_no_frame_twice() -> None:
    async def story() -> None:
        device = shoe()
        async with connected(device) as desk:
            device.fault("drop", "4")  # so that some are sent again
            for card in DECK:
                device.do("draw", card)
                await asyncio.sleep(0.03)
            await until(lambda: len(desk.cards) == 52 and device.quiet)
            await asyncio.sleep(2)  # pings
            for way in (desk.tap.up, desk.tap.down):
                frames = desk.tap.frames(way)
                plain = [frame for frame in frames if not frame.flags]
                encrypted = [frame for frame in frames if frame.flags & ENCRYPTED]
                assert {frame.kind for frame in plain} <= {Kind.HELLO, Kind.IDENTITY}
                assert len({frame.body for frame in encrypted}) == len(encrypted) > 10
                assert not any(encode(CardDrawn(card)) in frame.body for frame in frames for card in DECK)

    loop.run(story())


# ---- bad wires

FAULTS = [
    ("split",),
    ("drop", "3"),
    ("corrupt", "3"),
    ("duplicate", "3"),
    ("reorder", "3"),
    ("delay", "40ms"),
    ("babble",),
    ("hang",),
    ("unplug",),
    ("power",),
]


@pytest.mark.parametrize("wire", ["memory", "pty"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault[0])
def test_every_card_comes_once_over_a_bad_wire(fault: tuple[str, ...], wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        device = shoe(wire=wire, directory=tmp_path)
        async with connected(device) as desk:
            for number, card in enumerate(DECK[:12]):
                if number % 4 == 2:
                    device.fault(*fault)
                device.do("draw", card)
                await asyncio.sleep(0.02)
            if fault[0] in ("hang", "unplug", "power"):
                await until(lambda: bool(desk.losses))
                device.clear()
                await desk.link.close()
                await desk.open()
            await until(lambda: len(desk.cards) == 12 and device.quiet)
            assert desk.cards == DECK[:12]
            # Noise is noise; only a frame that comes again or too late is more than that.
            assert (desk.tampered + device.board.end.tampered > 0) == (fault[0] in ("duplicate", "reorder"))

    play(wire, story())


def test_greeting_over_a_bad_wire() -> None:
    async def story() -> None:
        for fault in ("drop", "corrupt", "duplicate", "reorder"):
            device = shoe()
            device.start()
            device.do("draw", "Kh")
            device.fault(fault, "3")
            desk = Engine(device.transport(), KEY)
            await desk.open()
            await until(lambda: desk.cards == ["Kh"] and device.quiet)  # noqa: B023 - waited for at once
            await desk.link.close()
            device.stop()

    loop.run(story())


# ---- somebody on the cable


def renewed(frame: Frame, body: bytes) -> bytes:
    """The body changed, and the check made right again."""
    return Frame(frame.kind, frame.number, body, frame.flags).to_wire()


def bit_flip(chance: random.Random, wire: bytes) -> bytes:
    (frame,) = (item for item in Framer().feed(wire) if isinstance(item, Frame))
    body = bytearray(frame.body)
    body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
    return renewed(frame, bytes(body))


def truncation(chance: random.Random, wire: bytes) -> bytes:
    (frame,) = (item for item in Framer().feed(wire) if isinstance(item, Frame))
    return renewed(frame, frame.body[: chance.randrange(len(frame.body))])


def injection(chance: random.Random, wire: bytes) -> bytes:
    return Frame(Kind.EVENT, chance.randrange(1, 30), encode(CardDrawn("As"))).to_wire()


def renumbering(chance: random.Random, wire: bytes) -> bytes:
    (frame,) = (item for item in Framer().feed(wire) if isinstance(item, Frame))
    return Frame(frame.kind, frame.number + 1, frame.body, frame.flags).to_wire()


ATTACKS = {attack.__name__: attack for attack in (bit_flip, truncation, injection, renumbering)}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.sampled_from([*ATTACKS, "replay", "reflect", "hold"]), max_size=12))
def test_nothing_forged_reaches_the_driver(seed: int, attacks: list[str]) -> None:
    """Each drawn card meets the next attack; the cards that arrive are those that were drawn, in their order."""

    async def story() -> None:
        chance = random.Random(seed)
        device = shoe()
        async with connected(device) as desk:
            waiting = list(attacks)
            held: list[bytes] = []

            def change(data: bytes) -> list[bytes]:
                if not waiting:
                    return [data, *(held.pop() for _ in range(len(held)))]
                match waiting.pop():
                    case "replay":
                        return [data, data, chance.choice(desk.tap.up)]
                    case "reflect":
                        return [chance.choice(desk.tap.down), data]
                    case "hold":  # comes later, out of order
                        held.append(data)
                        return []
                    case name:
                        return [ATTACKS[name](chance, data), data]

            desk.tap.change = change
            for card in DECK[:12]:
                device.do("draw", card)
                await asyncio.sleep(0.01)
            await until(lambda: len(desk.cards) >= 12 and device.quiet)
            assert desk.cards == DECK[:12]
            assert not desk.losses
            named = set(attacks) - {"hold"}
            assert desk.tampered >= 1 or not named

    loop.run(story())


def test_the_device_obeys_nobody_without_the_key() -> None:
    async def story() -> None:
        device = shoe()
        async with connected(device) as desk:
            await desk.link.request(Lock(True))
            recorded = [frame for frame in desk.tap.frames(desk.tap.down) if frame.kind is Kind.COMMAND]
            device.do("draw", "Kh")
            desk.tap.change = lambda data: []  # nothing comes up: no ACK for it
            await asyncio.sleep(0.01)
            for forged in (
                Frame(Kind.COMMAND, 9, encode(Lock(False))),
                Frame(Kind.ACK, 1),
                Frame(Kind.ACK, 1, bytes(24), ENCRYPTED),
                Frame(Kind.HELLO, 1, encode(Hello(1, desk.epoch, 1))),
                *recorded,
                *(frame for frame in desk.tap.frames(desk.tap.up) if frame.flags),  # reflected
            ):
                desk.tap.inner.write(forged.to_wire())
            await asyncio.sleep(0.05)
            assert device.pending == 3  # the card is still there; and the device complains, once
            assert device.board.end.tampered >= 6
            desk.tap.change = lambda data: [data]
            await until(lambda: device.quiet)
            assert desk.events == [CardDrawn("Kh"), Fault("tampered"), FaultCleared("tampered")]

    loop.run(story())


def test_a_challenge_by_a_stranger_does_not_end_the_session() -> None:
    async def story() -> None:
        device = shoe()
        async with connected(device) as desk:
            for nonce in (b"", bytes(32), bytes(33)):
                desk.tap.inner.write(Frame(Kind.HELLO, 77, encode(Challenge(1, nonce))).to_wire())
            first = desk.tap.frames(desk.tap.down)[0]
            desk.tap.inner.write(first.to_wire())  # a nonce that was used: not even answered
            await asyncio.sleep(0.1)
            answers = [f for f in desk.tap.frames(desk.tap.up) if f.kind is Kind.IDENTITY and not f.flags]
            assert [answer.number for answer in answers] == [first.number, 77]
            assert (await desk.link.request(SelfTest())).ok and not desk.losses

    loop.run(story())


# ---- keys that do not fit


@pytest.mark.parametrize(
    ("ours", "theirs", "code"),
    [
        (KEY, OTHER, "link.key"),
        (KEY, None, "link.unsealed"),
        (None, KEY, "link.sealed"),
    ],
)
def test_keys_that_do_not_fit_give_no_session(ours: bytes | None, theirs: bytes | None, code: str) -> None:
    async def story() -> None:
        device = shoe(theirs)
        device.start()
        device.do("draw", "Kh")
        desk = Engine(device.transport(), ours)
        with pytest.raises(LinkError) as error:
            await desk.open()
        assert error.value.code == code
        assert "Kh" not in repr(b"".join(desk.tap.up)) and device.pending == 1
        device.stop()

    loop.run(story())


def test_firmware_that_cannot_seal_is_told_from_a_dead_wire() -> None:
    async def story() -> None:
        device = shoe()
        device.start()
        device.fault("hang")
        desk = Engine(device.transport(), KEY)
        with pytest.raises(LinkError, match="cannot encrypt") as error:
            await desk.open()
        assert error.value.code == "link.no-answer"
        device.stop()

    loop.run(story())


def test_the_trace_shows_what_was_said_but_no_card() -> None:
    async def story() -> None:
        device = shoe()
        async with connected(device) as desk:
            device.do("draw", "Kh")
            await until(lambda: bool(desk.cards))
            text = "\n".join(entry.text() for entry in desk.link.trace)
            assert "EVENT 1 CardDrawn(withheld)" in text and "Kh" not in text

    loop.run(story())
