"""Every code is declared once, with its cause and its step; docs/errors.md and `felt explain` say what is declared."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

import pytest
from click.testing import CliRunner

from controller.cli.explain import ROOMS, command, every_code, find
from controller.errors import Code, Coded, declare, meaning
from drivers.families import FAMILIES
from firmware_bridge import messages as m
from firmware_bridge.access import DENIED, FORBIDDEN
from hw_sim.models.register import MODELS
from tools.errors_page import OURS, PAGE, ROOT, page

FORM = re.compile(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z0-9]+)*")
DECLARED = tuple(code for code in every_code() if code.room.partition(".")[0] in OURS)
NOT_CODES = re.compile(
    r"(feltd|controller|drivers|firmware_bridge|hw_sim)\..*"  # names of modules, entry points, units
    r"|.*\.(db|sock|toml|html|py|jsonl?|dsn)|(cards|journal|witness)\.key"  # names of files
    r"|api\.read-socket|jackpot\.ceiling"  # keys of table.toml
    r"|reader\.board"  # the name of a device
)


@cache  # and not while tests are collected: every worker does that
def literals() -> list[tuple[str, str]]:
    """Returns the texts in our packages, and where each is; of a text with {...} the pattern."""
    found = []
    for package in OURS:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.stem == "codes" or path.parent.name == "codes":
                continue
            name = path.relative_to(ROOT)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.append((node.value, f"{name}:{node.lineno}"))
                elif isinstance(node, ast.JoinedStr):
                    parts = [part.value if isinstance(part, ast.Constant) else "*" for part in node.values]
                    found.append(("".join(map(str, parts)), f"{name}:{node.lineno}"))
    return found


def said() -> list[tuple[str, str]]:
    """Returns what looks like a code, and where it is."""
    return [(text, at) for text, at in literals() if FORM.fullmatch(text) and not NOT_CODES.fullmatch(text)]


def test_whatever_looks_like_a_code_is_declared() -> None:
    unknown = [f"{at}: {text}" for text, at in said() if (known := meaning(text)) is None or known.any_of_topic]
    assert not unknown, "declare it in the `codes` of its room, with its cause and its next step"


def test_whatever_is_declared_is_said_somewhere() -> None:
    made = {text for text, _ in literals() if re.fullmatch(r"[a-z]+\.[a-z-]*\*", text)}
    patterns = {text for text, _ in said()} | made | from_devices()
    unsaid = [
        code.code
        for code in DECLARED
        if not code.any_of_topic
        and not code.code.startswith("*.")
        and not any(fnmatchcase(code.code, by) for by in patterns)
    ]
    assert unsaid == ["lost"]  # one word, without a point: not to be told from other words


def from_devices() -> set[str]:
    """Returns the codes that are made of a family's name and a fault's."""
    faults = {f"{model.prefix}.{fault}" for model in MODELS.ours() for fault in model.FAULTS}
    doors = {"lamps.door", "console.door"}  # switches that a vendor's module has beside its lamps or keys
    return faults | doors | {"lamps.not-set", "shuffler.low", "shuffler.misread"}


@pytest.mark.parametrize("code", sorted(from_devices()))
def test_what_a_device_reports_is_explained(code: str) -> None:
    known = meaning(code)
    assert known is not None and not known.any_of_topic


def test_a_door_of_every_family_that_has_one_is_explained() -> None:
    doors = [driver.about.name for driver in FAMILIES.ours() if m.DoorChanged in driver.events]
    assert doors
    assert all(meaning(f"{family}.door") for family in doors)


@pytest.mark.parametrize("wire", ["serial", "usb", "gpio"])
@pytest.mark.parametrize("kind", [DENIED, FORBIDDEN])
def test_each_refusal_of_a_node_has_its_own_step(wire: str, kind: str) -> None:
    known = meaning(f"{wire}.{kind}")
    assert known is not None and not known.any_of_topic


@pytest.mark.parametrize("code", DECLARED, ids=lambda code: code.code)
def test_a_code_has_a_cause_and_a_step(code: Code) -> None:
    assert re.fullmatch(r"lost|([a-z]+(-[a-z]+)*|\*)\.([a-z0-9-]+\*?|\*)", code.code)
    for text in (code.cause, code.step):
        assert re.fullmatch(r"[A-Z].*[.?]", text), f"a sentence: {text!r}"
    assert "{" not in code.step_on("can1")


NOT_AT_TABLES = ("controller.api", "controller.cli")  # what is wrong with requests and commands
OF_DEVICES = [code for code in DECLARED if code.room in ("firmware_bridge", "drivers") and code.topic != "conform"]
OF_METERS = [code for code in DECLARED if code.topic in ("jackpot", "meter") and code.room not in NOT_AT_TABLES]


@pytest.mark.parametrize("code", [*OF_DEVICES, *OF_METERS], ids=lambda code: code.code)
def test_people_at_the_table_are_told_no_command(code: Code) -> None:
    assert re.fullmatch(r"[A-Z].*\.", code.step_at_table)
    assert "`felt " not in code.step_at_table


def test_every_room_that_declares_codes_is_in_the_index() -> None:
    files = [path for package in OURS for path in (ROOT / package).rglob("codes*")]
    rooms = {".".join(path.relative_to(ROOT).parts[:-1]) for path in files if path.suffix in ("", ".py")}
    assert rooms == set(ROOMS)


def test_an_error_without_a_step_is_raised_where_its_code_is_declared() -> None:
    """Else the room that declares it may not be loaded, and nothing would be advised."""
    elsewhere = []
    for room, call, at in calls():
        known = meaning(ast.literal_eval(call.args[0]))
        below = known is not None and known.room in ("firmware_bridge", "drivers")  # loaded with whatever raises them
        if known is not None and known.room != room and not below:
            elsewhere.append(f"{at}: {known.code} is declared by {known.room}")
    assert not elsewhere


def calls() -> Iterator[tuple[str, ast.Call, str]]:
    """Yields the errors that are made with a code and a cause only: the room, the call, the place."""
    for path in sorted((ROOT / "controller").rglob("*.py")):
        room = ".".join(path.relative_to(ROOT).parts[:2])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or len(node.args) != 2 or not isinstance(node.func, ast.Name):
                continue
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and FORM.fullmatch(first.value):
                yield room, node, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_a_code_is_declared_once() -> None:
    with pytest.raises(ValueError, match=r"serial\.denied is declared by firmware_bridge and by acme"):
        declare("acme.codes", "another wire", {"serial.denied": ("It is shut.", "Open it.")})


def test_an_error_has_the_step_of_its_code_unless_it_has_its_own() -> None:
    assert Coded("device.in-play", "a round is being dealt").next_step == "Wait until it is over."
    assert Coded("device.in-play", "a round is being dealt", "Wait for area 3.").next_step == "Wait for area 3."


def test_docs_errors_md_is_what_is_declared() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(), "run `make errors`"


def test_explain_says_cause_step_and_place() -> None:
    told = CliRunner().invoke(command, ["can.down:"])  # as it was printed, with its colon
    assert told.exit_code == 0
    cause, step, place = told.output.splitlines()
    assert cause == "can.down: The CAN interface is down."
    assert step.startswith("  -> Bring it up: `ip link set can0 up")
    assert place == "  from a CAN bus (firmware_bridge)"


def test_explain_by_the_beginning_of_codes() -> None:
    told = json.loads(CliRunner().invoke(command, ["usb", "--json"]).output)["codes"]
    assert {"usb.missing", "usb.*"} <= {each["code"] for each in told}
    assert all(each["code"].startswith("usb.") for each in told)
    assert all(set(each) == {"code", "cause", "next_step", "where", "room"} for each in told)


def test_explain_knows_the_codes_that_carry_a_number() -> None:
    (code,) = find("lamps.emergency-8130")
    assert code.code == "lamps.emergency-*"


def test_explain_without_a_code_lists_all() -> None:
    assert CliRunner().invoke(command, []).output.split() == [code.code for code in every_code()]


def test_explain_hints_at_the_code_that_was_meant() -> None:
    told = CliRunner().invoke(command, ["serial.denid", "--json"])
    assert told.exit_code == 1
    error = json.loads(told.output)["error"]
    assert (error["code"], error["cause"]) == (
        "explain.unknown",
        'there is no code "serial.denid"; did you mean "serial.denied"?',
    )
    assert error["next_step"]


def test_what_a_package_declares_is_explained_too() -> None:
    declare("acme_shoe.driver", "the ACME shoe", {"acme.tilted": ("The shoe is tilted.", "Put it upright.")})
    (code,) = find("acme.tilted")
    assert (code.step, code.room) == ("Put it upright.", "acme_shoe.driver")
    assert "acme.tilted" not in page()
