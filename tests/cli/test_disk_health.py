"""What felt doctor says of the disk itself, from a /sys that was made for it."""

from __future__ import annotations

import json
import os
from itertools import count
from pathlib import Path

import pytest

from controller.cli.checkup import disk_health
from controller.cli.checkup.finding import Finding

CARD = {"device/type": "SD", "device/name": "SC32G", "device/date": "01/2023"}
EMMC = {"device/type": "MMC", "device/name": "BJTD4R", "device/date": "06/2024"}
NVME = {"device/model": "WD_BLACK SN770   ", "device/state": "live"}
SATA = {"device/type": "0", "device/model": "Samsung SSD 870 ", "device/state": "running"}


@pytest.fixture(autouse=True)
def no_smartctl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_health, "output_of", lambda command: "")


class MadeSys:
    """A /sys with one disk, one partition of it, and its file system."""

    def __init__(self, root: Path, disk: str, part: str, **_: object) -> None:
        self.root = root
        self.disk = root / "devices/soc/block" / disk
        self.part = self.disk / part
        self.part.mkdir(parents=True)
        (self.part / "partition").write_text("2\n")
        (root / "dev/block").mkdir(parents=True)
        (root / "dev/block/179:2").symlink_to(self.part)
        self.file_system(part, errors_count="0")

    def tell(self, words: dict[str, str]) -> None:
        for name, text in words.items():
            (self.disk / name).parent.mkdir(parents=True, exist_ok=True)
            (self.disk / name).write_text(f"{text}\n")

    def file_system(self, name: str, **words: str) -> None:
        for word, text in words.items():
            kept = self.root / "fs/ext4" / name / word
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(f"{text}\n")

    def found(self, number: int = os.makedev(179, 2)) -> list[Finding]:
        return list(disk_health.health(self.root, self.root, number))

    def codes(self) -> list[str]:
        found = self.found()
        assert all(bool(each.next_step) is bool(each.code) for each in found)
        return [each.code for each in found]


@pytest.fixture
def card(tmp_path: Path) -> MadeSys:
    sys = MadeSys(tmp_path, "mmcblk0", "mmcblk0p2")
    sys.tell(CARD)
    return sys


def test_a_memory_card_says_who_made_it_and_nothing_else(card: MadeSys) -> None:
    (finding,) = card.found()
    assert finding.state == "ok" and "mmcblk0 (SD SC32G 01/2023)" in finding.text


def test_errors_that_the_file_system_found_are_told_with_their_time(card: MadeSys) -> None:
    words = {"first_error_time": "1790000000", "last_error_time": "1790003600", "last_error_func": "ext4_lookup"}
    card.file_system("mmcblk0p2", errors_count="3", **words)
    finding = card.found()[0]
    assert (finding.state, finding.code) == ("bad", "disk.errors")
    assert "3 errors" in finding.text and "2026-09-21 14:13 UTC" in finding.text and "ext4_lookup" in finding.text
    assert "felt backup" in finding.next_step


@pytest.mark.parametrize(
    ("life", "spare", "codes"),
    [
        ("0x01 0x01", "0x01", [""]),
        ("0x08 0x02", "0x01", [""]),
        ("0x02 0x09", "0x01", ["disk.wears"]),
        ("0x0a 0x01", "0x02", ["disk.wears", "disk.wears"]),
        ("0x0b 0x01", "0x01", ["disk.worn"]),
        ("0x01 0x01", "0x03", ["", "disk.worn"]),
        ("0x00 0x00", "0x00", [""]),
        ("", "", [""]),
        ("nonsense", "nonsense", [""]),
    ],
)
def test_how_worn_a_memory_on_the_board_is(card: MadeSys, life: str, spare: str, codes: list[str]) -> None:
    card.tell({**EMMC, "device/life_time": life, "device/pre_eol_info": spare})
    assert card.codes() == codes


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        (NVME, [""]),
        ({**NVME, "device/state": "dead"}, ["disk.failing"]),
        ({**NVME, "device/hwmon1/temp1_alarm": "1"}, ["disk.hot"]),
        ({**NVME, "device/hwmon/hwmon1/temp1_alarm": "1"}, ["disk.hot"]),
        ({**NVME, "device/hwmon1/temp1_alarm": "0"}, [""]),
        (SATA, [""]),
        ({**SATA, "device/state": "offline"}, ["disk.failing"]),
    ],
)
def test_what_the_kernel_says_of_a_drive(tmp_path: Path, words: dict[str, str], codes: list[str]) -> None:
    sys = MadeSys(tmp_path, "nvme0n1", "nvme0n1p1")
    sys.tell(words)
    assert sys.codes() == codes


@pytest.mark.parametrize(
    ("told", "codes"),
    [
        ({"smart_status": {"passed": True}}, [""]),
        ({"smart_status": {"passed": False}}, ["disk.failing"]),
        ({"nvme_smart_health_information_log": {"percentage_used": 3}}, [""]),
        ({"nvme_smart_health_information_log": {"percentage_used": 91}}, ["disk.wears"]),
        ({"nvme_smart_health_information_log": {"percentage_used": 130}}, ["disk.worn"]),
        ([], [""]),
        ("nonsense", [""]),
    ],
)
def test_what_a_drive_says_of_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: object, codes: list[str]
) -> None:
    sys = MadeSys(tmp_path, "nvme0n1", "nvme0n1p1")
    sys.tell(NVME)
    asked: list[str] = []

    def answer(command: list[str]) -> str:
        asked.append(command[-1])
        return json.dumps(told)

    monkeypatch.setattr(disk_health, "output_of", answer)
    assert sys.codes() == codes
    assert asked == ["/dev/nvme0n1"]


def test_every_disk_below_what_was_made_of_several_is_looked_at(tmp_path: Path) -> None:
    sys = MadeSys(tmp_path, "sda", "sda1")
    sys.tell(SATA)
    second = tmp_path / "devices/soc/block/sdb"
    (second / "device").mkdir(parents=True)
    (second / "device/state").write_text("offline\n")
    made = tmp_path / "devices/virtual/block/dm-0"
    (made / "slaves").mkdir(parents=True)
    (made / "slaves/sda1").symlink_to(sys.part)
    (made / "slaves/sdb").symlink_to(second)
    (tmp_path / "dev/block/254:0").symlink_to(made)
    found = sys.found(os.makedev(254, 0))
    assert [(each.code, each.text.split(" ")[0].rstrip(":")) for each in found] == [
        ("", "sda"),
        ("disk.failing", "sdb"),
    ]


def test_a_folder_that_is_on_no_disk_is_not_judged(card: MadeSys) -> None:
    assert card.found(os.makedev(0, 42)) == []


@pytest.mark.parametrize(("step", "code"), [(0.001, ""), (0.099, ""), (0.2, "disk.slow"), (30.0, "disk.slow")])
def test_how_long_a_disk_takes_to_keep_something(tmp_path: Path, step: float, code: str) -> None:
    ticks = count()
    (finding,) = disk_health.keeping(tmp_path, lambda: next(ticks) * step)
    assert finding.code == code and f"{step * 1000:.1f} ms" in finding.text
    assert list(tmp_path.iterdir()) == []
    asked = next(ticks) // 2
    assert asked == (1 if step > disk_health.ENOUGH else disk_health.TRIED)


def test_where_nobody_may_write_nothing_is_tried(tmp_path: Path) -> None:
    assert list(disk_health.keeping(tmp_path / "none")) == []
