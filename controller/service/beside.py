"""Work behind the table, in a thread of its own: a slow disk there never stands between a card and its lamp."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from controller.errors import Coded

FAREWELL: Final = 5.0  # seconds that the end of the daemon waits for the last turn; a disk that hangs must not keep it

Report = Callable[[Coded | None], None]
T = TypeVar("T")


async def beside(name: str, work: Callable[[], T], patience: float) -> T:
    """Returns what `work` returns, in a thread that nobody waits for at the end; TimeoutError when it takes longer."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(result: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if done.done() else result())

    def run() -> None:
        try:
            result = work()
        except Exception as error:
            failure = error
            tell(lambda: done.set_exception(failure))
        else:
            tell(lambda: done.set_result(result))

    threading.Thread(target=run, name=name, daemon=True).start()
    async with asyncio.timeout(patience):
        return await done


class Beside:
    """Takes a turn again and again; what a turn raises is told once it is another trouble, and tried again."""

    def __init__(self, name: str, turn: Callable[[], None], report: Report, pause: float) -> None:
        self._turn, self._report, self._pause = turn, report, pause
        self._loop = asyncio.get_running_loop()
        self._over = threading.Event()
        self._reported: str | None = ""  # the last trouble; None: all was well
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begins."""
        self._thread.start()

    async def stop(self) -> None:
        """Takes a last turn and ends."""
        self._over.set()
        if self._thread.ident is not None:
            await asyncio.to_thread(self._thread.join, FAREWELL)

    def _work(self) -> None:
        over = False
        while not over:
            over = self._over.wait(self._pause)
            trouble: Coded | None = None
            try:
                self._turn()
            except Coded as error:
                trouble = error
            text = None if trouble is None else str(trouble)
            if text != self._reported:
                self._reported = text
                try:
                    self._loop.call_soon_threadsafe(self._report, trouble)
                except RuntimeError:
                    return  # the loop is closed: nobody is left to tell
