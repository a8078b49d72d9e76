"""Whoever only looks changes nothing: events stay with their device, keys are needed where there are keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivers.probe import Probe
from drivers.vendors.angel_eye import AngelEye, AngelEyeLink
from firmware_bridge.frame import Frame, Kind
from firmware_bridge.framer import Framer
from firmware_bridge.transport import TransportError
from hw_sim import loop
from hw_sim.models.lamps import Lamps
from hw_sim.models.shoe import Shoe
from hw_sim.table import SimDevice
from hw_sim.vendors.angel_eye import AngelEyeEnd
from hw_sim.wire import MemoryWire, PtyWire

KEY = bytes(range(32))


def story(device: SimDevice, tell: Callable[[Probe], Any], *, family: str = "shoe", **more: Any) -> Probe:
    """Look at the device for three seconds of jumping time."""

    async def main() -> Probe:
        device.start()
        probe = Probe(device.name, family, device.transport, **more)
        try:
            await probe.greet()
            tell(probe)
            await asyncio.sleep(3)
        finally:
            await probe.close()
            await probe.close()
        device.stop()
        return probe

    return loop.run(main())


def nothing(_: Probe) -> None:
    pass


def heard_by(device: SimDevice) -> list[Kind]:
    """What kinds of frames come to the device."""
    framer, kinds = Framer(), list[Kind]()
    received = device._end.received

    def tap(data: bytes) -> None:
        kinds.extend(item.kind for item in framer.feed(data) if isinstance(item, Frame))
        received(data)

    device._faults.attach(tap)
    return kinds


def test_more_events_than_fit_into_the_window_stay_where_they_are() -> None:
    device = SimDevice("shoe", Shoe(), MemoryWire())
    kinds = heard_by(device)

    async def draw() -> None:
        for _ in range(20):
            device.do("draw", "Kh")

    loop.run(draw())
    probe = story(device, lambda _: device.do("draw", "2c"))
    assert (probe.seen, probe.kept, device.pending) == ("answers", 20, 21)
    assert set(kinds) == {Kind.HELLO, Kind.PING}
    assert probe.identity is not None and probe.identity.serial == "SIM-shoe"
    assert probe.stats.frames_in > 16 and probe.cause is None


def test_a_bad_wire_makes_it_ask_again_and_acknowledge_nothing() -> None:
    device = SimDevice("shoe", Shoe(), MemoryWire())
    kinds = heard_by(device)

    def spoil(_probe: Probe) -> None:
        device.fault("corrupt", 2)
        for _ in range(5):
            device.do("draw", "Kh")
        device.fault("duplicate", 3)

    probe = story(device, spoil)
    assert device.pending == 5 and Kind.ACK not in kinds and Kind.COMMAND not in kinds
    assert probe.stats.errors and Kind.RESEND in kinds


def test_a_sealed_device_answers_who_has_its_key() -> None:
    probe = story(SimDevice("shoe", Shoe(), MemoryWire(), key=KEY), nothing, key=KEY)
    assert (probe.seen, probe.encrypted) == ("answers", True)
    probe = story(SimDevice("shoe", Shoe(), MemoryWire(), key=KEY), nothing)
    assert probe.cause is not None and probe.cause.code == "link.sealed"
    probe = story(SimDevice("shoe", Shoe(), MemoryWire(), key=KEY), nothing, key=bytes(32))
    assert probe.cause is not None and probe.cause.code == "link.key"


@pytest.mark.parametrize(
    ("wish", "seen", "code"),
    [
        ({"family": "console"}, "wrong-device", "device.wrong-family"),
        ({"expect_serial": "X"}, "wrong-device", "device.wrong-serial"),
        ({"min_firmware": "2.0"}, "old-firmware", "device.old-firmware"),
    ],
)
def test_what_is_wrong_with_it(wish: dict[str, str], seen: str, code: str) -> None:
    probe = story(SimDevice("shoe", Shoe(), MemoryWire()), nothing, **wish)
    assert probe.seen == seen and probe.cause is not None and probe.cause.code == code


def test_a_device_that_goes_away_is_lost_and_can_be_greeted_again() -> None:
    async def main() -> None:
        device = SimDevice("shoe", Shoe(), MemoryWire())
        device.start()
        probe = Probe("shoe", "shoe", device.transport)
        await probe.greet()
        device.fault("unplug")
        await asyncio.sleep(1)
        assert (probe.seen, probe.cause and probe.cause.code) == ("lost", "sim.unplugged")
        await probe.close()
        await probe.greet()
        assert probe.seen == "lost"
        device.clear()
        await probe.close()
        await probe.greet()
        assert (probe.seen, probe.cause) == ("answers", None)
        await probe.close()
        device.stop()

    loop.run(main())


def test_a_vendors_shoe_is_asked_one_question() -> None:
    device = SimDevice("shoe", Shoe(), MemoryWire(), make_end=AngelEyeEnd)
    probe = story(device, nothing, make_link=AngelEyeLink.links(AngelEye()), min_firmware="9")
    assert probe.seen == "answers" and probe.identity is not None
    assert probe.identity.model == "angel-eye-ii-ex"
    texts = {entry.words() for entry in probe.trace}
    assert texts == {"operation GP 00", "acknowledged"}


async def test_only_the_wire(tmp_path: Path) -> None:
    device = SimDevice("lamps", Lamps(), PtyWire(tmp_path / "lamps"))
    device.start()

    def transport() -> Any:
        from firmware_bridge.address import open_transport, parse

        return open_transport(parse(device.address))

    probe = Probe("lamps", "lamps", transport)
    await probe.check_wire("asking would change it")
    assert (probe.seen, probe.cause and probe.cause.code) == ("not-asked", "device.not-asked")
    assert not probe.trace
    device.stop()
    await probe.check_wire("asking would change it")
    assert (probe.seen, probe.cause and probe.cause.code) == ("lost", "serial.missing")

    def nowhere() -> Any:
        raise TransportError("test.gone", "gone")

    probe = Probe("lamps", "lamps", nowhere)
    await probe.greet()
    assert probe.cause is not None and probe.cause.code == "test.gone"
