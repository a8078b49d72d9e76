"""people.toml: every mistake at once, in a file that only root and the daemon may read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.errors import FeltError
from controller.people.pam import PamAccount
from controller.people.pins import hashed
from controller.people.roster import EMPTY, Employee, Roster, RosterError, parse, written
from controller.people.roster_file import RosterFile
from tests.people.everybody import write_people

PIN = hashed("2580", 8, 1)
ANN = Employee("Pit One", "0417", ("technician", "dealer", "supervisor"), PIN)
BEN = Employee('Ben "B" \\ Wu', "0418", ("inspector",), PIN)


def test_what_is_written_is_read() -> None:
    roster = parse(written(Roster((ANN, BEN))), "people.toml")
    assert roster.people == (ANN, BEN)
    assert roster.by_badge["0418"].name == BEN.name
    assert roster.named("Pit One") == ANN and roster.named("pit one") is None


def test_the_highest_rank_counts_unless_another_role_is_wished() -> None:
    assert (ANN.role(), ANN.role("technician"), ANN.role("casino-manager")) == ("supervisor", "technician", None)
    assert BEN.role() == "inspector"


def test_every_mistake_is_told_with_its_line() -> None:
    text = f"""door = 1
[[person]]
name = "Ann"
badge = "1"
roles = ["dealer", "supervisr"]
pin = "2580"

[[person]]
name = "Ann"
badge = 1
roles = []
pin = "{PIN}"
colour = "red"

[[person]]
badge = "3 "
roles = "dealer"
"""
    with pytest.raises(RosterError) as caught:
        parse(text, "people.toml")
    assert caught.value.cause.splitlines() == [
        "people.toml:1: door: unknown key: known are person",
        'people.toml:5: person 1: roles: unknown role "supervisr": did you mean "supervisor"?',
        "people.toml:6: person 1: pin: is no Argon2id hash: write it with `felt people pin NAME`",
        "people.toml:9: person 2: name: person 1 has it already",
        "people.toml:10: person 2: badge: must be text in quotes",
        'people.toml:11: person 2: roles: must be a list of roles: write ["dealer"]',
        "people.toml:13: person 2: colour: unknown key: known are badge, name, pam, pin, roles",
        "people.toml:15: person 3: name: is missing",
        "people.toml:15: person 3: pin: is missing",
        "people.toml:16: person 3: badge: must have 1 to 64 printable characters, with no blank at an end",
        'people.toml:17: person 3: roles: must be a list of roles: write ["dealer"]',
    ]
    assert "2580" not in caught.value.cause


@pytest.mark.parametrize("name", ["Pit One", "pit one", "Pit  One", "Pit\u00a0One", "\uff30it One"])
def test_nobody_is_two_people_by_how_the_name_is_written(name: str) -> None:
    """Two people sign for some deeds: one person with two badges would be both of them."""
    text = written(Roster((ANN,))) + written(Roster((Employee("X", "0499", ("dealer",), PIN),))).replace(
        '"X"', f'"{name}"'
    )
    with pytest.raises(RosterError, match=r"person 2: name: .*person 1 has it already|must have 1 to 64"):
        parse(text, "people.toml")


def test_nobody_shares_a_badge() -> None:
    text = written(Roster((ANN, Employee("Ben", ANN.badge, ("dealer",), PIN))))
    with pytest.raises(RosterError, match="person 2: badge: person 1 has it already"):
        parse(text, "people.toml")


def test_somebody_whose_password_pam_knows() -> None:
    cat = Employee("Cat", "0419", ("dealer",), PamAccount("HOUSE\\cat"))
    assert parse(written(Roster((ANN, cat))), "people.toml").people == (ANN, cat)
    for more, why in (
        (f'pin = "{PIN}"', "a person has `pin` or `pam`, not both"),
        ('[[person]]\nname = "Dan"\nbadge = "3"\nroles = ["dealer"]\npam = "house\\\\CAT"', "person 1 has it already"),
    ):
        with pytest.raises(RosterError, match=why):
            parse(written(Roster((cat,))) + more, "people.toml")
    for account in ("", " x", "a\\u0000b", "x" * 65):
        with pytest.raises(RosterError, match="pam: must have 1 to 64 printable"):
            parse(f'[[person]]\nname = "Dan"\nbadge = "3"\nroles = ["dealer"]\npam = "{account}"\n', "people.toml")
    assert not Roster((cat,)).nobody.matches("")  # a badge that nobody has costs what a PIN costs


@pytest.mark.parametrize("text", ["[[person]", "person = 3", "[person]\nname = 'x'"])
def test_what_is_no_roster_is_refused(text: str) -> None:
    with pytest.raises(RosterError):
        parse(text, "people.toml")


def test_the_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    file = RosterFile(tmp_path / "people.toml")
    assert file.current() is EMPTY and file.trouble is not None and file.trouble.code == "people.missing"
    write_people(tmp_path, Roster((ANN,)))
    assert file.current().people == (ANN,) and file.trouble is None
    assert file.current() is file.current()
    file.write(Roster((ANN, BEN)))
    assert file.current().people == (ANN, BEN)
    file.path.write_text("[[person]]\n")
    assert file.current() is EMPTY and file.trouble is not None and file.trouble.code == "people.invalid"


@pytest.mark.parametrize("mode", [0o644, 0o620, 0o602, 0o604, 0o660])
def test_a_file_that_others_may_read_or_change_is_not_trusted(tmp_path: Path, mode: int) -> None:
    path = write_people(tmp_path, Roster((ANN,)))
    path.chmod(mode)
    file = RosterFile(path)
    assert file.current() is EMPTY and file.trouble is not None and file.trouble.code == "people.permissions"
    path.chmod(0o640)
    assert file.current().people == (ANN,)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_of_somebody_else_is_not_trusted(tmp_path: Path) -> None:
    path = write_people(tmp_path, Roster((ANN,)))
    os.chown(path, 4001, 0)
    with pytest.raises(FeltError) as caught:
        RosterFile(path).read()
    assert caught.value.code == "people.permissions"


def test_a_new_file_is_for_its_owner_and_the_daemon_alone(tmp_path: Path) -> None:
    file = RosterFile(tmp_path / "people.toml")
    file.write(Roster((ANN,)))
    assert file.path.stat().st_mode & 0o777 in (0o600, 0o640)
    assert not list(tmp_path.glob(".*"))


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    os.mkfifo(path, 0o600)
    file = RosterFile(path)
    assert file.current() is EMPTY and file.trouble is not None and file.trouble.code == "people.unreadable"
    path.unlink()
    path.mkdir(0o700)
    assert file.current() is EMPTY and file.trouble.code == "people.unreadable"


def test_a_file_that_is_too_large_is_not_read_in_part(tmp_path: Path) -> None:
    path = write_people(tmp_path, Roster((ANN,)))
    path.write_text(path.read_text() + "#" * 300_000)
    with pytest.raises(FeltError, match="has more than") as caught:
        RosterFile(path).read()
    assert caught.value.code == "people.invalid"
