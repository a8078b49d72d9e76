"""A writer on a disk whose syncs take long, run with the library preloaded: says what its loop saw meanwhile."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Final

from controller.journal import Entry, Journal, Writer
from tests.disk import shim

SYNC: Final = 0.2  # seconds that a sync takes, unless another number is given
SCALE: Final = 40  # seconds that the writer's clock makes of one: a sync takes eight


def scaled() -> float:
    """Returns the time of the writer."""
    return time.monotonic() * SCALE


async def main(folder: Path, sync: float) -> None:
    """Stores one record, and looks at the writer for as long as that takes."""
    journal = Journal.open(folder / "journal.db", table="T1")
    shim.arm(folder, None, slow=sync)
    writer = Writer(journal, clock=scaled)
    stored = asyncio.Event()
    waits, alive = [0.0], [True]
    writer.submit(Entry(1, b"a card", "shoe", 1, 1), lambda result: stored.set())
    while not stored.is_set():
        now = scaled()
        waits.append(writer.waits(now))
        alive.append(writer.alive(now))
        await asyncio.sleep(0.001)
    after = writer.waits(scaled())
    await writer.close()
    journal.close()
    print(json.dumps({"longest": max(waits), "alive": all(alive), "after": after}))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else SYNC))
