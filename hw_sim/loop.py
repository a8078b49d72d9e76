"""An event loop whose time jumps: whoever waits twenty minutes waits not at all, and always in the same order."""

from __future__ import annotations

import asyncio
import selectors
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from heapq import heappop
from typing import TYPE_CHECKING, Any, Final, TypeVar, TypeVarTuple, Unpack

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

MANY: Final = 100  # timers: of so many asyncio forgets the cancelled ones now and then
LONGEST: Final = 86_400.0  # seconds that asyncio waits at most in one go

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


class _JumpSelector(selectors.DefaultSelector):
    """A selector that moves the clock to the next timer instead of sleeping until then."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0  # nanoseconds, whole: sums of delays stay clean decimals
        self.jobs = 0  # real work in threads: its end is waited for in real time, with the clock standing still
        self.alone = True  # nothing is watched but the loop's own pipe, which only ends a wait

    def register(self, fileobj: FileDescriptorLike, events: int, data: Any = None) -> selectors.SelectorKey:
        key = super().register(fileobj, events, data)
        self.alone = len(self.get_map()) <= 1
        return key

    def unregister(self, fileobj: FileDescriptorLike) -> selectors.SelectorKey:
        key = super().unregister(fileobj)
        self.alone = len(self.get_map()) <= 1
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
        return [] if self.alone else super().select(0)


class JumpLoop(asyncio.SelectorEventLoop):
    """A loop whose time starts at 0, stands still while anything can run or be read, then jumps to the next timer.

    It blocks for real only when there is no timer at all, or while `run_in_executor` has work under way.
    """

    if TYPE_CHECKING:  # what asyncio's loop has, in every version that we support
        _ready: deque[asyncio.Handle]
        _scheduled: list[Any]  # of timers; whether one is in the heap, and when it is due, asyncio keeps to itself
        _timer_cancelled_count: int
        _clock_resolution: float
        _debug: bool
        _stopping: bool

    def __init__(self) -> None:
        self._clock = _JumpSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now / 1e9

    def _run_once(self) -> None:
        """Runs what is ready, or jumps to the next timer: as asyncio does it, without asking a selector in vain.

        Whatever is not plain goes asyncio's own way: something can be read, threads work, the loop is debugged or ends.
        """
        clock, ready, timers = self._clock, self._ready, self._scheduled
        plain = clock.alone and not clock.jobs and not self._debug and not self._stopping
        if not plain or len(timers) > MANY or not (ready or timers):
            super()._run_once()  # type: ignore[misc]
            return
        while timers and timers[0]._cancelled:
            self._timer_cancelled_count -= 1
            heappop(timers)._scheduled = False
        if timers:
            if not ready:
                wait = min(timers[0]._when - clock.now / 1e9, LONGEST)
                if wait > 0:
                    clock.now += max(1, round(wait * 1e9))
            until = clock.now / 1e9 + self._clock_resolution
            while timers and timers[0]._when < until:
                timer = heappop(timers)
                timer._scheduled = False
                ready.append(timer)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()

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
