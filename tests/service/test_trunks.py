"""What devices share on their way to the computer, by their addresses and by where the kernel says they are plugged."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.service.trunks import trunks_of


@pytest.mark.parametrize(
    ("address", "trunks"),
    [
        ("can://can0/0x21", ["can0"]),
        ("socket://192.0.2.7:4001", ["the serial server 192.0.2.7"]),
        ("usb://1209:f317/@1-1.3", ["hub 1-1", "USB bus 1"]),
        ("usb://1209:f317/@2-4", ["USB bus 2"]),
        ("gpio://pi", []),
        ("sim://shoe", []),
        ("nonsense", []),
        ("", []),
    ],
)
def test_by_the_address_alone(address: str, trunks: list[str], tmp_path: Path) -> None:
    assert [trunk.in_words for trunk in trunks_of(address, tmp_path)] == trunks


def test_by_where_an_adapter_is_plugged_in(tmp_path: Path) -> None:
    usb = tmp_path / "devices" / "pci0" / "usb1" / "1-1" / "1-1.4" / "1-1.4.2"
    port = usb / "1-1.4.2:1.0" / "ttyUSB7"
    port.mkdir(parents=True)
    tty = tmp_path / "class" / "tty" / "ttyUSB7"
    tty.mkdir(parents=True)
    (tty / "device").symlink_to(port)
    node = tmp_path / "by-id-shoe"
    node.symlink_to("/dev/ttyUSB7")  # as udev makes it: it need not lead anywhere here
    above = ["hub 1-1.4", "hub 1-1", "USB bus 1"]
    assert [trunk.in_words for trunk in trunks_of(f"serial://{node}", tmp_path)] == above
    slcan = trunks_of(f"can://{node}/0x21?interface=slcan", tmp_path)
    assert [trunk.in_words for trunk in slcan] == [str(node), *above]
    assert trunks_of("serial:///dev/ttyS0", tmp_path) == ()


def test_by_the_serial_number(tmp_path: Path) -> None:
    devices = tmp_path / "bus" / "usb" / "devices"
    for name, serial in (("1-1.2", "A1"), ("1-1.3", "B2"), ("1-1", None)):
        at = devices / name
        at.mkdir(parents=True)
        (at / "idVendor").write_text("1209\n")
        (at / "idProduct").write_text("f317\n")
        if serial is not None:
            (at / "serial").write_text(f"{serial}\n")
    assert [trunk.in_words for trunk in trunks_of("usb://1209:f317/B2", tmp_path)] == ["hub 1-1", "USB bus 1"]
    assert trunks_of("usb://1209:f317/C3", tmp_path) == ()
