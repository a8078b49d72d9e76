"""One life of a daemon in a process of its own, with a clock that is set: `python -m tests.service.clock_process`.

It puts up a notice and waits to be killed, or tries to put it in force and tells what the minimum is then.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from controller.config.load import load_config
from controller.service.clock import SystemClocks
from controller.service.clock_trust import ClockTrust
from controller.table.facts import SYNCHRONISED, Badge
from tests.service.clocks import table


async def live(path: Path, ahead: float, deed: str) -> None:
    """Runs the daemon, with the wall clock so many seconds ahead."""
    clocks = SystemClocks(
        wall=lambda: time.time_ns() + round(ahead * 1e9),
        trust=lambda: ClockTrust(SYNCHRONISED),  # whoever sets it says that it is right
    )
    async with table(load_config(path), clocks) as t:
        await t.engine.submit(Badge("area-manager"))
        if deed == "announce":
            await t.press("seat", "1")
            await t.press("notice", "min=25")
            print("announced", flush=True)
            await asyncio.Event().wait()
        await t.press("set", "min=25")
        print("minimum", t.engine.table.options["min"], flush=True)


if __name__ == "__main__":
    _, toml, seconds, what = sys.argv
    asyncio.run(live(Path(toml), float(seconds), what))
