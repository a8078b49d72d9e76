"""A loop whose clock jumps to the next timer when nothing is ready, so that waiting costs no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _JumpingSelector(selectors.SelectSelector):
    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("deadlock: nothing is ready and no timer is set")
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run to the end on virtual time; a task left behind, or an error nobody saw, fails the test."""
    loop = VirtualLoop()
    unseen: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: unseen.append(context))
    try:
        result = loop.run_until_complete(asyncio.wait_for(main, 3600))
        left = asyncio.all_tasks(loop)
        assert not left, f"tasks left behind: {left}"
    finally:
        loop.close()
    assert not unseen, unseen
    return result
