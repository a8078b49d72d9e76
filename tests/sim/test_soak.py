"""Days of a whole table in virtual time: whatever fails, what must hold holds; and defects of before are found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from controller.cli.soak import command
from controller.errors import FeltError
from controller.games import GAMES, defaults
from controller.service.fleet import Fleet
from controller.service.timekeeper import Timekeeper
from controller.sim.soak import together
from controller.sim.soak.day import live_through
from controller.sim.soak.faults import BY_FAMILY
from controller.sim.soak.setup import CHOICES, set_up
from controller.sim.soak.soak import SoakPlan, replay_words, soak
from controller.sim.soak.violation import Invariant
from drivers.supervisor import Supervisor
from tests.searches import times

WAR = ("casino-war",)
HEAD = """
from controller.sim.soak.soak import SoakPlan, soak
print(soak(SoakPlan(seed=6, days=14, rounds=2, every=0.5)).head)
"""


@pytest.mark.parametrize("game", GAMES)
def test_whatever_fails_what_must_hold_holds(game: str) -> None:
    soaked = soak(SoakPlan(seed=1, rounds=times(6), every=0.5, games=(game,)))
    assert soaked.failure is None, soaked.failure
    assert soaked.rounds >= times(6)
    assert soaked.faults.total() >= times(8)
    unchecked = set() if "jackpot" in defaults(game) else {Invariant.METER}
    assert set(soaked.checks) == set(Invariant) - unchecked


def test_one_seed_gives_one_head_whatever_the_order_of_sets() -> None:
    heads = {
        subprocess.run(
            [sys.executable, "-c", HEAD],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            check=True,
            capture_output=True,
            text=True,
            timeout=300,
        ).stdout
        for seed in ("1", "77")
    }
    assert len(heads) == 1
    assert len(heads.pop().strip()) == 64


def test_the_options_of_a_day_are_drawn_from_its_seed_as_far_as_the_rules_take_them() -> None:
    drawn: dict[str, set[str]] = {}
    for game in GAMES:
        for seed in range(60):
            options = set_up(game, Random(seed), 7, {})
            assert options == set_up(game, Random(seed), 7, {})
            for option, value in options.items():
                drawn.setdefault(option, set()).add(value)
    assert {option for option, values in CHOICES.items() if not {*values} & drawn.get(option, set())} == set()
    assert drawn["shoe"] == {"shuffler", "csm", "batch"}
    assert set_up("caribbean-stud", Random(3), 7, {"shoe": "hand", "jackpot": "none"})["jackpot"] == "none"
    with pytest.raises(FeltError, match=r"three-card-poker .* shoe=csm") as refused:
        set_up("three-card-poker", Random(3), 7, {"shoe": "csm"})
    assert refused.value.code == "sim.soak-options"


def test_machines_give_out_sets_and_have_their_faults() -> None:
    machine = (("shoe", "csm"),)
    soaked = soak(SoakPlan(seed=3, rounds=times(8), every=0.1, games=("caribbean-stud",), options=machine))
    assert soaked.failure is None, soaked.failure
    assert {f"device {kind}" for kind in BY_FAMILY["shuffler"]} & set(soaked.faults)
    by_hand = soak(SoakPlan(seed=3, rounds=2, every=0, games=("caribbean-stud",), options=(("shoe", "hand"),)))
    by_machine = soak(SoakPlan(seed=3, rounds=2, every=0, games=("caribbean-stud",), options=machine))
    assert by_machine.steps < by_hand.steps - 40  # a hand of five cards is one fact


def test_several_processes_come_to_the_same_and_tell_the_first_day_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = SoakPlan(seed=4, days=3, rounds=4, every=0.34, games=WAR)
    alone, played = soak(plan), list[int]()
    together = soak(plan, played.append, jobs=2)
    assert (together.head, together.checks, together.faults) == (alone.head, alone.checks, alone.faults)
    assert played == [4, 8, 12]
    monkeypatch.setattr(Timekeeper, "start", lambda self: None)
    failing = SoakPlan(seed=4, days=5, rounds=20, until=4, every=0.5, games=WAR)
    first, same = soak(failing).failure, soak(failing, jobs=2).failure
    assert first is not None and same == first


def test_a_process_that_ends_in_the_middle_of_a_day_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "live_through", lambda plan, within: os._exit(3))
    with pytest.raises(FeltError, match=r"day [12] of them") as lost:
        soak(SoakPlan(days=2, games=WAR), jobs=2)
    assert lost.value.code == "sim.day-lost"
    ended = CliRunner().invoke(command, ["--days", "2", "--jobs", "2"])
    assert ended.exit_code == 1 and "sim.day-lost" in ended.output


def acknowledge_newest(self: Fleet, device: Supervisor, epoch: int, counter: int) -> None:
    """Acknowledges as before the repair: the newest stored event, and all below it with it."""
    device.ack(counter, epoch)


def test_the_acknowledgement_of_before_is_found_and_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lost a card when the disk failed for a moment: the device was told of the next one, and forgot both."""
    plan = SoakPlan(seed=4, rounds=8, every=0.34, games=WAR)
    assert soak(plan).failure is None
    with monkeypatch.context() as before:
        before.setattr(Fleet, "_acknowledge", acknowledge_newest)
        before.setattr(Supervisor, "take_again", lambda self: None)
        failure = soak(plan, shrink=30).failure
        assert failure is not None and failure.smaller is not None
        assert failure.invariant is Invariant.STORED
        assert failure.smaller.plan.faults is not None and len(failure.smaller.plan.faults) <= 3
        assert any("disk" in fault for fault in failure.smaller.faults)
        again = live_through(failure.smaller.plan)
        assert again.violation is not None and again.violation.text == failure.smaller.text
    assert live_through(failure.smaller.plan).violation is None


def test_a_table_that_is_never_woken_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice that had stood its twenty minutes went on standing until something else happened."""
    plan = SoakPlan(seed=4, rounds=20, until=4, every=0.5, games=WAR)
    assert soak(plan).failure is None
    monkeypatch.setattr(Timekeeper, "start", lambda self: None)
    failure = soak(plan, shrink=20).failure
    assert failure is not None and failure.smaller is not None
    assert failure.invariant is Invariant.TIME
    assert failure.smaller.plan.faults is not None and len(failure.smaller.plan.faults) == 1


def test_the_command_says_what_came_of_it_and_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("--seed", "4", "--game", "casino-war", "--rounds", "8", "--every", "0.34", "--until", "2")
    good = CliRunner().invoke(command, [*words, "--json"])
    assert good.exit_code == 0, good.output
    assert json.loads(good.output)["head"] == soak(SoakPlan(seed=4, rounds=8, every=0.34, until=2, games=WAR)).head
    monkeypatch.setattr(Fleet, "_acknowledge", acknowledge_newest)
    monkeypatch.setattr(Supervisor, "take_again", lambda self: None)
    bad = CliRunner().invoke(command, [*words, "--shrink", "10"])
    assert bad.exit_code == 1
    assert "DOES NOT HOLD: stored" in bad.output
    assert f"again: felt sim soak {' '.join(('--seed 4 --day 0', *words[2:]))}\n" in bad.output
    assert CliRunner().invoke(command, ["--faults", "two"]).exit_code == 2
    assert CliRunner().invoke(command, ["--jobs", "no"]).exit_code == 2
    assert CliRunner().invoke(command, ["--game", "snap"]).exit_code == 2
    assert CliRunner().invoke(command, ["--every", "nan"]).exit_code == 2
    assert CliRunner().invoke(command, ["--set", "decks"]).exit_code == 2
    refused = CliRunner().invoke(command, ["--game", "casino-war", "--set", "decks=99"])
    assert refused.exit_code == 1 and "sim.soak-options" in refused.output


@pytest.mark.parametrize("number", ["999", "-1"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fault_that_the_day_does_not_have_is_not_passed_over(number: str, jobs: str) -> None:
    words = ("--game", "casino-war", "--rounds", "2", "--every", "1", "--jobs", jobs)
    said = CliRunner().invoke(command, [*words, "--faults", number])
    assert said.exit_code == 2 and f"no fault {number}: it has 0 to 1" in said.stderr


def test_the_words_to_see_a_day_again_say_what_the_table_was_set_to() -> None:
    words = replay_words(SoakPlan(games=WAR, options=(("decks", "8"),)).day(0))
    assert words[words.index("--set") + 1] == "decks=8"


def test_the_words_to_see_a_day_again_have_every_digit() -> None:
    assert float(replay_words(SoakPlan(every=1 / 7, games=WAR).day(0))[9]) == 1 / 7
