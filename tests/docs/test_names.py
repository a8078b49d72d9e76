"""What the documents name is there: files they link to, make targets, commands, modules; and so do the hooks."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from controller.cli.main import COMMANDS
from drivers.lamps import AREA_LAMPS, TABLE_LAMPS, lamp_channels
from firmware_bridge.messages import FAMILIES, SENT_BY, SENT_BY_ALL
from tests.docs.blocks import PAGES, ROOT, code, name_of, prose

HOOKS = ROOT / ".pre-commit-config.yaml"
# `felt NAME` in prose that is no command: what the command is, and words that stand for any
NO_COMMAND = {"COMMAND", "command"}

pages = pytest.mark.parametrize("page", PAGES, ids=name_of)


@pages
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose(page))
    assert [link for link in links if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """Returns what can stand behind `#` in a link to this page: its headings, as they are made into anchors."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return set(map(anchor, headings))


def anchor(heading: str) -> str:
    """Returns what stands behind `#` in a link to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pages
def test_every_anchor_is_a_heading(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", prose(page))
    named = [(page.parent / link if link else page, anchor) for link, anchor in links]
    assert [anchor for target, anchor in named if anchor not in anchors(target)] == []


def targets(folder: Path) -> set[str]:
    """Returns what can be made there."""
    makefile = folder / "Makefile"
    return (
        set(re.findall(r"^([\w-]+):", makefile.read_text(encoding="utf-8"), re.MULTILINE))
        if makefile.exists()
        else set()
    )


@pages
def test_every_make_target_exists(page: Path) -> None:
    named = {word for part in code(page) for word in re.findall(r"\bmake ([a-z-]+)\b", part)}
    assert named <= targets(ROOT) | targets(page.parent)


@pages
def test_every_felt_command_exists(page: Path) -> None:
    parts = "\n".join(code(page))
    named = set(re.findall(r"(?:^|[\s/$(])felt ([a-z][\w-]*)", parts)) - NO_COMMAND
    assert named <= set(COMMANDS)


@pages
def test_every_module_that_is_run_exists(page: Path) -> None:
    named = re.findall(r"python -m ([a-z][\w.]*)", page.read_text(encoding="utf-8"))
    assert [name for name in named if find_spec(name) is None] == []


def test_the_pages_are_found() -> None:
    assert {"README.md", "CONTRIBUTING.md", "SECURITY.md", "journal.md"} <= {page.name for page in PAGES}


def test_hooks_run_what_is_installed_here_and_fetch_nothing() -> None:
    text = HOOKS.read_text(encoding="utf-8")
    assert set(re.findall(r"repo: (\S+)", text)) == {"local"}
    assert set(re.findall(r"language: (\S+)", text)) == {"system"}
    entries = re.findall(r"entry: (.+)", text)
    assert len(entries) == text.count("- id:") >= 5
    locked = (ROOT / "requirements/dev.txt").read_text(encoding="utf-8")
    tools = {"ruff": "ruff", "mypy": "mypy", "lint-imports": "import-linter", "python": ""}
    for entry in entries:
        command, *words = entry.split()
        assert command.startswith(".venv/bin/")
        package = tools[command.removeprefix(".venv/bin/")]
        assert not package or f"\n{package}==" in locked
        for module in words[words.index("-m") + 1 :][:1] if "-m" in words else []:
            assert find_spec(module) is not None
        assert all((ROOT / word).exists() for word in words if word.startswith("tests/"))


def test_the_channels_listed_are_those_of_the_lamps() -> None:
    text = (ROOT / "docs/firmware.md").read_text(encoding="utf-8")
    [listed] = re.findall(r"^\| `lamps` \| channels (.*) \|$", text, re.MULTILINE)
    of_table, of_area = listed.split("area or seat N begins at 8 + 16 (N - 1): ")
    assert re.findall(r"(\d) `([a-z]+)`", of_table) == [(str(n), name) for n, name in enumerate(TABLE_LAMPS)]
    assert lamp_channels(2)["decide:2"] == 8 + 16
    assert tuple(re.findall(r"`([a-z-]+)`", of_area)) == AREA_LAMPS


@pytest.mark.parametrize(
    ("page", "listed"),
    [
        ("docs/configuration.md", r"^\| `family` \| required \| (.*) \|$"),
        ("docs/protocol.md", r"`family` is (.*?);"),
        ("examples/tables/casino-war.toml", r"by family \((.*)\) and"),
    ],
)
def test_the_families_listed_are_those_declared(page: str, listed: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    [families] = re.findall(listed, text, re.MULTILINE)
    assert sorted(set(re.findall(r"[a-z-]+", families)) - {"or"}) == sorted(FAMILIES)


def test_the_events_that_a_family_sends_are_those_declared() -> None:
    text = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    head, _, rows = text.partition("| family | sends, beside ")[2].partition("\n|---|---|\n")
    assert re.findall(r"[A-Z]\w+", head) == [event.__name__ for event in SENT_BY_ALL]
    listed = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", rows.partition("\n\n")[0], re.MULTILINE)
    assert listed == [
        (family, ", ".join(event.__name__ for event in events) or "nothing") for family, events in SENT_BY.items()
    ]


# What these say stops no table: they are about other programs, files and tests.
STOPS_NOTHING = {
    "felt odds",
    "felt run",
    "A firmware image and its way into a device",
    "A technician's work on a device",
    "Backup and restore",
    "Files that a command was given",
    "Pairing and new firmware",
    "People's work on the prize meter",
    "Rounds on record",
    "Simulated devices",
    "Simulated hardware",
    "The check of a journal",
    "The check of a table's snapshots",
    "A logbook in the store of the prize meters",
    "terms.toml, the terms and conditions of a tournament",
    "The conformance suite",
    "The daemon's log",
    "The simulated table",
}


def test_every_code_that_stops_a_table_is_reached_by_its_symptom() -> None:
    """Each room of docs/errors.md is linked from docs/troubleshooting.md."""
    rooms = re.findall(r"^## (.+)$", prose(ROOT / "docs/errors.md"), re.MULTILINE)
    linked = set(re.findall(r"\]\(errors\.md#([^)]+)\)", prose(ROOT / "docs/troubleshooting.md")))
    assert set(rooms) > STOPS_NOTHING
    assert [room for room in rooms if room not in STOPS_NOTHING and anchor(room) not in linked] == []


def test_every_code_in_troubleshooting_exists() -> None:
    known = set(re.findall(r"^\| `([a-z.*-]+)` \|", prose(ROOT / "docs/errors.md"), re.MULTILINE))
    named = re.findall(r"`([a-z-]+\.[a-z-]+)`", prose(ROOT / "docs/troubleshooting.md"))
    files = {"table.toml", "people.toml", "keys.toml"}
    assert [code for code in named if code not in known | files] == []
