"""firmware_bridge/reference/README.md: what it says to type works, its table is measured, and no field is left out."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.reference.building import CROSS, ROOT, SOURCE, build
from tests.reference.conftest import long
from tests.reference.process import Reference

PAGE: Final = (SOURCE / "README.md").read_text(encoding="utf-8")
OTHER_COMPILER: Final = 0.1  # another version of gcc makes code that is so much longer or shorter, as a part
HANDS: Final = {  # what the page says to type, and the word that is answered to it
    "lamps": ("restart", "door open", "door shut", "pairing on", "pairing off", "tell"),
    "console": ("press deal",),
    "bet-sensor": ("chips ante 500x2",),
    "reader": ("lay Kh", "lift"),
}


def commands(begin: str) -> list[list[str]]:
    """Returns the words of each command on the page that begins so."""
    blocks = re.findall(r"^```sh.*?\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    lines = [line.partition("#")[0].split() for block in blocks for line in block.splitlines()]
    return [words for words in lines if words and words[0].endswith(begin)]


def test_output_goes_where_all_other_output_is_and_not_into_the_package() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "OUT")}
    asked = [words for words in commands("make") if not any(word.startswith("OUT=") for word in words)]
    assert asked == [["make", "host"], ["make", "mps2"], ["make", "sizes"]]
    built: list[str] = []
    for words in asked:
        run = [*words, "--dry-run", "--always-make", "-C", str(SOURCE)]
        planned = subprocess.run(run, capture_output=True, text=True, check=True, env=environment).stdout
        built += re.findall(r" -o (\S+)", planned)
    assert len(built) > 10
    assert {(SOURCE / path).resolve().is_relative_to(ROOT / "build") for path in built} == {True}
    assert (ROOT / "build/firmware").resolve() in {(SOURCE / path).resolve().parent for path in built}


def test_the_device_starts_with_these_words_and_takes_what_a_hand_does(program: list[str], tmp_path: Path) -> None:
    [[_, *words]] = commands("felt-device")
    [[*_, address]] = commands("felt")[:1]
    assert words == ["lamps", "--flash", "lamps.flash", "--port", "lamps.port"]
    assert address == "serial://$PWD/lamps.port"
    for family, hands in HANDS.items():
        device = Reference(program, family, tmp_path, **({"tags": "on"} if family == "bet-sensor" else {})).start()
        for hand in hands:
            assert f"`{hand}`" in PAGE
            device.hand(hand, {"restart": "ready", "tell": "device"}.get(hand, "done"))
        device.put_away()
    assert (tmp_path / "lamps.port").is_symlink()


@long
@pytest.mark.timeout(900)
@pytest.mark.skipif(CROSS is None, reason="no gcc-arm-none-eabi")
def test_flash_and_ram_are_as_measured() -> None:
    row = re.compile(
        r"^\|? ?([a-z-]+) +\|? ?[Cc]ortex-[mM](0\+|0plus|3) +\|? *([0-9.]+) KB +\|? *([0-9.]+) KB", re.MULTILINE
    )

    def table(text: str) -> dict[tuple[str, str], tuple[float, float]]:
        rows = row.findall(text)
        return {(family, cpu[0]): (float(flash), float(ram)) for family, cpu, flash, ram in rows}

    measured, said = table((build("sizes") / "log").read_text()), table(PAGE)
    assert len(said) == 8 and measured.keys() == said.keys()
    for key, numbers in said.items():
        assert measured[key] == pytest.approx(numbers, rel=OTHER_COMPILER)


def test_every_function_of_a_port_is_explained() -> None:
    port, _, _ = (SOURCE / "core/felt_board.h").read_text().partition("/* the family:")
    fields = set(re.findall(r"\b(\w+);|\(\*(\w+)\)", re.sub(r"/\*.*?\*/", "", port)))
    names = {first or second for first, second in fields} - {"flash"} | {"flash.read", "flash.write", "flash.erase"}
    first = re.findall(r"^\| (`[^|]*`) \| (?!is)", PAGE, re.MULTILINE)
    assert names <= set(re.findall(r"`([\w.]+)`", " ".join(first)))
