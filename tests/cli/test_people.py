"""felt people, as root types it on a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import time
from pathlib import Path

import pytest

from controller.people.pam import SERVICE_FILE
from controller.people.pins import PinHash
from controller.people.roster_file import RosterFile
from tests.cli.conftest import felt
from tests.forking import Process

PATIENCE = 30.0


def typed(*words: str, answers: tuple[str, ...] = ()) -> tuple[int, str]:
    """The command on a terminal, with what somebody types when it asks."""
    terminal, theirs = pty.openpty()
    process = Process("felt", *words, stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ, session=True)
    os.close(theirs)
    seen, left, deadline = "", list(answers), time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        seen += data.decode()
        if left and seen.rstrip().endswith(":"):
            time.sleep(0.1)  # the echo is switched off just behind the question
            os.write(terminal, left.pop(0).encode() + b"\n")
    os.close(terminal)
    return process.wait(PATIENCE), seen


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "people.toml"


def add(file: Path, name: str, badge: str, *pins: str, role: str = "supervisor") -> tuple[int, str]:
    return typed("people", "add", name, "--badge", badge, "--role", role, "--file", str(file), answers=pins)


def test_the_first_person_is_made_and_the_pin_is_not_shown(file: Path) -> None:
    status, seen = add(file, "Floor Eight", "0417", "25801", "25801")
    assert status == 0 and "25801" not in seen
    assert "Floor Eight can sign in with badge 0417: supervisor" in seen
    (maria,) = RosterFile(file).read().people
    assert isinstance(maria.pin, PinHash) and maria.pin.matches("25801") and not maria.pin.weak
    assert file.stat().st_mode & 0o027 == 0
    assert "25801" not in file.read_text()


def test_everything_else(file: Path) -> None:
    assert add(file, "Floor Eight", "0417", "25801", "25801")[0] == 0
    status, seen = add(file, "Ben", "0417", "25801", "25801")
    assert status == 1 and "people.unfit: somebody has the name Ben or the badge 0417 already" in seen
    status, seen = add(file, "Ben", "0418", "258")
    assert status == 1 and "a PIN has 4 to 12 digits" in seen
    status, seen = add(file, "Ben", "0418", "25801", "25802")
    assert status == 1 and "the two PINs are not the same" in seen
    status, seen = add(file, "Ben", "0418", role="dealr")
    assert status == 1 and 'unknown role "dealr": did you mean "dealer"?' in seen
    status, seen = typed("people", "pin", "Floor Eight", "--file", str(file), answers=("13799", "13799"))
    (maria,) = RosterFile(file).read().people
    assert status == 0 and isinstance(maria.pin, PinHash) and maria.pin.matches("13799")
    known = json.loads(felt("people", "list", "--json", "--file", str(file)).stdout)
    assert known == {"people": [{"name": "Floor Eight", "badge": "0417", "roles": ["supervisor"], "pam": ""}]}
    assert (
        felt("people", "list", "--file", str(file)).stdout
        == "NAME         BADGE  ROLES       SIGNS IN BY\nFloor Eight  0417   supervisor  PIN\n"
    )
    assert felt("people", "check", "--file", str(file)).stdout.endswith("can be used: 1 person\n")
    gone = felt("people", "remove", "Floor", "--file", str(file))
    assert gone.returncode == 1 and "nobody is called Floor: known are Floor Eight" in gone.stderr
    assert felt("people", "remove", "Floor Eight", "--file", str(file)).returncode == 0
    assert RosterFile(file).read().people == ()
    assert "nobody can sign in" in felt("people", "check", "--file", str(file)).stdout


def test_somebody_whose_password_pam_knows_needs_no_pin(file: Path) -> None:
    words = ("--badge", "0417", "--role", "dealer", "--pam", "floor8", "--file", str(file))
    assert felt("people", "add", "Floor Eight", *words).returncode == 0
    assert 'pam = "floor8"' in file.read_text() and "pin" not in file.read_text().splitlines()[-1]
    for name, account, why in (
        ("Ben", "Floor8", "somebody signs in by the account Floor8 already"),
        ("floor  eight", "other", "somebody has the name floor  eight"),  # else the file could not be read any more
    ):
        again = felt("people", "add", name, "--badge", "0418", *words[2:-3], account, *words[-2:])
        assert again.returncode == 1 and why in again.stderr
    checked = json.loads(felt("people", "check", "--json", "--file", str(file)).stdout)
    assert checked["ok"] and checked["missing"] == ("" if SERVICE_FILE.exists() else "/etc/pam.d/feltd")


def test_a_pin_is_typed_on_a_terminal(file: Path) -> None:
    done = felt("people", "add", "Ann", "--badge", "1", "--role", "dealer", "--file", str(file))
    assert done.returncode == 1 and "typed on a terminal" in done.stderr and not file.exists()


def test_mistakes_in_the_file_are_all_told(file: Path) -> None:
    file.write_text('[[person]]\nname = "Ann"\nbadge = 3\n')
    file.chmod(0o600)
    done = felt("people", "check", "--file", str(file))
    assert done.returncode == 1 and done.stdout.count("\n") == 3
    told = json.loads(felt("people", "check", "--json", "--file", str(file)).stdout)
    assert (told["ok"], told["code"], len(told["problems"])) == (False, "people.invalid", 3)
    file.chmod(0o644)
    assert "people.permissions" in felt("people", "list", "--file", str(file)).stderr
