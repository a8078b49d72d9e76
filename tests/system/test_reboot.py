"""A device that reboots, or is cut off, while new firmware is on its way: on every wire it goes on where it was."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from drivers.shoe import ShoeDriver
from drivers.supervisor import Supervisor
from drivers.workshop import flash
from firmware_bridge.address import open_transport, parse
from firmware_bridge.flash import CHUNK
from firmware_bridge.image import make_image
from firmware_bridge.schemes.usb import open_usb
from firmware_bridge.transport import Transport
from hw_sim.table import SimTable
from tests.firmware_bridge.listener import nothing_leaks
from tests.system.bench import JUMPING, KEYS, QUICK, REAL, play, until

SIGNER = bytes([3]) * 32
PUBLIC = Ed25519PrivateKey.from_private_bytes(SIGNER).public_key().public_bytes_raw()
FIRMWARE = random.Random(2).randbytes(12 * CHUNK + 17)
CUTS = ("power", "unplug")


@pytest.mark.parametrize("link", ["plain", "sealed"])
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("wire", [*JUMPING, *REAL])
def test_firmware_arrives_whole_whatever_happens_on_the_way(wire: str, cut: str, link: str, tmp_path: Path) -> None:
    async def story() -> None:
        key = KEYS["SIM-shoe"] if link == "sealed" else None
        sim = SimTable(seats=1, wire=wire, directory=tmp_path, keys=KEYS if key else {}, signers=[PUBLIC])
        device = sim.device("shoe")

        def make_transport() -> Transport:
            usb = {"usb": lambda address: open_usb(address, sim.cabling.usb, wait=20)}
            return open_transport(parse(device.address), usb) if device.address else device.transport()

        supervisor = Supervisor(
            "shoe",
            "shoe",
            make_transport,
            ShoeDriver(),
            expect_serial="SIM-shoe",
            resume=lambda: (0, 0),
            on_reading=lambda origin, reading: None,
            on_state=lambda state: None,
            timing=QUICK,
            key=key,
        )
        progress: list[int] = []

        def moved(have: int, _size: int) -> None:
            progress.append(have)
            if len(progress) in (3, 8):
                device.fault(cut)
                asyncio.get_running_loop().call_later(0.05, device.clear)

        with nothing_leaks():
            sim.start()
            supervisor.start()
            await until(lambda: supervisor.state.phase == "ready")
            device.do("draw", "Kh")
            async with supervisor.out_of_play():
                await flash(supervisor, make_image(SIGNER, "shoe", "sim-shoe", "1.3.0", FIRMWARE), moved)
            await until(lambda: supervisor.state.phase == "ready")
            assert device.board.firmware == "1.3.0"
            assert progress == sorted(set(progress)) and progress[-1] == len(FIRMWARE)  # no byte was sent in vain
            assert device.pending == 1  # and no card is forgotten that nobody has acknowledged
            await supervisor.stop()
            sim.stop()

    play(wire, story())
