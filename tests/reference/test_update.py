"""New firmware for a reference device: it is kept when it is confirmed, given up when not, and survives every cut."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from firmware_bridge import flash
from firmware_bridge.image import Image, make_image
from firmware_bridge.link import HostLink, LinkError, Timing
from firmware_bridge.messages import FlashConfirm, FlashFinish, FlashSwitch, FlashWrite, Identity, Reply
from firmware_bridge.transport import Transport
from hw_sim import loop
from tests.reference.conftest import PARTS, Started, cuts
from tests.reference.recorder import QUICK
from tests.reference.stepped import Mortal, Stepped

SIGNER, STRANGER = bytes([3]) * 32, bytes([4]) * 32
PUBLIC = Ed25519PrivateKey.from_private_bytes(SIGNER).public_key().public_bytes_raw().hex()
FIRMWARE = bytes(n * n % 251 for n in range(3001))
TRIAL = 20.0  # seconds


def image(version: str = "1.1.0", *, family: str = "lamps", model: str = "REF-1", signer: bytes = SIGNER) -> Image:
    return make_image(signer, family, model, version, FIRMWARE)


class Bench:
    """A controller whose link is opened anew whenever that is needed."""

    def __init__(self, device: Transport, timing: Timing = QUICK) -> None:
        self._lost = asyncio.Event()
        self.link = HostLink(device, on_event=lambda *_: None, on_lost=lambda _: self._lost.set(), timing=timing)

    async def greet(self) -> Identity:
        """Returns who the device is, after a session that may have been."""
        await self.link.close()
        async with asyncio.timeout(5):
            while True:
                try:
                    return await self.link.open()
                except LinkError:
                    await asyncio.sleep(0.1)

    async def flash(self, image: Image, **options: bool) -> str:
        """Returns "" when the device has taken all of it, else why not."""
        try:
            await flash.transfer(self.link, image, lambda *_: None, **options)
        except flash.FlashRefused as refused:
            return refused.reason
        return ""


@pytest.fixture
def device(checked: list[str], started: Started[Stepped], tmp_path: Path) -> Stepped:
    return started(Stepped(checked, "lamps", tmp_path, image_key=PUBLIC))


def test_firmware_that_is_confirmed_stays_and_other_firmware_goes(device: Stepped) -> None:
    async def story() -> None:
        bench = Bench(device)
        async with device.running():
            assert (await bench.greet()).firmware == "1.0.0"
            assert await bench.link.request(FlashFinish()) == Reply(False, "not-begun")
            assert await bench.link.request(FlashSwitch()) == Reply(False, "not-finished")
            assert await bench.link.request(FlashConfirm()) == Reply(False, "not-on-trial")
            assert await bench.flash(image()) == ""
            await flash.switch(bench.link)
            assert (await bench.greet()).firmware == "1.1.0"
            assert await bench.flash(image("1.2.0")) == "on-trial"
            assert await bench.link.request(FlashFinish()) == Reply(False, "not-begun")
            await asyncio.sleep(TRIAL + 1)  # nobody confirms it
            assert (await bench.greet()).firmware == "1.0.0"
            assert await bench.flash(image()) == ""  # it is still there
            await flash.switch(bench.link)
            assert (await bench.greet()).firmware == "1.1.0"
            await flash.confirm(bench.link)
            device.kill()
            device.start()
            await asyncio.sleep(TRIAL + 1)
            assert (await bench.greet()).firmware == "1.1.0"
            await bench.link.close()

    loop.run(story())


def test_what_is_refused_touches_nothing(device: Stepped) -> None:
    async def story() -> None:
        bench = Bench(device)
        async with device.running():
            await bench.greet()
            for refused, why in (
                (image(signer=STRANGER), "image-signature"),
                (image(family="shoe"), "wrong-family"),
                (image(model="REF-2"), "wrong-model"),
                (image("0.9"), "downgrade"),
            ):
                assert await bench.flash(refused) == why
                assert await bench.link.request(FlashWrite(0, b"x")) == Reply(False, "not-begun")
            assert await bench.flash(image("0.9"), downgrade=True) == ""
            right = image()
            wrong = Image(right.manifest, right.signed, right.signature, FIRMWARE[:-1] + b"!")
            assert await bench.flash(wrong) == "image-digest"
            assert await bench.link.request(FlashSwitch()) == Reply(False, "not-finished")
            await bench.link.close()

    loop.run(story())


def updated(command: list[str], folder: Path, cut: int) -> tuple[Mortal, int]:
    """Returns a device that got new firmware although its power was cut in this write, and how many there were."""
    device = Mortal(command, "lamps", folder, serial=str(cut), image_key=PUBLIC)
    device.start()

    async def story() -> int:
        bench = Bench(device)
        async with device.running():
            await bench.greet()
            device.kill()
            device.start("--cut", str(cut))
            while True:
                identity = await bench.greet()
                try:
                    if identity.firmware == "1.1.0":
                        await flash.confirm(bench.link)
                        break
                    assert await bench.flash(image()) == ""
                    await flash.switch(bench.link)
                except LinkError:
                    continue  # its power was cut: again
                except flash.FlashRefused as refused:
                    assert identity.firmware == "1.1.0" and refused.reason == "not-on-trial"  # it was confirmed before
                    break
            writes = int(device.hand("tell", "device").split()[-1])
            device.kill()
            device.start()
            assert (await bench.greet()).firmware == "1.1.0"
            await bench.link.close()
            return writes

    return device, loop.run(story())


@pytest.mark.parametrize("part", PARTS)
def test_the_power_is_cut_in_the_middle_of_any_write(small: list[str], part: int, tmp_path: Path) -> None:
    whole, writes = updated(small, tmp_path, 0)
    whole.put_away()
    assert whole.died == 0 and FIRMWARE in whole.flash.read_bytes()
    for cut in cuts(writes, part):
        device, _ = updated(small, tmp_path, cut)
        device.put_away()
        assert device.died == 1 and FIRMWARE in device.flash.read_bytes(), f"cut in the middle of write {cut}"
        device.flash.unlink()
