"""The technician's work on a simulated device: a new key, new firmware; and every way in which that can go wrong."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from drivers.shoe import ShoeDriver
from drivers.supervisor import Backoff, DeviceState, Supervisor
from drivers.workshop import AskCode, WorkshopError, flash, pair
from firmware_bridge.flash import CHUNK
from firmware_bridge.image import Image, make_image
from hw_sim.loop import run
from hw_sim.slots import DEAD
from hw_sim.table import SimDevice, SimTable

SIGNER, STRANGER = bytes([3]) * 32, bytes([4]) * 32
PUBLIC = Ed25519PrivateKey.from_private_bytes(SIGNER).public_key().public_bytes_raw()
KEY = bytes(range(32))
FIRMWARE = random.Random(1).randbytes(20 * CHUNK + 17)


def image(version: str = "1.3.0", *, family: str = "shoe", signer: bytes = SIGNER, firmware: bytes = FIRMWARE) -> Image:
    return make_image(signer, family, f"sim-{family}", version, firmware)


async def until(condition: Callable[[], bool], limit: float = 20.0) -> None:
    async with asyncio.timeout(limit):
        while not condition():  # noqa: ASYNC110 - any condition at all
            await asyncio.sleep(0.001)


async def at_once(condition: Callable[[], bool]) -> None:
    """Looks at every turn of the loop: time stands still."""
    while not condition():  # noqa: ASYNC110
        await asyncio.sleep(0)


class Bench:
    """A shoe, its supervisor, and what was seen of them."""

    def __init__(self, key: bytes | None, min_firmware: str = "") -> None:
        keys = {} if key is None else {"SIM-shoe": key}
        self.device: SimDevice = SimTable(seats=1, keys=keys, signers=[PUBLIC]).device("shoe")
        self.states: list[DeviceState] = []
        self.progress: list[int] = []
        self.tampered: list[str] = []
        self.supervisor = Supervisor(
            "shoe",
            "shoe",
            self.device.transport,
            ShoeDriver(),
            expect_serial="SIM-shoe",
            resume=lambda: (0, 0),
            on_reading=lambda origin, reading: None,
            on_state=self.states.append,
            backoff=Backoff(jitter=0.0),
            key=key,
            min_firmware=min_firmware,
            on_tampered=self.tampered.append,
        )

    async def phase(self, phase: str, limit: float = 20.0) -> None:
        await until(lambda: self.supervisor.state.phase == phase, limit)

    async def flash(self, what: Image, *, downgrade: bool = False) -> None:
        async with self.supervisor.out_of_play():
            await flash(
                self.supervisor,
                what,
                lambda have, size: self.progress.append(have),
                serial="SIM-shoe",
                downgrade=downgrade,
            )

    async def refused(self, what: Image, *, downgrade: bool = False) -> WorkshopError:
        """Flashing fails, and the device runs what it ran before."""
        with pytest.raises(WorkshopError) as error:
            await self.flash(what, downgrade=downgrade)
        await self.phase("ready")
        assert self.device.board.firmware == "1.0.0"
        return error.value

    async def shown(self) -> str:
        """What a person reads from the device."""
        return self.device.state()["code"]  # type: ignore[no-any-return]

    async def pair(self, read: AskCode | None = None, serial: str = "SIM-shoe") -> bytes:
        async with self.supervisor.out_of_play():
            self.supervisor.key = await pair(self.supervisor, serial, read or self.shown)
            return self.supervisor.key

    async def not_paired(self, read: AskCode | None = None, serial: str = "SIM-shoe") -> str:
        """Pairing fails, and neither end has another key than before; the code of the failure."""
        before = self.supervisor.key
        with pytest.raises(WorkshopError) as error:
            await self.pair(read, serial)
        self.device.fault("power")  # what a person does first who sees that something is wrong
        self.device.do("pairing", "off")
        await self.phase("ready")
        assert self.supervisor.key == before and self.device.board.end.keyed == (before is not None)
        return error.value.code


@asynccontextmanager
async def bench(key: bytes | None = KEY, min_firmware: str = "", phase: str = "ready") -> AsyncIterator[Bench]:
    made = Bench(key, min_firmware)
    made.device.start()
    made.supervisor.start()
    try:
        await made.phase(phase)
        yield made
    finally:
        await made.supervisor.stop()
        made.device.stop()


# ---- pairing


@pytest.mark.parametrize("before", [None, KEY, "unknown to us"])
def test_a_paired_device_seals_with_its_new_key(before: bytes | str | None) -> None:
    async def story() -> None:
        async with bench(KEY if before else None) as b:
            if isinstance(before, str):
                b.supervisor.key = None
                b.device.fault("power")
                await b.phase("lost")
            b.device.do("draw", "Kh")
            b.device.do("pairing", "on")
            key = await b.pair()
            assert len(key) == 32 and key != KEY
            assert b.device.board.end.keyed == bool(before)  # the new one waits for the switch
            b.device.do("pairing", "off")
            await b.phase("lost")
            await b.phase("ready")
            assert b.supervisor.encrypted and b.device.board.end.keyed and not b.tampered

    run(story())


def test_without_the_switch_no_key_changes() -> None:
    async def story() -> None:
        for key, code in ((None, "pair.refused"), (KEY, "link.sealed")):
            async with bench(key) as b:
                with pytest.raises(WorkshopError) as error:
                    await b.pair()
                assert error.value.code == code
                await b.phase("ready")

    run(story())


def test_another_device_is_not_paired() -> None:
    async def story() -> None:
        async with bench(None) as b:
            b.device.do("pairing", "on")
            assert await b.not_paired(serial="another") == "device.wrong-serial"

    run(story())


def test_in_pairing_mode_no_card_leaves_the_device() -> None:
    async def story() -> None:
        async with bench(KEY) as b:
            b.device.do("pairing", "on")
            b.device.do("draw", "Kh")
            await asyncio.sleep(5)
            assert b.device.pending == 1

    run(story())


# ---- firmware


def test_old_firmware_is_said_and_can_be_flashed() -> None:
    async def story() -> None:
        async with bench(min_firmware="1.3.0", phase="old-firmware") as b:
            assert b.supervisor.state.code == "device.old-firmware"
            assert "1.3.0" in b.supervisor.state.cause
            await b.flash(image())
            await b.phase("ready")
            identity = b.supervisor.state.identity
            assert identity is not None and identity.firmware == "1.3.0"
            assert b.progress[-1] == len(FIRMWARE) and b.progress == sorted(b.progress)
            b.device.fault("power")
            await b.phase("lost")
            await b.phase("ready")
            assert b.device.board.firmware == "1.3.0"  # confirmed: it stays

    run(story())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("cut", ["unplug", "power", "hang"])
def test_a_cut_is_resumed_where_the_device_is(cut: str, seed: int) -> None:
    async def story() -> None:
        chance = random.Random(seed)
        async with bench(KEY if seed % 2 else None) as b:
            working = asyncio.ensure_future(b.flash(image()))
            at = chance.randrange(1, len(FIRMWARE))
            await at_once(lambda: bool(b.progress) and b.progress[-1] >= at)
            b.device.fault(cut)
            await asyncio.sleep(chance.uniform(0, 1))
            b.device.clear()
            await working
            assert b.device.board.firmware == "1.3.0"
            assert len(b.progress) == len(set(b.progress))  # no byte was sent in vain

    run(story())


def test_a_cut_that_lasts_is_told_and_resumed_later() -> None:
    async def story() -> None:
        async with bench() as b:
            working = asyncio.ensure_future(b.flash(image()))
            await at_once(lambda: len(b.progress) >= 9)
            b.device.fault("unplug")
            with pytest.raises(WorkshopError) as error:
                await working
            assert error.value.code == "flash.interrupted"
            assert b.device.board.firmware == "1.0.0"
            b.device.clear()
            far = max(b.progress)
            b.progress.clear()
            await b.flash(image())
            assert b.progress[0] >= far and b.device.board.firmware == "1.3.0"

    run(story())


def test_refused_images_leave_what_runs_untouched() -> None:
    async def story() -> None:
        async with bench() as b:
            assert (await b.refused(image(signer=STRANGER))).code == "flash.refused"
            assert (await b.refused(image(family="lamps"))).code == "flash.wrong-device"
            assert "downgrade" in (await b.refused(image("0.9.0"))).cause
            assert (await b.refused(image("1.0.0"))).code == "flash.same"
            good = image()
            damaged = Image(good.manifest, good.signed, good.signature, FIRMWARE[:-1] + b"!")
            assert "image-digest" in (await b.refused(damaged)).cause
            assert not b.tampered

    run(story())


def test_an_older_version_is_taken_when_asked_for() -> None:
    async def story() -> None:
        async with bench() as b:
            await b.flash(image("0.9.0"), downgrade=True)
            assert b.device.board.firmware == "0.9.0"

    run(story())


def test_firmware_that_does_not_come_up_is_rolled_back() -> None:
    async def story() -> None:
        async with bench() as b:
            error = await b.refused(image(firmware=DEAD + FIRMWARE))
            assert error.code == "flash.rolled-back" and "1.0.0" in error.cause

    run(story())


def test_firmware_that_nobody_confirms_is_rolled_back() -> None:
    async def story() -> None:
        async with bench() as b:
            working = asyncio.ensure_future(b.flash(image()))
            await until(lambda: b.device.board.firmware == "1.3.0")
            b.device.fault("unplug")  # it came up, but cannot be reached
            with pytest.raises(WorkshopError) as error:
                await working
            assert error.value.code == "flash.silent"
            await asyncio.sleep(10)
            b.device.clear()
            await b.phase("ready")
            assert b.device.board.firmware == "1.0.0"

    run(story())


@pytest.mark.parametrize(
    ("runs", "least", "phase"),
    [
        ("1.0.0", "1.0", "ready"),
        ("1.0.0", "1.0.1", "old-firmware"),
        ("beta", "", "ready"),
        ("beta", "1.0", "old-firmware"),
    ],
)
def test_which_firmware_is_old(runs: str, least: str, phase: str) -> None:
    async def story() -> None:
        made = Bench(None, least)
        made.device.board.end.set_firmware(runs)
        made.device.start()
        made.supervisor.start()
        await made.phase(phase)
        await made.supervisor.stop()
        made.device.stop()

    run(story())
