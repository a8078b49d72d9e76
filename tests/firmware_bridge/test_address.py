"""Addresses: what they mean, what is wrong with a bad one, and which transport they lead to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.address import EXAMPLES, Address, AddressError, open_transport, parse
from firmware_bridge.serial import SerialTransport
from firmware_bridge.transport import Transport
from tests.firmware_bridge.fakes import FakeDevice, MemoryWire


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (
            "serial:///dev/serial/by-id/usb-x?baud=9600&parity=even",
            Address("serial", "", "/dev/serial/by-id/usb-x", {"baud": "9600", "parity": "even"}),
        ),
        ("usb://1209:f317/A-1", Address("usb", "1209:f317", "/A-1")),
        ("can://can0/0x21", Address("can", "can0", "/0x21")),
        ("socket://10.0.0.7:4001", Address("socket", "10.0.0.7:4001")),
        ("gpio://17", Address("gpio", "17")),
        ("sim://shoe?fault=jam", Address("sim", "shoe", "", {"fault": "jam"})),
        ("serial:///dev/a%20b", Address("serial", "", "/dev/a b")),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert parse(text) == address


def test_every_example_is_a_good_address() -> None:
    for scheme, example in EXAMPLES.items():
        assert parse(example).scheme == scheme
        assert str(parse(example)) == example


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", "address.form", "scheme"),
        ("/dev/ttyUSB0", "address.form", "scheme"),
        ("serail:///dev/x", "address.scheme", "did you mean serial"),
        ("http://x", "address.scheme", "known are"),
        ("serial://dev/x", "address.path", "three slashes"),
        ("serial:///", "address.path", "device node"),
        ("serial:///dev/x y", "address.characters", "spaces"),
        ("serial:///dev/x\n", "address.characters", "control"),
        ("serial:///dev/x?baud", "address.option", "name=value"),
        ("serial:///dev/x?baud=1&baud=2", "address.option", "twice"),
        ("serial:///dev/x?baud=fast", "address.option", "speed"),
        ("serial:///dev/x?baud=\u0663\u0663\u0663", "address.option", "speed"),
        ("serial:///dev/x?parity=mark", "address.option", "none, even or odd"),
        ("serial:///dev/x?rtscts=1", "address.option", "yes or no"),
        ("serial:///dev/x?speed=1", "address.option", "unknown option 'speed'"),
        ("can://", "address.host", "after can://"),
    ],
)
def test_bad_addresses_say_what_is_wrong_and_show_a_good_one(text: str, code: str, says: str) -> None:
    with pytest.raises(AddressError, match=says) as failure:
        parse(text)
    assert failure.value.code == code
    parse(failure.value.example)


@given(st.text(max_size=60) | st.text(max_size=40).map(lambda text: "serial:///" + text))
def test_any_text_is_an_address_or_an_address_error(text: str) -> None:
    try:
        assert parse(text).scheme in EXAMPLES
    except AddressError as error:
        assert error.code.startswith("address.")


def test_transports() -> None:
    port = open_transport(parse("serial:///dev/x?baud=9600&rtscts=yes"))
    assert isinstance(port, SerialTransport)
    assert (port.path, port.baud) == ("/dev/x", 9600)
    for scheme in ("usb", "can", "socket", "gpio", "sim"):
        with pytest.raises(AddressError, match="not built yet") as failure:
            open_transport(parse(EXAMPLES[scheme]))
        assert failure.value.code == "address.not-yet"


def test_others_may_add_kinds_of_wire() -> None:
    def memory(address: Address) -> Transport:
        return MemoryWire(FakeDevice(serial=address.host))

    wire = open_transport(parse("sim://shoe"), {"sim": memory})
    assert isinstance(wire, MemoryWire)
    assert wire.device.serial == "shoe"
