"""The file of the devices' keys: what is refused, and that no message ever shows a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config.key_file import MODE, NAME, KeyFile
from controller.errors import FeltError

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))


def refused(keys: KeyFile, serials: tuple[str, ...] = ("S-1",)) -> str:
    with pytest.raises(FeltError) as error:
        keys.read(serials)
    assert KEY.hex() not in error.value.cause + error.value.next_step
    return error.value.code


def test_no_file_means_no_key(tmp_path: Path) -> None:
    assert KeyFile(tmp_path / "none").read(()) == {}


def test_what_is_stored_is_read_and_nobody_else_can(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "state")
    keys.store("S-1", OTHER)
    keys.store('S "2"\\', OTHER[::-1])
    keys.store("S-1", KEY)
    assert keys.read(("S-1", 'S "2"\\')) == {"S-1": KEY, 'S "2"\\': OTHER[::-1]}
    assert keys.path.stat().st_mode & 0o777 == MODE
    assert [path.name for path in keys.path.parent.iterdir()] == [NAME]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f'S-1 = "{KEY.hex()}"\nS-1 = "{KEY.hex()}"', "keys.malformed"),
        (f"S-1 = {KEY.hex()}", "keys.malformed"),
        (f'S-1 = "{KEY.hex()[:-2]}"', "keys.malformed"),
        (f'S-1 = "{KEY.hex()[:-1]}x"', "keys.malformed"),
        ("S-1 = 5", "keys.malformed"),
        ("\x00", "keys.malformed"),
        (f'S-1 = "{KEY.hex()}"\nS-2 = "{KEY.hex()}"', "keys.malformed"),
        (f'S-3 = "{KEY.hex()}"', "keys.unknown-serial"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(text: str, code: str, tmp_path: Path) -> None:
    keys = KeyFile(tmp_path)
    keys.path.write_text(text)
    keys.path.chmod(MODE)
    assert refused(keys) == code


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_can_read_is_refused(mode: int, tmp_path: Path) -> None:
    keys = KeyFile(tmp_path)
    keys.store("S-1", KEY)
    keys.path.chmod(mode)
    assert refused(keys) == "keys.permissions"


def test_a_place_that_cannot_be_written_or_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FeltError) as error:
        KeyFile(tmp_path / "file").store("S-1", KEY)
    assert error.value.code == "keys.unwritable"
    (tmp_path / NAME).mkdir()
    assert refused(KeyFile(tmp_path)) == "keys.unreadable"
