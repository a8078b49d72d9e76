"""Each family's words: what its events mean, what it may not send, and what it tells the device."""

from __future__ import annotations

import asyncio
from typing import get_args

import pytest

from drivers.bet_sensor import BetSensorDriver
from drivers.console import ConsoleDriver
from drivers.display import DisplayDriver
from drivers.driver import Channel, Driver
from drivers.lamps import BLINKING, OFF, ON, LampsDriver, lamp_channels
from drivers.reader import ReaderDriver
from drivers.shoe import ShoeDriver
from drivers.shuffler import ShufflerDriver
from firmware_bridge import messages as m
from firmware_bridge.link import LinkError

Events = list[m.Event]

DOOR = m.DoorChanged(True)
SHOE: Events = [
    m.CardDrawn("Td"),
    m.CardDrawn("", True),
    m.CardsTogether(("Kh", "")),
    m.CuttingCardSeen(),
    m.CardsLow(),
    m.ShoeEmpty(),
    DOOR,
]
SHUFFLER: Events = [
    *SHOE,
    m.DeckInserted("red"),
    m.ShuffleStarted(),
    m.ShuffleComplete(52, True),
    m.SetDispensed(("As", "Kh", "2c")),
]
SENSOR: Events = [
    m.BetChanged((m.Spot("ante", ((500, 2), (2500, 1))), m.Spot("play", (), 2, True))),
    m.CashBet((m.Spot("ante", ((500, 2),)),)),
    m.CoveredBet((m.Spot("ante", ((500, 2),)),)),
    m.UnknownChip("ante", 2),
    m.ChipsPushed((500, 2500)),
]
CONSOLE: Events = [m.KeyPressed("fold", ("3",)), m.BadgeRead("17"), m.PinEntered("2580"), DOOR]
READER: Events = [m.CardsLaid(("7d",)), m.CardsLaid(("7d", ""), True), m.CardsLifted(1)]
COMMON: Events = [m.Fault("x.jam", "roller"), m.FaultCleared("x.jam")]
FAMILIES: dict[str, tuple[Driver, Events]] = {
    "shoe": (ShoeDriver(), SHOE),
    "shuffler": (ShufflerDriver(), SHUFFLER),
    "bet-sensor": (BetSensorDriver(), SENSOR),
    "console": (ConsoleDriver(), CONSOLE),
    "lamps": (LampsDriver(lamp_channels(7)), [DOOR]),
    "display": (DisplayDriver(), []),
    "reader": (ReaderDriver(), READER),
}
EVERY_EVENT: Events = [*SHUFFLER, *SENSOR, *CONSOLE, *READER, *COMMON]


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_reads_its_own_events_and_no_others(family: str) -> None:
    driver, own = FAMILIES[family]
    assert driver.family == family
    for event in EVERY_EVENT:
        if any(event is sent for sent in [*own, *COMMON]):
            assert driver.read(event) is event
        else:
            unexpected = driver.read(event)
            assert isinstance(unexpected, m.Fault)
            assert unexpected.code == "device.unexpected"
            assert type(event).__name__ in unexpected.detail


def test_all_families_and_all_events_are_covered() -> None:
    assert tuple(FAMILIES) == m.FAMILIES
    assert {type(event) for event in EVERY_EVENT} == set(get_args(m.AnyEvent))


@pytest.mark.parametrize(
    ("event", "faces"),
    [
        (m.CardDrawn("Kh"), ("Kh",)),
        (m.CardDrawn(""), (None,)),
        (m.CardDrawn("1x"), (None,)),
        (m.CardDrawn("kh"), (None,)),
        (m.CardDrawn("Kh "), (None,)),
        (m.CardsTogether(("Kh", "ZZ")), ("Kh", None)),
        (m.SetDispensed(("T", "", "2c")), (None, None, "2c")),
    ],
)
def test_a_card_that_no_deck_has_is_one_that_nobody_could_read(
    event: m.CardDrawn | m.CardsTogether | m.SetDispensed, faces: tuple[str | None, ...]
) -> None:
    assert event.faces == faces
    assert ShufflerDriver().read(event) is event


def test_a_reader_that_names_no_card_is_at_fault() -> None:
    assert m.CardsLaid(("Kh", "1x")).faces == ("Kh", None)
    assert ReaderDriver().read(m.CardsLaid(())) == m.Fault("reader.cards", "no card at all")


@pytest.mark.parametrize("chips", [(), (0,), (500, -100), (m.MOST_CENTS, 1)])
def test_impossible_chips_cannot_be_pushed_forward(chips: tuple[int, ...]) -> None:
    wrong = BetSensorDriver().read(m.ChipsPushed(chips))
    assert wrong == m.Fault("sensor.chips", "impossible chips were pushed forward")


@pytest.mark.parametrize(
    ("spot", "why"),
    [
        (m.Spot("ante", ((-5, 1),)), "impossible chips on spot 'ante'"),
        (m.Spot("ante", ((5, -1),)), "impossible chips on spot 'ante'"),
        (m.Spot("ante", (), 0), "impossible chips on spot 'ante'"),
        (m.Spot("ante", ((m.MOST_CENTS, 2),)), "more chips than there can be on spot 'ante'"),
    ],
)
def test_impossible_chips_are_a_fault(spot: m.Spot, why: str) -> None:
    assert BetSensorDriver().read(m.BetChanged((m.Spot("play", ((100, 1),)), spot))) == m.Fault("sensor.chips", why)


def test_there_are_52_cards_and_none_shows_in_print() -> None:
    assert len(m.CARDS) == 52
    for event in (m.CardDrawn("Kh"), m.CardsTogether(("Kh",)), m.SetDispensed(("Kh",)), m.CardsLaid(("Kh",))):
        assert event.secret
        assert "Kh" not in repr(event) + str(event) + f"{event}"
        assert "Kh" not in str(event.__rich_repr__())
        assert event.without_cards().faces == (None,)  # type: ignore[attr-defined]
    told = m.KeyPressed("card", ("Kh", "3"))
    assert told.secret and "Kh" not in repr(told)
    assert told.without_cards() == m.KeyPressed("card", ("", "3"))


# ---- commands


class Device:
    """Answers commands at once."""

    def __init__(self, driver: Driver) -> None:
        self.sent: list[m.Command] = []
        self.readings: list[m.Event] = []
        self.broken: dict[int, str] = {}  # lamp channels, with the reason
        self.reply = m.Reply(True)
        self.wakes = 0
        driver.attach(Channel(self.request, self.readings.append, self.wake))

    async def request(self, command: m.Command) -> m.Reply:
        self.sent.append(command)
        if isinstance(command, m.SetLamps):
            for channel, _ in command.lamps:
                if channel in self.broken:
                    return m.Reply(False, self.broken[channel])
        return self.reply

    def wake(self) -> None:
        self.wakes += 1


async def test_lamps_go_out_first_and_then_only_differences_are_sent() -> None:
    driver = LampsDriver({"bets": 0, "decide:1": 8})
    device = Device(driver)
    await driver.sync()
    driver.show({"bets": ON, "decide:1": OFF})
    driver.show({"bets": ON})
    await driver.sync()
    driver.show({"decide:1": BLINKING})
    await driver.sync()
    await driver.sync()
    assert device.sent == [m.SetLamps(((0, 0), (8, 0))), m.SetLamps(((0, 1),)), m.SetLamps(((8, 2),))]
    driver.make_safe()
    await driver.sync()
    assert device.sent[-1] == m.SetLamps(((0, 0), (8, 0)))


async def test_a_broken_lamp_is_a_fault_and_the_others_burn() -> None:
    driver = LampsDriver({"bets": 0, "decide:1": 8, "decide:2": 24})
    device = Device(driver)
    device.broken = {8: "open-circuit 8", 24: "open-circuit 24"}
    await driver.sync()
    assert device.readings == [
        m.Fault("lamps.open-circuit", "lamp decide:1 (channel 8): open-circuit 8"),
        m.Fault("lamps.open-circuit", "lamp decide:2 (channel 24): open-circuit 24"),
    ]
    driver.show({"bets": ON, "decide:1": ON})
    await driver.sync()
    assert m.SetLamps(((0, 1),)) in device.sent
    assert len(device.readings) == 2  # known already
    device.broken.clear()
    driver.show({"decide:1": BLINKING})
    await driver.sync()
    assert len(device.readings) == 2  # the other one is still broken
    driver.show({"decide:2": ON})
    await driver.sync()
    assert device.readings[2:] == [m.FaultCleared("lamps.open-circuit")]


async def test_when_the_device_clears_the_fault_the_lamp_is_tried_again() -> None:
    driver = LampsDriver({"bets": 0})
    device = Device(driver)
    device.broken = {0: "open-circuit"}
    await driver.sync()
    device.broken.clear()
    driver.read(m.FaultCleared("lamps.open-circuit"))
    assert device.wakes == 1
    await driver.sync()
    assert device.sent == [m.SetLamps(((0, 0),))] * 2


async def test_a_strange_refusal_has_a_stable_code() -> None:
    driver = LampsDriver({"bets": 0})
    device = Device(driver)
    device.broken = {0: "What? No!"}
    await driver.sync()
    device.broken = {0: ""}
    driver.show({"bets": ON})
    await driver.sync()
    assert device.readings == [m.Fault("lamps.refused", "lamp bets (channel 0): What? No!")]


def test_lamp_channels_are_declared_and_never_move() -> None:
    channels = lamp_channels(9)
    assert (channels["bets"], channels["shuffle"], channels["jackpot"]) == (0, 1, 2)
    assert (channels["decide:1"], channels["marker:1"], channels["blind:1"], channels["cut:1"]) == (8, 9, 10, 11)
    assert lamp_channels(3).items() <= channels.items()
    assert len(set(channels.values())) == len(channels)


def test_an_unknown_lamp_is_a_mistake_of_the_caller() -> None:
    driver = LampsDriver(lamp_channels(1))
    with pytest.raises(ValueError, match="no lamp"):
        driver.show({"decide:2": ON})
    with pytest.raises(ValueError, match="cannot be"):
        driver.show({"bets": 7})


async def test_a_whole_table_of_lamps_fits_into_frames() -> None:
    from firmware_bridge.frame import encode

    driver = LampsDriver(lamp_channels(14))
    device = Device(driver)
    await driver.sync()
    assert all(encode(command) for command in device.sent)
    assert sum(len(c.lamps) for c in device.sent if isinstance(c, m.SetLamps)) == len(lamp_channels(14))


async def test_what_the_other_families_are_told() -> None:
    console = ConsoleDriver()
    keypad = Device(console)
    console.show_prompts(["Shuffle the cards"])
    console.light_keys({"settle", "fold"})
    await console.sync()
    assert keypad.sent == [m.ShowPrompts(("Shuffle the cards",)), m.KeyLamps(("fold", "settle"))]

    display = DisplayDriver()
    sign = Device(display)
    display.show_amount(1_500_000_000)
    display.show_text(["closed"])  # only the last counts
    await display.sync()
    assert sign.sent == [m.ShowText(("closed",))]
    sign.reply = m.Reply(True, "closed")
    assert await display.read_back() == "closed"
    sign.reply = m.Reply(False, "dark")
    assert await display.read_back() is None
    display.show_amount(5)
    await display.sync()
    assert sign.readings == [m.Fault("display.dark", "face: dark")]

    sensor = BetSensorDriver()
    area = Device(sensor)
    sensor.indicate("ante", True)
    sensor.indicate("ante", False, bettor=2)
    await sensor.sync()
    assert area.sent == [m.Indicate("ante", True), m.Indicate("ante", False, 2)]
    area.reply = m.Reply(True, spots=(m.Spot("ante", ((100, 3),)),))
    assert await sensor.snapshot() == m.BetChanged((m.Spot("ante", ((100, 3),)),))
    area.reply = m.Reply(True, spots=(m.Spot("ante", ((-100, 3),)),))
    assert await sensor.snapshot() == m.Fault("sensor.chips", "impossible chips on spot 'ante'")
    area.reply = m.Reply(False, "dark")
    assert await sensor.snapshot() == m.Fault("sensor.snapshot", "dark")
    sensor.indicate("pair", True)
    await sensor.sync()
    assert area.readings == [m.Fault("sensor.dark", "pair of bettor 1: dark")]

    shuffler = ShufflerDriver()
    machine = Device(shuffler)
    shuffler.lock(True)
    await shuffler.sync()
    await shuffler.shuffle()
    await shuffler.dispense(3)
    await shuffler.eject()
    assert (await shuffler.self_test()).ok
    assert machine.sent == [m.Lock(True), m.Shuffle(), m.Dispense(3), m.Eject(), m.SelfTest()]


async def test_a_text_too_long_for_a_frame_is_a_fault_not_a_crash() -> None:
    from firmware_bridge.frame import encode

    console = ConsoleDriver()
    readings: list[m.Event] = []

    async def request(command: m.Command) -> m.Reply:
        encode(command)
        return m.Reply(True)

    console.attach(Channel(request, readings.append, lambda: None))
    console.show_prompts(["x" * 5000])
    await console.sync()
    assert [reading.code for reading in readings if isinstance(reading, m.Fault)] == ["console.too-long"]


async def test_without_the_device_wishes_wait_and_deeds_fail() -> None:
    shuffler = ShufflerDriver()
    shuffler.lock(True)
    with pytest.raises(LinkError) as failure:
        await shuffler.shuffle()
    assert failure.value.code == "link.lost"
    device = Device(shuffler)
    await shuffler.sync()
    assert device.sent == [m.Lock(True)]


async def test_an_older_value_never_overtakes_a_newer_one() -> None:
    driver = LampsDriver({"bets": 0})
    shown: list[int] = []

    async def slow(command: m.Command) -> m.Reply:
        assert isinstance(command, m.SetLamps)
        await asyncio.sleep(0)
        shown.append(command.lamps[0][1])
        if len(shown) == 1:
            driver.show({"bets": ON})
            driver.show({"bets": BLINKING})
        return m.Reply(True)

    driver.attach(Channel(slow, lambda reading: None, lambda: None))
    await driver.sync()
    assert shown == [OFF, BLINKING]


async def test_a_lamp_that_is_wanted_back_while_its_command_is_under_way_goes_back() -> None:
    driver = LampsDriver({"bets": 0})
    shown: list[int] = []

    async def slow(command: m.Command) -> m.Reply:
        assert isinstance(command, m.SetLamps)
        shown.append(command.lamps[0][1])
        if shown[-1] == ON:
            driver.show({"bets": OFF})
            assert not driver.settled
        return m.Reply(True)

    driver.attach(Channel(slow, lambda reading: None, lambda: None))
    await driver.sync()
    driver.show({"bets": ON})
    await driver.sync()
    assert shown == [OFF, ON, OFF]
    assert driver.settled
