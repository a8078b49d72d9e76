"""Bytes for vendors' codecs and for simulated devices: a device hears anything, and understands the next good frame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from firmware_bridge import frame as f
from firmware_bridge import messages as m
from firmware_bridge.framer import Framer
from firmware_bridge.image import make_image
from firmware_bridge.vendors import alpha, angel_eye, cia401
from hw_sim.board import Board
from hw_sim.models.register import MODELS
from hw_sim.vendors.alpha import AlphaEnd
from hw_sim.vendors.angel_eye import AngelEyeEnd
from hw_sim.vendors.cia401 import Cia401End, IoModule
from tests.fuzz.target import Target, expect
from tests.fuzz.wire import frames, pieces

KEEPS = 8192  # bytes that a device may keep of what it does not understand


def commands() -> list[bytes]:
    """Returns frames as a controller sends them."""
    image = make_image(bytes(range(32)), "shoe", "S1", "1.3.0", b"firmware" * 8)
    said: list[Any] = [m.SelfTest(), m.Lock(True), m.ClearFault("shoe.jam"), m.Shuffle(), m.Eject(), m.Snapshot()]
    said += [m.ShowText(("MIN 5",)), m.ShowAmount(5), m.SetLamps(((1, 1),)), m.KeyLamps(("void",))]
    said += [m.FlashBegin(image.signed, image.signature), m.FlashWrite(0, b"firmware"), m.FlashFinish()]
    said += [m.FlashSwitch(), m.ShowPrompts(("a",))]
    greeting = f.Frame(f.Kind.HELLO, 9, f.encode(m.Hello(1))).to_wire()
    return [greeting + f.Frame(f.Kind.COMMAND, n, f.encode(each)).to_wire() for n, each in enumerate(said, 1)]


class OnLoop(Target):
    """A target that needs a running loop."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()

    def run(self, data: bytes) -> None:
        self.loop.run_until_complete(self.heard(data))

    async def heard(self, data: bytes) -> None:
        """Lets a device hear the bytes."""
        raise NotImplementedError

    def close(self) -> None:
        self.loop.close()


class Devices(OnLoop):
    """A simulated device of every family, at the end of a wire that says anything."""

    name = "devices.native"
    daily = 100

    def seeds(self) -> list[bytes]:
        return [b"\0" + said for said in commands()] + [b"\1" + b"".join(commands()), b"\2" + b"".join(frames())]

    async def heard(self, data: bytes) -> None:
        families = sorted(m.FAMILIES)
        family = families[len(data) % len(families)]
        said: list[bytes] = []
        model = MODELS.find(family)()
        identity = m.Identity(family, "M1", "A1", "1.0.0", 7, 0, 1)
        board = Board(identity, model, said.append, bytes(range(32)) if len(data) % 5 == 0 else None)
        for piece in pieces(data):
            board.received(piece)
            expect(len(board.end._framer._pending) <= f.MAX_ENCODED, "a device keeps too much")
        board.restart()
        said.clear()
        board.received(b"\0" + f.Frame(f.Kind.HELLO, 77, f.encode(m.Hello(1))).to_wire())
        answers = [item for item in Framer().feed(b"".join(said)) if isinstance(item, f.Frame)]
        kinds = [each.kind for each in answers]
        expect(kinds[:1] == [f.Kind.IDENTITY], "a device does not answer a greeting", said=said)
        board.end._end_session()
        board.off()


class VendorEnds(OnLoop):
    """The simulated shoe, sign and module of vendors."""

    name = "devices.vendors"
    daily = 50

    def seeds(self) -> list[bytes]:
        shoe = [angel_eye.lock(True).to_wire(), angel_eye.clear_error(7).to_wire(), angel_eye.query().to_wire()]
        packets = (alpha.allocate("A", "1"), alpha.write_text("A", "1"), alpha.read_string("1"))
        sign = [packet.to_wire() for packet in packets]
        module = [cia401.pack(cia401.nmt(cia401.START, 5)), cia401.pack(cia401.Object(*cia401.DEVICE_TYPE).request(5))]
        return [b"\0" + each for each in (*shoe, b"".join(shoe), *sign, b"".join(sign), *module)]

    async def heard(self, data: bytes) -> None:
        said: list[bytes] = []
        shoe = AngelEyeEnd(MODELS.find("shoe")(), said.append)
        module = Cia401End(IoModule(), said.append, node=5)
        sign = AlphaEnd(MODELS.find("display")(), said.append)
        for piece in pieces(data):
            for end in (shoe, sign, module):
                end.received(piece)
            expect(len(shoe._command) <= KEEPS, "a shoe keeps what is no command", kept=len(shoe._command))
        said.clear()
        shoe.restart()
        shoe.received(angel_eye.query().to_wire())
        expect(bytes([angel_eye.ACK]) in said, "a shoe does not answer a good command", said=said)
        for end in (shoe, module):
            timer = getattr(end, "_timer", None)
            if timer is not None:
                timer.cancel()


class VendorFramers(Target):
    """What a vendor's device sends, as the controller reads it."""

    name = "devices.framers"
    daily = 200
    words = (b"\x05", b"\x03", b"\x06", b"\x15", b"\x01", b"\x04", b"\x02", b"G1", b"Z00")
    report: ClassVar = angel_eye.Report(0x31, "D", b"\x81\xb8")
    good: ClassVar[tuple[tuple[Callable[[], Any], bytes, object], ...]] = (
        (angel_eye.Framer, report.to_wire(), report),
        (alpha.Framer, alpha.Packet("G", b"1$5").to_wire(), alpha.Packet("G", b"1$5")),
    )

    def seeds(self) -> list[bytes]:
        return [b"\0" + wire * 2 for _, wire, _ in self.good]

    def run(self, data: bytes) -> None:
        for make_framer, wire, item in self.good:
            framer = make_framer()
            for piece in pieces(data):
                framer.feed(piece)
                expect(len(framer._buffer) <= KEEPS, "a framer keeps too much", kept=len(framer._buffer))
            expect(framer.feed(bytes(40) + wire)[-1] == item, "a good frame is not understood after these bytes")
        for start in range(1, len(data), 10):
            part = data[start : start + 12]
            cia401.read_sdo(part)
            cia401.read_emergency(part)
            frame = cia401.unpack(part)
            expect(frame is None or cia401.pack(frame) == part, "a frame is another one", frame=frame)
            angel_eye.read_operation(part)


TARGETS: tuple[type[Target], ...] = (Devices, VendorEnds, VendorFramers)
