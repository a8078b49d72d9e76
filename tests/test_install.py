"""How docs/installing.md installs feltd on a clean machine: its commands are read, and run where that is possible."""

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

HOUSE = Path(__file__).parent.parent
SYSTEMD = HOUSE / "systemd"
CLEAN = ("/etc/tmpfiles.d", "/etc/udev/rules.d", "/etc/systemd/system", "/usr/local/bin", "/opt")  # of a clean Debian
OF_DEBIAN = {"dialout", "systemd-journal", "root"}  # groups that it has
needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-sysusers") is None or shutil.which("systemd-tmpfiles") is None or os.geteuid() != 0,
    reason="systemd-sysusers and systemd-tmpfiles are not on this machine, or not for this user",
)


def commands() -> list[list[str]]:
    """Every command of the section, in its order."""
    shell = [block for block in blocks(HOUSE / "docs/installing.md") if block.kind == "sh"]
    return [shlex.split(line) for block in shell for line in block.text.splitlines()]


def place(*words: str) -> int:
    """Where the one command with these words stands."""
    (found,) = [number for number, command in enumerate(commands()) if set(words) <= set(command)]
    return found


def test_every_file_that_it_names_is_in_the_repository() -> None:
    named = {word for command in commands() for word in command if re.match(r"(systemd|examples|requirements)/", word)}
    assert all((HOUSE / name).is_file() for name in named), named
    assert {f"systemd/{path.name}" for path in SYSTEMD.iterdir()} <= named  # and none is left behind


def test_every_directory_is_there_or_made() -> None:
    """A clean Debian has no /etc/sysusers.d."""
    made = re.findall(r"^d (\S+)", (SYSTEMD / "feltd.tmpfiles.conf").read_text(), re.M)
    for command in commands():
        if command[0] in ("install", "ln") and "-D" not in command:
            assert str(Path(command[-1]).parent) in (*CLEAN, *made), command


def test_what_comes_first_comes_first() -> None:
    users = place("systemd-sysusers", "feltd.conf")
    rules = place("install", "systemd/99-feltd.rules")
    directories = place("systemd-tmpfiles", "feltd.conf")
    assert place("install", "systemd/feltd.sysusers.conf") < users < directories
    assert users < rules < place("udevadm", "--reload") < place("udevadm", "trigger")  # a rule without group is ignored
    assert directories < place("install", "/etc/feltd/table.toml")
    assert place("install", "systemd/feltd.service") < place("systemctl", "daemon-reload")
    assert place("systemctl", "daemon-reload") < place("systemctl", "enable", "feltd")
    assert place("python3", "venv", "/opt/feltd") < place("requirements/run.txt") < place(".")
    assert place("ln", "/opt/feltd/bin/felt") < place("felt", "check") < place("systemctl", "enable", "feltd")
    assert place("felt", "table", "init") < place("systemctl", "enable", "feltd")


def test_the_unit_finds_what_was_installed() -> None:
    assert ["python3", "-m", "venv", "/opt/feltd"] in commands()
    unit = (SYSTEMD / "feltd.service").read_text()
    assert "ExecStart=/opt/feltd/bin/feltd --config /etc/feltd/table.toml" in unit
    assert ["felt", "config", "check", "/etc/feltd/table.toml"] in commands()


def test_nothing_comes_without_a_hash() -> None:
    installs = [command for command in commands() if command[:2] == ["/opt/feltd/bin/pip", "install"]]
    assert installs
    for command in installs:
        assert "--require-hashes" in command or {"--no-deps", "--no-build-isolation"} <= set(command), command
    needed = re.findall(r'requires = \["(.*?)"\]', (HOUSE / "pyproject.toml").read_text())
    built = (HOUSE / "requirements" / "run.txt").read_text()
    assert all(re.search(rf"^{name}==", built, re.M) for name in needed)


def test_technicians_get_groups_that_exist() -> None:
    users = (SYSTEMD / "feltd.sysusers.conf").read_text()
    (command,) = [command for command in commands() if command[0] == "usermod"]
    groups = set(command[2].split(","))
    assert groups <= OF_DEBIAN | set(re.findall(r"^g (\S+)", users, re.M))
    assert {"feltd", "feltd-technicians", "dialout", "systemd-journal"} <= groups


@needs_systemd
def test_it_makes_what_it_says(tmp_path: Path) -> None:
    """In a folder instead of /: with the real sysusers, tmpfiles, install and ln; the rest leaves its name."""
    root = tmp_path / "root"
    for directory in (*CLEAN, "/opt/feltd/bin"):
        (root / directory[1:]).mkdir(parents=True)
    (root / "etc/group").write_text("root:x:0:\n")
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    for command in commands():
        if command[0] in ("install", "ln"):
            _copy(root, command)
        elif command[0] in ("systemd-sysusers", "systemd-tmpfiles"):
            _run([command[0], f"--root={root}", *command[1:]])
    users = (root / "etc/passwd").read_text()
    assert re.search(r"^feltd:x:\d+:\d+:[^:]*:/var/lib/feltd:", users, re.M)
    assert stat.S_IMODE((root / "etc/feltd").stat().st_mode) == 0o750
    assert stat.S_IMODE((root / "etc/feltd/table.toml").stat().st_mode) == 0o640
    assert (root / "usr/local/bin/felt").readlink() == Path("/opt/feltd/bin/felt")
    assert (root / "etc/udev/rules.d/99-feltd.rules").read_text() == (SYSTEMD / "99-feltd.rules").read_text()
    assert (root / "etc/systemd/system/feltd-can@.service").is_file()


def _copy(root: Path, command: list[str]) -> None:
    """With its target under `root`; an owner must exist there, and not on this machine."""
    words = [*command[:-1], str(root) + command[-1]]
    for option, file in (("-o", "passwd"), ("-g", "group")):
        if option in words:
            at = words.index(option)
            assert re.search(rf"^{words[at + 1]}:", (root / "etc" / file).read_text(), re.M)
            del words[at : at + 2]
    _run(words)


def _run(words: list[str]) -> None:
    subprocess.run(words, cwd=HOUSE, capture_output=True, text=True, timeout=30, check=True)
