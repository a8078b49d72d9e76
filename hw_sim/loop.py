"""An event loop whose time jumps: whoever waits twenty minutes waits not at all, and always in the same order."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple, Unpack

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


class _JumpSelector(selectors.DefaultSelector):
    """A selector that moves the clock to the next timer instead of sleeping until then."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0  # nanoseconds, whole: sums of delays stay clean decimals
        self.jobs = 0  # real work in threads: its end is waited for in real time, with the clock standing still
        self._alone = True  # nothing is watched but the loop's own pipe, which only ends a wait

    def register(self, fileobj: FileDescriptorLike, events: int, data: Any = None) -> selectors.SelectorKey:
        key = super().register(fileobj, events, data)
        self._alone = len(self.get_map()) <= 1
        return key

    def unregister(self, fileobj: FileDescriptorLike) -> selectors.SelectorKey:
        key = super().unregister(fileobj)
        self._alone = len(self.get_map()) <= 1
        return key

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        if timeout <= 0:
            return self._look()
        if self.jobs:
            return super().select(None)
        ready = self._look()
        if not ready:
            self.now += max(1, round(timeout * 1e9))  # at least one, or who sleeps "the rest" might never get there
        return ready

    def _look(self) -> list[tuple[selectors.SelectorKey, int]]:
        """Returns what can be read or written now; the kernel is not asked in vain."""
        return [] if self._alone else super().select(0)


class JumpLoop(asyncio.SelectorEventLoop):
    """A loop whose time starts at 0, stands still while anything can run or be read, then jumps to the next timer.

    It blocks for real only when there is no timer at all, or while `run_in_executor` has work under way.
    """

    def __init__(self) -> None:
        self._clock = _JumpSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now / 1e9

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[_Ts]], _T], *args: *_Ts
    ) -> asyncio.Future[_T]:
        future = super().run_in_executor(executor, func, *args)
        self._clock.jobs += 1
        future.add_done_callback(self._job_done)
        return future

    def _job_done(self, _future: asyncio.Future[Any]) -> None:
        self._clock.jobs -= 1


def run(main: Coroutine[Any, Any, _T]) -> _T:
    """Runs `main` to its end on a fresh JumpLoop and returns its result.

    >>> run(asyncio.sleep(1200, "twenty minutes later"))
    'twenty minutes later'
    """
    with asyncio.Runner(loop_factory=JumpLoop) as runner:
        return runner.run(main)
