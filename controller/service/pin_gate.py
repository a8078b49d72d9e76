"""Keeps the order of a console's events while a PIN is checked: what comes after it waits until it is decided.

The fact that results is recorded under the PIN's own counter, and only then is the PIN acknowledged.  After a restart
in between the console sends it again, and all that followed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from controller.journal.errors import JournalError
from controller.service.engine import Submitted
from controller.service.sign_in import SignIn
from controller.table.facts import AnyFact
from drivers.supervisor import Origin
from firmware_bridge.messages import Event, PinEntered

Queue = deque[tuple[Origin, Event]]


class PinGate:
    """Takes PINs, and whatever a console sends until each is decided."""

    def __init__(
        self,
        sign_in: SignIn,
        take: Callable[[Origin, Event], None],
        record: Callable[[Origin, AnyFact], Submitted],
    ) -> None:
        self._sign_in, self._take, self._record = sign_in, take, record
        self._queues: dict[str, Queue] = {}  # of the consoles with a PIN under way
        self._tasks: set[asyncio.Task[None]] = set()
        self.latest: dict[str, Submitted] = {}  # what each console told last

    @property
    def busy(self) -> bool:
        """Whether a PIN is being checked."""
        return bool(self._queues)

    def keeps(self, origin: Origin, event: Event) -> bool:
        """Tells whether the event stays here for now; False: it is nothing that must wait."""
        queue = self._queues.get(origin.device)
        if queue is None:
            if not isinstance(event, PinEntered):
                return False
            queue = self._queues[origin.device] = deque()
            task = asyncio.get_running_loop().create_task(self._work(origin.device, queue), name="PIN")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if all(waiting != origin for waiting, _ in queue):  # else the console was greeted again, and repeats it
            queue.append((origin, event))
        return True

    def forget(self, device: str) -> None:
        """Forgets what waits: something before it could not be stored, so the console sends all of it again."""
        self.latest.pop(device, None)
        if device in self._queues:
            self._queues[device].clear()

    async def stop(self) -> None:
        """Ends what is under way: the console still has it."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _work(self, device: str, queue: Queue) -> None:
        try:
            while queue:
                origin, event = first = queue[0]
                if isinstance(event, PinEntered):
                    await self._followed(device)  # the badge before it, and what else was told
                    fact = await self._sign_in.at_console(event.pin)
                    if not queue or queue[0] is not first:
                        continue  # it was forgotten meanwhile
                    queue.popleft()
                    self._sign_in.make_room(fact)
                    self.latest[device] = self._record(origin, fact)
                else:
                    queue.popleft()
                    self._take(origin, event)
        except JournalError:
            pass  # the console was asked to send again what could not be stored: all of this with it
        finally:
            del self._queues[device]

    async def _followed(self, device: str) -> None:
        """Waits until what the console told before has acted; raises JournalError when it could not be stored."""
        latest = self.latest.pop(device, None)
        if latest is not None:
            await asyncio.wait([latest])
            latest.result()
