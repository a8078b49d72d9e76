"""A capture: what passed on a device's wire, as JSON lines in a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.api.shapes import FrameShown
from controller.errors import FeltError

KEPT = ("at", "way", "hex", "withheld", "blank", "error", "lost")
Keep = Callable[[FrameShown], None]


@contextmanager
def captured(path: Path | None) -> Iterator[Keep]:
    """Keeps frames as they come, each on its line at once; without a path nothing is kept."""
    if path is None:
        yield lambda frame: None
        return
    try:
        file = path.open("w", encoding="utf-8", buffering=1)
    except OSError as error:
        raise FeltError("capture.unwritable", f"{path}: {error.strerror or error}") from None
    with file:
        last = 0

        def keep(frame: FrameShown) -> None:
            nonlocal last
            line: dict[str, object] = {name: value for name, value in frame.items() if name in KEPT}
            if "withheld" in line:
                line["text"] = frame["text"]
            if last and frame["n"] > last + 1:
                line["skipped"] = frame["n"] - last - 1  # they passed, and nobody has them any more
            last = frame["n"]
            print(json.dumps(line), file=file)

        yield keep
