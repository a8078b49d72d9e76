"""The Alpha sign: it shows what it should, is read back, and recovers from packets it never got."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from drivers.display import DisplayDriver
from drivers.vendors.alpha import Alpha, AlphaLink
from firmware_bridge.address import parse
from firmware_bridge.messages import Lock
from firmware_bridge.serial import SerialTransport
from firmware_bridge.transport import TransportError
from firmware_bridge.vendors.alpha import Framer, allocate, read_string, write_string
from hw_sim import loop
from hw_sim.models.display import Display
from hw_sim.table import SimDevice
from hw_sim.tcp import TcpWire
from hw_sim.vendors.alpha import AlphaEnd
from hw_sim.wire import MemoryWire, PtyWire, Wire
from tests.vendors.bench import Bench, on_the_bench

MILLIONS = 123_456_789  # ten-thousandths


@asynccontextmanager
async def a_sign(wire: Wire | None = None, settings: Alpha = Alpha(), **options: Any) -> AsyncIterator[Bench]:  # noqa: B008
    device = SimDevice("display", Display(), wire or MemoryWire(), make_end=AlphaEnd)
    async with on_the_bench(device, DisplayDriver(), "alpha", settings, **options) as bench:
        yield bench


def shown(bench: Bench) -> str:
    return str(bench.device.model.view()["shown"])


def test_an_amount_and_a_text_are_shown_and_read_back() -> None:
    async def main() -> None:
        async with a_sign() as bench:
            bench.driver.show_amount(MILLIONS)
            await bench.until(lambda: shown(bench) == "$12,345.67")
            assert await bench.driver.read_back() == "$12,345.67"
            bench.driver.show_text(["MIN 5", "MAX 500"])
            await bench.until(lambda: shown(bench) == "MIN 5\nMAX 500")
            assert await bench.driver.read_back() == "MIN 5\nMAX 500"
            assert (await bench.driver.self_test()).ok
            assert not (await bench.driver.ask(Lock(True))).ok
            assert not bench.faults
            assert "allocate memory" in bench.trace

    loop.run(main())


@pytest.mark.parametrize(("decimals", "text"), [(0, "$12,345"), (4, "$12,345.6789")])
def test_how_much_of_a_dollar(decimals: int, text: str) -> None:
    async def main() -> None:
        async with a_sign(settings=Alpha(decimals=decimals)) as bench:
            bench.driver.show_amount(MILLIONS)
            await bench.until(lambda: shown(bench) == text)

    loop.run(main())


@pytest.mark.parametrize(
    "fault", [("split",), ("drop", 1), ("drop", 2), ("corrupt", 1), ("corrupt", 2), ("duplicate", 3)]
)
def test_a_write_that_got_lost_is_written_again(fault: tuple[Any, ...]) -> None:
    async def main() -> None:
        async with a_sign() as bench:
            bench.driver.show_amount(10_000)
            await bench.until(lambda: bench.driver.settled)
            bench.device.fault(*fault)
            bench.driver.show_amount(20_000)
            await bench.until(lambda: bench.driver.settled)
            assert shown(bench) == "$2.00"
            assert not bench.faults
            assert bench.phases == ["opening", "identifying", "ready"]

    loop.run(main())


def test_what_it_cannot_show_is_a_fault_that_ends_with_the_next_good_one() -> None:
    async def main() -> None:
        async with a_sign() as bench:
            bench.driver.show_text(["caf\u00e9"])
            await bench.until(lambda: bench.faults == ["display.characters"])
            bench.driver.show_text(["x" * 200])
            await bench.until(lambda: bench.faults == ["display.characters", "display.too-long"])
            bench.driver.show_amount(10_000)
            await bench.until(lambda: bench.cleared == ["display.characters", "display.too-long"])
            assert shown(bench) == "$1.00"

    loop.run(main())


def test_a_sign_whose_memory_is_not_ours_is_set_up_again() -> None:
    class Foreign(AlphaEnd):
        """It answers every read, and takes no write, until its memory is divided."""

        def _handle(self, packet: Any) -> None:
            if packet.command == "H" and not self._sizes:
                self._send(type(packet)("G", packet.data, packet.sign).to_wire())
            else:
                super()._handle(packet)

    async def main() -> None:
        device = SimDevice("display", Display(), MemoryWire(), make_end=Foreign)
        async with on_the_bench(device, DisplayDriver(), "alpha", Alpha()) as bench:
            bench.driver.show_amount(10_000)
            await bench.until(lambda: shown(bench) == "$1.00")

    loop.run(main())


def test_a_sign_that_takes_nothing_is_a_fault() -> None:
    class Full(AlphaEnd):
        def _store(self, file: tuple[bytes, bytes], content: bytes) -> None:
            pass

    async def main() -> None:
        device = SimDevice("display", Display(), MemoryWire(), make_end=Full)
        async with on_the_bench(device, DisplayDriver(), "alpha", Alpha()) as bench:
            bench.driver.show_amount(10_000)
            await bench.until(lambda: bench.faults == ["display.not-shown"])

    loop.run(main())


def test_a_sign_that_forgets_is_noticed_and_shows_it_again() -> None:
    async def main() -> None:
        async with a_sign(settings=Alpha(look=1)) as bench:
            bench.driver.show_amount(10_000)
            await bench.until(lambda: bench.driver.settled)
            bench.device.fault("power")
            assert shown(bench) == ""
            await bench.until(lambda: shown(bench) == "$1.00")
            assert bench.causes[0] in ("link.silent", "device.restarted")

    loop.run(main())


def test_a_sign_that_falls_silent_is_lost_and_found() -> None:
    async def main() -> None:
        async with a_sign(settings=Alpha(look=1)) as bench:
            bench.driver.show_amount(10_000)
            await bench.until(lambda: bench.driver.settled)
            bench.device.fault("hang")
            bench.driver.show_amount(20_000)
            await bench.lost()
            bench.device.clear()
            await bench.until(lambda: shown(bench) == "$2.00")

    loop.run(main())


def test_settings() -> None:
    for wrong in ({"sign": "Z"}, {"decimals": 5}, {"look": 0}):
        with pytest.raises(ValueError, match="must be"):
            Alpha(**wrong)
    assert AlphaLink.about.families == ("display",)


@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_on_real_wires_unplugged_and_plugged_in_again(kind: str, tmp_path: Path) -> None:
    wire: Wire = PtyWire(tmp_path / "display") if kind == "pty" else TcpWire()
    device = SimDevice("display", Display(), wire, make_end=AlphaEnd)
    device.start()  # a port is known when it is open
    async with on_the_bench(device, DisplayDriver(), "alpha", Alpha()) as bench:
        bench.driver.show_amount(MILLIONS)
        await bench.until(lambda: shown(bench) == "$12,345.67")
        device.fault("unplug")
        await bench.lost()
        bench.driver.show_amount(20_000)
        device.clear()
        await bench.until(lambda: shown(bench) == "$2.00" and bench.driver.settled)
        assert await bench.driver.read_back() == "$2.00"


def test_a_served_table_may_have_signs_of_this_kind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hw_sim", "serve", "--directory", str(tmp_path), "--until-stdin-closes"]
    with subprocess.Popen(
        [*command, "--protocol", "sign=alpha"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        address = json.loads(process.stdout.readline())["addresses"]["sign"]

        async def main() -> None:
            port = SerialTransport(parse(address).path)
            heard = bytearray()
            await port.open(Ears(heard))
            for _ in range(50):  # a sign that is in a hurry misses packets
                for packet in (allocate("A", "1"), write_string("1", b"$1.00"), read_string("1")):
                    port.write(packet.to_wire())
                    await asyncio.sleep(0.1)
                if write_string("1", b"$1.00") in Framer().feed(bytes(heard)):
                    break
            else:
                pytest.fail("it was never read back")
            await port.close()

        asyncio.run(main())
        process.stdin.close()
        assert process.wait(20) == 0


class Ears:
    def __init__(self, heard: bytearray) -> None:
        self._heard = heard

    def received(self, data: bytes) -> None:
        self._heard += data

    def lost(self, why: TransportError) -> None:
        raise why
