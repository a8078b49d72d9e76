"""How feltd comes onto a clean machine: what the package lays where, in which order, and what documents say of it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tests.docs.blocks import blocks
from tools.deb import control
from tools.deb.environment import PLACE
from tools.deb.target import MACHINES, RELEASES, Target
from tools.deb.tree import EXAMPLE, PLACES
from tools.deb.wheels import needed, pins

HOUSE = Path(__file__).parent.parent
SYSTEMD = HOUSE / "systemd"
OF_DEBIAN = {"dialout", "systemd-journal", "root"}  # groups that it has
TARGETS = [Target(release, arch) for release in RELEASES for arch in MACHINES]
WHOLE = "apt install ./feltd_*.deb && felt config init"
needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-sysusers") is None or shutil.which("systemd-tmpfiles") is None or os.geteuid() != 0,
    reason="systemd-sysusers and systemd-tmpfiles are not on this machine, or not for this user",
)
targets = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


def commands(page: str) -> list[str]:
    """Every line of the blocks of a page that are typed on a real machine."""
    shell = [block for block in blocks(HOUSE / page) if block.kind == "sh"]
    return [line for block in shell for line in block.text.splitlines()]


def test_the_whole_installation_is_two_commands() -> None:
    for page in ("README.md", "docs/installing.md"):
        assert commands(page).count(WHOLE) == 1, page


def test_every_file_for_the_system_is_in_the_package() -> None:
    assert all((HOUSE / name).is_file() for name in PLACES)
    assert {f"systemd/{path.name}" for path in SYSTEMD.iterdir()} <= set(PLACES)  # none is left behind
    assert not any(place.endswith("/table.toml") for place in PLACES.values())  # no table starts that nobody described
    assert EXAMPLE in PLACES.values()


def test_what_comes_first_comes_first() -> None:
    """Users and groups are made before the udev rules are laid, and the rest is told when all is there."""
    target = TARGETS[0]
    before, after = control.script("preinst", target), control.script("postinst", target)
    assert before.index("stop_between_rounds\n    fi") < before.index("systemd-sysusers -")
    steps = ["systemd-sysusers feltd", "systemd-tmpfiles", "daemon-reload", "udevadm control", "start_again\n    if"]
    assert [after.index(step) for step in steps] == sorted(after.index(step) for step in steps)
    users = [line for line in (SYSTEMD / "feltd.sysusers.conf").read_text().splitlines() if not line.startswith("#")]
    assert all(line in before.splitlines() for line in users)


def test_the_unit_finds_what_was_installed() -> None:
    unit = (SYSTEMD / "feltd.service").read_text()
    assert f"ExecStart={PLACE}/bin/feltd --config /etc/feltd/table.toml" in unit


@targets
def test_nothing_comes_without_a_hash(target: Target) -> None:
    package = (HOUSE / "requirements/package.txt").read_text()
    base = (HOUSE / "requirements/base.txt").read_text()
    wanted = {pin.name: pin for pin in needed(package, target)}
    assert all(pin.hashes for pin in wanted.values())
    assert {pin.name: pin.version for pin in needed(base, target)}.items() <= {
        pin.name: pin.version for pin in wanted.values()
    }.items()
    assert {"psycopg", "psycopg-binary", "textual", "gpiod"} <= set(
        wanted
    )  # what else would have to be installed by hand


def test_the_locks_have_one_version_of_everything() -> None:
    development = {pin.name: pin.version for pin in pins((HOUSE / "requirements/dev.txt").read_text())}
    package = {pin.name: pin.version for pin in pins((HOUSE / "requirements/package.txt").read_text())}
    assert {name: development.get(name) for name in package} == package


def test_technicians_get_groups_that_exist() -> None:
    users = (SYSTEMD / "feltd.sysusers.conf").read_text()
    (command,) = [line for line in commands("docs/installing.md") if line.startswith("usermod")]
    groups = set(shlex.split(command)[2].split(","))
    assert groups <= OF_DEBIAN | set(re.findall(r"^g (\S+)", users, re.M))
    assert {"feltd", "feltd-technicians", "dialout", "systemd-journal"} <= groups


def test_technicians_may_do_with_the_service_what_the_document_says() -> None:
    rule = (SYSTEMD / "feltd.polkit.rules").read_text()
    assert re.findall(r'"([\w.-]+)"', rule.partition("\nvar" if "\nvar" in rule else "addRule")[2]) == [
        *("start", "stop", "restart", "try-restart"),
        *("org.freedesktop.systemd1.manage-units", "unit", "feltd.service", "verb", "feltd-technicians"),
    ]


def test_what_takes_an_installation_by_hand_away_names_what_the_package_brings() -> None:
    """What stands in /etc comes before it, so each of these has to go."""
    removed = {Path(word).name for line in commands("docs/installing.md") for word in line.split() if "/etc/" in word}
    placed = {Path(place).name for place in PLACES.values() if place.startswith("usr/lib/")}
    assert placed <= removed


@needs_systemd
def test_it_makes_what_it_says(tmp_path: Path) -> None:
    """In a folder instead of /: with the real sysusers and tmpfiles."""
    root = tmp_path / "root"
    for name in ("feltd.sysusers.conf", "feltd.tmpfiles.conf"):
        place = root / PLACES[f"systemd/{name}"]
        place.parent.mkdir(parents=True)
        shutil.copy2(SYSTEMD / name, place)
    (root / "etc/feltd").mkdir(parents=True)
    (root / "etc/feltd/table.toml").touch(0o644)
    (root / "etc/group").write_text("root:x:0:\n")
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    for words in (["systemd-sysusers", "feltd.conf"], ["systemd-tmpfiles", "--create", "feltd.conf"]):
        command = [words[0], f"--root={root}", *words[1:]]
        subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    users = (root / "etc/passwd").read_text()
    assert re.search(r"^feltd:x:\d+:\d+:[^:]*:/var/lib/feltd:", users, re.M)
    assert stat.S_IMODE((root / "etc/feltd").stat().st_mode) == 0o750
    assert stat.S_IMODE((root / "etc/feltd/table.toml").stat().st_mode) == 0o640
