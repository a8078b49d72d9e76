"""Rule documents: what is said once, and that no code decides by a rule number."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.games import GAMES
from controller.house.games.caribbean_stud import CaribbeanStud
from controller.poker.game import Crown
from controller.poker.keys import CROWN_KEYS
from controller.rules import RANKS
from controller.table import documents
from controller.table.documents import Power, Setting
from controller.table.keys import keys_of
from controller.table.mistakes import mistakes
from tools.citations import RULE

ROOMS = ("hands", "house", "jackpot", "poker", "table")
CONTROLLER = Path(documents.__file__).parent.parent
SOURCES = sorted(path for room in ROOMS for path in (CONTROLLER / room).rglob("*.py"))


def decided_by_number(source: str) -> list[int]:
    """The lines in which a rule number is compared, looked for, or asked how it begins."""
    out = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=left, comparators=others):
                parts: list[ast.expr] = [left, *others]
            case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=args):
                parts = args
            case ast.MatchValue(value=value):
                parts = [value]
            case _:
                continue
        constants = [each for part in parts for each in (part.elts if isinstance(part, ast.Tuple) else [part])]
        if any(isinstance(c, ast.Constant) and isinstance(c.value, str) and RULE.match(c.value) for c in constants):
            out.append(node.lineno if hasattr(node, "lineno") else 0)
    return out


def test_no_code_decides_by_a_rule_number() -> None:
    found = [f"{path.name}:{line}" for path in SOURCES for line in decided_by_number(path.read_text(encoding="utf-8"))]
    assert not found, f"keep the reason beside the citation, and ask that: {', '.join(found)}"


@pytest.mark.parametrize(
    "line",
    [
        'if rule == "9.4": pass',
        'if "13.1.1" not in flags.values(): pass',
        'if rule in ("9.8", other): pass',
        'if rule.startswith("9.1.1"): pass',
    ],
)
def test_a_decision_by_a_number_would_be_found(line: str) -> None:
    assert decided_by_number(line)


@pytest.mark.parametrize("game", GAMES)
def test_every_power_has_a_role_and_a_rule(game: str) -> None:
    powers = GAMES[game].document.powers
    named = {field: getattr(powers, field) for field in powers.__struct_fields__}
    given = [power for field, power in named.items() if isinstance(power, Power) and field != "shuffled_early"]
    assert all(power.role in RANKS and power.rule for power in (*given, *powers.settings.values()))
    assert all(isinstance(setting, Setting) for setting in powers.settings.values())


OF_A_CASE = {"shuffled_early", "void_machine", "invalidate_fraud", "invalidate_disturbance"}  # read where the case is
BY_OTHER_KEYS = {"dispute": "dispute-decided", "promotions": "promotion"}  # than the one of its name
BESIDE_THE_KEYS = {"order_count", "unfit"}  # by deeds with decks


@pytest.mark.parametrize("game", GAMES)
def test_every_power_is_taken_by_the_key_of_its_name(game: str) -> None:
    """A key that took none would be everybody's."""
    rules = GAMES[game]
    powers, keys = rules.document.powers, {key.name: key for key in keys_of(rules)}
    for field in set(powers.__struct_fields__) - OF_A_CASE - BESIDE_THE_KEYS - {"settings"}:
        if getattr(powers, field) is not None:
            name = BY_OTHER_KEYS.get(field, field.replace("_", "-"))
            assert keys[name].given(powers) is getattr(powers, field)
    others = [getattr(powers, field) for field in (*BY_OTHER_KEYS, "exclude")]  # the last by void-wagers, too
    takers = [key for key in keys.values() if key.given(powers) not in (None, *others)]
    assert all(key.name.replace("-", "_") in powers.__struct_fields__ for key in takers)


def test_a_power_that_no_key_takes_is_a_mistake() -> None:
    class Lenient(Crown):
        keys = tuple(key for key in CROWN_KEYS if key.name != "dead")

    assert "document: powers: dead: no key of the game takes it" in mistakes(Lenient("holdem"))


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_has_the_rule_that_people_are_told(game: str) -> None:
    """What a document does in its own way is cited when it is done."""
    document = GAMES[game].document
    cites, policy = document.citations, document.policy
    needed = {
        "one_colour": "backs",
        "bets_after_burn": "call_bets",
        "one_hand": "one_hand",
        "unseen_extras": "extra_seat",
        "idle_rounds": "idle",
        "house_method": "house_method",
        "early_cards": "early",
        "discards_face_up": "face_up",
        "joint_count": "joint_count",
        "tops_up": "found_under",
    }
    switched = {name: getattr(policy, name, False) for name in needed}
    assert {n: bool(getattr(cites, needed[n], "")) for n in needed} == {n: bool(on) for n, on in switched.items()}
    assert policy.cutting_card_with_machine == (not cites.no_cutting_card)


@pytest.mark.parametrize("game", GAMES)
def test_a_jackpot_has_somebody_who_decides_on_it(game: str) -> None:
    document = GAMES[game].document
    deciding = (document.powers.confirm_jackpot, document.powers.cancel_jackpot, document.powers.close_jackpot)
    assert {power is not None for power in deciding} == {document.jackpot is not None}


def test_a_jackpot_of_which_only_the_options_speak_is_a_mistake() -> None:
    class Promised(CaribbeanStud):
        document = replace(CaribbeanStud.document, jackpot=None)

    assert mistakes(CaribbeanStud()) == []
    assert mistakes(Promised()) == ["document: jackpot: it must speak of a Jackpot when the options do, and only then"]


def test_the_examples_hold() -> None:
    assert doctest.testmod(documents).failed == 0
