"""A device that was sealed once is never accepted plain because its key is gone: the device stops, the table opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from controller.errors import FeltError
from tests.daemon.house import House

KEYS = {"SIM-shoe": bytes([7]) * 32, "SIM-console": bytes([8]) * 32}
ANSWERS = {
    "name": "technician 7",
    "licence": "L-1",
    "time": "2026-01-31T14:05+11:00",
    "reason": "shoe replaced",
    "asset": "A-3",
}


class Sealed(House):
    """Shoe and console have keys; where these are missing, what stands there is a device without any."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        text = self.config.read_text()
        for name in ("shoe", "console"):
            text = text.replace(f'family = "{name}"', f'family = "{name}"\nserial = "SIM-{name}"')
        self.config.write_text(text)
        self.keys = directory / "state" / "keys.toml"
        self.write(*KEYS)

    def write(self, *serials: str) -> None:
        self.keys.parent.mkdir(exist_ok=True)
        self.keys.write_text("".join(f'{serial} = "{KEYS[serial].hex()}"\n' for serial in serials))
        self.keys.chmod(0o600)

    def device(self, name: str) -> dict[str, Any]:
        found: dict[str, Any]
        (found,) = [each for each in self.client.get("/devices")["devices"] if each["name"] == name]
        return found

    def troubles(self) -> dict[str, dict[str, Any]]:
        return {trouble["cause"].partition(":")[0]: trouble for trouble in self.status()["trouble"]}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Sealed]:
    house = Sealed(tmp_path)
    house.start()
    house.deal_a_round()
    assert house.stop() == 0
    yield house
    house.close()


def is_locked(house: Sealed, name: str) -> None:
    house.wait(lambda: house.troubles().get(name, {}).get("code") == "keys.missing")
    assert "felt device NAME pair" in house.troubles()[name]["next_step"]
    assert house.status()["open"]  # the table itself has opened
    house.wait(lambda: house.device("sensor.1")["phase"] == "ready")
    assert house.device(name)["phase"] != "ready"


@pytest.mark.parametrize("how", ["removed", "emptied"])
def test_no_keys_at_all(house: Sealed, how: str) -> None:
    if how == "removed":
        house.keys.unlink()
    else:
        house.write()
    for _ in range(2 if how == "removed" else 1):  # also after another restart
        house.launch()
        for name in ("shoe", "console"):
            is_locked(house, name)
        before = house.status()["journal"]["seq"]
        with house.devices() as devices:
            devices.do("shoe", "draw", "Kh")  # whatever stands there is not heard
            devices.do("sensor.1", "bet", {"war": 1000})
            house.wait(lambda before=before: house.status()["journal"]["seq"] > before)  # type: ignore[misc]
            devices.do("sensor.1", "bet", {"war": 0})
        facts = house.client.get("/journal/tail", after=before)["facts"]
        assert not [fact for fact in facts if fact["fact"]["fact"] == "card"]
        assert house.stop() == 0
    house.write(*KEYS)
    house.launch()
    house.wait(lambda: all(device["phase"] == "ready" for device in house.client.get("/devices")["devices"]))
    assert house.device("shoe")["sealed"] and not house.troubles()


def test_one_key_is_missing(house: Sealed) -> None:
    house.write("SIM-console")
    house.launch()
    is_locked(house, "shoe")
    house.wait(lambda: house.device("console")["phase"] == "ready")
    assert house.device("console")["sealed"]


def test_a_technician_may_go_back_to_plain_frames_on_record(house: Sealed) -> None:
    house.write("SIM-console")
    house.launch()
    is_locked(house, "shoe")
    with pytest.raises(FeltError, match="service log"):
        house.client.post("/devices/shoe/unpair", {})
    assert house.client.post(f"/devices/shoe/unpair?{urlencode(ANSWERS)}", {}) == {"device": "shoe", "unpaired": True}
    house.wait(lambda: house.device("shoe")["phase"] == "ready")
    assert not house.device("shoe")["sealed"]
    texts = [fact["text"] for fact in house.client.get("/journal/tail", n=20)["facts"]]
    assert any(text.startswith("shoe: unpair by technician 7") for text in texts)
    assert any(text.startswith("shoe: its link is plain from now on (account ") for text in texts)
    with pytest.raises(FeltError, match="not paired"):
        house.client.post(f"/devices/shoe/unpair?{urlencode(ANSWERS)}", {})
    assert house.stop() == 0
    house.launch()
    house.wait(lambda: house.device("shoe")["phase"] == "ready")


def test_the_table_file_may_say_it_too(tmp_path: Path) -> None:
    """A state directory that was lost remembers nothing: then the device counts as one that was never paired."""
    house = Sealed(tmp_path)
    try:
        house.keys.unlink()
        text = house.config.read_text()
        house.config.write_text(text.replace('serial = "SIM-shoe"', 'serial = "SIM-shoe"\nsealed = true'))
        house.launch()
        house.wait(lambda: house.device("shoe")["phase"] == "unpaired")
        assert house.troubles()["shoe"]["code"] == "keys.unpaired"
        with pytest.raises(FeltError, match="does not say that shoe may be plain"):
            house.client.post(f"/devices/shoe/unpair?{urlencode(ANSWERS)}", {})
    finally:
        house.close()
