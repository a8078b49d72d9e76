"""A whole table with vendors' hardware: its configuration, and a round that settles as with our own devices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.config import ConfigError, TableConfig
from controller.config.load import load_config
from controller.config.wiring import devices
from controller.daemon.compose import running
from controller.sim.addresses import schemes, simulated_table
from drivers.vendors.angel_eye import AngelEye
from drivers.vendors.register import endpoint
from firmware_bridge.address import parse
from firmware_bridge.serial import SerialTransport
from firmware_bridge.vendors.node import NodeTransport
from tests.daemon.house import table_toml
from tests.system.a_round import DEEDS, LINES

SHOE = 'family = "shoe"\n'
MODULE = """\
[device.module]
family = "lamps"
protocol = "cia401"
address = "can://can0/0x21"
[device.module.cia401]
outputs = { bets = 0, "decide:1" = 1 }
inputs = { "no-more-bets" = 0, "fold 1" = 1, door = 2 }
"""


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., TableConfig]:
    """table.toml with the shoe's section, or its end, changed."""

    def of(shoe: str, more: str = "") -> TableConfig:
        path = table_toml(tmp_path, seats=3)
        path.write_text(path.read_text().replace(SHOE, SHOE + shoe) + more)
        return load_config(path)

    return of


async def test_a_round_with_an_angel_eye_shoe_and_an_alpha_sign(config: Callable[..., TableConfig]) -> None:
    sign = '[device.sign]\nfamily = "display"\nprotocol = "alpha"\naddress = "sim://sign"\n'
    table_config = config('protocol = "angel-eye"\n', sign)
    async with (
        simulated_table(table_config) as (sim, _),
        running(table_config, schemes(sim)) as daemon,
    ):
        service = daemon.service
        assert await service.all_ready(20.0)
        for device, verb, args in DEEDS:
            before = service.engine.seq
            sim.device(device).do(verb, *args)
            await _until(lambda before=before: service.engine.seq > before and sim.quiet and service.quiet)  # type: ignore[misc]
        table = service.engine.table
        assert table.round is not None
        assert table.round.outcome == "settled"
        assert {(x.place, x.spot): (x.result, x.net, x.rule) for x in table.round.lines} == LINES
        assert not table.faults
        shown = sim.device("sign").model.view()["shown"]
        assert "5" in shown


async def _until(holds: Callable[[], bool]) -> None:
    deadline = asyncio.get_running_loop().time() + 20
    while not holds():
        assert asyncio.get_running_loop().time() < deadline, "this never came about"
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("shoe", "more", "says"),
    [
        ('protocol = "angel-eyes"\n', "", 'protocol: unknown protocol "angel-eyes": did you mean "angel-eye"?'),
        ('protocol = "alpha"\n', "", "alpha is spoken by a display, not by a shoe"),
        ('protocol = "angel-eye"\nserial = "X"\n', "", "does not tell its serial number"),
        ('protocol = "cia401"\n', "", "cia401 is spoken over can://, not over sim://"),
        ("angel-eye = { look = 3 }\n", "", 'settings of another protocol: add protocol = "angel-eye"'),
        ('protocol = "angel-eye"\nangel-eye = { bbc = "x" }\n', "", 'angel-eye.bbc: unknown key: did you mean "bcc"?'),
        ('protocol = "angel-eye"\nangel-eye = { bcc = "with" }\n', "", 'unknown bcc "with": did you mean "with-stx"?'),
        ('protocol = "angel-eye"\nangel-eye = { sequence = "9" }\n', "", "sequence: must be first and last number"),
        ('protocol = "angel-eye"\nangel-eye = 3\n', "", "must be a table"),
        ("", MODULE.replace("decide:1", "decide:9"), 'there is no lamp "decide:9": did you mean "decide:'),
        ("", MODULE.replace("fold 1", "fould 1"), 'there is no key "fould": did you mean "fold"?'),
        ("", MODULE.replace("fold 1", "dead 1"), 'there is no key "dead"'),  # of Crown Poker
        ("", MODULE.replace("bets = 0", "bets = 64"), "outputs.bets: must be 0 to 63"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    config: Callable[..., TableConfig], shoe: str, more: str, says: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        config(shoe, more)
    assert all(problem.line > 1 for problem in caught.value.problems)
    assert says in caught.value.cause


def test_every_mistake_of_a_device_is_told_at_once(config: Callable[..., TableConfig]) -> None:
    with pytest.raises(ConfigError) as caught:
        config('protocol = "angel-eye"\nares = 3\nangel-eye = { look = "x", bcc = "with" }\n')
    told = [(problem.key, problem.message.partition(":")[0]) for problem in caught.value.problems]
    assert told == [
        ("device.shoe.ares", "unknown key"),
        ("device.shoe.angel-eye.bcc", 'unknown bcc "with"'),
        ("device.shoe.angel-eye.look", "must be a whole number without quotes"),
    ]


def test_a_module_has_its_lamps_and_the_way_to_its_node(config: Callable[..., TableConfig]) -> None:
    spec = devices(config("", MODULE), {"sim": lambda _: SerialTransport("/dev/null")})["module"]
    transport = spec.make_transport()
    assert isinstance(transport, NodeTransport)
    assert transport.node == 0x21
    assert spec.make_driver is not None
    assert set(spec.make_driver().names) == {"bets", "decide:1"}  # type: ignore[attr-defined]
    assert spec.make_link is not None


@pytest.mark.parametrize(
    ("protocol", "address", "speed"),
    [
        ("angel-eye", "serial:///dev/x", (4800, "N", 8)),
        ("angel-eye", "serial:///dev/x?baud=9600", (9600, "N", 8)),
        ("alpha", "serial:///dev/x", (9600, "E", 7)),
        ("alpha", "serial:///dev/x?bits=8&parity=none", (9600, "N", 8)),
    ],
)
def test_a_line_is_set_as_the_maker_says_unless_the_address_says_otherwise(
    protocol: str, address: str, speed: tuple[int, str, int]
) -> None:
    transport = endpoint(protocol, AngelEye(), parse(address)).make_transport()
    assert isinstance(transport, SerialTransport)
    assert (transport.baud, transport._parity, transport._bits) == speed
