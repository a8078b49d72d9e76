"""A technician pairs a reference device and flashes it at a real daemon, with the commands that people use."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from firmware_bridge.image import make_image
from tests.daemon.house import House
from tests.forking import Process, run
from tests.reference.cable import Cabled
from tests.reference.conftest import Started
from tests.reference.process import PATIENCE
from tests.system.on_disk import cards_key

SIGNER = bytes([3]) * 32
PUBLIC = Ed25519PrivateKey.from_private_bytes(SIGNER).public_key().public_bytes_raw().hex()
FIRMWARE = bytes(n * n % 251 for n in range(20_000))
ANSWERS = (
    *("--name", "technician 7", "--licence", "L-1", "--time", "2026-01-31T14:05+11:00"),
    *("--reason", "lamps replaced", "--asset", "A-3"),
)
MIDDLE = 800  # of the writes to flash that this image takes


@pytest.fixture
def lamps(checked: list[str], started: Started[Cabled], tmp_path: Path) -> Cabled:
    return started(Cabled(checked, "lamps", tmp_path, serial="LA-1", image_key=PUBLIC))


@pytest.fixture
def house(lamps: Cabled, tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    text = house.config.read_text()
    ours = f'address = "{lamps.address}"\nserial = "LA-1"\nsealed = false'
    more = [*cards_key(tmp_path), "[firmware]", f'keys = ["{PUBLIC}"]']
    house.config.write_text("\n".join([text.replace('address = "sim://lamps"', ours), *more, ""]))
    try:
        made = run("felt", "table", "init", str(house.config), env=os.environ, timeout=PATIENCE)
        assert made.returncode == 0, made.stderr
        yield house.start()
    finally:
        house.close()


class Felt:
    """`felt device lamps ...`, at whose terminal somebody types."""

    def __init__(self, house: House, *words: str) -> None:
        self._said = house.directory / "said"
        read, self._write = os.pipe()
        line = ["device", "lamps", *words, *ANSWERS, "--json", "--socket", str(house.socket)]
        with self._said.open("w") as out:
            to = out.fileno()
            self._process = Process("felt", *line, stdin=read, stdout=to, stderr=to, env=os.environ)
        os.close(read)

    def type(self, line: str) -> None:
        os.write(self._write, line.encode() + b"\n")

    def end(self) -> tuple[int, str]:
        """Returns its status and what it said."""
        status = self._process.wait(PATIENCE)
        os.close(self._write)
        return status, self._said.read_text()


def state(house: House) -> dict[str, object]:
    return next(device for device in house.client.get("/devices")["devices"] if device["name"] == "lamps")


def test_it_is_paired_by_the_code_that_it_shows(house: House, lamps: Cabled) -> None:
    lamps.hand("pairing on")
    pairing = Felt(house, "pair")
    lamps.wait(lambda lines: any(line.startswith("code ") and line[5:].isdigit() for line in lines))
    code = [line for line in lamps.lines if line.startswith("code ")][-1]
    pairing.type(code.removeprefix("code "))
    status, said = pairing.end()
    assert status == 0, said
    lamps.hand("pairing off")
    house.wait(lambda: state(house)["phase"] == "ready" and lamps.told()["sealed"] == 1)
    lamps.kill()
    lamps.start()
    house.wait(lambda: state(house)["phase"] == "ready" and lamps.told()["sealed"] == 1)


def test_it_is_flashed_and_goes_on_after_a_cut(house: House, lamps: Cabled, tmp_path: Path) -> None:
    image = tmp_path / "lamps.img"
    image.write_bytes(make_image(SIGNER, "lamps", "REF-1", "1.1.0", FIRMWARE).to_bytes())
    lamps.kill()
    lamps.start("--cut", str(MIDDLE))
    house.wait(lambda: state(house)["phase"] == "ready")
    flashing = Felt(house, "flash", str(image))
    lamps.cut()
    lamps.start()  # the daemon goes on where the device was
    status, said = flashing.end()
    assert status == 0, said
    assert json.loads(said.splitlines()[-1]) == {"device": "lamps", "firmware": "1.1.0", "flashed": True}
    lamps.kill()
    lamps.start()
    house.wait(lambda: state(house)["phase"] == "ready" and lamps.told()["greeted"] == 1)
    identity = state(house)["identity"]
    assert isinstance(identity, dict) and identity["firmware"] == "1.1.0"
    assert FIRMWARE in lamps.flash.read_bytes()
