"""Which running daemon this is: a random name, the hardware, the boot and the process, for the lease of its table."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from controller.jackpot.lease import Holder, LeaseClaim

SERIALS: Final = (Path("/sys/firmware/devicetree/base/serial-number"), Path("/sys/class/dmi/id/product_uuid"))
BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
PROCESSES: Final = Path("/proc")
_BEGAN: Final = 19  # among the words of /proc/PID/stat behind the name of the program: proc(5), field 22


def own_claim() -> LeaseClaim:
    """Returns the wish of this process to speak for its table.

    The machine is known by the serial number of its hardware: an installed system's own is cloned with its card.
    """
    process = os.getpid()
    machine = next((serial for path in SERIALS if (serial := _word(path))), "")
    holder = Holder(secrets.token_hex(8), machine, _word(BOOT), process, _began(process) or 0)
    return LeaseClaim(holder, runs)


def runs(holder: Holder) -> bool:
    """Tells whether a process of this boot still runs; another one may have its number by now."""
    return _began(holder.process) == holder.began


def _began(process: int) -> int | None:
    """Returns when a process began, by the clock of the kernel; None when there is none."""
    try:
        text = (PROCESSES / str(process) / "stat").read_text(encoding="utf-8", errors="replace")
        return int(text.rpartition(")")[2].split()[_BEGAN])
    except (OSError, ValueError, IndexError):
        return None


def _word(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""
