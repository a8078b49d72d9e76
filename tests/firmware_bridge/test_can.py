"""Nodes on a CAN bus: long frames, bad neighbours, a bad bus, an adapter that goes away; and nothing left behind."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from can.interfaces.virtual import VirtualBus
from pytest_mock import MockerFixture

from firmware_bridge import messages as m
from firmware_bridge.address import open_transport, parse
from firmware_bridge.can import FROM_DEVICE, MOST_UNSENT, STALLED, TO_DEVICE, CanBus, CanTransport, Wiring, buses
from firmware_bridge.can_frame import CanFrame
from firmware_bridge.can_ports import Listener, Port, PythonCanPort
from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.transport import TransportError
from hw_sim.can import SimBus
from hw_sim.table import SimTable
from tests.firmware_bridge import pair_bus
from tests.firmware_bridge.listener import nothing_leaks
from tests.firmware_bridge.virtual import run

BUSES = ("can", "slcan")


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    with nothing_leaks():
        yield
    assert not buses()


class Near:
    """The controller's end of one device."""

    def __init__(self, address: str) -> None:
        self.events: list[m.Event] = []
        self.losses: list[LinkError] = []
        self.transport = open_transport(parse(address))
        self.link = HostLink(self.transport, on_event=self._event, on_lost=self.losses.append)

    def _event(self, counter: int, event: m.Event) -> None:
        self.events.append(event)
        self.link.ack(counter)

    @property
    def codes(self) -> list[str]:
        return [loss.code for loss in self.losses]


@asynccontextmanager
async def table(kind: str, directory: Path, *names: str) -> AsyncIterator[tuple[SimTable, SimBus, list[Near]]]:
    """A table on one bus, with links to these devices."""
    sim = SimTable(seats=2, wire=kind, directory=directory)
    sim.start()
    ends = [Near(sim.device(name).address) for name in names]
    try:
        await asyncio.gather(*(end.link.open() for end in ends))
        yield sim, sim.cabling.buses[kind], ends
    finally:
        await asyncio.gather(*(end.link.close() for end in ends))
        sim.stop()


async def until(condition: object, limit: float = 10.0) -> None:
    assert callable(condition)
    async with asyncio.timeout(limit):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@pytest.mark.parametrize("kind", BUSES)
async def test_long_frames_go_both_ways_and_each_node_gets_its_own(kind: str, tmp_path: Path) -> None:
    async with table(kind, tmp_path, "display", "sign", "shoe", "lamps") as (sim, _, (display, sign, shoe, lamps)):
        assert len(buses()) == 1
        texts = ["j" * 980, "l" * 950]
        for end, text in zip((display, sign), texts, strict=True):
            assert (await end.link.request(m.ShowText((text,)))).ok
        answers = await asyncio.gather(*(end.link.request(m.ReadBack()) for end in (display, sign) * 3))
        assert [answer.detail for answer in answers] == texts * 3
        for card in ("Kh", "2c", "Td"):
            sim.device("shoe").do("draw", card)
        await until(lambda: len(shoe.events) == 3)
        assert shoe.events == [m.CardDrawn("Kh"), m.CardDrawn("2c"), m.CardDrawn("Td")]
        await until(lambda: sim.device("shoe").pending == 0)
        assert not lamps.events and not lamps.losses


@pytest.mark.parametrize("kind", BUSES)
async def test_a_silent_node_is_the_only_one_lost(kind: str, tmp_path: Path) -> None:
    async with table(kind, tmp_path, "shoe", "lamps") as (sim, _, (shoe, lamps)):
        sim.device("shoe").fault("unplug")
        await until(lambda: shoe.losses)
        assert shoe.codes == ["link.silent"]
        assert (await lamps.link.request(m.SetLamps(((1, 1),)))).ok
        await shoe.link.close()
        sim.device("shoe").clear()
        await shoe.link.open()
        assert not lamps.losses


@pytest.mark.parametrize("kind", BUSES)
async def test_a_babbling_node_does_not_stop_the_others(kind: str, tmp_path: Path) -> None:
    async with table(kind, tmp_path, "shoe", "lamps") as (sim, bus, (shoe, lamps)):
        node = sim.device("shoe").wire.node  # type: ignore[attr-defined]
        noise = [bytes([first, *range(7)]) for first in range(0, 256, 3)]
        for turn in range(40):
            for data in noise:
                bus.send(CanFrame(FROM_DEVICE + node, data))
                bus.send(CanFrame(0x123, data))
            assert (await lamps.link.request(m.SetLamps(((turn, 1),)))).ok
        assert not lamps.losses
        assert shoe.transport.errors["isotp.malformed"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", BUSES)
@pytest.mark.parametrize(
    "fault", [("split",), ("drop", 3), ("corrupt", 3), ("duplicate", 3), ("reorder", 2), ("delay", "40ms")]
)
async def test_a_bad_wire_loses_nothing(kind: str, fault: tuple[object, ...], tmp_path: Path) -> None:
    async with table(kind, tmp_path, "shoe") as (sim, _, (shoe,)):
        sim.device("shoe").fault(str(fault[0]), *fault[1:])
        for card in ("Kh", "2c"):
            sim.device("shoe").do("draw", card)
        await until(lambda: sim.device("shoe").pending == 0)
        assert shoe.events == [m.CardDrawn("Kh"), m.CardDrawn("2c")]


@pytest.mark.parametrize("kind", BUSES)
@pytest.mark.parametrize("way", ["to the device", "from the device"])
async def test_a_reboot_within_a_long_message_costs_the_session_and_nothing_else(
    kind: str, way: str, tmp_path: Path, mocker: MockerFixture
) -> None:
    async with table(kind, tmp_path, "display", "lamps") as (sim, bus, (display, lamps)):
        assert (await display.link.request(m.ShowText(("j" * 980,)))).ok
        device, pieces = sim.device("display"), 0

        def passes(frame: CanFrame) -> None:
            nonlocal pieces
            if frame.id & 0x7F == device.wire.node:  # type: ignore[attr-defined]
                pieces += 1
                if pieces == 20:
                    device.fault("power")

        long: m.Command = m.ShowText(("l" * 950,)) if way == "to the device" else m.ReadBack()
        if way == "to the device":
            bus.listeners.append(passes)
        else:
            to_controller = bus.adapter.send

            def send(frame: CanFrame) -> None:
                passes(frame)
                to_controller(frame)

            mocker.patch.object(bus.adapter, "send", send)
        with pytest.raises(LinkError) as error:
            await display.link.request(long)
        assert error.value.code in ("link.lost", "link.timeout") and pieces >= 20
        await until(lambda: display.losses)
        assert display.codes == ["link.silent"]
        await display.link.close()
        assert (await display.link.open()).family == "display"
        assert (await display.link.request(m.ShowText(("k" * 900,)))).ok
        assert (await display.link.request(m.ReadBack())).detail == "k" * 900
        assert (await lamps.link.request(m.SetLamps(((1, 1),)))).ok and not lamps.losses


@pytest.mark.parametrize("kind", BUSES)
@pytest.mark.parametrize("fault", ["bus-off", "passive"])
async def test_a_bus_in_trouble_takes_every_node_with_one_cause_and_gives_them_back(
    kind: str, fault: str, tmp_path: Path
) -> None:
    async with table(kind, tmp_path, "shoe", "lamps", "console") as (_, bus, ends):
        bus.fault(fault)
        await until(lambda: all(end.losses for end in ends))
        assert {end.codes[0] for end in ends} == {f"can.{fault}"}
        assert len({end.losses[0].cause for end in ends}) == 1
        for end in ends:
            await end.link.close()
        assert not buses()
        bus.clear()
        await asyncio.gather(*(end.link.open() for end in ends))
        assert len(buses()) == 1


async def test_a_passive_controller_that_still_hears_somebody_goes_on(tmp_path: Path) -> None:
    async with table("can", tmp_path, "lamps") as (_, bus, (lamps,)):
        bus.adapter.trouble("passive")
        for _ in range(8):
            await asyncio.sleep(0.1)
            assert (await lamps.link.request(m.SetLamps(((1, 1),)))).ok
        (shared,) = buses()
        assert [bus.health_now for bus in buses()] == ["passive"]
        assert shared.errors == {"can.passive": 1}
        bus.adapter.trouble("")
        await until(lambda: shared.health_now == "active")
        assert not lamps.losses


async def test_one_bus_has_one_way_of_being_used(tmp_path: Path) -> None:
    async with table("slcan", tmp_path, "shoe") as (sim, _, _):
        address = sim.device("lamps").address
        with pytest.raises(LinkError, match="other settings") as failure:
            await Near(address + "&bitrate=250000").link.open()
        assert failure.value.code == "can.settings"
        with pytest.raises(LinkError) as failure:
            await Near(sim.device("shoe").address).link.open()
        assert failure.value.code == "can.busy"


# ---- the library's readers


class Far:
    """The other end of a bus with a descriptor."""

    def __init__(self, channel: str) -> None:
        self.channel = channel
        pair_bus.FAR[channel] = socket.socket(socket.AF_UNIX)

    def __enter__(self) -> Far:
        return self

    def __exit__(self, *_: object) -> None:
        pair_bus.FAR.pop(self.channel).close()

    @property
    def socket(self) -> socket.socket:
        return pair_bus.FAR[self.channel]

    def send(self, number: int, data: bytes) -> None:
        self.socket.send(number.to_bytes(4, "little") + data)

    def transport(self, exists: Callable[[str], bool] | None = None) -> CanTransport:
        return CanTransport(
            Wiring(self.channel), 5, make_port=lambda w: PythonCanPort(pair_bus.INTERFACE, w.channel, exists)
        )


async def test_a_reader_thread_that_fails_says_so(mocker: MockerFixture) -> None:
    nodes, heard = [CanTransport(Wiring("dying", "virtual"), number) for number in (1, 2)], [Heard(), Heard()]
    for each, listener in zip(nodes, heard, strict=True):
        await each.open(listener)
    mocker.patch.object(VirtualBus, "_recv_internal", side_effect=ZeroDivisionError)
    await until(lambda: all(each.losses for each in heard))
    assert [[loss.code for loss in each.losses] for each in heard] == [["can.lost"]] * 2
    for each in nodes:
        await each.close()


class Heard:
    def __init__(self) -> None:
        self.data = b""
        self.losses: list[TransportError] = []

    def received(self, data: bytes) -> None:
        self.data += data

    def lost(self, why: TransportError) -> None:
        self.losses.append(why)


async def test_a_bus_with_a_descriptor_is_read_by_the_loop() -> None:
    with Far("pair-read") as far:
        transport, heard = far.transport(), Heard()
        await transport.open(heard)
        for _ in range(100):
            far.send(FROM_DEVICE + 5, b"\x03abc")
            far.send(FROM_DEVICE + 6, b"\x03xyz")
        await until(lambda: heard.data.count(b"abc") == 100)
        assert b"xyz" not in heard.data
        transport.write(b"\0\x03hi\0")
        assert far.socket.recv(64) == (TO_DEVICE + 5).to_bytes(4, "little") + b"\x02hi"
        with pytest.raises(TransportError, match="opened already"):
            await transport.open(heard)
        await transport.close()
        await transport.close()
        transport.write(b"\0\x03hi\0")
        assert not heard.losses


async def test_an_interface_that_goes_down_is_told_once_and_not_read_again() -> None:
    with Far("pair-down") as far:
        transport, heard = far.transport(), Heard()
        await transport.open(heard)
        far.socket.close()
        await until(lambda: heard.losses)
        await asyncio.sleep(0.02)
        assert [loss.code for loss in heard.losses] == ["can.down"]
        await transport.close()
    transport, heard = far.transport(), Heard()
    with pytest.raises(TransportError) as failure:
        await transport.open(heard)
    assert failure.value.code == "can.missing"


async def test_an_adapter_that_is_pulled_is_missing_and_not_down() -> None:
    """The kernel takes its interface down, which is what a reader hears, and away a moment later."""
    with Far("pair-pulled") as far:
        names = {"pair-pulled"}
        transport, heard = far.transport(names.__contains__), Heard()
        await transport.open(heard)
        (bus,) = buses()
        far.socket.close()
        names.clear()
        await until(lambda: heard.losses)
        assert [loss.code for loss in heard.losses] == ["can.missing"]
        assert bus.record.cause is heard.losses[0]  # the bus says what its devices say
        await transport.close()


async def test_an_adapter_that_vanishes_under_a_send_is_told_from_the_loop() -> None:
    with Far("pair-send") as far:
        transport, heard = far.transport(), Heard()
        await transport.open(heard)
        far.socket.close()
        transport.write(b"\0\x03hi\0")
        assert not heard.losses
        await until(lambda: heard.losses)
        assert [loss.code for loss in heard.losses] == ["can.lost"]
        await transport.close()


async def test_an_adapter_that_is_full_gets_the_rest_later_in_order() -> None:
    with Far("pair-full") as far:
        transport, heard = far.transport(), Heard()
        await transport.open(heard)
        sent = [b"\0\x05%04d\0" % number for number in range(1500)]
        for frame in sent:
            transport.write(frame)
        got: list[bytes] = []
        far.socket.setblocking(False)
        async with asyncio.timeout(10):
            while len(got) < len(sent):
                try:
                    got.append(far.socket.recv(64)[5:])
                except BlockingIOError:
                    await asyncio.sleep(0.001)
        assert got == [b"%04d" % number for number in range(1500)]
        assert not heard.losses
        await transport.close()


@pytest.mark.parametrize(("kind", "health"), [(0x2000_0040, "can.bus-off"), (0x2000_0004, "can.passive")])
async def test_error_frames_are_told(kind: int, health: str) -> None:
    with Far("pair-error") as far:
        transport, heard = far.transport(), Heard()
        await transport.open(heard)
        (bus,) = buses()
        far.send(0x2000_0004, b"\0\x08")
        await until(lambda: bus.health_now == "warning")
        far.send(0x2000_0008, b"\0\x30")  # damage on the wire: no state of ours
        far.send(0x2000_0100, b"")
        await until(lambda: bus.health_now == "active")
        far.send(kind, b"\0\x20")
        await until(lambda: heard.losses)
        assert [loss.code for loss in heard.losses] == [health]
        await transport.close()


async def test_a_machine_without_such_a_bus_says_which_part_is_missing() -> None:
    for error, code in (
        (errno.EAFNOSUPPORT, "can.unsupported"),
        (errno.ENETDOWN, "can.down"),
        (errno.EPERM, "can.denied"),
    ):
        failure = PythonCanPort("socketcan", "can9")._error(OSError(error, "no"), "can.settings")
        assert failure.code == code
        assert "can9" in failure.cause
    with pytest.raises(LinkError) as lost:
        await Near("can://felt-none0/0x21").link.open()
    assert lost.value.code in ("can.unsupported", "can.missing")


# ---- the shared bus, in jumping time


class SlowPort:
    """A port that takes a while to open, and frames only while it has room."""

    def __init__(self, opens_in: float = 0.0, error: TransportError | None = None) -> None:
        self.opens_in = opens_in
        self.error = error
        self.room = True
        self.opened = self.closed = 0
        self.sent: list[CanFrame] = []
        self.listener: Listener | None = None

    async def open(self, listener: Listener) -> None:
        await asyncio.sleep(self.opens_in)
        if self.error is not None:
            raise self.error
        self.opened += 1
        self.listener = listener

    def send(self, frame: CanFrame) -> bool:
        if self.room:
            self.sent.append(frame)
        return self.room

    async def close(self) -> None:
        self.closed += 1


def node(port: Port, number: int) -> CanTransport:
    return CanTransport(Wiring("slow"), number, make_port=lambda _: port)


def test_nodes_that_open_together_share_one_opening_and_one_failure() -> None:
    async def story() -> None:
        port = SlowPort(1.0)
        nodes = [node(port, number) for number in (1, 2, 3)]
        opening = [asyncio.ensure_future(each.open(Heard())) for each in nodes]
        await asyncio.sleep(0.5)
        opening[0].cancel()  # it gave up; the others did not
        results = await asyncio.gather(*opening, return_exceptions=True)
        assert isinstance(results[0], asyncio.CancelledError)
        assert results[1:] == [None, None]
        assert port.opened == 1
        await nodes[1].close()
        assert port.closed == 0
        await nodes[2].close()
        assert port.closed == 1
        broken = SlowPort(1.0, TransportError("can.missing", "no adapter"))
        nodes = [node(broken, number) for number in (1, 2, 3)]
        results = await asyncio.gather(*(each.open(Heard()) for each in nodes), return_exceptions=True)
        assert [str(result) for result in results] == ["can.missing: no adapter"] * 3
        for each in nodes:
            await each.close()

    run(story())


def test_when_all_have_given_up_the_opening_ends() -> None:
    async def story() -> None:
        port = SlowPort(5.0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await node(port, 1).open(Heard())
        assert port.closed == 1
        assert not port.opened

    run(story())


def test_a_bus_that_takes_nothing_is_stalled() -> None:
    async def story() -> None:
        port, heard = SlowPort(), [Heard(), Heard()]
        nodes = [node(port, 1), node(port, 2)]
        for each, listener in zip(nodes, heard, strict=True):
            await each.open(listener)
        port.room = False
        nodes[0].write(b"\0\x03hi\0")
        await asyncio.sleep(STALLED / 2)
        port.room = True
        await asyncio.sleep(0.1)
        assert [frame.data for frame in port.sent] == [b"\x02hi"]
        port.room = False
        nodes[0].write(b"\0\x03hi\0")
        await asyncio.sleep(STALLED * 1.1)
        assert [[loss.code for loss in each.losses] for each in heard] == [["can.stalled"]] * 2
        for each in nodes:
            await each.close()

    run(story())


def test_frames_without_end_are_not_kept() -> None:
    async def story() -> None:
        port, heard = SlowPort(), Heard()
        one = node(port, 1)
        await one.open(heard)
        port.room = False
        for _ in range(MOST_UNSENT + 2):
            one.write(b"\0\x03hi\0")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [loss.code for loss in heard.losses] == ["can.stalled"]
        await one.close()

    run(story())


def test_others_may_use_plain_frames_on_the_same_bus() -> None:
    class Module:
        def __init__(self) -> None:
            self.frames: list[CanFrame] = []
            self.losses: list[TransportError] = []

        def take(self, frame: CanFrame) -> None:
            self.frames.append(frame)

        def lost(self, why: TransportError) -> None:
            self.losses.append(why)

    async def story() -> None:
        port, module, heard = SlowPort(), Module(), Heard()
        one = node(port, 1)
        await one.open(heard)
        bus = await CanBus.join(Wiring("slow"), (0x185, 0x705), module)
        assert port.listener is not None
        port.listener.frames([CanFrame(0x185, b"\1"), CanFrame(0x381, b"\1a"), CanFrame(0x186), CanFrame(0x705)])
        port.listener.frames([CanFrame(0x185, b"\1", extended=True), CanFrame(0x185, remote=True)])
        assert module.frames == [CanFrame(0x185, b"\1"), CanFrame(0x705)]
        assert heard.data == b"\0\x02a\0"
        bus.send(CanFrame(0x205, b"\xff"))
        assert port.sent == [CanFrame(0x205, b"\xff")]
        await one.close()
        assert port.closed < 1
        bus.lost(TransportError("can.lost", "unplugged"))
        assert [loss.code for loss in module.losses] == ["can.lost"]
        await bus.leave(module)
        assert port.closed == 1

    run(story())
