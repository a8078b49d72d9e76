"""The disk of the journal itself: what it and its file system say of their health, and how fast it keeps something.

All of it is read from /sys, which anybody may, and from `smartctl` where that is installed and may ask the disk.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from controller.cli.checkup.finding import Finding, bad, ok, warn
from controller.cli.checkup.programs import output_of

DISK: Final = "disk"
SYS: Final = Path("/sys")
WORN: Final = 100  # percent of what it was made for
WEARS: Final = 80
SLOW: Final = 0.1  # seconds to keep a record: a lamp that lights later than that seems late to people
TRIED: Final = 5  # times
ENOUGH: Final = 2.0  # seconds: a disk that takes so long is not asked again
_PAGE: Final = bytes(4096)
_LIFE_STEP: Final = 10  # percent: one step of what a memory on the board tells (JEDEC, EXT_CSD)
_EXCEEDED: Final = 11  # steps
_SPARE_USED: Final = {2: 80, 3: 90}  # percent, by what it tells of its spare blocks
_WELL: Final = ("running", "live")  # what the kernel says of a disk that answers


def health(folder: Path, sys: Path = SYS, number: int | None = None) -> Iterator[Finding]:
    """Yields what is known of the disk with this folder; nothing where it is on none, such as a share of a server.

    `number`: of the device that has the file system.
    """
    number = folder.stat().st_dev if number is None else number
    link = sys / "dev/block" / f"{os.major(number)}:{os.minor(number)}"
    if not link.exists():
        return
    part = link.resolve()
    yield from _file_system(sys / "fs/ext4" / part.name)
    for disk in sorted(_disks(part)):
        findings = [*_memory(disk), *_drive(disk)]
        yield from findings or [ok(DISK, f"{_called(disk)}: it does not say that anything is wrong with it")]


def _disks(part: Path) -> set[Path]:
    """Returns the disks below a partition, or below what was made of several."""
    below = [each.resolve() for each in (part / "slaves").glob("*")]
    if below:
        return {disk for each in below for disk in _disks(each)}
    return {part.parent if (part / "partition").exists() else part}


def _called(disk: Path) -> str:
    """Returns a disk as people know it: by the kernel's name, and what its maker calls it."""
    kind, model = _text(disk / "device/type"), _text(disk / "device/model") or _text(disk / "device/name")
    made = _text(disk / "device/date")
    about = " ".join(word for word in (kind if kind.isalpha() else "", model, made) if word)
    return f"{disk.name} ({about})" if about else disk.name


def _file_system(kept: Path) -> Iterator[Finding]:
    """Yields what ext4 has found wrong in itself since it was checked."""
    count = _number(kept / "errors_count")
    if not count:
        return
    first, last = (_when(_number(kept / f"{each}_error_time")) for each in ("first", "last"))
    where = _text(kept / "last_error_func")
    text = f"{kept.name}: the file system has found {count} errors in itself, the first {first}, the last {last}"
    yield bad(DISK, "disk.errors", f"{text} ({where})" if where else text)


def _memory(disk: Path) -> Iterator[Finding]:
    """Yields how worn a memory on the board (eMMC) is; memory cards (SD) do not tell."""
    kinds = _text(disk / "device/life_time").split()  # of memory on it, each in steps
    steps = max((int(kind, 16) for kind in kinds if kind.startswith("0x")), default=0)
    if steps:
        yield from _worn(disk, WORN + 1 if steps >= _EXCEEDED else steps * _LIFE_STEP)
    spare = _SPARE_USED.get(_number(disk / "device/pre_eol_info", base=16))
    if spare is not None:
        tell = bad if spare == max(_SPARE_USED.values()) else warn
        code = "disk.worn" if tell is bad else "disk.wears"
        yield tell(DISK, code, f"{_called(disk)}: {spare} % of its spare blocks are used")


def _drive(disk: Path) -> Iterator[Finding]:
    """Yields what the kernel says of a drive, and what the drive says of itself."""
    state = _text(disk / "device/state")
    if state and state not in _WELL:
        yield bad(DISK, "disk.failing", f"{_called(disk)}: the kernel says that it is {state}")
    if any(_number(alarm) for alarm in disk.glob("device/hwmon*/**/temp1_alarm")):
        yield warn(DISK, "disk.hot", f"{_called(disk)}: it is too hot")
    answer = _asked(f"/dev/{disk.name}")
    if answer.get("smart_status", {}).get("passed") is False:
        yield bad(DISK, "disk.failing", f"{_called(disk)}: it says itself that it fails")
    used = answer.get("nvme_smart_health_information_log", {}).get("percentage_used")
    if isinstance(used, int):
        yield from _worn(disk, used)


def _worn(disk: Path, used: int) -> Iterator[Finding]:
    """Yields how much of the writing that a disk was made for is done, in percent."""
    amount = f"more than {WORN} %" if used > WORN else f"up to {used} %"
    text = f"{_called(disk)}: {amount} of the writing that it was made for is done"
    if used > WORN:
        yield bad(DISK, "disk.worn", text)
    elif used > WEARS:
        yield warn(DISK, "disk.wears", text)
    else:
        yield ok(DISK, text)


def _asked(device: str) -> dict[str, Any]:
    """Returns what `smartctl` says of a drive; nothing where it is not installed, or may not ask."""
    try:
        answer = json.loads(output_of(["smartctl", "--json", "--health", "--attributes", device]) or "{}")
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def keeping(folder: Path, clock: Callable[[], float] = time.monotonic) -> Iterator[Finding]:
    """Yields how long the disk takes to keep a page, in a file without a name; nothing where we may not write."""
    took: list[float] = []
    try:
        descriptor = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except OSError:
        return
    try:
        while len(took) < TRIED and sum(took) < ENOUGH:
            began = clock()
            os.write(descriptor, _PAGE)
            os.fdatasync(descriptor)
            took.append(clock() - began)
    except OSError as error:
        yield bad(DISK, "disk.unreadable", f"{folder}: {error.strerror}")
        return
    finally:
        os.close(descriptor)
    usual = statistics.median(took)
    text = f"{folder}: what is written is kept after {usual * 1000:.1f} ms, at most {max(took) * 1000:.1f} ms"
    yield warn(DISK, "disk.slow", text) if usual > SLOW else ok(DISK, text)


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _number(path: Path, base: int = 10) -> int:
    """Returns the number in a file; 0 where there is none."""
    try:
        return int(_text(path), base)
    except ValueError:
        return 0


def _when(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%d %H:%M UTC")
