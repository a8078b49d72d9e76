"""An SLCAN adapter that is unplugged, refuses, hangs or is none at all; and the simulated one, asked by python-can."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Iterator
from pathlib import Path

import can
import pytest
from can.interfaces.slcan import slcanBus

from firmware_bridge import messages as m
from firmware_bridge.address import open_transport, parse
from firmware_bridge.can import buses
from firmware_bridge.can_frame import CanFrame
from firmware_bridge.link import HostLink, LinkError
from hw_sim.can import SimBus, SlcanAdapter
from hw_sim.errors import SimError
from hw_sim.table import SimTable
from hw_sim.wire import PtyWire
from tests.firmware_bridge.listener import nothing_leaks


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    with nothing_leaks():
        yield
    assert not buses()


class CountingSelector(selectors.DefaultSelector):
    wakeups = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.wakeups += 1
        return super().select(timeout)


async def until(condition: Callable[[], object], limit: float = 10.0) -> None:
    async with asyncio.timeout(limit):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


def link_to(address: str, losses: list[LinkError]) -> HostLink:
    return HostLink(open_transport(parse(address)), on_event=lambda *_: None, on_lost=losses.append)


def test_unplugged_all_nodes_are_lost_with_one_cause_nothing_spins_and_all_come_back(tmp_path: Path) -> None:
    selector = CountingSelector()

    async def story() -> None:
        sim = SimTable(seats=1, wire="slcan", directory=tmp_path)
        sim.start()
        losses: list[LinkError] = []
        links = [link_to(sim.device(name).address, losses) for name in ("shoe", "lamps", "console")]
        await asyncio.gather(*(link.open() for link in links))
        bus = sim.cabling.buses["slcan"]
        bus.fault("unplug")
        await until(lambda: len(losses) == 3)
        assert {loss.code for loss in losses} == {"serial.lost"}
        assert len({loss.cause for loss in losses}) == 1
        for link in links:
            await link.close()
        before = selector.wakeups
        await asyncio.sleep(0.3)
        assert selector.wakeups - before < 10
        with pytest.raises(LinkError) as failure:
            await links[0].open()
        assert failure.value.code == "serial.missing"
        bus.clear()
        await asyncio.gather(*(link.open() for link in links))
        assert (await links[1].request(m.SetLamps(((1, 1),)))).ok
        for link in links:
            await link.close()
        sim.stop()

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        runner.run(story())


class Stubborn(SlcanAdapter):
    """Answers as it likes."""

    said: Callable[[bytes], bytes | None] = staticmethod(lambda line: None)

    def _answer(self, line: bytes) -> bytes:
        said = self.said(line)
        return super()._answer(line) if said is None else said


async def opened(adapter: SlcanAdapter) -> tuple[SimBus, HostLink, list[LinkError]]:
    bus, losses = SimBus(adapter), []  # type: tuple[SimBus, list[LinkError]]
    bus.plug()
    return bus, link_to(adapter.address(1), losses), losses


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (lambda line: b"", "can.no-adapter"),
        (lambda line: b"\a", "can.no-adapter"),
        (lambda line: b"\a" if line[:1] == b"S" else None, "can.refused"),
        (lambda line: b"\a" if line == b"O" else None, "can.refused"),
        (lambda line: b"z\r" if line == b"O" else None, "can.no-adapter"),
    ],
    ids=["mute", "no such command", "no such speed", "cannot open", "nonsense"],
)
async def test_an_adapter_that_does_not_open(said: Callable[[bytes], bytes | None], code: str, tmp_path: Path) -> None:
    adapter = Stubborn(tmp_path / "adapter")
    adapter.said = said
    bus, link, _ = await opened(adapter)
    with pytest.raises(LinkError) as failure:
        await link.open()
    assert failure.value.code == code
    bus.unplug()


async def test_an_adapter_that_hangs_is_noticed(tmp_path: Path) -> None:
    sim = SimTable(seats=1, wire="slcan", directory=tmp_path)
    bus = sim.cabling.buses["slcan"]
    adapter = bus.adapter = Stubborn(tmp_path / "adapter")
    sim.start()
    losses: list[LinkError] = []
    link = link_to(sim.device("shoe").address, losses)
    await link.open()
    adapter.said = lambda line: b"" if line == b"F" else None
    await until(lambda: losses)
    assert losses[0].code == "can.adapter-silent"
    await link.close()
    adapter.said = lambda line: b"Fxx\r" if line == b"F" else None
    await link.open()
    await asyncio.sleep(0.3)  # it is alive, whatever it means
    assert len(losses) == 1
    await link.close()
    sim.stop()


async def test_unplugged_while_it_is_being_opened(tmp_path: Path) -> None:
    adapter = Stubborn(tmp_path / "adapter")

    def pull(line: bytes) -> bytes | None:
        if line == b"V":
            bus.unplug()
            return b""
        return None

    adapter.said = pull
    bus, link, losses = await opened(adapter)
    with pytest.raises(LinkError) as failure:
        await link.open()
    assert failure.value.code == "serial.lost"
    assert not losses


async def test_something_else_on_the_line_is_no_adapter(tmp_path: Path) -> None:
    line = PtyWire(tmp_path / "line")
    line.attach(lambda data: line.send(data + b"\xff\r" * 3))
    line.plug()
    with pytest.raises(LinkError) as failure:
        await link_to(f"can://{tmp_path}/line/0x1?interface=slcan", []).open()
    assert failure.value.code == "can.no-adapter"
    line.unplug()


# ---- the simulated adapter


async def test_python_can_speaks_with_the_simulated_adapter(tmp_path: Path) -> None:
    adapter, heard = SlcanAdapter(tmp_path / "adapter"), []  # type: tuple[SlcanAdapter, list[CanFrame]]
    adapter.plug(heard.append)
    path = str(tmp_path / "adapter")

    def talk() -> tuple[tuple[int | None, int | None], can.Message | None]:
        with can.Bus(path, interface="slcan", bitrate=500_000, sleep_after_open=0, ignore_config=True) as bus:
            assert isinstance(bus, slcanBus)
            version = bus.get_version(1)
            bus.send(can.Message(arbitration_id=0x301, data=b"\1\2", is_extended_id=False))
            bus.send(can.Message(arbitration_id=0x1ABCDEF, data=b"\3", is_extended_id=True))
            bus.send(can.Message(arbitration_id=0x302, is_remote_frame=True, is_extended_id=False))
            for _ in range(50):
                if message := bus.recv(0.1):
                    return version, message
        return version, None

    talking = asyncio.get_running_loop().run_in_executor(None, talk)
    await until(lambda: len(heard) == 3)
    adapter.send(CanFrame(0x381, b"abc"))
    version, message = await talking
    assert version == (10, 13)
    assert message is not None and (message.arbitration_id, bytes(message.data)) == (0x381, b"abc")
    assert heard == [CanFrame(0x301, b"\1\2"), CanFrame(0x1ABCDEF, b"\3", True), CanFrame(0x302, remote=True)]
    adapter.unplug()
    await asyncio.get_running_loop().shutdown_default_executor()


async def test_the_simulated_adapter_is_strict(tmp_path: Path) -> None:
    adapter = SlcanAdapter(tmp_path / "adapter")
    adapter.plug(lambda frame: None)
    said = [adapter._answer(line) for line in (b"O", b"S9", b"t30100", b"F", b"S6", b"O", b"S5", b"O", b"N", b"Q")]
    assert said == [b"\a", b"\a", b"\a", b"\a", b"\r", b"\r", b"\a", b"\a", b"NSIM0\r", b"\a"]
    said = [
        adapter._answer(line) for line in (b"t3010", b"t301199", b"t30119", b"T000003010", b"r3010", b"F", b"C", b"C")
    ]
    assert said == [b"z\r", b"z\r", b"\a", b"Z\r", b"z\r", b"F00\r", b"\r", b"\a"]
    adapter.unplug()
    bus = SimBus(adapter)
    for wrong in (("jam",), ("unplug", "now")):
        with pytest.raises(SimError):
            bus.fault(*wrong)
    with pytest.raises(SimError):
        bus.do("draw")
    await asyncio.sleep(0)
