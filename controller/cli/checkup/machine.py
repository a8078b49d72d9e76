"""The computer itself: is its clock to be trusted, does its power hold."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from controller.cli.checkup.finding import Finding, bad, ok, warn
from controller.cli.checkup.programs import output_of
from controller.service.clock_trust import ClockTrust, system_trust
from controller.table.facts import SYNCHRONISED, UNSYNCHRONISED
from controller.table.wall_clock import EARLIEST, SECOND

CLOCK, POWER = "clock", "power"
SYS: Final = Path("/sys")
_NOW, _BEFORE = 0x1, 0x10000  # bits of the firmware: too little voltage now; at some moment since the start
_SLOWED: Final = 0x4  # slowed down now


def clock(trust: Callable[[], ClockTrust] = system_trust) -> Iterator[Finding]:
    """Yields what time it is here, and whether anybody keeps it right."""
    now = time.time()
    written = datetime.fromtimestamp(now).astimezone().isoformat(timespec="seconds")
    if now * SECOND < EARLIEST:
        yield bad(CLOCK, "clock.wrong", f"it is {written} here, which cannot be")
        return
    word = trust()
    battery = "" if word.battery else "; it has no battery"
    if word.trust == SYNCHRONISED:
        yield ok(CLOCK, f"it is {written}, kept right by a time server{battery}")
    elif word.trust == UNSYNCHRONISED:
        yield warn(CLOCK, "clock.unsure", f"it is {written}, and no time server keeps it right{battery}")
    else:
        yield ok(CLOCK, f"it is {written}; nobody here says whether a time server keeps it right{battery}")


def power(sys: Path = SYS) -> Iterator[Finding]:
    """Yields whether the voltage holds, where the machine can tell."""
    flags = _firmware(sys)
    if flags is None:
        flags = _throttled(output_of(["vcgencmd", "get_throttled"]))
    if flags is None:
        flags = _alarm(sys / "class/hwmon")
    if flags is None:
        yield ok(POWER, "this machine does not say how its power is")
    elif flags & _NOW:
        yield bad(POWER, "power.low", "the voltage is too low now")
    elif flags & _BEFORE:
        yield warn(POWER, "power.was-low", "the voltage was too low at some moment since the machine started")
    elif flags & _SLOWED:
        yield warn(POWER, "power.slowed", "the machine is slowed down, most often because it is too hot")
    else:
        yield ok(POWER, "the voltage holds")


def _firmware(sys: Path) -> int | None:
    """Returns the bits that the firmware of a Raspberry Pi tells by the kernel, which anybody may read."""
    for file in sorted(sys.glob("devices/platform/soc*/soc*:firmware/get_throttled")):
        try:
            return int(file.read_text(), 16)
        except (OSError, ValueError):
            continue
    return None


def _throttled(answer: str) -> int | None:
    """Returns the same bits as its own program prints them; None when it told none.

    >>> _throttled("throttled=0x50005"), _throttled("")
    (327685, None)
    """
    _, _, number = answer.strip().partition("=")
    try:
        return int(number, 16)
    except ValueError:
        return None


def _alarm(hwmon: Path) -> int | None:
    """Returns the same from the kernel, which only knows how it is now."""
    for monitor in sorted(hwmon.glob("hwmon*")):
        try:
            if (monitor / "name").read_text().strip() == "rpi_volt":
                return int((monitor / "in0_lcrit_alarm").read_text())
        except (OSError, ValueError):
            continue
    return None
