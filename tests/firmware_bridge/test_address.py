"""Addresses: what they mean, what is wrong with a bad one, and which transport they lead to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.address import SCHEMES, Address, AddressError, open_transport, parse
from firmware_bridge.can import CanTransport, Wiring
from firmware_bridge.serial import SerialTransport
from firmware_bridge.tcp import TcpTransport
from firmware_bridge.transport import Transport
from firmware_bridge.usb import UsbTransport
from firmware_bridge.usb_device import UsbPlace
from tests.firmware_bridge.fakes import FakeDevice, MemoryWire

SLCAN = {"interface": "slcan"}

EXAMPLES = {name: SCHEMES.find(name).example for name in SCHEMES.names()}


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
        ("can:///dev/serial/by-id/usb-a/7?interface=slcan", Address("can", "", "/dev/serial/by-id/usb-a/7", SLCAN)),
        ("gpio://lgpio", Address("gpio", "lgpio")),
        ("sim://shoe?wire=usb", Address("sim", "shoe", "", {"wire": "usb"})),
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
        ("can://can0", "address.path", "number of a node"),
        ("can://can0/0", "address.path", "1 to 127"),
        ("can://can0/128", "address.path", "1 to 127"),
        ("can://can0/0x80", "address.path", "1 to 127"),
        ("can://can0/shoe", "address.path", "1 to 127"),
        ("can://can0/010", "address.path", "1 to 127"),
        ("can:///dev/ttyACM0/0x21", "address.option", "only interface=slcan has a device node"),
        ("can://can0/1?interface=kvaser", "address.option", "socketcan, slcan, virtual"),
        ("can://can0/1?bitrate=500000", "address.option", "only interface=slcan"),
        ("can://ttyACM0/1?interface=slcan&bitrate=9600", "address.option", "bitrate=9600 is not one of"),
        ("can://ttyACM0/1?interface=slcan&baud=1", "address.option", "speed between"),
        ("can://can0/1?fd=yes", "address.option", "unknown option 'fd'; a CAN bus has"),
        ("gpio://17", "address.host", "one of the libraries"),
        ("gpio://lgpio/17", "address.host", "nothing else"),
        ("gpio://lgpio?chip=4", "address.host", "nothing else"),
        ("usb://", "address.host", "after usb://"),
        ("usb://1209/A-1", "address.host", "vendor and a product"),
        ("usb://1209:xyz1/A-1", "address.host", "hexadecimal"),
        ("usb://1209:f317", "address.path", "serial number is missing"),
        ("usb://1209:f317/@", "address.path", "by its position"),
        ("usb://1209:f317/@first", "address.path", "position on the bus"),
        ("usb://1209:f317/A-1?interface=all", "address.option", "is not a number"),
        ("usb://1209:f317/A-1?baud=9600", "address.option", "unknown option 'baud'; a USB device has interface"),
        ("socket://10.0.0.7", "address.host", "host:port"),
        ("socket://10.0.0.7:0", "address.host", "host:port"),
        ("socket://10.0.0.7:65536", "address.host", "host:port"),
        ("socket://fd00::7:4001", "address.host", "in brackets"),
        ("socket://10.0.0.7:4001/shoe", "address.path", "nothing follows"),
        ("socket://10.0.0.7:4001?baud=9600", "address.option", "unknown option 'baud'; a serial server has no options"),
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
    for scheme in ("sim",):
        with pytest.raises(AddressError, match="not built yet") as failure:
            open_transport(parse(EXAMPLES[scheme]))
        assert failure.value.code == "address.not-yet"


@pytest.mark.parametrize(
    ("text", "wiring", "node"),
    [
        ("can://can0/0x21", Wiring("can0"), 0x21),
        ("can://can1/33?interface=socketcan", Wiring("can1"), 33),
        ("can://felt/1?interface=virtual", Wiring("felt", "virtual"), 1),
        ("can://ttyACM0/0x7F?interface=slcan", Wiring("/dev/ttyACM0", "slcan"), 127),
        (
            "can:///dev/serial/by-id/usb-a/7?interface=slcan&bitrate=125000&baud=2000000",
            Wiring("/dev/serial/by-id/usb-a", "slcan", 125_000, 2_000_000),
            7,
        ),
    ],
)
def test_can_nodes(text: str, wiring: Wiring, node: int) -> None:
    transport = open_transport(parse(text))
    assert isinstance(transport, CanTransport)
    assert (transport.wiring, transport.node) == (wiring, node)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("usb://1209:F317/A-1", UsbPlace(0x1209, 0xF317, "A-1")),
        ("usb://1209:f317/A%2F1?interface=2", UsbPlace(0x1209, 0xF317, "A/1", interface=2)),
        ("usb://1209:f317/@1-1.3", UsbPlace(0x1209, 0xF317, port="1-1.3")),
    ],
)
def test_usb_devices(text: str, place: UsbPlace) -> None:
    device = open_transport(parse(text))
    assert isinstance(device, UsbTransport)
    assert device.place == place


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("socket://10.0.0.7:4001", "10.0.0.7", 4001),
        ("socket://shoe.example:23/", "shoe.example", 23),
        ("socket://[fd00::7]:4001", "fd00::7", 4001),
        ("socket://[fe80::7%25eth0]:4001", "fe80::7%eth0", 4001),
    ],
)
def test_serial_servers(text: str, host: str, port: int) -> None:
    server = open_transport(parse(text))
    assert isinstance(server, TcpTransport)
    assert (server.host, server.port) == (host, port)


def test_others_may_add_kinds_of_wire() -> None:
    def memory(address: Address) -> Transport:
        return MemoryWire(FakeDevice(serial=address.host))

    wire = open_transport(parse("sim://shoe"), {"sim": memory})
    assert isinstance(wire, MemoryWire)
    assert wire.device.serial == "shoe"
