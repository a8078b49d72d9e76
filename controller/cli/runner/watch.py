"""Waits until scripts change, by looking at their files again and again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from controller.cli.runner.find import ScriptSource, find

EVERY: Final = 0.25  # seconds

Stamp = tuple[int, int, int] | None
Stamps = dict[ScriptSource, Stamp]


def stamps(words: Sequence[str]) -> Stamps:
    """Returns the scripts that are meant now, each with what changes when somebody writes it."""
    return {source: _stamp(source.name) for source in find(words)}


def changed(words: Sequence[str], before: Stamps) -> tuple[list[ScriptSource], Stamps]:
    """Waits until scripts are new or changed and stay so for a moment; returns them, and how all of them are now."""
    now = stamps(words)
    while True:
        later = _after_a_moment(words)
        if later == now and (new := [source for source in now if now[source] != before.get(source, ())]):
            return new, now
        if later == now:
            before = {source: stamp for source, stamp in before.items() if source in now}  # one that comes back is new
        now = later


def _after_a_moment(words: Sequence[str]) -> Stamps:
    time.sleep(EVERY)
    return stamps(words)


def _stamp(name: str) -> Stamp:
    try:
        about = Path(name).stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino
