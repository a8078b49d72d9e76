"""Devices of the reference firmware: built where there is a compiler, else their tests are skipped by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

import pytest

from tests.reference.building import COMPILER, CROSS, QEMU, build
from tests.reference.process import Reference

LONG: Final = "FELT_REFERENCE" in os.environ
PARTS: Final = range(8 if LONG else 1)  # in which the writes to flash are tried
CUTS: Final = 40  # of them, unless all are tried
_Device = TypeVar("_Device", bound=Reference)
Started = Callable[[_Device], _Device]
long = pytest.mark.skipif(not LONG, reason="in real time, with FELT_REFERENCE=1")


def cuts(writes: int, part: int) -> range:
    """Returns the writes in whose middle the power is cut: of this part of all, or a few of all."""
    return range(1 + part, writes + 1, len(PARTS) if LONG else max(1, writes // CUTS))


def _built(target: str, program: str, **settings: str) -> list[str]:
    if COMPILER is None:
        pytest.skip("no gcc: the reference firmware cannot be built")
    return [str(build(target, **settings) / program)]


@pytest.fixture(scope="session")
def program() -> list[str]:
    """The command of a device."""
    return _built("host", "felt-device")


@pytest.fixture(scope="session")
def checked() -> list[str]:
    """The command of a device with address and undefined-behaviour sanitizers."""
    return _built("host", "felt-device", SANITIZE="1")


@pytest.fixture(scope="session")
def small() -> list[str]:
    """The command of a device with little flash: a bank is full soon, and what matters moves to the other one."""
    return _built("host", "felt-device", DEFINES="-DFELT_SECTOR=1024u -DFELT_KEPT_MAX=16u")


@pytest.fixture(scope="session")
def fuzzer() -> list[str]:
    """The command that feeds hostile bytes to devices, with the same sanitizers."""
    return _built("fuzz", "felt-fuzz", SANITIZE="1")


@pytest.fixture(scope="session")
def board() -> list[str]:
    """The command of an emulated board: the emulator, and the folder with what it runs."""
    if CROSS is None:
        pytest.skip("no gcc-arm-none-eabi: the firmware of a Cortex-M cannot be built")
    if QEMU is None:
        pytest.skip("no qemu-system-arm: no board can be emulated")
    return [QEMU, str(build("mps2"))]


@pytest.fixture
def started() -> Iterator[Started[Reference]]:
    """Starts devices, which end with the test; one in which something was wrong fails it."""
    devices: list[Reference] = []

    def start(device: _Device) -> _Device:
        devices.append(device)
        return device.start()

    yield start
    for device in devices:
        device.put_away()
