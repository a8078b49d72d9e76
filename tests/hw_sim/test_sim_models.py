"""Device models alone: deeds, faults and commands in, events and replies out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import messages as m
from hw_sim.errors import SimError
from hw_sim.models.base import Model
from hw_sim.models.bet_sensor import DENOMINATIONS, BetSensor, chips
from hw_sim.models.console import Console
from hw_sim.models.display import Display
from hw_sim.models.lamps import Lamps
from hw_sim.models.reader import Reader
from hw_sim.models.shoe import Shoe
from hw_sim.models.shuffler import Shuffler

ALL = (Shoe, Shuffler, BetSensor, Console, Lamps, Display, Reader)
ARGUMENTS: dict[str, Any] = {"misread": "2c", "unknown-chip": "ante", "stuck-key": "settle", "open-circuit": 3}
UNNOTICED = {"misread", "stuck"}


@pytest.mark.parametrize(
    ("token", "event"),
    [
        ("Kh", m.CardDrawn("Kh")),
        ("??", m.CardDrawn("")),
        ("^5c", m.CardDrawn("5c", face_up=True)),
        ("cut", m.CuttingCardSeen()),
        ("7d+7c", m.CardsTogether(("7d", "7c"))),
        ("7d+??", m.CardsTogether(("7d", ""))),
    ],
)
@pytest.mark.parametrize("kind", [Shoe, Shuffler])
def test_what_a_token_of_a_script_means(kind: type[Model], token: str, event: m.Event) -> None:
    assert kind().do("draw", token) == [event]


@pytest.mark.parametrize("token", ["", "1h", "kh", "10h", "^", "^^5c", "7d+", "+", "^5c+6c", "KH", 5, None, ["Kh"]])
def test_no_such_card(token: Any) -> None:
    with pytest.raises(SimError):
        Shoe().do("draw", token)


@pytest.mark.parametrize("kind", ALL)
def test_unknown_names_are_answered_with_what_exists(kind: type[Model]) -> None:
    model = kind()
    with pytest.raises(SimError, match=f"no deed of a {model.family} 'dance'; there are: ") as error:
        model.do("dance")
    assert all(deed in str(error.value) for deed in model.DEEDS)
    with pytest.raises(SimError, match="there are: ") as error:
        model.fault("flu")
    assert all(fault in str(error.value) for fault in model.FAULTS)


@pytest.mark.parametrize("kind", ALL)
def test_wrong_arguments_are_refused(kind: type[Model]) -> None:
    for deed in kind.DEEDS:
        with pytest.raises(SimError):
            kind().do(deed, 1, 2, 3, None)
    for fault in kind.FAULTS:
        with pytest.raises(SimError):
            kind().fault(fault, [], [])


@pytest.mark.parametrize(("kind", "fault"), [(kind, fault) for kind in ALL for fault in kind.FAULTS])
def test_a_fault_is_reported_once_fails_the_self_test_and_is_cleared(kind: type[Model], fault: str) -> None:
    model = kind()
    args = [ARGUMENTS[fault]] if fault in ARGUMENTS else []
    code = f"{model.prefix}.{fault}"
    first = [event.code for event in model.fault(fault, *args) if isinstance(event, m.Fault)]
    assert first == ([] if fault in UNNOTICED else [code])
    assert model.fault(fault, *args) == []
    reply, events = model.execute(m.SelfTest())
    assert (reply.ok, reply.detail, events) == ((True, "", []) if fault in UNNOTICED else (False, code, []))
    cleared = [event.code for event in model.clear() if isinstance(event, m.FaultCleared)]
    assert cleared == first
    assert model.clear() == []
    assert model.execute(m.SelfTest()) == (m.Reply(True), [])


@pytest.mark.parametrize("kind", ALL)
def test_a_command_of_another_family_is_refused(kind: type[Model]) -> None:
    foreign = m.ShowAmount(1) if kind is not Display else m.Shuffle()
    assert kind().execute(foreign) == (m.Reply(False, "unknown-command"), [])


def test_low_empty_and_door_have_their_own_words() -> None:
    shoe = Shoe()
    assert shoe.fault("low") == [m.CardsLow(), m.Fault("shoe.low")]
    assert shoe.fault("empty") == [m.ShoeEmpty(), m.Fault("shoe.empty")]
    assert shoe.fault("door") == [m.DoorChanged(True), m.Fault("shoe.door")]
    assert shoe.clear() == [
        m.DoorChanged(False),
        m.FaultCleared("shoe.low"),
        m.FaultCleared("shoe.empty"),
        m.FaultCleared("shoe.door"),
    ]


def test_a_misread_changes_the_next_card_that_is_read_and_only_that() -> None:
    shoe = Shoe()
    shoe.fault("misread", "2c")
    assert [event for token in ("??", "cut", "Kh", "Kd") for event in shoe.do("draw", token)] == [
        m.CardDrawn(""),
        m.CuttingCardSeen(),
        m.CardDrawn("2c"),
        m.CardDrawn("Kd"),
    ]
    shoe.fault("misread", "2c")
    shoe.clear()
    assert shoe.do("draw", "Kh") == [m.CardDrawn("Kh")]


def test_a_card_that_leaves_a_locked_and_jammed_shoe_is_still_a_fact() -> None:
    shoe = Shoe()
    shoe.execute(m.Lock(True))
    shoe.fault("jam")
    assert shoe.do("draw", "Kh") == [m.CardDrawn("Kh")]
    assert shoe.view() == {"locked": True}


def test_a_shuffle_counts_and_gives_its_verdict() -> None:
    machine = Shuffler(cards=312)
    assert machine.execute(m.Shuffle()) == (m.Reply(True), [m.ShuffleStarted(), m.ShuffleComplete(312, True)])
    machine.fault("count-wrong", "310")
    assert machine.do("shuffle") == [m.ShuffleStarted(), m.ShuffleComplete(310, False)]
    machine.fault("count-wrong")
    assert machine.do("shuffle") == [m.ShuffleStarted(), m.ShuffleComplete(311, False)]
    with pytest.raises(SimError):
        machine.fault("count-wrong", "many")


def test_mixed_backs_fail_the_verdict_though_the_count_is_right() -> None:
    machine = Shuffler()
    machine.fault("mixed-backs")
    assert machine.do("shuffle")[-1] == m.ShuffleComplete(52, False)


@pytest.mark.parametrize("fault", Shuffler.FAULTS)
def test_after_clear_the_shuffler_runs_a_complete_cycle(fault: str) -> None:
    machine = Shuffler()
    machine.fault(fault)
    assert machine.clear()[-3:] == [
        m.FaultCleared(f"shuffler.{fault}"),
        m.ShuffleStarted(),
        m.ShuffleComplete(52, True),
    ]


@pytest.mark.parametrize("fault", ["jam", "stopped", "empty", "door"])
def test_a_machine_that_cannot_run_refuses_with_the_fault(fault: str) -> None:
    machine = Shuffler()
    machine.fault(fault)
    for command in (m.Shuffle(), m.Dispense(3), m.Eject()):
        assert machine.execute(command) == (m.Reply(False, f"shuffler.{fault}"), [])
    assert machine.do("shuffle") == []


def test_sets_and_decks() -> None:
    machine = Shuffler()
    assert machine.execute(m.Dispense(3)) == (m.Reply(True), [])
    assert machine.view()["requested"] == 3
    assert machine.do("dispense", "Kh", "??", "2c") == [m.SetDispensed(("Kh", "", "2c"))]
    assert machine.view()["requested"] == 0
    assert machine.do("insert", "red") == [m.DeckInserted("red")]
    assert machine.execute(m.Eject()) == (m.Reply(True), [])
    with pytest.raises(SimError):
        machine.do("dispense")


@given(st.integers(0, 10**8))
def test_chips_add_up(cents: int) -> None:
    stack = chips(cents)
    assert sum(value * number for value, number in stack) == cents
    assert all(value in DENOMINATIONS and number > 0 for value, number in stack)


def test_several_spots_are_one_reading() -> None:
    sensor = BetSensor()
    events = sensor.do("bet", {("ante", 1): 1000, ("pair-plus", 2): 500})
    assert events == [m.BetChanged((m.Spot("ante", ((500, 2),)), m.Spot("pair-plus", ((500, 1),), 2)))]
    assert sensor.do("bet", {"ante": 0}) == [m.BetChanged((m.Spot("ante", ()),))]
    reply, _ = sensor.execute(m.Snapshot())
    assert reply.spots == (m.Spot("pair-plus", ((500, 1),), 2),)


def test_tokens_are_marked_all_or_some() -> None:
    sensor = BetSensor()
    [event] = sensor.do("bet", {"ante": 500, "play": 500, "tie": 0}, True)
    assert isinstance(event, m.BetChanged) and [spot.token for spot in event.spots] == [True, True, False]
    [event] = sensor.do("bet", {"ante": 500, "play": 500}, ["play"])
    assert isinstance(event, m.BetChanged) and [spot.token for spot in event.spots] == [False, True]


def test_lifting_clears_the_layout_but_for_what_is_kept() -> None:
    sensor = BetSensor()
    sensor.do("bet", {"ante": 500, "jackpot": 500, "ante.2": 100})
    assert sensor.do("lift", "jackpot") == [m.BetChanged((m.Spot("ante", ()), m.Spot("ante", (), 2)))]
    assert sensor.view()["lying"] == {"jackpot": 500}
    sensor.do("lift")
    assert sensor.do("lift") == []


def test_a_dark_sensor_says_nothing_and_afterwards_what_changed() -> None:
    sensor = BetSensor()
    sensor.do("bet", {"ante": 500, "play": 500})
    sensor.fault("dark")
    assert sensor.do("bet", {"ante": 1000, "tie": 100}) == []
    assert sensor.execute(m.Snapshot()) == (m.Reply(False, "sensor.dark"), [])
    assert sensor.clear() == [
        m.FaultCleared("sensor.dark"),
        m.BetChanged((m.Spot("ante", ((500, 2),)), m.Spot("tie", ((100, 1),)))),
    ]


def test_a_stuck_sensor_keeps_its_old_reading() -> None:
    sensor = BetSensor()
    sensor.do("bet", {"ante": 500})
    sensor.fault("stuck")
    assert sensor.do("bet", {"ante": 0, "play": 500}) == [
        m.BetChanged((m.Spot("ante", ((500, 1),)), m.Spot("play", ()))),
    ]
    assert sensor.clear() == [m.BetChanged((m.Spot("ante", ()), m.Spot("play", ((500, 1),))))]


def test_an_unknown_chip_names_spot_and_bettor() -> None:
    assert BetSensor().fault("unknown-chip", "tie.3") == [
        m.UnknownChip("tie", 3),
        m.Fault("sensor.unknown-chip", "tie.3"),
    ]


@pytest.mark.parametrize("spots", [{"ante": -1}, {"ante": 1.5}, {"ante": True}, {"ante": "5"}, {"": 1}, {"a.b": 1}, 7])
def test_no_such_bet(spots: Any) -> None:
    sensor = BetSensor()
    with pytest.raises(SimError):
        sensor.do("bet", spots)
    assert sensor.lying == {}


def test_indications_show_until_power_is_cut() -> None:
    sensor = BetSensor()
    sensor.execute(m.Indicate("ante", False, 2))
    assert sensor.view()["indicated"] == {"ante.2": False}
    sensor.restart()
    assert sensor.view()["indicated"] == {}


def test_the_console_tells_keys_and_badges_and_shows_what_it_is_told() -> None:
    console = Console()
    assert console.do("press", "count", "52") == [m.KeyPressed("count", ("52",))]
    assert console.do("badge", "0417") == [m.BadgeRead("0417")]
    assert console.do("pin", "2580") == [m.PinEntered("2580")]
    console.execute(m.ShowPrompts(("count the deck", "call a supervisor")))
    console.execute(m.KeyLamps(("count",)))
    assert console.view() == {"prompts": ["count the deck", "call a supervisor"], "lit": ["count"]}
    console.restart()
    assert console.view() == {"prompts": [], "lit": []}


def test_a_stuck_key_repeats_until_it_is_freed() -> None:
    console = Console()
    assert console.tick() == []
    assert console.fault("stuck-key", "settle") == [m.Fault("console.stuck-key", "settle"), m.KeyPressed("settle")]
    assert console.tick_every is not None
    assert console.tick() == console.tick() == [m.KeyPressed("settle")]
    console.clear()
    assert console.tick_every is None
    assert console.tick() == []


def test_lamps_go_on_and_off_and_forget_when_power_is_cut() -> None:
    lamps = Lamps()
    lamps.execute(m.SetLamps(((1, 1), (2, 2), (3, 1))))
    lamps.execute(m.SetLamps(((3, 0),)))
    assert lamps.view() == {"lamps": {"1": 1, "2": 2}}
    assert lamps.execute(m.SetLamps(((1, 0), (2, 7)))) == (m.Reply(False, "no state 7"), [])
    assert lamps.view() == {"lamps": {"1": 1, "2": 2}}
    lamps.restart()
    assert lamps.view() == {"lamps": {}}


def test_what_touches_an_open_circuit_is_refused_whole() -> None:
    lamps = Lamps()
    assert lamps.fault("open-circuit", "3") == [m.Fault("lamps.open-circuit", "3")]
    assert lamps.execute(m.SetLamps(((1, 1), (3, 1)))) == (m.Reply(False, "open-circuit 3"), [])
    assert lamps.view() == {"lamps": {}}
    assert lamps.execute(m.SetLamps(((1, 1),))) == (m.Reply(True), [])
    lamps.clear()
    assert lamps.execute(m.SetLamps(((3, 1),))) == (m.Reply(True), [])
    with pytest.raises(SimError):
        lamps.fault("open-circuit", "three")


def test_a_display_can_be_read_back() -> None:
    display = Display()
    display.execute(m.ShowAmount(1_499_957_220))
    assert display.execute(m.ReadBack()) == (m.Reply(True, "149995.7220"), [])
    display.execute(m.ShowText(("min 5", "max 500")))
    assert display.execute(m.ReadBack()) == (m.Reply(True, "min 5\nmax 500"), [])
    display.restart()
    assert display.execute(m.ReadBack()) == (m.Reply(True, ""), [])


def test_only_reading_back_finds_a_stuck_display() -> None:
    display = Display()
    display.execute(m.ShowAmount(10_000))
    assert display.fault("stuck") == []
    assert display.execute(m.ShowAmount(20_000)) == (m.Reply(True), [])
    assert display.shown == "1.0000"
    display.restart()
    assert display.shown == "1.0000"
    display.execute(m.ShowAmount(30_000))
    display.clear()
    assert display.shown == "3.0000"


def test_a_dark_display_shows_nothing() -> None:
    display = Display()
    display.execute(m.ShowAmount(10_000))
    display.fault("dark")
    assert display.execute(m.ReadBack()) == (m.Reply(True, ""), [])
    display.clear()
    assert display.view() == {"shown": "1.0000"}


# ---- the card reader and chips pushed forward


@pytest.mark.parametrize(
    ("token", "event"),
    [
        ("Kh", m.CardsLaid(("Kh",))),
        ("??", m.CardsLaid(("",))),
        ("^5c", m.CardsLaid(("5c",), face_up=True)),
        ("7d+7c", m.CardsLaid(("7d", "7c"))),
        ("7d+??", m.CardsLaid(("7d", ""))),
    ],
)
def test_what_a_token_means_on_a_reader(token: str, event: m.Event) -> None:
    assert Reader().do("lay", token) == [event]


@pytest.mark.parametrize("token", ["", "1h", "cut", "^", "7d+", "7d+^7c", 5, None])
def test_no_such_card_on_a_reader(token: Any) -> None:
    with pytest.raises(SimError):
        Reader().do("lay", token)


def test_a_dark_reader_says_so_and_notices_cards_that_it_cannot_read() -> None:
    reader = Reader()
    assert reader.fault("dark") == [m.Fault("reader.dark")]
    assert reader.do("lay", "Kh") == [m.CardsLaid(("",))]
    assert reader.execute(m.SelfTest()) == (m.Reply(False, "reader.dark"), [])
    assert reader.clear() == [m.FaultCleared("reader.dark")]
    assert reader.do("lay", "Kh") == [m.CardsLaid(("Kh",))]


def test_a_reader_misreads_one_card() -> None:
    reader = Reader()
    assert reader.fault("misread", "2c") == []
    assert reader.do("lay", "Kh+Ks") == [m.CardsLaid(("2c", "Ks"))]


def test_cards_are_lifted_from_a_reader() -> None:
    reader = Reader()
    reader.do("lay", "Kh+Ks")
    reader.do("lay", "2c")
    assert reader.view() == {"lying": 3}
    assert reader.do("lift", 1) == [m.CardsLifted(2)]
    assert reader.do("lift") == [m.CardsLifted(0)]
    assert reader.do("lift") == []
    with pytest.raises(SimError):
        reader.do("lift", "all")


def test_chips_pushed_forward_by_denomination() -> None:
    sensor = BetSensor()
    assert sensor.do("push", 1000, 500) == [m.ChipsPushed((1000, 500))]
    sensor.fault("dark")
    assert sensor.do("push", 500) == []


@pytest.mark.parametrize("chips", [(), (0,), (-5,), ("5",), (True,)])
def test_what_is_no_chip_cannot_be_pushed(chips: tuple[Any, ...]) -> None:
    with pytest.raises(SimError):
        BetSensor().do("push", *chips)
