"""A run fails when a device that can be reached shows anything else than its table wants shown there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.script import parse
from controller.script.compare import DIFFERS
from controller.script.play import Played, Player
from drivers.bet_sensor import BetSensorDriver
from drivers.console import ConsoleDriver
from drivers.display import DisplayDriver
from drivers.lamps import LampsDriver
from firmware_bridge.messages import Command
from hw_sim.loop import run
from hw_sim.models.base import DONE, Answer
from hw_sim.models.display import Display
from hw_sim.models.lamps import Lamps

ROUND = """table caribbean-stud jackpot=nsw
bet 1 ante=10
role area-manager
key notice min=25
bet 1 ante=10 jackpot=5
key no-more-bets
draw As Kd Ah 2c Qs 3d Js 4h Ts 9c
bet 1 bet=20
key settle
"""


def played(text: str) -> Played:
    return run(Player("a script", parse(text).runs[0]).play())


def failures(text: str = ROUND) -> list[tuple[int, str]]:
    return [(failure.line, failure.instead) for failure in played(text).failed]


def test_a_table_whose_devices_follow_has_no_differences() -> None:
    assert failures() == []


# ---- a service, a driver or a device that is broken


def test_a_driver_that_forgets_one_lamp_fails_the_run_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = LampsDriver.show
    monkeypatch.setattr(
        LampsDriver, "show", lambda self, lamps: whole(self, {k: v for k, v in lamps.items() if k != "decide:1"})
    )
    assert failures() == [(7, f"{DIFFERS}: lamps: decide:1 should be on and is off")]


def test_lamps_that_lose_a_command_fail_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device says that it did what it was told, and did not."""
    execute = Lamps.execute

    def deaf(self: Lamps, command: Command) -> Answer:
        return (DONE, []) if self.states else execute(self, command)

    monkeypatch.setattr(Lamps, "execute", deaf)
    assert (6, f"{DIFFERS}: lamps: bets should be off and is on") in failures()


def test_a_sign_that_ignores_an_update_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    show = Display._show
    monkeypatch.setattr(
        Display, "_show", lambda self, text: (DONE, []) if ": Minimum $25" in text else show(self, text)
    )
    ((line, found),) = failures()
    assert line == 4
    assert found.startswith(f"{DIFFERS}: sign: it should show")
    assert ": Minimum $25" in found


def test_a_meter_display_that_stops_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    show = DisplayDriver.show_amount
    monkeypatch.setattr(DisplayDriver, "show_amount", lambda self, amount: show(self, amount // 2))
    assert any(found.startswith(f"{DIFFERS}: display:") for _, found in failures())


def test_a_console_that_lacks_its_first_line_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    show = ConsoleDriver.show_prompts
    monkeypatch.setattr(ConsoleDriver, "show_prompts", lambda self, lines: show(self, lines[1:]))
    assert any(found.startswith(f"{DIFFERS}: console: it should show") for _, found in failures())


def test_a_sensor_that_says_accepted_of_refused_chips_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    show: Callable[..., None] = BetSensorDriver.indicate
    monkeypatch.setattr(
        BetSensorDriver, "indicate", lambda self, spot, accepted, bettor: show(self, spot, True, bettor)
    )
    found = failures("table caribbean-stud\nbet 1.2 ante=1\nexpect refused")
    assert found == [(2, f"{DIFFERS}: sensor.1: ante of bettor 2 should be shown as refused")]


def test_a_difference_is_told_once_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DisplayDriver, "show_text", lambda self, lines: None)
    run_ = played("table casino-war\nbet 1 war=10\nkey no-more-bets\ndraw Kh 2c\nkey settle\nexpect round settled")
    assert [(failure.line, failure.instead.split(":")[1]) for failure in run_.failed] == [(1, " display"), (1, " sign")]
    assert [record.round.outcome for record in run_.record.rounds] == ["settled"]


# ---- faults of the script

FAULTS = [
    ("lamps", "unplug"),
    ("lamps", "hang"),
    ("lamps", "power"),
    ("lamps", "drop 2"),
    ("lamps", "delay 10s"),
    ("lamps", "open-circuit 8"),
    ("sign", "dark"),
    ("sign", "stuck"),
    ("sign", "unplug"),
    ("display", "stuck"),
    ("display", "babble"),
    ("console", "stuck-key settle"),
    ("console", "corrupt 3"),
    ("sensor.1", "unplug"),
    ("sensor.1", "dark"),
]


@pytest.mark.parametrize(("device", "fault"), FAULTS)
def test_a_device_that_the_script_breaks_is_compared_again_when_it_is_back(device: str, fault: str) -> None:
    lines = ROUND.splitlines()
    begun = [lines[0], f"fault {device} {fault}", *lines[1:], f"fault {device} clear", *lines[1:]]
    assert failures("\n".join(begun)) == []


@pytest.mark.parametrize("fault", ["unplug", "hang", "open-circuit 8"])
def test_lamps_that_come_back_without_their_state_fail_the_run(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was wanted meanwhile must be sent when the device is back."""
    monkeypatch.setattr(LampsDriver, "attach", _forgetful(LampsDriver.attach))
    monkeypatch.setattr(LampsDriver, "_try_again", lambda self, code: None)
    table, bet, *_, close, deal, _, _ = ROUND.splitlines()
    lines = [table, bet, close, f"fault lamps {fault}", deal, *["fault lamps clear"] * 3]  # each gives a link some time
    assert f"{DIFFERS}: lamps: decide:1 should be on and is off" in [found for _, found in failures("\n".join(lines))]


def _forgetful(attach: Callable[..., None]) -> Callable[..., None]:
    """The first time the device is told everything, later nothing."""

    def attach_once(self: Any, channel: Any) -> None:
        again = bool(self._shown)
        attach(self, channel)
        if again:
            self._due.clear()

    return attach_once
