"""One round on every kind of wire, with every kind of device in every kind of trouble: always the same settlement."""

from __future__ import annotations

import asyncio
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hw_sim.usb import IN, OUT, UsbWire
from tests.firmware_bridge.listener import nothing_leaks
from tests.system.a_round import DEEDS, POKER_DEEDS, Deed
from tests.system.bench import JUMPING, REAL, Bench, bench, play, until

FAMILIES = {
    "shoe": "shoe",
    "shuffler": "shuffler",
    "bet-sensor": "sensor.1",
    "console": "console",
    "lamps": "lamps",
    "display": "sign",
    "reader": "reader.board",
}
# Bad from the first deed to the last; and at one moment, while a deed is on its way.
LASTING: dict[str, tuple[Any, ...]] = {"split": ("split",), "delay": ("delay", "2ms"), "babble": ("babble",)}
SUDDEN: dict[str, tuple[Any, ...]] = {
    "drop": ("drop",),
    "corrupt": ("corrupt",),
    "duplicate": ("duplicate", 3),
    "reorder": ("reorder",),
    "power": ("power",),
}
FAULTS = (*LASTING, *SUDDEN, "unplug", "hang", "wrong-device")


def in_turn(first: int = 0) -> list[tuple[str, str, str]]:
    """In real time every fault meets every wire, with families in turn."""
    return [
        (wire, list(FAMILIES)[(w + f + first) % len(FAMILIES)], fault)
        for (w, wire), (f, fault) in product(enumerate(REAL), enumerate(FAULTS))
    ]


# And every family is unplugged from every wire.
UNPLUGGED = [(wire, family, "unplug") for wire, family in product(REAL, FAMILIES)]
IN_MEMORY = list(product(JUMPING, FAMILIES, FAULTS))
CASES = [
    *((*case, "plain") for case in dict.fromkeys(IN_MEMORY + in_turn() + UNPLUGGED)),
    *((*case, "sealed") for case in IN_MEMORY + in_turn(3)),  # other families than those that were plain
]


def deeds_of(family: str) -> tuple[str, list[Deed]]:
    """How cards are dealt, and the round: a shuffler deals the same cards, but has no cutting card; readers
    follow a hand of poker."""
    if family == "reader":
        return "readers", POKER_DEEDS
    if family != "shuffler":
        return "hand", DEEDS
    dealt = [(name.replace("shoe", "shuffler"), verb, args) for name, verb, args in DEEDS if args != ("cut",)]
    return "csm", dealt


async def trouble(table: Bench, name: str, fault: str, deed: Deed) -> None:
    """The deed is done, and this befalls the device meanwhile; afterwards all is well again."""
    device = table.sim.device(name)
    if fault in SUDDEN:
        if fault == "power":
            table.do(deed)
            await asyncio.sleep(0)  # something of it is on the wire
            device.fault(*SUDDEN[fault])
        else:
            device.fault(*SUDDEN[fault])
            table.do(deed)
            await until(lambda: fault not in device.state()["faults"])  # frames enough have met it
    elif fault in ("unplug", "hang"):
        table.do(deed)
        device.fault(fault)
        await table.phase(name, "lost", "opening")
        device.clear()
    elif fault == "wrong-device":
        await table.swapped(name, lambda: table.do(deed))
    else:
        table.do(deed)


@pytest.mark.parametrize(("wire", "family", "fault", "link"), CASES, ids=lambda value: str(value))
def test_the_settlement_is_always_the_same(wire: str, family: str, fault: str, link: str, tmp_path: Path) -> None:
    name = FAMILIES[family]
    dealing, deeds = deeds_of(family)
    moment = CASES.index((wire, family, fault, link)) % len(deeds)  # in every case another one

    async def story() -> None:
        with nothing_leaks():
            async with bench(wire, tmp_path, dealing, encrypted=link == "sealed") as table:
                if fault in LASTING:
                    table.sim.device(name).fault(*LASTING[fault])
                for n, deed in enumerate(deeds):
                    if n == moment:
                        await trouble(table, name, fault, deed)
                    else:
                        table.do(deed)
                    await table.rest()
                table.sim.device(name).clear()
                await table.rest()
                # Noise is noise: only a frame that comes again or too late is more, and only on an encrypted link.
                assert table.tampering_cleared() == (link == "sealed" and fault in ("duplicate", "reorder"))
                await table.rest()
                table.check(deeds)
            if wire == "usb":
                assert table.sim.cabling.usb.open_handles == 0

    play(wire, story())


HALTS, HANGS = {1: IN, 5: OUT}, 9  # by deed


@pytest.mark.parametrize("family", FAMILIES)
def test_usb_endpoints_that_halt_and_devices_that_hang_on_the_bus(family: str, tmp_path: Path) -> None:
    name = FAMILIES[family]
    dealing, deeds = deeds_of(family)

    async def story() -> None:
        with nothing_leaks():
            async with bench("usb", tmp_path, dealing) as table:
                wire = table.sim.device(name).wire
                assert isinstance(wire, UsbWire)
                for n, deed in enumerate(deeds):
                    if n in HALTS:
                        wire.stall(HALTS[n])
                    table.do(deed)
                    if n == HANGS:
                        wire.hang()
                        await table.phase(name, "lost", "opening")
                        wire.hang(False)
                    await table.rest()
                table.check(deeds)

    asyncio.run(story())
