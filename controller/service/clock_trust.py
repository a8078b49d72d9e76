"""Asks the operating system what the time of day is worth, and which start of the computer this is.  Sets nothing."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import Final, NamedTuple

from controller.table.facts import SYNCHRONISED, UNKNOWN, UNSYNCHRONISED, Trust

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
RTC: Final = Path("/sys/class/rtc/rtc0")
TIMESYNC: Final = Path("/run/systemd/timesync")  # of systemd-timesyncd, while it runs
STAMP: Final = "synchronized"  # touched whenever a server has answered: every 34 minutes at least
OLDEST_STAMP: Final = 2 * 60 * 60.0  # seconds, either way: a clock that was set since is not the one that was confirmed
KERNEL: Final = "kernel"
TIMESYNCD: Final = "systemd-timesyncd"
STA_UNSYNC: Final = 0x40  # status bit of adjtimex(2)


class ClockTrust(NamedTuple):
    """Whether a time server keeps the clock right, by how much it may be wrong, and who says so."""

    trust: Trust = UNKNOWN
    error: int = -1  # microseconds at most; -1: nobody says
    battery: bool = False  # a clock runs on while the computer has no power
    source: str = ""


NOBODY_SAYS: Final = ClockTrust()


class _Timex(ctypes.Structure):
    """The beginning of `struct timex`; with modes 0 it is only read."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),  # more than any kernel writes
    )


def boot_id(path: Path = BOOT_ID) -> str:
    """Returns what names this start of the computer; "": nobody says."""
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeError):
        return ""


def system_trust(rtc: Path = RTC, timesync: Path = TIMESYNC) -> ClockTrust:
    """Returns what the kernel says; where it may not be asked, what systemd-timesyncd left behind."""
    battery, kernel = rtc.exists(), _adjtimex()
    if kernel is not None:
        status, error = kernel
        return ClockTrust(UNSYNCHRONISED if status & STA_UNSYNC else SYNCHRONISED, error, battery, KERNEL)
    if not timesync.is_dir():
        return ClockTrust(battery=battery)
    return ClockTrust(_stamped(timesync / STAMP), battery=battery, source=TIMESYNCD)


def _stamped(stamp: Path) -> Trust:
    try:
        age = time.time() - stamp.stat().st_mtime
    except OSError:  # no server has answered since the computer started
        return UNSYNCHRONISED
    return SYNCHRONISED if abs(age) <= OLDEST_STAMP else UNSYNCHRONISED


def _adjtimex() -> tuple[int, int] | None:
    """Returns the kernel's status bits and largest error in microseconds; None when it may not be asked."""
    kept = _Timex()
    try:
        state: int = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(kept))
    except (AttributeError, OSError):  # another kind of system
        return None
    return None if state < 0 else (kept.status, kept.maxerror)


def since_boot() -> int:
    """Returns nanoseconds since the computer started, also those that it slept; nobody sets this clock."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def oscillator() -> int:
    """Returns nanoseconds by the oscillator alone, which no program makes faster or slower; sleep counts as well."""
    asleep = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) + asleep
